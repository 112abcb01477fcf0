// What is a vendor's own, in one value that its folder declares. What the rest of the program knows
// of a vendor is derived from it; the registry below is the only place that lists the vendors.

/// What a vendor declares of itself.
///
/// A class, because each callback asks for it several times, and a copy has twenty references.
public final class VendorContract: Sendable {
    /// The name for people.
    public let title: String

    /// The escaped parameters of a small callback, to try a receiver with; empty without contract.
    public let sample: String

    /// The contract of the launch links of the vendor's current app; nil if it has none.
    public let currentLaunch: Contract?

    /// Host names of the vendor that Landfall answers for in the vendor's place, each with what the
    /// vendor's own server does there: a hosts file points them here, and apps then ask for a
    /// certificate of these names.
    public let hosts: [String]

    /// Parameters of a launch whose values come back with its callback.
    public let correlationKeys: [String]

    /// The members of decoded values that queries may name.
    public let resultFields: [ResultField]

    /// Where decoded values hold text that a person searches for: ids, codes, bar codes and names.
    ///
    /// Members from the root of the value; `*` is every element or member.
    public let searchedPaths: [[String]]

    /// The member of a stored value that the vendor's sandbox adds, from keys, clock and fixtures
    /// that no decoder has; nil for a vendor whose sandbox adds nothing.
    public let sandboxMember: String?

    /// Whether a JSON body that is only `{"url": …}` stands for the callback with this URL; false
    /// where `url` is a parameter of the vendor's own.
    let unwrapsLinks: Bool

    /// Whether a JSON body that is a list of objects counts as one callback for each object.
    let splitsLists: Bool

    /// The parts of the line that describes a callback in lists; empty if its value has nothing to
    /// show.
    let summary: @Sendable (SummaryReader) -> [String]

    /// Decodes a message; `pinned` is the contract of its receiver, nil if it has none.
    let decode: @Sendable (_ message: inout Message, _ pinned: Contract?) -> Decoding

    init(
        title: String, sample: String = "", currentLaunch: Contract? = nil, hosts: [String] = [],
        correlationKeys: [String] = [], resultFields: [ResultField] = [],
        searchedPaths: [[String]] = [], sandboxMember: String? = nil, unwrapsLinks: Bool = true,
        splitsLists: Bool = true,
        summary: @escaping @Sendable (SummaryReader) -> [String] = { _ in [] },
        decode: @escaping @Sendable (_ message: inout Message, _ pinned: Contract?) -> Decoding
    ) {
        self.title = title
        self.sample = sample
        self.currentLaunch = currentLaunch
        self.hosts = hosts
        self.correlationKeys = correlationKeys
        self.resultFields = resultFields
        self.searchedPaths = searchedPaths
        self.sandboxMember = sandboxMember
        self.unwrapsLinks = unwrapsLinks
        self.splitsLists = splitsLists
        self.summary = summary
        self.decode = decode
    }

    /// Messages without a contract: kept, and not decoded.
    static let raw = VendorContract(
        title: "Raw", unwrapsLinks: false, splitsLists: false
    ) { _, _ in
        Decoding(contract: nil, outcome: nil, verdict: .unmatched, document: nil, diagnostics: [])
    }
}

extension Vendor {
    /// What the vendor declares.
    public var declaration: VendorContract {
        switch self {
        case .dimmy: .dimmy
        case .welltory: .welltory
        case .ailet: .ailet
        case .rezolve: .rezolve
        case .xCallbackURL: .xCallbackURL
        case .raw: .raw
        }
    }

    /// The vendors whose apps have launch links.
    public static let launchable = allCases.filter { $0.declaration.currentLaunch != nil }

    /// The names of these vendors, for people: `dimmy, welltory or ailet`.
    public static let launchableNames = alternatives(launchable.map(\.rawValue))

    /// The apps that have launch links, for people: `Dimmy, Flux or Ailet`.
    public static let apps = alternatives(Contract.launchable.map(\.appTitle))

    private static func alternatives(_ names: [String]) -> String {
        names.dropLast().joined(separator: ", ") + (names.last.map { " or \($0)" } ?? "")
    }

    /// The hosts of all vendors that Landfall answers for in a vendor's place.
    ///
    /// Their link files are those of their own folder, never those of the default site.
    public static let emulatedHosts = allCases.flatMap(\.declaration.hosts)
}
