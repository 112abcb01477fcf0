// The routes of the Rezolve sandbox, as the vendor's servers have them (vendor document 4.2 to 4.7).
// Paths that the document does not give are marked as ours.

import AppLinks
import HTTP1

/// What a path of the sandbox stands for.
enum RezolveRoute: Sendable {
    /// Makes a person known.
    case registration

    // The vendor's test server for logging in.
    case accountRegistration
    case accountConfirmation
    case login
    case ping
    case logout
    case clientToken

    // Acts.
    case act
    case answers
    case submissions

    // Goods.
    case merchants
    case rootCategory
    case category
    case product
    case search

    // Buying.
    case productOptions
    case carts
    case cart
    case cartOptions
    case checkout
    case purchase
    case orders

    /// A link that a person followed.
    case trigger
    /// A path of the vendor's that is not emulated.
    case unknown

    /// The methods that it answers.
    var methods: [Request.Method] {
        switch self {
        case .registration, .accountRegistration, .login, .logout, .clientToken, .answers,
            .checkout, .purchase:
            [.post]
        case .carts: [.get, .post]
        case .cart: [.get, .delete]
        case .productOptions, .cartOptions: [.get, .head, .post]
        case .unknown: [.get, .head, .post, .put, .delete, .patch]
        case .trigger: [.get]
        default: [.get, .head]
        }
    }

    /// Whether it shows what others have sent.
    var isProtected: Bool { self == .submissions }

    /// Every route, without a prefix; the first pattern that matches counts.
    static let table: [(pattern: String, route: RezolveRoute)] =
        [
            ("api/v1/authentication/register", .registration),
            ("v2/credentials/register", .accountRegistration),
            ("v1/credentials/confirm/:code/:id", .accountConfirmation),
            ("v2/credentials/login", .login),
            ("v2/credentials/ping", .ping),
            ("v1/user/logout", .logout),
            ("v1/OAuthProxy/token", .clientToken),
            // Ours.
            ("v1/act/:act", .act),
            ("v1/submissions/act/:act/answers", .answers),
            ("v1/submissions", .submissions),
        ] + customerTable.map { ("api/:version/partner/:partner/customer/:entity/" + $0, $1) } + [
            ("api/*", .unknown),
            ("v1/*", .unknown),
            ("v2/*", .unknown),
            ("*", .trigger),
            ("", .trigger),
        ]

    /// The vendor's own host of triggers, and which of its paths are links: its link files are none.
    static let host = "rzlv.co"
    static let hostPatterns = [":int(partner)/*", ":int(partner)", "instant", "resolve"]

    /// What belongs to one customer of one partner.
    private static let customerTable: [(pattern: String, route: RezolveRoute)] = [
        // Ours.
        ("merchant", .merchants),
        ("search", .search),
        ("merchant/:merchant/product/:product/options", .productOptions),
        // The vendor's.
        ("merchant/:merchant/category", .rootCategory),
        ("merchant/:merchant/category/:category", .category),
        ("merchant/:merchant/category/:category/product/:product", .product),
        ("merchant/:merchant/product/:product", .product),
        ("merchant/:merchant/cart", .carts),
        ("merchant/:merchant/cart/:cart", .cart),
        ("merchant/:merchant/cart/:cart/options", .cartOptions),
        ("merchant/:merchant/checkout/:option", .checkout),
        ("merchant/:merchant/buy/:order", .purchase),
        ("order", .orders),
    ]
}
