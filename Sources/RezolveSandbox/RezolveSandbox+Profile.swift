// A customer's building blocks: create, list, change and delete entries (vendor document 4.7).
//
// Invariant: an entry has the members of its block only, and what it refers to existed when it was
// written. Left out: encryption of cards; a card's number is never kept.

import JSON

extension RezolveSandbox {
    /// A request about a building block, or about one of its entries.
    ///
    /// - Parameter id: the entry of the path; nil for the block's own path.
    func profile(
        _ block: ProfileBlock, _ request: RezolveRequest, _ partner: Partner, id: String? = nil
    ) throws(RezolveRefusal) -> RezolveResponse {
        let owner = RezolveProfiles.Owner(
            partner: partner.id, entity: request.path["entity"] ?? "")
        if request.method == .post {
            let members = try members(of: block, request, owner)
            guard let entry = profiles.add(members, to: block, for: owner) else {
                throw Self.full(block)
            }
            return RezolveResponse(status: .created, body: Self.json(of: entry))
        }
        let entries = profiles.entries(of: block, for: owner)
        if id == nil, !block.shape.isSingle {
            return RezolveResponse(body: Self.list(entries, block))
        }
        let found = entries.first { id == nil || $0.id == id }
        var entry: RezolveProfiles.Entry?
        switch request.method {
        case .put:
            let members = try members(of: block, request, owner, id: found?.id)
            entry = found.flatMap {
                profiles.replace($0.id, by: members, in: block, for: owner)
            }
        case .delete:
            if let found, profiles.remove(found.id, from: block, for: owner) != nil {
                return RezolveResponse(status: .noContent)
            }
        default: entry = found
        }
        guard let entry else {
            throw .notFound(
                "The entry", expected: "the id of an entry of the customer's \(block)", found: id)
        }
        return RezolveResponse(body: Self.json(of: entry))
    }

    /// The members of an entry in a body, in the order of the block.
    ///
    /// - Parameter id: the entry that the body replaces, which it may repeat.
    private func members(
        of block: ProfileBlock, _ request: RezolveRequest, _ owner: RezolveProfiles.Owner,
        id: String? = nil
    ) throws(RezolveRefusal) -> [RezolveProfiles.Member] {
        let body = try request.jsonObject()
        let shape = block.shape
        let names = shape.required + shape.optional
        try Self.refuseMembers(of: body, but: ["id"] + names + shape.secret)
        if let id, let node = body["id"], let other = FixtureTable.id(node), other != id {
            throw .malformed(.body("wrong_id", about: node, expected: "id: the id of the path"))
        }
        var members: [RezolveProfiles.Member] = []
        for name in names {
            guard let node = body.member(name) else { continue }
            guard let text = node.string ?? FixtureTable.id(node) else {
                throw .malformed(.body("wrong_type", about: node, expected: "\(name): a string"))
            }
            members.append((name, text))
        }
        let missing = shape.required.filter { name in
            !members.contains { $0.name == name && $0.value.contains { !$0.isWhitespace } }
        }
        if !missing.isEmpty { throw .missing(missing, in: body) }
        let bytes = members.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count }
        guard bytes <= Limits.entryBytes else {
            throw .malformed(
                .body(
                    "entry_too_long", about: body,
                    expected: "an entry of at most \(Limits.entryBytes) bytes",
                    found: "\(bytes) bytes"))
        }
        for name in names { _ = try reference(name, in: body, of: owner) }
        return members
    }

    /// The id in a member that refers to the customer's profile: `address_id` or `phone_id`.
    ///
    /// Nil for other members, and if it is absent or empty. Throws the vendor's error for an id
    /// that the customer doesn't have.
    func reference(
        _ name: String, in object: JSONNode?, of owner: RezolveProfiles.Owner
    ) throws(RezolveRefusal) -> String? {
        let blocks = ["address_id": ProfileBlock.addressbook, "phone_id": .phonebook]
        guard let block = blocks[name], let node = object?.member(name), node.string != "" else {
            return nil
        }
        let id = FixtureTable.id(node)
        if let id, profiles.entries(of: block, for: owner).contains(where: { $0.id == id }) {
            return id
        }
        throw .malformed(
            .body(
                "unknown_\(name)", about: node,
                expected: "\(name): the id of an entry of the customer's \(block)"))
    }

    private static func full(_ block: ProfileBlock) -> RezolveRefusal {
        .system(
            "The \(block) is full.",
            .target(
                "block_full", expected: "at most \(Limits.entries) entries; delete one first",
                found: "one more"))
    }

    private static func json(of entry: RezolveProfiles.Entry) -> [UInt8] {
        object([("id", entry.id)] + entry.members.map { ($0.name, $0.value) })
    }

    private static func list(
        _ entries: [RezolveProfiles.Entry], _ block: ProfileBlock
    ) -> [UInt8] {
        let list = array(entries.map(json))
        guard let name = block.shape.list else { return list }
        return JSONWriter.object { json in
            json.member(name, raw: list)
        }
    }
}
