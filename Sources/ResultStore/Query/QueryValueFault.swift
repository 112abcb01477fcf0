// What is wrong with a value, before it is known where the value stands.

/// A fault inside the text of one value.
struct QueryValueFault: Error {
    /// The first byte at fault, from the beginning of the value; negative for the relation before
    /// it.
    var offset: Int
    /// As in `QueryError`.
    var expected: String
    var hint: String?

    init(at offset: Int = 0, _ expected: String, hint: String? = nil) {
        self.offset = offset
        self.expected = expected
        self.hint = hint
    }
}
