// Limits on what customers can make the sandbox keep in memory.

extension RezolveSandbox {
    /// The limits of the building blocks of profiles.
    package enum Limits {
        /// Maximum customers whose changes are kept.
        package static let customers = 1000

        /// Maximum entries of one building block of a customer.
        package static let entries = 10

        /// Maximum bytes of the names and values of an entry.
        package static let entryBytes = 1024
    }
}
