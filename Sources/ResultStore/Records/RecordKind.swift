// The kind of a record: the distinction that every list makes first.
//
// Lines of older programs have no `kind`. The suffix of their contract determines it, and is
// removed.

import JSON

/// The kind of a record.
package enum RecordKind: String, Sendable, Hashable, CaseIterable {
    /// The request that brings back an outcome.
    case callback
    /// The link that opened the vendor's app, or was created to open it.
    case launch
    /// One attempt to send a callback or a webhook: by the emulator, by forwarding, or because
    /// somebody sends a stored callback again.
    case delivery
    /// A registration with the emulated vendor.
    case registration
    /// A request that no route took.
    case stray

    /// The number of the kind in the index.
    ///
    /// These numbers never change.
    package var number: Int {
        switch self {
        case .callback: 0
        case .launch: 1
        case .delivery: 2
        case .registration: 3
        case .stray: 4
        }
    }

    /// The kind with a number; nil if the number is unknown.
    package init?(number: Int) {
        guard let kind = Self.allCases.first(where: { $0.number == number }) else { return nil }
        self = kind
    }

    /// The suffixes that older programs appended to a contract.
    private static let endings: [(ending: String, kind: RecordKind)] = [
        ("-launch", .launch), ("-delivery", .delivery), ("-registration", .registration),
    ]

    /// The kind and the contract of a record without `kind`.
    ///
    /// A registration follows no contract, so it has none.
    package static func derived(
        from contract: String?
    ) -> (kind: RecordKind, contract: String?) {
        guard let contract else { return (.callback, nil) }
        for (ending, kind) in endings where contract.hasSuffix(ending) {
            return (
                kind, kind == .registration ? nil : String(contract.dropLast(ending.utf8.count))
            )
        }
        return (.callback, contract)
    }

    /// The kind and the contract of a stored record; nil for an unknown kind.
    static func read(_ root: JSONNode) -> (kind: RecordKind, contract: String?)? {
        let contract = root["contract"]?.string
        guard let member = root["kind"] else { return derived(from: contract) }
        return member.string.flatMap { RecordKind(rawValue: $0) }.map { ($0, contract) }
    }
}

extension Condition {
    /// The condition for records of one of some kinds.
    package static func kinds(_ kinds: [RecordKind]) -> Condition {
        .disjunction(kinds.map { .compare(.kind, .equal, .text($0.rawValue)) })
    }

    /// Whether no record of a kind can match, as far as the kind decides.
    ///
    /// O(size).
    package func excludes(_ kind: RecordKind) -> Bool {
        let rest = replacingLeaves { leaf in
            guard case .compare(.kind, _, .text(let name)) = leaf else { return leaf }
            return .constant(name == kind.rawValue)
        }
        return rest == .nothing
    }

    /// Whether the condition names the kind of records anywhere.
    ///
    /// O(size).
    package var filtersByKind: Bool {
        switch self {
        case .all(let parts), .any(let parts): parts.contains { $0.filtersByKind }
        case .not(let part): part.filtersByKind
        case .compare(let field, _, _), .has(let field): field == .kind
        case .words: false
        }
    }
}
