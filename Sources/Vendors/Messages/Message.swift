// A parsed callback: its parameters in order, and its body as JSON.
//
// Invariant: query parameters precede those of the body. The message owns the bytes; parameters are
// ranges in them. This code knows no vendor.

import JSON

/// The parameters of a callback, and the diagnostics from parsing them.
struct Message {
    /// Which of several parameters with one name is used.
    enum Preference {
        case first
        case last
    }

    private(set) var parameters: [Parameter] = []

    /// All parameters with repeated names, including the ones that are used, in message order.
    private(set) var repetitions: [Parameter] = []

    /// The JSON body with any root; nil if there is none or it is broken.
    private(set) var body: Payload?

    var findings = Findings()

    /// Whether there is a body whose content can't be read; an error says why.
    private(set) var hasLostBody = false

    /// Whether there were too many parameters.
    private var hasDroppedParameters = false

    /// Whether members of the body are parameters.
    private var hasMembers = false

    /// The id of a webhook delivery.
    let webhookID: String?

    /// The body with its label.
    let received: Callback.Body?

    private let target: [UInt8]
    private let content: [UInt8]

    /// The names that needed decoding, concatenated.
    private var repairedNames: [UInt8] = []

    /// Parses `callback`, in O(its length).
    init(_ callback: Callback) {
        target = callback.target
        webhookID = callback.webhookID
        received = callback.body
        content = callback.body?.bytes ?? []
        parameters.reserveCapacity(Limits.usualParameters)
        if let start = Self.startOfQuery(in: target) {
            addParameters(in: start..<target.count, of: .target, escaping: .query)
        }
        if let kind = BodyKind(callback.body, findings: &findings) {
            if !content.isEmpty { findings.usualPart = .body }
            read(kind)
        }
        hasLostBody = findings.list.contains { $0.severity == .error }
    }

    private mutating func read(_ kind: BodyKind) {
        switch kind {
        case .form: addParameters(in: content.indices, of: .body, escaping: .form)
        case .json:
            let text = EscapedText(
                part: .body, bytes: content, range: content.indices, escaping: .none)
            body = Payload(text, findings: &findings)
        case .multipart(let boundary):
            addParts(
                of: MultipartForm(content, boundary: boundary, findings: &findings), in: content)
        }
    }

    /// The bytes of a part as received.
    func bytes(of part: Diagnostic.Part) -> [UInt8] {
        part == .target ? target : content
    }

    /// Adds the members of the JSON body as parameters; null means absent.
    ///
    /// A body that is not an object is an error.
    mutating func adoptBodyMembers() {
        guard let body else { return }
        guard body.requireObject(&findings) else {
            hasLostBody = true
            return
        }
        guard let start = body.startInPart else {
            hasLostBody = true
            return body.addWrapped(to: &findings)
        }
        hasMembers = true
        for member in body.document.root.members where member.value.kind != .null {
            let isString = member.value.kind == .string
            let name = member.name.innerRange.shifted(by: start)
            let value = isString ? member.value.innerRange : member.value.byteRange
            let isPlain = !content[name].contains(UInt8(ascii: "\\"))
            add(
                Parameter(
                    nameSource: isPlain ? .part : .repaired,
                    nameRange: isPlain ? name : repair(Array((member.name.string ?? "").utf8)[...]),
                    part: .body, offset: start + member.name.byteRange.lowerBound,
                    valueRange: value.shifted(by: start),
                    escaping: isString ? .jsonString : .none))
        }
    }

    /// The pointer to the body's member that is the parameter at `offset`; nil if absent.
    func pointer(at offset: Int) -> String? {
        guard hasMembers, let body, let start = body.startInPart else { return nil }
        let member = body.document.root.members.first { member in
            let end = start + member.value.byteRange.upperBound
            return start + member.name.byteRange.lowerBound...end ~= offset
        }
        return member?.value.pointer
    }

    /// Keeps one parameter of each name, at the position of the first, with a warning for the
    /// others.
    mutating func resolveDuplicates(keeping preference: Preference) {
        if !hasDuplicates { return }
        repetitions = parameters.indices.filter { index in
            parameters.indices.contains {
                $0 != index && haveSameName(parameters[$0], parameters[index])
            }
        }.map { parameters[$0] }
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
        guard parameters.count == Limits.maximumParameters else {
            parameters.append(parameter)
            return
        }
        guard !hasDroppedParameters else { return }
        hasDroppedParameters = true
        findings.add(
            .warning, parameter.containerLayer, "too_many_parameters",
            in: parameter.part, at: parameter.offset,
            expected: "at most \(Limits.maximumParameters) parameters",
            found: "more than \(Limits.maximumParameters)",
            hint: "further parameters are not decoded")
    }

    /// Removes and returns the parameters, so that others can replace them.
    mutating func takeParameters() -> [Parameter] {
        let taken = parameters
        parameters = []
        return taken
    }

    /// Stores a decoded name and returns its range in `repairedNames`.
    mutating func repair(_ name: ArraySlice<UInt8>) -> Range<Int> {
        let start = repairedNames.count
        repairedNames.append(contentsOf: name)
        return start..<repairedNames.count
    }

    /// Renames a parameter to the name with `key`.
    mutating func rename(_ index: Int, _ key: Int, of table: NameTable) {
        let place = repair(Array(table.names[key].utf8)[...])
        parameters[index] = parameters[index].renamed(to: place, key: key)
    }

    /// Assigns keys to the parameters.
    ///
    /// - Returns: the set of keys that occur, the number of parameters without key, and whether a
    ///   key repeats.
    mutating func identify(by table: NameTable) -> (keys: UInt64, unknown: Int, repeats: Bool) {
        var (keys, unknown, repeats): (UInt64, Int, Bool) = (0, 0, false)
        for index in parameters.indices {
            let parameter = parameters[index]
            let key = table.key(of: parameter.nameRange, in: nameBytes(of: parameter))
            parameters[index].key = key
            guard let key else {
                unknown += 1
                continue
            }
            let bit: UInt64 = 1 << UInt64(key)
            if keys & bit != 0 { repeats = true }
            keys |= bit
        }
        return (keys, unknown, repeats)
    }

    /// The bytes that the name's range refers to.
    func nameBytes(of parameter: Parameter) -> [UInt8] {
        parameter.nameSource == .repaired ? repairedNames : bytes(of: parameter.part)
    }
}

extension Range<Int> {
    /// The range moved by `distance`, which must keep both ends valid.
    fileprivate func shifted(by distance: Int) -> Range<Int> {
        lowerBound + distance..<upperBound + distance
    }
}
