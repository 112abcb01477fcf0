// A parsed Rezolve token, valid or not: a JSON Web Token in compact form (RFC 7519) with the
// vendor's claims (vendor document 4.1).
//
// Invariant: as many parts as possible are read, and every error in the format is a problem with
// its byte offset. Left out: the signature, which needs cryptography, and the time, which needs a
// clock; callers check those.

import JSON

/// A registration or login token.
public struct RezolveToken: Sendable {
    /// What a token is for.
    public enum Kind: String, CaseIterable, Sendable {
        /// Registers a person; its `rezolve_entity_id` is `:NONE:`.
        case registration
        /// The access token of a registered person on one device.
        case login
    }

    /// The maximum validity of a token, in seconds: 30 minutes.
    public static let longestSeconds = 1800.0

    /// The placeholder for the entity in a registration token.
    public static let noEntity = ":NONE:"

    /// The kind of token; one that can't be read counts as a registration token.
    public let kind: Kind

    /// The header; nil if it can't be read.
    public let header: JSONDocument?

    /// The claims; nil if they can't be read.
    public let claims: JSONDocument?

    /// The signed text: header and claims as written, with the dot between them.
    public let signedText: [UInt8]

    /// The signature's bytes; nil if it can't be read.
    public let signature: [UInt8]?

    /// The problems with format, header and claims, without key and clock.
    public let problems: [TokenProblem]

    /// Parses a token, in O(its length).
    ///
    /// - Parameter text: the token without `Bearer` and surrounding whitespace.
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

    /// Whether `:NONE:` was meant, exactly or not.
    static func isMeantAsNone(_ entity: String) -> Bool {
        let word = entity.lowercased().filter { $0 != ":" && $0 != " " }
        return ["", "none", "null", "nil"].contains(word)
    }
}

extension RezolveToken {
    /// A claim's text; nil if it is missing or not a string.
    public func claim(_ name: String) -> String? { claims?.root[name]?.string }

    /// The offset of a claim's value in the token; of the claims if it is missing.
    func place(ofClaim name: String) -> Int? {
        guard let claims else { return nil }
        let start = signedText.firstIndex(of: UInt8(ascii: ".")).map { $0 + 1 } ?? 0
        return Self.place(of: claims.root[name], in: signedText[start...])
    }

    /// The offset in the token of a value's Base64; the start of its part if there is no value.
    static func place(of value: JSONNode?, in part: ArraySlice<UInt8>) -> Int {
        guard let offset = value?.byteRange.lowerBound else { return part.startIndex }
        return part.startIndex + Base64Text.sourceIndex(ofOctet: offset, in: part)
    }

    /// When the token expires, in seconds since 1970; nil if it has no `exp`.
    ///
    /// Fractions are accepted, and so is a number in a string, which is a problem of its own.
    public var expiry: Double? {
        guard let exp = claims?.root["exp"] else { return nil }
        return exp.double ?? exp.string.flatMap { Double($0) }.flatMap { $0.isFinite ? $0 : nil }
    }
}
