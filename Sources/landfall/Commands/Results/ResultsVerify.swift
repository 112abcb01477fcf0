// `landfall results verify`: checks that every stored byte is unchanged.

import ArgumentParser
import JSON
import ResultStore
import Text

extension Results {
    struct Verify: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Verify all stored data, and report damage.",
            discussion: """
                Checks every file, line, checksum and number, and whether the index agrees. A folder \
                is only read, so a server may run on it meanwhile; on a busy one, repeat the command \
                before trusting a report that the index disagrees.

                Exit code 0 when all is sound, 1 when something is wrong, with its places.
                """)

        @OptionGroup var source: SourceOptions

        func run() async throws {
            try await source.end { () async throws(CommandFailure) in
                let body = try await report()
                guard let root = try? JSONDocument(parsing: body).root,
                    let isSound = root["sound"]?.bool
                else { throw CommandFailure("The report can't be read.") }
                if source.json {
                    try Console.write(body + [UInt8(ascii: "\n")])
                } else {
                    try Console.print(Self.text(root))
                }
                return isSound ? .success : Exit.no
            }
        }

        /// The report as JSON, from the server or made here.
        private func report() async throws(CommandFailure) -> [UInt8] {
            guard try source.namedServer() == nil, try !source.isDatabase() else {
                var body: [UInt8] = []
                _ = try await source.ask { source async throws(CommandFailure) in
                    var query = CommandQuery(.verify, method: .post)
                    query.milliseconds = 3_600_000
                    body = try await source.answer(to: query).body
                    return .success
                }
                return body
            }
            let folder = try source.existingFolder()
            let progress = ProgressLine("verifying")
            defer { progress.end() }
            do throws(StoreError) {
                return try StoreVerification.run(
                    folder: folder, catalog: .all, onProgress: { progress.show($0, of: $1) }
                ).json
            } catch {
                throw CommandFailure("\(folder) can't be verified: \(error).")
            }
        }

        private static func text(_ report: JSONNode) -> String {
            func number(_ name: String) -> Int { report[name]?.int ?? 0 }
            var lines: [String] = []
            for (name, mark) in [("findings", "wrong"), ("notes", "note")] {
                for finding in report[name].map({ Array($0.elements) }) ?? [] {
                    let place = finding["offset"]?.int.map { ", byte \($0)" } ?? ""
                    lines.append(
                        "\(mark): \(finding["file"]?.string ?? "?")\(place): "
                            + "\(finding["detail"]?.string ?? "").")
                }
            }
            let omitted = number("omitted_findings")
            if omitted > 0 { lines.append("… and \(omitted.counted("finding")) more.") }
            lines.append(
                "Read \(number("files").counted("file")) of \(number("bytes").grouped) bytes: "
                    + "\(number("records").counted("record")), "
                    + "\(number("erasures").counted("erasure")), "
                    + "\(number("erased_lines").counted("erased line")) still on the disk. "
                    + (report["sound"]?.bool == true ? "All is sound." : "Not all is sound."))
            return lines.map(TerminalText.visible).joined(separator: "\n")
        }
    }
}
