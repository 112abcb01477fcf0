// Rezolve tokens as they come: the published one, those that the vendor's samples break, and worse
// (vendor document 4.1). Left out: signatures, which need cryptography.

import Mutations
import Testing

@testable import Vendors

@Suite("Rezolve tokens")
struct RezolveTokenTests {
    /// The vendor's published example; its key is `secret`.
    static let published =
        "eyJhbGciOiJIUzUxMiIsInR5cCI6IkpXVCJ9."
        + "eyJyZXpvbHZlX2VudGl0eV9pZCI6Ijp"
        + "OT05FOiIsInBhcnRuZXJfZW50aXR5X2lkIjoiMTIzIiwiZXhwIjox"
        + "NTIwODY5NDcwfQ.5y2e6QpUKcqTNLTv75nO6a6iFPVxrF8YeAH5NTg2ZO9dkub31GEs0N46Hu2IJf1bQ_vC2IOO9"
        + "Z2N7drmvA_AKg"

    private static func token(_ header: String, _ claims: String) -> RezolveToken {
        let parts = [header, claims].map { Base64Text.encode($0.utf8, urlSafe: true) }
        return RezolveToken(
            Array([parts[0], parts[1], Array("AA".utf8)].joined(separator: [0x2E])))
    }

    private static let plain = #"{"alg":"HS512","typ":"JWT"}"#
    private static let login = #"{"alg":"HS512","typ":"JWT","auth":"v2"}"#
    private static let newcomer =
        #"{"rezolve_entity_id":":NONE:","partner_entity_id":"7","exp":1700000000}"#
    private static let known =
        #"{"rezolve_entity_id":"e-1","partner_entity_id":"7","exp":1700000000,"device_id":"d"}"#

    @Test("the published example is a registration token without a problem")
    func publishedExample() {
        let token = RezolveToken(Array(Self.published.utf8))
        #expect(token.kind == .registration)
        #expect(token.problems.isEmpty)
        #expect(token.signature?.count == 64)
        #expect(token.claim("partner_entity_id") == "123")
        #expect(token.expiry == 1_520_869_470)
    }

    @Test("what is minted has the text of the published example")
    func minting() {
        let unsigned = RezolveToken.unsigned(
            for: .newcomer, partnerEntity: "123", expiry: 1_520_869_470)
        #expect(Self.published.utf8.starts(with: unsigned))
        let login = RezolveToken.unsigned(
            for: .entity("e-1", device: "d"), partnerEntity: "7", expiry: 1_700_000_000.5)
        let token = RezolveToken(RezolveToken.signed(login, [1, 2, 3]))
        #expect(token.kind == .login && token.problems.isEmpty)
        #expect(token.expiry == 1_700_000_000.5)
        #expect(token.signature == [1, 2, 3])
    }

