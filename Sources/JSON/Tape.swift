// The tape while a text is parsed or written.
//
// Invariant: until a container is closed, its `next` is the index of the container around it, so
// open containers need no further memory. The root is at 0, and is its own parent.

/// Entries in document order, and the array or object that is being parsed.
struct Tape {
    private(set) var entries: ContiguousArray<TapeEntry> = []

    /// Number of open arrays and objects.
    private(set) var depth = 0

    /// Whether the innermost open container is an object.
    private(set) var isInObject = false

    private var container = 0

    init(capacity: Int) {
        entries.reserveCapacity(capacity)
    }

    /// Adds a scalar or a name.
    @inline(__always)
    mutating func append(_ tag: TapeEntry.Tag, _ range: Range<Int>, hasEscapes: Bool = false) {
        // Offsets are in range: the text is no longer than `Limits.maximumDocumentBytes`, and no
        // value is empty.
        entries.append(
            TapeEntry(
                start: UInt32(truncatingIfNeeded: range.lowerBound),
                end: UInt32(truncatingIfNeeded: range.upperBound),
                next: UInt32(truncatingIfNeeded: entries.count &+ 1), tag: tag,
                hasEscapes: hasEscapes))
    }

    /// Adds the value at `index` of another tape, whose text was copied to `start`.
    mutating func append(_ index: Int, of others: ContiguousArray<TapeEntry>, at start: Int) {
        let others = others.span
        let first = others[index]
        let shift = UInt32(truncatingIfNeeded: start) &- first.start
        let distance = UInt32(truncatingIfNeeded: entries.count &- index)
        for place in index..<Int(first.next) {
            let entry = others[place]
            entries.append(
                TapeEntry(
                    start: entry.start &+ shift, end: entry.end &+ shift,
                    next: entry.next &+ distance, tag: entry.tag, hasEscapes: entry.hasEscapes))
        }
    }

    /// Adds an array or object, whose content comes next.
    mutating func open(_ tag: TapeEntry.Tag, at offset: Int) {
        let parent = container
        container = entries.count
        depth += 1
        isInObject = tag == .object
        entries.append(
            TapeEntry(
                start: UInt32(truncatingIfNeeded: offset), end: 0,
                next: UInt32(truncatingIfNeeded: parent), tag: tag, hasEscapes: false))
    }

    /// The indices of the open containers, outermost first.
    var openContainers: [Int] {
        guard depth > 0 else { return [] }
        var indices = [container]
        while let last = indices.last, last > 0 { indices.append(Int(entries[last].next)) }
        return indices.reversed()
    }

    /// Ends the innermost container before `end`; one must be open.
    mutating func close(before end: Int) {
        let parent = Int(entries[container].next)
        entries[container].end = UInt32(truncatingIfNeeded: end)
        entries[container].next = UInt32(truncatingIfNeeded: entries.count)
        container = parent
        depth -= 1
        isInObject = depth > 0 && entries[parent].tag == .object
    }
}
