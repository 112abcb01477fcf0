// The form in which paths are compared, of patterns and URLs alike. Apple's documentation does not
// speak of it; recorded runs of `swcutil` do, in which `/buy/*` opens `/buy`.

/// Slashes and stars as Apple's matcher wants them.
enum PathNormalization {
    /// A path in the form in which it is compared, in O(length).
    ///
    /// Nothing becomes `/`, one character stays as it is; else runs of `*` and of `/` become one,
    /// and a slash is added at either end unless a `*` stands there.
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