    @Test(
        "problems of header and claims have names",
        arguments: [
            (plain, newcomer, .registration, []), (login, known, .login, []),
            (#"{"alg":"HS256","typ":"JWT"}"#, newcomer, .registration, [.wrongAlgorithm]),
            (#"{"alg":"HS384","typ":"JWT","auth":"v2"}"#, known, .login, [.wrongAlgorithm]),
            (#"{"alg":"none","typ":"JWT"}"#, newcomer, .registration, [.wrongAlgorithm]),
            (#"{"typ":"JWT"}"#, newcomer, .registration, [.wrongAlgorithm]),
            (#"{"alg":1}"#, newcomer, .registration, [.wrongAlgorithm, .wrongType]),
            (#"{"alg":"HS512"}"#, newcomer, .registration, [.wrongType]),
            (#"{"alg":"HS512","typ":"JWE"}"#, newcomer, .registration, [.wrongType]),
            (#"{"alg":"HS512","typ":"jwt"}"#, newcomer, .registration, []),
            (
                #"{"alg":"HS512","typ":"JWT","crit":["exp"]}"#, newcomer, .registration,
                [.criticalHeader]
            ),
            (
                #"{"alg":"HS512","typ":"JWT","crit":[]}"#, newcomer, .registration,
                [.criticalHeader]
            ),
            (
                plain,
                #"{"rezolve_entity_id":":NONE:","partner_entity_id":"7","exp":1,"nbf":"1"}"#,
                .registration, [.wrongClaimType]
            ),
            (#"{"alg":"HS512","typ":"JWT","v2":"v2"}"#, known, .login, [.misnamedAuth]),
            (plain, known, .login, [.missingAuth]),
            (#"{"alg":"HS512","typ":"JWT","auth":"v1"}"#, known, .login, [.missingAuth]),
            (plain, "{}", .registration, [.missingClaim, .missingClaim, .missingClaim]),
            (login, "{}", .login, [.missingClaim, .missingClaim, .missingClaim, .missingClaim]),
            (
                plain, #"{"rezolve_entity_id":"NONE","partner_entity_id":"7","exp":1}"#,
                .registration, [.wrongEntityID]
            ),
            (
                login,
                #"{"rezolve_entity_id":":NONE:","partner_entity_id":"7","exp":1,"device_id":"d"}"#,
                .registration, []
            ),
            (
                login, #"{"rezolve_entity_id":"none","partner_entity_id":"7","exp":1}"#, .login,
                [.missingClaim, .wrongEntityID]
            ),
            (
                plain, #"{"rezolve_entity_id":":NONE:","partner_entity_id":7,"exp":"1"}"#,
                .registration, [.wrongClaimType, .wrongClaimType]
            ),
            (
                plain, #"{"rezolve_entity_id":":NONE:","partner_entity_id":"","exp":1e999}"#,
                .registration, [.missingClaim, .wrongClaimType]
            ),
            (
                plain, #"{"rezolve_entity_id":":NONE:","partner_entity_id":"7","exp":1.5}"#,
                .registration, []
            ),
            (
                plain, #"{"exp":1,"exp":2,"rezolve_entity_id":":NONE:","partner_entity_id":"7"}"#,
                .registration, [.duplicateMember]
            ),
        ] as [(String, String, RezolveToken.Kind, [TokenProblem.Code])])
    func contents(
        header: String, claims: String, kind: RezolveToken.Kind, codes: [TokenProblem.Code]
    ) {
        let token = Self.token(header, claims)
        #expect(token.kind == kind)
        #expect(token.problems.map(\.code) == codes)
    }

    @Test(
        "problems of the form are named with their byte",
        arguments: [
            ("", .notThreeParts, 0), ("e30", .notThreeParts, 3), ("e30.e30", .notThreeParts, 7),
            ("e30.e30.AA.AA.AA", .notThreeParts, 10), ("e30..AA", .notThreeParts, 4),
            ("e30=.e30.AA", .base64Padding, 3), ("e30.e30.A/8", .base64Alphabet, 9),
            ("e30.e3 0.AA", .brokenBase64, 6), ("e30.e30.A*A", .brokenBase64, 9),
            ("e30.e3012.AA", .brokenBase64, 9), ("e30.eyJh.AA", .brokenJSON, 8),
            ("W10.e30.AA", .notAnObject, 0), ("e30.MQ.AA", .notAnObject, 4),
        ] as [(String, TokenProblem.Code, Int)])
    func form(text: String, code: TokenProblem.Code, offset: Int) {
        let problem = RezolveToken(Array(text.utf8)).problems.first { $0.code == code }
        #expect(problem?.offset == offset)
    }

    @Test("problems of claims are named with the byte of their value")
    func claimPlaces() throws {
        let claims = #"{"rezolve_entity_id":"none","partner_entity_id":7,"exp":"soon"}"#
        let token = Self.token(Self.plain, claims)
        let start = Base64Text.encode(Self.plain.utf8, urlSafe: true).count + 1
        let places = [#"7,"exp"#, #""soon"#, #""none"#].map { text in
            let offset = claims.firstRange(of: text).map {
                claims.utf8.distance(from: claims.startIndex, to: $0.lowerBound)
            }
            // Four digits of Base64 are three octets.
            return start + (offset ?? -1) * 4 / 3
        }
        #expect(token.problems.map(\.offset) == places)
        let missing = Self.token(Self.login, #"{"exp":1000,"device_id":"d"}"#)
        let login = Base64Text.encode(Self.login.utf8, urlSafe: true).count + 1
        #expect(missing.problems.map(\.offset) == [login, login])
        #expect(missing.problem(at: 2000)?.offset == login + 9)
        #expect(missing.problem(onDevice: "x")?.offset == login + 32)
    }

    @Test(
        "thirty minutes are allowed, to the second",
        arguments: [
            (1_000_000_000, 999_999_999, nil), (1_000_000_000, 999_998_200, nil),
            (1_000_000_000, 999_998_199.9, .expiryTooFar), (1_000_000_000, 1_000_000_000, .expired),
            (1_000_000_000.5, 1_000_000_000, nil), (-5, 0, .expired),
            (1e300, 0, .expiryInMilliseconds),
            (1_000_000_000_000, 1_000_000_000, .expiryInMilliseconds),
        ] as [(Double, Double, TokenProblem.Code?)])
    func expiry(expiry: Double, now: Double, code: TokenProblem.Code?) {
        let token = Self.token(Self.plain, #"{"exp":\#(expiry)}"#)
        #expect(token.problem(at: now)?.code == code)
    }

    @Test(
        "RFC 7519 §4.1.5: a token isn't valid before the second of its nbf",
        arguments: [
            (999_999_000, nil), (999_999_001, .notYetValid), (999_999_000.5, .notYetValid),
            (1e300, .notYetValid), (-5, nil),
        ] as [(Double, TokenProblem.Code?)])
    func start(start: Double, code: TokenProblem.Code?) {
        let token = Self.token(Self.plain, #"{"exp":1000000000,"nbf":\#(start)}"#)
        #expect(token.problem(at: 999_999_000)?.code == code)
        #expect(token.problem(at: 1_000_000_000)?.code == .expired)
    }

    @Test("says how long ago a token expired")
    func ago() {
        let token = Self.token(Self.plain, #"{"exp":1000}"#)
        #expect(token.problem(at: 1000)?.message == "The token expired less than a second ago.")
        #expect(token.problem(at: 8325)?.message == "The token expired 2 h 2 min ago.")
        #expect(token.problem(at: .infinity)?.message == "The token expired ages ago.")
    }

    @Test("a login token belongs to one device")
    func devices() {
        let token = Self.token(Self.login, Self.known)
        #expect(token.problem(onDevice: "d") == nil)
        #expect(token.problem(onDevice: "D")?.code == .deviceIDMismatch)
        #expect(token.problem(onDevice: nil)?.code == .deviceIDMismatch)
        #expect(Self.token(Self.plain, Self.newcomer).problem(onDevice: nil) == nil)
    }

    @Test("survives 20,000 mutations, with every place inside of the token")
    func mutations() {
        var random = SeededGenerator(seed: 0x4E20)
        let tokens = [
            Array(Self.published.utf8),
            RezolveToken.signed(
                RezolveToken.unsigned(
                    for: .entity("e", device: "d"), partnerEntity: "7", expiry: 1.5), [7, 8, 9]),
        ]
        for round in 0..<20_000 {
            let bytes = random.mutation(of: tokens[round % 2])
            let token = RezolveToken(bytes)
            let problems =
                token.problems
                + [token.problem(at: 1.6e9), token.problem(onDevice: "x")]
                .compactMap { $0 }
            for case let offset? in problems.map(\.offset) where !(0...bytes.count ~= offset) {
                Issue.record("\(offset) is outside of \(bytes)")
            }
            _ = token.otherSpellings
        }
    }
}
