// `landfall results redecode`: decodes stored requests with the current decoders.

import ArgumentParser
import JSON
import Text

extension Results {
    struct Redecode: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Decode stored requests again, and report what would change.",
            discussion: """
                Nothing is changed without --apply; with it, each new decoding is stored as a further \
                line of the same id, which replaces the old one in responses. The old line stays \
                unchanged.

                Exit code 0 when nothing changes or the changes were applied, 1 when something would \
                change.
                """)

        @OptionGroup var source: SourceOptions

        @Option(help: "Only results of this vendor.")
        var vendor: Decode.VendorName?

        @Flag(help: "Store the new decodings.")
        var apply = false

        func run() async throws {
            try await source.run { source async throws(CommandFailure) in
                var query = CommandQuery(.redecode, method: .post)
                query.set("vendor", vendor?.rawValue)
                query.set("apply", apply ? "true" : nil)
                query.milliseconds = 3_600_000
                let body = try await source.answer(to: query).body
                guard let root = try? JSONDocument(parsing: body).root,
                    let changed = root["changed"]?.int
                else { throw CommandFailure("The report can't be read.") }
                if self.source.json {
                    try Console.write(body + [UInt8(ascii: "\n")])
                } else {
                    try Console.print(Self.table(root))
                }
                return changed == 0 || apply ? .success : Exit.no
            }
        }

        /// One line for each change, in columns, and a summary.
        private static func table(_ report: JSONNode) -> String {
            var rows = [["SEQ", "ID", "VENDOR", "PLACE", "OLD", "NEW"]]
            for result in report["results"].map({ Array($0.elements) }) ?? [] {
                for change in result["changes"].map({ Array($0.elements) }) ?? [] {
                    rows.append(
                        [
                            "\(result["seq"]?.int ?? 0)", result["id"]?.string ?? "",
                            result["vendor"]?.string ?? "", change["place"]?.string ?? "",
                            change["old"]?.string ?? "-", change["new"]?.string ?? "-",
                        ].map { TerminalText.visible($0) })
                }
            }
            var lines: [String] = []
            if rows.count > 1 { lines.append(TextTable.text(of: rows)) }
            func number(_ name: String) -> Int { report[name]?.int ?? 0 }
            let verb = report["applied"]?.bool == true ? "changed" : "would change"
            lines.append(
                "\(number("checked").counted("result")) decoded again; "
                    + "\(number("changed").grouped) \(verb), "
                    + "\(number("unreadable").grouped) can't be read.")
            return lines.joined(separator: "\n")
        }
    }
}
