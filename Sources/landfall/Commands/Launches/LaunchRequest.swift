// The launch that `landfall launch` creates: locally, or by a server, which then waits for its
// callback.

import Clocks
import Emulator
import Foundation
import HTTPClient
import JSON
import ResultAPI
import ResultStore
import Text
import Vendors

/// A launch as the arguments describe it.
struct LaunchRequest {
    private let command: LaunchCommand.Link
    private let contract: Contract
    private let parameters: [Launch.Parameter]

    /// Reads the arguments.
    ///
    /// Throws a sentence for invalid ones.
    init(_ command: LaunchCommand.Link) throws(CommandFailure) {
        self.command = command
        contract = try Self.contract(command)
        var parameters: [Launch.Parameter] = []
        for pair in command.allPairs {
            guard let parameter = Launch.Parameter(pair: pair) else {
                throw CommandFailure(
                    usage: "\"\(TerminalText.visible(pair))\" is not key=value. Keys of "
                        + "\(contract.rawValue): \(Self.keys(of: contract)).")
            }
            parameters.append(parameter)
        }
        if let callback = command.callback {
            guard let name = Launch.callbackParameter(of: contract) else {
                throw CommandFailure(usage: "Links of \(contract.rawValue) have no callback.")
            }
            guard !parameters.contains(where: { $0.name == name }) else {
                throw CommandFailure(usage: "--callback and the key \(name) mean the same.")
            }
            parameters.append(Launch.Parameter(name, callback))
        }
        self.parameters = parameters
        if !contract.hasLaunchForm(command.form) {
            throw CommandFailure(usage: "Only Welltory's links have other forms: leave out --form.")
        }
        let ofServer = [
            ("inbox", command.inbox), ("token", command.access.token),
            ("ca", command.access.trust.ca),
        ]
        if command.server == nil, let (name, _) = ofServer.first(where: { $0.1 != nil }) {
            throw CommandFailure(usage: "--\(name) needs --server.")
        }
        if command.server != nil, command.flow == nil {
            throw CommandFailure(usage: "--server needs --flow.")
        }
    }

    private static func keys(of contract: Contract) -> String {
        Launch.knownParameters(of: contract).joined(separator: ", ")
    }

    private static func contract(_ command: LaunchCommand.Link) throws(CommandFailure) -> Contract {
        let vendors = Vendor.launchable.map(\.rawValue)
        let contracts = Contract.launchable.map(\.rawValue)
        guard let contract = Contract(launching: command.vendor) else {
            let nearest = Spelling.nearest(to: command.vendor, among: vendors + contracts)
            throw CommandFailure(
                usage: "Unknown vendor or contract: "
                    + "\"\(TerminalText.visible(command.vendor))\"."
                    + (nearest.map { " Did you mean \($0)?" } ?? "")
                    + " Vendors: \(vendors.joined(separator: ", ")); "
                    + "contracts: \(contracts.joined(separator: ", ")).")
        }
        guard let name = command.contract else { return contract }
        let isVendor = vendors.contains(command.vendor)
        let choices = Contract.launchable.filter {
            isVendor ? $0.vendor == contract.vendor : $0 == contract
        }
        guard let chosen = choices.first(where: { $0.rawValue == name }) else {
            let known = choices.map(\.rawValue).joined(separator: ", ")
            throw CommandFailure(
                usage: "\(command.vendor) has no launch links of that contract, only of \(known).")
        }
        return chosen
    }

    /// Creates the launch.
    func make() async throws(CommandFailure) -> MadeLaunch {
        if let server = command.server { return try await ask(server) }
        var launch: Launch
        do throws(LaunchError) {
            let callbacks = command.callback.map {
                Launch.callbackParameters(of: contract, to: $0)
            }
            let others = callbacks?.filter { new in
                !parameters.contains { $0.name == new.name }
            }
            launch = try Launch(contract, parameters + (others ?? []), form: command.form)
        } catch {
            throw CommandFailure(usage: error.description)
        }
        var flow: String?
        if command.flow != nil {
            guard Launch.callbackParameter(of: contract) != nil else {
                throw CommandFailure(
                    usage: "Links of \(contract.rawValue) have no callback that could carry a "
                        + "flow's id: leave out --flow.")
            }
            let id = try flowID()
            let isOwn = launch.callback.flatMap { try? CallbackURL($0) }?.isLocal ?? false
            launch = launch.carrying(flow: id, isReceiver: isOwn)
            let carried = launch.callback.flatMap { try? CallbackURL($0) }?.flow
            guard carried == id else {
                throw CommandFailure(
                    usage: launch.callback == nil
                        ? "A flow's id travels in the callback: add --callback URL."
                        : "This callback can't carry a flow's id; a server matches such callbacks by "
                            + "the vendor's own keys: add --server URL.")
            }
            flow = id
        }
        return MadeLaunch(launch, flow: flow)
    }

