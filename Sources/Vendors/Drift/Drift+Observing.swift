// Compares one message with its contract's fields.

import JSON

extension Drift {
    /// The state that is constant during the comparison of one message.
    struct Observation {
        let outcome: Outcome?
        let result: Sighting
    }

    /// Compares the members of an object, or the parameters of a message, with a place.
    mutating func observe(
        _ fields: [(name: String, value: DriftMessage.Value)], at place: FieldTree, path: String,
        _ observation: Observation
    ) {
        for promised in place.promised {
            guard let field = promised.field, field.isExpected(in: observation.outcome) else {
                continue
            }
            let name = field.path.last ?? ""
            // Null means absent, unless the contract allows it.
            let isThere = fields.contains {
                $0.name == name && (!$0.value.isNull || field.types.contains(.null))
            }
            notePromise(of: promised)
            if !isThere {
                note(
                    .missing, path + name, at: promised, expected: [], found: nil, observation)
            }
        }
        for (name, value) in fields {
            guard let child = place.child(name) else {
                if place.field?.isOpen == true { continue }
                let isBeside = place.field == nil && contract.isOnPartnersLink
                note(
                    isBeside ? .context : .new, path + Excerpt.name(name), at: nil, expected: [],
                    found: value.typeName, observation)
                continue
            }
            observe(value, at: child, path: path + (child.field?.path.last ?? name), observation)
        }
    }

    /// Compares a value, and everything below it, with the field at its place.
    private mutating func observe(
        _ value: DriftMessage.Value, at place: FieldTree, path: String, _ observation: Observation
    ) {
        guard let field = place.field else { return }
        if value.isNull, !field.types.contains(.null) { return }
        notePresence(of: place)
        guard !value.types.isDisjoint(with: field.types.widened) else {
            note(
                .type, path, at: place, expected: field.types.names, found: value.typeName,
                observation)
            return
        }
        if !field.values.isEmpty, let text = value.string,
            !field.values.contains(where: { $0.utf8.elementsEqual(text.utf8) })
        {
            note(
                .enum, path, at: place, expected: field.values, found: Self.shown(text, of: field),
                observation)
        }
        guard case .json(let node) = value else { return }
        if node.kind == .object {
            let members = node.members.map {
                (name: $0.name.string ?? "", value: DriftMessage.Value.json($0.value))
            }
            observe(members, at: place, path: path + ".", observation)
        } else if node.kind == .array, let element = place.wildcard {
            for child in node.elements {
                observe(.json(child), at: element, path: path + ".*", observation)
            }
        }
    }

    /// A value that isn't listed, unless it is a credential.
    private static func shown(_ text: String, of field: ContractField) -> String {
        if field.fieldClass == .credential { return Redaction.hiddenMark }
        return Excerpt.name(text)
    }
}

extension ContractField {
    /// Whether the contract promises the field for an outcome.
    fileprivate func isExpected(in outcome: Outcome?) -> Bool {
        switch presence {
        case .always: true
        case .with(let expected): outcome == expected
        case .optional: false
        }
    }
}

extension WireTypes {
    /// The same types; a number type also allows integers.
    fileprivate var widened: WireTypes { contains(.number) ? union(.integer) : self }
}

extension Excerpt {
    /// A name or word, truncated if it is long.
    fileprivate static func name(_ text: String) -> String {
        guard text.utf8.count > Limits.maximumExcerptBytes else { return text }
        let bytes = Array(text.utf8.prefix(Limits.maximumExcerptBytes))
        return String(decoding: bytes, as: UTF8.self) + "…"
    }
}
