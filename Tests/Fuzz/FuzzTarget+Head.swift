// Heads of requests: what a head is must not depend on how it came in, and what was read must be all
// that is needed to write the same request again.

@testable import HTTP1

extension FuzzTarget {
    /// What a parser made of a head, in a form that can be compared.
    private struct Reading: Equatable {
        var refusal: Refusal?
        var size: Int?
        var bytes: [UInt8]?
        var meaning: Meaning?
        var isHead = false
    }

    /// What a request asks for, without its bytes.
    private struct Meaning: Equatable {
        let method: Request.Method
        let minorVersion: Int
        let target: ArraySlice<UInt8>
        let path: ArraySlice<UInt8>
        let query: ArraySlice<UInt8>?
        let host: String
        let framing: Request.Framing
        let coding: Request.ContentCoding
        let keepsAlive: Bool
        let expectsContinue: Bool
        let fields: [[UInt8]]

        init(_ request: Request) {
            method = request.method
            minorVersion = request.minorVersion
            target = request.target
            path = request.path
            query = request.query
            host = request.host
            framing = request.framing
            coding = request.contentCoding
            keepsAlive = request.keepsAlive
            expectsContinue = request.expectsContinue
            fields = request.fieldLines.flatMap { [Array($0.name), Array($0.value)] }
        }
    }

    static func checkHead(_ bytes: [UInt8]) {
        var choices = Choices(bytes)
        // Small ones are met by inputs of a size that is worth trying.
        var limits = Limits()
        if choices.below(2) == 0 {
            limits.targetBytes = 100
            limits.fieldSectionBytes = 200
            limits.fieldCount = 8
        }
        let whole = reading(bytes, cuts: [], limits)
        let cuts = choices.cuts(of: bytes)
        expect(reading(bytes, cuts: cuts, limits) == whole, "cut at \(cuts)")
        expect(reading(bytes, cuts: Array(bytes.indices), limits) == whole, "byte by byte")
        guard let size = whole.size, let head = whole.bytes, let meaning = whole.meaning else {
            return
        }
        expect(bytes[..<size].suffix(head.count).elementsEqual(head), "other bytes than came")
        expect(bytes[..<(size - head.count)].allSatisfy { $0 == 0x0D || $0 == 0x0A }, "a lost line")
        // A new parser sees the same in the head alone, and in what is written of its parts.
        let again = reading(head, cuts: [], limits)
        expect(again.size == head.count && again.meaning == meaning, "the head alone is another")
        let rewritten = reading(written(meaning), cuts: [], Limits())
        expect(rewritten.meaning == meaning, "written again it is another request")
        expect(whole.isHead == (meaning.method == .head), "HEAD is not told apart")
        checkParts(meaning)
    }

    private static func checkParts(_ meaning: Meaning) {
        expect(!meaning.path.contains(UInt8(ascii: "?")), "a path with a query")
        expect(
            meaning.path.first == UInt8(ascii: "/") || meaning.path.elementsEqual("*".utf8)
                || meaning.method == .connect, "a path without a root")
        expect(
            meaning.host.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !(0x41...0x5A ~= $0) },
            "a host that is none")
        if case .length(let length) = meaning.framing { expect(length > 0, "an empty body") }
        for octet in meaning.target { expect(octet > 0x20 && octet < 0x7F, "a target with blanks") }
        for part in meaning.fields {
            expect(!part.contains { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }, "a control in a field")
        }
    }

    private static func written(_ meaning: Meaning) -> [UInt8] {
        var head = Array("\(meaning.method.rawValue) ".utf8) + meaning.target
        head += Array(" HTTP/1.\(meaning.minorVersion)\r\n".utf8)
        for index in stride(from: 0, to: meaning.fields.count, by: 2) {
            head += meaning.fields[index] + Array(": ".utf8) + meaning.fields[index + 1]
            head += [0x0D, 0x0A]
        }
        return head + [0x0D, 0x0A]
    }

    private static func reading(_ bytes: [UInt8], cuts: [Int], _ limits: Limits) -> Reading {
        var parser = HeadParser(limits: limits)
        for end in cuts + [bytes.count] {
            switch parser.parse(bytes.span.extracting(0..<end)) {
            case .incomplete: continue
            case .refused(let refusal): return Reading(refusal: refusal)
            case .done(let request, let size):
                return Reading(
                    size: size, bytes: request.bytes, meaning: Meaning(request),
                    isHead: parser.isHead(bytes.span.extracting(0..<end)))
            }
        }
        return Reading()
    }
}
