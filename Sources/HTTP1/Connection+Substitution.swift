// A request that a handler makes in the place of the one that it has received, such as the request to
// another route that a message stands for.
//
// Invariant: the new request comes from where the received one came from, and no part of it can
// begin another line of its head.

extension Connection {
    /// Makes a new request the current one; the body of the received one must have been read.
    ///
    /// - Parameters:
    ///   - fields: without those about the body.
    ///   - content: what reading the body then gives.
    /// - Returns: nil if the target or a field is invalid, or the head is longer than the limits
    ///   allow.
    package mutating func substitute(
        _ method: Request.Method, _ target: String,
        fields: [(name: String, value: ArraySlice<UInt8>)], body content: [UInt8],
        for received: Request
    ) -> Request? {
        let isLine = { (bytes: ArraySlice<UInt8>) in !bytes.contains { $0 < 0x20 || $0 == 0x7F } }
        let target = Array(target.utf8)
        guard isLine(target[...]), !target.contains(0x20), fields.allSatisfy({ isLine($0.value) })
        else { return nil }
        var head = Array("\(method.rawValue) ".utf8) + target + Array(" HTTP/1.1\r\n".utf8)
        for field in fields {
            head += Array("\(field.name): ".utf8) + field.value + Array("\r\n".utf8)
        }
        head += Array("\r\n".utf8)
        var parser = HeadParser(limits: limits, origin: received.origin)
        guard case .done(let request, let size) = parser.parse(head.span), size == head.count else {
            return nil
        }
        bodyMemory.shrink()
        body = .given(content)
        return request
    }
}
