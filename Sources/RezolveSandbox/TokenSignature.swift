// The signature of a Rezolve token: HMAC-SHA-512. If it doesn't match, finds the likely mistake
// (vendor document 4.1).
//
// The cryptography is swift-crypto's. A token library would not help: it only reports that a token
// is invalid, and here the question is why.

import Crypto
import FoundationEssentials
import Text
import Vendors

/// Signs tokens and checks their signatures.
package enum TokenSignature {
    /// Minimum recommended bytes of a key: as many as a signature has (RFC 7518 §3.2).
    package static let keyBytes = 64

    /// Signs `text`; the key is the bytes of its text.
    package static func sign(_ text: [UInt8], with key: [UInt8]) -> [UInt8] {
        Array(HMAC<SHA512>.authenticationCode(for: text, using: SymmetricKey(data: key)))
    }

    /// The problem with the signature of `token`; nil if it matches, or if the format is too broken
    /// to have one.
    ///
    /// O(length); a few dozen times that if it doesn't match.
    package static func problem(of token: RezolveToken, with key: [UInt8]) -> TokenProblem? {
        guard let signature = token.signature else { return nil }
        if fits(signature, token.signedText, key) { return nil }
        if signature.count != SHA512.byteCount {
            return TokenProblem(.wrongSignatureLength, length(of: token, signature, key))
        }
        for (name, other) in decodings(of: key) where fits(signature, token.signedText, other) {
            return TokenProblem(
                .keyWasDecoded,
                "The signature was made with the \(name)-decoded key: partner_auth_key is text, and "
                    + "its UTF-8 bytes are the key.")
        }
        for other in withWhitespace(key) where fits(signature, token.signedText, other) {
            return TokenProblem(
                .keyHasWhitespace,
                "The signature was made with whitespace around the key, such as the line end of a "
                    + "file: cut it off.")
        }
        for text in token.otherSpellings where fits(signature, text, key) {
            return TokenProblem(
                .alteredAfterSigning,
                "The key is right, but what was signed is another serialization of header or claims: "
                    + "sign exactly the text that is sent, base64url(header).base64url(claims).")
        }
        return TokenProblem(
            .badSignature,
            "The signature doesn't match the key: the key is another one, or header or claims were "
                + "changed after signing.")
    }

    private static func fits(_ signature: [UInt8], _ text: [UInt8], _ key: [UInt8]) -> Bool {
        HMAC<SHA512>.isValidAuthenticationCode(
            signature, authenticating: text, using: SymmetricKey(data: key))
    }

    /// Explains a signature of another length.
    private static func length(
        of token: RezolveToken, _ signature: [UInt8], _ key: [UInt8]
    ) -> String {
        let symmetric = SymmetricKey(data: key)
        let found =
            if HMAC<SHA256>.isValidAuthenticationCode(
                signature, authenticating: token.signedText, using: symmetric)
            {
                "it matches this key by HS256"
            } else if HMAC<SHA384>.isValidAuthenticationCode(
                signature, authenticating: token.signedText, using: symmetric)
            {
                "it matches this key by HS384"
            } else {
                switch signature.count {
                case 32: "it has the length of HS256"
                case 48: "it has the length of HS384"
                case 256...: "it has the length of an RSA signature"
                default: "it has \(signature.count)"
                }
            }
        let short =
            key.count < keyBytes
            ? " The key has \(key.count) bytes; libraries that choose by its length take HS512 from "
                + "\(keyBytes) bytes on."
            : ""
        return "A signature of HS512 has \(SHA512.byteCount) bytes; \(found).\(short)"
    }

    /// Other readings of the key's text: Base64 and hexadecimal.
    private static func decodings(of key: [UInt8]) -> [(String, [UInt8])] {
        var found: [(String, [UInt8])] = []
        var text = String(decoding: key, as: UTF8.self)
            .replacing("-", with: "+").replacing("_", with: "/").replacing("=", with: "")
        while text.utf8.count % 4 != 0 { text += "=" }
        if let data = Data(base64Encoded: text), !data.isEmpty {
            found.append(("Base64", [UInt8](data)))
        }
        if let octets = Hexadecimal.bytes(key), !octets.isEmpty {
            found.append(("hexadecimal", octets))
        }
        return found
    }

    private static func withWhitespace(_ key: [UInt8]) -> [[UInt8]] {
        ["\n", "\r\n", " "].map { key + Array($0.utf8) } + [[0x20] + key]
            + [Array(key.drop { $0 <= 0x20 }.reversed().drop { $0 <= 0x20 }.reversed())]
    }
}

extension TokenSignature {
    /// A signed token.
    package static func token(
        _ subject: RezolveToken.Subject, _ partnerEntity: String, _ expiry: Double, _ key: [UInt8]
    ) -> String {
        let text = RezolveToken.unsigned(
            for: subject, partnerEntity: partnerEntity, expiry: expiry)
        return String(decoding: RezolveToken.signed(text, sign(text, with: key)), as: UTF8.self)
    }
}
