// Merges neighbouring segments of a day into one file, or gives one segment its other form. A crash
// may interrupt any of the steps.
//
// The new file is complete and durable under a name that says what it replaces:
// `2026-11-21.jsonl.through-5` replaces parts 1 to 5. That name decides the merge: the old files
// are removed, then the new one is renamed to the first of them. Opening the store completes such a
// merge. So there are either the old segments or the new one, and no record twice.

/// A merged file before it gets its final name.
struct Merging: Sendable, Equatable {
    let first: SegmentName
    let form: SegmentForm
    /// The last part of the day that it replaces.
    let through: Int
}

extension Merging {
    /// Parses a file name; nil if it isn't the name of a merged file.
    init?(fileName: String) {
        guard let mark = fileName.firstRange(of: Self.mark),
            let through = Int(fileName[mark.upperBound...]),
            let (first, form) = SegmentName.parse(String(fileName[..<mark.lowerBound]))
        else { return nil }
        self.init(first: first, form: form, through: through)
    }

    private static let mark = ".through-"

    var fileName: String { first.fileName + form.suffix + Self.mark + String(through) }

    /// Whether the new file contains this segment's content; true for the first segment too.
    func includes(_ segment: SegmentName) -> Bool {
        segment.day == first.day && segment.part >= first.part && segment.part <= through
    }
}

extension StoreFolder {
    /// Durably decides that a finished file replaces neighbouring segments of one day; `complete`
    /// does the rest, unless the file already has its final name.
    ///
    /// After a crash at any point there are the old files, or the next opening completes the
    /// replacement.
    ///
    /// - Parameters:
    ///   - old: the segments, oldest first, with their forms.
    ///   - onDecided: called with what is to be completed; nil if nothing is. From then on the old
    ///     files must not be rewritten, because the next opening replaces them.
    ///
    /// Throws `syncFailed`, `full` or `file`.
    func put(
        _ file: any DiskFile, _ form: SegmentForm,
        inPlaceOf old: [(name: SegmentName, form: SegmentForm)],
        onDecided: (Merging?) -> Void
    ) throws(StoreError) {
        guard let first = old.first, let last = old.last else { return }
        let merging = Merging(first: first.name, form: form, through: last.name.part)
        let isFinal = old.count == 1 && first.form == form
        try file.sync()
        try disk.rename(
            file.path,
            to: isFinal ? path(of: first.name, form) : "\(results)/\(merging.fileName)")
        onDecided(isFinal ? nil : merging)
        try syncResults()
    }

    /// Removes the segments that a merged file replaces, and gives it its final name.
    ///
    /// May be repeated if it fails.
    func complete(
        _ merging: Merging, insteadOf old: [SegmentName]
    ) throws(StoreError) {
        for name in old {
            for form in SegmentForm.allCases { try disk.remove(path(of: name, form)) }
        }
        // The old names must be gone, durably, before the new name appears.
        try syncResults()
        try disk.rename(
            "\(results)/\(merging.fileName)", to: path(of: merging.first, merging.form))
        try syncResults()
    }
}
