// The visit as a whole in an Ailet report: its recognition, its photos by state, and the score of a
// perfect store (vendor document 3.3). Invariant: scalars whose type differs between the vendor's
// apps keep their original; other members are absent if they have another type.

extension AiletReport {
    /// The recognition of a visit's photos.
    public struct Recognition: Sendable, Equatable, JSONModel {
        /// The status as a number; see `AiletReport.status`.
        public var number: Int?
        /// The status as a number or word.
        public var code: LooseScalar?
        /// What happened, for people.
        public var message: String?
        /// Number of photos of the visit.
        public var photos: Int?
        /// Number of sent photos.
        public var sentPhotos: Int?
        /// The visit, by the partner's id.
        public var visitID: String?
        /// The visit, by the vendor's own id.
        public var internalVisitID: String?
        /// Where recognition ran: online or on the device.
        public var source: String?
        /// Number of photos recognised on the device.
        public var completedOnDevice: Int?

        /// Creates a value without any member.
        public init() {}

        mutating func map(_ members: inout some JSONModelMap) {
            members.map("codeInt", &number)
            members.map("code", &code)
            members.map("message", &message)
            members.map("total_photos", &photos)
            members.map("sended_photos", &sentPhotos)
            members.map("visit_id", &visitID)
            members.map("internal_visit_id", &internalVisitID)
            members.map("source", &source)
            members.map("completed_on_device", &completedOnDevice)
        }
    }

    /// The photos of a visit by their state.
    public struct VisitStatistics: Sendable, Equatable, JSONModel {
        /// The number of photos in each state.
        public var photos: PhotoCounts?
        /// The ids of photos that wait for recognition.
        public var waiting: [String]?
        /// The ids of photos to be retaken.
        public var toRetake: [String]?
        /// The ids of deleted photos.
        public var deleted: [String]?

        /// Creates a value without any member.
        public init() {}

        mutating func map(_ members: inout some JSONModelMap) {
            members.map("photo", &photos)
            members.map("photo_wait", &waiting)
            members.map("photo_retake", &toRetake)
            members.map("photo_deleted", &deleted)
        }
    }

    /// The number of photos in each state.
    public struct PhotoCounts: Sendable, Equatable, JSONModel {
        /// Taken.
        public var created: Int?
        /// Sent to the vendor.
        public var sent: Int?
        /// Waiting for recognition.
        public var waiting: Int?
        /// Recognised.
        public var completed: Int?
        /// To be retaken.
        public var toRetake: Int?
        /// Deleted.
        public var deleted: Int?
        /// Not compressed yet.
        public var uncompressed: Int?
        /// Of bad quality.
        public var badQuality: Int?
        /// Of good quality.
        public var goodQuality: Int?
        /// Sent with an error.
        public var sentWithError: Int?
        /// The overall state, as a word.
        public var status: String?

        /// Creates a value without any member.
        public init() {}

        mutating func map(_ members: inout some JSONModelMap) {
            members.map("created", &created)
            members.map("sent", &sent)
            members.map("wait", &waiting)
            members.map("completed", &completed)
            members.map("retake", &toRetake)
            members.map("deleted", &deleted)
            members.map("uncompressed", &uncompressed)
            members.map("badQuality", &badQuality)
            members.map("goodQuality", &goodQuality)
            members.map("sentWithError", &sentWithError)
            members.map("status", &status)
        }
    }

    /// How close a shop is to its plan.
    public struct PerfectStore: Sendable, Equatable, JSONModel {
        /// The score of the visit.
        public var visitScore: Double?
        /// The tasks that were scored.
        public var tasks: [StoreTask]?

        /// Creates a value without any member.
        public init() {}

        mutating func map(_ members: inout some JSONModelMap) {
            members.map("total_visit_score", &visitScore)
            members.map("tasks", &tasks)
        }
    }

    /// A scored task.
    public struct StoreTask: Sendable, Equatable, JSONModel {
        /// The task's id.
        public var id: String?
        /// The task, for people.
        public var name: String?
        /// The score of the task.
        public var score: Double?
        /// 0 to 100.
        public var percentage: Double?
        /// What was measured.
        public var kpis: [KPI]?
        /// What was asked.
        public var questions: [Question]?

        /// Creates a value without any member.
        public init() {}

        mutating func map(_ members: inout some JSONModelMap) {
            members.map("id", &id)
            members.map("name", &name)
            members.map("total_score", &score)
            members.map("percentage", &percentage)
            members.map("kpis", &kpis)
            members.map("questions", &questions)
        }
    }

    /// A measured indicator.
    public struct KPI: Sendable, Equatable, JSONModel {
        /// The indicator's id; optional.
        public var id: Int?
        /// The indicator, for people.
        public var name: String?
        /// What is measured, such as `osa_sku` or `osa_facing`.
        public var metric: String?
        /// The matrix that it is measured against.
        public var matrix: String?
        /// The planned value.
        public var plan: Double?
        /// The measured value.
        public var fact: Double?
        /// 0 to 100.
        public var percentage: Double?
        /// The resulting score.
        public var score: Double?

        /// Creates a value without any member.
        public init() {}

        mutating func map(_ members: inout some JSONModelMap) {
            members.map("id", &id)
            members.map("name", &name)
            members.map("metric_type", &metric)
            members.map("matrix_type", &matrix)
            members.map("plan_value", &plan)
            members.map("fact_value", &fact)
            members.map("percentage", &percentage)
            members.map("score_value", &score)
        }
    }

    /// An answered question.
    public struct Question: Sendable, Equatable, JSONModel {
        /// The question's id; optional.
        public var id: LooseScalar?
        /// Its index among the questions.
        public var index: Int?
        /// How it is answered: `select`, `multiselect` or `text`.
        public var kind: String?
        /// The question.
        public var name: String?
        /// Whether it must be answered; optional.
        public var isRequired: Bool?
        /// The answers that were given.
        public var answers: [Answer]?

        /// Creates a value without any member.
        public init() {}

        mutating func map(_ members: inout some JSONModelMap) {
            members.map("id", &id)
            members.map("index", &index)
            members.map("type", &kind)
            members.map("name", &name)
            members.map("required", &isRequired)
            members.map("answers", &answers)
        }
    }

    /// An answer to a question.
    public struct Answer: Sendable, Equatable, JSONModel {
        /// Its index among the answers.
        public var index: Int?
        /// The answer.
        public var name: String?
        /// The points that it gives.
        public var points: Int?

        /// Creates a value without any member.
        public init() {}

        mutating func map(_ members: inout some JSONModelMap) {
            members.map("index", &index)
            members.map("name", &name)
            members.map("point", &points)
        }
    }
}
