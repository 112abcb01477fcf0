// What a contract says of a JSON value and of all that it holds, as one flat table.
//
// Invariant: node 0 is the root; children come after their parent. A row of a table is a row of the
// vendor document. Left out: enumerations and required members; contracts are open.

/// The members of a payload that a contract knows, with their types.
struct Schema: Sendable {
    /// What a value may be; none of the kinds means anything at all.
    ///
    /// `null` is the same as absent.
    struct Kinds: OptionSet, Sendable {
        let rawValue: UInt16

        static let string = Kinds(rawValue: 1)
        /// A number without point and exponent.
        static let integer = Kinds(rawValue: 2)
        static let number = Kinds(rawValue: 4)
        static let boolean = Kinds(rawValue: 8)
        static let object = Kinds(rawValue: 16)
        static let array = Kinds(rawValue: 32)
        /// A number, which may be written as text or as a boolean too; it has a normal form.
        static let lenient = Kinds(rawValue: 64)
        /// `null` is not allowed.
        static let required = Kinds(rawValue: 128)
        /// An object which is known to have more members than are known.
        static let open = Kinds(rawValue: 256)

        private static let all: Kinds = [.string, .integer, .number, .boolean, .object, .array]

        /// Whether values of any kind are allowed.
        var isAnything: Bool { isDisjoint(with: Self.all.union(.lenient)) }
    }

    /// One place of a payload.
    struct Node: Sendable {
        let kinds: Kinds
        /// The members that are known, as indices of `members`.
        let members: Range<Int>
        /// The node of every other member; nil when those are unknown.
        let anyMember: Int?
        /// The node of every element.
        let element: Int?

        /// Whether nothing is known of what the value holds.
        var isLeaf: Bool { members.isEmpty && anyMember == nil && element == nil }
    }

    /// A member that is known.
    struct Member: Sendable {
        /// Where the name stands in `text`.
        let name: Range<Int>
        let node: Int
    }

    let nodes: [Node]
    let members: [Member]

    /// The names, one after the other.
    let text: [UInt8]

    /// The places of the nodes, as pointers in which `*` stands for any name or index.
    let paths: [String]

    /// Creates a schema from rows: where objects stand, the names of some members, and their kinds.
    ///
    /// A place is names with points between; `*` is any name, and `[]` after a name each element.
    init(_ rows: [(place: String, names: String, kinds: Kinds)]) {
        var tree = SchemaTree()
        for row in rows {
            let parent = row.place.split(separator: ".").reduce(0) {
                tree.child(of: $0, String($1))
            }
            for name in row.names.split(separator: " ") {
                tree.add(row.kinds, to: tree.child(of: parent, String(name)))
            }
        }
        var (nodes, members, text): ([Node], [Member], [UInt8]) = ([], [], [])
        for branch in tree.branches {
            let start = members.count
            for (name, node) in branch.members {
                let place = text.count
                text.append(contentsOf: name.utf8)
                members.append(Member(name: place..<text.count, node: node))
            }
            nodes.append(
                Node(
                    kinds: branch.allKinds, members: start..<members.count,
                    anyMember: branch.anyMember, element: branch.element))
        }
        (self.nodes, self.members, self.text) = (nodes, members, text)
        paths = tree.branches.map(\.path)
    }

    /// The names of a node's known members.
    func names(of node: Int) -> [String] {
        members[nodes[node].members].map { String(decoding: text[$0.name], as: UTF8.self) }
    }
}
