// A callback between decoder and store: its record, and its diagnostics until they are written.
//
// Invariant: diagnostics are written once, when nothing is added to them any more.

import Clocks
import JSON
import ResultStore
import Vendors

/// A decoded callback that has not been stored yet.
package struct CallbackRecord: Sendable {
    /// The record, without diagnostics.
    package var record: NewRecord
    package var diagnostics: [Diagnostic]

    /// Takes over the result of a decoder.
    package init(
        _ decoding: Decoding, receivedAt: Timestamp, inbox: String, vendor: Vendor,
        request: RecordRequest
    ) {
        record = NewRecord(
            receivedAt: receivedAt, inbox: inbox, vendor: vendor.rawValue,
            contract: decoding.contract?.rawValue, outcome: decoding.outcome?.rawValue,
            verdict: decoding.verdict.rawValue, flow: decoding.flow, request: request,
            result: decoding.document)
        diagnostics = decoding.diagnostics
    }

    /// Estimated bytes of the response; rather too high than too low.
    ///
    /// - Parameter isPage: whether the response is a page, which shows the whole record.
    package func answerBytes(isPage: Bool) -> Int {
        1024 * (diagnostics.count + 1)
            + (isPage ? record.request.json.count + (record.result?.bytes.count ?? 0) : 0)
    }

    /// Takes the flow of a membership, or the diagnostic that says why it has no flow.
    package mutating func join(_ membership: FlowMembership) {
        record.flow = membership.flow
        if let diagnostic = membership.diagnostic { diagnostics.append(diagnostic) }
    }

    /// Writes the diagnostics into the record.
    package mutating func finish() {
        record.diagnostics = RecordDiagnostics(diagnostics)
    }

    /// The record with its diagnostics.
    package var stored: NewRecord {
        var finished = self
        finished.finish()
        return finished.record
    }
}

extension RecordDiagnostics {
    /// Writes diagnostics.
    package init(_ diagnostics: [Diagnostic]) {
        self.init()
        for diagnostic in diagnostics { append(code: diagnostic.code, diagnostic.write) }
    }
}
