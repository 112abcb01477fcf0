// Ailet's report as a typed value (vendor document 3.2 and 3.3).
//
// Invariant: reading the output of `callbackQuery` gives the same value. Left out: undocumented
// members; the decoded value keeps them.

import JSON
import Text

/// Ailet's report of a visit.
///
/// Absent members are nil; which are present depends on the status and on the app.
public struct AiletReport: Sendable, Equatable {
    /// The state of the visit, such as `IR_RESULT_OK`; the vendor requires it.
    public var status: String?
    /// Number of scenes in the visit, or in the task if there is one.
    public var scenesCounter: Int?
    /// Number of photos in the visit, or in the task if there is one.
    public var photosCounter: Int?
    /// Number of photos on which nothing was recognised.
    public var notDetectedPhotosCounter: Int?
    /// Number of scenes on which nothing was recognised.
    public var notDetectedScenesCounter: Int?
    /// Number of invalid photos; older versions only.
    public var nonValidPhotosCounter: Int?
    /// The `task_id` of the launch.
    public var taskID: String?
    /// The `store_id` of the launch; Android, as are all following ids.
    public var storeID: String?
    /// The `user_id` of the launch.
    public var userID: String?
    /// The user's id at the partner.
    public var externalUserID: String?
    /// The `visit_id` of the launch; if the root has none, that of the recognition.
    public var visitID: String?
    /// The visit's id at the vendor.
    public var internalVisitID: String?
    /// The visit's id on the device.
    public var localVisitID: String?
    /// The app's id on the device.
    public var installID: String?
    /// The results of the visit.
    public var content: Content?
    /// The parameters next to the report, by name; each name once, neither `result` nor `report`.
    public var parameters: [String: String] = [:]

    /// Creates a report without any member.
    public init() {}

    /// The vendor document's code for `status`; nil if it has none.
    public var statusCode: Int? { status.flatMap { AiletStatus(named: $0).code } }

    /// The meaning of `status`; nil if it is unknown.
    public var outcome: Outcome? { status.flatMap { AiletStatus(named: $0).outcome } }

    /// Reads the value of a decoded callback; nil if it is not a report.
    public init?(_ decoding: Decoding) {
        guard decoding.contract == .ailetDeeplink, let root = decoding.document?.root else {
            return nil
        }
        self.init(reading: root)
        parameters = root.strings(in: "parameters")
    }

    /// The parameters that Ailet sends: `result` with the report as percent-encoded JSON.
    public var callbackQuery: [UInt8] {
        var query = QueryWriter()
        query.add("result", escaped: PercentEncoding.encode(json()))
        for (name, value) in parameters.sorted(by: { $0.key < $1.key }) { query.add(name, value) }
        return query.bytes
    }
}

extension AiletReport: JSONModel {
    mutating func map(_ members: inout some JSONModelMap) {
        members.map("status", &status)
        members.map("scenesCounter", &scenesCounter)
        members.map("photosCounter", &photosCounter)
        members.map("notDetectedPhotosCounter", &notDetectedPhotosCounter)
        members.map("notDetectedScenesCounter", &notDetectedScenesCounter)
        members.map("nonValidPhotosCounter", &nonValidPhotosCounter)
        members.map("task_id", &taskID)
        members.map("store_id", &storeID)
        members.map("user_id", &userID)
        members.map("external_user_id", &externalUserID)
        members.map("visit_id", &visitID)
        members.map("internal_visit_id", &internalVisitID)
        members.map("local_visit_id", &localVisitID)
        members.map("install_id", &installID)
        members.map("report", &content)
    }

    /// The results of a visit.
    public struct Content: Sendable, Equatable, JSONModel {
        /// The photos, in the order of the report.
        public var photos: [Photo]?
        /// The recognition as a whole.
        public var recognition: Recognition?
        /// On-shelf availability (OSA).
        public var assortment: [AssortedProduct]?
        /// On-shelf availability by metric.
        public var assortmentByMetric: [AssortmentMetric]?
        /// Share of shelf (SOS).
        public var shareOfShelf: ShareOfShelf?
        /// Share of shelf by metric.
        public var shareOfShelfByMetric: [ShareOfShelf]?
        /// The score of the shop.
        public var perfectStore: PerfectStore?
        /// An array that is empty in all samples; its elements aren't documented.
        public var custom: OpenJSON?
        /// The photos by their state.
        public var visitStatistics: VisitStatistics?

        /// Creates a value without any member.
        public init() {}

        mutating func map(_ members: inout some JSONModelMap) {
            members.map("photos", &photos, id: \.id)
            members.map("result", &recognition)
            members.map("assortment_achievement", &assortment)
            members.map("assortment_achievement_by_metrics", &assortmentByMetric)
            members.map("share_shelf", &shareOfShelf)
            members.map("share_shelf_by_metrics", &shareOfShelfByMetric)
            members.map("perfectstore", &perfectStore)
            members.map("custom", &custom)
            members.map("visit_stats", &visitStatistics)
        }
    }
}
