// Erases records: a line of its own, which says what is erased and nothing about its content.
//
//   {"crc32":"…","seq":43,"erased_at":"…","erased":{"id":"019a…"}}

import Clocks
import JSON

/// A permanent erasure of records.
///
/// One of an inbox takes effect until its name is removed (`withoutName`).
package struct Erasure: Sendable, Equatable {
    /// What is erased, of the records stored before.
    package enum Scope: Sendable, Equatable {
        /// One record.
        case record(RecordID)
        /// The records of an inbox.
        case inbox(String, through: Bound)
        /// Those records of an inbox that no contract matched.
        case unmatched(inbox: String, through: Bound)
        /// Those records of an inbox that are attempts to deliver.
        case deliveries(inbox: String, through: Bound)
        /// The requests that no route took, of all inboxes.
        case strays(through: Bound)
        /// The records received before a time.
        case receivedBefore(Timestamp)
    }

    /// The last record of a scope.
    package struct Bound: Sendable, Equatable {
        /// When it was received; nil if the number alone decides.
        package let receivedAt: Timestamp?
        /// Its number.
        package let sequence: Int

        /// Makes the bound of all records up to a number.
        package init(_ sequence: Int) {
            receivedAt = nil
            self.sequence = sequence
        }

        /// Makes the bound of the oldest records: those that were received before this time, or at
        /// it and have no higher number.
        package init(receivedAt: Timestamp, _ sequence: Int) {
            self.receivedAt = receivedAt
            self.sequence = sequence
        }

        /// Whether a record comes before the last one, or is the last one.
        package func covers(receivedAt moment: Timestamp, _ sequence: Int) -> Bool {
            guard let receivedAt else { return sequence <= self.sequence }
            return (moment, sequence) <= (receivedAt, self.sequence)
        }
    }

    package let scope: Scope
    /// Its number among records and other erasures.
    let sequence: Int
    let erasedAt: Timestamp

    package init(scope: Scope, sequence: Int, erasedAt: Timestamp) {
        self.scope = scope
        self.sequence = sequence
        self.erasedAt = erasedAt
    }
}

extension Erasure {
    /// The verdict of records that no contract matched.
    package static let unmatchedVerdict = "unmatched"

    /// The members of a line after its checksum, with the closing brace, without a newline.
    package var text: [UInt8] {
        var json = JSONWriter(reservingCapacity: 160)
        json.object { json in
            json.member("seq", sequence)
            json.member("erased_at", erasedAt.description)
            json.object("erased") { json in
                switch scope {
                case .record(let id): json.member("id", id.description)
                case .inbox(let name, let through):
                    json.member("inbox", name)
                    through.write("through", to: &json)
                case .unmatched(let name, let through):
                    // Under a name of its own: an older program must not read it as the erasure of
                    // the whole inbox.
                    json.member("unmatched_inbox", name)
                    through.write("through", to: &json)
                case .deliveries(let name, let through):
                    json.member("deliveries_inbox", name)
                    through.write("through", to: &json)
                case .strays(let through): through.write("strays_through", to: &json)
                case .receivedBefore(let moment):
                    json.member("received_before", moment.description)
                }
            }
        }
        return json.bytes
    }

    /// Bytes of its line, without the newline.
    var lineSize: Int { RecordLine.checkedOffset + text.count - 1 }

    /// The same without the inbox's name, which must not stay when the inbox's records are gone.
    ///
    /// It keeps its number, and erases nothing.
    var withoutName: Erasure {
        let scope: Scope
        switch self.scope {
        case .inbox(_, let through): scope = .inbox("", through: through)
        case .unmatched(_, let through): scope = .unmatched(inbox: "", through: through)
        case .deliveries(_, let through): scope = .deliveries(inbox: "", through: through)
        case .record, .strays, .receivedBefore: return self
        }
        return Erasure(scope: scope, sequence: sequence, erasedAt: erasedAt)
    }

    /// The inbox that it names; nil if it names none.
    var inbox: String? {
        switch scope {
        case .inbox(let name, _), .unmatched(let name, _), .deliveries(let name, _):
            name.isEmpty ? nil : name
        case .record, .strays, .receivedBefore: nil
        }
    }

