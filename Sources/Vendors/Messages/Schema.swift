// A contract's fields for a JSON payload, as one flat table that a walk over the payload can
// follow.
//
// Invariant: node 0 is the payload; children come after their parent, members in the order of
// fields. Left out: ranges; no payload has a field with one.

/// The fields of a payload by place.
struct Schema: Sendable {
    /// One place of a payload.
    struct Node: Sendable {
        /// The allowed types.
        fileprivate(set) var types: WireTypes = []
        /// Whether numbers may also be written as text or booleans; these get a normal form.
        fileprivate(set) var isLenient = false
        /// Whether it is lenient itself, or anything below it is: a normal form is stored with its
        /// pointer.
        fileprivate(set) var needsPointer = false
        /// Whether texts are dates with a time.
        fileprivate(set) var isDateTime = false
        /// Whether it may hold members beyond the known ones.
        fileprivate(set) var isOpen = false
        /// Whether it is promised; then `null`, which means absent, is not a valid value.
        fileprivate(set) var isPromised = false
        /// The listed texts and numbers, as indices of `values`; empty if there is no list.
        fileprivate(set) var values = 0..<0
        /// The known members, as indices of `members`.
        fileprivate(set) var members = 0..<0
        /// The promised ones, one bit each, among the first 64.
        fileprivate(set) var promised: UInt64 = 0
        /// The node for every other member of an object; nil if those are unknown.
        fileprivate(set) var anyMember: Int?
        /// The node for every element of an array.
        fileprivate(set) var element: Int?

        /// Whether nothing is known about the value's content.
        var isLeaf: Bool { members.isEmpty && anyMember == nil && element == nil }

        fileprivate mutating func allow(_ field: ContractField) {
            types.formUnion(field.types)
            isLenient = isLenient || field.isLenient
            needsPointer = isLenient
            isDateTime = isDateTime || field.isDateTime
            isOpen = isOpen || field.isOpen
            isPromised = isPromised || field.presence == .always
        }
    }

    /// A known member.
    struct Member: Sendable {
        /// The range of the name in `text`.
        let name: Range<Int>
        let node: Int
    }

    private(set) var nodes: [Node] = []
    private(set) var members: [Member] = []

    /// The listed values, as written.
    private(set) var values: [[UInt8]] = []

    /// The names, concatenated.
    private(set) var text: [UInt8] = []

    /// The places of the nodes, as pointers in which `*` is any name or index.
    private(set) var paths: [String] = []

    /// Collects the fields of the payload that a parameter carries.
    init(_ fields: [ContractField], of parameter: String) {
        grow(fields.filter { $0.path.first == parameter }, depth: 1, path: "")
    }

    /// Appends a node and everything below it; `fields` are those of its place and below.
    private mutating func grow(_ fields: [ContractField], depth: Int, path: String) {
        let index = nodes.count
        nodes.append(Node())
        paths.append(path)
        var names: [String] = []
        let firstValue = values.count
        for field in fields where field.path.count == depth {
            nodes[index].allow(field)
            values += field.values.map { Array($0.utf8) }
        }
        nodes[index].values = firstValue..<values.count
        for field in fields where field.path.count == depth + 1 {
            let name = field.path[depth]
            if !names.contains(name) { names.append(name) }
        }
        let first = members.count
        for name in names where name != "*" {
            let place = text.count
            text += name.utf8
            members.append(Member(name: place..<text.count, node: 0))
        }
        nodes[index].members = first..<members.count
        var next = first
        for name in names {
            let child = nodes.count
            if name != "*" {
                members[next] = Member(name: members[next].name, node: child)
                next += 1
            } else if nodes[index].types.contains(.array) {
                nodes[index].element = child
            } else {
                nodes[index].anyMember = child
            }
            let below = fields.filter { $0.path.count > depth && $0.path[depth] == name }
            grow(below, depth: depth + 1, path: path + "/" + name)
            if nodes[child].needsPointer { nodes[index].needsPointer = true }
            let place = next - first - 1
            if name != "*", nodes[child].isPromised, place < 64 {
                nodes[index].promised |= 1 << UInt64(place)
            }
        }
    }

    /// The names of a node's known members.
    func names(of node: Int) -> [String] {
        members[nodes[node].members].map { String(decoding: text[$0.name], as: UTF8.self) }
    }
}
