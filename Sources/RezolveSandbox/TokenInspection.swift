// Inspects a Rezolve token: format, signature, time, device.

import JSON
import Vendors

/// The check of one token.
package struct TokenInspection {
    package let token: RezolveToken

    /// All problems: format, then signature, then time, in the vendor's order.
    package let problems: [TokenProblem]

    /// - Parameters:
    ///   - text: the token, without `Bearer`.
    ///   - key: the partner's auth key as text; nil leaves the signature unchecked, which is a
    ///     problem.
    ///   - now: seconds since 1970.
    ///   - device: the required device of a login token; nil checks none.
    package init(_ text: [UInt8], key: [UInt8]?, now: Double, device: String? = nil) {
        token = RezolveToken(text)
        var problems = token.problems
        if let key {
            if let problem = TokenSignature.problem(of: token, with: key) {
                problems.append(problem)
            }
        } else {
            problems.append(
                TokenProblem(
                    .signatureNotChecked,
                    "No key was given: give the partner_auth_key to check the signature."))
        }
        if let problem = token.problem(at: now) { problems.append(problem) }
        if let device, let problem = token.problem(onDevice: device) { problems.append(problem) }
        self.problems = problems
    }

    package var isValid: Bool { problems.isEmpty }

    /// `kind`, `header`, `claims` and `problems`, as members of an object.
    package func writeMembers(to json: inout JSONWriter) {
        json.member("kind", token.kind.rawValue)
        for (name, part) in [("header", token.header), ("claims", token.claims)] {
            json.key(name)
            guard let part else {
                json.null()
                continue
            }
            json.value(part.root)
        }
        json.objects("problems", of: problems) { json, problem in
            json.member("code", problem.code.rawValue)
            json.member("message", problem.message)
            if let offset = problem.offset { json.member("offset", offset) }
        }
    }
}
