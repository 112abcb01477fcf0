// The order of two values.

extension QueryValue {
    /// Whether both are of one ordered kind and this one is less than or equal to the other.
    func isAtMost(_ other: QueryValue) -> Bool {
        switch (self, other) {
        case (.number(let left), .number(let right)): left <= right
        case (.integer(let left), .integer(let right)): left <= right
        case (.time(let left), .time(let right)): left <= right
        default: false
        }
    }
}
