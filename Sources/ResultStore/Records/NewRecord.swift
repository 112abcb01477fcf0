// What a caller submits to be stored. The store adds id, sequence number and checksum.
//
// Invariant: the record carries what queries ask of it, so that the store never parses a line that
// it writes itself.

import Clocks
import JSON

/// A record that has not been stored yet.
///
/// The JSON texts of its parts have no line breaks; the store keeps them unchanged.
package struct NewRecord: Sendable {
    /// Records are received before this moment, the last that a place can hold.
    package static let endOfTime = Timestamp(
        unixMilliseconds: Limits.recordMilliseconds.upperBound)

    /// The id of a record that already has one, which must contain its time of receipt; nil to
    /// create one.
    package var id: RecordID?
    package var kind: RecordKind
    package var receivedAt: Timestamp
    /// When a stored record was decoded again; the new line then replaces the one with its id.
    package var redecodedAt: Timestamp?
    /// The number of the line that it was decoded from.
    ///
    /// The record is refused if that line has been erased since.
    package var replaces: Int?
    /// What the record's idempotency key was compared with; nil to store the record whatever was
    /// stored with its key.
    package var keyClaim: KeyClaim?
    package var inbox: String
    package var vendor: String
    package var contract: String?
    package var outcome: String?
    package var verdict: String
    package var flow: String?
    /// For a callback that came by a link that an app should have opened.
    package var link: LinkNote?
    /// For a callback whose receiver didn't answer as usual.
    package var answer: AnswerNote?
    package var request: RecordRequest
    /// Any JSON value; nil is stored as `null`.
    package var result: JSONDocument?
    package var diagnostics: RecordDiagnostics

    /// Makes a record.
    package init(
        id: RecordID? = nil, kind: RecordKind = .callback, receivedAt: Timestamp,
        redecodedAt: Timestamp? = nil, replaces: Int? = nil, inbox: String, vendor: String,
        contract: String?, outcome: String?, verdict: String, flow: String? = nil,
        link: LinkNote? = nil, request: RecordRequest, result: JSONDocument?,
        diagnostics: RecordDiagnostics = RecordDiagnostics()
    ) {
        self.id = id
        self.kind = kind
        self.receivedAt = receivedAt
        self.redecodedAt = redecodedAt
        self.replaces = replaces
        self.inbox = inbox
        self.vendor = vendor
        self.contract = contract
        self.outcome = outcome
        self.verdict = verdict
        self.flow = flow
        self.link = link
        self.request = request
        self.result = result
        self.diagnostics = diagnostics
    }
}

/// The claim that nobody has stored a record with the same idempotency key since it was looked up.
///
/// A database refuses the record if another program has. In files, only one program stores.
package struct KeyClaim: Sendable {
    /// The number of the newest record with the key; 0 for none.
    ///
    /// For an element of a list, of the newest one at the same position, so that all programs
    /// that store the list claim the same, however much of it they have stored.
    package let follows: Int
    /// The record's position in its list; 0 if it came alone.
    package let part: Int

    package init(follows: Int, part: Int = 0) {
        self.follows = follows
        self.part = part
    }
}

/// What a site's link file says about the URL that a record came by.
package struct LinkNote: Sendable, Equatable {
    /// Whether the URL should have opened an app, and came to the server instead.
    package var fellThrough: Bool
    /// A JSON object: the requesting client, and the rule that decides.
    package var explanation: [UInt8]

    package init(fellThrough: Bool, explanation: [UInt8]) {
        self.fellThrough = fellThrough
        self.explanation = explanation
    }
}

/// What a receiver with an answer of its own responded to a callback.
package struct AnswerNote: Sendable, Equatable {
    package var status: Int
    var isFailure: Bool
    /// The number of the callback since the answer was set, from 1.
    package var number: Int
    var delayMilliseconds: Int
    /// Whether the answer should have waited, and too many others did.
    package var skipsDelay = false

    package init(
        status: Int, isFailure: Bool, number: Int, delayMilliseconds: Int, skipsDelay: Bool = false
    ) {
        self.status = status
        self.isFailure = isFailure
        self.number = number
        self.delayMilliseconds = delayMilliseconds
        self.skipsDelay = skipsDelay
    }

    /// Reads a stored note; nil if a member is missing or has another type.
    package init?(_ node: JSONNode) {
        guard let status = node["status"]?.int, (200...599).contains(status),
            let isFailure = node["failed"]?.bool, let number = node["number"]?.int,
            let delay = node["delay_milliseconds"]?.int
        else { return nil }
        self.init(
            status: status, isFailure: isFailure, number: number, delayMilliseconds: delay,
            skipsDelay: node["delay_skipped"]?.bool ?? false)
    }

    /// The note in one line, such as `503, a set failure, number 2, after 1500 ms`.
    package var sentence: String {
        "\(status), \(isFailure ? "a set failure" : "as set"), number \(number)"
            + (delayMilliseconds > 0 ? ", after \(delayMilliseconds) ms" : "")
            + (skipsDelay ? ", without its delay: too many others waited" : "")
    }

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("status", status)
            json.member("failed", isFailure)
            json.member("number", number)
            json.member("delay_milliseconds", delayMilliseconds)
            if skipsDelay { json.member("delay_skipped", true) }
        }
    }
}

/// What the store returns for a record that is durable.
package struct Receipt: Sendable {
    package let id: RecordID
    /// Higher than that of all records before, from 1; 0 while the record waits for the database.
    package let sequence: Int

    /// The number; nil while the record waits for the database.
    package var knownSequence: Int? { sequence == 0 ? nil : sequence }

    package init(id: RecordID, sequence: Int) {
        self.id = id
        self.sequence = sequence
    }
}
