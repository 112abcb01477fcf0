// Collects the findings of one file, each with its place.

import JSON

/// A value of a file and the path to it.
struct FindingPlace {
    /// The last step to a value.
    private enum Step {
        case none
        case member(String)
        case element(Int)
    }

    let node: JSONNode

    /// The pointer to the container of the last step.
    private let container: String
    private let step: Step

    /// A value with a known pointer.
    init(node: JSONNode, pointer: String) {
        self.init(node, in: pointer, .none)
    }

    private init(_ node: JSONNode, in container: String, _ step: Step) {
        self.node = node
        self.container = container
        self.step = step
    }

    /// The JSON pointer (RFC 6901); computed on demand, because most places have no finding.
    var pointer: String {
        switch step {
        case .none: container
        case .member(let name): container + "/" + JSONNode.pointerToken(name)
        case .element(let index): container + "/" + String(index)
        }
    }

    /// The same path at another value, such as the member's name.
    func at(_ node: JSONNode) -> FindingPlace { FindingPlace(node, in: container, step) }

    /// The value of a member; nil if it is missing.
    subscript(key: String) -> FindingPlace? {
        node[key].map { FindingPlace($0, in: pointer, .member(key)) }
    }

    /// The members, each with its name.
    var members: [(name: JSONNode, place: FindingPlace)] {
        let pointer = pointer
        return node.members.map { member in
            let step = Step.member(member.name.string ?? "")
            return (member.name, FindingPlace(member.value, in: pointer, step))
        }
    }

    /// The elements.
    var elements: [FindingPlace] {
        let pointer = pointer
        return node.elements.enumerated().map { index, element in
            FindingPlace(element, in: pointer, .element(index))
        }
    }
}

/// The findings of one file, up to `Limits.findings` and `Limits.findingBytes` of each severity, so
/// that remarks can't displace errors.
struct Findings {
    private let lines: JSONLines
    private(set) var all: [Finding] = []

    /// Number and bytes of what is kept.
    private var kept: [Finding.Severity: (count: Int, bytes: Int)] = [:]

    init(of document: JSONDocument) {
        lines = JSONLines(of: document.bytes)
    }

    /// Whether further findings of a severity are kept.
    ///
    /// Pointers and messages repeat parts of the file, so without a limit their total size is
    /// quadratic.
    func hasRoom(for severity: Finding.Severity) -> Bool {
        let (count, bytes) = kept[severity] ?? (0, 0)
        return count < Limits.findings && bytes < Limits.findingBytes
    }

    /// Adds a finding about the value at `place`.
    mutating func add(
        _ code: FindingCode, _ severity: Finding.Severity, _ place: FindingPlace, _ message: String
    ) {
        add(code, severity, place.pointer, at: place.node, message)
    }

    /// Adds a finding about another place, such as a member's name.
    mutating func add(
        _ code: FindingCode, _ severity: Finding.Severity, _ pointer: @autoclosure () -> String,
        at node: JSONNode, _ message: String
    ) {
        guard hasRoom(for: severity) else { return }
        let path = pointer()
        let (count, bytes) = kept[severity] ?? (0, 0)
        kept[severity] = (count + 1, bytes + path.utf8.count + message.utf8.count)
        all.append(
            Finding(
                code: code, severity: severity, pointer: path,
                position: lines.position(of: node.byteRange.lowerBound), message: message))
    }
}

extension Finding {
    /// The finding for a text that isn't JSON.
    init(_ fault: JSONFault) {
        self.init(
            code: .invalidJSON, severity: .error, pointer: "",
            position: fault.position,
            message: "Invalid JSON: expected \(fault.expected), found \(fault.found)"
                + (fault.hint.map { "; \($0)." } ?? "."))
    }
}

extension Findings {
    /// Adds a finding for every member whose name an earlier member of its object has.
    mutating func addDuplicateKeys(of document: JSONDocument) {
        for repeated in document.repeatedNames {
            if !hasRoom(for: .warning) { return }
            let name = repeated.repetition.name
            add(
                .duplicateKey, .warning, name.pointer, at: name,
                "\((name.string ?? "").quoted) is repeated in one object, and readers differ in "
                    + "which one they use; keep one.")
        }
    }
}
