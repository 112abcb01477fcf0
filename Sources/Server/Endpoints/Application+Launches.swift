// Creates launch links whose callbacks carry their flow, and plans what the emulators do.

import Clocks
import Emulator
import HTTP1
import JSON
import LinkPatterns
import Problems
import QRCode
import ResultAPI
import ResultStore
import RezolveSandbox
import Vendors

extension Application {
    private static let planBytes = 64 * 1024

    /// `POST /api/v1/launches`: a link that opens the vendor's app, tied to a flow.
    func mintLaunch(
        _ request: Request, over connection: inout Connection
    ) async throws(Problem) -> Response {
        let receivedAt = Timestamp.now
        try QueryParameters(request).requireNone()
        let body = try await connection.content(upTo: Self.planBytes)
        let (response, record, callback) = try await api.largeWork.run(
            overReceived: request.bytes.count + body.count
        ) { () throws(Problem) in
            try minted(by: request, body, at: receivedAt)
        }
        let receipt = try await append(record, over: &connection)
        flows.add(record, receipt, callback: callback)
        return response
    }

    /// The response with a new link, its record, and the callback that it names.
    ///
    /// O(size).
    private func minted(
        by request: Request, _ body: [UInt8], at receivedAt: Timestamp
    ) throws(Problem) -> (Response, NewRecord, callback: String?) {
        let order = try LaunchOrder(body)
        let flow = RecordID(at: receivedAt).description
        let base = try order.address(among: addresses) ?? base(of: request)
        let launch = try order.launch(flow: flow, base: base)
        let check = LaunchCheck(
            of: Array(launch.url.utf8), as: launch.contract, partners: emulator.partners)
        let opened = OpenedLaunch(
            flow: flow, inbox: order.inbox, contract: launch.contract, receivedAt: receivedAt,
            check: check)
        var response =
            switch MintedForm(request) {
            case .image: try Self.image(of: launch.url)
            case .json(let withImage):
                Response(
                    .created, contentType: "application/json",
                    body: mintedJSON(launch, flow, check, base: base, withImage: withImage))
            }
        response.add("Location", APIPath.flow(flow))
        response.add("Landfall-Flow", flow)
        response.add("Cache-Control", "no-store")
        response.add("Vary", "Accept")
        let received = ReceivedRequest(request, body: body, masking: pseudonyms)
        let record = opened.record(
            request: received.stored, minting: launch.url, masking: pseudonyms)
        return (response, record, check.callback?.description)
    }

    /// The link as a QR code.
    private static func image(of url: String) throws(Problem) -> Response {
        do throws(QRCode.Failure) {
            return Response(
                .created, contentType: "image/svg+xml", body: Array(try svg(of: url).utf8))
        } catch {
            throw JSONMembers.refusal("parameters", "\(error)")
        }
    }

    private static func svg(of url: String) throws(QRCode.Failure) -> String {
        try QRCode(url).svg(title: "Launch link")
    }

    private func mintedJSON(
        _ launch: Launch, _ flow: String, _ check: LaunchCheck, base: String, withImage: Bool
    ) -> [UInt8] {
        var json = JSONWriter(reservingCapacity: 1024)
        json.object { json in
            json.member("flow", flow)
            json.member("vendor", launch.contract.vendor.rawValue)
            json.member("contract", launch.contract.rawValue)
            json.member("url", launch.url)
            json.member("emulator_url", EmulatorRoutes.url(of: launch, at: base, flow: flow))
            json.member("callback", launch.callback)
            if withImage { json.member("qr_code", try? Self.svg(of: launch.url)) }
            json.array("diagnostics") { json in
                for finding in check.diagnostics { finding.write(to: &json) }
            }
            json.object("links") { json in
                json.member("self", APIPath.flow(flow))
                json.member("results", APIPath.results(ofFlow: flow))
            }
        }
        return json.bytes
    }

