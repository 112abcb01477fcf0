// Reading the gzip format (RFC 1952): whole, in pieces, cut short, with something behind, and with
// every bit of it changed.

import Testing

@testable import Gzip

struct InflaterTests {
    @Test("what gzip wrote is read, in pieces of any size", arguments: GzipCase.all)
    func reads(_ gzip: GzipCase) {
        #expect(Inflation(gzip.bytes).content == gzip.content)
        for pieces in [1, 2, 3, 7, 64, .max] {
            let inflation = Inflation(gzip.bytes, pieces: pieces)
            #expect(inflation.content == gzip.content, "in pieces of \(pieces)")
            #expect(inflation.error == nil, "in pieces of \(pieces)")
        }
    }

    @Test("content is appended behind what is there, and empty pieces change nothing")
    func appends() throws {
        var output = Array("before ".utf8)
        var inflater = Inflater(limit: 3)
        try inflater.inflate([], into: &output)
        try inflater.inflate(GzipCase.abc.bytes, into: &output)
        try inflater.inflate([], into: &output)
        try inflater.finish()
        #expect(output == Array("before abc".utf8))
    }

    @Test("RFC 1952 §2.2: cut at any byte, the content is truncated", arguments: GzipCase.single)
    func truncated(_ gzip: GzipCase) {
        for count in gzip.bytes.indices {
            let inflation = Inflation(Array(gzip.bytes[..<count]))
            #expect(inflation.error == .truncated, "cut at \(count)")
            #expect(gzip.content.starts(with: inflation.content))
        }
    }

    @Test("RFC 1952 §2.2: cut between members, what came is whole; anywhere else it is truncated")
    func truncatedMembers() {
        let members = GzipCase.single
        var end = 0
        let ends = Set(
            members.map { member in
                end += member.bytes.count
                return end
            })
        let bytes = members.flatMap(\.bytes)
        for count in bytes.indices {
            let error = Inflation(Array(bytes[..<count])).error
            #expect(error == (ends.contains(count) ? nil : .truncated), "cut at \(count)")
        }
    }

    @Test(
        "RFC 1952 §2.3.1: what is behind a member is another one, or malformed",
        arguments: [
            // zlib looks at two bytes at a time: of one, it can't say that it begins no member.
            ("00", .truncated), ("0a", .truncated), ("0000", .malformed), ("0d0a", .malformed),
            ("000000000000000000", .malformed), ("78da", .malformed), ("1f", .truncated),
            ("1f8b", .truncated), ("1f8b08", .truncated),
            ("1f00", .malformed), ("1f8c", .malformed), ("1f8b0700", .malformed),
            ("1f8b0880", .malformed), ("8b1f", .malformed),
        ] as [(String, GzipError)])
    func trailing(_ garbage: String, _ error: GzipError) {
        let bytes = GzipCase.abc.bytes + GzipCase.bytes(garbage)
        for pieces in [1, GzipCase.abc.bytes.count, .max] {
            let inflation = Inflation(bytes, pieces: pieces)
            #expect(inflation.error == error)
            #expect(inflation.content == Array("abc".utf8))
        }
    }

    @Test(
        "what isn't in the gzip format is malformed",
        arguments: [
            // Plain text, the zlib format, bare deflate, bzip2, zstd.
            "7b226122 3a317d", "789c4b4c4a0600024d0127", "4b4c4a0600", "425a6839", "28b52ffd",
            // Another method, flags that are reserved, a header checksum that is wrong.
            "1f8b07", "1f8b09", "1f8b0820", "1f8b0840", "1f8b0880", "1f8b0802 010203040003 50f1",
            // A block of no known kind, a stored one whose lengths differ, a distance too far.
            "1f8b0800000000000003 07", "1f8b0800000000000003 010f00f0fe",
            "1f8b0800000000000003 4b04020000",
            "00", "20", "0d0a",
        ])
    func malformed(_ hexadecimal: String) {
        let bytes = GzipCase.bytes(hexadecimal) + [UInt8](repeating: 0, count: 40)
        #expect(Inflation(bytes).error == .malformed)
        #expect(Inflation(bytes, pieces: 1).error == .malformed)
    }

    @Test("RFC 1952 §2.3.1: checksum and length of each member are checked")
    func checksums() {
        let bytes = GzipCase.abc.bytes
        for index in bytes.indices.suffix(8) {
            for bit in UInt8(0)..<8 {
                var damaged = bytes
                damaged[index] ^= 1 << bit
                #expect(Inflation(damaged).error == .malformed)
                #expect(Inflation(damaged + bytes).error == .malformed)
                #expect(Inflation(bytes + damaged).error == .malformed)
            }
        }
    }

    @Test("no changed bit makes another content of it", arguments: GzipCase.all)
    func changedBits(_ gzip: GzipCase) {
        for index in gzip.bytes.indices {
            for bit in UInt8(0)..<8 {
                var damaged = gzip.bytes
                damaged[index] ^= 1 << bit
                let inflation = Inflation(damaged)
                // Times, names and comments may be anything.
                #expect(inflation.error != nil || inflation.content == gzip.content)
            }
        }
    }

    @Test("RFC 9110 §8.4.1.3: nothing at all is no member")
    func nothing() {
        #expect(Inflation([]).error == .truncated)
    }

    @Test("an error is the same when it is asked for again, and nothing more is inflated")
    func errorsStay() {
        var inflater = Inflater(limit: 2)
        var output: [UInt8] = []
        for _ in 0..<3 {
            #expect(throws: GzipError.tooLarge) {
                try inflater.inflate(GzipCase.abc.bytes, into: &output)
            }
            #expect(throws: GzipError.tooLarge) { try inflater.finish() }
        }
        #expect(output == Array("ab".utf8))
    }

    @Test("content that ended too early can't be continued")
    func finishIsFinal() throws {
        var inflater = Inflater(limit: 100)
        var output: [UInt8] = []
        try inflater.inflate(Array(GzipCase.abc.bytes.dropLast()), into: &output)
        #expect(throws: GzipError.truncated) { try inflater.finish() }
        #expect(throws: GzipError.truncated) { try inflater.inflate([0], into: &output) }
    }
}
