// A Rezolve token taken apart, however broken: a JSON Web Token in its compact form (RFC 7519) with
// the vendor's claims (vendor document 4.1).
//
// Invariant: as many parts are read as can be read, and whatever is wrong with the form is a problem
// with its byte. Left out: the signature, for which cryptography is needed, and the clock; whoever
// has them asks further.

import JSON

/// A registration or login token.
public struct RezolveToken: Sendable {
    /// What a token is for.
    public enum Kind: String, CaseIterable, Sendable {
        /// Makes a person known; its `rezolve_entity_id` is `:NONE:`.
        case registration
        /// Is the access token of a known person on one device.
        case login
    }

    /// The longest time that a token may be valid, in seconds: 30 minutes.
    public static let longestSeconds = 1800.0

    /// What stands for the entity in a registration token.
    public static let noEntity = ":NONE:"

    /// What the token is for; one that can't be read is taken as a registration token.
    public let kind: Kind

    /// The header; nil when it can't be read.
    public let header: JSONDocument?

    /// The claims; nil when they can't be read.
    public let claims: JSONDocument?

    /// What was signed: header and claims as they were written, with the dot between them.
    public let signedText: [UInt8]

    /// The signature's octets; nil when it can't be read.
    public let signature: [UInt8]?

    /// What is wrong with the form, the header and the claims, without key and clock.
    public let problems: [TokenProblem]

    /// Takes a token apart, in O(its length).
    ///
    /// - Parameter text: the token without `Bearer` and without whitespace around it.
    public init(_ text: [UInt8]) {
        let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        var problems: [TokenProblem] = []
        if parts.count != 3 || parts.contains(where: \.isEmpty) {
            problems.append(Self.wrongParts(parts, of: text))
        }
        let read = { (index: Int, name: String) -> JSONDocument? in
            guard index < parts.count, !parts[index].isEmpty else { return nil }
            return TokenPart(parts[index], name).object(&problems)
        }
        header = read(0, "header")
        claims = read(1, "claims")
        signature =
            parts.count > 2 && !parts[2].isEmpty
            ? TokenPart(parts[2], "signature").octets(&problems) : nil
        signedText = Array(parts.prefix(2).joined(separator: [UInt8(ascii: ".")]))
        kind = Self.kind(header?.root, claims?.root)
        if let header { Self.check(header: header.root, kind, &problems) }
        if let claims {
            Self.check(claims: claims.root, kind, in: parts[1], &problems)
        }
        self.problems = problems
    }

    private static func wrongParts(
        _ parts: [ArraySlice<UInt8>], of text: [UInt8]
    ) -> TokenProblem {
        let fourth = parts.count > 3 ? parts[3].startIndex - 1 : nil
        let empty = parts.first(where: \.isEmpty)?.startIndex
        let found =
            parts.count == 3
            ? "one of the three parts is empty"
            : parts.count == 5
                ? "there are five parts, as in an encrypted token"
                : "there \(parts.count == 1 ? "is 1 part" : "are \(parts.count) parts")"
        return TokenProblem(
            .notThreeParts, at: fourth ?? empty ?? text.count,
            "A token is header.claims.signature; \(found).")
    }

    private static func kind(_ header: JSONNode?, _ claims: JSONNode?) -> Kind {
        guard let claims else { return .registration }
        if let entity = claims["rezolve_entity_id"]?.string {
            if entity == noEntity { return .registration }
            if !isMeantAsNone(entity) { return .login }
        }
        if claims["rezolve_entity_id"]?.kind == .number { return .login }
        let hasDevice = claims["device_id"] != nil
        return hasDevice || header?["auth"] != nil || header?["v2"] != nil ? .login : .registration
    }

    /// Whether somebody meant `:NONE:`, exactly or not.
    static func isMeantAsNone(_ entity: String) -> Bool {
        let word = entity.lowercased().filter { $0 != ":" && $0 != " " }
        return ["", "none", "null", "nil"].contains(word)
    }
}

extension RezolveToken {
    /// The algorithm that the header names; nil when it names none.
    public var algorithm: String? { header?.root["alg"]?.string }

    /// A claim's text; nil when it is missing or no text.
    public func claim(_ name: String) -> String? { claims?.root[name]?.string }

    /// Where in the token a claim's value begins; the claims themselves without one.
    func place(ofClaim name: String) -> Int? {
        guard let claims else { return nil }
        let start = signedText.firstIndex(of: UInt8(ascii: ".")).map { $0 + 1 } ?? 0
        return Self.place(of: claims.root[name], in: signedText[start...])
    }

    /// Where in the token the Base64 of a value begins; the start of its part without a value.
    static func place(of value: JSONNode?, in part: ArraySlice<UInt8>) -> Int {
        guard let offset = value?.byteRange.lowerBound else { return part.startIndex }
        return part.startIndex + Base64Text.sourceIndex(ofOctet: offset, in: part)
    }

    /// When the token expires, in seconds since 1970; nil when it doesn't say.
    ///
    /// Fractions are read, and so is a number in a text, which is a problem of its own.
    public var expiry: Double? {
        guard let exp = claims?.root["exp"] else { return nil }
        return exp.double ?? exp.string.flatMap { Double($0) }.flatMap { $0.isFinite ? $0 : nil }
    }
}
