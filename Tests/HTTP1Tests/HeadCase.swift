// One request of the corpus with what the parser has to make of it, and the feeding of a parser in
// pieces: what comes out must never depend on where the bytes were cut.

import Testing

@testable import HTTP1

/// A head, the rule that it is about, and its outcome.
struct HeadCase: Sendable, CustomTestStringConvertible {
    enum Expected: Sendable, Equatable {
        case accepted(Request.Framing, keepsAlive: Bool, expectsContinue: Bool)
        case refused(Int)
        case incomplete
    }

    let rule: String
    let bytes: [UInt8]
    let expected: Expected

    var testDescription: String { rule }

    /// Small, so that limits are met by short requests.
    static var limits: Limits {
        var limits = Limits()
        limits.targetBytes = 100
        limits.fieldSectionBytes = 200
        limits.fieldCount = 8
        return limits
    }

    static func accepted(
        _ rule: String, _ text: String, _ framing: Request.Framing = .none,
        keepsAlive: Bool = true, expectsContinue: Bool = false
    ) -> HeadCase {
        HeadCase(
            rule: rule, bytes: Array(text.utf8),
            expected: .accepted(
                framing, keepsAlive: keepsAlive, expectsContinue: expectsContinue))
    }

    static func refused(_ status: Int, _ rule: String, _ text: String) -> HeadCase {
        HeadCase(rule: rule, bytes: Array(text.utf8), expected: .refused(status))
    }

    /// A valid request line and Host, then `fields`.
    static func accepted(
        _ rule: String, fields: String, _ framing: Request.Framing = .none,
        keepsAlive: Bool = true, expectsContinue: Bool = false
    ) -> HeadCase {
        accepted(
            rule, "POST / HTTP/1.1\r\nHost: a\r\n\(fields)\r\n\r\n", framing,
            keepsAlive: keepsAlive, expectsContinue: expectsContinue)
    }

    /// A valid request line and Host, then `fields`.
    static func refused(_ status: Int, _ rule: String, fields: String) -> HeadCase {
        refused(status, rule, "POST / HTTP/1.1\r\nHost: a\r\n\(fields)\r\n\r\n")
    }

    /// A Host field with HTTP/1.1 and an origin-form target.
    static func refusedHost(_ rule: String, _ value: String) -> HeadCase {
        refused(400, "RFC 9112 §3.2: \(rule)", "GET / HTTP/1.1\r\nHost: \(value)\r\n\r\n")
    }

    /// A target with method and version around it.
    static func refusedTarget(_ rule: String, _ methodAndTarget: String) -> HeadCase {
        refused(400, rule, "\(methodAndTarget) HTTP/1.1\r\nHost: a\r\n\r\n")
    }
}

/// What a parser made of bytes, in a form that can be compared.
enum Reading: Equatable {
    case done(bytes: [UInt8], size: Int, HeadCase.Expected, fields: [[UInt8]])
    case refused(Refusal)
    case incomplete

    /// Feeds a new parser with ever longer beginnings of `bytes`, the last of them all.
    init(_ bytes: [UInt8], cuts: some Sequence<Int> = [], limits: Limits = HeadCase.limits) {
        var parser = HeadParser(limits: limits)
        self = .incomplete
        for cut in cuts where self == .incomplete {
            self = Reading(parser.parse(bytes.span.extracting(0..<cut)))
        }
        if self == .incomplete { self = Reading(parser.parse(bytes.span)) }
    }

    private init(_ outcome: HeadParser.Outcome) {
        switch outcome {
        case .incomplete: self = .incomplete
        case .refused(let refusal): self = .refused(refusal)
        case .done(let request, let size):
            self = .done(
                bytes: request.bytes, size: size,
                .accepted(
                    request.framing, keepsAlive: request.keepsAlive,
                    expectsContinue: request.expectsContinue),
                fields: request.fieldLines.flatMap { [Array($0.name), Array($0.value)] })
        }
    }

    /// Without the details.
    var outcome: HeadCase.Expected {
        switch self {
        case .done(_, _, let accepted, _): accepted
        case .refused(let refusal): .refused(refusal.status.code)
        case .incomplete: .incomplete
        }
    }

    /// Bytes that the head took; nil when there is none.
    var size: Int? {
        if case .done(_, let size, _, _) = self { size } else { nil }
    }
}
