// The findings of one file as they are made, each with the place that it is about.

import PositionedJSON

/// A value of a file and how to get to it.
struct FindingPlace {
    let node: JSONNode

    /// The JSON pointer (RFC 6901).
    let pointer: String

    /// The value of a member; nil when there is none.
    subscript(key: String) -> FindingPlace? {
        node[key].map { FindingPlace(node: $0, pointer: pointer + "/" + Self.token(key)) }
    }

    /// The members, each with its name.
    var members: [(name: JSONNode, place: FindingPlace)] {
        node.members.map { member in
            let token = Self.token(member.name.string ?? "")
            return (
                member.name,
                FindingPlace(node: member.value, pointer: pointer + "/" + token)
            )
        }
    }

    /// The elements.
    var elements: [FindingPlace] {
        node.elements.enumerated().map { index, element in
            FindingPlace(node: element, pointer: pointer + "/" + String(index))
        }
    }

    /// A name as RFC 6901 §3 escapes it.
    static func token(_ name: String) -> String {
        guard name.utf8.contains(where: { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "~") })
        else { return name }
        var token = ""
        for scalar in name.unicodeScalars {
            switch scalar {
            case "~": token += "~0"
            case "/": token += "~1"
            default: token.unicodeScalars.append(scalar)
            }
        }
        return token
    }
}

/// The findings of one file.
struct Findings {
    private let lines: JSONLines
    private(set) var all: [Finding] = []

    init(of document: JSONDocument) {
        lines = JSONLines(of: document.bytes)
    }

    /// Adds a finding about the value at `place`.
    mutating func add(
        _ code: FindingCode, _ severity: Finding.Severity, _ place: FindingPlace, _ message: String
    ) {
        add(code, severity, place.pointer, at: place.node, message)
    }

    /// Adds a finding about a place of its own, such as a member's name.
    mutating func add(
        _ code: FindingCode, _ severity: Finding.Severity, _ pointer: String, at node: JSONNode,
        _ message: String
    ) {
        all.append(
            Finding(
                code: code, severity: severity, pointer: pointer,
                position: lines.position(of: node.byteRange.lowerBound), message: message))
    }
}

extension Finding {
    /// A text that is no JSON.
    init(_ fault: JSONFault) {
        self.init(
            code: .invalidJSON, severity: .error, pointer: "",
            position: fault.position,
            message: "This is no JSON: expected \(fault.expected), found \(fault.found)"
                + (fault.hint.map { "; \($0)." } ?? "."))
    }
}
