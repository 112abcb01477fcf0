// What a vendor declares of one of its contracts. What the program knows of a contract is derived from
// it.

import JSON

/// What a vendor declares of one contract.
public final class ContractDeclaration: Sendable {
    let vendor: Vendor

    /// The fields of its messages, in the order of the vendor document.
    ///
    /// No path occurs twice, and every parent of a path is a field too.
    public let fields: [ContractField]

    /// Features that distinguish its messages from those of the vendor's other contracts, for
    /// people; nil if there are no others of its kind.
    let features: String?

    /// Where its messages carry their values.
    let shape: MessageShape

    /// The name of its app for people; nil for the vendor's title.
    let appTitle: String?

    /// Its launch links; nil if it has none.
    let launch: LaunchContract?

    /// The emulated app; nil if nothing comes back from a launch.
    let app: AppBehaviour?

    /// The contract of the webhooks that the vendor's server posts after a launch; nil if it posts
    /// none.
    public let webhook: Contract?

    /// Whether its messages are webhooks: they are about an item, come in addition to a callback,
    /// and never end a flow.
    public let isWebhook: Bool

    /// What a browser's page calls a received message; nil for the usual title.
    public let arrivalTitle: @Sendable (_ value: JSONNode?) -> String?

    init(
        vendor: Vendor, fields: [ContractField], features: String? = nil,
        shape: MessageShape, appTitle: String? = nil, launch: LaunchContract? = nil,
        app: AppBehaviour? = nil, webhook: Contract? = nil, isWebhook: Bool = false,
        arrivalTitle: @escaping @Sendable (_ value: JSONNode?) -> String? = { _ in nil }
    ) {
        self.vendor = vendor
        self.fields = fields
        self.features = features
        self.shape = shape
        self.appTitle = appTitle
        self.launch = launch
        self.app = app
        self.webhook = webhook
        self.isWebhook = isWebhook
        self.arrivalTitle = arrivalTitle
    }
}

/// Where the messages of a contract carry their values.
struct MessageShape: Sendable {
    /// The carrier of the values.
    enum Carrier {
        /// The parameters of a link, or the members of a JSON body.
        case parameters
        /// JSON in a parameter; of several names the first is the current one.
        case json(in: [String])
        /// Base64 of JSON in a parameter.
        ///
        /// - Parameter before: escaped parameters that a finished message also has.
        case base64(in: String, urlSafe: Bool, before: String)
        /// A JSON object, which is the body.
        case body
    }

    let carrier: Carrier

    /// The parameter that counts if a name is repeated.
    var preference = Message.Preference.first

    /// Whether a body's root is the carried value itself, without its parameter.
    var isValue: @Sendable (JSONNode) -> Bool = { _ in false }

    /// Replaces a message by the one that it carries.
    ///
    /// Returns the names of parameters that the vendor does not send: of the target's path, or a
    /// mark of the links that Landfall makes. Nil if the carried message can't be read.
    var unwrap: @Sendable (inout Message, _ target: [UInt8]) -> [String]? = { _, _ in [] }

    /// The name of the parameter that carries the value; nil if there is none.
    var parameter: String? {
        switch carrier {
        case .json(let names): names.first
        case .base64(let name, _, _): name
        case .parameters, .body: nil
        }
    }

    /// The layers that its messages have.
    var layers: [Diagnostic.Layer] {
        switch carrier {
        case .parameters: Diagnostic.Layer.allCases.filter { $0 != .base64 && $0 != .json }
        case .json, .body: Diagnostic.Layer.allCases.filter { $0 != .base64 }
        case .base64: Diagnostic.Layer.allCases
        }
    }
}

extension Contract {
    /// What the vendor declares of the contract.
    public var declaration: ContractDeclaration {
        switch self {
        case .dimmy2024: .dimmy2024
        case .flux: .flux
        case .fluxWebhook: .fluxWebhook
        case .welltoryDDS: .welltoryDDS
        case .ailetDeeplink: .ailetDeeplink
        case .rezolveTrigger: .rezolveTrigger
        case .rezolveAct: .rezolveAct
        case .xCallbackURL: .xCallbackURL
        }
    }

    /// The vendor of the contract.
    public var vendor: Vendor { declaration.vendor }

    /// The name of its app for people.
    public var appTitle: String { declaration.appTitle ?? vendor.declaration.title }

    /// The contract's fields.
    public var fields: [ContractField] { declaration.fields }

    /// Whether messages come back on a link of the partner, with the partner's query.
    var isOnPartnersLink: Bool { declaration.launch?.callback != nil }

    /// Whether a name is that of a contract whose messages are webhooks.
    public static func isWebhook(_ name: String?) -> Bool {
        name.flatMap { Contract(rawValue: $0) }?.declaration.isWebhook ?? false
    }

    /// Whether a launched app opens a callback.
    public var callsBack: Bool { declaration.app != nil }

    /// The contract of the launch that leads to its messages: for a webhook, that of the app.
    public var launching: Contract {
        Contract.allCases.first { $0.declaration.webhook == self } ?? self
    }

    /// Whether messages come back; false for a contract that has launch links only.
    public var hasMessages: Bool { declaration.launch == nil || callsBack }

    /// The contract that `name` selects among those with messages: its own name, or a vendor's for
    /// its current contract; nil for other names.
    ///
    /// `rezolve` selects `rezolve-act`: nothing answers the vendor's links.
    public init?(sending name: String) {
        let named = Contract(launching: name) ?? Contract(rawValue: name)
        let vendor = Vendor(rawValue: name)
        let others = Contract.allCases.filter { vendor != nil && $0.vendor == vendor }
        guard let contract = ([named].compactMap(\.self) + others).first(where: \.hasMessages)
        else { return nil }
        self = contract
    }

    /// The names that select a contract with messages: those of vendors, then of contracts.
    package static let sendingNames =
        Vendor.launchable.map(\.rawValue) + ownNames(of: allCases.filter(\.hasMessages))

    /// The contracts that have launch links.
    public static let launchable = allCases.filter { $0.declaration.launch != nil }

    /// The contract for launch links that `name` selects: a contract's own name, or a vendor's for
    /// its current contract; nil for other names.
    ///
    /// `dimmy` selects `flux`: the vendor's current app refuses the links of 2024.
    public init?(launching name: String) {
        if let vendor = Vendor(rawValue: name) {
            guard let current = vendor.declaration.currentLaunch else { return nil }
            self = current
        } else {
            guard let contract = Contract(rawValue: name), contract.declaration.launch != nil
            else { return nil }
            self = contract
        }
    }

    /// The names that select a contract for launch links: those of vendors, then of contracts.
    package static let launchingNames =
        Vendor.launchable.map(\.rawValue) + ownNames(of: launchable)

    /// The names of contracts, without those that a vendor has too; an alias doesn't count.
    private static func ownNames(of contracts: [Contract]) -> [String] {
        contracts.map(\.rawValue).filter { Vendor(rawValue: $0)?.rawValue != $0 }
    }
}

extension Vendor {
    /// The contract of the webhooks that the vendor's server posts; nil if it posts none.
    public var webhook: Contract? {
        Contract.allCases.first { $0.vendor == self && $0.declaration.isWebhook }
    }

    /// Whether the vendor's server posts webhooks.
    public var postsWebhooks: Bool { webhook != nil }
}
