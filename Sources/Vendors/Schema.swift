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
        fileprivate(set) var kinds: Kinds = []
        fileprivate(set) var names: [[UInt8]] = []
        /// The nodes of `names`.
        fileprivate(set) var children: [Int] = []
        /// The node of every member, whatever its name.
        fileprivate(set) var anyMember: Int?
        /// The node of every element.
        fileprivate(set) var element: Int?
        /// The place as a pointer in which `*` stands for any name or index.
        fileprivate(set) var path = ""

        /// Whether nothing is known of what the value holds.
        var isLeaf: Bool { names.isEmpty && anyMember == nil && element == nil }
    }

    private(set) var nodes = [Node()]

    /// Creates a schema from rows: where objects stand, the names of some members, and their kinds.
    ///
    /// A place is names with points between; `*` is any name, and `[]` after a name each element.
    init(_ rows: [(place: String, names: String, kinds: Kinds)]) {
        for row in rows {
            let parent = row.place.split(separator: ".").reduce(0) { child(of: $0, String($1)) }
            for name in row.names.split(separator: " ") {
                let node = child(of: parent, String(name))
                nodes[node].kinds.formUnion(row.kinds)
            }
        }
        for index in nodes.indices where nodes[index].kinds.isAnything {
            if !nodes[index].names.isEmpty || nodes[index].anyMember != nil {
                nodes[index].kinds.insert(.object)
            } else if nodes[index].element != nil {
                nodes[index].kinds.insert(.array)
            }
        }
    }

    /// The node of a member, made when it isn't there yet.
    private mutating func child(of parent: Int, _ step: String) -> Int {
        if step.hasSuffix("[]") {
            let list = child(of: parent, String(step.dropLast(2)))
            if let element = nodes[list].element { return element }
            nodes[list].element = nodes.count
            return add(nodes[list].path + "/*")
        }
        if step == "*" {
            if let known = nodes[parent].anyMember { return known }
            nodes[parent].anyMember = nodes.count
            return add(nodes[parent].path + "/*")
        }
        let name = Array(step.utf8)
        if let known = nodes[parent].names.firstIndex(of: name) {
            return nodes[parent].children[known]
        }
        nodes[parent].names.append(name)
        nodes[parent].children.append(nodes.count)
        return add(nodes[parent].path + "/" + step)
    }

    private mutating func add(_ path: String) -> Int {
        nodes.append(Node())
        nodes[nodes.count - 1].path = path
        return nodes.count - 1
    }
}