    /// The given id, or a new one.
    private func flowID() throws(CommandFailure) -> String {
        let given = command.flow ?? ""
        if given.isEmpty || given.contains("=") {
            return RecordID(at: .now).description
        }
        guard FlowID.isValid(given.utf8) else {
            throw CommandFailure(
                usage: "--flow takes the id of a flow, a UUID of version 7 in lower case; write it "
                    + "last for a new one.")
        }
        return given
    }

    // MARK: A server

    private func ask(_ server: String) async throws(CommandFailure) -> MadeLaunch {
        if let flow = command.flow, !flow.isEmpty, !flow.contains("=") {
            throw CommandFailure(usage: "The server makes the flow's id: write --flow without one.")
        }
        if command.form != .link {
            throw CommandFailure(usage: "A server makes links only: leave out --form.")
        }
        let token = try KnownServer.token(command.access.token)
        let authorities = try command.access.trust.authorities()
        var address: String?
        if command.qr != nil {
            let question = ClientRequest(
                .get, "/api/v1/addresses", at: server, token: token, trusting: authorities)
            address = Self.reachable(try await question.response())
        }
        var request = ClientRequest(
            .post, APIPath.launches, at: server, token: token, trusting: authorities)
        request.fields += [("Content-Type", "application/json"), ("Accept", "application/json")]
        request.body = .bytes(body(leadingTo: address))
        let answer = try await request.response()
        guard answer.status == 201 else { throw CommandFailure(answer) }
        guard let made = MadeLaunch(answer: answer.body) else {
            throw CommandFailure("The server's response has no link.")
        }
        return made
    }

    /// The server's best address for another device; nil if it lists none.
    private static func reachable(_ answer: ClientResponse) -> String? {
        let list = (try? JSONDocument(parsing: answer.body))?.root["addresses"]
        let best = list.flatMap { list in
            list.elements.first { $0["kind"]?.string != "loopback" }
        }
        return best?["url"]?.string
    }

    /// `{"vendor","contract","parameters":{…},"inbox","callback","address"}`.
    private func body(leadingTo address: String?) -> [UInt8] {
        // A server has no receiver in place of a scheme, so such a callback is a parameter like others.
        let callback = contract.returnsToScheme ? nil : Launch.callbackParameter(of: contract)
        return JSONWriter.object { json in
            json.member("vendor", contract.vendor.rawValue)
            json.member("contract", contract.rawValue)
            json.object("parameters") { json in
                for parameter in parameters where parameter.name != callback {
                    json.member(parameter.name, parameter.value)
                }
            }
            if let inbox = command.inbox { json.member("inbox", inbox) }
            if let url = parameters.first(where: { $0.name == callback })?.value {
                json.member("callback", url)
            }
            if let address { json.member("address", address) }
        }
    }
}

/// A created launch.
struct MadeLaunch {
    let url: String
    private let callback: String?
    /// What `--json` prints: `{"flow","url","callback","contract","links":{…}}`.
    let document: [UInt8]
    /// What is allowed, but unwise, and what the vendor's app would refuse.
    let warnings: [String]

    init(_ launch: Launch, flow: String?) {
        url = launch.url
        callback = launch.callback
        warnings = LaunchCheck(of: Array(url.utf8)).diagnostics.filter {
            $0.severity == .warning
        }.map { Self.warning($0.expected, $0.found, $0.hint) }
        document = JSONWriter.object { json in
            json.member("flow", flow)
            json.member("url", launch.url)
            json.member("callback", launch.callback)
            json.member("contract", launch.contract.rawValue)
            json.object("links") { _ in }
        }
    }

    /// A server's response; nil if it holds no link.
    init?(answer: [UInt8]) {
        let root = (try? JSONDocument(parsing: answer))?.root
        guard let url = root?["url"]?.string else { return nil }
        self.url = url
        callback = root?["callback"]?.string
        document = answer
        warnings = (root?["diagnostics"].map { Array($0.elements) } ?? []).map { diagnostic in
            Self.warning(
                diagnostic["expected"]?.string ?? "", diagnostic["found"]?.string ?? "",
                diagnostic["hint"]?.string)
        }
    }

    /// What a QR code of the link would do on a phone that this machine alone can answer; nil if
    /// another device can.
    var phoneWarning: String? {
        guard let url = callback.flatMap({ try? CallbackURL($0) }), let host = url.host,
            CallbackTarget.isLoopback(host)
        else { return nil }
        return
            "The callback leads to \(TerminalText.visible(host)), which on a phone is the phone "
            + "itself: serve with --host 0.0.0.0, or name the server's address in listen.url."
    }

    private static func warning(_ expected: String, _ found: String, _ hint: String?) -> String {
        TerminalText.visible(
            "expected \(expected), found \(found)" + (hint.map { ": \($0)" } ?? ""))
    }
}
