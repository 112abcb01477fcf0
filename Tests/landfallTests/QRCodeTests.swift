// QR codes: what every one of them has (ISO/IEC 18004 §6.3), and that drawings show the same squares.
// That a reader finds the text in them was tried with one; the tests need none.

import Testing

@testable import QRCode

@Suite("QR codes")
struct QRCodeTests {
    @Test(
        "are as small as their text allows (§7.4.10, table 7)",
        arguments: [
            (1, 21), (17, 21), (18, 25), (32, 25), (33, 29), (53, 29), (271, 57), (272, 61),
            (2953, 177),
        ])
    func sizes(bytes: Int, side: Int) throws {
        #expect(try QRCode(String(repeating: "a", count: bytes)).side == side)
    }

    @Test("are refused with a sentence when there is no text or too much")
    func failures() {
        #expect(throws: QRCode.Failure.empty) { try QRCode("") }
        let error = #expect(throws: QRCode.Failure.self) {
            try QRCode(String(repeating: "a", count: 2954))
        }
        #expect(error == .tooLong(bytes: 2954))
        #expect(error?.description.contains("2,953 bytes") == true)
    }

    @Test(
        "have finders in three corners, timing between them and one dark module (§6.3)",
        arguments: ["a", "https://flux.api.optioryx.com/open?flowName=Inbound", "äöü€"])
    func patterns(text: String) throws {
        let code = try QRCode(text)
        let far = code.side - 7
        for (left, top) in [(0, 0), (far, 0), (0, far)] {
            // A finder's rings of 7, 5 and 3 modules, and the separator around it.
            for row in -1...7 {
                for column in -1...7 {
                    let ring = max(abs(row - 3), abs(column - 3))
                    #expect(code.isDark(left + column, top + row) == (ring <= 1 || ring == 3))
                }
            }
        }
        for index in 8..<far {
            #expect(code.isDark(index, 6) == index.isMultiple(of: 2))
            #expect(code.isDark(6, index) == index.isMultiple(of: 2))
        }
        #expect(code.isDark(8, code.side - 8))
        #expect(!code.isDark(-1, 0) && !code.isDark(0, code.side))
    }

    @Test("say in their format that error correction is at the lowest level (§7.9)")
    func format() throws {
        let code = try QRCode("https://welltory.com/action/dds/measurement")
        // The first two bits beside of the upper left finder, without the mask 10: 01 is level L.
        #expect(code.isDark(0, 8) && code.isDark(1, 8))
    }

    @Test("are drawn as SVG with a quiet zone of four")
    func svg() throws {
        let code = try QRCode("https://rzlv.co/2/12/70")
        let svg = code.svg(title: "a<b & c>")
        let width = code.side + 8
        #expect(svg.hasPrefix("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 \(width) "))
        #expect(svg.contains("<title>a&lt;b &amp; c&gt;</title>"))
        let path = try #require(svg.firstMatch(of: /<path d="([^"]*)"/)?.output.1)
        var drawn = Set<[Int]>()
        for run in path.matches(of: /M(\d+) (\d+)h(\d+)v1h-(\d+)z/) {
            let numbers = [run.output.1, run.output.2, run.output.3].compactMap { Int($0) }
            for column in 0..<numbers[2] { drawn.insert([numbers[0] + column, numbers[1]]) }
        }
        for row in 0..<width {
            for column in 0..<width {
                #expect(drawn.contains([column, row]) == code.isDark(column - 4, row - 4))
            }
        }
    }

    @Test("are drawn in half blocks with a quiet zone of four", arguments: [false, true])
    func terminal(isColored: Bool) throws {
        let code = try QRCode("https://rzlv.co/2/12/70")
        let text = code.terminal(isColored: isColored).replacing(/\u{1B}\[[0-9;]*m/, with: "")
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        let width = code.side + 8
        #expect(lines.count == (width + 1) / 2)
        #expect(lines.allSatisfy { $0.count == width })
        for (index, line) in lines.enumerated() {
            for (column, character) in line.enumerated() {
                let (upper, lower) = (2 * index - 4, 2 * index - 3)
                #expect("█▀".contains(character) == !code.isDark(column - 4, upper))
                if 2 * index + 1 < width {
                    #expect("█▄".contains(character) == !code.isDark(column - 4, lower))
                }
            }
        }
    }
}
