// Maintenance of the whole store: compaction, verification and decoding again.

import HTTP1
import JSON
import Logging
import Problems
import ResultStore
import Vendors

extension ResultAPI {
    /// `POST /api/v1/store/compact`: compresses and compacts, and reports the effect.
    func compactStore(_ query: Query) async throws(Problem) -> Response {
        try query.parameters.requireNone()
        let report = try await ask { () async throws(StoreError) in try await store.compact() }
        report.log(to: log)
        return Self.uncached(report.json)
    }

    /// `POST /api/v1/store/verify`: reads everything, and reports what is wrong.
    func verifyStore(_ query: Query) async throws(Problem) -> Response {
        try query.parameters.requireNone()
        let report = try await ask { () async throws(StoreError) in try await store.verify() }
        return Self.uncached(report.json)
    }

    /// `POST /api/v1/store/redecode?vendor=&apply=true`: runs the current decoders over the store.
    func redecodeStore(_ query: Query) async throws(Problem) -> Response {
        var parameters = query.parameters
        let vendor = parameters.take("vendor", oneOf: Vendor.names)
        let applies = parameters.takeFlag("apply")
        try parameters.finish()
        guard redecoding.begin() else {
            throw Problem(
                status: .conflict, kind: "redecoding-running",
                detail: "Another redecoding is running: try again when it is done.")
        }
        defer { redecoding.end() }
        do {
            let report = try await work.run {
                try await RedecodingReport(
                    self.store, vendor: vendor.flatMap { Vendor(rawValue: $0) },
                    applies: applies ?? false)
            }
            return Self.uncached(report.json)
        } catch {
            log.error("redecoding failed", metadata: ["reason": "\(error)"])
            throw Problem(error as? StoreError ?? .closed)
        }
    }
}

extension MaintenanceReport {
    /// Logs what was removed and rewritten.
    package func log(to log: Logger) {
        for failure in failures {
            log.error("maintenance of a segment failed", metadata: ["reason": "\(failure)"])
        }
        if expiredResults > 0 {
            log.notice(
                "expired results erased",
                metadata: [
                    "results": "\(expiredResults)", "by_age": "\(expired.byAge)",
                    "by_inbox_results": "\(expired.byCount)", "by_bytes": "\(expired.byBytes)",
                    "strays": "\(expired.strays)", "unmatched": "\(expired.unmatched)",
                    "inboxes": "\(expired.inboxes.count)",
                ])
        }
        if let rebuildReason {
            log.error("the index was rebuilt", metadata: ["reason": "\(rebuildReason)"])
        }
        guard rewrittenSegments > 0 else { return }
        log.info(
            "segments rewritten",
            metadata: [
                "segments": "\(rewrittenSegments)", "compressed": "\(compressedSegments)",
                "merged": "\(mergedSegments)",
                "removed_lines": "\(removedLines)", "bytes_before": "\(bytesBefore)",
                "bytes_after": "\(bytesAfter)",
            ])
    }

    /// The report as a JSON object.
    package var json: [UInt8] {
        JSONWriter.object { json in
            json.member("expired_results", expiredResults)
            json.member("removed_lines", removedLines)
            json.member("rewritten_segments", rewrittenSegments)
            json.member("compressed_segments", compressedSegments)
            json.member("bytes_before", Int(bytesBefore))
            json.member("bytes_after", Int(bytesAfter))
            json.array("failures") { json in
                for failure in failures { json.value(failure.description) }
            }
        }
    }
}
