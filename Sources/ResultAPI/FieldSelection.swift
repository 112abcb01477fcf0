// The members of records that a client selects with `fields`; cuts records down to them.

import JSON
import ResultStore
import Vendors

/// A tree of member names.
package struct FieldSelection: Sendable, Equatable {
    /// Selected members, unordered; no children means everything below.
    private var children: [String: FieldSelection] = [:]

    private static let known = RecordMembers.names + DerivedMembers.names

    /// The selectable names, in the order of records.
    static let names = known.flatMap { name in
        ["request", "result"].contains(name) ? [name, "\(name).NAME"] : [name]
    }.joined(separator: ", ")

    private init() {}

    /// Parses names separated by commas; nil if one is unknown.
    package init?(_ text: String) {
        for path in text.split(separator: ",", omittingEmptySubsequences: false) {
            let names = path.split(separator: ".", omittingEmptySubsequences: false).map {
                $0.trimmingPrefix(" ").description
            }
            guard let first = names.first, Self.known.contains(first), !names.contains("")
            else { return nil }
            // A result may have any member.
            guard
                names.count == 1 || first == "result"
                    || first == "request" && names.count == 2
                        && RecordMembers.requestNames.contains(names[1])
            else { return nil }
            insert(names[...])
        }
    }

    private mutating func insert(_ names: ArraySlice<String>) {
        guard let name = names.first else { return }
        if names.count == 1 {
            children[name] = FieldSelection()
        } else if let known = children[name] {
            // The whole member is already selected.
            if known.children.isEmpty { return }
            children[name]?.insert(names.dropFirst())
        } else {
            var child = FieldSelection()
            child.insert(names.dropFirst())
            children[name] = child
        }
    }

    /// The record's text with the selected members only, in their order.
    ///
    /// O(size).
    func apply(to record: [UInt8]) -> [UInt8] {
        guard let root = try? JSONDocument(parsing: record).root else { return record }
        var json = JSONWriter(reservingCapacity: 256)
        json.beginObject()
        writeMembers(of: root, to: &json)
        if DerivedMembers.names.contains(where: { children[$0] != nil }) {
            let derived = DerivedMembers(
                of: record, parsed: root, listed: Redaction.hideShared(in: record))
            derived.write(to: &json) { children[$0] != nil }
        }
        json.endObject()
        return json.bytes
    }

    private func write(_ node: JSONNode, to json: inout JSONWriter) {
        guard !children.isEmpty, node.kind == .object else { return json.raw(node.text) }
        json.object { json in writeMembers(of: node, to: &json) }
    }

    private func writeMembers(of node: JSONNode, to json: inout JSONWriter) {
        for member in node.members {
            guard let name = member.name.string, let child = children[name] else { continue }
            json.key(name)
            child.write(member.value, to: &json)
        }
    }
}

extension FieldSelection? {
    /// A record for a list: cut down to the selection, or by default without the request's body;
    /// without credentials, and with what is derived for lists.
    ///
    /// O(size).
    package func apply(to record: [UInt8]) -> [UInt8] {
        if let self {
            return ListedRecord.text(of: self.apply(to: ListedRecord.hidingCaptures(in: record)))
        }
        let root = try? JSONDocument(parsing: record).root
        let stored = Self.withoutBody(record, root)
        let text = Redaction.hideShared(in: ListedRecord.hidingCaptures(in: stored))
        return DerivedMembers(of: stored, parsed: root, listed: text).added(to: text)
    }

    private static func withoutBody(_ record: [UInt8], _ root: JSONNode?) -> [UInt8] {
        let member = ",\"body\":"
        guard let body = root?["request"]?["body"],
            case let start = body.byteRange.lowerBound - member.utf8.count, start > 0,
            record[start..<body.byteRange.lowerBound].elementsEqual(member.utf8)
        else { return record }
        return Array(record[..<start] + record[body.byteRange.upperBound...])
    }
}
