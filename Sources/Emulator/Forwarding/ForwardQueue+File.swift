// A queue as a file: `forward/HASH.json` in the data folder.
//
// Invariant: the file is replaced as a whole, so a crash leaves the old one or the new one. What was
// in flight is written as pending.

import Files
import JSON
import ResultStore
import Settings

extension ForwardQueue {
    /// Reads the file; nil if it doesn't exist.
    ///
    /// Throws `unreadable` for a file with other content: an empty queue would lose what it holds.
    init?(_ rules: Rules, file path: String) throws(ConfigurationError) {
        let content = try ConfigurationError.reading { () throws(FileError) in
            try Folder.content(ofOptional: path)
        }
        guard let content else { return nil }
        guard let root = try? JSONDocument(parsing: content).root,
            let through = root["through"]?.int,
            let settled = root["settled"]?.int, let pending = root["pending"].flatMap(Self.entries),
            let dead = root["dead"].flatMap(Self.entries)
        else {
            throw .unreadable(
                path: path,
                reason: "it holds no queue of a target; without this file the target gets the "
                    + "callbacks from now on")
        }
        self.init(rules, through: through)
        // Older programs wrote a time.
        self.settled = min(settled, through)
        restore(pending: pending, dead: dead)
    }

    /// The content of the file.
    ///
    /// O(entries).
    var json: [UInt8] {
        var json = JSONWriter(reservingCapacity: 256 + 96 * (pendingCount + dead.count))
        json.object { json in
            json.member("through", through)
            json.member("settled", settled)
            for (name, entries) in [("pending", pending), ("dead", dead)] {
                json.array(name) { json in for entry in entries { Self.write(entry, to: &json) } }
            }
        }
        return json.bytes
    }

    private static func write(_ entry: Entry, to json: inout JSONWriter) {
        json.array { json in
            json.value(entry.sequence)
            json.value(entry.id.description)
            json.value(Int(entry.since))
            json.value(Int(entry.dueAt))
            json.value(entry.attempts)
            json.value(entry.status ?? 0)
            json.value(Int(entry.tried))
        }
    }

    private static func entries(_ node: JSONNode) -> [Entry]? {
        let nodes = Array(node.elements)
        let entries = nodes.compactMap { node -> Entry? in
            guard let sequence = node[0]?.int, let id = node[1]?.string.flatMap({ RecordID($0) }),
                let since = node[2]?.int, let due = node[3]?.int, let attempts = node[4]?.int,
                let status = node[5]?.int
            else { return nil }
            var entry = Entry(sequence, id, at: Int64(since))
            entry.dueAt = Int64(due)
            entry.attempts = max(0, attempts)
            entry.status = status == 0 ? nil : status
            // Older programs wrote none.
            entry.tried = max(0, Int64(node[6]?.int ?? 0))
            return entry
        }
        return entries.count == nodes.count ? entries : nil
    }
}
