// The values that a record has in the declared fields of its result.
//
// Invariant: only fields with a value take space. A catalog has many fields, and a record those of
// one vendor.

/// A record's values, parallel to `FieldCatalog.fields`; nil where the result has no such value.
package struct FieldValues: Sendable, Equatable, RandomAccessCollection {
    /// A value, and the index of its field in the catalog.
    struct Entry: Sendable, Equatable {
        let index: Int
        package let value: FieldValue
    }

    /// The values that exist, in the order in which they were added.
    private(set) var entries: [Entry] = []
    package let endIndex: Int

    package var startIndex: Int { 0 }

    /// Makes a list without values for a catalog with `count` fields.
    package init(count: Int) {
        endIndex = count
    }

    /// The value of the field at `index` of the catalog.
    ///
    /// O(values that exist).
    package subscript(index: Int) -> FieldValue? {
        for entry in entries where entry.index == index { return entry.value }
        return nil
    }

    /// Makes room for values that will be added.
    mutating func reserveCapacity(_ count: Int) {
        entries.reserveCapacity(count)
    }

    /// Adds the value of a field that has none yet; indices must ascend.
    mutating func add(_ value: FieldValue, at index: Int) {
        entries.append(Entry(index: index, value: value))
    }
}
