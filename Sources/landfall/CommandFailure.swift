// Why a command failed: a sentence for people, a document for programs, an exit code.

import ArgumentParser
import Foundation
import HTTPClient
import JSON
import Text

/// Why a command failed, and how it ends.
struct CommandFailure: Error, CustomStringConvertible {
    /// One or more lines, without a line end.
    let description: String
    let exitCode: ExitCode
    /// What `--json` prints: a problem document (RFC 9457).
    let document: [UInt8]

    private init(_ description: String, _ exitCode: ExitCode, document: [UInt8]) {
        self.description = description
        self.exitCode = exitCode
        self.document = document
    }

    /// The environment prevents it.
    init(_ sentence: String) { self.init(sentence, "environment", Exit.environment) }

    /// The answer is no.
    init(no sentence: String) { self.init(sentence, "refused", Exit.no) }

    /// The arguments are invalid.
    init(usage sentence: String) { self.init(sentence, "usage", Exit.badUsage) }

    private init(_ sentence: String, _ kind: String, _ exitCode: ExitCode) {
        let body = JSONWriter.object { json in
            json.member("type", "urn:landfall:problem:\(kind)")
            json.member("detail", sentence)
        }
        self.init(sentence, exitCode, document: body)
    }

    /// What `work` returns; its error is why the environment prevents it.
    static func environment<Value>(
        _ work: () throws -> Value
    ) throws(CommandFailure) -> Value {
        do {
            return try work()
        } catch {
            throw CommandFailure("\(error)")
        }
    }

    /// A failure that was already reported.
    static func exit(_ code: ExitCode) -> CommandFailure {
        CommandFailure("", code, document: [])
    }

    /// Reports the failure, unless it was already: the sentence on standard error, and with `--json`
    /// the document on standard output.
    func report(asJSON isJSON: Bool) {
        if !description.isEmpty { Console.printError(description) }
        if isJSON, !document.isEmpty { try? Console.write(document + [UInt8(ascii: "\n")]) }
    }

    /// The problem document of a refused query, with a caret under the position of an error.
    init(_ answer: ClientResponse, _ query: CommandQuery) {
        self.init(answer, parameters: query.parameters)
    }

    /// The same for a request without a query, or with these parameters.
    init(_ answer: ClientResponse, parameters: [(name: String, value: String)] = []) {
        guard let root = try? JSONDocument(parsing: answer.body).root,
            let kind = root["type"]?.string?.split(separator: ":").last,
            let detail = root["detail"]?.string
        else {
            let place = answer.head["location"].map { " to " + RequestPlace.shown($0) } ?? ""
            let sentence =
                switch answer.status {
                case 200...299:
                    "The response isn't Landfall's: another program answers there, such as a proxy "
                        + "that asks for a login."
                case 300...399:
                    "The server redirects\(TerminalText.visible(place)): name that server with "
                        + "--server, and its authority with --ca."
                default: "The server responded with status \(answer.status) and no problem details."
                }
            self.init(sentence)
            return
        }
        var lines = Self.findings(root, parameters)
        if kind == "unknown-result" {
            lines = [
                "There is no such result; \"landfall results list --kind any\" lists what there is."
            ]
        } else if kind == "unauthorized" {
            // The server's sentence names a header field, which commands don't take.
            lines = [
                "Give the server's token, from its configuration or as it was printed at the start: "
                    + "--token, LANDFALL_TOKEN, or the file that LANDFALL_TOKEN_FILE names."
            ]
        }
        if lines.isEmpty { lines = [detail] }
        if let nearest = root["nearest"] { lines += Self.misses(nearest) }
        let exitCode =
            if Self.negativeResults.contains(String(kind)) {
                Exit.no
            } else if [400, 414].contains(answer.status) || kind == "unknown-rule" {
                Exit.badUsage
            } else {
                Exit.environment
            }
        let text = lines.map { TerminalText.visible($0) }.joined(separator: "\n")
        self.init(text, exitCode, document: answer.body)
    }

    /// The errors in the parameters, each with its position in the value.
    private static func findings(
        _ root: JSONNode, _ parameters: [(name: String, value: String)]
    ) -> [String] {
        var lines: [String] = []
        for finding in root["errors"].map({ Array($0.elements) }) ?? [] {
            guard let name = finding["name"]?.string, let text = finding["detail"]?.string else {
                continue
            }
            lines.append(name == "q" ? text : "\(name): \(text)")
            let value = parameters.first { $0.name == name }?.value
            if let value, let position = finding["position"]?.int {
                lines += Self.pointer(to: position, in: value)
            }
        }
        return lines
    }

    /// Problems that are results of a query rather than refusals.
    private static let negativeResults: Set = [
        "unknown-result", "wait-timed-out", "result-came", "not-a-stray", "idempotency-key-reused",
    ]

    /// The text, and below it a caret at a position.
    private static func pointer(to position: Int, in text: String) -> [String] {
        let column = min(max(position, 0), text.unicodeScalars.count)
        return ["  " + text, "  " + String(repeating: " ", count: column) + "^"]
    }

    /// The results that nearly matched, and what each lacks.
    private static func misses(_ nearest: JSONNode) -> [String] {
        var lines: [String] = []
        for record in nearest.elements {
            guard let id = record["id"]?.string, let misses = record["misses"] else { continue }
            let texts = misses.elements.map { miss in
                text(ofMiss: miss["condition"]?.string ?? "", found: miss["found"]?.string)
            }
            lines.append("  \(id): \(texts.joined(separator: "; "))")
        }
        return lines.isEmpty ? [] : ["The nearest ones, and what they lack:"] + lines
    }

    /// What a record has where a condition asks for something else, such as `inbox is a, not b`.
    static func text(ofMiss condition: String, found: String?) -> String {
        let parts = condition.split(separator: ":", maxSplits: 1)
        // Other conditions have no single field, or no value of it.
        guard parts.count == 2, parts[0] != "has",
            !parts[0].contains(where: { " \"(".contains($0) }),
            parts[1].hasPrefix("(") || !parts[1].contains(" ")
        else { return "doesn't match \(condition)" + (found.map { ", has \($0)" } ?? "") }
        guard let found else { return "\(parts[0]) is missing; it should be \(parts[1])" }
        return "\(parts[0]) is \(found), not \(parts[1])"
    }
}
