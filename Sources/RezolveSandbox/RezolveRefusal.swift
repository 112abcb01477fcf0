// The vendor's errors (vendor document 4.3), each with the real reason.
//
// Invariant: type, code and message are the vendor's, word for word; codes are strings. A body has
// the flat triple and the same triple in an array, because the vendor's clients read one or the
// other. The array's entry also explains an error that the vendor doesn't mask; the reasons are
// stored.

import HTTP1
import JSON
import Vendors

/// An error response with its real reasons.
package struct RezolveRefusal: Error, Sendable {
    let status: Status
    let type: String
    let code: String
    let message: String
    /// Says more than the vendor's message; nil for errors that reveal nothing.
    let explanation: String?
    /// The real reasons, each with its place in the request.
    var reasons: [Diagnostic]

    private init(
        _ status: Status, _ type: String, _ code: String, _ message: String,
        _ reasons: [Diagnostic],
        explanation: String? = nil
    ) {
        self.status = status
        self.type = type
        self.code = code
        self.message = message
        self.explanation = explanation
        self.reasons = reasons
    }

    /// Reveals nothing: errors in API key, token and signature get the same response.
    static func masked(_ reasons: Diagnostic...) -> RezolveRefusal { masked(reasons) }

    /// The same for several reasons.
    static func masked(_ reasons: [Diagnostic]) -> RezolveRefusal {
        RezolveRefusal(.forbidden, "Authentication", "1", "Access is denied.", reasons)
    }

    /// The token has expired.
    static func expired(_ reasons: [Diagnostic]) -> RezolveRefusal {
        RezolveRefusal(
            .unauthorized, "Expired Token", "8",
            "Your token has expired, refresh your token and try again.", reasons)
    }

    /// The registration failed.
    static func registration(_ sentence: String, _ reason: Diagnostic) -> RezolveRefusal {
        RezolveRefusal(
            .badRequest, "Registration", "2", "Registration failed.", [reason],
            explanation: sentence)
    }

    /// Parameters are missing; the response names them.
    package static func missing(_ names: [String], _ reason: Diagnostic) -> RezolveRefusal {
        RezolveRefusal(
            .badRequest, "Bad Request", "3",
            "Missing required parameters in request body. Required: "
                + names.joined(separator: ", "), [reason])
    }

    /// Members of an object in the body are missing.
    static func missing(
        _ names: [String], in object: JSONNode, code: String = "missing_parameters"
    ) -> RezolveRefusal {
        missing(
            names,
            .body(
                code, about: object, expected: names.joined(separator: ", "),
                found: "nothing of that name"))
    }

    /// The object doesn't exist.
    ///
    /// - Parameters:
    ///   - expected: what would be valid.
    ///   - found: the id or path that doesn't exist; nil for a missing one.
    static func notFound(
        _ what: String, expected: String, found: String?
    ) -> RezolveRefusal {
        let found = found.map { Excerpt.quoted(Array($0.utf8)[...]) } ?? "none"
        return RezolveRefusal(
            .notFound, "Not Found", "4", resourceNotFound,
            [.target("not_found", expected: expected, found: found)],
            explanation: "\(what) was not found: expected \(expected).")
    }

    /// The object doesn't exist, for a specific reason.
    static func missingObject(_ reason: Diagnostic) -> RezolveRefusal {
        RezolveRefusal(
            .notFound, "Not Found", "4", resourceNotFound, [reason],
            explanation: "Expected \(reason.expected).")
    }

    private static let resourceNotFound = "Requested resource not found"
    private static let badParameters = "Incorrect or malformed parameters"

    /// The request is malformed.
    static func malformed(_ reason: Diagnostic) -> RezolveRefusal {
        RezolveRefusal(
            .badRequest, "Bad Request", "5", badParameters, [reason],
            explanation: "Expected \(reason.expected).")
    }

    /// The path doesn't support the method.
    package static func methodNotAllowed(_ allowed: String) -> RezolveRefusal {
        RezolveRefusal(
            .methodNotAllowed, "Bad Request", "5", badParameters,
            [.target("method_not_allowed", expected: "one of \(allowed)", found: "another method")],
            explanation: "The path has other methods: \(allowed).")
    }

    /// The request is valid but not allowed.
    static func system(_ sentence: String, _ reason: Diagnostic) -> RezolveRefusal {
        RezolveRefusal(.badRequest, "Bad Request", "6", sentence, [reason])
    }

    /// The service is unavailable; only in a scenario.
    static func unavailable(_ reason: Diagnostic) -> RezolveRefusal {
        RezolveRefusal(
            .serviceUnavailable, "Service Unavailable", "7",
            "Our apologies for the temporary inconvenience. The requested URL generated 503 Service "
                + "Unavailable error due to overloading or maintenance of the server.", [reason])
    }

    /// The response, and what is stored with it.
    package var answer: RezolveResponse {
        var json = JSONWriter()
        let triple = { (json: inout JSONWriter) in
            json.member("type", type)
            json.member("code", code)
            json.member("message", message)
        }
        json.object { json in
            triple(&json)
            json.array("errors") { json in
                json.object { json in
                    triple(&json)
                    if let explanation { json.member("detail", explanation) }
                }
            }
        }
        return RezolveResponse(
            status: status, body: json.bytes,
            note: RezolveNote(isRefused: true, diagnostics: reasons))
    }
}

extension Diagnostic {
    /// A diagnostic for a header field.
    ///
    /// - Parameter offset: in the field's value.
    static func field(
        _ code: String, _ severity: Diagnostic.Severity = .error, at offset: Int? = nil,
        expected: String, found: String
    ) -> Diagnostic {
        Diagnostic(
            severity: severity, layer: .model, code: code, part: .head, offset: offset,
            expected: expected, found: found)
    }

    /// A diagnostic for the path or query.
    package static func target(_ code: String, expected: String, found: String) -> Diagnostic {
        Diagnostic(
            severity: .error, layer: .model, code: code, part: .target, expected: expected,
            found: found)
    }

    /// A diagnostic for a value in the body.
    ///
    /// - Parameter found: nil describes the value.
    static func body(
        _ code: String, about node: JSONNode, expected: String, found: String? = nil,
        hint: String? = nil
    ) -> Diagnostic {
        Diagnostic(
            severity: .error, layer: .model, code: code, part: .body,
            offset: node.byteRange.lowerBound, pointer: node.pointer, expected: expected,
            found: found ?? Payload.description(of: node), hint: hint)
    }
}
