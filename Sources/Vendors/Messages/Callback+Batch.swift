// Splits a body that is a list of callbacks. Back ends that collect what their apps got send such
// lists.
//
// Invariant: only a list of objects is split, and all of it; a list with anything else in it is one
// callback, whose decoder says what is wrong.

import JSON

extension Callback {
    /// The objects of a JSON body that is a list of them, each as it was written; nil for any other
    /// body, and for a vendor whose messages aren't decoded.
    ///
    /// O(length) for a list, O(1) for other bodies.
    public func batch(for vendor: Vendor) -> [ArraySlice<UInt8>]? {
        guard vendor.declaration.splitsLists, let body, BodyKind.isJSON(body),
            body.bytes.firstVisible == UInt8(ascii: "["),
            let root = try? JSONDocument(parsing: body.bytes).root, root.kind == .array
        else { return nil }
        let elements = Array(root.elements)
        guard !elements.isEmpty, elements.allSatisfy({ $0.kind == .object }) else { return nil }
        return elements.map(\.text)
    }
}
