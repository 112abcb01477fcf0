// Launches to try things with: what a partner would ask, with values that mean nothing.

import Vendors

extension Launch {
    /// A launch of a contract whose answer goes to `callback`.
    ///
    /// - Parameter number: tells launches of one vendor apart, where its values must.
    static func sample(
        _ contract: Contract, callback: String, number: UInt64
    ) throws(LaunchError) -> Launch {
        let parameters: [(String, String)] =
            switch contract {
            case .dimmy2024:
                [("flow", "default"), ("callback", callback), ("code", "4006381333931")]
            case .flux, .fluxWebhook:
                [("flowName", "Parcel check"), ("callback", callback), ("code", "4006381333931")]
            case .welltoryDDS: [("source", "Landfall"), ("callback", callback)]
            case .ailetDeeplink:
                [
                    ("method", "visit"), ("login", "landfall"), ("password", "landfall"),
                    ("store_id", "store-7"), ("visit_id", "visit-\(number)"), ("task_id", "task-1"),
                    ("back_url_scheme", callback),
                ]
            case .rezolveTrigger, .rezolveAct:
                [("partner", "2"), ("merchant", "12"), ("category", "70"), ("product", "4711")]
            }
        return try Launch(
            contract == .fluxWebhook ? .flux : contract, parameters.map { Parameter($0.0, $0.1) })
    }
}

extension Contract {
    /// The names by which commands ask for a contract whose vendor answers: vendors and contracts.
    static let answeringNames = [
        "dimmy", "welltory", "ailet", Contract.flux.rawValue, Contract.dimmy2024.rawValue,
        Contract.welltoryDDS.rawValue, Contract.ailetDeeplink.rawValue,
    ]

    /// The contract that a name stands for; nil for other names, and for what nothing answers.
    init?(answering name: String) {
        guard let contract = Contract(launching: name), contract != .rezolveTrigger else {
            return nil
        }
        self = contract
    }
}
