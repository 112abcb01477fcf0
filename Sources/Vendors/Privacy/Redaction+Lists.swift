// Hides values that are stored but must not be listed: Welltory's `token`, which opens a public
// page with a person's measurement (vendor document 2.2).
//
// Invariant: as with credentials that are never stored, only whole values change, and valid JSON
// stays valid. Values are hidden by name, in records of every vendor, because a callback may have
// been sent to the wrong one.

extension Redaction {
    /// Replaces a stored credential wherever results are listed.
    public static let hiddenMark = "[hidden]"

    /// A record, or a part of one, without the values of stored credentials.
    ///
    /// JSON text stays JSON text. O(length), and only a cheap check for nearly all records.
    public static func hideShared(in text: [UInt8]) -> [UInt8] {
        replace(.shared, in: text)
    }

    /// Whether lists hide the value of the member or parameter `name`.
    public static func isShared(_ name: some StringProtocol) -> Bool {
        Sought.shared.index(of: Array(name.utf8)[...]) != nil
    }
}
