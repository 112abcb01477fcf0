// Creates tokens as a partner's back end does, up to the signature (vendor document 4.1).
// Invariant: members are in the order of the vendor's published example, so that the same values
// give the same text.

import JSON

extension RezolveToken {
    /// The subject of a token.
    public enum Subject: Sendable, Equatable {
        /// A person who is to be registered.
        case newcomer
        /// A registered entity on one device.
        case entity(String, device: String)
    }

    /// The header and claims of a token, to be signed with HS512.
    ///
    /// - Parameters:
    ///   - subject: whom it is for.
    ///   - partnerEntity: the partner's own id of the person.
    ///   - expiry: seconds since 1970; whole seconds are written as an integer.
    public static func unsigned(
        for subject: Subject, partnerEntity: String, expiry: Double
    ) -> [UInt8] {
        var header = JSONWriter()
        var claims = JSONWriter()
        header.object { json in
            json.member("alg", "HS512")
            json.member("typ", "JWT")
            if case .entity = subject { json.member("auth", "v2") }
        }
        claims.object { json in
            if case .entity(let entity, _) = subject {
                json.member("rezolve_entity_id", entity)
            } else {
                json.member("rezolve_entity_id", noEntity)
            }
            json.member("partner_entity_id", partnerEntity)
            if let seconds = Int(exactly: expiry) {
                json.member("exp", seconds)
            } else {
                json.member("exp", expiry)
            }
            if case .entity(_, let device) = subject { json.member("device_id", device) }
        }
        return Base64Text.encode(header.bytes, urlSafe: true) + [UInt8(ascii: ".")]
            + Base64Text.encode(claims.bytes, urlSafe: true)
    }

    /// A complete token: the signed text and its signature.
    public static func signed(_ unsigned: [UInt8], _ signature: some Sequence<UInt8>) -> [UInt8] {
        unsigned + [UInt8(ascii: ".")] + Base64Text.encode(signature, urlSafe: true)
    }

    /// Other texts that may have been signed by mistake: header and claims with padding, in the
    /// standard alphabet, compact, or not in Base64 at all; with the header of the contract.
    ///
    /// A signature that matches one of them was made with the correct key.
    public var otherSpellings: [[UInt8]] {
        guard let header, let claims else { return [] }
        let dot = [UInt8(ascii: ".")]
        var texts = [header.bytes + dot + claims.bytes]
        var headers = [header.bytes, header.root.compactText]
        for auth in ["", #","auth":"v2""#, #","v2":"v2""#] {
            headers.append(Array(#"{"alg":"HS512","typ":"JWT"\#(auth)}"#.utf8))
            headers.append(Array(#"{"typ":"JWT","alg":"HS512"\#(auth)}"#.utf8))
        }
        let spellings = [claims.bytes, claims.root.compactText]
        for header in headers {
            for claims in spellings {
                texts.append(
                    Base64Text.encode(header, urlSafe: true) + dot
                        + Base64Text.encode(claims, urlSafe: true))
            }
        }
        texts.append(
            Base64Text.encode(header.bytes, urlSafe: false) + dot
                + Base64Text.encode(claims.bytes, urlSafe: false))
        return texts
    }
}
