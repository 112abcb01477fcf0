// Strong entity tags for files that are held in memory.

/// Names a content by what it is.
package enum EntityTag {
    /// A strong tag with its quotes: the content's size and its FNV-1a hash of 64 bits, which
    /// differ between versions of a file.
    ///
    /// Not meant to withstand somebody who makes collisions: only who may change the files could.
    /// O(content).
    package static func of(_ content: [UInt8]) -> String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for octet in content {
            hash = (hash ^ UInt64(octet)) &* 0x100_0000_01b3
        }
        return "\"\(String(content.count, radix: 16))-\(String(hash, radix: 16))\""
    }
}
