// The members of a JSON object from a client, checked for known names and expected types.

import HTTP1
import JSON

/// A JSON object in the body of an API request.
package struct JSONMembers {
    private let root: JSONNode

    /// Parses the object.
    ///
    /// Throws 400 if the body is not an object, or if a member is not `known` or repeated.
    package init(_ body: [UInt8], known: [String]) throws(Problem) {
        do throws(JSONFault) {
            root = try JSONDocument(parsing: body).root
        } catch {
            throw Problem(
                status: .badRequest, kind: "invalid-json",
                detail: "The body is invalid JSON: expected \(error.expected), found "
                    + "\(error.found), at byte \(error.offset).")
        }
        guard root.kind == .object else {
            throw Self.refusal("body", "Expected a JSON object.")
        }
        var seen: Set<String> = []
        for member in root.members {
            let name = member.name.string ?? ""
            guard known.contains(name) else {
                throw Self.refusal(
                    name, "Unknown member; known members: \(known.joined(separator: ", "))."
                )
            }
            guard seen.insert(name).inserted else {
                throw Self.refusal(name, "Give this member once.")
            }
        }
    }

    /// A string; nil if it is absent or null.
    package func text(_ name: String) throws(Problem) -> String? {
        guard let node = root[name], node.kind != .null else { return nil }
        guard let text = node.string else { throw Self.refusal(name, "Expected a string.") }
        return text
    }

    /// One of a list of names; nil if it is absent or null.
    package func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ name: String, of type: Choice.Type
    ) throws(Problem) -> Choice? {
        guard let text = try text(name) else { return nil }
        if let choice = Choice(rawValue: text) { return choice }
        let names = Choice.allCases.map(\.rawValue).joined(separator: ", ")
        throw Self.refusal(name, "Expected one of \(names).")
    }

    /// A whole number, or a string of digits; nil if it is absent or null.
    package func number(_ name: String) throws(Problem) -> UInt64? {
        guard let node = root[name], node.kind != .null else { return nil }
        let text = Self.scalar(node) ?? ""
        // 75.0 is a whole number in JSON.
        let whole = node.kind == .number ? Double(text).flatMap { UInt64(exactly: $0) } : nil
        guard let number = UInt64(text) ?? whole else {
            throw Self.refusal(name, "Expected a number from 0 to \(UInt64.max).")
        }
        return number
    }

    /// A whole number within a range, and no string; nil if it is absent or null.
    package func number(
        _ name: String, in range: ClosedRange<Int>
    ) throws(Problem) -> Int? {
        guard let node = root[name], node.kind != .null else { return nil }
        guard let number = node.double.flatMap({ Int(exactly: $0) }), range.contains(number) else {
            throw Self.refusal(
                name, "Expected a number from \(range.lowerBound) to \(range.upperBound).")
        }
        return number
    }

    /// A Boolean; nil if it is absent or null.
    package func flag(_ name: String) throws(Problem) -> Bool? {
        guard let node = root[name], node.kind != .null else { return nil }
        guard let flag = node.bool else { throw Self.refusal(name, "Expected true or false.") }
        return flag
    }

    /// An array of strings; empty if it is absent.
    package func list(_ name: String) throws(Problem) -> [String] {
        guard let node = root[name], node.kind != .null else { return [] }
        let texts = node.elements.compactMap(\.string)
        guard node.kind == .array, texts.count == node.count else {
            throw Self.refusal(name, "Expected an array of strings.")
        }
        return texts
    }

    /// An object of strings, in order; empty if it is absent.
    package func texts(_ name: String) throws(Problem) -> [(name: String, value: String)] {
        guard let node = root[name], node.kind != .null else { return [] }
        guard node.kind == .object else {
            throw Self.refusal(name, "Expected an object of strings.")
        }
        var texts: [(name: String, value: String)] = []
        for member in node.members {
            guard let key = member.name.string, let value = Self.scalar(member.value) else {
                throw Self.refusal(name, "Expected an object of strings.")
            }
            texts.append((key, value))
        }
        return texts
    }

    private static func scalar(_ node: JSONNode) -> String? {
        switch node.kind {
        case .string: node.string
        case .number: String(decoding: node.text, as: UTF8.self)
        default: nil
        }
    }

    /// 400 about one member.
    package static func refusal(_ name: String, _ detail: String) -> Problem {
        Problem(
            status: .badRequest, kind: "invalid-body",
            detail: "Invalid value in the body: \(name).",
            findings: [Problem.Finding(name: name, detail: detail)])
    }
}
