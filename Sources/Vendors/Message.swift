// A callback taken apart: its parameters in order, and its body as JSON.
//
// Invariant: query parameters come before those of the body. Nothing here knows a vendor.

import PositionedJSON

/// The parameters of a callback, and what was wrong while finding them.
struct Message {
    /// Which of several parameters with one name counts.
    enum Preference {
        case first
        case last
    }

    private(set) var parameters: [Parameter] = []

    /// The JSON body, whatever its root is; nil when there is none or it is broken.
    private(set) var body: Payload?

    var findings = Findings()

    /// Takes `callback` apart, in O(its length).
    init(_ callback: Callback) {
        if let query = Self.query(of: callback.target) {
            addParameters(callback.target, query, part: .target, escaping: .query)
        }
        switch callback.body {
        case .form(let bytes):
            addParameters(bytes, bytes.indices, part: .body, escaping: .form)
        case .json(let bytes) where !bytes.isEmpty: readJSON(bytes)
        case .other(let contentType, let bytes) where !bytes.isEmpty:
            findings.add(
                .error, .body, "unsupported_content_type", in: .body, at: 0,
                expected: "a form or JSON", found: Excerpt.quoted(Array(contentType.utf8)[...]),
                hint: "send application/x-www-form-urlencoded or application/json")
        case nil, .json, .other: break
        }
    }

    /// The parameter called `name`; the first one, unless `resolveDuplicates` has left only one.
    func parameter(_ name: String) -> Parameter? {
        parameters.first { $0.isNamed(name) }
    }

    /// Makes the members of the JSON body parameters; null is the same as absent.
    ///
    /// A body that is not an object is an error.
    mutating func adoptBodyMembers() {
        guard let body else { return }
        guard body.requireObject(&findings) else { return }
        let document = body.document
        for member in document.root.members where member.value.kind != .null {
            let isString = member.value.kind == .string
            let text = isString ? member.value.innerRange : member.value.byteRange
            add(
                Parameter(
                    name: Array((member.name.string ?? "").utf8)[...],
                    offset: member.name.byteRange.lowerBound,
                    value: EscapedText(
                        part: .body, bytes: document.bytes, range: text,
                        escaping: isString ? .jsonString : .none)))
        }
    }

    /// Leaves one parameter of each name, at the place of the first, with a warning for the others.
    mutating func resolveDuplicates(keeping preference: Preference) {
        if !hasDuplicates { return }
        var unique: [Parameter] = []
        unique.reserveCapacity(parameters.count)
        for parameter in parameters {
            guard let known = unique.firstIndex(where: { $0.hasName(of: parameter) }) else {
                unique.append(parameter)
                continue
            }
            if preference == .last { unique[known] = parameter }
            warnOfDuplicate(parameter, preference)
        }
        parameters = unique
    }

    /// Whether a name repeats, in O(parameters²); `Limits.maximumParameters` bounds them.
    private var hasDuplicates: Bool {
        parameters.indices.contains { index in
            parameters[..<index].contains { $0.hasName(of: parameters[index]) }
        }
    }

    private mutating func warnOfDuplicate(_ parameter: Parameter, _ preference: Preference) {
        let found = "another " + Excerpt.quoted(parameter.name)
        let isKnown = findings.list.contains {
            $0.code == "duplicate_parameter" && $0.found == found
        }
        if isKnown { return }
        findings.add(
            .warning, parameter.value.containerLayer, "duplicate_parameter",
            in: parameter.value.part, at: parameter.offset,
            expected: "each parameter once", found: found,
            hint: preference == .first ? "the first value counts" : "the last value counts")
    }

    mutating func add(_ parameter: Parameter) {
        guard parameters.count < Limits.maximumParameters else { return }
        parameters.append(parameter)
        guard parameters.count == Limits.maximumParameters else { return }
        findings.add(
            .warning, parameter.value.containerLayer, "too_many_parameters",
            in: parameter.value.part, at: parameter.offset,
            expected: "fewer than \(Limits.maximumParameters) parameters",
            found: "\(Limits.maximumParameters) or more", hint: "further parameters are not decoded"
        )
    }

    private mutating func readJSON(_ bytes: [UInt8]) {
        let text = EscapedText(part: .body, bytes: bytes, range: bytes.indices, escaping: .none)
        body = Payload(text, findings: &findings)
    }
}
