// A name that an object has twice, and the search for all of them.
//
// Such a text is JSON: RFC 8259 §4 only says that names should be unique, and that readers differ.
// So this is no fault, and costs nothing until it is asked for.

/// A member whose name an earlier member of the same object has.
public struct JSONRepeatedName: Sendable {
    /// The first member of that name, which `JSONNode` finds.
    public let first: JSONMember

    /// The later one.
    public let repetition: JSONMember
}

extension JSONDocument {
    /// The members whose name an earlier member of their object has, in document order.
    ///
    /// Of three members with one name the second and the third are listed, each with the first.
    /// Names are compared without escapes and code unit by code unit (RFC 8259 §8.3); a lone
    /// surrogate counts as U+FFFD, as it does everywhere else. O(length), and O(n log n) in the
    /// number of what is found.
    public var repeatedNames: [JSONRepeatedName] {
        var found: [(index: Int, first: Int)] = []
        for (index, entry) in tape.enumerated() where entry.tag == .object {
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
        // An object's own repetitions have been found before those inside of its values.
        found.sort { $0.index < $1.index }
        return found.map { index, first in
            JSONRepeatedName(first: member(named: first), repetition: member(named: index))
        }
    }

    /// The member whose name is at `index` of the tape.
    private func member(named index: Int) -> JSONMember {
        JSONMember(
            name: JSONNode(document: self, index: index),
            value: JSONNode(document: self, index: index + 1))
    }
}
