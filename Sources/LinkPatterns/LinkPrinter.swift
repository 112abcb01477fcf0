// Makes a link of a pattern and values: the reverse of the matcher. Every element is written once,
// whether or not its branch is used in the end, so time is linear in the pattern. Left out:
// searching for other ways to write the link; a link that would be read differently is rejected.

/// A writer of the parts of one link.
struct LinkPrinter {
    /// The values by parameter name.
    let values: [String: String]

    /// A part of a path, and the names whose values are in it.
    private struct Part {
        var components: [String] = []
        var names: Set<String> = []
    }

    /// The link for a pattern.
    func link(of pattern: LinkPattern) throws(LinkPrintingError) -> Link {
        let path = try part(pattern.path)
        let query = try items(of: pattern.query)
        let names = path.names.union(query.map(\.name))
        for name in values.keys.sorted() where !names.contains(name) {
            throw .unusedValue(name: name)
        }
        return Link(components: path.components, query: query)
    }

    private func part(_ elements: [PathElement]) throws(LinkPrintingError) -> Part {
        var whole = Part()
        for element in elements {
            let part = try part(element)
            whole.components += part.components
            whole.names.formUnion(part.names)
        }
        return whole
    }

    private func part(_ element: PathElement) throws(LinkPrintingError) -> Part {
        switch element {
        case .literal(let text): return Part(components: [text])
        case .wildcard: throw .namelessElement(element.description)
        case .parameter(let parameter):
            guard let name = parameter.name else { throw .namelessElement(element.description) }
            let value = try value(of: parameter, name)
            if ["", ".", ".."].contains(value) { throw .unrepresentableValue(name: name) }
            return Part(components: [value], names: [name])
        case .group(let elements):
            guard elements.contains(where: hasValue) else { return Part() }
            return try part(elements)
        case .alternative(let alternative):
            return try part(alternative)
        }
    }

    /// The branch with the most values among those that can be written, the leftmost of several.
    ///
    /// If none can be, the error is that of a branch for which a value was given.
    private func part(_ alternative: PathAlternative) throws(LinkPrintingError) -> Part {
        var best: Part?
        var refusals: [LinkPrintingError] = []
        for branch in alternative.branches {
            do throws(LinkPrintingError) {
                let part = try part(branch)
                if part.names.count > best?.names.count ?? -1 { best = part }
            } catch {
                refusals.insert(error, at: branch.contains(where: hasValue) ? 0 : refusals.count)
            }
        }
        if best == nil, let refusal = refusals.first { throw refusal }
        return best ?? Part()
    }

    /// Whether a value is given for a parameter in this element.
    private func hasValue(_ element: PathElement) -> Bool {
        switch element {
        case .literal, .wildcard: false
        case .parameter(let parameter): parameter.name.map { values[$0] != nil } ?? false
        case .group(let elements): elements.contains(where: hasValue)
        case .alternative(let alternative):
            alternative.branches.joined().contains(where: hasValue)
        }
    }

    private func value(
        of parameter: PatternParameter, _ name: String
    ) throws(LinkPrintingError) -> String {
        guard let value = values[name] else { throw .missingValue(name: name) }
        guard parameter.accepts(value) else {
            throw .wrongType(name: name, value: value, type: parameter.type?.rawValue ?? "")
        }
        if value.utf8.contains(0) { throw .unrepresentableValue(name: name) }
        return value
    }
}

extension LinkPrinter {
    /// The items of a query.
    private func items(of elements: [QueryElement]) throws(LinkPrintingError) -> [QueryItem] {
        var items: [QueryItem] = []
        for element in elements {
            switch element {
            case .required(let parameter):
                items.append(try item(of: parameter))
            case .optional(let parameter):
                if let name = parameter.name, values[name] != nil {
                    items.append(try item(of: parameter))
                }
            case .either(let parameters):
                items.append(try item(ofOne: parameters))
            }
        }
        return items
    }

    /// The item of the first parameter with a value of its type.
    private func item(
        ofOne parameters: [PatternParameter]
    ) throws(LinkPrintingError) -> QueryItem {
        var refusal: LinkPrintingError?
        for parameter in parameters where hasValue(.parameter(parameter)) {
            do throws(LinkPrintingError) {
                return try item(of: parameter)
            } catch {
                refusal = refusal ?? error
            }
        }
        throw refusal ?? .missingValue(name: parameters.first?.name ?? "")
    }

    private func item(of parameter: PatternParameter) throws(LinkPrintingError) -> QueryItem {
        let name = parameter.name ?? ""
        return QueryItem(name: name, value: try value(of: parameter, name))
    }
}
