// The contracts that have launch links, their vendors and names.

extension Contract {
    /// The vendor of the contract.
    public var vendor: Vendor {
        switch self {
        case .dimmy2024, .flux, .fluxWebhook: .dimmy
        case .welltoryDDS: .welltory
        case .ailetDeeplink: .ailet
        case .rezolveTrigger, .rezolveAct: .rezolve
        }
    }

    /// The contracts that have launch links.
    public static let launchable: [Contract] = [
        .dimmy2024, .flux, .welltoryDDS, .ailetDeeplink, .rezolveTrigger,
    ]

    /// The contract for launch links that `name` selects: a contract's own name, or a vendor's for
    /// its current contract; nil for other names.
    ///
    /// `dimmy` selects `flux`: the vendor's current app refuses the links of 2024.
    public init?(launching name: String) {
        if let vendor = Vendor(rawValue: name) {
            guard let current = vendor.declaration.currentLaunch else { return nil }
            self = current
        } else {
            guard let contract = Contract(rawValue: name), Self.launchable.contains(contract)
            else { return nil }
            self = contract
        }
    }
}
