// The layers of a callback with the texts between them, by how its contract carries its value.

import JSON

/// The stages of decoding one callback, outermost first.
struct LayerRoad {
    /// One layer, with the text that it decodes and the text that it yields.
    struct Stage {
        let layer: Diagnostic.Layer
        /// Nil if it was not reached.
        var input: LayerText?
        /// Nil if nothing came out.
        var output: [UInt8]?
        /// Whether the contract has the layer, but the callback does not.
        var isAbsent = false
    }

    private(set) var stages: [Stage] = []

    init(_ callback: Callback, _ decoding: Decoding) {
        var message = Message(callback)
        let shape = decoding.contract?.declaration.shape
        addContainers(of: message, callback)
        let isUnmatched = decoding.verdict == .unmatched
        // Without a contract these layers aren't required, so they can't have failed.
        defer {
            for index in stages.indices where isUnmatched {
                let isLast = index == stages.count - 1
                if isLast || stages[index].output == nil { stages[index].isAbsent = true }
            }
        }
        if case .body? = shape?.carrier {
            addBody(of: message, decoding)
        } else if let (name, wrapping) = shape?.payload {
            let isCarried = Self.isCarried(name, in: &message, decoding)
            if isCarried, let parameter = name.lazy.compactMap({ message.parameter($0) }).first {
                addPayload(message.value(of: parameter), wrapping, decoding)
            } else if message.body != nil || message.hasLostBody {
                addBody(of: message, decoding)
            } else {
                addParameters(of: message, decoding)
            }
        } else if message.body != nil || message.hasLostBody, message.parameters.isEmpty {
            addBody(of: message, decoding)
        } else {
            addParameters(of: message, decoding)
        }
    }

    /// Whether one of these parameters carries the value, also as a member of a JSON body.
    ///
    /// Pairs are split at `?` only where the decoder did.
    private static func isCarried(
        _ names: [String], in message: inout Message, _ decoding: Decoding
    ) -> Bool {
        if message.body?.document.root.kind == .object { message.adoptBodyMembers() }
        let isSplit = decoding.diagnostics.contains { $0.code == "wrong_separator" }
        let table = NameTable(names, usual: names.count, openers: isSplit ? names : [])
        message.settle(table, keeping: .first)
        return names.contains { message.parameter($0) != nil }
    }

    // MARK: Stages

    /// Adds what holds the parameters: the target and the body.
    private mutating func addContainers(of message: Message, _ callback: Callback) {
        let target = callback.target
        let hasQuery = message.parameters.contains { $0.part == .target }
        if hasQuery || callback.body == nil {
            let query = Message.startOfQuery(in: target).map { Array(target[$0...]) }
            stages.append(
                Stage(
                    layer: .url, input: LayerText(bytes: target, origin: .part(.target, from: 0)),
                    output: query ?? []))
        }
        guard let body = callback.body else { return }
        let isForm = message.parameters.contains { $0.part == .body }
        stages.append(
            Stage(
                layer: isForm ? .form : .body,
                input: LayerText(bytes: body.bytes, origin: .part(.body, from: 0)),
                output: body.bytes))
    }

    /// Adds a JSON body.
    private mutating func addBody(of message: Message, _ decoding: Decoding) {
        let bytes = message.bytes(of: .body)
        let text = LayerText(bytes: bytes, origin: .part(.body, from: 0))
        let document = message.body?.document.root.compactText
        stages.append(Stage(layer: .json, input: text, output: document))
        stages.append(Stage(layer: .model, input: text, output: decoding.value))
    }

    /// Adds the pairs of a query or a form.
    private mutating func addParameters(of message: Message, _ decoding: Decoding) {
        let escaped = Self.lines(of: message, unescaping: false)
        let plain = Self.lines(of: message, unescaping: true)
        stages.append(Stage(layer: .percent, input: escaped, output: plain.bytes))
        stages.append(Stage(layer: .model, input: plain, output: decoding.value))
    }

    private static func lines(of message: Message, unescaping: Bool) -> LayerText {
        var bytes: [UInt8] = []
        var lines: [LayerText.Line] = []
        for parameter in message.parameters {
            let start = bytes.count
            let value = message.value(of: parameter)
            if unescaping {
                bytes += message.name(of: parameter) + [UInt8(ascii: "=")]
            } else {
                bytes +=
                    message.bytes(of: parameter.part)[
                        parameter.offset..<max(parameter.offset, parameter.valueRange.lowerBound)]
            }
            let valueStart = bytes.count
            bytes += unescaping ? value.unescaped().bytes : value.bytes[value.range]
            lines.append(
                LayerText.Line(
                    parameter: parameter, range: start..<bytes.count, valueStart: valueStart,
                    value: unescaping ? value : nil))
            bytes.append(UInt8(ascii: "\n"))
        }
        return LayerText(bytes: bytes, origin: .lines(lines))
    }