    /// `GET`, `PUT` and `DELETE /api/v1/emulator/{vendor}`: the plan for the next launches.
    func planEmulator(
        _ name: String?, _ request: Request, over connection: inout Connection
    ) async throws(Problem) -> Response {
        try QueryParameters(request).requireNone()
        let vendor = try ResultAPI.vendor(name)
        guard let contract = vendor.declaration.currentLaunch else {
            throw Problem(
                status: .notFound, kind: "unknown-emulator",
                detail: "\(vendor.rawValue) has no emulated app.")
        }
        let possible =
            contract.sandboxPath == nil
            ? VendorApp.scenarios(of: contract) : RezolveSandbox.scenarios
        func state(_ plan: ScenarioPlan) -> [UInt8] {
            var json = JSONWriter()
            plan.write(to: &json, of: vendor, possible: possible)
            return json.bytes
        }
        var plan = ScenarioPlan(scenarios: [])
        switch request.method {
        case .put:
            let body = try await connection.content(upTo: Self.planBytes)
            plan = try ScenarioPlan(body, of: vendor)
        case .delete: break
        default: return try ResultAPI.state(state(emulator.plans[vendor]), for: request)
        }
        try emulator.plans.set(plan, of: vendor) { former throws(Problem) in
            _ = try ResultAPI.state(state(former), for: request)
        }
        return ResultAPI.uncached(state(emulator.plans[vendor]))
    }

    /// Scheme and authority of this server, as the request names it.
    func base(of request: Request) -> String {
        let authority = request.authority.map { String(decoding: $0, as: UTF8.self) }
        return (request.origin.isSecure ? "https://" : "http://") + (authority ?? "localhost")
    }
}

/// The paths where launches of each contract are emulated.
enum EmulatorRoutes {
    /// The path of each contract that is emulated without a sandbox of its own.
    static let paths = Contract.launchable.compactMap { contract in
        contract.emulatedPath.map { (contract: contract, path: $0) }
    }

    /// The URL of a launch at a server's emulator; nil if it has none.
    ///
    /// - Parameter flow: added to a link that has no callback to carry it.
    static func url(of launch: Launch, at base: String, flow: String) -> String? {
        if let sandbox = launch.contract.sandboxPath {
            let link = LinkURL(launch.url)
            let query = (link.query.map { "\($0)&" } ?? "") + "\(FlowID.parameter)=\(flow)"
            return "\(base)/\(sandbox)\(link.path)?\(query)"
        }
        guard launch.form == .link,
            let path = launch.contract.emulatedPath
        else { return nil }
        // A component such as `:action` is a parameter of the launch.
        let components = path.split(separator: "/").map { component in
            component.first == ":"
                ? (launch.value(of: String(component.dropFirst())) ?? "").percentEncoded
                : String(component)
        }
        let query = LinkURL(launch.url).query ?? ""
        // A custom scheme alone carries no flow, so the launch has to name the opened one.
        let own = launch.contract.returnsToScheme ? "&\(FlowID.parameter)=\(flow)" : ""
        return "\(base)/\(components.joined(separator: "/"))?\(query)\(own)"
            + EmulatorControls.mark(for: launch)
    }
}

/// The form of the response with a new link.
private enum MintedForm {
    /// As a QR code alone.
    case image
    /// As JSON, with the QR code in it for clients that accept both.
    case json(withImage: Bool)

    /// The form that the client accepts; JSON by default.
    init(_ request: Request) {
        let accepted = request.values(.accept).map { String(decoding: $0, as: UTF8.self) }
        let withImage = accepted.contains { $0.contains("image/svg+xml") }
        let withJSON = accepted.contains { $0.contains("json") }
        self = withImage && !withJSON ? .image : .json(withImage: withImage)
    }
}

/// The body of `POST /api/v1/launches`.
private struct LaunchOrder {
    let contract: Contract
    let parameters: [Launch.Parameter]
    let inbox: String
    let callback: String?
    private let address: String?

