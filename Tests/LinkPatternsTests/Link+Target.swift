// Links and captures as the tests write them.

import LinkPatterns

extension Link {
    /// The link of a request target; nil when a component can't be decoded.
    init?(target: String) {
        let bytes = Array(target.utf8)
        let mark = bytes.firstIndex(of: UInt8(ascii: "?"))
        self.init(path: bytes[..<(mark ?? bytes.endIndex)], query: mark.map { bytes[($0 + 1)...] })
    }
}

extension Parameters {
    /// The captures as text, such as `id=5 name=x`.
    var text: String {
        captures.map { "\($0.name)=\($0.value)" }.joined(separator: " ")
    }
}

/// What `pattern` captures of `target`, as text; nil when it doesn't match.
func captures(_ pattern: String, _ target: String) throws -> String? {
    guard let link = Link(target: target) else { return nil }
    return try LinkPattern(pattern).match(link)?.text
}
