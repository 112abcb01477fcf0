// A contract's fields by place, so that a message is compared in one pass. Invariant: made once for
// each contract; each place has a number, which counters use as an index.

/// One place in messages of a contract.
final class FieldTree: Sendable {
    /// The field in the contract; nil for the root.
    let field: ContractField?

    /// The index among the places of the contract, from 0 for the root.
    let number: Int

    private let children: [String: FieldTree]

    /// The place below every name, or in every element.
    let wildcard: FieldTree?

    /// The places below that are promised, for all messages or for an outcome.
    let promised: [FieldTree]

    /// Number of places in this subtree.
    let count: Int

    private init(_ field: ContractField?, below: [ContractField], number: Int) {
        self.field = field
        self.number = number
        let depth = field?.path.count ?? 0
        var next = number + 1
        var children: [String: FieldTree] = [:]
        var wildcard: FieldTree?
        var promised: [FieldTree] = []
        for child in below where child.path.count == depth + 1 {
            let tree = FieldTree(
                child, below: below.filter { $0.path.starts(with: child.path) && $0 != child },
                number: next)
            next += tree.count
            if child.path.last == "*" {
                wildcard = tree
            } else {
                children[child.path.last ?? ""] = tree
                if child.presence != .optional { promised.append(tree) }
            }
        }
        self.children = children
        self.wildcard = wildcard
        self.promised = promised
        count = next - number
    }

    /// The place of a member called `name`; nil if the contract doesn't have one.
    func child(_ name: String) -> FieldTree? { children[name] ?? wildcard }

    /// The tree of a contract.
    static func of(_ contract: Contract) -> FieldTree {
        // Every contract has a tree: the table is made from all of them.
        trees[contract] ?? FieldTree(nil, below: [], number: 0)
    }

    private static let trees = Dictionary(
        uniqueKeysWithValues: Contract.allCases.map {
            ($0, FieldTree(nil, below: $0.fields, number: 0))
        })
}
