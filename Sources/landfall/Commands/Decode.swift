// `landfall decode`: what a callback URL says, without a server and without storing it.

import ArgumentParser
import Foundation
import JSONText
import PositionedJSON
import Vendors

struct Decode: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Decode a callback URL: print outcome, value and what is wrong with it.",
        discussion: "Exit code 0 when it could be decoded, 1 when not. Quote the URL: shells take "
            + "& and ? for themselves.")

    @Argument(help: ArgumentHelp("The callback URL, or - to read it from standard input."))
    var url: String

    @Option(help: "Whose callback it is; guessed from the URL otherwise.")
    var vendor: VendorName?

    @Flag(help: "Print one JSON document and nothing else.")
    var json = false

    /// The vendors that decode something.
    enum VendorName: String, ExpressibleByArgument, CaseIterable {
        case dimmy
        case welltory
        case ailet
        case rezolve
    }

    func run() throws {
        let text = url == "-" ? Self.standardInput() : url
        let callback = Callback(target: Array(text.utf8), body: nil)
        let decoding = Self.decode(callback, vendor)
        print(json ? Self.document(decoding) : Self.report(decoding))
        if decoding.value == nil { throw Exit.no }
    }

    private static func standardInput() -> String {
        String(decoding: FileHandle.standardInput.readDataToEndOfFile(), as: UTF8.self)
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Without a name, the vendor is recognised by the parameters.
    private static func decode(_ callback: Callback, _ name: VendorName?) -> Decoding {
        let vendor = name.flatMap { Vendor(rawValue: $0.rawValue) }
        return Decoding(of: callback, from: vendor ?? Vendor(recognizing: callback) ?? .raw)
    }

    private static func document(_ decoding: Decoding) -> String {
        var json = JSONWriter()
        json.object { json in
            json.member("contract", decoding.contract?.rawValue)
            json.member("outcome", decoding.outcome?.rawValue)
            json.member("verdict", decoding.verdict.rawValue)
            json.key("result")
            json.raw(decoding.value ?? Array("null".utf8))
            json.key("diagnostics")
            json.array { json in
                for diagnostic in decoding.diagnostics { diagnostic.write(to: &json) }
            }
        }
        return String(decoding: json.bytes, as: UTF8.self)
    }

    private static func report(_ decoding: Decoding) -> String {
        var lines = [
            "contract  \(decoding.contract?.rawValue ?? "none")",
            "outcome   \(decoding.outcome?.rawValue ?? "none")",
            "verdict   \(decoding.verdict.rawValue)",
        ]
        if decoding.verdict == .unmatched {
            lines.append("No vendor's parameters were recognised: name one with --vendor.")
        }
        if let value = decoding.value {
            lines.append("result    \(String(decoding: value, as: UTF8.self))")
        }
        for diagnostic in decoding.diagnostics {
            let place = diagnostic.pointer ?? diagnostic.offset.map { "byte \($0)" } ?? ""
            lines.append(
                "\(diagnostic.severity.rawValue)  \(diagnostic.layer.rawValue) \(place): expected "
                    + "\(diagnostic.expected), found \(diagnostic.found)"
                    + (diagnostic.hint.map { "\n          \($0)" } ?? ""))
        }
        return lines.joined(separator: "\n")
    }
}
