// The flows that callbacks without a flow's id may belong to, by what the vendors' own values say:
// the visit, the code, the URL that was asked back.
//
// Invariant: bounded; the oldest launch is forgotten first, and its callbacks then have no flow. The
// newest launch that fits counts, since a second link replaces the first in the vendors' apps.

import AppLinks
import Clocks
import PositionedJSON
import ResultStore
import Synchronization
import Vendors

/// Launches that may still be answered.
final class OpenFlows: Sendable {
    /// What a launch is recognised by.
    struct Launch: Sendable {
        let flow: String
        let contract: Contract
        /// Where its callbacks are to come, as far as the launch tells.
        let inbox: String
        /// Values of the vendor's own that come back, such as `visit_id`.
        let keys: [String: String]
        /// The callback's URL up to its query or fragment, without scheme; and its query.
        let callback: (place: String, query: String)?
    }

    /// Launches that are remembered.
    static let most = 4096

    private let launches = Mutex<[Launch]>([])

    /// Remembers a launch.
    func add(_ launch: Launch) {
        launches.withLock { launches in
            if launches.count >= Self.most { launches.removeFirst(Self.most / 4) }
            launches.append(launch)
        }
    }

    /// Whether any launch of a vendor is remembered.
    func mayKnow(_ vendor: Vendor) -> Bool {
        launches.withLock { launches in launches.contains { $0.contract.vendor == vendor } }
    }

    /// The flow of the launch before one, of the same contract and inbox; a made-up one when there is
    /// none.
    func former(than flow: String, of contract: Contract, in inbox: String) -> String {
        let former = launches.withLock { launches in
            launches.last { $0.contract == contract && $0.inbox == inbox && $0.flow != flow }
        }
        return former?.flow ?? RecordID(at: .now).description
    }

    /// The flow of a callback that names none; nil when it answers no launch that is remembered.
    ///
    /// A launch whose keys the callback contradicts is not the one. Of the others, one whose callback
    /// is the place counts more than one whose keys alone fit: a back end may forward what came to
    /// an app of its own.
    ///
    /// - Parameters:
    ///   - place: host and path of the request, and its query.
    ///   - value: what was decoded.
    ///
    /// O(launches), and nothing while there are none.
    func flow(
        of vendor: Vendor, at place: (place: String, query: String), value: [UInt8]?
    ) -> String? {
        let candidates = launches.withLock { $0.filter { $0.contract.vendor == vendor } }
        guard !candidates.isEmpty else { return nil }
        let told = Self.keys(of: vendor, toldBy: value)
        var best: (flow: String, rank: Int)?
        for launch in candidates.reversed() {
            guard let fits = Self.fits(launch.keys, told) else { continue }
            let isPlace = launch.callback.map {
                $0.place == place.place && Self.begins(place.query, with: $0.query)
            }
            let rank = (isPlace == true ? 2 : 0) + (fits ? 1 : 0)
            if rank > best?.rank ?? 0 { best = (launch.flow, rank) }
        }
        return best?.flow
    }

    /// Whether a query begins with the items of another.
    private static func begins(_ query: String, with start: String) -> Bool {
        start.isEmpty || query == start || query.hasPrefix(start + "&")
            || query.hasPrefix(start + "?")
    }

    /// Whether any of a launch's keys is told; nil when one is told differently.
    private static func fits(_ keys: [String: String], _ told: [String: String]) -> Bool? {
        let common = told.filter { keys[$0.key] != nil }
        return common.allSatisfy { keys[$0.key] == $0.value } ? !common.isEmpty : nil
    }

    /// The keys of a launch.
    ///
    /// - Parameter value: its parameters, by name.
    static func keys(of vendor: Vendor, _ value: (_ name: String) -> String?) -> [String: String] {
        let names =
            switch vendor {
            case .ailet: ["visit_id", "task_id"]
            case .dimmy: ["code"]
            case .welltory, .rezolve, .raw: [String]()
            }
        return Dictionary(
            names.compactMap { name in value(name).map { (name, $0) } },
            uniquingKeysWith: { first, _ in first })
    }

    /// The keys that a decoded value tells; Dimmy's are members of the item, or of the first of several.
    private static func keys(of vendor: Vendor, toldBy value: [UInt8]?) -> [String: String] {
        guard let root = value.flatMap({ try? JSONDocument(parsing: $0).root }) else { return [:] }
        let holder = root["item"].map { $0[0] ?? $0 } ?? root
        return keys(of: vendor) { holder[$0]?.string }
    }

    /// What a stored launch is recognised by; nil when the record is none.
    static func launch(in record: [UInt8]) -> Launch? {
        guard let root = try? JSONDocument(parsing: record).root,
            let flow = root["flow"]?.string, let inbox = root["inbox"]?.string,
            let contract = root["contract"]?.string.flatMap({ Contract(rawValue: $0) }),
            let value = root["result"],
            value.kind == .object
        else { return nil }
        return Launch(
            flow: flow, contract: contract, inbox: inbox,
            keys: keys(of: contract.vendor) { value["parameters"]?[$0]?.string },
            callback: value["callback"]?.string.flatMap { place(of: LinkURL($0)) })
    }
}
