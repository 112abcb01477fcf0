// Reading JSON: from bytes to a document that can be asked, for the whole text, which both check.
//
// JSONSerialization makes objects of all values meanwhile, and the reader makes none: who asks for a
// value pays for it then.

import Foundation
import JSON

extension Row {
    /// Megabytes a second of `JSONDocument` beside `JSONSerialization`, by document.
    static func ofReadingJSON(rounds: Int) throws -> [Row] {
        let documents = [
            ("json-links", "read JSON: link file of 1,000 rules", Documents.links()),
            ("json-numbers", "read JSON: pretty-printed records of numbers", Documents.numbers()),
            ("json-strings", "read JSON: long strings with escapes", Documents.strings()),
        ]
        return try documents.map { name, what, text in
            let data = Data(text)
            let seconds = try Stopwatch.medianSeconds(
                rounds: rounds,
                of: [
                    { _ = try JSONDocument(parsing: text) },
                    { _ = try JSONSerialization.jsonObject(with: data) },
                ])
            let figures = seconds.map { Double(text.count) / $0 / 1e6 }
            return Row(
                name: name, what: what, unit: "MB/s", figure: figures[0],
                peer: Peer(name: "JSONSerialization", figure: figures[1]))
        }
    }
}