    /// Adds the layers of a parameter that carries JSON.
    private mutating func addPayload(
        _ text: EscapedText, _ wrapping: Payload.Wrapping, _ decoding: Decoding
    ) {
        var findings = Findings()
        var reader = PayloadReader(text, in: wrapping)
        let document = reader.read(&findings)
        let broken = findings.list.first { $0.severity == .error }?.layer
        let escaped = LayerText(
            bytes: Array(text.bytes[text.range]),
            origin: .part(text.part, from: text.range.lowerBound))
        // What the layers inside were given; the reader's last text is what the JSON is in.
        var inputs = reader.layers.indices.map { index in
            LayerText(
                bytes: reader.layers[index].input ?? Array(reader.current),
                origin: .payload(reader.text, Array(reader.layers[..<index])))
        }
        let rest = LayerText(
            bytes: Array(reader.current), origin: .payload(reader.text, reader.layers))
        inputs.append(rest)
        let isUnescaped = broken != .percent || !reader.layers.isEmpty
        stages.append(
            Stage(
                layer: text.escaping == .jsonString || text.escaping == .none ? .json : .percent,
                input: escaped, output: isUnescaped ? inputs[0].bytes : nil))
        for (index, layer) in reader.layers.enumerated() {
            guard let name = layer.layer else { continue }
            stages.append(Stage(layer: name, input: inputs[index], output: inputs[index + 1].bytes))
        }
        if wrapping == .base64, !stages.contains(where: { $0.layer == .base64 }) {
            let isBroken = broken == .base64 || broken == .percent
            stages.append(Stage(layer: .base64, input: rest, output: nil, isAbsent: !isBroken))
        } else if broken == .base64 {
            stages.append(Stage(layer: .base64, input: rest, output: nil))
        }
        stages.append(
            Stage(layer: .json, input: rest, output: document?.root.compactText))
        stages.append(Stage(layer: .model, input: rest, output: decoding.value))
    }

    // MARK: Diagnostics

    /// The worst diagnostic about a stage; the first of several.
    func finding(at index: Int, of decoding: Decoding) -> Diagnostic? {
        let own = decoding.diagnostics.filter { stage(of: $0) == index }
        for severity in Diagnostic.Severity.allCases where severity != .info {
            if let found = own.first(where: { $0.severity == severity }) { return found }
        }
        return nil
    }

    /// The stage that a diagnostic is about: the innermost of its layer, or the one that would
    /// notice it.
    private func stage(of diagnostic: Diagnostic) -> Int? {
        let layers: [Diagnostic.Layer] =
            switch diagnostic.layer {
            case .url: [.url]
            case .form, .body: [.form, .body]
            case .percent: [.percent, .url, .form]
            case .base64: [.base64, .json]
            case .utf8: [.json, .percent]
            case .json: [.json, .body]
            case .model: [.model]
            }
        for layer in layers {
            if let index = stages.lastIndex(where: { $0.layer == layer }) { return index }
        }
        return stages.indices.last
    }
}

extension MessageShape {
    /// The parameters that may carry JSON, and how it is wrapped; nil if values are parameters.
    fileprivate var payload: (names: [String], wrapping: Payload.Wrapping)? {
        switch carrier {
        case .json(let names): (names, .none)
        case .base64(let name, _, _): ([name], .base64)
        case .parameters, .body: nil
        }
    }
}

extension PayloadLayer {
    /// The text inside of which the layer is; nil for one that only cuts something off.
    fileprivate var input: [UInt8]? {
        switch self {
        case .base64(let text): Array(text)
        case .escapes(let text): Array(text.bytes[text.range])
        case .prefix, .cuts: nil
        }
    }

    /// The layer of diagnostics; nil for one that only cuts something off.
    fileprivate var layer: Diagnostic.Layer? {
        switch self {
        case .base64: .base64
        case .escapes(let text): text.escaping == .jsonString ? .json : .percent
        case .prefix, .cuts: nil
        }
    }
}
