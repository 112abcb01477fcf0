// Appends a vendor's parameters to a callback, and adds a flow id that survives this.
//
// Rule (vendor document 1.2 and 6): parameters are appended with `?` or `&`; query and fragment are
// kept. Ailet's `scheme:?result=` follows from it, because its callback is `scheme:`.

import LinkPatterns

extension CallbackURL {
    /// The URL with `query` appended before its fragment; nil if no link can open it.
    ///
    /// - Parameter query: escaped, without `?`; if empty, nothing is appended.
    public func appending(_ query: [UInt8]) -> [UInt8]? {
        guard kind == .web || kind == .custom else { return nil }
        var bytes = Array(description.utf8)
        if query.isEmpty { return bytes }
        let end = bytes.firstIndex(of: UInt8(ascii: "#")) ?? bytes.count
        let mark = bytes[..<end].firstIndex(of: UInt8(ascii: "?"))
        let isOpen = mark == end - 1 || (mark != nil && bytes[end - 1] == UInt8(ascii: "&"))
        let separator = isOpen ? [] : [UInt8(ascii: mark == nil ? "?" : "&")]
        bytes.insert(contentsOf: separator + query, at: end)
        return bytes
    }

    /// The URL with a flow id where the vendors don't change it.
    ///
    /// At our own receiver, `/callbacks/{vendor}[/{inbox}]`, it is an additional path segment
    /// (after the inbox, `default` if none is named). Elsewhere it is the query parameter
    /// `FlowID.parameter`. An id that the URL already carries is replaced.
    ///
    /// - Parameters:
    ///   - flow: the id of a flow.
    ///   - isReceiver: whether the host is our own.
    /// - Returns: nil if the callback can't be a link, or if `flow` is not a flow id.
    public func carrying(flow: String, isReceiver: Bool) -> CallbackURL? {
        guard kind == .web || kind == .custom, FlowID.isValid(flow.utf8) else { return nil }
        let bytes = Self.withoutFlow(Array(description.utf8))
        let url = LinkURL(utf8: bytes)
        if isReceiver, kind == .web, let path = url.receiverPath?.withoutFlow {
            let text =
                bytes[..<url.pathRange.lowerBound] + Array("\(path)/\(flow)".utf8)
                + bytes[url.pathRange.upperBound...]
            return try? CallbackURL(String(decoding: text, as: UTF8.self))
        }
        let query = Array("\(FlowID.parameter)=\(flow)".utf8)
        return (try? CallbackURL(String(decoding: bytes, as: UTF8.self)))?.appending(query)
            .flatMap { try? CallbackURL(String(decoding: $0, as: UTF8.self)) }
    }

    /// The flow id that it carries; nil if absent.
    public var flow: String? { Self.flow(in: Array(description.utf8)) }

    /// The flow id that a received request target or whole URL carries; nil if absent.
    ///
    /// The query takes precedence over the path, and the first of several ids is used.
    public static func flow(in target: [UInt8]) -> String? {
        if let flow = Message(Callback(target: target)).flow { return flow }
        return LinkURL(utf8: target).receiverPath?.flow
    }

    /// Whether the parameter in `range` is named `FlowID.parameter`, even if it is escaped.
    private static func isFlow(_ bytes: [UInt8], _ range: Range<Int>) -> Bool {
        let end = bytes[range].firstIndex(of: UInt8(ascii: "=")) ?? range.upperBound
        let name = EscapedText(
            part: .target, bytes: bytes, range: range.lowerBound..<end, escaping: .query)
        return name.unescaped().bytes.elementsEqual(FlowID.parameter.utf8)
    }

    /// The URL's text without a flow id in its query.
    static func withoutFlow(_ bytes: [UInt8]) -> [UInt8] {
        guard let query = LinkURL(utf8: bytes).queryRange else { return bytes }
        let pairs = bytes[query].split(
            separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
        let others = pairs.filter { !isFlow(bytes, $0.startIndex..<$0.endIndex) }
        if others.count == pairs.count { return bytes }
        let start = others.isEmpty ? query.lowerBound - 1 : query.lowerBound
        return Array(bytes[..<start]) + others.joined(separator: [UInt8(ascii: "&")])
            + bytes[query.upperBound...]
    }
}

extension LinkURL {
    /// The path as it is written, if it is one of our own receiver.
    package var receiverPath: ReceiverPath? { ReceiverPath(path.split(separator: "/")) }
}
