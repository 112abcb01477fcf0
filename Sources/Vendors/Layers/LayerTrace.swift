// The road of decoding: what went into each layer of a callback, what came out, and where it broke.
//
// Invariant: the road is made of the same message, payload reader and diagnostics as the decoding,
// so that it can't say something else. A layer that a broken one hides is skipped. Left out:
// credentials; the callback must have been redacted.

/// The steps of decoding one callback, outermost first.
package struct LayerTrace: Sendable {
    /// What happened at a layer.
    package enum State: String, CaseIterable, Sendable {
        case passed
        /// The callback can't be read from here on.
        case failed
        /// Not reached, because an earlier layer failed, or not present.
        case skipped
    }

    /// Where a layer is broken.
    package struct Fault: Sendable {
        /// What is wrong.
        package let diagnostic: Diagnostic
        /// The wrong bytes in the input of the step; nil if something is missing altogether.
        package let range: Range<Int>?
        /// The wrong bytes in the part of the request that the diagnostic names.
        package let source: Range<Int>?
    }

    /// One layer.
    package struct Step: Sendable {
        package let layer: Diagnostic.Layer
        package fileprivate(set) var state: State
        /// Nil if the layer was not reached.
        package let input: [UInt8]?
        /// Nil if nothing came out.
        let output: [UInt8]?
        /// The worst diagnostic about the layer; it passed if that isn't an error.
        package fileprivate(set) var fault: Fault?
    }

    package private(set) var steps: [Step] = []

    /// The callback whose bytes the places are in.
    package let callback: Callback

    /// Repeats the decoding of a callback and keeps what is between its layers.
    ///
    /// O(length · log(length)).
    ///
    /// - Parameter decoding: of the same callback.
    package init(of callback: Callback, _ decoding: Decoding) {
        self.callback = callback
        let road = LayerRoad(callback, decoding)
        var hasFailed = false
        for (index, stage) in road.stages.enumerated() {
            let finding = road.finding(at: index, of: decoding)
            let isError = finding?.severity == .error
            let isSkipped = hasFailed || stage.isAbsent && !isError
            let isBroken = isError || stage.output == nil && stage.input != nil
            let state: State = isSkipped ? .skipped : isBroken ? .failed : .passed
            steps.append(
                Step(
                    layer: stage.layer, state: state, input: hasFailed ? nil : stage.input?.bytes,
                    output: hasFailed ? nil : stage.output,
                    fault: finding.map { Self.fault($0, at: stage) }))
            hasFailed = hasFailed || state == .failed
        }
    }

    private static func fault(_ diagnostic: Diagnostic, at stage: LayerRoad.Stage) -> Fault {
        guard let offset = diagnostic.offset, diagnostic.part != .head else {
            return Fault(diagnostic: diagnostic, range: nil, source: nil)
        }
        guard let input = stage.input, let place = input.place(of: offset, in: diagnostic.part)
        else {
            return Fault(diagnostic: diagnostic, range: nil, source: offset..<offset)
        }
        let end = max(place, input.end(ofToken: place, in: diagnostic.layer))
        return Fault(
            diagnostic: diagnostic, range: place..<end,
            source: offset..<max(offset, input.source(ofEnd: end, after: offset)))
    }

    /// The bytes of a part of the request.
    package func bytes(of part: Diagnostic.Part) -> [UInt8] {
        part == .body ? callback.body?.bytes ?? [] : callback.target
    }
}

extension LayerText {
    /// The place in the request of the end of something that begins at the byte `start` there.
    fileprivate func source(ofEnd end: Int, after start: Int) -> Int {
        switch origin {
        case .part(_, let first): first + end
        case .payload(let text, let layers): layers.sourceOffset(of: end, in: text)
        case .lines(let lines):
            lines.first { $0.range.lowerBound...$0.range.upperBound ~= end }?
                .parameter.valueRange.upperBound ?? start
        }
    }
}

extension Callback {
    /// The callback as it would be stored: credentials are redacted.
    package var withoutCredentials: Callback {
        let content: Body? =
            switch body {
            case .form(let bytes): .form(Redaction.redactBody(bytes))
            case .json(let bytes): .json(Redaction.redactBody(bytes))
            case .multipart(let boundary, let bytes):
                .multipart(boundary: boundary, Redaction.redactBody(bytes))
            case .other(let type, let bytes):
                .other(contentType: type, Redaction.redactBody(bytes))
            case nil: nil
            }
        return Callback(
            target: Redaction.redactTarget(target), body: content, webhookID: webhookID)
    }
}