    init(_ body: [UInt8]) throws(Problem) {
        let members = try JSONMembers(
            body,
            known: [
                "vendor", "contract", "parameters", "inbox", "callback", "address",
            ])
        let own = try members.text("contract")
        let vendor = try members.text("vendor")
        let name = own ?? vendor
        guard let name, let contract = Contract(launching: name) else {
            let vendors = Set(Contract.launchable.map(\.vendor.rawValue)).sorted()
            let contracts = Contract.launchable.map(\.rawValue).filter { !vendors.contains($0) }
            throw JSONMembers.refusal(
                "vendor",
                "Expected one of \(vendors.joined(separator: ", ")), or a contract: "
                    + contracts.joined(separator: ", ") + ".")
        }
        if let vendor, Contract(launching: vendor)?.vendor != contract.vendor {
            throw JSONMembers.refusal(
                "vendor",
                "Expected the vendor of \(contract.rawValue), \(contract.vendor.rawValue), or none."
            )
        }
        self.contract = contract
        let given = try members.texts("parameters")
        parameters = given.map { Launch.Parameter($0.name, $0.value) }
        inbox = try Inbox.name(in: members.text("inbox"))
        callback = try members.text("callback")
        address = try members.text("address")
        let parameter = Launch.callbackParameter(of: contract)
        if callback != nil, contract.returnsToScheme || parameter == nil {
            throw JSONMembers.refusal(
                "callback",
                parameter.map { "Expected none: it is the parameter \($0) of these links." }
                    ?? "Expected none: these links name no callback.")
        }
    }

    /// The address of this server that the links are to lead to; nil for the request's own.
    ///
    /// Throws 400 if the server doesn't list it.
    func address(among addresses: ServerAddresses) throws(Problem) -> String? {
        guard let address else { return nil }
        let known = addresses.list().map(\.url)
        guard known.contains(address) else {
            throw JSONMembers.refusal(
                "address", "Expected an address of this server: \(known.joined(separator: ", ")).")
        }
        return address
    }

    /// The launch, whose callback carries the flow: to the partner's own URL or to our receiver.
    ///
    /// - Parameter base: scheme and authority of this server.
    func launch(flow: String, base: String) throws(Problem) -> Launch {
        do throws(LaunchError) {
            var parameters = parameters
            let names = Launch.callbackParameters(of: contract)
            if contract.returnsToScheme || names.isEmpty {
                return try Launch(contract, parameters).carrying(flow: flow, isReceiver: false)
            }
            if callback != nil { parameters.removeAll { $0.name == names.first } }
            let isReceiver = callback == nil && !parameters.contains { names.contains($0.name) }
            let receiver = ReceiverPath.path(vendor: contract.vendor, inbox: inbox, flow: flow)
            let target = isReceiver ? base + receiver : callback
            if let target {
                parameters += Launch.callbackParameters(of: contract, to: target)
                    .filter { new in !parameters.contains { $0.name == new.name } }
            }
            let launch = try Launch(contract, parameters)
            return isReceiver ? launch : launch.carrying(flow: flow, isReceiver: false)
        } catch {
            throw JSONMembers.refusal("parameters", "\(error)")
        }
    }
}

extension ScenarioPlan {
    /// Reads the body of `PUT /api/v1/emulator/{vendor}`.
    init(_ body: [UInt8], of vendor: Vendor) throws(Problem) {
        let members = try JSONMembers(body, known: ["scenarios", "repeat", "seed"])
        // The vendor's current contract is the last one.
        let contracts = Contract.launchable.filter { $0.vendor == vendor }
        let isSandboxed = contracts.contains { $0.sandboxPath != nil }
        let texts = try members.list("scenarios")
        guard texts.count <= Self.most else {
            throw JSONMembers.refusal("scenarios", "Expected at most \(Self.most).")
        }
        var scenarios: [Scenario] = []
        for text in texts {
            let scenario: Scenario
            do throws(ScenarioError) {
                if isSandboxed, !RezolveSandbox.scenarioNames.contains(text) {
                    throw ScenarioError.unknown(
                        text, meant: nil, possible: RezolveSandbox.scenarioNames)
                }
                scenario = try Scenario(parsing: text, of: contracts.last)
            } catch {
                throw JSONMembers.refusal("scenarios", "\(error)")
            }
            if !isSandboxed {
                let errors = contracts.compactMap { Self.error(of: scenario, in: $0) }
                if errors.count == contracts.count, let error = errors.last {
                    throw JSONMembers.refusal("scenarios", "\(error)")
                }
            }
            scenarios.append(scenario)
        }
        self.init(scenarios: scenarios, repeats: try members.flag("repeat") ?? false)
        seed = try members.number("seed")
    }

    private static func error(of scenario: Scenario, in contract: Contract) -> ScenarioError? {
        do throws(ScenarioError) {
            try VendorApp.check(scenario, of: contract)
            return nil
        } catch {
            return error
        }
    }
}
