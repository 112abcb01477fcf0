// The rules for header and claims (vendor document 4.1), and for use: time and device. Left out:
// unknown members, which every reader of tokens ignores (RFC 7519 §4).

import JSON

extension RezolveToken {
    static func check(header: JSONNode, _ kind: Kind, _ problems: inout [TokenProblem]) {
        if header["alg"]?.string != "HS512" { problems.append(wrongAlgorithm(header["alg"])) }
        let typ = header["typ"]
        if typ?.string?.uppercased() != "JWT" {
            let found = typ.map { "is \(excerpt($0))" } ?? "is missing"
            problems.append(
                TokenProblem(.wrongType, "typ \(found) in the header: write \"JWT\"."))
        }
        // A reader that doesn't know an extension in it must refuse the token (RFC 7515 §4.1.11).
        if let crit = header["crit"] {
            problems.append(
                TokenProblem(
                    .criticalHeader,
                    "crit is \(excerpt(crit)) in the header: Rezolve's tokens have no extensions; "
                        + "leave it out."))
        }
        guard kind == .login, header["auth"]?.string != "v2" else { return }
        if header["v2"] != nil {
            problems.append(
                TokenProblem(
                    .misnamedAuth,
                    "The header has the member v2: the vendor's Android and older iOS samples write "
                        + "{\"v2\":\"v2\"}, which is wrong; write {\"auth\":\"v2\"}."))
        } else {
            let found = header["auth"].map { "auth is \(excerpt($0))" } ?? "auth is missing"
            problems.append(
                TokenProblem(
                    .missingAuth,
                    "\(found) in the header: a login token says {\"auth\":\"v2\"}."))
        }
    }

    private static func wrongAlgorithm(_ alg: JSONNode?) -> TokenProblem {
        guard let alg else {
            return TokenProblem(.wrongAlgorithm, "alg is missing in the header: write HS512.")
        }
        switch alg.string {
        case "HS256", "HS384":
            return TokenProblem(
                .wrongAlgorithm,
                "alg is \(alg.string ?? "") and must be HS512: the library of the vendor's Android "
                    + "sample chooses by the length of the key, and takes HS512 from 64 bytes on. Use "
                    + "the whole partner_auth_key, or name HS512.")
        case "none":
            return TokenProblem(
                .wrongAlgorithm, "alg is none: the token is not signed; sign it with HS512.")
        default:
            return TokenProblem(.wrongAlgorithm, "alg is \(excerpt(alg)) and must be \"HS512\".")
        }
    }

    /// - Parameter part: the claims as written in the token.
    static func check(
        claims: JSONNode, _ kind: Kind, in part: ArraySlice<UInt8>,
        _ problems: inout [TokenProblem]
    ) {
        var names = ["rezolve_entity_id", "partner_entity_id"]
        if kind == .login { names.append("device_id") }
        for name in names {
            let claim = claims[name]
            let offset = place(of: claim, in: part)
            if let claim, claim.kind != .null, claim.kind != .string {
                problems.append(
                    TokenProblem(
                        .wrongClaimType, at: offset,
                        "\(name) must be a text; it is of type \(claim.kind.rawValue)."))
            } else if claim?.string?.isEmpty ?? true {
                problems.append(
                    TokenProblem(
                        .missingClaim, at: offset, "The claim \(name) is missing or empty."))
            }
        }
        checkExpiry(claims["exp"], at: place(of: claims["exp"], in: part), &problems)
        if let start = claims["nbf"], start.double == nil {
            problems.append(wrongTime("nbf", start, at: place(of: start, in: part)))
        }
        guard let entity = claims["rezolve_entity_id"]?.string, !entity.isEmpty,
            entity != noEntity, isMeantAsNone(entity)
        else { return }
        problems.append(
            TokenProblem(
                .wrongEntityID, at: place(of: claims["rezolve_entity_id"], in: part),
                kind == .registration
                    ? "rezolve_entity_id is \(quoted(entity)): a registration token says \":NONE:\"."
                    : "rezolve_entity_id is \(quoted(entity)): a login token has the id that "
                        + "registration gave."))
    }

