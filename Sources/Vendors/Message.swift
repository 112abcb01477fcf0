// A callback taken apart: its parameters in order, and its body as JSON.
//
// Invariant: query parameters come before those of the body. The bytes are owned here; parameters
// are places in them. Nothing here knows a vendor.

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

    private let target: [UInt8]
    private let content: [UInt8]

    /// The names that had to be unescaped, one after the other.
    private var repairedNames: [UInt8] = []

    /// Takes `callback` apart, in O(its length).
    init(_ callback: Callback) {
        target = callback.target
        switch callback.body {
        case .form(let bytes), .json(let bytes), .other(_, let bytes): content = bytes
        case nil: content = []
        }
        parameters.reserveCapacity(Limits.usualParameters)
        if let query = Self.query(of: target) {
            addParameters(in: query, of: .target, escaping: .query)
        }
        if content.isEmpty { return }
        switch callback.body {
        case .form: addParameters(in: content.indices, of: .body, escaping: .form)
        case .json:
            let text = EscapedText(
                part: .body, bytes: content, range: content.indices, escaping: .none)
            body = Payload(text, findings: &findings)
        case .other(let contentType, _):
            findings.add(
                .error, .body, "unsupported_content_type", in: .body, at: 0,
                expected: "a form or JSON", found: Excerpt.quoted(Array(contentType.utf8)[...]),
                hint: "send application/x-www-form-urlencoded or application/json")
        case nil: break
        }
    }

    /// The bytes of a part as they were received.
    func bytes(of part: Diagnostic.Part) -> [UInt8] {
        part == .target ? target : content
    }

    /// Makes the members of the JSON body parameters; null is the same as absent.
    ///
    /// A body that is not an object is an error.
    mutating func adoptBodyMembers() {
        guard let body else { return }
        guard body.requireObject(&findings) else { return }
        for member in body.document.root.members where member.value.kind != .null {
            let isString = member.value.kind == .string
            let name = member.name.innerRange
            let isPlain = !content[name].contains(UInt8(ascii: "\\"))
            add(
                Parameter(
                    nameSource: isPlain ? .part : .repaired,
                    nameRange: isPlain ? name : repair(Array((member.name.string ?? "").utf8)[...]),
                    part: .body, offset: member.name.byteRange.lowerBound,
                    valueRange: isString ? member.value.innerRange : member.value.byteRange,
                    escaping: isString ? .jsonString : .none))
        }
    }

    /// Leaves one parameter of each name, at the place of the first, with a warning for the others.
    mutating func resolveDuplicates(keeping preference: Preference) {
        if !hasDuplicates { return }
        var unique: [Parameter] = []
        unique.reserveCapacity(parameters.count)
        for parameter in parameters {
            guard let known = unique.firstIndex(where: { haveSameName($0, parameter) }) else {
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
        for index in parameters.indices {
            for other in 0..<index where haveSameName(parameters[index], parameters[other]) {
                return true
            }
        }
        return false
    }

    private mutating func warnOfDuplicate(_ parameter: Parameter, _ preference: Preference) {
        let found = "another " + Excerpt.quoted(name(of: parameter))
        let isKnown = findings.list.contains {
            $0.code == "duplicate_parameter" && $0.found == found
        }
        if isKnown { return }
        findings.add(
            .warning, parameter.containerLayer, "duplicate_parameter",
            in: parameter.part, at: parameter.offset,
            expected: "each parameter once", found: found,
            hint: preference == .first ? "the first value counts" : "the last value counts")
    }

    /// Adds a parameter, unless there are too many.
    mutating func add(_ parameter: Parameter) {
        guard parameters.count < Limits.maximumParameters else { return }
        parameters.append(parameter)
        guard parameters.count == Limits.maximumParameters else { return }
        findings.add(
            .warning, parameter.containerLayer, "too_many_parameters",
            in: parameter.part, at: parameter.offset,
            expected: "fewer than \(Limits.maximumParameters) parameters",
            found: "\(Limits.maximumParameters) or more", hint: "further parameters are not decoded"
        )
    }

    /// Keeps an unescaped name and returns its place in `repairedNames`.
    mutating func repair(_ name: ArraySlice<UInt8>) -> Range<Int> {
        let start = repairedNames.count
        repairedNames.append(contentsOf: name)
        return start..<repairedNames.count
    }

    /// The bytes that the name's place counts in.
    func nameBytes(of parameter: Parameter) -> [UInt8] {
        parameter.nameSource == .repaired ? repairedNames : bytes(of: parameter.part)
    }
}
