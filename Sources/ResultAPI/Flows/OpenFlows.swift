// The launches that may still get a callback; assigns callbacks to them.
//
// Invariant: a callback belongs to the flow that it names, or else to the one open launch of its
// vendor and inbox whose callback URL or keys match. Nothing is guessed: if several match, it
// belongs to none. A flow that has ended or was lost accepts only the exact repetition of its final
// callback, and progress reports. Bounded; the oldest launch is dropped first.

import Clocks
import JSON
import ResultStore
import Synchronization
import Vendors

/// The launches that may still get a callback.
package final class OpenFlows: Sendable {
    /// What identifies a launch.
    package struct Launch: Sendable {
        package let flow: String
        package let contract: Contract
        /// The inbox that expects its callbacks.
        package let inbox: String
        /// The vendor's own values that come back, such as `visit_id`.
        package let keys: [String: String]
        /// The callback URL without scheme, up to its query or fragment; and its query.
        package var callback: (place: String, query: String)?
        /// Whether the vendor's app comes back from it, so that it can be lost.
        package var comesBack = true
        /// Whether it takes callbacks: it was accepted, or the app comes back with an error.
        var isOpen = true

        package init(
            flow: String, contract: Contract, inbox: String, keys: [String: String],
            callback: (place: String, query: String)?
        ) {
            self.flow = flow
            self.contract = contract
            self.inbox = inbox
            self.keys = keys
            self.callback = callback
        }
    }

    /// A received callback.
    package struct Arrival: Sendable {
        let vendor: Vendor
        let inbox: String
        /// The flow that it names.
        var flow: String?
        /// Host and path of the request, and its query.
        var place: (place: String, query: String)?
        /// The decoded value.
        package var value: JSONDocument?
        /// Whether it ends a flow.
        var isFinal = true
        /// The `request` member of its record.
        package let request: RecordRequest

        package init(
            vendor: Vendor, inbox: String, flow: String? = nil,
            place: (place: String, query: String)? = nil, value: JSONDocument? = nil,
            isFinal: Bool = true, request: RecordRequest
        ) {
            self.vendor = vendor
            self.inbox = inbox
            self.flow = flow
            self.place = place
            self.value = value
            self.isFinal = isFinal
            self.request = request
        }
    }

    /// The code of the diagnostic of a launch that was refused because of its callback.
    package static let refusedCallbackCode = "callback_not_allowed"

    /// The code of the diagnostic of a launch that was refused because too many deliveries wait.
    package static let overloadCode = "too_many_deliveries"

    fileprivate struct Entry {
        let launch: Launch
        /// In milliseconds since 1970.
        var openedAt: Int64
        /// The final callback.
        var end: CallbackDigest?
        /// The records of it that were read from the store; of many, the first ones.
        var records: [RecordID] = []
        var isEndRead = false
        /// The records of it that wait for the database, and whether each one is its end.
        var spooled: [RecordID: Bool] = [:]

        /// Whether its launch or end is only known from a request, though it doesn't wait for the
        /// database.
        var isUnread: Bool { spooled.isEmpty && (records.isEmpty || end != nil && !isEndRead) }

        /// Drops what doesn't wait for the database.
        mutating func forgetStored() {
            records = []
            isEndRead = false
            if !spooled.values.contains(true) { end = nil }
        }
    }

    fileprivate struct Inbox: Hashable {
        let vendor: Vendor
        let name: String
    }

    fileprivate struct State {
        var entries: [String: Entry] = [:]
        /// The flows of each inbox, oldest first, and of all.
        var byInbox: [Inbox: [String]] = [:]
        var order: [String] = []
    }

    /// Maximum number of remembered launches.
    package static let most = 4096

    /// Maximum time by which the id of an unknown flow may be later than its callback, in minutes:
    /// clocks differ.
    static let mostMinutesAhead = 5

    /// Maximum number of remembered records of a launch.
    private static let mostRecords = 16

    /// Milliseconds from the last opening until a launch counts as lost.
    let patienceMilliseconds: Int64
    private let state = Mutex(State())

    /// - Parameter patience: time without a final callback after which a launch counts as lost.
    package init(patience: Duration) {
        patienceMilliseconds = patience.milliseconds
    }

    /// Remembers a launch, or its repeated opening.
    package func add(_ launch: Launch, at moment: Timestamp) {
        state.withLock { state in
            if let known = state.entries[launch.flow] {
                state.entries[launch.flow]?.openedAt = max(
                    known.openedAt, moment.unixMilliseconds)
                return
            }
            if state.order.count >= Self.most {
                state.sortByOpening()
                state.forget(Array(state.order.prefix(Self.most / 4)))
            }
            state.entries[launch.flow] = Entry(launch: launch, openedAt: moment.unixMilliseconds)
            let inbox = Inbox(vendor: launch.contract.vendor, name: launch.inbox)
            state.byInbox[inbox, default: []].append(launch.flow)
            state.order.append(launch.flow)
        }
    }

    /// Drops what isn't known to wait for the database.
    ///
    /// - Parameter flow: one launch; nil for all.
    func forgetStored(of flow: String? = nil) {
        state.withLock { state in
            let flows = flow.map { [$0] } ?? state.order
            let stored = flows.filter { state.entries[$0]?.spooled.isEmpty ?? true }
            state.forget(stored)
            for flow in flows { state.entries[flow]?.forgetStored() }
        }
    }

    /// Drops the launches of an erased inbox.
    package func forget(inbox name: String) {
        state.withLock { state in
            let flows = state.entries.values.filter { $0.launch.inbox == name }.map(\.launch.flow)
            state.forget(flows)
        }
    }

    /// Puts launches in the order of their openings, after older ones were added.
    ///
    /// O(launches · log(launches)).
    func sortByOpening() {
        state.withLock { $0.sortByOpening() }
    }

    /// Records the final callback of a flow, unless there is one.
    func noteEnd(of flow: String, by digest: CallbackDigest) {
        state.withLock { state in
            if state.entries[flow]?.end == nil { state.entries[flow]?.end = digest }
        }
    }

    /// Notes that a record was read that launches or ends a flow.
    func noteRead(_ id: RecordID, of flow: String, isEnd: Bool) {
        state.withLock { state in
            guard var entry = state.entries[flow] else { return }
            entry.spooled[id] = nil
            if isEnd { entry.isEndRead = true }
            if entry.records.count < Self.mostRecords, !entry.records.contains(id) {
                entry.records.append(id)
            }
            state.entries[flow] = entry
        }
    }

    /// Notes that a record which has launched or ended a flow waits for the database, if it does.
    ///
    /// - Parameter request: of a callback; it ends the flow if it is the one that `take` has noted.
    package func noteSpooled(
        _ receipt: Receipt, of flow: String?, endingBy request: RecordRequest? = nil
    ) {
        guard receipt.knownSequence == nil, let flow else { return }
        let end = request.map { CallbackDigest($0) }
        state.withLock { state in
            // It may have reached the database and been read meanwhile.
            guard var entry = state.entries[flow], end == nil || end == entry.end,
                entry.spooled.count < Self.mostRecords, !entry.records.contains(receipt.id)
            else { return }
            entry.spooled[receipt.id] = end != nil
            state.entries[flow] = entry
        }
    }

    /// The flows that erased records may have launched or ended; these don't wait for the database
    /// any more.
    ///
    /// A record that isn't remembered may have been erased before it was read from the store; it
    /// can be of any flow that is only known from a request.
    ///
    /// O(launches).
    func flows(of erased: [RecordID]) -> Set<String> {
        if erased.isEmpty { return [] }
        let gone = Set(erased)
        return state.withLock { state in
            var (flows, unknown) = (Set<String>(), gone)
            for (flow, entry) in state.entries {
                let known = gone.intersection(entry.records + Array(entry.spooled.keys))
                if known.isEmpty { continue }
                flows.insert(flow)
                unknown.subtract(known)
                for id in known { state.entries[flow]?.spooled[id] = nil }
            }
            if unknown.isEmpty { return flows }
            for (flow, entry) in state.entries where entry.isUnread { flows.insert(flow) }
            return flows
        }
    }

    /// The inbox of a flow's launch; nil if it isn't remembered.
    package func inbox(of flow: String) -> String? {
        state.withLock { $0.entries[flow]?.launch.inbox }
    }

    /// The flow of the newest other launch of the same contract and inbox that has ended; an
    /// invented one without such a launch.
    ///
    /// The id of an open flow is given to nobody, because its callback could be sent with it.
    package func former(than flow: String, of contract: Contract, in inbox: String) -> String {
        let former = state.withLock { state in
            state.byInbox[Inbox(vendor: contract.vendor, name: inbox)]?.last {
                guard $0 != flow, let entry = state.entries[$0] else { return false }
                return entry.launch.contract == contract && entry.end != nil
            }
        }
        return former ?? RecordID(at: .now).description
    }

    /// Whether a callback may belong to a remembered launch.
    ///
    /// O(1): most callbacks need no further check.
    package func canAccept(_ vendor: Vendor, in inbox: String, naming flow: String?) -> Bool {
        state.withLock { state in
            if state.order.isEmpty { return false }
            return flow.map { state.entries[$0] != nil }
                ?? (state.byInbox[Inbox(vendor: vendor, name: inbox)] != nil)
        }
    }

    /// Whether the end of a flow may be older than what `restore` reads, so that it has to be looked
    /// up before a callback that names it is judged.
    package func mayHaveEnded(_ flow: String, at moment: Timestamp) -> Bool {
        state.withLock { state in
            guard let entry = state.entries[flow] else { return false }
            return entry.end == nil && isOverdue(entry, moment.unixMilliseconds)
        }
    }

    /// The flow of a callback; a final callback ends it.
    ///
    /// O(launches of its inbox, and size), and next to nothing while there are none.
    package func take(_ arrival: Arrival, at moment: Timestamp) -> FlowMembership {
        let inbox = Inbox(vendor: arrival.vendor, name: arrival.inbox)
        guard canAccept(arrival.vendor, in: arrival.inbox, naming: arrival.flow) else {
            return arrival.flow.map { Self.unknown($0, at: moment) } ?? .none
        }
        let digest = CallbackDigest(arrival.request)
        let sent = arrival.flow == nil ? Self.keys(of: arrival.vendor, in: arrival.value) : [:]
        return state.withLock { state in
            let membership =
                if let flow = arrival.flow {
                    named(flow, arrival, digest, moment, state)
                } else {
                    fitting(
                        state.byInbox[inbox] ?? [], arrival, sent, digest,
                        moment.unixMilliseconds, state)
                }
            if case .of(let flow) = membership, arrival.isFinal, state.entries[flow]?.end == nil {
                state.entries[flow]?.end = digest
            }
            return membership
        }
    }

    /// The membership of a callback that names a flow whose launch isn't remembered.
    ///
    /// Such a flow is believed, unless its id has a time that is yet to come: it would head all
    /// lists of flows, which go by that time.
    package static func unknown(_ flow: String, at moment: Timestamp) -> FlowMembership {
        let latest = moment.unixMilliseconds + Int64(mostMinutesAhead) * 60_000
        guard let id = RecordID(flow), id.milliseconds > latest else { return .of(flow) }
        return .ofTheFuture(flow)
    }

    private func named(
        _ flow: String, _ arrival: Arrival, _ digest: CallbackDigest, _ moment: Timestamp,
        _ state: State
    ) -> FlowMembership {
        guard let entry = state.entries[flow] else { return Self.unknown(flow, at: moment) }
        if entry.launch.inbox != arrival.inbox { return .elsewhere(flow) }
        if let end = entry.end {
            return end == digest || !arrival.isFinal ? .of(flow) : .ended(flow)
        }
        let isLost = entry.launch.comesBack && isOverdue(entry, moment.unixMilliseconds)
        return isLost ? .lost(flow) : .of(flow)
    }

    private func fitting(
        _ flows: [String], _ arrival: Arrival, _ sent: [String: String], _ digest: CallbackDigest,
        _ now: Int64, _ state: State
    ) -> FlowMembership {
        let fitting = flows.compactMap { state.entries[$0] }.filter {
            Self.fits($0.launch, arrival.place, sent)
        }
        let unanswered = fitting.filter { $0.end == nil && !isOverdue($0, now) }
        let expected = unanswered.filter(\.launch.comesBack)
        let open = (expected.isEmpty ? unanswered : expected).map(\.launch.flow)
        if open.count == 1 { return .of(open[0]) }
        if open.count > 1 { return .severalFit(open) }
        let ended = fitting.filter { $0.end != nil }
        let same = ended.filter { $0.end == digest }
        if same.count == 1 { return .of(same[0].launch.flow) }
        if !arrival.isFinal, ended.count == 1 { return .of(ended[0].launch.flow) }
        return .none
    }

    private func isOverdue(_ entry: Entry, _ now: Int64) -> Bool {
        now - entry.openedAt > patienceMilliseconds
    }

    /// Whether a callback matches a launch: by URL or by a key, and no key contradicts.
    private static func fits(
        _ launch: Launch, _ place: (place: String, query: String)?, _ sent: [String: String]
    ) -> Bool {
        let common = sent.filter { launch.keys[$0.key] != nil }
        guard common.allSatisfy({ launch.keys[$0.key] == $0.value }) else { return false }
        if !common.isEmpty { return true }
        guard let place, let callback = launch.callback else { return false }
        return rest(of: place.place, after: callback.place, UInt8(ascii: "/"))?.isEmpty == true
            && begins(place.query, with: callback.query)
    }

    /// Whether a query begins with all items of another, which may end with `&`.
    private static func begins(_ query: String, with start: String) -> Bool {
        let items = start.hasSuffix("&") ? String(start.dropLast()) : start
        guard let rest = rest(of: query, after: items, UInt8(ascii: "&")) else { return false }
        return items.isEmpty || rest.isEmpty || rest.hasPrefix("&") || rest.hasPrefix("?")
    }

    /// What follows the beginning of a text; nil if it begins otherwise.
    ///
    /// Where a record has no credential in the beginning, anything up to `separator` fits.
    private static func rest(
        of text: String, after beginning: String, _ separator: UInt8
    ) -> Substring? {
        let parts =
            beginning.utf8.contains(UInt8(ascii: "["))
            ? beginning.split(separator: Redaction.mark, omittingEmptySubsequences: false)
            : [beginning[...]]
        var rest = text.utf8[...]
        for (index, part) in parts.enumerated() {
            if index > 0 { rest = rest.drop { $0 != separator } }
            guard rest.starts(with: part.utf8) else { return nil }
            rest = rest.dropFirst(part.utf8.count)
        }
        return Substring(rest)
    }

    /// The keys of a launch.
    ///
    /// - Parameter value: returns a launch parameter by name.
    static func keys(
        of vendor: Vendor, _ value: (_ name: String) -> String?
    ) -> [String: String] {
        Dictionary(
            vendor.declaration.correlationKeys.compactMap { name in
                value(name).map { (name, $0) }
            },
            uniquingKeysWith: { first, _ in first })
    }

    /// The keys in a decoded value; Dimmy's are members of the item, or of the first of several.
    private static func keys(of vendor: Vendor, in value: JSONDocument?) -> [String: String] {
        guard let root = value?.root else { return [:] }
        let holder = root["item"].map { $0[0] ?? $0 } ?? root
        return keys(of: vendor) { holder[$0]?.string }
    }
}

extension OpenFlows.State {
    /// Puts launches in the order of their openings.
    fileprivate mutating func sortByOpening() {
        let openings = entries.mapValues(\.openedAt)
        let isOlder = { (a: String, b: String) in openings[a] ?? 0 < openings[b] ?? 0 }
        order.sort(by: isOlder)
        for inbox in byInbox.keys { byInbox[inbox]?.sort(by: isOlder) }
    }

    /// Drops launches.
    fileprivate mutating func forget(_ flows: [String]) {
        let gone = Set(flows)
        for flow in flows { entries[flow] = nil }
        order.removeAll { gone.contains($0) }
        for (inbox, known) in byInbox {
            let left = known.filter { !gone.contains($0) }
            byInbox[inbox] = left.isEmpty ? nil : left
        }
    }
}
