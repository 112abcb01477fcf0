// The vendor's side of Rezolve: registration, login, acts and goods, for testing apps and back
// ends.
//
// Invariant: responses are the vendor's, masked as the vendor masks them; the real reason is in the
// stored note. Fixtures are read at first use. Left out: scanning, audio, geofences and card
// encryption (vendor document 4.8).

import HTTP1
import Logging
import Problems
import Settings
import Synchronization
import Vendors

/// A stand-in for Rezolve's servers.
package final class RezolveSandbox: Sendable {
    /// Empty if others can reach the server and the configuration names none.
    package let partners: [Configuration.Rezolve.Partner]
    let orders = RezolveOrders()
    let persons = RezolvePersons()
    let profiles = RezolveProfiles()
    private let folder: String
    private let log: Logger
    private let loaded = Mutex<RezolveFixtures?>(nil)

    /// - Parameter isOpen: whether only this machine can reach the server, so that public keys may
    ///   be used.
    package init(_ configuration: Configuration.Rezolve, isOpen: Bool, log: Logger) {
        self.log = log
        partners =
            configuration.partners ?? (isOpen ? [Configuration.Rezolve.developmentPartner] : [])
        folder = configuration.fixturesFolder
    }

    /// Serves a call; the vendor's errors are responses too.
    ///
    /// Throws what only the configuration can repair: no partners (403), invalid fixtures (503).
    ///
    /// - Parameter injected: the error of a scenario.
    package func answer(
        _ call: RezolveCall, _ request: RezolveRequest, _ injected: RezolveRefusal? = nil
    ) throws(Problem) -> RezolveResponse {
        if partners.isEmpty { throw Self.withoutPartners }
        do throws(RezolveRefusal) {
            if call == .registration { return register(request, injected) }
            if let injected { throw injected }
            switch call {
            case .accountRegistration, .accountConfirmation, .login, .ping, .logout, .clientToken,
                .appVersion:
                return try account(call, request)
            case .unknown: throw Self.unknownPath
            default: break
            }
        } catch {
            return error.answer
        }
        let fixtures = try fixtures()
        do throws(RezolveRefusal) {
            var answer: RezolveResponse
            switch call {
            case .act: answer = try act(request, fixtures)
            case .answers: answer = try submit(request, fixtures)
            case .nearbyEngagements: answer = try nearbyEngagements(request, fixtures)
            case .payoff: answer = try payoff(request, fixtures)
            default: answer = try goods(call, request, fixtures)
            }
            answer.remarks = request.remarks
            return answer
        } catch {
            return error.answer
        }
    }

    private static let withoutPartners = Problem(
        status: .forbidden, kind: "no-partners",
        detail:
            "The sandbox has no partner: its own keys are public, so they work only on a server "
            + "without a token. Configure rezolve.partners with keys of your own.")

    /// The error for a path that the sandbox doesn't have.
    static let unknownPath = RezolveRefusal.notFound(
        "The path", expected: "a path of the sandbox, with a version that it has", found: nil)

    /// The fixtures, read at first use, and again until they are valid.
    ///
    /// Throws 503; the error is logged only, because it names files of this machine.
    package func fixtures() throws(Problem) -> RezolveFixtures {
        let result: Result<RezolveFixtures, FixtureError> = loaded.withLock { loaded in
            if let loaded { return .success(loaded) }
            do throws(FixtureError) {
                let fixtures = try RezolveFixtures(folder: folder)
                loaded = fixtures
                return .success(fixtures)
            } catch {
                return .failure(error)
            }
        }
        do throws(FixtureError) {
            return try result.get()
        } catch {
            log.error(
                "the Rezolve sandbox's fixtures can't be used", metadata: ["reason": "\(error)"])
            throw Problem(
                status: .serviceUnavailable, kind: "rezolve-fixtures",
                detail: "The sandbox's fixtures can't be used; the server's log says why.")
        }
    }

    /// The errors that a scenario may select, as `error:503`.
    private static let faults: [(scenario: Scenario, refusal: RezolveRefusal)] = {
        let reason = Diagnostic.field(
            "injected", expected: "Landfall-Scenario: completed, or no scenario",
            found: "a scenario that asks for this answer")
        return [
            (.error(code: "400"), .malformed(reason)), (.error(code: "401"), .expired([reason])),
            (.error(code: "403"), .masked(reason)), (.error(code: "404"), .missingObject(reason)),
            (.error(code: "503"), .unavailable(reason)),
        ]
    }()

    /// All scenarios of Rezolve, for calls and triggers.
    package static let scenarios =
        [ScenarioEntry("completed", "Calls and links work.", [.completed])]
        + faults.map { scenario, refusal in
            ScenarioEntry(
                scenario.description,
                "Calls and links fail with \(refusal.status.code), \(refusal.type).", [scenario])
        }

    /// The text forms of all scenarios.
    package static let scenarioNames = scenarios.map(\.form)

    /// The error of a scenario; nil if it has none.
    ///
    /// Throws 400 for an unknown scenario.
    package static func refusal(for scenario: String?) throws(Problem) -> RezolveRefusal? {
        guard let scenario, scenario != "completed" else { return nil }
        if let fault = faults.first(where: { $0.scenario.description == scenario }) {
            return fault.refusal
        }
        throw Problem(
            status: .badRequest, kind: "unknown-scenario",
            detail: "The Rezolve sandbox has no such scenario.",
            findings: [
                Problem.Finding(
                    name: "scenario", detail: "Possible: \(scenarioNames.joined(separator: ", ")).")
            ])
    }
}
