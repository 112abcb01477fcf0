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
}
