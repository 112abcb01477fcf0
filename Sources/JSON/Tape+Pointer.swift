// The JSON pointer to the parser's position. Used for faults, so any cost up to O(length) is
// acceptable.

extension Tape {
    /// The JSON pointer (RFC 6901) to the value that is parsed next or was not finished.
    func pointer(in bytes: [UInt8]) -> String {
        var pointer = ""
        let open = openContainers
        for (level, index) in open.enumerated() {
            let inner = level + 1 < open.count ? open[level + 1] : entries.count
            if let token = token(below: index, before: inner, in: bytes) { pointer += "/" + token }
        }
        return pointer
    }

    /// The name or index of the child of `container` that starts at `inner` of the tape; nil in an
    /// object without a name that still needs a value.
    private func token(below container: Int, before inner: Int, in bytes: [UInt8]) -> String? {
        var (index, position) = (container + 1, 0)
        guard entries[container].tag == .object else {
            while index < inner {
                index = Int(entries[index].next)
                position += 1
            }
            return String(position)
        }
        while index + 1 < inner { index = Int(entries[index + 1].next) }
        guard index < inner else { return nil }
        var name: [UInt8] = []
        let range = entries[index].byteRange
        JSONEscapes.unescape(
            bytes, range: range.lowerBound + 1..<range.upperBound - 1, to: &name)
        return JSONNode.pointerToken(String(decoding: name, as: UTF8.self))
    }
}
