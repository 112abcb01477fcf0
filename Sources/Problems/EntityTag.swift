// Strong entity tags for files in memory.

/// Makes a tag from content.
package enum EntityTag {
    /// A strong tag with its quotes: the content's size and 64-bit FNV-1a hash, which differ
    /// between versions of a file.
    ///
    /// Not collision-resistant: only someone who can change the files could exploit that.
    /// O(content).
    package static func of(_ content: [UInt8]) -> String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for octet in content {
            hash = (hash ^ UInt64(octet)) &* 0x100_0000_01b3
        }
        return "\"\(String(content.count, radix: 16))-\(String(hash, radix: 16))\""
    }
}
