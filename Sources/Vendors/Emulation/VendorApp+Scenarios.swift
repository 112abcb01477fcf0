// The scenarios of each contract, and the app's behaviour in them.
//
// Invariant: every listed choice has callbacks. If a vendor sends nothing in a case (vendor
// document 1.2, 2.2), the scenario exists without callbacks.

extension VendorApp {
    /// The scenarios of a contract, in one order for all; empty for a contract without launches.
    public static func scenarios(of contract: Contract) -> [ScenarioEntry] {
        switch contract {
        case .dimmy2024, .flux, .welltoryDDS, .ailetDeeplink:
            // The first entry with a name wins, so a vendor's own behaviour precedes the common
            // one.
            let entries = ownScenarios(of: contract) + [malformed(of: contract)] + common
            return Scenario.names.compactMap { name in entries.first { $0.name == name } }
        case .rezolveTrigger:
            return [
                ScenarioEntry("completed", "A trigger is opened; no answer exists.", [.completed])
            ]
        case .fluxWebhook, .rezolveAct: return []
        }
    }

    /// The scenarios that are the same for every vendor with callbacks.
    private static let common = [
        ScenarioEntry("completed", "The result comes at once.", [.completed]),
        ScenarioEntry("silent", "Nothing ever comes back.", [.silent]),
        ScenarioEntry(
            "delayed:<duration>", "The result comes late: after 500ms, 3s or 2m, at most 10m.",
            [.delayed(milliseconds: 500), .delayed(milliseconds: 3000)]),
        ScenarioEntry(
            "duplicate:<n>", "The same result comes several times, 2 to 100.",
            [.duplicate(count: 2), .duplicate(count: 3)]),
        ScenarioEntry(
            "stale", "A result of a launch before this one comes, and none of this.", [.stale]),
        ScenarioEntry(
            "out_of_order", "The result comes, and after it one of a launch before this one.",
            [.outOfOrder]),
    ]

    private static func ownScenarios(of contract: Contract) -> [ScenarioEntry] {
        switch contract {
        case .dimmy2024:
            [
                ScenarioEntry("cancelled", "This Dimmy sends nothing then.", [.cancelled]),
                ScenarioEntry(
                    "error", "This Dimmy sends nothing when a flow can't start.",
                    [.error(code: nil)]),
                ScenarioEntry("empty", "An item comes of which every step was skipped.", [.empty]),
                ScenarioEntry("huge", "An item with hundreds of photos comes.", [.huge]),
            ]
        case .flux:
            [
                ScenarioEntry("cancelled", "The operator leaves the flow.", [.cancelled]),
                errors(of: contract, "The flow can't start; flow_unavailable without a code."),
                ScenarioEntry("empty", "An item comes of which every step was skipped.", [.empty]),
                ScenarioEntry("huge", "An item with the image of a signature comes.", [.huge]),
            ]
        case .welltoryDDS:
            [
                ScenarioEntry(
                    "cancelled", "The person doesn't share: Welltory sends nothing then.",
                    [.cancelled]),
                ScenarioEntry(
                    "empty", "A callback without a result comes, which Welltory never sends.",
                    [.empty]),
                ScenarioEntry("huge", "A result with a long echoed parameter comes.", [.huge]),
            ]
        case .ailetDeeplink:
            [
                errors(of: contract, "A status of error comes; IR_ERROR_NO_INET without a code."),
                ScenarioEntry(
                    "in_progress", "A report in progress comes, and the ready one 5 s later.",
                    [.inProgress]),
                ScenarioEntry("empty", "Nothing was to report: IR_RESULT_EMPTY.", [.empty]),
                ScenarioEntry(
                    "out_of_order", "The ready report comes, and after it the one in progress.",
                    [.outOfOrder]),
                ScenarioEntry("huge", "A report of some 100 kB comes.", [.huge]),
            ]
        default: []
        }
    }

    private static func errors(of contract: Contract, _ summary: String) -> ScenarioEntry {
        ScenarioEntry(
            "error:<code>", summary,
            [.error(code: nil)] + errorNames(of: contract).map { .error(code: $0) })
    }

    private static func malformed(of contract: Contract) -> ScenarioEntry {
        let missing: [Diagnostic.Layer] =
            switch contract {
            case .welltoryDDS: [.base64, .json]
            case .ailetDeeplink: [.base64]
            default: []
            }
        let layers = Diagnostic.Layer.allCases.filter { !missing.contains($0) }
        return ScenarioEntry(
            "malformed:<layer>", "A result comes of which one layer is broken.",
            layers.map { .malformed($0) })
    }

    /// The error codes that a contract sends; empty if it has no errors.
    static func errorNames(of contract: Contract) -> [String] {
        switch contract {
        case .flux: DimmyDecoder.reasons
        case .ailetDeeplink: ailetErrors.map(\.name)
        default: []
        }
    }

    /// The vendor's name for an error code; the usual one for nil, and nil for an unknown code.
    public static func errorName(_ code: String?, of contract: Contract) -> String? {
        switch contract {
        case .flux: errorNames(of: contract).first { $0 == code ?? "flow_unavailable" }
        case .ailetDeeplink:
            ailetErrors.first {
                $0.name == code ?? "IR_ERROR_NO_INET" || String($0.code) == code
            }?.name
        default: nil
        }
    }
}
