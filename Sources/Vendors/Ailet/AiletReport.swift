// Ailet's report as a typed value (vendor document 3.2 and 3.3).
//
// Invariant: reading what `callbackQuery` writes gives the same value. Left out: members that no
// document names; the decoded value keeps them.

import JSON
import Text

/// What Ailet says of a visit.
///
/// Members that are absent are nil; which ones there are depends on the status and on the app.
public struct AiletReport: Sendable, Equatable {
    /// The state of the visit, such as `IR_RESULT_OK`; the vendor requires it.
    public var status: String?
    /// The scenes of the visit, or of the task when there is one.
    public var scenesCounter: Int?
    /// The photos of the visit, or of the task when there is one.
    public var photosCounter: Int?
    /// The photos on which nothing was recognised.
    public var notDetectedPhotosCounter: Int?
    /// The scenes on which nothing was recognised.
    public var notDetectedScenesCounter: Int?
    /// The photos that are not valid; older versions only.
    public var nonValidPhotosCounter: Int?
    /// The `task_id` of the launch.
    public var taskID: String?
    /// The `store_id` of the launch; Android, as are all ids that follow.
    public var storeID: String?
    /// The `user_id` of the launch.
    public var userID: String?
    /// The user's id at the partner.
    public var externalUserID: String?
    /// The `visit_id` of the launch; where the root has none, that of the recognition.
    public var visitID: String?
    /// The visit's id at the vendor.
    public var internalVisitID: String?
    /// The visit's id on the device.
    public var localVisitID: String?
    /// The app's id on the device.
    public var installID: String?
    /// What was found.
    public var content: Content?
    /// The parameters beside the report, by name; each name once, neither `result` nor `report`.
    public var parameters: [String: String] = [:]

    /// Creates a report without any member.
    public init() {}

    /// The number that the vendor's document gives for `status`; nil for one without.
    public var statusCode: Int? { status.flatMap { AiletStatus(named: $0).code } }

    /// What `status` means; nil for one that isn't known.
    public var outcome: Outcome? { status.flatMap { AiletStatus(named: $0).outcome } }

    /// Reads the value of a decoded callback; nil when that is no report.
    public init?(_ decoding: Decoding) {
        guard decoding.contract == .ailetDeeplink, let root = decoding.parsedValue else {
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

    /// What was found at a visit.
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
        /// An array that is empty in all samples; what it may hold isn't public.
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
