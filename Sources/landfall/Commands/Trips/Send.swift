// `landfall send`: the callback leg alone. What a vendor's app answers by a scenario is posted, as a
// partner's back end would forward it.

import AppLinks
import ArgumentParser
import Foundation
import HTTP1
import Vendors

struct Send: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Send what a vendor's app would answer to a server, and print the replies.",
        discussion: """
            dimmy is Flux, the vendor's current contract; dimmy-2024 is the one before. Rezolve's is a form \
            that was filled in.

            EXAMPLES
              landfall send welltory
              landfall send flux --scenario error:not_logged_in
              landfall send ailet --scenario malformed:json --get
              landfall send welltory --scenario duplicate:3 --to https://example.com/dds --seed 42

            Prints one reply a line. Exit code 0 when every callback was stored and decoded, 1 when \
            not, 3 when the server can't be reached. `landfall trip VENDOR --scenarios` lists the \
            scenarios.
            """)

    @Argument(
        help: "dimmy, welltory, ailet or rezolve, or a contract.",
        completion: .list(Contract.launchingNames))
    var vendor: String

    @Option(help: ArgumentHelp("What the vendor's app does.", valueName: "scenario"))
    var scenario = "completed"

    @Option(
        help: ArgumentHelp(
            "Where to send to: a server, or the whole URL of a callback route.", valueName: "url"))
    var to = "http://127.0.0.1:8080"

    @Option(help: "The same seed gives the same values; a random one otherwise.")
    var seed: UInt64?

    @Flag(help: "Open the callback as a link (GET), as a device does, instead of posting a form.")
    var get = false

    @OptionGroup var trust: TrustOption

    func run() async throws {
        guard let contract = Contract(launching: vendor) else {
            throw ValidationError(
                "There is no vendor \(vendor); there are "
                    + "\(Contract.launchingNames.joined(separator: ", ")).")
        }
        let answers: [EmulatedAnswer]
        do {
            answers = try Self.answers(contract, scenario, seed ?? UInt64.random(in: 0...9999))
        } catch {
            throw ValidationError("\(error)")
        }
        if answers.isEmpty {
            Console.tell("\(contract.rawValue) sends nothing in the scenario \(scenario).")
        }
        do {
            let authorities = try trust.authorities()
            var isDecoded = true
            var sent: Duration = .zero
            for answer in answers {
                if answer.after > sent { try await Task.sleep(for: answer.after - sent) }
                sent = answer.after
                let reply = try await Client.send(
                    request(answer, destination(contract), authorities))
                print(String(decoding: reply.body, as: UTF8.self))
                if reply.status != 201 { isDecoded = false }
            }
            if !isDecoded { throw Exit.no }
        } catch let error as ClientError {
            Console.tell("\(error)")
            throw Exit.environment
        }
    }

    private static func answers(
        _ contract: Contract, _ scenario: String, _ seed: UInt64
    ) throws -> [EmulatedAnswer] {
        if contract == .rezolveTrigger, scenario == "completed" { return [.act] }
        let callback = contract == .ailetDeeplink ? "yourapp" : "https://www.yourapp.com/callback"
        let launch = try Launch.sample(contract, callback: callback, number: seed)
        let now = Int64(Date.now.timeIntervalSince1970)
        return try VendorApp(launch, seed: seed, at: now).answers(Scenario(parsing: scenario))
    }

    private func request(
        _ answer: EmulatedAnswer, _ url: String, _ authorities: [UInt8]?
    ) -> ClientRequest {
        if get, answer.body == nil {
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

    /// A URL without a path means the vendor's route on that server.
    private func destination(_ contract: Contract) -> String {
        let server = to.hasSuffix("/") ? String(to.dropLast()) : to
        let hasPath = server.split(separator: "/", omittingEmptySubsequences: true).count > 2
        return hasPath ? to : "\(server)/callbacks/\(contract.vendor.rawValue)"
    }
}

extension [UInt8] {
    /// The same parameters as a form has them, in which a plus sign would be a space.
    var escapingPlus: [UInt8] {
        flatMap { $0 == UInt8(ascii: "+") ? Array("%2B".utf8) : [$0] }
    }
}
