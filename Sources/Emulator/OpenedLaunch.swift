// A launch that was opened at an emulator or created here, and its record, from which its flow is
// known.

import Clocks
import JSON
import Problems
import ResultAPI
import ResultStore
import Vendors

/// One launch with its flow.
package struct OpenedLaunch: Sendable {
    let flow: String
    let inbox: String
    let contract: Contract
    let receivedAt: Timestamp
    /// The link, as the vendor's app reads it.
    package let check: LaunchCheck
    /// Where callbacks go: the link's callback URLs by parameter, with the flow if this server
    /// receives them.
    let targets: [String: CallbackURL]
    /// Nil if a person decides, or if nothing is emulated.
    let scenario: Scenario?
    /// The seed of generated values.
    let seed: UInt64?
    /// Why its callback is forbidden; nil if it is allowed.
    package let refusal: CallbackTarget.Refusal?

    package init(
        flow: String, inbox: String, contract: Contract, receivedAt: Timestamp, check: LaunchCheck,
        targets: [String: CallbackURL] = [:], scenario: Scenario? = nil, seed: UInt64? = nil,
        refusal: CallbackTarget.Refusal? = nil
    ) {
        self.flow = flow
        self.inbox = inbox
        self.contract = contract
        self.receivedAt = receivedAt
        self.check = check
        self.targets = targets
        self.scenario = scenario
        self.seed = seed
        self.refusal = refusal
    }

    /// Throws 400 unless the launch supports the scenario.
    ///
    /// - Parameter isPlayed: whether the client acts as the device and delivers content itself.
    func check(_ scenario: Scenario, isPlayed: Bool) throws(Problem) {
        do throws(ScenarioError) {
            try VendorApp.check(scenario, of: contract)
        } catch {
            throw Problem(error)
        }
        guard scenario.isPosted, !isPlayed, let callback = check.callback, callback.kind != .web
        else {
            return
        }
        throw Problem(
            status: .badRequest, kind: "scenario-not-possible",
            detail: "\(scenario) posts its message, and the callback isn't an http or https URL.")
    }

    /// The record of the launch.
    ///
    /// - Parameters:
    ///   - request: as `ReceivedRequest` writes it.
    ///   - link: the link that was created; nil if it was opened.
    ///   - isOverload: whether it is refused because too many deliveries wait.
    package func record(
        request: RecordRequest, minting link: String? = nil, isOverload: Bool = false,
        masking pseudonyms: Pseudonyms? = nil
    ) -> NewRecord {
        let diagnostics =
            check.diagnostics
            + [refusal?.diagnostic, isOverload ? .tooManyDeliveries : nil].compactMap(\.self)
        let hasDiagnostics = diagnostics.contains { $0.severity != .info }
        let verdict: Verdict =
            !check.isOK ? .undecodable : hasDiagnostics ? .decodedWithWarnings : .decoded
        return NewRecord(
            kind: .launch, receivedAt: receivedAt, inbox: inbox, vendor: contract.vendor.rawValue,
            contract: contract.rawValue, outcome: nil,
            verdict: verdict.rawValue, flow: flow, request: request,
            result: try? JSONDocument(
                parsing: Redaction.redactBody(
                    pseudonyms.map { Masking.mask(json: value(link), by: $0) } ?? value(link))),
            diagnostics: RecordDiagnostics(diagnostics))
    }

    private func value(_ link: String?) -> [UInt8] {
        JSONWriter.object { json in
            json.object("parameters") { json in
                for parameter in check.parameters {
                    json.member(parameter.name, check.shown(parameter))
                }
            }
            json.member("callback", check.callback?.description)
            json.member("scenario", scenario?.description)
            // As text: not every JSON reader supports 64-bit numbers.
            json.member("seed", seed.map { "\($0)" })
            json.member("reaction", check.isOK ? nil : check.reaction.kind.rawValue)
            if let link {
                let target = Redaction.redactTarget(Array(link.utf8))
                json.member("url", String(decoding: target, as: UTF8.self))
            }
        }
    }
}

extension Diagnostic {
    /// The diagnostic of a launch that was refused because too many deliveries wait.
    fileprivate static let tooManyDeliveries = Diagnostic(
        severity: .warning, layer: .model, code: OpenFlows.overloadCode, part: .target,
        expected: "room for what the launch lets this server deliver", found: "none",
        hint: "Nothing was delivered: open the launch again when fewer deliveries are waiting.")
}
