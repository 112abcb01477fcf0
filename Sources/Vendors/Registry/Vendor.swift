// Whose contract a message follows.
// Invariant: a raw value never changes, since paths, records and queries hold it.

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
    /// Nobody's contract: the message is kept and nothing is decoded.
    case raw

    /// Further names of vendors: Dimmy's app and server are called Flux now.
    public static let aliases: [String: Vendor] = ["flux": .dimmy]

    /// Every name by which a vendor may be asked for.
    public static let names = allCases.map(\.rawValue) + aliases.keys.sorted()

    /// The vendor of a name, also of a further one; nil for nobody's.
    public init?(rawValue name: String) {
        guard let vendor = Self.allCases.first(where: { $0.rawValue == name }) ?? Self.aliases[name]
        else { return nil }
        self = vendor
    }
}
