// Guesses the vendor of a message if it is not given: for a pasted link, or a path without vendor.
//
// Invariant: it guesses by names, never by whether values are valid, so that a broken callback is
// recognised too and its decoder reports the defect. Left out: `raw`, which matches everything.

import JSON

extension Vendor {
    /// The vendor whose contract `callback` most likely follows, by the names of its parameters;
    /// nil if nothing indicates one.
    ///
    /// The members of a JSON body are parameters too. In this order:
    /// - `rezolve` for a link of its hosts or under `/emulate/rezolve`, and for answers as the
    ///   body;
    /// - `ailet` for `result` or `report`, or a report with its status as the body;
    /// - `dimmy` for `response`, for `status=completed`, `cancelled` or `error`, for an `error`
    ///   that Flux sends, for an item or `item_ids` as the body;
    /// - `welltory` for any measurement or colour;
    /// - `rezolve` for `engagementid`;
    /// - `x-callback-url` for `errorCode` with `errorMessage`;
    /// - the vendor whose app a launch link opens, because its decoder reports the launch link;
    /// - the vendor whose parameters are misplaced, because its decoder reports where they are.
    ///
    /// O(length).
    public init?(recognizing callback: Callback) {
        let callback = WrappedLink(callback, to: nil)?.callback ?? callback
        var message = Message(callback)
        let root = message.body?.document.root
        if Self.isRezolve(callback.target, root) {
            self = .rezolve
        } else if let status = root?["status"]?.string, AiletStatus(named: status).isDistinct {
            self = .ailet
        } else if let item = root?[0] ?? root, item.kind == .object,
            DimmyItem.isItem(item) || item["item_ids"] != nil
        {
            self = .dimmy
        } else {
            if root?.kind == .object { message.adoptBodyMembers() }
            self.init(recognizing: message, wrapped: root?["result"] ?? root?["report"])
        }
    }

    /// - Parameter wrapped: the body's value in the place of Ailet's report.
    private init?(recognizing message: Message, wrapped: JSONNode?) {
        if let wrapped, Self.isMeasurement({ wrapped[$0] != nil }) {
            self = .welltory
        } else if message.parameter("result") != nil || message.parameter("report") != nil {
            self = .ailet
        } else if message.parameter("response") != nil
            || Self.isOne(of: DimmyDecoder.statuses, message.parameter("status"), message)
            || Self.isOne(of: DimmyDecoder.reasons, message.parameter("error"), message)
        {
            self = .dimmy
        } else if Self.isMeasurement(message.has) {
            self = .welltory
        } else if message.parameter("engagementid") != nil {
            self = .rezolve
        } else if message.has("errorCode"), message.has("errorMessage") {
            self = .xCallbackURL
        } else if let contract = message.launchedContract {
            self = contract.vendor
        } else if let vendor = Self.withMisplaced.first(where: { message.misplaces($0.names) }) {
            self = vendor.vendor
        } else {
            return nil
        }
    }

    /// Names that identify their vendor even if they are misplaced.
    private static let withMisplaced: [(vendor: Vendor, names: [String])] = [
        (.ailet, ["result"]), (.dimmy, ["response"]),
        (.welltory, WelltoryKey.all.filter(\.isMeasurement).map(\.rawValue)),
    ]

    /// Whether a message has a number or colour of Welltory's.
    private static func isMeasurement(_ has: (String) -> Bool) -> Bool {
        WelltoryKey.all.contains { ($0.isMeasurement || $0.form == .colour) && has($0.rawValue) }
    }

    /// Whether a target is a Rezolve link, or a body contains answers to an act.
    private static func isRezolve(_ target: [UInt8], _ root: JSONNode?) -> Bool {
        if let answer = root?["answers"]?[0], answer["question_id"] != nil { return true }
        let path = RezolvePath(of: target[...])
        if path.actID(in: target) != nil { return true }
        switch path.site {
        case .sandbox, .engagements: return true
        // A bare path resembles a trigger's only by chance.
        case .triggers: return path.host != nil
        case .callbacks, .other: return false
        }
    }

    /// Whether the parameter's text is one of `texts`.
    private static func isOne(
        of texts: [String], _ parameter: Parameter?, _ message: Message
    ) -> Bool {
        guard let parameter else { return false }
        let text = message.value(of: parameter).unescaped().bytes
        return texts.contains { text.elementsEqual($0.utf8) }
    }
}
