// Makes a rule from the JSON of a component or a path, as leniently as Apple does: a value of the
// wrong type counts as absent, and a rule without conditions matches everything.

import JSON

/// The keys of a component, with their values from the component or the defaults.
struct ComponentKeys {
    private var values: [String: JSONNode] = [:]

    /// The supported keys.
    static let names = ["/", "?", "#", "exclude", "caseSensitive", "percentEncoded", "comment"]

    /// These keys, overridden by those of an object; unchanged if `node` isn't an object.
    func overridden(by node: JSONNode?) -> ComponentKeys {
        guard let node, node.kind == .object else { return self }
        var keys = self
        for name in Self.names { if let value = node[name] { keys.values[name] = value } }
        return keys
    }

    subscript(name: String) -> JSONNode? { values[name] }

    /// A flag; `standard` if it is absent.
    func flag(_ name: String, default standard: Bool) -> Bool {
        values[name].map(Self.flag) ?? standard
    }

    /// A flag as Apple reads it: numbers and words such as "true", "YES" and "1" are accepted.
    static func flag(_ node: JSONNode) -> Bool {
        switch node.kind {
        case .boolean: return node.bool ?? false
        case .number: return node.double != 0
        case .string: return isTrue(node.string ?? "")
        case .null, .array, .object: return false
        }
    }

    /// Whether text begins, after spaces, a sign and zeros, with `Y`, `T` or a digit other than 0.
    private static func isTrue(_ text: String) -> Bool {
        var rest = text[...].drop { $0 == " " || $0 == "\t" || $0 == "\n" }
        if rest.first == "-" || rest.first == "+" { rest.removeFirst() }
        rest = rest.drop { $0 == "0" }
        return rest.first.map { "YyTt123456789".contains($0) } ?? false
    }
}

extension AssociationRule {
    /// A rule of `components`.
    convenience init(
        component node: JSONNode, index: Int, defaults: ComponentKeys,
        variables: SubstitutionVariables
    ) {
        let keys = defaults.overridden(by: node)
        self.init(
            node, index, keys, excludes: keys.flag("exclude", default: false),
            isCaseSensitive: keys.flag("caseSensitive", default: true), path: keys["/"]?.string,
            variables)
    }

    /// A rule of `paths`.
    convenience init(
        path node: JSONNode, index: Int, defaults: ComponentKeys, variables: SubstitutionVariables
    ) {
        let text = node.string
        let excluded = text.flatMap(Self.afterNot)
        self.init(
            node, index, defaults,
            excludes: excluded != nil || defaults.flag("exclude", default: false),
            isCaseSensitive: defaults.flag("caseSensitive", default: true),
            path: excluded ?? text, variables)
    }

    /// If one value isn't a string, the whole object is ignored.
    static func query(
        _ node: JSONNode, _ pattern: (String) -> WildcardPattern
    ) -> QueryCondition? {
        if let text = node.string { return .whole(pattern(text)) }
        guard node.kind == .object else { return nil }
        var conditions: [ItemCondition] = []
        var names: Set<String> = []
        for member in node.members {
            guard let name = member.name.string, let text = member.value.string else { return nil }
            if names.insert(name).inserted { conditions.append(ItemCondition(name, pattern(text))) }
        }
        return .items(conditions)
    }

    /// The text after `NOT ` in a path, in any case; nil if the path doesn't begin with it.
    static func afterNot(_ path: String) -> String? {
        let prefix = path.utf8.prefix(4)
        guard prefix.map(CaseFolding.folded).elementsEqual("not ".utf8) else { return nil }
        return String(decoding: path.utf8.dropFirst(4), as: UTF8.self)
    }
}
