// The vendor's side of Rezolve: registration, login, acts and goods, for apps and back ends that are
// under test.
//
// Invariant: answers are the vendor's, masked as the vendor masks them; the real reason is in the note
// that is stored. Fixtures are read when they are first asked for. Left out: scanning, audio,
// geofences and card encryption (vendor document 4.8).

import HTTP1
import Synchronization
import Vendors

/// A stand-in for Rezolve's servers.
final class RezolveSandbox: Sendable {
    let partners: [Configuration.Rezolve.Partner]
    let orders = RezolveOrders()
    private let folder: String
    private let loaded = Mutex<RezolveFixtures?>(nil)

    init(_ configuration: Configuration.Rezolve) {
        partners = configuration.partners
        folder = configuration.fixturesFolder
    }

    /// Answers a request; refusals are answers too.
    ///
    /// Throws what only who set the sandbox up can mend: a scenario of no known name, broken fixtures.
    func answer(
        _ route: RezolveRoute, _ request: RezolveRequest
    ) throws(Problem) -> RezolveAnswer {
        let injected = try Self.injected(request.scenario)
        do throws(RezolveRefusal) {
            switch route {
            case .registration: return register(request, injected)
            case _ where injected != nil: throw injected ?? .unavailable
            case .accountRegistration, .accountConfirmation, .login, .ping, .logout, .clientToken:
                return try account(route, request)
            case .unknown, .submissions, .trigger: throw .notFound("The path")
            default: break
            }
        } catch {
            return error.noted
        }
        let fixtures = try fixtures()
        do throws(RezolveRefusal) {
            switch route {
            case .act: return try act(request, fixtures)
            case .answers: return try submit(request, fixtures)
            default: return try goods(route, request, fixtures)
            }
        } catch {
            return error.noted
        }
    }

    /// The fixtures, read when they are asked for first, and again until they are right.
    ///
    /// Throws 503 with the place of what is wrong.
    func fixtures() throws(Problem) -> RezolveFixtures {
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
            throw Problem(
                status: .serviceUnavailable, kind: "rezolve-fixtures",
                detail: "The sandbox's fixtures can't be used: \(error)")
        }
    }

    /// The refusal that a scenario asks for; nil for none.
    ///
    /// Throws 400 for a scenario that the sandbox doesn't have.
    private static func injected(_ scenario: String?) throws(Problem) -> RezolveRefusal? {
        let reason = RezolveRefusal.Reason(
            code: "injected", sentence: "The request asked for this answer.")
        var refusal: RezolveRefusal
        switch scenario {
        case nil, "completed": return nil
        case "error:400": refusal = .malformed("injected", reason.sentence)
        case "error:401": refusal = .expired([reason])
        case "error:403": refusal = .masked([reason])
        case "error:404": refusal = .notFound("The object")
        case "error:503": refusal = .unavailable
        default:
            throw Problem(
                status: .badRequest, kind: "unknown-scenario",
                detail: "The Rezolve sandbox has the scenarios completed and error:400, error:401, "
                    + "error:403, error:404 and error:503.")
        }
        refusal.reasons = [reason]
        return refusal
    }
}
