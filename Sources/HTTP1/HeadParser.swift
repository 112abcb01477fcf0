// Parses a request's head in place, line by line, as its bytes arrive: done, incomplete or refused.
//
// A value without socket or clock. It remembers its position, so that a head that arrives byte by
// byte is still read once. Nothing malformed is repaired. Left out: what routes allow.

import Text

/// An incremental parser for one request's head (RFC 9112 §2 to §6).
struct HeadParser {
    /// The result of a call to `parse`.
    enum Outcome {
        /// The head is complete and takes the first `size` bytes.
        case done(Request, size: Int)
        /// More bytes are needed.
        case incomplete
        /// The request is invalid; nothing after it may be read.
        ///
        /// Indirect, as it is rare: waiting connections then need less memory.
        indirect case refused(Refusal)
    }

    private enum Phase {
        case requestLine
        case fields
    }

    /// Bytes of empty lines that are ignored before a request.
    private static let emptyLineBytes = 8

    private let targetBytes: Int
    private let fieldSectionBytes: Int
    private let fieldCount: Int
    private let origin: RequestOrigin
    private var phase = Phase.requestLine
    /// Where the head begins, after ignored empty lines.
    private var start = 0
    /// Where the current line begins.
    private var lineStart = 0
    /// How far the line has been searched for its end.
    private var searched = 0
    private var line = RequestLine()
    private var fieldsStart = 0
    private var fields: [Request.Field] = []

    /// Makes a parser of one head; the request's origin is `origin`.
    init(limits: Limits, origin: RequestOrigin = .unknown) {
        targetBytes = limits.targetBytes
        fieldSectionBytes = limits.fieldSectionBytes
        fieldCount = limits.fieldCount
        self.origin = origin
    }

    /// Whether a byte of a request has arrived (and the head's deadline runs); empty lines before
    /// it don't count.
    var hasBegun: Bool { searched > start }

    /// Whether `bytes` is the head of a HEAD request, whose responses have no content, even if it
    /// is refused (RFC 9110 §9.3.2).
    func isHead(_ bytes: Span<UInt8>) -> Bool {
        let method: [5 of UInt8] = [0x48, 0x45, 0x41, 0x44, 0x20]
        guard bytes.count - start >= 5 else { return false }
        for offset in 0..<5 where bytes[start + offset] != method[offset] { return false }
        return true
    }

    /// Continues with all bytes that have arrived: those of earlier calls, and new ones after them.
    ///
    /// O(new bytes), and O(head) once at its end.
    mutating func parse(_ bytes: Span<UInt8>) -> Outcome {
        while true {
            guard let end = lineEnd(bytes) else {
                if let refusal = refusalOfPartialLine(bytes) { return .refused(refusal) }
                return .incomplete
            }
            let range = lineStart..<end
            let next = end + 2
            switch phase {
            case .requestLine:
                if range.isEmpty, next <= Self.emptyLineBytes {
                    // Empty lines before a request are ignored (RFC 9112 §2.2: at least one).
                    start = next
                } else if let refusal = line.parse(bytes, range, targetBytes) {
                    return .refused(refusal)
                } else {
                    phase = .fields
                    fields.reserveCapacity(16)
                    fieldsStart = next
                }
            case .fields:
                if range.isEmpty { return finish(bytes, size: next) }
                if let refusal = parseField(bytes, range) { return .refused(refusal) }
            }
            lineStart = next
            searched = next
        }
    }

    /// Where the current line's CRLF begins; nil if it hasn't arrived yet.
    private mutating func lineEnd(_ bytes: Span<UInt8>) -> Int? {
        searched = bytes.place(of: 0x0A, from: searched, to: bytes.count)
        guard searched < bytes.count, searched > lineStart, bytes[searched - 1] == 0x0D else {
            return nil
        }
        return searched - 1
    }

    /// Refuses a line early if no further byte can make it valid.
    ///
    /// A peer that speaks another protocol then gets a response at once, and limits apply before a
    /// line ends.
    private func refusalOfPartialLine(_ bytes: Span<UInt8>) -> Refusal? {
        // `searched` is the position of a lone line feed, or the end; a CR there may end the line.
        var end = searched
        if end > lineStart, bytes[end - 1] == 0x0D { end -= 1 }
        switch phase {
        case .requestLine:
            let range = lineStart..<end
            if let refusal = RequestLine.refusalOfPartial(bytes, range, targetBytes) {
                return refusal
            }
        case .fields:
            if end - fieldsStart > fieldSectionBytes {
                return .largeFields(fieldSectionBytes)
            }
        }
        // A line feed alone doesn't end a line here (RFC 9112 §2.2 leaves the choice).
        guard searched < bytes.count else { return nil }
        return phase == .requestLine ? .malformedRequestLine : .malformedField
    }

    private mutating func parseField(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Refusal? {
        if range.upperBound + 2 - fieldsStart > fieldSectionBytes {
            return .largeFields(fieldSectionBytes)
        }
        if fields.count == fieldCount { return .manyFields(fieldCount) }
        if bytes[range.lowerBound].isBlank { return .foldedField }
        let index = OctetSet.token.end(in: bytes, from: range.lowerBound, to: range.upperBound)
        guard index > range.lowerBound, index < range.upperBound, bytes[index] == 0x3A else {
            return .malformedField
        }
        let name = range.lowerBound..<index
        var first = index + 1
        var last = range.upperBound
        while first < last, bytes[first].isBlank { first += 1 }
        while last > first, bytes[last - 1].isBlank { last -= 1 }
        let value = bytes.extracting(first..<last)
        for position in value.indices {
            let octet = value[position]
            if octet < 0x20 && octet != 0x09 || octet == 0x7F { return .fieldValue }
        }
        fields.append(
            Request.Field(
                name: (name.lowerBound - start)..<(name.upperBound - start),
                value: (first - start)..<(last - start)))
        return nil
    }

    private func finish(_ bytes: Span<UInt8>, size: Int) -> Outcome {
        var head: [UInt8] = []
        head.reserveCapacity(size - start)
        head.append(copying: bytes.extracting(start..<size))
        do {
            let head = try RequestHead(head, line.shifted(by: -start), fields)
            return .done(Request(head: head, origin: origin), size: size)
        } catch {
            return .refused(error)
        }
    }
}
