// `landfall results import`: imports exported lines with their ids and times.

import ArgumentParser
import JSON
import Text

extension Results {
    struct Import: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Import lines that were exported as ndjson.",
            discussion: """
                Ids and times are kept, and existing results are skipped, so a second import changes \
                nothing. A line that can't be imported is reported, and the import continues. The \
                folder of --data is created if it is missing.

                EXAMPLES
                  landfall results import backup.ndjson
                  landfall results export --data old | landfall results import - --data copy

                Exit code 0 when all lines were imported, 1 when some were refused.
                """)

        @Argument(
            help: ArgumentHelp("The file; - for standard input.", valueName: "file"),
            completion: .file())
        var file: String

        @OptionGroup var source: SourceOptions

        func run() async throws {
            try await source.end { () async throws(CommandFailure) in
                let parts = try FileParts(file, label: "importing")
                return try await source.ask(makingFolder: true) {
                    source async throws(CommandFailure) in
                    let answer = try await source.importLines(parts)
                    if self.source.json {
                        try Console.write(answer.body + [UInt8(ascii: "\n")])
                    }
                    return try printReport(of: answer.body)
                }
            }
        }

        private func printReport(of report: [UInt8]) throws(CommandFailure) -> ExitCode {
            guard let root = try? JSONDocument(parsing: report).root,
                let imported = root["imported"]?.int, let known = root["known"]?.int,
                let count = root["refused_count"]?.int, let refused = root["refused"]
            else { throw CommandFailure("The report of the import can't be read.") }
            if !source.json {
                try Console.print(
                    "Imported \(imported.counted("result")); \(known.grouped) were there already; "
                        + "\(count.counted("line")) refused.")
                for line in refused.elements {
                    let reason = TerminalText.visible(line["reason"]?.string ?? "")
                    try Console.print("  line \(line["line"]?.int ?? 0): \(reason)")
                }
                let omitted = count - refused.count
                if omitted > 0 { try Console.print("  and \(omitted.counted("line")) more") }
            }
            return count == 0 ? .success : Exit.no
        }
    }
}
