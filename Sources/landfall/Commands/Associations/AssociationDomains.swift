// `landfall association domains`: checks the values of an app's entitlement, and shows which file
// each makes a device fetch.

import AppLinks
import ArgumentParser
import JSON
import LinkHosting
import Text

extension Association {
    struct Domains: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Check associated domains: applinks:*.example.com?mode=developer.",
            discussion: """
                These are the values of com.apple.developer.associated-domains.

                EXAMPLES
                  landfall association domains applinks:yourapp.com 'applinks:*.yourapp.com'
                  landfall association domains --host qa.yourapp.com 'applinks:*.yourapp.com'

                Exit code 0 when all are valid and, with --host, one of applinks covers it, 2 for \
                bad usage; else 1.
                """)

        @Argument(help: ArgumentHelp("Values of the entitlement.", valueName: "value"))
        var values: [String]

        @Option(
            help: ArgumentHelp(
                "A host: which of the values are consulted for its links?", valueName: "host"))
        var host: String?

        @OptionGroup var format: JSONOption

        func validate() throws {
            guard let host else { return }
            try LinkFiles.checkHost(host, "--host must be a host, such as www.yourapp.com")
        }

        func run() async throws {
            let parsed = values.map { value in
                (
                    value,
                    Result { () throws(AssociatedDomainError) in try AssociatedDomain(value) }
                )
            }
            let domains = parsed.compactMap { try? $0.1.get() }
            let consulted = host.map { host in
                domains.consulted(for: host, service: .applinks)
            }
            try Console.print(
                format.json ? Self.document(parsed, consulted) : text(parsed, consulted))
            let covers = host.map { host in
                domains.contains { $0.service == .applinks && $0.covers(host) }
            }
            if domains.count < values.count || covers == false { throw Exit.no }
        }

        private typealias Parsed = (
            value: String, result: Result<AssociatedDomain, AssociatedDomainError>
        )

        private static func document(
            _ parsed: [Parsed], _ consulted: [AssociatedDomain]?
        ) -> String {
            JSONWriter.text { json in
                json.array("domains") { json in
                    for (value, result) in parsed { write(value, result, to: &json) }
                }
                guard let consulted else { return }
                json.array("consulted") { json in
                    for domain in consulted { json.value("\(domain)") }
                }
            }
        }

        private static func write(
            _ value: String, _ result: Result<AssociatedDomain, AssociatedDomainError>,
            to json: inout JSONWriter
        ) {
            json.object { json in
                json.member("value", value)
                switch result {
                case .success(let domain):
                    json.member("valid", true)
                    json.member("service", domain.service.rawValue)
                    json.member("host", domain.host)
                    json.member("wildcard", domain.isWildcard)
                    json.member("mode", domain.mode?.rawValue)
                    json.member("file_url", domain.fileURL)
                    json.member("note", domain.note)
                case .failure(let error):
                    json.member("valid", false)
                    json.object("error") { json in
                        json.member("kind", error.kind.rawValue)
                        json.member("message", error.message)
                        json.member("offset", error.offset)
                    }
                }
            }
        }

        private func text(_ parsed: [Parsed], _ consulted: [AssociatedDomain]?) -> String {
            let style = TerminalStyle()
            var lines: [String] = []
            for (value, result) in parsed {
                switch result {
                case .success(let domain):
                    lines.append("\(style.good("right"))  \(domain)\n       \(domain.fileURL)")
                    if let note = domain.note { lines.append("       \(note)") }
                case .failure(let error):
                    let before = String(decoding: value.utf8.prefix(error.offset), as: UTF8.self)
                    let column = TerminalText.visible(before).unicodeScalars.count
                    lines.append(
                        "\(style.bad("wrong"))  \(TerminalText.visible(value))\n       "
                            + String(repeating: " ", count: column) + "^ "
                            + TerminalText.visible(error.message))
                }
            }
            if let host, let consulted {
                let names = consulted.map { "\($0)" }.joined(separator: ", then ")
                let hint = HostSpelling.hint(for: host).map { " \($0)" } ?? ""
                lines.append(
                    TerminalText.visible(
                        consulted.isEmpty
                            ? "No applinks value covers \(host).\(hint)" : "For \(host): \(names)"))
            }
            return lines.joined(separator: "\n")
        }
    }
}
