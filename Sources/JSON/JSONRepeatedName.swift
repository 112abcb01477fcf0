// Repeated names in an object, and the search for all of them.
//
// Such a text is valid JSON: RFC 8259 §4 only says that names should be unique, and that parsers
// differ. So this is not a fault, and costs nothing unless it is requested.

/// A member whose name an earlier member of the same object has.
public struct JSONRepeatedName: Sendable {
    /// The first member with that name, which `JSONNode` returns.
    public let first: JSONMember

    /// The later one.
    public let repetition: JSONMember
}

extension JSONDocument {
    /// The members whose name an earlier member of their object has, in document order.
    ///
    /// Of three members with one name, the second and the third are listed, each with the first.
    /// Names are compared unescaped, code unit by code unit (RFC 8259 §8.3); a lone surrogate
    /// counts as U+FFFD, as everywhere else. O(length), and O(n log n) in the number of results and
    /// in the members of an object. If names don't repeat, comparing short hashes is enough.
    public var repeatedNames: [JSONRepeatedName] {
        var found: [(index: Int, first: Int)] = []
        var prints = Prints(repeating: 0)
        for index in tape.indices
        where tape[index].tag == .object && mayRepeatNames(index, &prints) {
            let object = JSONNode(document: self, index: index)
            var firsts: [ArraySlice<UInt8>: Int] = [:]
            for member in object.members {
                let (name, index) = (member.name.unescaped, member.name.index)
                if let first = firsts[name] {
                    found.append((index, first))
                } else {
                    firsts[name] = index
                }
            }
        }
        // An object's own repetitions were found before those in its values.
        found.sort { $0.index < $1.index }
        return found.map { index, first in
            JSONRepeatedName(first: member(named: first), repetition: member(named: index))
        }
    }

    /// The hashes of a few names.
    private typealias Prints = InlineArray<16, UInt64>

    /// Whether two names of the object at `index` have the same hash, or one contains escapes.
    ///
    /// Few names are compared with each other in `prints`, a buffer that all objects share; many are
    /// sorted first.
    private func mayRepeatNames(_ index: Int, _ prints: inout Prints) -> Bool {
        let (text, tape) = (bytes.span, tape.span)
        let end = Int(tape[index].next)
        var many: [UInt64] = []
        var (name, count) = (index + 1, 0)
        while name < end {
            let entry = tape[name]
            if entry.hasEscapes { return true }
            let print = Self.print(of: text, Int(entry.start) + 1, Int(entry.end) - 1)
            if count < prints.count {
                for known in 0..<count where prints[known] == print { return true }
                prints[count] = print
                count += 1
            } else {
                many.append(print)
            }
            name = Int(tape[name + 1].next)
        }
        if many.isEmpty { return false }
        for known in 0..<count { many.append(prints[known]) }
        many.sort()
        return zip(many, many.dropFirst()).contains { $0 == $1 }
    }

    /// A hash of a name's length, first and last bytes.
    @inline(__always)
    private static func print(of text: Span<UInt8>, _ start: Int, _ end: Int) -> UInt64 {
        let count = end - start
        var print = UInt64(truncatingIfNeeded: count)
        if count >= 8 {
            let odd: UInt64 = 0x9E37_79B9_7F4A_7C15
            print = (print ^ text.word(at: start)) &* odd ^ text.word(at: end - 8)
        } else {
            for index in start..<end { print = print &<< 8 | UInt64(text[index]) }
        }
        return print
    }

    /// The member whose name is at `index` of the tape.
    private func member(named index: Int) -> JSONMember {
        JSONMember(
            name: JSONNode(document: self, index: index),
            value: JSONNode(document: self, index: index + 1))
    }
}
