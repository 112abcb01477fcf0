// `GET /api/v1/vendors/{vendor}/drift`: how received messages differ from the vendor's contracts.

import Clocks
import HTTP1
import Problems
import ResultStore
import Vendors

extension ResultAPI {
    /// The accepted forms of `since`, for people.
    package static let sinceRule = "a time such as 7d, 12h, 2026-11-20 or 2026-11-20T06:13:00Z"

    /// `GET /api/v1/vendors/{vendor}/drift?since=`: fields that are new, missing, of another type
    /// or outside their list of values.
    ///
    /// Reads all results of the vendor: off the event loop, one report at a time.
    func vendorDrift(_ query: Query) async throws(Problem) -> Response {
        var parameters = query.parameters
        let condition = parameters.take("since", expected: Self.sinceRule) {
            Self.condition(since: $0, catalog: store.catalog)
        }
        try parameters.finish()
        let vendor = try Self.vendor(query.subject)
        guard drifting.begin() else {
            throw Problem(
                status: .conflict, kind: "drift-running",
                detail: "Another comparison is running: try again when it is done.")
        }
        defer { drifting.end() }
        do {
            let report = try await work.run { [store] in
                try await DriftReport(store, of: vendor, where: condition ?? .everything)
            }
            return Self.uncached(report.json, isCompressible: true)
        } catch {
            if error as? StoreError != .cancelled {
                log.error("comparing failed", metadata: ["reason": "\(error)"])
            }
            throw Problem(error as? StoreError ?? .closed)
        }
    }

    /// The vendor that a path names.
    package static func vendor(_ name: String?) throws(Problem) -> Vendor {
        if let vendor = name.flatMap({ Vendor(rawValue: $0) }) { return vendor }
        let known = Vendor.names.joined(separator: ", ")
        throw Problem(
            status: .notFound, kind: "unknown-vendor",
            detail: "There is no such vendor; the vendors are \(known).",
            findings: [Problem.Finding(name: "vendor", detail: "Expected one of \(known).")])
    }

    /// The results since a time, of that moment too, or within a duration before now; nil if `text`
    /// is neither.
    package static func condition(since text: String, catalog: FieldCatalog) -> Condition? {
        time(since: text, catalog: catalog).map {
            .compare(.receivedAt, .greaterOrEqual, .time($0))
        }
    }

    /// The time that such a text names; nil if it names none.
    static func time(since text: String, catalog: FieldCatalog) -> Timestamp? {
        let condition = try? Condition.parameter(
            name: "received_after", value: moment(since: text), catalog: catalog, now: .now)
        guard case .compare(_, _, .time(let time))? = condition else { return nil }
        return time
    }

    /// The value of `received_after` for such a text, which isn't checked.
    ///
    /// That parameter leaves out its own moment, so a time is the millisecond before; a duration
    /// stays one.
    package static func receivedAfter(since text: String) -> String {
        let text = moment(since: text)
        guard let time = Timestamp(text.utf8) else { return text }
        let before = Timestamp(unixMilliseconds: time.unixMilliseconds - 1).description
        // The first moment of the year 0000 has none before it.
        return Timestamp(before.utf8) == nil ? text : before
    }

    /// Such a text as a time or a duration of queries.
    private static func moment(since text: String) -> String {
        // A valid time holds no space; a space is the unescaped plus of an offset such as +02:00.
        var text = text.replacing(" ", with: "+")
        if text.first != "-", let unit = text.last, "smhd".contains(unit) { text = "-" + text }
        return Timestamp("\(text)T00:00:00Z".utf8) == nil ? text : text + "T00:00:00Z"
    }
}
