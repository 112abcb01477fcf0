// `landfall send`: sends a callback alone. It posts what a vendor's app returns in a scenario, as a
// partner's back end would forward it, or Flux's webhook as Flux's server delivers it.

import ArgumentParser
import Clocks
import Emulator
import Foundation
import HTTPClient
import JSON
import LinkPatterns
import ResultStore
import Settings
import Text
import Vendors

struct Send: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Send a vendor's callbacks to a server, and print the responses.",
        discussion: """
            dimmy is Flux, the vendor's current contract; dimmy-2024 is the previous one. For \
            rezolve, the callback is a form that was filled in.

            EXAMPLES
              landfall send welltory
              landfall send flux --scenario error:not_logged_in
              landfall send ailet --scenario malformed:json --get
              landfall send welltory --scenario duplicate:3 --to https://example.com/dds
              landfall send flux-webhook --secret whsec_…

            Prints one response per line. Exit code 0 when every response is a success (2xx, which \
            Landfall gives for a callback that it decoded), 1 when one isn't, 2 for bad usage, 3 when \
            the server can't be reached. `landfall trip VENDOR --scenarios` lists the scenarios; \
            flux-webhook only has completed.
            """)

    @Argument(
        help: "\(Vendor.launchableNames), or a contract.",
        completion: .list(Contract.sendingNames))
    var vendor: String

    @Option(help: ArgumentHelp("The scenario of the vendor's app.", valueName: "scenario"))
    var scenario = "completed"

    @Option(
        help: ArgumentHelp(
            "Where to send to: a server, or the whole URL of a callback route; otherwise "
                + "LANDFALL_SERVER, the server of the configured data folder, or the configured "
                + "address.",
            valueName: "url"))
    var to: String?

    @Option(help: "The same seed gives the same values; a random one otherwise.")
    var seed: UInt64?

    @Flag(help: "Open the callback as a link (GET), as a device does, instead of posting a form.")
    var get = false

    @Option(
        help: ArgumentHelp(
            "The secret for flux-webhook; the first of LANDFALL_WEBHOOK_SECRETS otherwise.",
            valueName: "text"))
    var secret: String?

    @OptionGroup var format: JSONOption

    @OptionGroup var trust: TrustOption

    func validate() throws {
        try to?.requireURL("--to")
        _ = try contract()
    }

    private func contract() throws(ValidationError) -> Contract { try .ofMessages(vendor) }

    func run() async throws {
        let contract = try contract()
        let isWebhook = contract.declaration.isWebhook
        guard isWebhook || secret == nil else {
            throw ValidationError("Only webhooks are signed: omit --secret.")
        }
        let secret = isWebhook ? try WebhookSecret.ofOption(secret, for: contract) : nil
        let seed = seed ?? UInt64.random(in: VendorApp.seeds)
        let answers: [EmulatedAnswer]
        do {
            answers = try Self.answers(contract, scenario, seed)
        } catch {
            throw ValidationError("\(error)")
        }
        if get, answers.contains(where: { $0.body != nil }) {
            throw ValidationError("What \(contract.rawValue) sends here isn't a link: omit --get.")
        }
        let authorities = try trust.authorities()
        let url = try destination(contract)
        if answers.isEmpty {
            Console.printError(
                "\(contract.rawValue) sends nothing in the scenario \(scenario).")
        }
        var replies: [ClientResponse] = []
        var sent: Duration = .zero
        for answer in answers {
            if answer.after > sent { try? await Task.sleep(for: answer.after - sent) }
            sent = answer.after
            var answer = answer
            answer.query = answer.query(forAllEndsOf: contract)
            var request = request(answer, url, authorities)
            if isWebhook { request.sign(with: secret) }
            let reply = try await request.response()
            let text = String(decoding: reply.body, as: UTF8.self)
            if !format.json {
                try Console.print(Console.isTerminal ? TerminalText.visible(text) : text)
            }
            replies.append(reply)
        }
        if format.json { try Console.print(document(contract, seed, replies)) }
        guard Self.areSuccesses(replies) else { throw CommandFailure.exit(Exit.no) }
    }

    /// Whether all responses are successes (RFC 9110 §15.3).
    private static func areSuccesses(_ replies: [ClientResponse]) -> Bool {
        replies.allSatisfy { (200...299).contains($0.status) }
    }

    private static func answers(
        _ contract: Contract, _ scenario: String, _ seed: UInt64
    ) throws -> [EmulatedAnswer] {
        let isWebhook = contract.declaration.isWebhook
        guard contract.callsBack || scenario == Scenario.completed.description else {
            throw ValidationError("\(contract.rawValue) has only the scenario completed.")
        }
        if !contract.callsBack, !isWebhook { return [.act] }
        let callback = contract.returnsToScheme ? "yourapp" : "https://www.yourapp.com/callback"
        let launch = try Launch.sample(contract.launching, callback: callback, number: seed)
        let app = VendorApp(launch, seed: seed, at: Int64(Date.now.timeIntervalSince1970))
        guard isWebhook else {
            return try app.answers(Scenario(parsing: scenario, of: contract))
        }
        return app.webhooks.map {
            EmulatedAnswer(query: [], body: .json($0.body), outcome: .completed)
        }
    }

    private func request(
        _ answer: EmulatedAnswer, _ url: String, _ authorities: [UInt8]?
    ) -> ClientRequest {
        // A broken URL can only be sent as a URL.
        let isLink = get || scenario == Scenario.malformed(.url).description
        if isLink, answer.body == nil {
            let link = (try? CallbackURL(url))?.appending(answer.query)
            let text = link.map { String(decoding: $0, as: UTF8.self) } ?? url
            return ClientRequest(.get, text, trusting: authorities)
        }
        let body = answer.body ?? .form(answer.query.escapingPlus)
        var request = ClientRequest(
            .post, url, fields: [("Content-Type", body.content.type)], trusting: authorities)
        request.body = .bytes(body.content.bytes)
        return request
    }

    /// The target; for a URL without a path and a query, the vendor's route on that server.
    private func destination(_ contract: Contract) throws(CommandFailure) -> String {
        let to = try KnownServer.usual(to).url
        let server = to.withoutLastSlash
        let isWhole = LinkURL(server).query != nil || !LinkURL(server).path.isEmpty
        return isWhole ? to : server + ReceiverPath.path(vendor: contract.vendor)
    }

    /// `{"contract","scenario","seed","ok","replies":[{"status","body"}]}`.
    private func document(
        _ contract: Contract, _ seed: UInt64, _ replies: [ClientResponse]
    ) -> String {
        JSONWriter.text { json in
            json.member("contract", contract.rawValue)
            json.member("scenario", scenario)
            json.member("seed", "\(seed)")
            json.member("ok", Self.areSuccesses(replies))
            json.objects("replies", of: replies) { json, reply in
                json.member("status", Int(reply.status))
                json.key("body")
                if (try? JSONDocument(parsing: reply.body)) != nil {
                    json.raw(reply.body)
                } else {
                    json.value(String(decoding: reply.body, as: UTF8.self))
                }
            }
        }
    }
}

extension ClientRequest {
    /// Turns it into a webhook delivery, signed if there is a secret.
    fileprivate mutating func sign(with secret: WebhookSecret?) {
        guard case .bytes(let content) = body else { return }
        let id = "msg_\(RecordID(at: .now))"
        let now = Timestamp.now.unixMilliseconds / 1000
        fields +=
            secret.map {
                WebhookSignature.fields(id: id, timestamp: now, body: content, secret: $0)
            } ?? [("svix-id", id)]
    }
}

extension [UInt8] {
    /// The parameters for a form body, where a literal plus sign would mean a space.
    var escapingPlus: [UInt8] {
        flatMap { $0 == UInt8(ascii: "+") ? Array("%2B".utf8) : [$0] }
    }
}
