// An error in a value whose position in the query isn't known yet.

/// An error inside the text of one value.
struct QueryValueFault: Error {
    /// Offset of the first wrong byte from the beginning of the value; negative for the relation
    /// before it.
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
