// What may be stored, but not be listed: Welltory's `token`, which opens a public page with somebody's
// measurement (vendor document 2.2).
//
// Invariant: as with what is never stored, only whole values change, and valid JSON stays valid.
// Hidden is by name, in records of every vendor: a callback may have been sent to the wrong one.

extension Redaction {
    /// What stands in place of a credential that is stored, wherever results are listed.
    public static let hiddenMark = "[hidden]"

    /// A record, or a part of one, without the values of credentials that are stored.
    ///
    /// JSON text stays JSON text. O(length), and a glance for nearly all records.
    public static func hideShared(in text: [UInt8]) -> [UInt8] {
        replace(.shared, in: text)
    }

    /// Whether the value of the member or parameter `name` is hidden in lists.
    public static func isShared(_ name: some StringProtocol) -> Bool {
        Sought.shared.index(of: Array(name.utf8)[...]) != nil
    }
}
