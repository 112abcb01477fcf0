// The parts of a record that verification compares, read in one pass over its members. That is half
// of the work of `StoredContent`, and it also checks their order.

import Clocks
import JSON

/// A record's number and names.
struct RecordParts {
    private(set) var id = RecordID(high: 0, low: 0)
    private(set) var sequence = 0
    private(set) var inbox = ""
    /// Whether it replaces earlier lines of the same id.
    private(set) var supersedes = false
    private(set) var facet = Facet(
        kind: .callback, vendor: "", contract: nil, outcome: nil, verdict: "", method: "")

    /// The members that every record has, in the order of `RecordLine`.
    ///
    /// `kind` is fourth, and missing in older lines. `redecoded_at` may come before `inbox`, and
    /// `fell_through` with `link`, and `answer`, after `flow`.
    private static let members = [
        "crc32", "id", "seq", "received_at", "inbox", "vendor", "contract", "outcome", "verdict",
        "flow", "request", "result", "diagnostics",
    ].map { Array("\"\($0)\"".utf8) }

    private static let linkMembers = ["fell_through", "link"].map { Array("\"\($0)\"".utf8) }

    /// Makes the parts of a record's facts.
    init(_ facts: RecordFacts, _ supersedes: Bool) {
        id = facts.id
        sequence = facts.sequence
        inbox = facts.inbox
        self.supersedes = supersedes
        facet = Facet(facts)
    }

    /// Parses a line; nil if it doesn't have exactly the members of a record, in their order.
    ///
    /// O(size).
    init?(_ root: JSONNode) {
        var next = 0
        var linkParts = 0
        var hasAnswer = false
        var kind: RecordKind?
        var receivedAt: Timestamp?
        var (vendor, verdict, method) = ("", "", "")
        var contract: String?
        var outcome: String?
        for member in root.members {
            let value = member.value
            if next == 3, kind == nil, member.name.text.elementsEqual("\"kind\"".utf8) {
                kind = value.string.flatMap { RecordKind(rawValue: $0) }
                if kind == nil { return nil }
                continue
            }
            if next == 4, !supersedes, member.name.text.elementsEqual("\"redecoded_at\"".utf8) {
                supersedes = true
                continue
            }
            if next == 10, !hasAnswer, linkParts != 1,
                member.name.text.elementsEqual("\"answer\"".utf8)
            {
                hasAnswer = true
                continue
            }
            if next == 10, !hasAnswer, linkParts < 2,
                member.name.text.elementsEqual(Self.linkMembers[linkParts])
            {
                linkParts += 1
                continue
            }
            guard next < Self.members.count, linkParts != 1,
                member.name.text.elementsEqual(Self.members[next])
            else { return nil }
            var isValid = true
            switch next {
            case 1: isValid = value.string.flatMap { RecordID($0) }.map { id = $0 } != nil
            case 2: isValid = value.int.map { sequence = $0 } != nil
            case 3: receivedAt = value.string.flatMap { Timestamp($0.utf8) }
            case 4: isValid = value.string.map { inbox = $0 } != nil
            case 5: isValid = value.string.map { vendor = $0 } != nil
            case 6: contract = value.string
            case 7: outcome = value.string
            case 8: isValid = value.string.map { verdict = $0 } != nil
            case 10:
                isValid = value.kind == .object
                method = value["method"]?.string ?? ""
            case 12: isValid = value.kind == .array
            default: break
            }
            if !isValid { return nil }
            next += 1
        }
        guard next == Self.members.count, id.isVersion7,
            id.milliseconds == receivedAt?.unixMilliseconds
        else { return nil }
        let derived = RecordKind.derived(from: contract)
        facet = Facet(
            kind: kind ?? derived.kind, vendor: vendor,
            contract: kind == nil ? derived.contract : contract, outcome: outcome, verdict: verdict,
            method: method)
    }
}
