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
        let vendor: Vendor
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
        launches.withLock { launches in launches.contains { $0.vendor == vendor } }
    }

    /// The flow of the launch before one, of the same vendor; a made-up one when there is none.
    func former(than flow: String, of vendor: Vendor) -> String {
        let former = launches.withLock { launches in
            launches.last { $0.vendor == vendor && $0.flow != flow }
        }
        return former?.flow ?? RecordID(at: .now).description
    }

    /// The flow of a callback that names none; nil when it answers no launch that is remembered.
    ///
    /// - Parameters:
    ///   - place: host and path of the request, and its query.
    ///   - value: what was decoded.
    ///
    /// O(launches), and nothing while there are none.
    func flow(
        of vendor: Vendor, at place: (place: String, query: String), value: [UInt8]?
    ) -> String? {
        let candidates = launches.withLock { $0.filter { $0.vendor == vendor } }
        guard !candidates.isEmpty else { return nil }
        let root = value.flatMap { try? JSONDocument(parsing: $0).root }
        let found = candidates.last { launch in
            if let callback = launch.callback {
                // Where a web URL was asked back, nothing else is its answer.
                return callback.place == place.place
                    && Self.begins(place.query, with: callback.query)
            }
            return Self.fits(launch.keys, root)
        }
        return found?.flow
    }

    /// Whether a query begins with the items of another.
    private static func begins(_ query: String, with start: String) -> Bool {
        start.isEmpty || query == start || query.hasPrefix(start + "&")
            || query.hasPrefix(start + "?")
    }

    /// Whether a value has every key of a launch, as far as it tells them, and one at least.
    private static func fits(_ keys: [String: String], _ value: JSONNode?) -> Bool {
        guard let value else { return false }
        var isTold = false
        for (name, wanted) in keys {
            guard let found = value[name]?.string else { continue }
            if found != wanted { return false }
            isTold = true
        }
        return isTold
    }

    /// What a stored launch is recognised by; nil when the record is none.
    static func launch(in record: [UInt8]) -> Launch? {
        guard let root = try? JSONDocument(parsing: record).root,
            let flow = root["flow"]?.string,
            let vendor = root["vendor"]?.string.flatMap({ Vendor(rawValue: $0) }),
            let value = root["result"], value.kind == .object
        else { return nil }
        var keys: [String: String] = [:]
        if vendor == .ailet {
            for name in ["visit_id", "task_id"] { keys[name] = value["parameters"]?[name]?.string }
        }
        return Launch(
            flow: flow, vendor: vendor, keys: keys,
            callback: value["callback"]?.string.flatMap { place(of: LinkURL($0)) })
    }
}
