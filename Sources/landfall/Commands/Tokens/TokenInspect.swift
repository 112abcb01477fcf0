// `landfall token inspect`: reports every error in a token, by stable names.

import ArgumentParser
import Foundation
import JSON
import RezolveSandbox
import Text
import Vendors

struct TokenInspect: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: "Check a token, and report everything that is wrong with it.",
        discussion: """
            The key comes from --key, --key-file or LANDFALL_REZOLVE_KEY.

            Exit code 0 when it is valid, 1 when not, 2 for bad usage, 3 when the key file can't be \
            read.
            """)

    @Argument(help: "The token, with or without Bearer, or - to read it from standard input.")
    var token: String

    @OptionGroup var keys: KeyOptions

    @Option(
        help: ArgumentHelp(
            "The device that a login token must name: x-rezolve-device-id.", valueName: "id"))
    var deviceId: String?

    @OptionGroup var format: JSONOption

    func run() async throws {
        do {
            let inspection = TokenInspection(
                try text(), key: try keys.bytes(), now: try keys.seconds(), device: deviceId)
            try Console.print(format.json ? Self.document(inspection) : report(inspection))
            if !inspection.isValid { throw Exit.no }
        } catch let failure as CommandFailure {
            Console.printError(failure.description)
            throw failure.exitCode
        }
    }

    private func text() throws(CommandFailure) -> [UInt8] {
        var text =
            token == "-" ? String(decoding: try Console.input("-"), as: UTF8.self) : token
        text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        if text.lowercased().hasPrefix("bearer ") {
            text = text.dropFirst(7).trimmingCharacters(in: .whitespaces)
        }
        return Array(text.utf8)
    }

    private static func document(_ inspection: TokenInspection) -> String {
        var json = JSONWriter(reservingCapacity: 512)
        json.object { json in
            json.member("valid", inspection.isValid)
            inspection.writeMembers(to: &json)
        }
        return String(decoding: json.bytes, as: UTF8.self)
    }

    private func report(_ inspection: TokenInspection) throws -> String {
        let style = TerminalStyle()
        let token = inspection.token
        var lines = [
            (inspection.isValid ? style.good("valid") : style.bad("not valid"))
                + ": a \(token.kind.rawValue) token"
        ]
        for (name, part) in [("header", token.header), ("claims", token.claims)] {
            guard let part else { continue }
            let text = String(decoding: part.root.compactText, as: UTF8.self)
            lines.append("\(name)  " + TerminalText.visible(text))
        }
        if let expiry = token.expiry {
            let left = expiry - (try keys.seconds())
            if left > 0, left < 1e9 {
                lines.append("expires in \(Int(left / 60)) min \(Int(left) % 60) s")
            }
        }
        for problem in inspection.problems {
            let place = problem.offset.map { " (byte \($0))" } ?? ""
            lines.append(
                TerminalText.visible("\(problem.code.rawValue)\(place): \(problem.message)"))
        }
        return lines.joined(separator: "\n")
    }
}
