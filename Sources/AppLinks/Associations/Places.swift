// The positions in a text that a pattern can have reached. Usually it is one position, or all after
// one.
//
// Invariant: positions are the beginnings of characters, or the end. Every step is linear in the
// text.

/// Byte offsets in a text at which a comparison can continue.
enum Places {
    case one(Int)
    /// This position and all after it.
    case from(Int)
    /// Those that are true; one flag for each byte, and one for the end.
    case some([Bool])

    static let none = Places.some([])

    var isEmpty: Bool {
        if case .some(let flags) = self { !flags.contains(true) } else { false }
    }

    /// The first position; 0 if there is none.
    var nearest: Int {
        switch self {
        case .one(let place), .from(let place): place
        case .some(let flags): flags.firstIndex(of: true) ?? 0
        }
    }

    /// The last position.
    func furthest(in text: Span<UInt8>) -> Int {
        switch self {
        case .one(let place): place
        case .from: text.count
        case .some(let flags): flags.lastIndex(of: true) ?? 0
        }
    }

    func contains(_ place: Int) -> Bool {
        switch self {
        case .one(let only): place == only
        case .from(let first): place >= first
        case .some(let flags): flags.indices.contains(place) && flags[place]
        }
    }

    /// All positions of both.
    func union(_ other: Places, in text: Span<UInt8>) -> Places {
        if isEmpty { return other }
        if other.isEmpty { return self }
        var flags = self.flags(in: text)
        other.forEach(in: text) { flags[$0] = true }
        return .some(flags)
    }

    private func flags(in text: Span<UInt8>) -> [Bool] {
        if case .some(let flags) = self { return flags }
        var flags = [Bool](repeating: false, count: text.count + 1)
        forEach(in: text) { flags[$0] = true }
        return flags
    }

    private func forEach(in text: Span<UInt8>, _ body: (Int) -> Void) {
        switch self {
        case .one(let place): body(place)
        case .from(let first):
            for place in first...max(first, text.count) where text.isBoundary(place) { body(place) }
        case .some(let flags):
            for place in flags.indices where flags[place] { body(place) }
        }
    }

    /// The positions after all those at which `length` returns a length.
    private func moved(
        in text: Span<UInt8>, by length: (Int) -> Int?
    ) -> Places {
        if case .one(let place) = self { return length(place).map { .one(place + $0) } ?? .none }
        var flags = [Bool](repeating: false, count: text.count + 1)
        var isEmpty = true
        forEach(in: text) { place in
            guard let length = length(place) else { return }
            flags[place + length] = true
            isEmpty = false
        }
        return isEmpty ? .none : .some(flags)
    }
}

extension Places {
    /// The positions after `bytes`.
    func after(_ bytes: [UInt8], in text: Span<UInt8>) -> Places {
        moved(in: text) { text.has(bytes, at: $0) ? bytes.count : nil }
    }

    /// The end of the text, if `bytes` lead to it.
    func afterLast(_ bytes: [UInt8], in text: Span<UInt8>) -> Places {
        let start = text.count - bytes.count
        return contains(start) && text.has(bytes, at: start) ? .one(text.count) : .none
    }

    /// The first position after `bytes`.
    func nearestAfter(_ bytes: [UInt8], in text: Span<UInt8>) -> Places {
        switch self {
        case .one(let place):
            return text.has(bytes, at: place) ? .one(place + bytes.count) : .none
        case .from(let first):
            var place = first
            while text.count - place >= bytes.count {
                if text.has(bytes, at: place) { return .one(place + bytes.count) }
                place += 1
            }
            return .none
        case .some(let flags):
            let place = flags.indices.first { flags[$0] && text.has(bytes, at: $0) }
            return place.map { .one($0 + bytes.count) } ?? .none
        }
    }

    /// The positions after an element.
    func after(_ element: WildcardPattern.Element, in text: Span<UInt8>) -> Places {
        switch element {
        case .literal(let bytes):
            return after(bytes, in: text)
        case .anyText:
            return isEmpty ? .none : .from(nearest)
        case .anyCharacter:
            if case .from(let first) = self {
                return text.characterLength(at: first).map { .from(first + $0) } ?? .none
            }
            return moved(in: text) { text.characterLength(at: $0) }
        case .oneOf(let characters):
            return moved(in: text) { place in
                place < text.count && characters.contains(text[place]) ? 1 : nil
            }
        case .code(let table):
            let two = moved(in: text) { table.contains(text, at: $0, count: 2) ? 2 : nil }
            return two.union(
                moved(in: text) { table.contains(text, at: $0, count: 3) ? 3 : nil }, in: text)
        case .value(let values):
            // At the end of the text thousands of values can be left out.
            if !isEmpty, nearest == text.count { return values.fitEmptyText ? self : .none }
            var reached = Places.none
            for value in values.elements {
                var places = self
                for element in value where !places.isEmpty {
                    places = places.after(element, in: text)
                }
                reached = reached.union(places, in: text)
            }
            return reached
        }
    }

    /// The position at which the longest prefix of `bytes` begins, and its length, in whole
    /// characters.
    func longestBeginning(of bytes: [UInt8], in text: Span<UInt8>) -> (place: Int, count: Int) {
        var best = (place: nearest, count: 0)
        forEach(in: text) { place in
            var count = 0
            while count < bytes.count, place + count < text.count,
                text[place + count] == bytes[count]
            {
                count += 1
            }
            while count > 0, !bytes.span.isBoundary(count) { count -= 1 }
            if count > best.count || best.count == 0 { best = (place, count) }
        }
        return best
    }
}

extension Span<UInt8> {
    /// Whether `bytes` are at `place`.
    func has(_ bytes: [UInt8], at place: Int) -> Bool {
        guard place >= 0, count - place >= bytes.count else { return false }
        for index in bytes.indices where self[place + index] != bytes[index] { return false }
        return true
    }

    /// Whether a character begins at `place`, or the text ends there.
    func isBoundary(_ place: Int) -> Bool {
        place >= count || self[place] & 0xC0 != 0x80
    }

    /// The length in bytes of the character at `place`; nil at the end.
    func characterLength(at place: Int) -> Int? {
        guard place < count else { return nil }
        var end = place + 1
        while end < count, !isBoundary(end) { end += 1 }
        return end - place
    }
}
