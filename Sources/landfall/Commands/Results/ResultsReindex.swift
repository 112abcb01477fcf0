// `landfall results reindex`: rebuilds the index of a folder from its files, or the columns of a
// database from its records.

import ArgumentParser
import JSON
import ResultStore
import Text

extension Results {
    struct Reindex: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Rebuild the index of a folder from its files, or the columns of a database.",
            discussion: """
                A missing, outdated or damaged index is rebuilt automatically; this rebuilds it in any \
                case. No server may run on the folder. In a database, servers may run; it fills the \
                columns that a newer program has added.

                Exit code 0 when it is done, 1 when records were damaged or are missing. They are \
                missing if the files end before the former index did: then last_seq and \
                indexed_seq of --json are the last numbers of both.
                """)

        @OptionGroup var source: SourceOptions

        func validate() throws {
            if source.server != nil {
                throw ValidationError(
                    "A server isn't asked: name the folder with --data, or the database with "
                        + "--config or LANDFALL_STORE.")
            }
        }

        func run() async throws {
            try await source.end { () async throws(CommandFailure) in
                let store = try source.rebuiltStore()
                let report = store.recovery
                await store.close()
                if source.json {
                    try Console.write(Self.document(report) + [UInt8(ascii: "\n")])
                } else {
                    try Console.print("Indexed \(report.indexedRecords.counted("record")).")
                }
                let isComplete = report.damage.isEmpty && report.missing == nil
                return isComplete ? .success : Exit.no
            }
        }

        private static func document(_ report: RecoveryReport) -> [UInt8] {
            JSONWriter.object { json in
                json.member("indexed_records", report.indexedRecords)
                json.objects("damage", of: report.damage) { json, damage in
                    json.member("file", "results/\(damage.segment)")
                    json.member("offset", Int(damage.offset))
                    json.member("bytes", Int(damage.size))
                }
                json.member("torn_end", report.torn?.path)
                json.member("last_seq", report.missing?.last)
                json.member("indexed_seq", report.missing?.known)
            }
        }
    }
}
