// A contract's fields by their place, so that a message is gone through once beside them.
// Invariant: made once a contract; a place has a number, by which whoever goes through counts.

/// One place in messages of a contract.
final class FieldTree: Sendable {
    /// What the contract says; nil for the root.
    let field: ContractField?

    /// Of the places of a contract, from 0; the root is the first.
    let number: Int

    private let children: [String: FieldTree]

    /// What stands below every name or in every element.
    let wildcard: FieldTree?

    /// The places below that are promised, for all messages or for those of an outcome.
    let promised: [FieldTree]

    /// How many places there are from here on.
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

    /// The place of a member called `name`; nil when the contract knows none.
    func child(_ name: String) -> FieldTree? { children[name] ?? wildcard }

    /// The tree of a contract.
    static func of(_ contract: Contract) -> FieldTree {
        // Every contract has a tree: the table is made of all of them.
        trees[contract] ?? FieldTree(nil, below: [], number: 0)
    }

    private static let trees = Dictionary(
        uniqueKeysWithValues: Contract.allCases.map {
            ($0, FieldTree(nil, below: $0.fields, number: 0))
        })
}