    private static func checkExpiry(
        _ exp: JSONNode?, at offset: Int, _ problems: inout [TokenProblem]
    ) {
        guard let exp, exp.kind != .null else {
            problems.append(
                TokenProblem(.missingClaim, at: offset, "The claim exp is missing or empty."))
            return
        }
        if exp.double == nil { problems.append(wrongTime("exp", exp, at: offset)) }
    }

    private static func wrongTime(
        _ name: String, _ claim: JSONNode, at offset: Int
    ) -> TokenProblem {
        TokenProblem(
            .wrongClaimType, at: offset,
            "\(name) must be a number of seconds since 1970; it is \(excerpt(claim)).")
    }

    /// The problem with the time at which the token is used.
    ///
    /// A token is expired from the second of its `exp` on (RFC 7519 §4.1.4), may be valid for
    /// 30 minutes, and isn't valid before its `nbf`, if it has one (RFC 7519 §4.1.5).
    ///
    /// - Parameter now: seconds since 1970.
    public func problem(at now: Double) -> TokenProblem? {
        if let problem = problemOfExpiry(at: now) { return problem }
        guard let start = claims?.root["nbf"]?.double, start > now else { return nil }
        return TokenProblem(
            .notYetValid, at: place(ofClaim: "nbf"),
            "The token is valid from nbf on, in \(Self.span(start - now)).")
    }

    private func problemOfExpiry(at now: Double) -> TokenProblem? {
        guard let expiry else { return nil }
        let offset = place(ofClaim: "exp")
        if expiry > 100_000_000_000 {
            return TokenProblem(
                .expiryInMilliseconds, at: offset,
                "exp is in milliseconds, or after the year 5138: write seconds since 1970.")
        }
        if expiry <= now {
            return TokenProblem(
                .expired, at: offset, "The token expired \(Self.span(now - expiry)) ago.")
        }
        if expiry - now > Self.longestSeconds {
            return TokenProblem(
                .expiryTooFar, at: offset,
                "The token expires in \(Self.span(expiry - now)): 30 minutes are allowed.")
        }
        return nil
    }

    /// The problem with a login token on a device.
    ///
    /// - Parameter device: the value of the request's field `x-rezolve-device-id`; nil without one.
    public func problem(onDevice device: String?) -> TokenProblem? {
        guard kind == .login, let claimed = claim("device_id"), claimed != device else {
            return nil
        }
        let offset = place(ofClaim: "device_id")
        guard let device, !device.isEmpty else {
            return TokenProblem(
                .deviceIDMismatch, at: offset,
                "The request has no field x-rezolve-device-id; it must say the token's device_id.")
        }
        return TokenProblem(
            .deviceIDMismatch, at: offset,
            "x-rezolve-device-id is \(Self.quoted(device)) and the token's device_id "
                + "\(Self.quoted(claimed)): they must be the same text.")
    }

    /// A duration in its two largest units, such as `2 h 5 min`.
    static func span(_ seconds: Double) -> String {
        guard seconds >= 1, seconds < 1e15 else {
            return seconds < 1 ? "less than a second" : "ages"
        }
        var rest = Int(seconds)
        var words: [String] = []
        for (size, unit) in [(86_400, "d"), (3600, "h"), (60, "min"), (1, "s")] {
            if rest >= size, words.count < 2 { words.append("\(rest / size) \(unit)") }
            rest %= size
        }
        return words.joined(separator: " ")
    }

    private static func excerpt(_ node: JSONNode) -> String {
        guard node.kind == .string else {
            return String(decoding: node.text.prefix(Limits.maximumExcerptBytes), as: UTF8.self)
        }
        return Excerpt.quoted(node.text.dropFirst().dropLast())
    }

    static func quoted(_ text: String) -> String { Excerpt.quoted(Array(text.utf8)[...]) }
}
