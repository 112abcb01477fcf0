// `landfall results compact`: removes erased data from the disk, and compresses closed days.

import ArgumentParser
import JSON
import Text

extension Results {
    struct Compact: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Remove erased results from the disk, and compress past days.",
            discussion: """
                Also erases results that are past the configured retention. A running server does all \
                this every minute.

                Exit code 0 when it is done, 1 when a file could not be processed.
                """)

        @OptionGroup var source: SourceOptions

        func run() async throws {
            try await source.run { source async throws(CommandFailure) in
                var query = CommandQuery(.compact, method: .post)
                // Reading and writing every byte of a large store takes long.
                query.milliseconds = 3_600_000
                let body = try await source.answer(to: query).body
                guard let root = try? JSONDocument(parsing: body).root,
                    let failures = root["failures"]
                else { throw CommandFailure("The report can't be read.") }
                if self.source.json {
                    try Console.write(body + [UInt8(ascii: "\n")])
                } else {
                    try Console.print(Self.sentence(root))
                }
                for failure in failures.elements {
                    Console.printError(TerminalText.visible(failure.string ?? ""))
                }
                return failures.count == 0 ? .success : Exit.no
            }
        }

        private static func sentence(_ report: JSONNode) -> String {
            func number(_ name: String) -> Int { report[name]?.int ?? 0 }
            let rewritten = number("rewritten_segments")
            if rewritten == 0, number("expired_results") == 0 { return "Nothing to do." }
            return "Rewrote \(rewritten.counted("file")) "
                + "(\(number("bytes_before").grouped) to \(number("bytes_after").grouped) bytes), "
                + "\(number("compressed_segments").grouped) of them compressed; removed "
                + "\(number("removed_lines").counted("erased line")); "
                + "\(number("expired_results").counted("result")) expired."
        }
    }
}
