// Which contracts have launch links, whose they are, and by which names they are asked for.

extension Contract {
    /// The vendor whose contract it is.
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

    /// The contract of the launch links that `name` stands for: a contract's own name, or a vendor's
    /// for its current one; nil for any other name.
    ///
    /// `dimmy` is `flux`: the vendor's current app refuses the links of 2024.
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
