// Segments are named after the UTC day of their records: `2026-11-21.jsonl`, then
// `2026-11-21-2.jsonl` and so on for further parts. Compressed ones have the additional suffix
// `.gz`; a name here is the same for both forms.

import Clocks

/// The name of a segment.
///
/// Later segments compare greater.
package struct SegmentName: Sendable, Hashable, Comparable {
    /// `2026-11-21`.
    let day: String
    /// From 1.
    let part: Int
}

extension SegmentName {
    /// The first segment of a time's day.
    init(at moment: Timestamp) {
        var day: [UInt8] = []
        moment.appendDay(to: &day)
        self.init(day: String(decoding: day, as: UTF8.self), part: 1)
    }

    /// Parses the name of a plain file; nil for files that aren't segments.
    init?(fileName: String) {
        guard fileName.hasSuffix(".jsonl") else { return nil }
        let stem = fileName.dropLast(6)
        let day = stem.prefix(10)
        guard Timestamp("\(day)T00:00:00Z".utf8) != nil else { return nil }
        let rest = stem.dropFirst(10)
        if rest.isEmpty {
            self.init(day: String(day), part: 1)
        } else {
            guard rest.first == "-", let part = Int(rest.dropFirst()), part > 1 else { return nil }
            self.init(day: String(day), part: part)
        }
    }

    /// Parses the name of a segment's file in either form; nil for files that aren't segments.
    static func parse(_ fileName: String) -> (name: SegmentName, form: SegmentForm)? {
        for form in SegmentForm.allCases where fileName.hasSuffix(form.suffix) {
            let plain = String(fileName.dropLast(form.suffix.count))
            if let name = SegmentName(fileName: plain) { return (name, form) }
        }
        return nil
    }

    /// The name of the plain file, which identifies the segment.
    package var fileName: String { part == 1 ? "\(day).jsonl" : "\(day)-\(part).jsonl" }

    package static func < (left: SegmentName, right: SegmentName) -> Bool {
        (left.day, left.part) < (right.day, right.part)
    }
}
