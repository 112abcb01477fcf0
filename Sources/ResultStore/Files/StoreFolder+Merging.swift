// Several neighbouring segments of a day become one file, in steps that a crash may cut anywhere.
//
// The new file is whole and durable under a name that says what it takes in:
// `2026-11-21.jsonl.through-5` stands for the parts 1 to 5. With that name the merging is decided:
// the old files are removed, then the new one gets the name of the first. Opening completes what it
// finds under such a name. So there are the old segments or the new one, and no record twice.

/// A file on its way from several names to one.
struct Merging: Sendable, Equatable {
    let first: SegmentName
    let form: SegmentForm
    /// The last part of the day that it takes in.
    let through: Int

    init(first: SegmentName, form: SegmentForm, through: Int) {
        self.first = first
        self.form = form
        self.through = through
    }

    /// Reads a file's name; nil for another one.
    init?(fileName: String) {
        guard let mark = fileName.firstRange(of: Self.mark),
            let through = Int(fileName[mark.upperBound...])
        else { return nil }
        for form in SegmentForm.allCases {
            let name = fileName[..<mark.lowerBound]
            guard name.hasSuffix(form.suffix),
                let first = SegmentName(fileName: String(name.dropLast(form.suffix.count)))
            else { continue }
            self.init(first: first, form: form, through: through)
            return
        }
        return nil
    }

    private static let mark = ".through-"

    var fileName: String { first.fileName + form.suffix + Self.mark + String(through) }

    /// Whether a segment's content is in the new file; the first one's is too.
    func takesIn(_ segment: SegmentName) -> Bool {
        segment.day == first.day && segment.part > first.part && segment.part <= through
    }
}

extension StoreFolder {
    /// Puts a finished file in the place of neighbouring segments of one day, durably: after a crash
    /// at any point there are the old files, or the next opening makes them the new one.
    ///
    /// - Parameter old: the segments, oldest first, with their forms.
    ///
    /// Throws `syncFailed` or `file`. After a failure that follows `onDecided` nothing may be rewritten any
    /// more: the next opening puts this file in the place of the old ones.
    func merge(
        _ old: [(name: SegmentName, form: SegmentForm)], into file: any DiskFile,
        _ form: SegmentForm, onDecided: () -> Void
    ) throws(StoreError) {
        guard let first = old.first, let last = old.last else { return }
        if old.count == 1 {
            return try replace(first.name, first.form, by: file, form, onDecided: onDecided)
        }
        let merging = Merging(first: first.name, form: form, through: last.name.part)
        try file.sync()
        try disk.rename(file.path, to: "\(results)/\(merging.fileName)")
        onDecided()
        try syncResults()
        try complete(merging, insteadOf: old.dropFirst().map(\.name))
        if first.form != form { try remove(first.name, first.form) }
    }

    /// Removes what a merged file takes in, and gives it its name.
    func complete(
        _ merging: Merging, insteadOf old: [SegmentName]
    ) throws(StoreError) {
        for name in old {
            for form in SegmentForm.allCases { try disk.remove(path(of: name, form)) }
        }
        // The new name must not be there before the old ones are gone.
        try syncResults()
        try disk.rename(
            "\(results)/\(merging.fileName)", to: path(of: merging.first, merging.form))
        try syncResults()
    }
}
