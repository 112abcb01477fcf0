// The routes of the Rezolve sandbox, as on the vendor's servers (vendor document 4.2 to 4.7), each
// with the vendor's versions. Paths that the document doesn't give are marked as ours.

import HTTP1

/// What a path of the sandbox is routed to.
package enum RezolveRoute: Sendable, Equatable {
    /// A call of the vendor's API.
    case call(RezolveCall)
    /// An entity's submissions, which are in the store.
    case submissions
    /// A link that a person followed.
    case trigger

    /// The supported methods.
    package var methods: [Request.Method] {
        switch self {
        case .call(let call): call.methods
        case .submissions: [.get, .head]
        // Each request stores a callback, as at the receivers.
        case .trigger: [.get]
        }
    }

    /// All routes, without a prefix; the first match wins.
    package static let table = apiTable + [("*", .trigger), ("", .trigger)]

    /// The routes of the vendor's API, also served on its own hosts.
    package static let apiTable: [(pattern: String, route: RezolveRoute)] =
        [
            ("api/v1/authentication/register", .call(.registration)),
            ("v2/credentials/register", .call(.accountRegistration)),
            ("v1/credentials/confirm/:code/:id", .call(.accountConfirmation)),
            ("v2/credentials/login", .call(.login)),
            ("v2/credentials/ping", .call(.ping)),
            ("v1/user/logout", .call(.logout)),
            ("v1/OAuthProxy/token", .call(.clientToken)),
            ("api/v1/device/appversion", .call(.appVersion)),
            ("api/v1/search/merchants/:partner/:entity", .call(.merchantSearch)),
            // Ours, after the one for merchants.
            ("api/v1/search/products/:partner/:entity", .call(.productSearch)),
            ("v1/Engagements/geolocation/triggered", .call(.nearbyEngagements)),
            ("v1/resolver/:resolver/api/v2/payoffcpm/:engagement", .call(.payoff)),
            // Ours.
            ("v1/act/:act", .call(.act)),
            ("v1/submissions/act/:act/answers", .call(.answers)),
            ("v1/submissions", .submissions),
        ]
        + customerTable.flatMap { versions, pattern, call in
            versions.map {
                ("api/\($0)/partner/:partner/customer/:entity/\(pattern)", .call(call))
            }
        } + [
            ("api/*", .call(.unknown)), ("v1/*", .call(.unknown)), ("v2/*", .call(.unknown)),
        ]

    /// The routes of one customer of one partner.
    private static let customerTable: [(versions: [String], pattern: String, call: RezolveCall)] =
        goodsTable
        + ProfileBlock.allCases.flatMap { block in
            let all = (["v1", "v2"], "\(block)", RezolveCall.profile(block))
            let one = (["v1", "v2"], "\(block)/:entry", RezolveCall.profileEntry(block))
            return block.shape.isSingle ? [all] : [all, one]
        }

    private static let goodsTable: [(versions: [String], pattern: String, call: RezolveCall)] = [
        // Ours.
        (["v1", "v2"], "merchant", .merchants),
        (["v1", "v2"], "search", .search),
        (["v4"], "merchant/:merchant/product/:product/options", .productOptions),
        // The vendor's.
        (["v1", "v2"], "merchant/:merchant/category", .rootCategory),
        (["v1", "v2"], "merchant/:merchant/category/:category", .category),
        (["v1", "v2"], "merchant/:merchant/category/:category/product/:product", .product),
        (["v1", "v2"], "merchant/:merchant/product/:product", .product),
        (["v1", "v2"], "cart", .customersCarts),
        (["v1", "v2"], "merchant/:merchant/cart", .carts),
        (["v1", "v2"], "merchant/:merchant/cart/:cart", .cart),
        (["v4"], "merchant/:merchant/cart/:cart/options", .cartOptions),
        (["v3"], "merchant/:merchant/cart/:cart/checkout/:option", .checkout),
        (["v3"], "merchant/:merchant/checkout/:option", .checkout),
        (["v3"], "merchant/:merchant/buy/:order", .purchase),
        (["v3"], "order", .orders),
    ]
}

extension RezolveRoute: CustomStringConvertible {
    /// The name in the log.
    package var description: String {
        switch self {
        case .call(let call): "\(call)"
        case .submissions: "submissions"
        case .trigger: "trigger"
        }
    }
}

/// A call of the vendor's API.
package enum RezolveCall: Sendable, Equatable {
    /// Registers a person.
    case registration

    // The vendor's test server for logins.
    case accountRegistration
    case accountConfirmation
    case login
    case ping
    case logout
    case clientToken

    /// Asks whether an app's version is still supported.
    case appVersion

    // Acts and engagements.
    case act
    case answers
    case nearbyEngagements
    /// What an engagement leads to.
    case payoff

    // The customer's profile.
    /// A building block as a whole.
    case profile(ProfileBlock)
    /// One entry of a building block.
    case profileEntry(ProfileBlock)

    // Goods.
    case merchants
    case rootCategory
    case category
    case product
    case search
    case merchantSearch
    case productSearch

    // Buying.
    case productOptions
    /// The carts of a customer at all merchants.
    case customersCarts
    /// The carts of a customer at one merchant.
    case carts
    case cart
    case cartOptions
    case checkout
    case purchase
    case orders

    /// A path or version of the vendor that is not emulated.
    case unknown

    /// The supported methods.
    var methods: [Request.Method] {
        switch self {
        case .registration, .accountRegistration, .login, .logout, .clientToken, .appVersion,
            .answers, .payoff, .merchantSearch, .productSearch, .checkout, .purchase:
            [.post]
        case .profile(let block) where block.shape.isSingle: [.get, .head, .post, .put, .delete]
        case .profile: [.get, .head, .post]
        case .profileEntry: [.get, .head, .put, .delete]
        case .carts: [.get, .head, .post]
        case .cart: [.get, .head, .delete]
        case .productOptions, .cartOptions: [.get, .head, .post]
        case .unknown: [.get, .head, .post, .put, .delete, .patch]
        default: [.get, .head]
        }
    }
}
