// Reads a whole data folder and reports what is wrong with it.
//
// Invariant: nothing is changed and nothing is locked. The index is read as it was before the first
// file was read, so it can only lack the newest records. Left out: repairing.

import Foundation
import GRDB

/// Verification of a data folder.
package struct StoreVerification {
    /// A segment that was read.
    struct Segment {
        let name: SegmentName
        let path: String
        /// Bytes of its content.
        var size: Int64
    }

    private let root: String
    private let disk: any Disk
    var report = VerificationReport()
    var lines = KnownLines()
    var segments: [Segment] = []
    private var done: Int64 = 0

    private init(_ root: String, _ disk: any Disk) {
        self.root = root
        self.disk = disk
    }

    /// Reads everything in a data folder: every file, line and checksum, the order of numbers, and
    /// whether the index agrees.
    ///
    /// A server may run at the same time. What it has appended since the start is read as far as it
    /// is there: a batch that is being written is retried for a moment before it is reported as a
    /// torn end. A segment that is rewritten or removed during the run isn't compared with the
    /// index. If that happens at the wrong moment, the index may seem to disagree, so repeat the
    /// verification before trusting that. The index's log can't be truncated while this runs.
    ///
    /// - Parameter onProgress: called with the number of bytes read so far, and the total.
    ///
    /// O(bytes · log(records)); up to 100 bytes of memory a record.
    ///
    /// Throws `file` when the folder can't be listed, and `cancelled` if the task is cancelled.
    package static func run(
        folder: String, catalog: FieldCatalog,
        onProgress: (_ bytes: Int64, _ of: Int64) -> Void = { _, _ in }
    ) throws(StoreError) -> VerificationReport {
        try run(folder: folder, on: SystemDisk(), catalog: catalog, onProgress: onProgress)
    }

    static func run(
        folder: String, on disk: any Disk, catalog: FieldCatalog,
        onProgress: (_ bytes: Int64, _ of: Int64) -> Void = { _, _ in }
    ) throws(StoreError) -> VerificationReport {
        var verification = StoreVerification(folder, disk)
        let index = IndexVerification.open(
            StoreFolder.indexPath(in: folder), catalog, &verification.report)
        let limit = index?.sequence ?? .max
        try verification.readFiles(erasureLimit: limit, onProgress)
        verification.finish(limit)
        index?.check(&verification)
        return verification.report
    }

    // MARK: Files

    private mutating func readFiles(
        erasureLimit: Int, _ onProgress: (Int64, Int64) -> Void
    ) throws(StoreError) {
        let found = try list()
        var total: Int64 = 0
        for (name, form) in found {
            // A file that can't be opened is reported when it is read.
            let file = try? disk.openReadOnly("\(root)/\(path(of: name, form))")
            total += (try? file?.size()) ?? 0
        }
        // One after another: there may be more files than a process may have open.
        for (name, form) in found {
            if Task.isCancelled { throw .cancelled }
            let path = path(of: name, form)
            do throws(StoreError) {
                let isLast = name == found.last?.0
                guard let (path, file) = try open(name, form) else { continue }
                try read(file, name, path, isLast: isLast, erasureLimit) { done in
                    onProgress(done, max(total, done))
                }
            } catch {
                report.add(path, nil, error.description)
            }
        }
    }

    /// Opens a segment, under its other name if it was compressed after the folder was listed; nil
    /// if it has been removed since, which the index must agree with.
    private func open(
        _ name: SegmentName, _ listed: SegmentForm
    ) throws(StoreError) -> (path: String, file: SegmentFile)? {
        var (form, tries) = (listed, Limits.verificationTries)
        while true {
            let path = path(of: name, form)
            do throws(StoreError) {
                return (path, try SegmentFile(disk.openReadOnly("\(root)/\(path)"), form))
            } catch {
                let names = try disk.names(in: root + "/results")
                if names.contains(name.fileName + form.suffix) { throw error }
                if let other = SegmentForm.allCases.first(where: {
                    names.contains(name.fileName + $0.suffix)
                }) {
                    form = other
                    continue
                }
                // A merged file gets its name a moment after those that it replaces are gone.
                guard tries > 0, names.contains(where: { Merging(fileName: $0)?.first == name })
                else { return nil }
                tries -= 1
                Thread.sleep(forTimeInterval: 0.01)
            }
        }
    }

    private func path(of segment: SegmentName, _ form: SegmentForm) -> String {
        "results/\(segment.fileName)\(form.suffix)"
    }

    /// The segments; other files become notes.
    private mutating func list() throws(StoreError) -> [(SegmentName, SegmentForm)] {
        var forms: [SegmentName: SegmentForm] = [:]
        for name in try disk.names(in: root + "/results").sorted() {
            let path = "results/\(name)"
            if let (segment, form) = SegmentName.parse(name) {
                // The plain form sorts first.
                if forms[segment] == .plain {
                    report.note(
                        "results/\(segment.fileName)", nil,
                        "a compressed file has its name; the next opening makes this another part")
                }
                forms[segment] = form
            } else if name.hasSuffix(StoreFolder.unfinishedSuffix) {
                report.note(path, nil, "an unfinished rewrite; the next opening removes it")
            } else if let merging = Merging(fileName: name) {
                report.note(
                    path, nil,
                    "segments are being merged; the next opening makes this \(merging.first.fileName)"
                )
            } else if name == "torn" {
                for torn in try disk.names(in: "\(root)/results/torn").sorted() {
                    report.note(
                        "results/torn/\(torn)", nil, "an opening cut this off the end of a segment")
                }
            } else {
                report.note(path, nil, "not a file of the store")
            }
        }
        return forms.map { ($0.key, $0.value) }.sorted { $0.0 < $1.0 }
    }

    private mutating func read(
        _ file: SegmentFile, _ name: SegmentName, _ path: String, isLast: Bool,
        _ erasureLimit: Int, _ onProgress: (Int64) -> Void
    ) throws(StoreError) {
        report.files += 1
        report.bytes += try file.fileSize()
        var check = LineVerification(
            file: path, number: segments.count, erasureLimit: erasureLimit)
        // The index skips the end of a segment that isn't appended to any more.
        defer {
            let size = check.offset + Int64(isLast ? 0 : check.pendingBytes)
            segments.append(Segment(name: name, path: path, size: size))
        }
        if file.form == .compressed {
            let raw = try disk.openReadOnly("\(root)/\(path)")
            try readBlocks(file, raw, path, &check, onProgress)
        } else {
            try readPlain(file, &check, onProgress)
            // A batch that is being written is complete a moment later.
            var tries = isLast ? Limits.verificationTries : 0
            while check.pendingBytes > 0, tries > 0 {
                tries -= 1
                Thread.sleep(forTimeInterval: 0.01)
                check.skip(to: check.offset)
                try readPlain(file, &check, onProgress)
            }
        }
        guard check.pendingBytes > 0 else { return }
        report.add(
            path, check.offset,
            "the last \(check.pendingBytes) bytes are not a complete line"
                + (isLast ? "; the next opening cuts them off, unless the index had them" : ""))
    }

    private mutating func readPlain(
        _ file: SegmentFile, _ check: inout LineVerification, _ onProgress: (Int64) -> Void
    ) throws(StoreError) {
        var position = check.offset
        while true {
            let bytes = try file.read(Limits.scanBytes, at: position)
            if bytes.isEmpty { return }
            position += Int64(bytes.count)
            check.add(bytes, &lines, &report)
            done += Int64(bytes.count)
            onProgress(done)
        }
    }

    private mutating func readBlocks(
        _ file: SegmentFile, _ raw: any DiskFile, _ path: String,
        _ check: inout LineVerification, _ onProgress: (Int64) -> Void
    ) throws(StoreError) {
        var (fileEnd, contentEnd): (Int64, Int64) = (0, 0)
        for block in file.blocks {
            let start = try raw.read(CompressedBlock.headerBytes, at: block.fileOffset)
            if CompressedBlock.isPlainMember(start) {
                report.note(path, nil, "another program has compressed it")
            } else if CompressedBlock(start[...], at: block.fileOffset) != block {
                let sentence = "the header at byte \(block.fileOffset) of the file is damaged"
                report.add(path, block.contentOffset, sentence)
            }
            if block.fileOffset != fileEnd {
                report.add(path, contentEnd, "byte \(fileEnd) of the file does not begin a block")
            }
            if block.contentOffset != contentEnd {
                let sentence =
                    "the block at byte \(block.fileOffset) of the file belongs to another place"
                report.add(path, contentEnd, sentence)
                check.skip(to: block.contentOffset)
            }
            fileEnd = block.fileOffset + Int64(block.fileSize)
            contentEnd = block.contentEnd
            let content = try file.read(block.contentSize, at: block.contentOffset)
            if content.count == block.contentSize {
                check.add(content, &lines, &report)
                if check.pendingBytes > 0 {
                    report.add(path, check.offset, "the block ends within a line")
                    check.skip(to: contentEnd)
                }
            } else {
                let sentence = "the block at byte \(block.fileOffset) of the file can't be inflated"
                report.add(path, block.contentOffset, sentence)
                check.skip(to: contentEnd)
            }
            done += Int64(block.fileSize)
            onProgress(done)
        }
        if try fileEnd != file.fileSize() {
            report.add(path, contentEnd, "byte \(fileEnd) of the file does not begin a block")
        }
    }

    private mutating func finish(_ limit: Int) {
        var copies: [(KnownLines.Record, KnownLines.Record)] = []
        lines.finish(limit: limit) { copies.append(($0, $1)) }
        for (first, second) in copies {
            report.add(
                segments[Int(second.file)].path, second.offset,
                "the id \(second.id) is also that of seq \(first.sequence)")
        }
        for (first, second) in zip(lines.records, lines.records.dropFirst())
        where first.sequence == second.sequence && first.id != second.id {
            report.add(
                segments[Int(second.file)].path, second.offset,
                "seq \(second.sequence) is also that of the id \(first.id)")
        }
        report.erasedLines = lines.records.count { lines.isErased($0) }
        report.supersededLines = lines.records.count { $0.isSuperseded && !lines.isErased($0) }
    }
}
