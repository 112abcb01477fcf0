// Parses a pattern's text to elements. A backslash is an ordinary character: Apple's matcher treats
// it strangely, in a way that is of no use.

extension WildcardPattern {
    /// Parses a pattern; an unknown variable becomes the pattern's fault.
    ///
    /// - Parameters:
    ///   - text: already normalised, if it is a path's.
    ///   - foldsCase: whether it will be compared with folded text.
    /// - Complexity: O(length), and the values of the variables.
    convenience init(
        _ text: String, variables: SubstitutionVariables = SubstitutionVariables(),
        foldsCase: Bool = false
    ) {
        var reader = WildcardReader(text, foldsCase: foldsCase)
        reader.read(variables)
        self.init(text, reader)
    }
}

/// A parser of one pattern's text.
struct WildcardReader {
    private let bytes: [UInt8]
    private let foldsCase: Bool
    private var literal: [UInt8] = []
    private var literalOffset = 0
    private(set) var elements: [WildcardPattern.Element] = []
    private(set) var offsets: [Int] = []
    private(set) var fault: WildcardPattern.Fault?
    private(set) var variableNames: [String] = []

    init(_ text: String, foldsCase: Bool) {
        bytes = Array(text.utf8)
        self.foldsCase = foldsCase
    }

    /// Parses everything; `variables` is nil in the value of a variable, which can't contain any.
    mutating func read(_ variables: SubstitutionVariables?) {
        var index = 0
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "*"):
                append(.anyText, at: index)
                index += 1
            case UInt8(ascii: "?"):
                append(.anyCharacter, at: index)
                index += 1
            case UInt8(ascii: "$"):
                index = readDollar(at: index, variables)
            default:
                readLiteral(at: index)
                index += 1
            }
        }
        closeLiteral()
    }

    private mutating func readLiteral(at index: Int) {
        if literal.isEmpty { literalOffset = index }
        literal.append(bytes[index])
    }

    /// Parses a variable or a literal dollar sign; returns the index after it.
    private mutating func readDollar(at index: Int, _ variables: SubstitutionVariables?) -> Int {
        let start = index + 2
        guard let variables, start <= bytes.count, bytes[index + 1] == UInt8(ascii: "(") else {
            readLiteral(at: index)
            return index + 1
        }
        guard let end = bytes[start...].firstIndex(where: Self.endsName),
            bytes[end] == UInt8(ascii: ")")
        else {
            fault = fault ?? .unterminatedVariable
            readLiteral(at: index)
            return index + 1
        }
        let name = String(decoding: bytes[start..<end], as: UTF8.self)
        if let element = variables.element(for: name, foldsCase: foldsCase) {
            append(element, at: index)
            variableNames.append(name)
        } else {
            fault = fault ?? .unknownVariable(name)
        }
        return end + 1
    }

    private static func endsName(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ")") || byte == UInt8(ascii: "(") || byte == UInt8(ascii: "$")
    }

    private mutating func append(_ element: WildcardPattern.Element, at index: Int) {
        closeLiteral()
        // Two in a row match the same as one.
        if case .anyText = element, case .anyText = elements.last { return }
        elements.append(element)
        offsets.append(index)
    }

    private mutating func closeLiteral() {
        if literal.isEmpty { return }
        elements.append(.literal(foldsCase ? CaseFolding.folded(literal[...]) : literal))
        offsets.append(literalOffset)
        literal = []
    }
}
