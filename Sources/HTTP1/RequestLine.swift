// method SP target SP version: the first line of a request (RFC 9112 §3), as ranges.

import Text

/// The parts of a request line, as ranges of the input.
struct RequestLine {
    /// No known method is longer; a partial line is refused at this length.
    private static let longestMethodBytes = 32

    /// `HTTP/1.1`.
    private static let versionBytes = 8

    private(set) var method = 0..<0
    private(set) var target = 0..<0
    private(set) var minorVersion = 1

    /// Parses the line in `range`, which contains no line end; nil if it is valid.
    mutating func parse(
        _ bytes: Span<UInt8>, _ range: Range<Int>, _ targetBytes: Int
    ) -> Refusal? {
        if let refusal = Self.refusalOfPartial(bytes, range, targetBytes) { return refusal }
        let methodEnd = bytes.place(of: 0x20, from: range.lowerBound, to: range.upperBound)
        method = range.lowerBound..<methodEnd
        guard methodEnd < range.upperBound else { return .malformedRequestLine }
        let targetEnd = bytes.place(of: 0x20, from: methodEnd + 1, to: range.upperBound)
        target = (methodEnd + 1)..<targetEnd
        if target.count > targetBytes { return .longTarget(targetBytes) }
        guard !target.isEmpty, targetEnd < range.upperBound else { return .malformedRequestLine }
        return parseVersion(bytes, (targetEnd + 1)..<range.upperBound)
    }

    /// The same line, relative to another position.
    func shifted(by distance: Int) -> RequestLine {
        var shifted = self
        shifted.method = (method.lowerBound + distance)..<(method.upperBound + distance)
        shifted.target = (target.lowerBound + distance)..<(target.upperBound + distance)
        return shifted
    }

    /// `HTTP/` DIGIT `.` DIGIT, case-sensitive (RFC 9112 §2.3).
    private mutating func parseVersion(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Refusal? {
        let name: [5 of UInt8] = [0x48, 0x54, 0x54, 0x50, 0x2F]
        guard range.count == Self.versionBytes else { return .malformedRequestLine }
        for offset in 0..<5 where bytes[range.lowerBound + offset] != name[offset] {
            return .malformedRequestLine
        }
        let major = bytes[range.lowerBound + 5]
        let minor = bytes[range.lowerBound + 7]
        guard major.isDigit, bytes[range.lowerBound + 6] == 0x2E, minor.isDigit else {
            return .malformedRequestLine
        }
        guard major == 0x31 else { return .version }
        minorVersion = Int(minor - 0x30)
        return nil
    }

    /// What is already wrong with the beginning of a line, or with all of it; nil if more bytes may
    /// make it valid.
    static func refusalOfPartial(
        _ bytes: Span<UInt8>, _ range: Range<Int>, _ targetBytes: Int
    ) -> Refusal? {
        let index = OctetSet.token.end(in: bytes, from: range.lowerBound, to: range.upperBound)
        let methodBytes = index - range.lowerBound
        if methodBytes > longestMethodBytes { return .unknownMethod }
        guard index < range.upperBound else { return nil }
        guard methodBytes > 0, bytes[index] == 0x20 else { return .malformedRequestLine }
        let longest = methodBytes + 1 + targetBytes + 1 + versionBytes
        return range.count > longest ? .longTarget(targetBytes) : nil
    }
}
