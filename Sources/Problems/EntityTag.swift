// Strong entity tags for files in memory.

import Text

/// Makes a tag from content.
package enum EntityTag {
    /// A strong tag with its quotes: the content's size and 64-bit FNV-1a hash, which differ
    /// between versions of a file.
    ///
    /// Not collision-resistant: only someone who can change the files could exploit that.
    /// O(content).
    package static func of(_ content: [UInt8]) -> String {
        let hash = FNV1a(content).value
        return "\"\(String(content.count, radix: 16))-\(String(hash, radix: 16))\""
    }
}
