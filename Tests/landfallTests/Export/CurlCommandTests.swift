// Commands that send a record again: their text, and what a shell makes of it.

import Foundation
import JSON
import Mutations
import Testing

@testable import LinkHosting
@testable import ResultAPI
@testable import Text

@Suite struct CurlCommandTests {
    private func command(_ record: SampleRecord, to base: String? = nil) throws -> String {
        try #require(CurlCommand(record.text, to: base)).text
    }

    /// What a shell that has another `curl` writes: each argument and a NUL, then what it reads.
    private func run(_ command: String) throws -> [UInt8] {
        let script = """
            curl() { for word; do printf '%s\\0' "$word"; case $word in @-) cat;; esac; done; }
            \(command)
            """
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try Data(script.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = [file.path]
        process.standardInput = FileHandle.nullDevice
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let octets = [UInt8](output.fileHandleForReading.readDataToEndOfFile())
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        return octets
    }

    private func arguments(_ command: String) throws -> [String] {
        try run(command).split(separator: 0, omittingEmptySubsequences: false).dropLast()
            .map { String(decoding: $0, as: UTF8.self) }
    }

    @Test func commandOfAGetIsReadable() throws {
        #expect(
            try command(SampleRecord()) == """
                curl --http1.1 --path-as-is --globoff --request 'GET' \\
                  --header 'Host: www.yourapp.com' \\
                  --header 'User-Agent:' \\
                  --header 'Accept:' \\
                  'https://www.yourapp.com/dds/?stress=0.32'

                """)
    }

    @Test func anotherServerGetsTheRecordedHost() throws {
        for base in ["http://127.0.0.1:8080", "http://127.0.0.1:8080/"] {
            let command = try command(SampleRecord(), to: base)
            #expect(command.contains("'Host: www.yourapp.com'"))
            #expect(command.hasSuffix("'http://127.0.0.1:8080/dds/?stress=0.32'\n"))
        }
    }

    @Test(
        arguments: [
            [["Host", "h"], ["X-B", "1"], ["x-a", "2"], ["X-B", "3"]],
            [["Host", "h"], ["X-Quote", "it's $HOME `id` \"a\" \\ !"], ["X-'", "1"]],
            [["Host", "h"], ["User-Agent", "u"], ["Accept", "*/*"], ["X-Empty", ""]],
        ])
    func fieldLinesKeepTheirOrderCaseAndRepeats(lines: [[String]]) throws {
        let record = SampleRecord().with([:], request: ["headers": SampleRecord.json(lines)])
        let words = try arguments(try command(record))
        let sent = words.indices.filter { words[$0] == "--header" }.map { words[$0 + 1] }
        let expected = lines.map { $0[1].isEmpty ? $0[0] + ";" : "\($0[0]): \($0[1])" }
        #expect(Array(sent.prefix(lines.count)) == expected)
    }

    @Test(
        arguments: [
            ([], "", ["Host:", "User-Agent:", "Accept:"]),
            ([["host", "h"], ["ACCEPT", "a"]], "", ["User-Agent:"]),
            ([], "a", ["Host:", "User-Agent:", "Accept:", "Content-Type:", "Expect:"]),
            (
                [["Host", "h"], ["User-Agent", "u"], ["Accept", ""], ["Content-Type", "t"]], "a",
                ["Expect:"]
            ),
        ])
    func linesThatTheRecordLacksAreTakenFromCurl(
        lines: [[String]], body: String, removed: [String]
    ) throws {
        let words = try arguments(try command(SampleRecord().with(body: body, headers: lines)))
        #expect(words.filter { $0.hasSuffix(":") } == removed)
    }

    @Test(
        "RFC 9112 §6.2: the length is the one of the body that is sent",
        arguments: [
            ([["Content-Length", "9"]], "abc", ["Content-Length: 3"]),
            ([["content-length", "3"], ["X", "1"]], "abc", ["content-length: 3", "X: 1"]),
            ([["Transfer-Encoding", "chunked"]], "abc", ["Content-Length: 3"]),
            ([["Transfer-Encoding", "chunked"]], "", ["Content-Length: 0"]),
            (
                [["Transfer-Encoding", "chunked"], ["Content-Length", "1"]], "ü",
                ["Content-Length: 2"]
            ),
            ([["Content-Encoding", "gzip"]], "abc", ["Content-Encoding: gzip"]),
        ])
    func lengthIsThatOfTheBody(lines: [[String]], body: String, sent: [String]) throws {
        let words = try arguments(try command(SampleRecord().with(body: body, headers: lines)))
        #expect(words.filter { $0.contains(": ") } == sent)
    }

    @Test func inflatedBodyGoesWithoutItsCoding() throws {
        let record = SampleRecord().with(
            [:],
            request: [
                "headers": #"[["Content-Encoding","gzip"],["Content-Length","70"]]"#,
                "body": #"{"encoding":"utf8","data":"abc","content_coding":"gzip"}"#,
            ])
        let words = try arguments(try command(record))
        #expect(words.filter { $0.contains(": ") } == ["Content-Length: 3"])
        #expect(words.contains("abc"))
    }

