// The normal form of paths, for patterns and URLs alike. Apple doesn't document it; recorded runs
// of `swcutil` show it: `/buy/*` opens `/buy`.

/// Slashes and stars as Apple's matcher compares them.
enum PathNormalization {
    /// A path in normal form, in O(length).
    ///
    /// An empty path becomes `/`, and a path of one character is unchanged. Otherwise runs of `*`
    /// and of `/` become one, and a slash is added at each end that has no `*`.
    static func normalized(_ path: ArraySlice<UInt8>) -> [UInt8] {
        let slash = UInt8(ascii: "/")
        let star = UInt8(ascii: "*")
        if path.isEmpty { return [slash] }
        if path.span.extracting(0..<path.count).characterLength(at: 0) == path.count {
            return Array(path)
        }
        var output: [UInt8] = []
        output.reserveCapacity(path.count + 2)
        if path.first != star { output.append(slash) }
        for byte in path where byte != output.last || byte != slash && byte != star {
            output.append(byte)
        }
        if output.last != star, output.last != slash { output.append(slash) }
        return output
    }
}
