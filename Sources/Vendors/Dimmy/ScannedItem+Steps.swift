// The steps of a flow, as an item reports them (vendor document 1.3).
// Left out: the mode of a measurement, whose values aren't public.

extension ScannedItem {
    /// A step that took photos.
    public struct PhotoStep: Sendable, Equatable, JSONModel {
        /// The step of the flow.
        public var flowStepID: String?
        /// When the step began, ISO 8601.
        public var startedAt: String?
        /// When the step ended, ISO 8601.
        public var endedAt: String?
        /// The photos that were taken.
        public var photos: [Photo]?

        /// Creates a step without any member.
        public init() {}

        mutating func map(_ members: inout some JSONModelMap) {
            members.map("flow_step_id", &flowStepID)
            members.map("started_at", &startedAt)
            members.map("ended_at", &endedAt)
            members.map("photos", &photos)
        }
    }

    /// A photo.
    public struct Photo: Sendable, Equatable, JSONModel {
        /// When it was taken, ISO 8601.
        public var date: String?
        /// Its URL.
        public var url: String?

        /// Creates a photo without any member.
        public init() {}

        /// Creates a photo from its URL, which is all that Flux sends.
        init?(text: String) { url = text }

        mutating func map(_ members: inout some JSONModelMap) {
            members.map("date", &date)
            members.map("url", &url)
        }
    }

    /// A step that measured a box.
    public struct BoxStep: Sendable, Equatable, JSONModel {
        /// The step of the flow.
        public var flowStepID: String?
        /// When the step began, ISO 8601.
        public var startedAt: String?
        /// When the step ended, ISO 8601.
        public var endedAt: String?
        /// The box; absent if the step was skipped.
        public var box: Box?

        /// Creates a step without any member.
        public init() {}

        mutating func map(_ members: inout some JSONModelMap) {
            members.map("flow_step_id", &flowStepID)
            members.map("started_at", &startedAt)
            members.map("ended_at", &endedAt)
            members.map("dimensions", &box)
        }
    }

    /// The dimensions of a box.
    public struct Box: Sendable, Equatable, JSONModel {
        /// In `unit`.
        public var width: Double?
        /// In `unit`.
        public var height: Double?
        /// In `unit`.
        public var depth: Double?
        /// The unit of the dimensions: `m` for metres in the published sample; Dimmy sends none.
        public var unit: String?

        /// Creates a box without any member.
        public init() {}

        mutating func map(_ members: inout some JSONModelMap) {
            members.map("width", &width)
            members.map("height", &height)
            members.map("depth", &depth)
            members.map("unit", &unit)
        }
    }

    /// A step that read bar codes.
    public struct BarcodeStep: Sendable, Equatable, JSONModel {
        /// The step of the flow.
        public var flowStepID: String?
        /// The bar codes that were read; the name is inferred.
        public var barcodes: [Barcode]?

        /// Creates a step without any member.
        public init() {}

        mutating func map(_ members: inout some JSONModelMap) {
            members.map("flow_step_id", &flowStepID)
            members.map("barcodes", &barcodes)
        }
    }

    /// A bar code.
    public struct Barcode: Sendable, Equatable, JSONModel {
        /// Its text; the name is inferred.
        public var value: String?

        /// Creates a bar code without any member.
        public init() {}

        mutating func map(_ members: inout some JSONModelMap) { members.map("value", &value) }
    }

    /// A step that weighed; all names but the step's are inferred.
    public struct WeighingStep: Sendable, Equatable, JSONModel {
        /// The step of the flow.
        public var flowStepID: String?
        /// In `unit`.
        public var weight: Double?
        /// The unit of the weight.
        public var unit: String?

        /// Creates a step without any member.
        public init() {}

        mutating func map(_ members: inout some JSONModelMap) {
            members.map("flow_step_id", &flowStepID)
            members.map("weight", &weight)
            members.map("unit", &unit)
        }
    }

    /// A step that asked for input; all names except the step's are inferred.
    public struct CustomInput: Sendable, Equatable, JSONModel {
        /// The step of the flow.
        public var flowStepID: String?
        /// The name of the input.
        public var name: String?
        /// The input; a signature is image data as a `data:` URL.
        public var value: String?

        /// Creates a step without any member.
        public init() {}

        mutating func map(_ members: inout some JSONModelMap) {
            members.map("flow_step_id", &flowStepID)
            members.map("name", &name)
            members.map("value", &value)
        }
    }
}
