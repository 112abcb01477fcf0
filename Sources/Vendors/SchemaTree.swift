// A schema while it is put together from the rows of a table.
// Invariant: branches are never removed, so that an index stays what it is.

/// The places of a payload as a tree.
struct SchemaTree {
    /// One place.
    struct Branch {
        fileprivate(set) var kinds: Schema.Kinds = []
        fileprivate(set) var members: [(name: String, node: Int)] = []
        fileprivate(set) var anyMember: Int?
        fileprivate(set) var element: Int?
        fileprivate(set) var path = ""

        /// The kinds that rows name, or else those that what is inside tells.
        var allKinds: Schema.Kinds {
            if !kinds.isAnything { return kinds }
            if !members.isEmpty || anyMember != nil { return kinds.union(.object) }
            return element == nil ? kinds : kinds.union(.array)
        }
    }

    private(set) var branches = [Branch()]

    /// Adds kinds that the values of a branch may have.
    mutating func add(_ kinds: Schema.Kinds, to branch: Int) {
        branches[branch].kinds.formUnion(kinds)
    }

    /// The branch that a step of a place leads to, made when it isn't there yet.
    mutating func child(of parent: Int, _ step: String) -> Int {
        if step.hasSuffix("[]") {
            let list = child(of: parent, String(step.dropLast(2)))
            if let element = branches[list].element { return element }
            branches[list].element = branches.count
            return grow(branches[list].path + "/*")
        }
        if step == "*" {
            if let known = branches[parent].anyMember { return known }
            branches[parent].anyMember = branches.count
            return grow(branches[parent].path + "/*")
        }
        if let known = branches[parent].members.first(where: { $0.name == step }) {
            return known.node
        }
        branches[parent].members.append((step, branches.count))
        return grow(branches[parent].path + "/" + step)
    }

    private mutating func grow(_ path: String) -> Int {
        branches.append(Branch())
        branches[branches.count - 1].path = path
        return branches.count - 1
    }
}
