// Signatures of Rezolve tokens, good ones and those that are made in the wrong way.
// The published example is the vendor's; its key is `secret`.

import Crypto
import Foundation
import Testing
import Vendors

@testable import LinkHosting
@testable import RezolveSandbox
@testable import landfall

@Suite struct TokenSignatureTests {
    private static let published =
        "eyJhbGciOiJIUzUxMiIsInR5cCI6IkpXVCJ9."
        + "eyJyZXpvbHZlX2VudGl0eV9pZCI6IjpOT05FOiIsInBhcnRuZXJfZW50aXR5X2lkIjoiMTIzIiwiZXhwIjox"
        + "NTIwODY5NDcwfQ.5y2e6QpUKcqTNLTv75nO6a6iFPVxrF8YeAH5NTg2ZO9dkub31GEs0N46Hu2IJf1bQ_vC2IOO9"
        + "Z2N7drmvA_AKg"

    /// Text that is also Base64 and hexadecimal, as keys often are.
    private static let key = Array(String(repeating: "c0ffee42", count: 11).utf8)

    private static func token(_ signature: some Sequence<UInt8>) -> RezolveToken {
        RezolveToken(RezolveToken.signed(unsigned, signature))
    }

    private static let unsigned = RezolveToken.unsigned(
        for: .newcomer, partnerEntity: "7", expiry: 1_700_000_000)

    @Test func thePublishedTokenFitsItsKeyAsTextAndNoOther() {
        let token = RezolveToken(Array(Self.published.utf8))
        #expect(TokenSignature.problem(of: token, with: Array("secret".utf8)) == nil)
        #expect(
            TokenSignature.problem(of: token, with: Array("Secret".utf8))?.code == .badSignature)
    }

    @Test func mintingGivesThePublishedToken() {
        let token = TokenSignature.token(.newcomer, "123", 1_520_869_470, Array("secret".utf8))
        #expect(token == Self.published)
    }

    @Test func thePublishedTokenIsValidUntilItsSecond() {
        let inspect = { (now: Double) in
            TokenInspection(Array(Self.published.utf8), key: Array("secret".utf8), now: now)
        }
        #expect(inspect(1_520_869_469.9).isValid)
        #expect(inspect(1_520_867_670).isValid)
        #expect(inspect(1_520_869_470).problems.map(\.code) == [.expired])
        #expect(inspect(1_520_867_669).problems.map(\.code) == [.expiryTooFar])
    }

    @Test func withoutAKeyNoTokenIsValid() {
        let inspection = TokenInspection(Array(Self.published.utf8), key: nil, now: 1_520_869_000)
        #expect(inspection.problems.map(\.code) == [.signatureNotChecked])
    }

    @Test func aKeyThatWasDecodedIsNamed() throws {
        let base64 = try #require(Data(base64Encoded: Data(Self.key)))
        let hex = stride(from: 0, to: Self.key.count, by: 2).compactMap {
            UInt8(String(decoding: Self.key[$0..<$0 + 2], as: UTF8.self), radix: 16)
        }
        for wrong in [[UInt8](base64), hex] {
            let token = Self.token(TokenSignature.sign(Self.unsigned, with: wrong))
            let problem = TokenSignature.problem(of: token, with: Self.key)
            #expect(problem?.code == .keyWasDecoded)
        }
    }

    @Test(arguments: ["\n", "\r\n", " "]) func aKeyWithWhitespaceIsNamed(end: String) {
        let long = Self.key + Array(end.utf8)
        let token = Self.token(TokenSignature.sign(Self.unsigned, with: long))
        #expect(TokenSignature.problem(of: token, with: Self.key)?.code == .keyHasWhitespace)
        let right = Self.token(TokenSignature.sign(Self.unsigned, with: Self.key))
        #expect(TokenSignature.problem(of: right, with: long)?.code == .keyHasWhitespace)
    }

    @Test func anotherAlgorithmIsNamedByItsLength() {
        let short = Array("short-key".utf8)
        let code = HMAC<SHA256>.authenticationCode(
            for: Self.unsigned, using: SymmetricKey(data: short))
        let problem = TokenSignature.problem(of: Self.token(code), with: short)
        #expect(problem?.code == .wrongSignatureLength)
        #expect(problem?.message.contains("HS256") == true)
        #expect(problem?.message.contains("9 bytes") == true)
    }

    @Test func whatWasSpelledAnewAfterSigningIsNamed() throws {
        // Signed with spaces in the JSON, sent without them.
        let claims = #"{ "rezolve_entity_id": ":NONE:", "partner_entity_id": "7", "exp": 1 }"#
        let header = #"{"alg":"HS512","typ":"JWT"}"#
        let base64 = { (text: String) in
            Data(text.utf8).base64EncodedString().replacing("=", with: "").replacing("+", with: "-")
                .replacing("/", with: "_")
        }
        let compact = claims.replacing(" ", with: "")
        let sent = base64(header) + "." + base64(claims)
        let signed = Array((base64(header) + "." + base64(compact)).utf8)
        let signature = TokenSignature.sign(signed, with: Self.key)
        let token = RezolveToken(RezolveToken.signed(Array(sent.utf8), signature))
        #expect(token.problems.isEmpty)
        #expect(TokenSignature.problem(of: token, with: Self.key)?.code == .alteredAfterSigning)
        let raw = TokenSignature.sign(Array((header + "." + claims).utf8), with: Self.key)
        let other = RezolveToken(RezolveToken.signed(Array(sent.utf8), raw))
        #expect(TokenSignature.problem(of: other, with: Self.key)?.code == .alteredAfterSigning)
    }

    @Test func oneChangedBitAnywhereIsFound() {
        let right = RezolveToken.signed(
            Self.unsigned, TokenSignature.sign(Self.unsigned, with: Self.key))
        for index in right.indices where right[index] != UInt8(ascii: ".") {
            var wrong = right
            wrong[index] = wrong[index] == UInt8(ascii: "Q") ? UInt8(ascii: "A") : UInt8(ascii: "Q")
            let inspection = TokenInspection(wrong, key: Self.key, now: 1_699_999_000)
            // The last digit of a signature has four bits that say nothing.
            if wrong == right || RezolveToken(wrong).signature == RezolveToken(right).signature,
                RezolveToken(wrong).signedText == Self.unsigned
            {
                continue
            }
            #expect(!inspection.isValid, "\(index)")
        }
    }
}
