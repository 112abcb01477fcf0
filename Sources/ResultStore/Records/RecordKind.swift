// What a record is: the one distinction that every list makes before any other.
//
// Lines of older programs have no `kind`: the ending of their contract says it, and goes.

import JSON

/// What a record is.
package enum RecordKind: String, Sendable, Hashable, CaseIterable {
    /// The request that brings an outcome back.
    case callback
    /// The link that opened the vendor's app, or was made to.
    case launch
    /// One attempt of the emulator to bring a callback or a webhook.
    case delivery
    /// A registration at the emulated vendor.
    case registration
    /// A request that no route took.
    case stray

    /// The number by which the index knows it; numbers of kinds never change.
    var number: Int {
        switch self {
        case .callback: 0
        case .launch: 1
        case .delivery: 2
        case .registration: 3
        case .stray: 4
        }
    }

    /// The kind with a number; nil for a number that none has.
    init?(number: Int) {
        guard let kind = Self.allCases.first(where: { $0.number == number }) else { return nil }
        self = kind
    }

    /// What older programs wrote at the end of a contract.
    private static let endings: [(ending: String, kind: RecordKind)] = [
        ("-launch", .launch), ("-delivery", .delivery), ("-registration", .registration),
    ]

    /// The kind and the contract of a record that has no `kind`.
    ///
    /// A registration follows no contract, so nothing is left of its own.
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

    /// The kind and the contract of a stored record; nil for a kind that is unknown.
    static func read(_ root: JSONNode) -> (kind: RecordKind, contract: String?)? {
        let contract = root["contract"]?.string
        guard let member = root["kind"] else { return derived(from: contract) }
        return member.string.flatMap { RecordKind(rawValue: $0) }.map { ($0, contract) }
    }
}

extension Condition {
    /// What holds for records of one of some kinds.
    package static func kinds(_ kinds: [RecordKind]) -> Condition {
        .disjunction(kinds.map { .compare(.kind, .equal, .text($0.rawValue)) })
    }

    /// Whether it asks for the kind of records anywhere.
    ///
    /// O(size).
    package var asksForKind: Bool {
        switch self {
        case .all(let parts), .any(let parts): parts.contains { $0.asksForKind }
        case .not(let part): part.asksForKind
        case .compare(let field, _, _), .has(let field): field == .kind
        case .words: false
        }
    }
}
