// Sample launches: a partner's parameters with meaningless values.

import Vendors

extension Launch {
    /// A launch of a contract with the callback URL `callback`.
    ///
    /// - Parameter number: makes visits and bar codes distinct, so that callbacks match their
    ///   launch.
    static func sample(
        _ contract: Contract, callback: String, number: UInt64
    ) throws(LaunchError) -> Launch {
        let code = VendorApp.barcode(number)
        let parameters: [(String, String)] =
            switch contract {
            case .dimmy2024:
                [("flow", "default"), ("callback", callback), ("code", code)]
            case .flux, .fluxWebhook:
                [("flowName", "Parcel check"), ("callback", callback), ("code", code)]
            case .welltoryDDS: [("source", "Landfall"), ("callback", callback)]
            case .ailetDeeplink:
                [
                    ("method", "visit"), ("login", "landfall"), ("password", "landfall"),
                    ("store_id", "store-7"), ("visit_id", "visit-\(number)"), ("task_id", "task-1"),
                    ("back_url_scheme", callback),
                ]
            case .rezolveTrigger, .rezolveAct:
                // The ids that exist both in the sandbox's defaults and in Config/rezolve.
                [("partner", "12"), ("merchant", "252"), ("category", "7"), ("product", "1041")]
            }
        return try Launch(
            contract == .fluxWebhook ? .flux : contract, parameters.map { Parameter($0.0, $0.1) })
    }
}

extension Contract {
    /// The names that commands accept for a contract: vendors and contracts.
    static let launchingNames =
        Vendor.allCases.map(\.rawValue).filter { $0 != Vendor.raw.rawValue }
        + launchable.map(\.rawValue)
}

extension EmulatedAnswer {
    /// What Rezolve's SDK posts after a person has filled in a form (vendor document 4.5).
    static let act = EmulatedAnswer(
        query: [],
        body: .json(
            Array(
                #"""
                {"userId":null,"userName":null,"entityId":"entity-7","scanId":"scan-1",\#
                "answers":[{"question_id":"1","answer":"yes"},\#
                {"question_id":"2","answer":"21/11/2026 10:30"}]}
                """#.utf8)),
        outcome: .completed)
}
