// Signatures of webhooks, against the vector that Svix's library publishes (vendor document 1.4).
// Invariant: every refusal has its counterpart that is believed, one step away.

import Crypto
import Testing
import Vendors

@testable import Certification
@testable import Emulator
@testable import LinkHosting
@testable import ResultAPI
@testable import ResultStore
@testable import RezolveSandbox
@testable import Settings

@Suite("Webhook signatures")
struct WebhookSignatureTests {
    private static let secretText = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
    private static let timestamp: Int64 = 1_614_265_330
    private static let body = Array(#"{"test": 2432232314}"#.utf8)
    private static let code = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="

    private let secret: WebhookSecret
    private let other: WebhookSecret

    init() throws {
        secret = try #require(WebhookSecret(Self.secretText))
        other = try #require(WebhookSecret("whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"))
    }

    /// What is wrong; nil when nothing is.
    private func fault(
        signatures: String? = code, timestamp: String? = "\(timestamp)",
        id: String? = "msg_p5jXN8AQM9LWM0D4loKWxJek", body: [UInt8] = body,
        secrets: [WebhookSecret]? = nil, at now: Int64 = timestamp
    ) -> WebhookFault? {
        do throws(WebhookFault) {
            try WebhookSignature.check(
                WebhookFields(id: id, timestamp: timestamp, signatures: signatures), body,
                secrets: secrets ?? [secret], now: now)
            return nil
        } catch {
            return error
        }
    }

    @Test("the published vector is made and believed (vendor document 1.4)")
    func vector() {
        let fields = WebhookSignature.fields(
            id: "msg_p5jXN8AQM9LWM0D4loKWxJek", timestamp: Self.timestamp, body: Self.body,
            secret: secret)
        #expect(fields.map(\.name) == ["svix-id", "svix-timestamp", "svix-signature"])
        #expect(fields.map(\.value) == ["msg_p5jXN8AQM9LWM0D4loKWxJek", "1614265330", Self.code])
        #expect(fault() == nil)
    }

    @Test("a certificate signs a webhook with the time at which it is sent, not that of its plan")
    func certified() throws {
        let plan = CheckPlan(
            .fluxWebhook, at: try CallbackURL("https://example.com/hooks"), seed: 7,
            secret: secret, now: Self.timestamp, run: "1")
        let sent = Self.timestamp + 3600
        for check in try plan.checks() {
            let fields = check.signature(sent)
            func value(_ end: String) -> String? { fields.first { $0.name.hasSuffix(end) }?.value }
            let found = fault(
                signatures: value("-signature"), timestamp: value("-timestamp"), id: value("-id"),
                body: check.body, at: sent)
            #expect((found == nil) == (check.expectation != .refused), "\(check.name)")
        }
    }

    @Test(
        "any v1 entry will do",
        arguments: [
            code, "v1,AAAA \(code)", "v2,\(code.dropFirst(3)) \(code)", "\(code) v1,",
            "v1a,xyz \(code)", "  \(code)  ",
        ])
    func entries(signatures: String) {
        #expect(fault(signatures: signatures) == nil)
    }

    @Test("any secret will do")
    func secrets() {
        #expect(fault(secrets: [other, secret]) == nil)
        #expect(fault(secrets: [other]) == .noMatch(entries: 1, secrets: 1))
        #expect(fault(secrets: [other, other]) == .noMatch(entries: 1, secrets: 2))
    }

    @Test("times may be five minutes apart (vendor document 6)", arguments: [-300, 0, 300])
    func tolerance(seconds: Int64) {
        #expect(fault(at: Self.timestamp + seconds) == nil)
    }

    @Test("says how far times are apart")
    func times() {
        #expect(fault(at: Self.timestamp + 301) == .tooOld(seconds: 301))
        #expect(fault(at: Self.timestamp - 301) == .tooNew(seconds: 301))
        #expect(fault(timestamp: "0", at: 1_700_000_000) == .tooOld(seconds: 1_700_000_000))
        let last = String(Int64.max)
        #expect(fault(timestamp: last, at: 0) == .tooNew(seconds: .max))
    }

    @Test(
        "says what differs",
        arguments: [
            (nil, "1614265330", "m", WebhookFault.missing(["svix-signature"])),
            (code, nil, nil, .missing(["svix-id", "svix-timestamp"])),
            (code, "now", "m", .noTimestamp), (code, "-1", "m", .noTimestamp),
            (code, "1614265330.5", "m", .noTimestamp),
            (code, "99999999999999999999", "m", .noTimestamp),
            ("v2,abc v1a,def", "1614265330", "m", .noEntry(entries: 2)),
            ("", "1614265330", "m", .noEntry(entries: 0)),
            ("v1,%%%", "1614265330", "m", .noBase64(entries: 1)),
            (code, "1614265330", "m", .noMatch(entries: 1, secrets: 1)),
            (code, "1614265331", "msg_p5jXN8AQM9LWM0D4loKWxJek", .noMatch(entries: 1, secrets: 1)),
            ("v1,AAAA v1,", "1614265330", "m", .noMatch(entries: 2, secrets: 1)),
        ] as [(String?, String?, String?, WebhookFault)])
    func faults(signatures: String?, timestamp: String?, id: String?, expected: WebhookFault) {
        #expect(fault(signatures: signatures, timestamp: timestamp, id: id) == expected)
    }

    @Test("the body counts octet for octet")
    func bodies() {
        let spaced = Array(#"{"test":2432232314}"#.utf8)
        #expect(fault(body: spaced) == .noMatch(entries: 1, secrets: 1))
        #expect(fault(body: Self.body + [0x0A]) == .noMatch(entries: 1, secrets: 1))
    }

    @Test("what was signed is believed, and with a changed octet it isn't", arguments: 0..<32)
    func roundTrip(size: Int) {
        var body = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 37) }
        let fields = WebhookSignature.fields(id: "a", timestamp: 7, body: body, secret: other)
        let signatures = fields.first { $0.name == "svix-signature" }?.value
        #expect(
            fault(
                signatures: signatures, timestamp: "7", id: "a", body: body, secrets: [other], at: 7
            ) == nil)
        body.append(1)
        #expect(
            fault(
                signatures: signatures, timestamp: "7", id: "a", body: body, secrets: [other], at: 7
            ) != nil)
    }

    @Test(
        "a secret is whsec_ and Base64",
        arguments: [
            "", "whsec_", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whsec_***", "whsec_AAAA",
            "WHSEC_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
        ])
    func badSecrets(text: String) {
        #expect(WebhookSecret(text) == nil)
    }

    @Test("a refusal names neither secret nor signature")
    func refusals() {
        let faults: [WebhookFault] = [
            .missing(["svix-id"]), .noTimestamp, .tooOld(seconds: 301), .tooNew(seconds: 302),
            .noEntry(entries: 2), .noBase64(entries: 1), .noMatch(entries: 2, secrets: 3),
            .changedBody,
        ]
        for fault in faults {
            let text = fault.problem.detail + fault.found + fault.expected + fault.hint
            #expect(!text.contains("MfKQ9r8") && !text.contains("g0hM9S"))
            #expect(fault.diagnostic.code == RecordDiagnostics.refusedCode)
            #expect(fault.diagnostic.severity == .warning)
        }
        #expect(WebhookFault.tooOld(seconds: 301).problem.detail.contains("301 s old"))
        #expect(WebhookFault.tooNew(seconds: 302).problem.detail.contains("302 s ahead"))
        #expect(
            WebhookFault.noMatch(entries: 2, secrets: 3).problem.detail.contains("none of which"))
    }
}
