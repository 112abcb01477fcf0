// `landfall results erase`: erases results permanently.

import ArgumentParser
import JSON
import ResultStore
import Text

extension Results {
    struct Erase: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Erase results, or a whole inbox, permanently.",
            discussion: """
                Erased results vanish from every response at once. A running server removes them from \
                the disk soon after; in a folder, "landfall results compact" does.

                EXAMPLES
                  landfall results erase 019a8f6e-4b1c-7c3e-9d56-0242ac120002
                  landfall results erase --inbox ci --yes

                Exit code 0 when all of it is erased, 1 when one of the ids was unknown, or the \
                answer was no. An inbox without results counts as erased. Ids are erased in their \
                order; when one of them fails, what was erased before is on standard error.
                """)

        @Argument(help: ArgumentHelp("The ids of results.", valueName: "id"))
        var ids: [String] = []

        @Option(help: ArgumentHelp("The inbox to erase.", valueName: "name"))
        var inbox: String?

        @Flag(name: [.short, .long], help: "Don't ask; needed without a terminal.")
        var yes = false

        @OptionGroup var source: SourceOptions

        func validate() throws {
            if ids.isEmpty == (inbox == nil) {
                throw ValidationError("Name results by their ids, or an inbox with --inbox.")
            }
            for id in ids { try id.requireID() }
            if let inbox, !Inbox.isValid(inbox) {
                throw ValidationError("--inbox must be \(Inbox.rule).")
            }
            if !yes, !Console.isInteractive {
                throw ValidationError("There is no terminal to confirm on: add --yes.")
            }
        }

        func run() async throws {
            try await source.run { source async throws(CommandFailure) in
                guard try await isConfirmed(source) else {
                    Console.printError("Nothing was erased.")
                    return Exit.no
                }
                if let inbox { return try await erase(inbox: inbox, source) }
                return try await erase(ids, source)
            }
        }

        /// Asks for confirmation, unless it was given.
        private func isConfirmed(_ source: any ResultSource) async throws(CommandFailure) -> Bool {
            if yes { return true }
            guard let inbox else {
                return Console.confirm("Erase \(ids.count.counted("result")) permanently?")
            }
            let count = try await count(in: inbox, source)
            return Console.confirm(
                "Erase \(count.counted("result")) of inbox \(inbox) permanently?")
        }

        private func count(
            in inbox: String, _ source: any ResultSource
        ) async throws(CommandFailure) -> Int {
            var query = CommandQuery(.inboxes)
            query.set("kind", "any")
            while true {
                let body = try await source.answer(to: query).body
                guard let page = try? JSONDocument(parsing: body).root,
                    let inboxes = page["inboxes"]
                else { return 0 }
                if let found = inboxes.elements.first(where: { $0["name"]?.string == inbox }) {
                    return found["count"]?.int ?? 0
                }
                guard let next = page["next_cursor"]?.string else { return 0 }
                query.set("cursor", next)
            }
        }

        private func erase(
            inbox: String, _ source: any ResultSource
        ) async throws(CommandFailure) -> ExitCode {
            let query = CommandQuery(.inbox, about: inbox, method: .delete)
            let answer = try await source.answer(to: query)
            let count = (try? JSONDocument(parsing: answer.body).root)?["erased"]?.int
            guard let erased = answer.status == 204 ? 0 : count else {
                throw CommandFailure(answer, query)
            }
            try printReport(erased, unknown: [])
            return .success
        }

        private func erase(
            _ ids: [String], _ source: any ResultSource
        ) async throws(CommandFailure) -> ExitCode {
            var unknown: [String] = []
            for (index, id) in ids.enumerated() {
                let query = CommandQuery(.result, about: id, method: .delete)
                do throws(CommandFailure) {
                    let answer = try await source.answer(to: query)
                    guard answer.status == 204 else { throw CommandFailure(answer, query) }
                } catch {
                    guard error.exitCode == Exit.no else {
                        if index > 0 {
                            reportErased(index - unknown.count, unknown: unknown, before: id)
                        }
                        throw error
                    }
                    unknown.append(id)
                }
            }
            try printReport(ids.count - unknown.count, unknown: unknown)
            return unknown.isEmpty ? .success : Exit.no
        }

        private func printReport(_ erased: Int, unknown: [String]) throws(CommandFailure) {
            if source.json {
                let body = JSONWriter.object { json in
                    json.member("erased", erased)
                    json.member("unknown", unknown)
                }
                return try Console.write(body + [UInt8(ascii: "\n")])
            }
            try Console.print("Erased \(erased.counted("result")).")
            reportUnknown(unknown)
        }

        /// Reports what was done before the request for `id` failed, as erasing can't be undone.
        ///
        /// On standard error also with `--json`, whose one document is the problem.
        private func reportErased(_ erased: Int, unknown: [String], before id: String) {
            reportUnknown(unknown)
            Console.printError(
                "Erased \(erased.counted("result")), then failed at \(TerminalText.visible(id)):")
        }

        private func reportUnknown(_ ids: [String]) {
            for id in ids { Console.printError("There is no result \(TerminalText.visible(id)).") }
        }
    }
}