    @Test(
        arguments: [
            "a=1&b=2", "@/etc/passwd", "-d", "it's", "''", "$(id)`id`\\\"", "a\nb\n", "%s%d\\n",
            "grüße 😀", " ", "!!", "~", String(repeating: "x", count: 65_536),
        ])
    func textIsAnArgumentThatTheShellLeavesAlone(body: String) throws {
        let words = try arguments(try command(SampleRecord().with(body: body)))
        let index = try #require(words.firstIndex(of: "--data-raw"))
        #expect(words[index + 1] == body)
    }

    @Test(
        arguments: [
            "a\0b", "\u{1B}[31m", "a\r\n", "a\tb", "\u{9B}1m", "\u{202E}", "\u{2028}", "\u{7F}",
            String(repeating: "x", count: 65_537),
        ])
    func whatATerminalWouldActUponGoesAroundIt(body: String) throws {
        let command = try command(SampleRecord().with(body: body))
        #expect(command.hasPrefix("printf '%s' '\(Data(body.utf8).base64EncodedString())' | "))
        #expect(try run(command).firstRange(of: Array("@-\0".utf8) + Array(body.utf8)) != nil)
    }

    @Test func everyOctetArrives() throws {
        let octets = (0...255).map { UInt8($0) }
        let body = #"{"encoding":"base64","data":"\#(Data(octets).base64EncodedString())"}"#
        let command = try command(SampleRecord().with([:], request: ["body": body]))
        #expect(try run(command).firstRange(of: Array("@-\0".utf8) + octets) != nil)
    }

    @Test(
        arguments: [
            ("/a/../b/./%2e//c?x=y", "'http://h/a/../b/./%2e//c?x=y'"), ("//a", "'http://h//a'"),
            ("/it's", #"'http://h/it'\''s'"#), ("/a?", "--request-target '/a?' \\\n  'http://h/'"),
            ("/?{a}[1-9]", "--request-target '/?{a}[1-9]' \\\n  'http://h/'"),
            ("*", "--request-target '*' \\\n  'http://h/'"),
            ("http://x/y", "--request-target 'http://x/y' \\\n  'http://h/'"),
        ])
    func targetThatCurlWouldChangeStandsBesideTheURL(target: String, end: String) throws {
        let record = SampleRecord().with([:], request: ["target": SampleRecord.json(target)])
        #expect(try command(record, to: "http://h").hasSuffix("\\\n  \(end)\n"))
    }

    @Test(
        arguments: [
            ("HEAD", "1.1", "", "--http1.1 --path-as-is --globoff --head \\"),
            ("HEAD", "1.1", "a", "--http1.1 --path-as-is --globoff --request 'HEAD' \\"),
            ("GET", "1.0", "a", "--http1.0 --path-as-is --globoff --request 'GET' \\"),
            ("a'b", "1.1", "", #"--http1.1 --path-as-is --globoff --request 'a'\''b' \"#),
        ])
    func methodAndVersionAreThoseOfTheRecord(
        method: String, version: String, body: String, options: String
    ) throws {
        let record = SampleRecord().with(body: body).with(
            [:],
            request: [
                "method": SampleRecord.json(method), "version": SampleRecord.json(version),
            ])
        #expect(try command(record).hasPrefix("curl \(options)\n"))
    }

    @Test(
        arguments: [
            ["method": #""""#], ["method": #""a b""#], ["scheme": #""file""#],
            ["target": #""/a b""#], ["target": #""""#], ["target": #""/\u0000""#], ["host": #""""#],
            ["host": #""a b""#],
            ["headers": #"[["@/etc/passwd","x"]]"#], ["headers": #"[["","x"]]"#],
            ["headers": #"[["a","x\r\nb: c"]]"#], ["headers": #"[["a","x\u0000"]]"#],
            ["headers": #"[["a"," x"]]"#], ["headers": #"[["a;","x"]]"#], ["headers": "[1]"],
        ] as [[String: String]])
    func whatCannotBeSentIsNoCommand(members: [String: String]) {
        let record = SampleRecord().with([:], request: members.mapValues { $0 })
        #expect(CurlCommand(record.text, to: nil) == nil)
    }

    @Test func noTextEndsAQuotedWord() throws {
        var generator = SeededGenerator(seed: 7)
        let alphabet = Array("'\"\\$`!;&|<>()*?[]{}~# \t\n\r\u{1B}aü😀%-@")
        for _ in 0..<50 {
            let text = String(
                (0..<generator.below(20)).map { _ in
                    alphabet[generator.below(alphabet.count)]
                })
            let word = try #require(ShellQuoting.word(text))
            #expect(try arguments("curl " + word) == [text])
        }
        #expect(ShellQuoting.word("a\0") == nil)
    }
}