    /// Whether it erases a record that is decoded again from the line with number `line`.
    ///
    /// O(1). For parts of an inbox, any record of it counts: refusing one too many loses nothing.
    func concerns(_ record: QueuedRecord, from line: Int) -> Bool {
        guard line < sequence else { return false }
        return switch scope {
        case .record(let id): record.id == id
        case .inbox(let name, let through), .unmatched(let name, let through),
            .deliveries(let name, let through):
            record.facts.inbox == name
                && through.covers(receivedAt: record.facts.receivedAt, line)
        case .strays(let through):
            record.facts.kind == .stray
                && through.covers(receivedAt: record.facts.receivedAt, line)
        case .receivedBefore(let moment): record.facts.receivedAt < moment
        }
    }

    /// Parses what `text` wrote; nil for anything else.
    package init?(_ root: JSONNode) {
        guard let erased = root["erased"], let sequence = root["seq"]?.int,
            let erasedAt = root["erased_at"]?.string.flatMap({ Timestamp($0.utf8) })
        else { return nil }
        if let id = erased["id"]?.string.flatMap({ RecordID($0) }) {
            scope = .record(id)
        } else if let inbox = erased["inbox"]?.string, let through = Bound(erased, "through") {
            scope = .inbox(inbox, through: through)
        } else if let inbox = erased["unmatched_inbox"]?.string,
            let through = Bound(erased, "through")
        {
            scope = .unmatched(inbox: inbox, through: through)
        } else if let inbox = erased["deliveries_inbox"]?.string,
            let through = Bound(erased, "through")
        {
            scope = .deliveries(inbox: inbox, through: through)
        } else if let through = Bound(erased, "strays_through") {
            scope = .strays(through: through)
        } else if let moment = erased["received_before"]?.string.flatMap({ Timestamp($0.utf8) }) {
            scope = .receivedBefore(moment)
        } else {
            return nil
        }
        self.sequence = sequence
        self.erasedAt = erasedAt
    }
}

extension Erasure.Scope {
    /// The oldest results of a part of an inbox.
    package init(_ share: RetentionBudget.Share, through: Erasure.Bound) {
        switch share.part {
        case .deliveries: self = .deliveries(inbox: share.inbox, through: through)
        case .unmatched: self = .unmatched(inbox: share.inbox, through: through)
        // The other parts go first.
        case .matched: self = .inbox(share.inbox, through: through)
        }
    }

    /// The scope, of the records before the erasure's own number, which was not known when it was
    /// made.
    package func limited(before sequence: Int) -> Self {
        guard case .inbox(let name, let through) = self, through.receivedAt == nil,
            through.sequence >= sequence
        else { return self }
        return .inbox(name, through: Erasure.Bound(sequence - 1))
    }

    /// The first of its records, up to one that was received at `moment` and has the number
    /// `sequence`.
    package func limited(to moment: Timestamp, _ sequence: Int) -> Self {
        let bound = Erasure.Bound(receivedAt: moment, sequence)
        switch self {
        case .record: return self
        case .inbox(let name, _): return .inbox(name, through: bound)
        case .unmatched(let name, _): return .unmatched(inbox: name, through: bound)
        case .deliveries(let name, _): return .deliveries(inbox: name, through: bound)
        case .strays: return .strays(through: bound)
        case .receivedBefore:
            return .receivedBefore(Timestamp(unixMilliseconds: moment.unixMilliseconds + 1))
        }
    }
}

extension Erasure.Bound {
    /// Writes the member `NAME_seq`, or `NAME` with the time, which an older program doesn't know:
    /// it must not take the oldest records for all up to a number.
    fileprivate func write(_ name: String, to json: inout JSONWriter) {
        guard let receivedAt else { return json.member(name + "_seq", sequence) }
        json.object(name) { json in
            json.member("received_at", receivedAt.description)
            json.member("seq", sequence)
        }
    }

    /// Parses what `write` wrote; nil for anything else.
    fileprivate init?(_ erased: JSONNode, _ name: String) {
        if let sequence = erased[name + "_seq"]?.int {
            self.init(sequence)
        } else if let receivedAt = erased[name]?["received_at"]?.string
            .flatMap({ Timestamp($0.utf8) }), let sequence = erased[name]?["seq"]?.int
        {
            self.init(receivedAt: receivedAt, sequence)
        } else {
            return nil
        }
    }
}
