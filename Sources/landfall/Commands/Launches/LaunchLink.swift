// `landfall launch <vendor> key=value…`: prints a launch link, its flow and its QR code. Invariant:
// standard output holds the requested output only; warnings go to standard error.

import ArgumentParser
import Foundation
import QRCode
import Text
import Vendors

extension LaunchCommand {
    struct Link: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print a launch link in the vendor's own form.",
            discussion: LaunchCommand.discussion)

        @Argument(
            help: "\(Vendor.launchableNames), or the name of a contract.",
            completion: .list(Contract.launchingNames))
        var vendor: String

        @Argument(help: ArgumentHelp("The link's parameters.", valueName: "key=value"))
        var pairs: [String] = []

        @Option(
            help: "The contract, if the vendor has several: flux or dimmy-2024.",
            completion: .list(Contract.launchable.map(\.rawValue)))
        var contract: String?

        @Option(
            help: ArgumentHelp(
                "The callback; for ailet a scheme. The same as the key, and of x-callback-url all "
                    + "three URLs.", valueName: "url")
        )
        var callback: String?

        @Option(
            help: ArgumentHelp(
                "The form of Welltory's link.", valueName: "link|android|play-store"))
        var form: Launch.Form = .link

        @Option(
            defaultAsFlag: "", parsing: .next,
            help: ArgumentHelp(
                "Put the id of a flow into the callback: this one, or a new one.", valueName: "id"))
        var flow: String?

        @Option(
            help: ArgumentHelp(
                "The running server that makes the flow and waits for the callback.",
                valueName: "url"))
        var server: String?

        @Option(help: ArgumentHelp("The inbox for the callback, at the server.", valueName: "name"))
        var inbox: String?

        @OptionGroup var access: ServerAccessOptions

        @Option(
            defaultAsFlag: "", parsing: .next,
            help: ArgumentHelp(
                "Print a QR code of the link too, or its SVG image instead.",
                valueName: "terminal|svg"))
        var qr: String?

        @Option(
            name: .shortAndLong,
            help: ArgumentHelp(
                "Write the QR code, or else the link, into a file.", valueName: "file"),
            completion: .file())
        var output: String?

        @OptionGroup var format: JSONOption

        /// How a QR code is drawn.
        enum Drawing: String, CaseIterable {
            case terminal
            case svg
        }

        func validate() throws { try server?.requireServer("--server") }

        func run() async throws {
            let request = try LaunchRequest(self)
            let drawing = try drawing()
            let made = try await request.make()
            let phone = drawing == nil ? nil : made.phoneWarning
            for warning in made.warnings + [phone].compactMap(\.self) {
                Console.printError(warning)
            }
            try write(made, drawing)
        }

        /// Includes pairs that the parser took as option values: neither an id nor a drawing
        /// contains `=`.
        var allPairs: [String] {
            pairs + [flow, qr].compactMap(\.self).filter { $0.contains("=") }
        }

        private func drawing() throws(CommandFailure) -> Drawing? {
            guard let qr else { return nil }
            let name = qr.isEmpty || qr.contains("=") ? nil : qr
            let isSVG = output?.lowercased().hasSuffix(".svg") ?? false
            guard let drawing = Drawing(rawValue: name ?? (isSVG ? "svg" : "terminal")) else {
                throw CommandFailure(usage: "--qr is terminal or svg.")
            }
            if format.json, output == nil {
                throw CommandFailure(usage: "--qr with --json needs a file: -o FILE.")
            }
            return drawing
        }

        private func write(_ made: MadeLaunch, _ drawing: Drawing?) throws(CommandFailure) {
            let url = made.url
            var picture = ""
            if let drawing {
                let code: QRCode
                do throws(QRCode.Failure) {
                    code = try QRCode(url)
                } catch {
                    throw CommandFailure(usage: error.description)
                }
                let isColored = output == nil && TerminalStyle().isColored
                picture =
                    drawing == .svg
                    ? code.svg(title: "Launch link") : code.terminal(isColored: isColored)
            }
            if let output {
                try Self.write(drawing == nil ? url + "\n" : picture, to: output)
            }
            if format.json {
                try Console.write(made.document + [UInt8(ascii: "\n")])
            } else if output != nil || drawing != .svg {
                try Console.print(url)
            }
            if output == nil, drawing != nil { try Console.write(Array(picture.utf8)) }
        }

        private static func write(_ text: String, to path: String) throws(CommandFailure) {
            do {
                try Data(text.utf8).write(to: URL(filePath: path))
            } catch {
                throw CommandFailure("\(path) can't be written.")
            }
        }
    }
}

extension Launch.Form: ExpressibleByArgument {}
