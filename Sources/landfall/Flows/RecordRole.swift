// What a record is of a flow: the launch, a callback, or an attempt to deliver one.
//
// Invariant: the contract of a record says it. A launch has the contract of its link with `-launch`
// behind it, an attempt that of its message with `-delivery`; every other record is a callback.

import ResultStore
import Vendors

/// What a record is of a flow.
enum RecordRole: String, Sendable {
    /// The link that opened the vendor's app, or was made to.
    case launch
    /// What brought the outcome back.
    case callback
    /// One attempt of the emulator to bring it.
    case delivery

    /// What a record of a contract is.
    init(contract: String?) {
        if contract?.hasSuffix(Self.launchSuffix) == true {
            self = .launch
        } else if contract?.hasSuffix(Self.deliverySuffix) == true {
            self = .delivery
        } else {
            self = .callback
        }
    }

    /// What the record of a message in this role has for a contract.
    func contract(of contract: Contract) -> String {
        switch self {
        case .launch: contract.rawValue + Self.launchSuffix
        case .callback: contract.rawValue
        case .delivery: contract.rawValue + Self.deliverySuffix
        }
    }

    /// The contract of the message that a record of this contract is about.
    static func plainContract(_ contract: String?) -> String? {
        guard let contract else { return nil }
        for suffix in [launchSuffix, deliverySuffix] where contract.hasSuffix(suffix) {
            return String(contract.dropLast(suffix.count))
        }
        return contract
    }

    private static let launchSuffix = "-launch"
    private static let deliverySuffix = "-delivery"

    /// Every contract that a record may have.
    static let contracts =
        Contract.allCases.map(\.rawValue) + launchContracts + deliveryContracts
        + [RezolveSandbox.registrationContract]

    /// Those of launches.
    static let launchContracts = Contract.launchable.map { launch.contract(of: $0) }

    /// Those of attempts to deliver.
    static let deliveryContracts = [
        Contract.dimmy2024, .flux, .fluxWebhook, .welltoryDDS, .ailetDeeplink,
    ].map { delivery.contract(of: $0) }

    /// What holds for callbacks, and for nothing else.
    static let callbacks = Condition.not(
        .any(
            (launchContracts + deliveryContracts + [RezolveSandbox.registrationContract])
                .map { .compare(.contract, .equal, .text($0)) }))
}
