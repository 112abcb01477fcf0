// The road of decoding as JSON, and on a terminal: bounded, with the bytes around each fault.
//
// Invariant: a piece of text never ends inside of a character if it is UTF-8; anything else is
// Base64. Left out: colours.

import JSON
import Text

extension LayerTrace {
    /// Writes the steps as a JSON array.
    package func write(to json: inout JSONWriter) {
        json.array { json in for step in steps { write(step, to: &json) } }
    }

    private func write(_ step: Step, to json: inout JSONWriter) {
        json.object { json in
            json.member("layer", step.layer.rawValue)
            json.member("state", step.state.rawValue)
            json.key("input")
            Self.write(step.input, upTo: Limits.maximumLayerBytes, to: &json)
            json.key("output")
            Self.write(step.output, upTo: Limits.maximumLayerBytes, to: &json)
            json.key("fault")
            guard let fault = step.fault else { return json.null() }
            json.object { json in write(fault, in: step.input, to: &json) }
        }
    }

    private func write(_ fault: Fault, in input: [UInt8]?, to json: inout JSONWriter) {
        let diagnostic = fault.diagnostic
        json.member("severity", diagnostic.severity.rawValue)
        json.member("code", diagnostic.code)
        json.member("offset", fault.range?.lowerBound)
        json.member("length", fault.range?.count)
        json.member("pointer", diagnostic.pointer)
        json.member("expected", diagnostic.expected)
        json.member("found", diagnostic.found)
        json.member("hint", diagnostic.hint)
        let excerpts = fault.range.flatMap { range in input.map { Excerpts($0, around: range) } }
        Self.write(excerpts, to: &json)
        json.key("raw")
        guard let source = fault.source else { return json.null() }
        json.object { json in
            json.member("part", diagnostic.part.rawValue)
            json.member("offset", source.lowerBound)
            json.member("length", source.count)
            Self.write(Excerpts(bytes(of: diagnostic.part), around: source), to: &json)
        }
    }

    private static func write(_ excerpts: Excerpts?, to json: inout JSONWriter) {
        let limit = Limits.maximumLayerBytes
        json.key("before")
        write(excerpts?.before, of: excerpts?.bytesBefore, upTo: limit, to: &json)
        json.key("marked")
        write(excerpts?.marked, upTo: limit, to: &json)
        json.key("after")
        write(excerpts?.after, of: excerpts?.bytesAfter, upTo: limit, to: &json)
    }

    /// Writes `{encoding, data, bytes, truncated}`, or null.
    ///
    /// - Parameter count: the size of the text that `bytes` are a part of; nil if they are all.
    private static func write(
        _ bytes: [UInt8]?, of count: Int? = nil, upTo limit: Int, to json: inout JSONWriter
    ) {
        guard let bytes else { return json.null() }
        let count = count ?? bytes.count
        var shown = bytes.prefix(limit)
        if shown.count < bytes.count { shown = shown.prefix(shown.wholeCharacters) }
        json.object { json in
            let isText = shown.firstUTF8Fault == nil
            json.member("encoding", isText ? "utf8" : "base64")
            json.key("data")
            json.string(utf8: isText ? Array(shown) : Base64Text.encode(shown, urlSafe: false))
            json.member("bytes", count)
            json.member("truncated", shown.count < count)
        }
    }
}

extension LayerTrace {
    /// The steps for a terminal: a line each, and below the broken ones their bytes with a caret.
    package var lines: [String] {
        steps.flatMap { step -> [String] in
            let name = step.layer.rawValue
            let title = name + String(repeating: " ", count: max(1, 10 - name.count))
            guard let fault = step.fault, fault.diagnostic.severity != .info else {
                return [title + step.state.rawValue]
            }
            let place = fault.range.map { " at byte \($0.lowerBound)" } ?? ""
            let head = "\(title)\(step.state.rawValue)\(place): \(fault.diagnostic.code)"
            guard let range = fault.range, let input = step.input else { return [head] }
            let excerpts = Excerpts(input, around: range)
            let (before, marked, after) = (
                Self.shown(excerpts.before), Self.shown(excerpts.marked), Self.shown(excerpts.after)
            )
            let caret = String(repeating: "^", count: max(1, marked.count))
            return [
                head, "          \(before)\(marked)\(after)",
                "          \(String(repeating: " ", count: before.count))\(caret)",
            ]
        }
    }

    /// Text on one line, with `|` for each line end.
    private static func shown(_ bytes: [UInt8]) -> String {
        TerminalText.visible(
            String(decoding: bytes.map { $0 == 0x0A ? UInt8(ascii: "|") : $0 }, as: UTF8.self))
    }
}

/// The bytes around a place, and the bytes at it.
struct Excerpts {
    let before: [UInt8]
    let marked: [UInt8]
    let after: [UInt8]
    /// The number of all bytes on each side, of which an excerpt holds the nearest.
    let bytesBefore: Int
    let bytesAfter: Int

    /// Takes up to `Limits.maximumContextBytes` on each side; characters stay whole.
    init(_ bytes: [UInt8], around range: Range<Int>) {
        let lower = bytes.startOfCharacter(at: min(range.lowerBound, bytes.count))
        let upper = bytes.endOfCharacter(at: min(max(range.upperBound, lower), bytes.count))
        let context = Limits.maximumContextBytes
        let first = bytes.endOfCharacter(at: max(0, lower - context))
        let last = bytes.startOfCharacter(at: min(bytes.count, upper + context))
        before = Array(bytes[min(first, lower)..<lower])
        marked = Array(bytes[lower..<upper])
        after = Array(bytes[upper..<max(upper, last)])
        bytesBefore = lower
        bytesAfter = bytes.count - upper
    }
}

extension [UInt8] {
    /// The index of the first byte of the UTF-8 character that `index` is in; `index` itself if it
    /// is in none.
    fileprivate func startOfCharacter(at index: Int) -> Int {
        var start = index
        while start > 0, start < count, index - start < 3, self[start] & 0xC0 == 0x80 { start -= 1 }
        return start < count && self[start] & 0xC0 == 0x80 ? index : start
    }

    /// The index after the UTF-8 character that `index` is in, or `index` if one begins there.
    fileprivate func endOfCharacter(at index: Int) -> Int {
        var end = index
        while end < count, end - index < 3, self[end] & 0xC0 == 0x80 { end += 1 }
        return end < count && self[end] & 0xC0 == 0x80 ? index : end
    }
}

extension ArraySlice<UInt8> {
    /// The number of bytes without a character that is cut off at the end.
    fileprivate var wholeCharacters: Int {
        let tail = suffix(4)
        guard let start = tail.lastIndex(where: { $0 & 0xC0 != 0x80 }), self[start] >= 0xC0 else {
            return count
        }
        return start - startIndex
    }
}
