// Reads a decoded value for the one line that says in lists what happened.
//
// Invariant: the pseudonym of a masked value is absent here, so no summary shows one. A summary is
// one line of bounded length without control characters. Left out: which members a summary has;
// each vendor's folder decides that.

import JSON
import Text

/// The decoded value of a record, as the vendor's summary reads it.
struct SummaryReader {
    /// The value that was read, or the part of it that paths start from.
    let root: JSONNode?

    /// The names of members whose values are pseudonyms.
    private let masked: Set<String>

    init(_ root: JSONNode?, masked: Set<String>) {
        self.root = root
        self.masked = masked
    }

    /// The value at a path of names; nil if it is missing or a pseudonym.
    func node(_ path: String...) -> JSONNode? {
        if path.contains(where: masked.contains) { return nil }
        return path.reduce(root) { node, name in node?[name] }
    }

    /// The text of a string, or a number as it was written; nil if it is missing, empty or masked.
    func text(_ node: JSONNode?) -> String? {
        guard let node else { return nil }
        switch node.kind {
        case .string:
            guard let text = node.string, !text.isEmpty, !text.hasPrefix(Pseudonyms.prefix)
            else { return nil }
            return text
        case .number: return String(decoding: node.text, as: UTF8.self)
        case .object, .array, .boolean, .null: return nil
        }
    }

    /// The number at a path, with at most three decimals.
    func number(_ node: JSONNode?) -> String? {
        guard let value = node?.double, value.isFinite else { return nil }
        // Thousandths of a much larger number don't fit into an `Int`.
        guard abs(value) < 1e12 else { return value.description }
        let thousandths = Int((abs(value) * 1000).rounded())
        let sign = value < 0 && thousandths > 0 ? "-" : ""
        var decimals = String(thousandths % 1000 + 1000).dropFirst()
        while decimals.hasSuffix("0") { decimals.removeLast() }
        return "\(sign)\(thousandths / 1000)" + (decimals.isEmpty ? "" : ".\(decimals)")
    }

    /// A count with its noun, such as `1 photo` and `2 photos`; nil without a count.
    func count(_ number: Int?, _ noun: String) -> String? {
        number.map { $0.counted(noun) }
    }
}

extension Vendor {
    /// One line that says what a callback of this vendor brought; nil if its value says nothing.
    ///
    /// O(size of the value).
    ///
    /// - Parameters:
    ///   - value: decoded by this vendor's contracts, and without credentials.
    ///   - isMasked: whether health and location values in it are pseudonyms.
    public func summary(of value: JSONNode, isMasked: Bool) -> String? {
        guard value.kind == .object else { return nil }
        let masked = isMasked ? maskedNames : []
        let reader = SummaryReader(value, masked: masked)
        var parts = declaration.summary(reader)
        if parts.isEmpty, masked.contains(where: { value[$0] != nil }) {
            parts = ["values are masked"]
        }
        return parts.isEmpty ? nil : Self.summary(of: parts)
    }

    /// The parts of a summary on one line of bounded length.
    package static func summary(of parts: [String]) -> String {
        // The limit first: making text visible reads all of it.
        let text = parts.map { String($0.prefix(Limits.maximumSummaryCharacters + 1)) }
            .joined(separator: " · ")
        let line = TerminalText.visible(String(text.prefix(Limits.maximumSummaryCharacters + 1)))
        guard line.count > Limits.maximumSummaryCharacters else { return line }
        return line.prefix(Limits.maximumSummaryCharacters - 1) + "…"
    }

    /// The last names of the fields that `privacy: mask` replaces.
    private var maskedNames: Set<String> {
        Set(
            Contract.allCases.filter { $0.vendor == self }.flatMap(\.fields)
                .filter { $0.fieldClass.isMasked }.compactMap(\.path.last))
    }
}
