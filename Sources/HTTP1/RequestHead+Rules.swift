// The rules of a request's head: the form of its target, its host, its body's length, its
// connection.
//
// Every rule of RFC 9112 §3, §6 and §9 that depends on the head alone is checked here, once. A
// `RequestHead` needs no second check.

import Text

extension RequestHead {
    /// The positions of one field's values.
    ///
    /// Nearly all requests have one at most, for which no array is made.
    struct Values {
        private(set) var first: Range<Int>?
        private var others: [Range<Int>] = []

        mutating func append(_ value: Range<Int>) {
            if first == nil { first = value } else { others.append(value) }
        }

        var isEmpty: Bool { first == nil }

        /// The value, if there is exactly one.
        var only: Range<Int>? { others.isEmpty ? first : nil }

        func each(_ body: (Range<Int>) throws(Refusal) -> Void) throws(Refusal) {
            guard let first else { return }
            try body(first)
            for value in others { try body(value) }
        }

        /// The members of the values, which are lists of tokens.
        func tokens(_ head: [UInt8]) -> [ArraySlice<UInt8>] {
            guard let first else { return [] }
            return Request.tokens(of: head[first])
                + others.flatMap { Request.tokens(of: head[$0]) }
        }
    }

    /// The positions of the fields that decide about framing, host and connection.
    struct KnownFields {
        var hosts = Values()
        var lengths = Values()
        var transferEncodings = Values()
        var connections = Values()
        var contentEncodings = Values()
        var expectations = Values()

        init(_ head: [UInt8], _ fields: [Request.Field]) {
            for field in fields {
                // The name's length distinguishes the six; most other fields end here.
                switch field.name.count {
                case 4 where Self.isNamed(.host, head, field): hosts.append(field.value)
                case 6 where Self.isNamed(.expect, head, field): expectations.append(field.value)
                case 10 where Self.isNamed(.connection, head, field):
                    connections.append(field.value)
                case 14 where Self.isNamed(.contentLength, head, field):
                    lengths.append(field.value)
                case 16 where Self.isNamed(.contentEncoding, head, field):
                    contentEncodings.append(field.value)
                case 17 where Self.isNamed(.transferEncoding, head, field):
                    transferEncodings.append(field.value)
                default: break
                }
            }
        }

        static func isNamed(_ name: FieldName, _ head: [UInt8], _ field: Request.Field) -> Bool {
            head[field.name].equalsIgnoringCase(name.octets)
        }
    }

    /// A host in lowercase, without trailing dot.
    static func name(of host: ArraySlice<UInt8>) -> String {
        let isRooted = host.count > 1 && host.last == UInt8(ascii: ".")
        let name = isRooted ? host.dropLast() : host
        // Most clients send lowercase, which needs no copy.
        return name.allSatisfy { $0 == $0.lowercased }
            ? String(decoding: name, as: UTF8.self)
            : String(decoding: name.map(\.lowercased), as: UTF8.self)
    }

    static func method(_ name: ArraySlice<UInt8>) -> Request.Method? {
        if name.span.isText("GET", from: 0, to: name.count) { return .get }
        if name.span.isText("POST", from: 0, to: name.count) { return .post }
        return Request.Method(rawValue: String(decoding: name, as: UTF8.self))
    }

    /// Exactly one Host with HTTP/1.1, not more than one with HTTP/1.0, and always a valid one
    /// (RFC 9112 §3.2, RFC 9110 §4.2.1).
    static func host(
        _ head: [UInt8], _ hosts: Values, isRequired: Bool
    ) throws(Refusal) -> (range: Range<Int>, host: Range<Int>)? {
        if hosts.isEmpty, !isRequired { return nil }
        guard let host = hosts.only, let authority = Authority(head[host]) else { throw .host }
        return (host, authority.host.indices)
    }

    /// RFC 9112 §6.3: a transfer coding or one length, never both, never a guess.
    static func framing(
        _ head: [UInt8], _ known: KnownFields
    ) throws(Refusal) -> Request.Framing {
        guard known.transferEncodings.isEmpty else {
            guard known.lengths.isEmpty else { throw .lengthTwice }
            try checkCodings(head, known.transferEncodings)
            return .chunked
        }
        var length: Int?
        try known.lengths.each { value throws(Refusal) in
            var start = value.lowerBound
            while start <= value.upperBound {
                let end = head.span.place(of: UInt8(ascii: ","), from: start, to: value.upperBound)
                guard let number = decimal(Request.trimmed(head[start..<end])),
                    length == nil || length == number
                else { throw .contentLength }
                length = number
                start = end + 1
            }
        }
        guard let length, length > 0 else { return .none }
        return .length(length)
    }

    /// Codings are whole tokens; `chunked` is last and occurs once (RFC 9112 §6.1, §7).
    static func checkCodings(_ head: [UInt8], _ values: Values) throws(Refusal) {
        let codings = values.tokens(head)
        let chunked = "chunked".utf8
        // Without a final `chunked`, the end of the body is unknown. That takes precedence over
        // unknown codings.
        guard let last = codings.last, last.equalsIgnoringCase(chunked) else {
            throw .chunkedNotLast
        }
        for coding in codings.dropLast() {
            let name = coding.prefix { OctetSet.token.contains($0) }
            guard !name.isEmpty, !coding.equalsIgnoringCase(chunked) else { throw .chunkedNotLast }
        }
        guard codings.count == 1 else { throw .transferCoding }
    }

    /// ASCII digits only, without overflow.
    static func decimal(_ text: ArraySlice<UInt8>) -> Int? {
        guard !text.isEmpty else { return nil }
        var number = 0
        for octet in text {
            guard octet.isDigit else { return nil }
            let (product, isTooLarge) = number.multipliedReportingOverflow(by: 10)
            let (sum, isTooLargeStill) = product.addingReportingOverflow(Int(octet - 0x30))
            if isTooLarge || isTooLargeStill { return nil }
            number = sum
        }
        return number
    }

    /// RFC 9110 §8.4.1: names are case-insensitive; `x-gzip` is gzip.
    static func contentCoding(
        _ head: [UInt8], _ values: Values
    ) -> Request.ContentCoding {
        let codings = values.tokens(head)
            .filter { !$0.equalsIgnoringCase("identity".utf8) }
        guard let coding = codings.first else { return .identity }
        let isGzip =
            coding.equalsIgnoringCase("gzip".utf8) || coding.equalsIgnoringCase("x-gzip".utf8)
        return isGzip && codings.count == 1 ? .gzip : .unknown
    }

    /// RFC 9110 §10.1.1; HTTP/1.0 has no expectations.
    static func expectsContinue(
        _ head: [UInt8], _ values: Values, _ minorVersion: Int
    ) throws(Refusal) -> Bool {
        guard minorVersion >= 1 else { return false }
        var expectsContinue = false
        for member in values.tokens(head) {
            guard member.equalsIgnoringCase("100-continue".utf8) else { throw .expectation }
            expectsContinue = true
        }
        return expectsContinue
    }

    /// `close` wins wherever it is; HTTP/1.0 stays open only on request (RFC 9112 §9.3).
    static func keepsAlive(
        _ head: [UInt8], _ values: Values, _ minorVersion: Int
    ) -> Bool {
        var keepsAlive = minorVersion >= 1
        for member in values.tokens(head) {
            if member.equalsIgnoringCase("close".utf8) { return false }
            if member.equalsIgnoringCase("keep-alive".utf8) { keepsAlive = true }
        }
        return keepsAlive
    }
}
