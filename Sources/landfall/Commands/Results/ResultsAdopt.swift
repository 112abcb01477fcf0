// `landfall results adopt`: turns a stray request into the callback that it was meant to be.

import ArgumentParser
import JSON
import ResultStore
import Vendors

extension Results {
    struct Adopt: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Turn a stray, a request that matched no route, into a callback.",
            discussion: """
                The server receives the stray as a callback of the vendor, or as several if it holds a \
                list, at the time of the stray; then it erases the stray.

                EXAMPLES
                  landfall results list --kind stray
                  landfall results adopt 019a8f6e-4b1c-7c3e-9d56-0242ac120002 --vendor welltory
                  landfall results adopt 019a8f6e-4b1c-7c3e-9d56-0242ac120002 --vendor flux

                A key of the sender (Idempotency-Key) belongs to a vendor and an inbox. If another \
                request there had the stray's key, adopt the stray into another inbox (--inbox).

                Exit code 0 when it was adopted, 1 when there is no such stray or its key was used.
                """)

        @Argument(help: ArgumentHelp("The stray's id.", valueName: "id"))
        var id: String

        @Option(
            help: "The vendor of the callback; raw decodes nothing.",
            completion: .list(Vendor.names))
        var vendor: String

        @Option(
            help: ArgumentHelp(
                "The inbox of the callback; the stray's otherwise.", valueName: "name"))
        var inbox: String?

        @OptionGroup var source: SourceOptions

        func validate() throws {
            try id.requireID(of: "a stray")
            if !Vendor.names.contains(vendor) {
                throw ValidationError(
                    "--vendor must be one of \(Vendor.names.joined(separator: ", ")).")
            }
            if let inbox, !Inbox.isValid(inbox) {
                throw ValidationError("--inbox must be \(Inbox.rule).")
            }
        }

        func run() async throws {
            try await source.end { () async throws(CommandFailure) in
                let body = try await source.runningServer().answer(
                    .post, "/api/v1/results/\(id)/adopt", [("vendor", vendor), ("inbox", inbox)])
                if source.json {
                    try Console.write(body + [UInt8(ascii: "\n")])
                } else if let root = try? JSONDocument(parsing: body).root {
                    for receipt in root["results"].map({ Array($0.elements) }) ?? [root] {
                        let (id, verdict) = (receipt["id"]?.string, receipt["verdict"]?.string)
                        try Console.print("Adopted as \(id ?? ""): \(verdict ?? "").")
                    }
                }
                return .success
            }
        }
    }
}
