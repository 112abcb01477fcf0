// What a certificate checks: the messages of a vendor's app and server, each in the forms in which
// it may arrive, from good to broken.
//
// Invariant: the same plan gives the same checks, byte for byte, except for keys that must be new
// in each run, and signatures, which are made when a check is sent. Nothing is sent here.

import JSON
import LinkPatterns
import Settings
import Vendors

/// The checks of one vendor's contract at one endpoint.
package struct CheckPlan: Sendable {
    /// The contract whose messages are sent.
    let contract: Contract
    /// The partner's endpoint.
    let endpoint: CallbackURL
    /// Selects the values of the messages.
    let seed: UInt64
    /// Whether forms and JSON are posted too, as a partner's app forwards them to its back end.
    let posts: Bool
    /// The scenarios to check, of which nothing is repeated; nil for all.
    let scenarios: [Scenario]?
    /// Signs webhooks; nil leaves them out.
    let secret: WebhookSecret?
    /// Seconds since 1970; the messages' own times depend on it.
    let now: Int64
    /// New in each run: an endpoint that remembers messages must not know those of this run.
    let run: String

    /// Makes a plan.
    package init(
        _ contract: Contract, at endpoint: CallbackURL, seed: UInt64, posts: Bool = false,
        scenarios: [Scenario]? = nil, secret: WebhookSecret? = nil, now: Int64, run: String
    ) {
        self.contract = contract
        self.endpoint = endpoint
        self.seed = seed
        self.posts = posts
        self.scenarios = scenarios
        self.secret = secret
        self.now = now
        self.run = run
    }

    /// The longest wait between two messages of a scenario.
    private static let longestDelay = Duration.seconds(1)

    /// The checks in the order in which they run.
    ///
    /// Throws for a scenario that the contract doesn't have, and for a contract without messages.
    package func checks() throws -> [Check] {
        if contract.declaration.isWebhook { return try webhooks() }
        if !contract.callsBack { return acts() }
        let app = try app(of: contract)
        var checks: [Check] = []
        for scenario in chosen { checks += self.checks(of: scenario, try app.answers(scenario)) }
        if let answer = try app.answers(.completed).first {
            checks.append(own(answer))
            if scenarios == nil { checks += repeats(answer) }
        }
        checks.append(
            Check(.malformed, "no parameters at all", .answered, .get, endpoint.description))
        if secret != nil, contract.vendor.postsWebhooks { checks += try webhooks() }
        return checks
    }

    /// The scenarios to check, and all that are broken if none of those is named.
    private var chosen: [Scenario] {
        let all = Self.scenarios(of: contract)
        guard let scenarios else { return all }
        return scenarios.contains(where: \.isMalformed)
            ? scenarios : scenarios + all.filter(\.isMalformed)
    }

    /// Every scenario that a contract has, with every status and every layer, but only with the
    /// shortest wait and the fewest repetitions.
    static func scenarios(of contract: Contract) -> [Scenario] {
        VendorApp.scenarios(of: contract).flatMap { entry in
            ["delayed", "duplicate"].contains(entry.name)
                ? Array(entry.choices.prefix(1)) : entry.choices
        }
    }

    /// The vendor's app, launched with the endpoint as its callback.
    func app(of contract: Contract) throws -> VendorApp {
        let callback = contract.returnsToScheme ? "yourapp" : "https://www.yourapp.com/callback"
        let launch = try Launch.sample(contract, callback: callback, number: seed)
        return VendorApp(launch, seed: seed, at: now)
    }

    // MARK: Scenarios

    private func checks(of scenario: Scenario, _ answers: [EmulatedAnswer]) -> [Check] {
        let isMalformed = scenario.isMalformed
        var checks: [Check] = []
        var sent = Duration.zero
        for (index, answer) in answers.enumerated() {
            let part = answers.count > 1 ? ", \(index + 1) of \(answers.count)" : ""
            let name = scenario.description + part
            let query = answer.query(forAllEndsOf: contract)
            // A message without an outcome isn't one of the vendor's app.
            let expectation: Check.Expectation =
                isMalformed || answer.outcome == nil
                ? .answered : scenario == .huge ? .acceptedUnlessTooLong : .accepted
            if let body = answer.body {
                guard posts else { continue }
                checks.append(post(.malformed, name, expectation, body))
                continue
            }
            var link = Check(
                isMalformed ? .malformed : .scenarios, name, expectation, .get, url(query))
            link.delay = min(max(answer.after - sent, .zero), Self.longestDelay)
            sent = answer.after
            checks.append(link)
            // A URL that is broken as such can't be posted.
            guard posts, scenario != .malformed(.url) else { continue }
            checks += forms(
                query, isMalformed ? .malformed : .variants, name,
                isMalformed || answer.outcome == nil ? .answered : .accepted)
        }
        return checks
    }

    /// The message as a form and, if it can be read, as JSON.
    private func forms(
        _ query: [UInt8], _ group: Check.Group, _ name: String, _ expectation: Check.Expectation
    ) -> [Check] {
        let form = query.flatMap { $0 == UInt8(ascii: "+") ? Array("%2B".utf8) : [$0] }
        var checks = [post(group, "\(name), as a form", expectation, .form(form))]
        if group == .variants, let json = Self.object(of: query) {
            checks.append(post(group, "\(name), as JSON", expectation, .json(json)))
        }
        return checks
    }

    /// A message with a parameter of the partner's own.
    private func own(_ answer: EmulatedAnswer) -> Check {
        let more = answer.query + Array((answer.query.isEmpty ? "" : "&").utf8)
        return Check(
            .variants, "with a parameter of your own", .accepted, .get,
            url(more + Array("order=caf%C3%A9%2B1&empty=".utf8)))
    }

    private func repeats(_ answer: EmulatedAnswer) -> [Check] {
        var checks = (1...2).map { number in
            Check(
                .repeats, "the same link, \(number) of 2", .accepted, .get, url(answer.query))
        }
        guard posts else { return checks }
        let form = answer.query.flatMap { $0 == UInt8(ascii: "+") ? Array("%2B".utf8) : [$0] }
        for number in 1...2 {
            var check = post(
                .repeats, "the same form and Idempotency-Key, \(number) of 2", .accepted,
                .form(form))
            check.fields.append(("Idempotency-Key", "certify-\(run)"))
            checks.append(check)
        }
        return checks
    }

    // MARK: Rezolve

    /// What Rezolve's SDK posts: links of Rezolve have no callback.
    private func acts() -> [Check] {
        let good = EmulatedAnswer.act.body?.bytes ?? []
        let json = "application/json"
        var checks = [
            post(.scenarios, "an act that was filled in", .accepted, good, json),
            post(
                .variants, "the same in UTF-8 with a charset", .accepted, good,
                json + "; charset=utf-8"),
        ]
        for number in 1...2 {
            var check = post(
                .repeats, "the same act and Idempotency-Key, \(number) of 2", .accepted, good, json)
            check.fields.append(("Idempotency-Key", "certify-\(run)"))
            checks.append(check)
        }
        let broken: [(String, [UInt8])] = [
            ("JSON that is cut off", Array(good.dropLast(good.count / 4))),
            ("a list in the place of an object", Array("[1]".utf8)),
            ("answers that are no list", Array(#"{"answers":"yes"}"#.utf8)),
            ("text that isn't UTF-8", [0x7B, 0x22, 0xE9, 0x22, 0x3A, 0x31, 0x7D]),
            ("no body at all", []),
        ]
        checks += broken.map { post(.malformed, $0.0, .answered, $0.1, json) }
        return checks
    }

    // MARK: Messages

    private func url(_ query: [UInt8]) -> String {
        endpoint.appending(query).map { String(decoding: $0, as: UTF8.self) }
            ?? endpoint.description
    }

    private func post(
        _ group: Check.Group, _ name: String, _ expectation: Check.Expectation,
        _ body: Callback.Body
    ) -> Check {
        switch body {
        case .form(let bytes):
            post(group, name, expectation, bytes, "application/x-www-form-urlencoded")
        case .json(let bytes): post(group, name, expectation, bytes, "application/json")
        case .multipart(let boundary, let bytes):
            post(
                group, name, expectation, bytes,
                "multipart/form-data; boundary=\(String(decoding: boundary ?? [], as: UTF8.self))")
        case .other(let type, let bytes): post(group, name, expectation, bytes, type)
        }
    }

    func post(
        _ group: Check.Group, _ name: String, _ expectation: Check.Expectation, _ body: [UInt8],
        _ type: String
    ) -> Check {
        var check = Check(group, name, expectation, .post, endpoint.description)
        check.fields = [("Content-Type", type)]
        check.body = body
        return check
    }

    /// The parameters of a query as a JSON object of strings; nil if they can't be read.
    private static func object(of query: [UInt8]) -> [UInt8]? {
        guard let items = Link(path: [], query: query[...])?.query, !items.isEmpty else {
            return nil
        }
        return JSONWriter.object { json in
            for item in items { json.member(item.name, item.value ?? "") }
        }
    }
}
