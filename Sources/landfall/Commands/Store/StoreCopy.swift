// `landfall store copy`: copies all records from one store to another, in either direction.

import ArgumentParser
import Foundation
import JSON
import PostgreSQLStore
import ProgramLog
import ResultAPI
import ResultStore
import Settings
import Text

extension StoreCommands {
    struct Copy: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Copy all results from a data folder to a database, or back.",
            discussion: """
                Each place is a data folder, or the address of a database without a password. Ids, \
                times and seq are kept, so flows, links and cursors stay valid. What was erased is \
                not copied; what was erased since an earlier copy stays in the second place, and \
                is named. A copy that was interrupted goes on where it ended when the command is \
                repeated. No server may run on a folder meanwhile; results that reach the first place \
                later are copied by running it again.

                EXAMPLES
                  landfall store copy landfall-data postgres://db.example.com/landfall
                  landfall store copy postgres://db.example.com/landfall landfall-data

                Exit code 0 when everything is copied, 1 when the second place holds other results or \
                erasures, keeps results that the first one no longer has, or lacks damaged results \
                that this copy or an earlier one left out, 2 when an address is invalid, 3 when a \
                place can't be used.
                """)

        @Argument(help: ArgumentHelp("Where the results are.", valueName: "from"))
        var from: String

        @Argument(help: ArgumentHelp("Where they are copied to; may be empty.", valueName: "to"))
        var to: String

        @OptionGroup var format: JSONOption

        func run() async throws {
            let code = try await copy()
            if code != .success { throw code }
        }

        private func copy() async throws(CommandFailure) -> ExitCode {
            NewFiles.keepPrivate()
            let source = try open(from, isSource: true)
            let target: ResultStore
            do throws(CommandFailure) {
                target = try open(to, isSource: false)
            } catch {
                await source.close()
                throw error
            }
            let result: Result<Report?, StoreError>
            do throws(StoreError) {
                result = .success(try await copy(source, to: target))
            } catch {
                result = .failure(error)
            }
            await source.close()
            await target.close()
            switch result {
            case .failure(let error): throw CommandFailure("The results can't be copied: \(error).")
            case .success(nil):
                Console.printError(
                    "\(to) holds results or erasures that are not in \(from): copy to an empty place, "
                        + "or use \"landfall results export\" and \"landfall results import\".")
                return Exit.no
            case .success(let report?):
                printSurplus(report.copy.onlyThere)
                let document = JSONWriter.text { json in
                    json.member("copied", report.copy.copied)
                    json.member("left_out", report.copy.leftOut)
                    json.member("only_in_target", report.copy.onlyThere.map(\.description))
                    json.member("damaged_files", report.damagedFiles)
                }
                let text = "Copied \(report.copy.copied.counted("record"))."
                try Console.print(format.json ? document : text)
                return report.isComplete ? .success : Exit.no
            }
        }

        /// Names the records that only the second place still has.
        private func printSurplus(_ ids: [RecordID]) {
            for id in ids { Console.printError("Only in \(to): \(id).") }
            if ids.isEmpty { return }
            Console.printError(
                "\(to) keeps \(ids.count.counted("record")) that \(from) no longer has: copy to an "
                    + "empty place, or erase them in \(to) after the last copy.")
        }

        /// What a copy did.
        private struct Report {
            /// Its damaged records are those that the index names.
            let copy: StoreCopy
            /// Files with damage that the index left out.
            let damagedFiles: [String]

            /// Whether both places have the same records.
            var isComplete: Bool {
                copy.leftOut == 0 && copy.onlyThere.isEmpty && damagedFiles.isEmpty
            }
        }

        private func open(_ place: String, isSource: Bool) throws(CommandFailure) -> ResultStore {
            let log = LogSetup.ofCommands
            if DatabaseAddress.isAddress(place), let fault = DatabaseAddress.fault(of: place) {
                // The address may hold a password.
                throw CommandFailure(
                    usage: "The \(isSource ? "first" : "second") place must be \(fault).")
            }
            do throws(StoreError) {
                guard DatabaseAddress.isAddress(place) else {
                    if isSource, !FileManager.default.fileExists(atPath: place + "/results") {
                        throw StoreError.file(
                            path: place, operation: "read", reason: "it is not a data folder")
                    }
                    let progress = ProgressLine("indexing results")
                    defer { progress.end() }
                    let store = try ResultStore(
                        folder: place, catalog: .all, onEvent: { $0.handle(log) },
                        onProgress: { progress.show($0, of: $1) })
                    store.recovery.logLosses(to: log)
                    return store
                }
                return try ResultStore(
                    database: DatabaseAddress(place), catalog: .all, onEvent: { $0.handle(log) })
            } catch {
                throw CommandFailure("\(place) can't be opened: \(error).")
            }
        }

        /// Copies what the target lacks; returns nil if it has other records.
        private func copy(
            _ source: ResultStore, to target: ResultStore
        ) async throws(StoreError) -> Report? {
            let progress = ProgressLine("copying results")
            defer { progress.end() }
            let copy = try await source.copy(
                to: target, onOmission: { Console.printError("Left out: \($0).") },
                onProgress: { progress.show($0, of: $1) })
            guard let copy else { return nil }
            let files = try await source.damagedFiles()
            for file in files {
                Console.printError(
                    "Left out: damage in \(from)/\(file); run \"landfall results verify\".")
            }
            return Report(copy: copy, damagedFiles: files)
        }
    }
}
