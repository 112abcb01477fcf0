// The vendors, whose contracts messages follow. Invariant: a raw value never changes, because
// paths, records and queries contain it.

/// A vendor whose callbacks can be received.
public enum Vendor: String, CaseIterable, Sendable {
    /// Optioryx Dimmy, now Flux: box dimensions, photos and bar codes.
    case dimmy
    /// Welltory: stress, energy and heart-rate variability.
    case welltory
    /// Ailet (Intelligence Retail): shelf recognition reports.
    case ailet
    /// Rezolve: triggers that were opened, and forms that were filled in.
    case rezolve
    /// Apps that speak x-callback-url.
    case xCallbackURL = "x-callback-url"
    /// No contract: the message is stored without decoding.
    case raw

    /// Additional names of vendors: Dimmy's app and server are now called Flux.
    public static let aliases: [String: Vendor] = ["flux": .dimmy]

    /// All names that select a vendor.
    public static let names = allCases.map(\.rawValue) + aliases.keys.sorted()

    /// The vendor with a name or an alias; nil for an unknown name.
    public init?(rawValue name: String) {
        guard let vendor = Self.allCases.first(where: { $0.rawValue == name }) ?? Self.aliases[name]
        else { return nil }
        self = vendor
    }
}
