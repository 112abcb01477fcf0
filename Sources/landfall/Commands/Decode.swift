// `landfall decode`: decodes a callback without a server and without storing it.

import ArgumentParser
import Foundation
import JSON
import ResultAPI
import Text
import Vendors

struct Decode: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Decode a callback: print its outcome, value and diagnostics.",
        discussion: """
            The callback is a whole URL, its parameters alone, or the JSON body that was posted. Quote \
            it: & and ? are special to shells.

            EXAMPLES
              landfall decode 'https://www.yourapp.com/dds/?stress=0.32&energy=0.75'
              landfall decode --vendor ailet '{"status":"IR_RESULT_OK","visit_id":"7"}'

            Exit code 0 when it could be decoded, 1 when not.
            """)

    @Argument(
        help: ArgumentHelp(
            "The callback, or - to read it from standard input.", valueName: "callback"))
    var text: String

    @Option(help: "The vendor; guessed from the parameters otherwise.")
    var vendor: VendorName?

    @Option(
        help: ArgumentHelp(
            "The expected contract, for vendors that have several: dimmy-2024, flux, …",
            valueName: "contract"))
    var contract: Contract?

    @OptionGroup var format: JSONOption

    /// A vendor that has contracts, by any of its names.
    struct VendorName: ExpressibleByArgument {
        let rawValue: String
        let vendor: Vendor

        static let allValueStrings = Vendor.names.filter { $0 != Vendor.raw.rawValue }
        static let defaultCompletionKind = CompletionKind.list(allValueStrings)

        init?(argument name: String) {
            guard Self.allValueStrings.contains(name), let vendor = Vendor(rawValue: name) else {
                return nil
            }
            self.rawValue = name
            self.vendor = vendor
        }
    }

    func validate() throws {
        if let vendor, let contract, contract.vendor != vendor.vendor {
            throw ValidationError("\(contract.rawValue) is not a contract of \(vendor.rawValue).")
        }
    }

    func run() throws {
        let text =
            text == "-"
            ? String(decoding: try Console.input("-"), as: UTF8.self) : text
        guard let pasted = PastedCallback(text, vendor: vendor?.vendor, contract: contract) else {
            throw ValidationError("Expected one line: give one callback at a time.")
        }
        let decoding = pasted.decoding
        let layers = pasted.layers
        try Console.print(
            format.json ? Self.document(decoding, layers) : Self.report(decoding, layers))
        if decoding.value == nil { throw Exit.no }
    }

    private static func document(_ decoding: Decoding, _ layers: LayerTrace) -> String {
        var json = JSONWriter()
        decoding.writeDocument(with: layers, to: &json)
        return String(decoding: json.bytes, as: UTF8.self)
    }

    private static func report(_ decoding: Decoding, _ layers: LayerTrace) -> String {
        var lines = [
            "contract  \(decoding.contract?.rawValue ?? "none")",
            "outcome   \(decoding.outcome?.rawValue ?? "none")",
            "verdict   \(decoding.verdict.rawValue)",
        ]
        if let value = decoding.value {
            lines.append("result    \(String(decoding: value, as: UTF8.self))")
        }
        for diagnostic in decoding.diagnostics {
            let place = [diagnostic.pointer, diagnostic.offset.map { "at byte \($0)" }]
                .compactMap { $0 }.filter { !$0.isEmpty }
            lines.append(
                ([diagnostic.severity.rawValue + " ", diagnostic.layer.rawValue] + place)
                    .joined(separator: " ")
                    + ": expected \(diagnostic.expected), found \(diagnostic.found)")
            if let hint = diagnostic.hint { lines.append("          \(hint)") }
        }
        if !decoding.diagnostics.isEmpty { lines += layers.lines }
        return lines.map(TerminalText.visible).joined(separator: "\n")
    }
}

extension Contract: ExpressibleByArgument {}
