// A recursive descent parser over the bytes of a pattern's path; returns the tree or the first
// error. Invariant: a wildcard is rejected where an earlier one has no mandatory element yet, so no
// window contains a wildcard. Left out: escapes, which the language doesn't have, and quotes, which
// are ordinary characters here (Deeper doesn't split between them, without visible effect).

/// A parser of one pattern's text.
struct PatternParser {
    /// The pattern in UTF-8.
    let bytes: [UInt8]

    /// The index of the next byte.
    var index = 0

    /// Makes a parser at the beginning of `text`.
    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    /// Parses everything up to the first `?` or the end.
    mutating func path() throws(LinkPatternError) -> [PathElement] {
        guard bytes.count <= Limits.patternBytes else {
            throw fault(
                "a pattern has at most \(Limits.patternBytes) bytes", at: Limits.patternBytes)
        }
        if let zero = bytes.firstIndex(of: 0) {
            throw fault("no link holds U+0000", at: zero)
        }
        let (branches, _) = try branches(depth: 0, inWindow: false)
        if let byte = peek(), byte != UInt8(ascii: "?") {
            throw fault("this bracket closes nothing", at: index)
        }
        return branches.count == 1 ? branches[0] : [.alternative(PathAlternative(branches))]
    }
}

extension PatternParser {
    /// `seq { "|" seq }` up to `)`, `?` or the end; `waits` is true if a branch ends with a
    /// wildcard that has no mandatory element yet.
    private mutating func branches(
        depth: Int, inWindow: Bool
    ) throws(LinkPatternError) -> (branches: [[PathElement]], waits: Bool) {
        var branches: [[PathElement]] = []
        var waits = false
        var start = index
        repeat {
            start = index
            let sequence = try sequence(depth: depth, inWindow: inWindow)
            let isAlone = branches.isEmpty && peek() != UInt8(ascii: "|")
            if sequence.elements.isEmpty, !isAlone {
                throw fault("a branch is empty; brackets make the rest optional", at: start)
            }
            branches.append(sequence.elements)
            waits = waits || sequence.waits
        } while skip(UInt8(ascii: "|"))
        return (branches, waits)
    }

    /// `comp { "/" comp }`; empty components are dropped.
    private mutating func sequence(
        depth: Int, inWindow: Bool
    ) throws(LinkPatternError) -> (elements: [PathElement], waits: Bool) {
        var elements: [PathElement] = []
        var waits = false
        while true {
            while skip(UInt8(ascii: "/")) {}
            guard let byte = peek(), !Self.endsSequence(byte) else { return (elements, waits) }
            switch byte {
            case UInt8(ascii: "*"):
                if inWindow || waits {
                    throw fault("the wildcard before this one has no place to stop", at: index)
                }
                index += 1
                waits = true
                elements.append(.wildcard(window: []))
            case UInt8(ascii: "("):
                let brackets = try brackets(depth: depth, inWindow: inWindow || waits)
                waits = brackets.element.isGroup && waits || brackets.waits
                elements.append(brackets.element)
            case UInt8(ascii: ":"):
                elements.append(.parameter(try parameter(before: UInt8(ascii: "/"))))
                waits = false
            default:
                elements.append(.literal(text(before: UInt8(ascii: "/"))))
                waits = false
            }
            try requireSeparator()
        }
    }

    /// `"(" alt ")"`: an optional group, or an alternative if it contains a `|` of its own.
    private mutating func brackets(
        depth: Int, inWindow: Bool
    ) throws(LinkPatternError) -> (element: PathElement, waits: Bool) {
        let start = index
        guard depth < Limits.bracketDepth else {
            throw fault("at most \(Limits.bracketDepth) brackets may be open", at: start)
        }
        index += 1
        let (branches, waits) = try branches(depth: depth + 1, inWindow: inWindow)
        guard skip(UInt8(ascii: ")")) else { throw fault("this bracket is not closed", at: start) }
        if branches.count > 1 { return (.alternative(PathAlternative(branches)), waits) }
        guard let elements = branches.first, !elements.isEmpty else {
            throw fault("these brackets are empty", at: start)
        }
        return (.group(elements), waits)
    }

    private func requireSeparator() throws(LinkPatternError) {
        guard let byte = peek(), byte != UInt8(ascii: "/"), !Self.endsSequence(byte) else { return }
        throw fault("a component ends here: '/', '|', ')', '?' or nothing may follow", at: index)
    }

    private static func endsSequence(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "|") || byte == UInt8(ascii: ")") || byte == UInt8(ascii: "?")
    }
}

extension PatternParser {
    /// `":" param`; the parser is at the colon.
    mutating func parameter(before separator: UInt8) throws(LinkPatternError) -> PatternParameter {
        let start = index
        index += 1
        let word = text(before: separator)
        let bracket = index
        guard skip(UInt8(ascii: "(")) else {
            if word.isEmpty { throw fault("this parameter has no name", at: start) }
            return PatternParameter(name: word, type: nil)
        }
        guard let type = ParameterType(rawValue: word) else {
            throw fault("a type is one of num, str, bool, int, double, string", at: start + 1)
        }
        let name = text(before: separator)
        guard skip(UInt8(ascii: ")")) else {
            if peek() == nil { throw fault("this bracket is not closed", at: bracket) }
            throw fault("a parameter's name can't hold this; ')' must follow", at: index)
        }
        return PatternParameter(name: name.isEmpty ? nil : name, type: type)
    }

    /// The text up to the next reserved character, or up to `separator`.
    private mutating func text(before separator: UInt8) -> String {
        let start = index
        while let byte = peek(), byte != separator, !Self.isReserved(byte) { index += 1 }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    /// The first character of `word` that would end it in a pattern's text, and its byte offset.
    static func firstReserved(
        in word: String, or separator: UInt8
    ) -> (offset: Int, character: Character)? {
        for (offset, byte) in word.utf8.enumerated() where byte == separator || isReserved(byte) {
            return (offset, Character(Unicode.Scalar(byte)))
        }
        return nil
    }

    private static func isReserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "|"), UInt8(ascii: "*"),
            UInt8(ascii: ":"), UInt8(ascii: "?"):
            true
        default: false
        }
    }

    /// The next byte; nil at the end.
    func peek() -> UInt8? {
        index < bytes.count ? bytes[index] : nil
    }

    /// Reads `byte` if it is the next one.
    mutating func skip(_ byte: UInt8) -> Bool {
        guard peek() == byte else { return false }
        index += 1
        return true
    }

    /// An error at a byte of the text.
    func fault(_ message: String, at offset: Int) -> LinkPatternError {
        LinkPatternError(message: message, offset: offset)
    }
}
