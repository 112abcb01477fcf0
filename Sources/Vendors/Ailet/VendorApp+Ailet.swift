// The callbacks of Ailet's app, by the method of the launch (vendor document 3.1 and 3.2).
// Invariant: the launch's ids come back, and statuses are sent by name only.

import Text

extension VendorApp {
    /// The progress of a visit.
    enum Progress {
        /// Every photo is recognised.
        case completed
        /// The last photo waits for recognition.
        case inProgress
        /// There are no photos.
        case empty

        /// The status of the visit.
        var status: (name: String, code: Int, outcome: Outcome) {
            switch self {
            case .completed: ("IR_RESULT_OK", 1, .completed)
            case .inProgress: ("IR_RESULT_INPROGRESS", 16, .inProgress)
            case .empty: ("IR_RESULT_EMPTY", 2, .empty)
            }
        }
    }

    /// The error statuses with the vendor's codes.
    static let ailetErrors: [(name: String, code: Int)] = [
        ("IR_ERROR", 5), ("IR_ERROR_NO_INET", 6), ("IR_ERROR_TOKEN", 7),
        ("IR_ERROR_STORE_ID_INCORRECT", 10), ("IR_ERROR_VISIT_ID_INCORRECT", 12),
        ("IR_ERROR_AUTH", 13), ("IR_ERROR_NOVISIT", 17),
    ]

    /// Number of photos that makes a report as long as the longest published one, some 100 kB
    /// escaped.
    static let mostPhotos = 37

    /// A report of a visit whose photos are all recognised.
    ///
    /// Ids are those of the launch if it has them. `sync` and `syncCatalogs` report only a status.
    public var report: AiletReport { visitReport(.completed) }

    /// The visit that the launch begins, or whose report it asks for.
    var visit: Subject? {
        guard let method, !hasOnlyStatus else { return nil }
        return asked["visit_id"].map { Subject(id: $0, isNew: method == .visit) }
    }

    /// Whether reports of the launch's method have a status and nothing else.
    var hasOnlyStatus: Bool { method == .sync || method == .syncCatalogs }

    private var method: AiletMethod? { asked["method"].flatMap(AiletMethod.init) }

    /// Ailet's callback for a visit.
    func report(_ progress: Progress, photos: Int? = nil) -> EmulatedAnswer {
        EmulatedAnswer(
            query: visitReport(progress, photos: photos).callbackQuery,
            outcome: progress.status.outcome)
    }

    /// Ailet's callback for a visit that failed.
    func report(failing status: String) -> EmulatedAnswer {
        var report = AiletReport()
        report.status = status
        if !hasOnlyStatus { addIDs(to: &report) }
        return EmulatedAnswer(query: report.callbackQuery, outcome: .error)
    }

    /// A report; nil chooses the number of photos at random.
    func visitReport(_ progress: Progress, photos: Int? = nil) -> AiletReport {
        var report = AiletReport()
        report.status = progress.status.name
        if hasOnlyStatus { return report }
        addIDs(to: &report)
        var random = SplitMix64(seed: seed)
        let count = photos ?? random.integer(in: 2...4)
        let visit = EmulatedVisit(
            photoCount: progress == .empty ? 0 : count,
            lastIsWaiting: progress == .inProgress, at: time, &random)
        report.scenesCounter = visit.sceneCount
        report.photosCounter = visit.photos.count
        report.notDetectedPhotosCounter = 0
        report.notDetectedScenesCounter = 0
        report.internalVisitID = visit.id
        report.content = visit.content(
            status: progress.status.code, visitID: report.visitID, taskID: report.taskID)
        return report
    }

    private func addIDs(to report: inout AiletReport) {
        report.taskID = asked["task_id"]
        report.storeID = asked["store_id"]
        report.userID = asked["user_id"]
        report.visitID = asked["visit_id"]
    }

    /// A report of which one layer is broken.
    func malformedReport(_ layer: Diagnostic.Layer) -> [UInt8] {
        var report = visitReport(.completed)
        if layer == .model { report.status = "IR_RESULT_DONE" }
        var query = QueryWriter()
        query.add("result", escaped: PercentEncoding.encode(Self.malformed(report.json(), layer)))
        return query.bytes + Array((layer == .percent ? "%7" : "").utf8)
    }
}
