// Repairs unambiguous mistakes in how parameters were combined.
//
// Invariant: a repair requires that a name of the contract is missing and is found in a wrong form;
// each repair is a warning. Valid parameters are never examined twice.

import Text

extension Message {
    /// Prepares the parameters for a contract: splits joined pairs, renames names in another case,
    /// keeps one parameter of each name, and assigns the keys.
    mutating func settle(_ table: NameTable, keeping preference: Preference) {
        var found = identify(by: table)
        let isUsual = found.keys & table.usualKeys == table.usualKeys
        if !isUsual, splitJoinedPairs(table) { found = identify(by: table) }
        if !isUsual, found.unknown > 0 { renameVariants(table) }
        if found.repeats || found.unknown > 1 { resolveDuplicates(keeping: preference) }
    }

    /// The parameter with `key`, after `settle`.
    func parameter(key: Int) -> Parameter? {
        for parameter in parameters where parameter.key == key { return parameter }
        return nil
    }

    /// The parameters that the contract doesn't have, without Landfall's own, after `settle`.
    var others: [Parameter] {
        parameters.filter { $0.key == nil && !isNamed($0, FlowID.parameter) }
    }

    /// Whether the message has a parameter `name`.
    func has(_ name: String) -> Bool { parameter(name) != nil }

    // MARK: Joined pairs

    /// A wrong separator before a name of the contract.
    private struct Joint {
        /// The offset of the separator in its part.
        let offset: Int
        /// Its length.
        let length: Int
    }

    /// Splits pairs that were joined with `?`, `;` or `&amp;` instead of `&`.
    ///
    /// - Returns: whether there were any.
    private mutating func splitJoinedPairs(_ table: NameTable) -> Bool {
        guard parameters.contains(where: mayBeJoined) else { return false }
        let joints = parameters.map { mayBeJoined($0) ? self.joints(of: $0, table) : [] }
        if joints.allSatisfy(\.isEmpty) { return false }
        for (parameter, joints) in zip(takeParameters(), joints) { split(parameter, at: joints) }
        return true
    }

    /// Whether the pair contains a wrong separator at all; most pairs need no other check.
    private func mayBeJoined(_ parameter: Parameter) -> Bool {
        guard parameter.escaping == .query || parameter.escaping == .form else { return false }
        let bytes = bytes(of: parameter.part)
        let end = parameter.valueRange.upperBound
        let place = bytes.span.place(
            of: UInt8(ascii: "?"), or: UInt8(ascii: ";"), from: parameter.offset, to: end)
        return place < end
    }

    /// The wrong separators in a pair that precede a name which the message lacks.
    ///
    /// A partner's own value may contain `?` (RFC 3986 §3.4), so a `?` inside a pair counts only
    /// before the name with which the vendor's parameters begin.
    private func joints(of parameter: Parameter, _ table: NameTable) -> [Joint] {
        let bytes = bytes(of: parameter.part)
        let openers = table.openers.prefix { !has($0) }
        let end = parameter.valueRange.upperBound
        var joints: [Joint] = []
        var index = parameter.offset
        while index < end {
            let rest = bytes[index..<end]
            let isFirst = index == parameter.offset
            let length = Self.lengthOfWrongSeparator(at: rest, isFirst: isFirst)
            let isInside = !isFirst && rest.first == UInt8(ascii: "?")
            let names = isInside ? openers : table.names[...]
            if length > 0, startsMissingPair(rest.dropFirst(length), names) {
                joints.append(Joint(offset: index, length: length))
            }
            index += max(length, 1)
        }
        return joints
    }

    private static func lengthOfWrongSeparator(
        at text: ArraySlice<UInt8>, isFirst: Bool
    ) -> Int {
        switch text.first {
        case UInt8(ascii: "?"), UInt8(ascii: ";"): 1
        case UInt8(ascii: "a") where isFirst && text.starts(with: "amp;".utf8): 4
        default: 0
        }
    }

    /// Whether `text` begins with `name=` for a name that the message has no parameter of.
    private func startsMissingPair(
        _ text: ArraySlice<UInt8>, _ names: ArraySlice<String>
    ) -> Bool {
        names.contains { name in
            let length = name.utf8.count
            return text.count > length && text.starts(with: name.utf8)
                && text[text.startIndex + length] == UInt8(ascii: "=") && !has(name)
        }
    }

    private mutating func split(_ parameter: Parameter, at joints: [Joint]) {
        guard let first = joints.first else { return add(parameter) }
        let bytes = bytes(of: parameter.part)
        findings.add(
            .warning, parameter.containerLayer, "wrong_separator", in: parameter.part,
            at: first.offset, expected: "& between parameters",
            found: Excerpt.quoted(bytes[first.offset..<first.offset + first.length]),
            hint: Self.hint(on: bytes[first.offset], isFirst: first.offset == parameter.offset))
        var start = parameter.offset
        for joint in joints {
            addParameters(
                in: start..<joint.offset, of: parameter.part, escaping: parameter.escaping)
            start = joint.offset + joint.length
        }
        addParameters(
            in: start..<parameter.valueRange.upperBound, of: parameter.part,
            escaping: parameter.escaping)
    }

    private static func hint(on separator: UInt8, isFirst: Bool) -> String {
        switch separator {
        case UInt8(ascii: "?") where isFirst: "the text before the parameters ends with one ?"
        case UInt8(ascii: "?"):
            "the callback was appended with a second ?: append with & when the URL holds a ?"
        case UInt8(ascii: ";"): "separate parameters with &, not with ;"
        default: "the URL was escaped for HTML: separate parameters with &, not with &amp;"
        }
    }

    // MARK: Names

    /// Renames parameters whose names match `table` except for letter case, `_` and `-`.
    private mutating func renameVariants(_ table: NameTable) {
        for index in parameters.indices where parameters[index].key == nil {
            let parameter = parameters[index]
            let name = name(of: parameter)
            let key = table.names.firstIndex { Spelling.isVariant(name, of: $0) }
            guard let key, self.parameter(key: key) == nil else { continue }
            findings.add(
                .warning, parameter.containerLayer, "misspelled_parameter", in: parameter.part,
                at: parameter.offset, expected: table.names[key], found: Excerpt.quoted(name),
                hint: "names are compared exactly: write \(table.names[key])")
            rename(index, key, of: table)
        }
    }
}
