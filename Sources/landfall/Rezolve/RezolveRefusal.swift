// The vendor's errors (vendor document 4.3), and behind each what is really wrong.
//
// Invariant: what is sent never says more than the vendor's server would; the reasons go into what is
// stored. Codes are strings. A body has the flat triple and the same one in an array, since the
// vendor's readers ask for one or the other.

import HTTP1
import JSONText
import Vendors

/// A refusal, as it is sent and as it is meant.
struct RezolveRefusal: Error, Sendable {
    /// One thing that is wrong: a code that stays the same, and a sentence without secrets.
    struct Reason: Sendable, Equatable {
        let code: String
        let sentence: String
    }

    let status: Status
    let type: String
    let code: String
    let message: String
    var reasons: [Reason]

    private init(
        _ status: Status, _ type: String, _ code: String, _ message: String, _ reasons: [Reason]
    ) {
        self.status = status
        self.type = type
        self.code = code
        self.message = message
        self.reasons = reasons
    }

    /// Says nothing: API key, token and signature are all refused alike.
    static func masked(_ reasons: [Reason]) -> RezolveRefusal {
        RezolveRefusal(.forbidden, "Authentication", "1", "Access is denied.", reasons)
    }

    /// Says nothing, for one reason.
    static func masked(_ code: String, _ sentence: String) -> RezolveRefusal {
        masked([Reason(code: code, sentence: sentence)])
    }

    /// The token has expired.
    static func expired(_ reasons: [Reason]) -> RezolveRefusal {
        RezolveRefusal(
            .unauthorized, "Expired Token", "8", "The token has expired, please refresh it.",
            reasons)
    }

    /// The registration can't be made.
    static func registration(_ code: String, _ sentence: String) -> RezolveRefusal {
        RezolveRefusal(
            .badRequest, "Registration", "2", sentence, [Reason(code: code, sentence: sentence)])
    }

    /// Parameters are missing; their names are told.
    static func missing(_ names: [String], _ code: String = "missing_parameters") -> RezolveRefusal
    {
        let sentence = "Missing parameters: \(names.joined(separator: ", "))."
        return RezolveRefusal(
            .badRequest, "Bad Request", "3", sentence, [Reason(code: code, sentence: sentence)])
    }

    /// There is no such thing.
    static func notFound(_ what: String) -> RezolveRefusal {
        RezolveRefusal(
            .notFound, "Not Found", "4", "\(what) was not found.",
            [Reason(code: "not_found", sentence: "\(what) is in no fixture.")])
    }

    /// The request is malformed.
    static func malformed(_ code: String, _ sentence: String) -> RezolveRefusal {
        RezolveRefusal(
            .badRequest, "Bad Request", "5", "The request is malformed.",
            [Reason(code: code, sentence: sentence)])
    }

    /// The request is understood, and not allowed.
    static func system(_ code: String, _ sentence: String) -> RezolveRefusal {
        RezolveRefusal(
            .badRequest, "Bad Request", "6", sentence, [Reason(code: code, sentence: sentence)])
    }

    /// The service is away; only on purpose.
    static let unavailable = RezolveRefusal(
        .serviceUnavailable, "Service Unavailable", "7", "The service is temporarily unavailable.",
        [])

    /// The answer that is sent.
    var answer: RezolveAnswer {
        var json = JSONWriter()
        let triple = { (json: inout JSONWriter) in
            json.member("type", type)
            json.member("code", code)
            json.member("message", message)
        }
        json.object { json in
            triple(&json)
            json.key("errors")
            json.array { json in json.object(triple) }
        }
        return RezolveAnswer(status: status, body: json.bytes)
    }

    /// The answer, with what is really wrong.
    var noted: RezolveAnswer {
        var answer = answer
        answer.note = note
        return answer
    }

    /// What is stored of it.
    var note: RezolveNote {
        RezolveNote(
            isRefused: true, diagnostics: reasons.map { $0.diagnostic(.error) },
            reason: reasons.first?.code)
    }
}

extension RezolveRefusal.Reason {
    init(_ problem: TokenProblem) {
        self.init(code: problem.code.rawValue, sentence: problem.message)
    }

    /// The reason as a finding about a request.
    func diagnostic(_ severity: Diagnostic.Severity) -> Diagnostic {
        Diagnostic(
            severity: severity, layer: .model, code: code, part: .target,
            expected: "what the sandbox's keys, clock and fixtures allow", found: sentence)
    }
}
