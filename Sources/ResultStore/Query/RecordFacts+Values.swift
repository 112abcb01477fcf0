// The values of a record by field.
// Invariant: text is compared by its bytes, as in the index, so composed and decomposed letters
// differ.

/// A record's value in a declared field of its result.
package enum FieldValue: Sendable, Hashable {
    case number(Double)
    case text(String)
    case flag(Bool)
}

extension RecordFacts {
    /// The value of a text field; nil if absent, and for `id`, `seq`, `received_at` and members of
    /// the result.
    func text(of field: QueryField) -> String? {
        switch field {
        case .kind: kind.rawValue
        case .inbox: inbox
        case .vendor: vendor
        case .contract: contract
        case .outcome: outcome
        case .verdict: verdict
        case .flow: flow
        case .method: method
        case .host: host
        case .path: path
        case .trace: trace
        case .answered: answered.map { "\($0)" }
        case .parameter(let name): parameters.first { $0.key.isSame(as: name) }?.value
        case .id, .seq, .receivedAt, .result: nil
        }
    }

    /// The first value that the record's vendor has at one of these places.
    ///
    /// O(places).
    func value(at places: [Matcher.Place]) -> FieldValue? {
        for place in places where place.vendor == vendor && place.index < fields.count {
            if let value = fields[place.index] { return value }
        }
        return nil
    }

    /// Whether folded words, separated by single spaces, follow each other in the record's words.
    ///
    /// O(size of the record's words · size of the wanted ones).
    func hasWords(_ wanted: [UInt8], lastIsPrefix: Bool) -> Bool {
        let words = words.utf8Span.span
        var start = 0
        while start + wanted.count <= words.count {
            var size = 0
            while size < wanted.count, words[start + size] == wanted[size] { size += 1 }
            let end = start + size
            if size == wanted.count,
                lastIsPrefix || end == words.count || words[end] == Words.space
            {
                return true
            }
            while start < words.count, words[start] != Words.space { start += 1 }
            start += 1
        }
        return false
    }
}

extension String {
    /// Whether the bytes are the same.
    ///
    /// Swift's `==` treats canonically equivalent texts as equal.
    func isSame(as other: String) -> Bool {
        let (left, right) = (utf8Span.span, other.utf8Span.span)
        guard left.count == right.count else { return false }
        for index in left.indices where left[index] != right[index] { return false }
        return true
    }
}

extension String? {
    /// Whether there is a text with the same bytes.
    func isSame(as other: String) -> Bool {
        if let self { self.isSame(as: other) } else { false }
    }
}
