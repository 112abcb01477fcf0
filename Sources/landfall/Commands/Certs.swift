// `landfall certs`: certificates for development, so that TLS works without a public domain.

import ArgumentParser
import DevelopmentCertificates
import Foundation
import LinkHosting
import Settings
import Vendors

struct Certs: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Make certificates for development.", subcommands: [Init.self])

    struct Init: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Make an authority and the certificates that it signs; keep valid ones.",
            discussion: """
                One certificate each for localhost, for the configured sites and receivers, for \
                the vendors' hosts that are emulated, and for every --domain; and the commands \
                that make devices trust the authority. Those valid for another week are kept. An \
                authority may sign for these hosts only and lasts a year: one that expires, that lacks \
                a host or that has no such limit is replaced, and the report says so. \
                Exit code 0 when all of them exist, 3 when not.
                """)

        @Option(
            name: .customLong("domain"),
            help: ArgumentHelp(
                "A further host name, or a wildcard such as *.example.com; may be repeated.",
                valueName: "name"))
        var names: [String] = []

        @Option(
            help: ArgumentHelp(
                "The folder of the certificates; the configured one otherwise.",
                valueName: "folder"),
            completion: .directory)
        var folder: String?

        @Option(
            help: ArgumentHelp(
                "Days that a certificate is valid, at most "
                    + "\(DevelopmentCertificates.allowedDays.upperBound).",
                valueName: "number"))
        var days = DevelopmentCertificates.defaultDays

        @OptionGroup var file: ConfigOption

        @Flag(help: "Replace the authority and all certificates.")
        var force = false

        @OptionGroup var format: JSONOption

        func validate() throws {
            if folder?.isEmpty == true { throw ValidationError("--folder must not be empty.") }
            if !DevelopmentCertificates.allowedDays.contains(days) {
                throw ValidationError("\(DevelopmentCertificateError.badDays)")
            }
            do throws(DevelopmentCertificateError) {
                for name in names { _ = try DomainName(name) }
            } catch {
                throw ValidationError("\(error)")
            }
        }

        func run() throws {
            // Keys are private to the owner, even before their mode is set.
            umask(0o077)
            let text = try CommandFailure.environment {
                let configuration = try file.load()
                let domains = try (Vendor.emulatedHosts + Self.hosts(of: configuration) + names)
                    .map { try DomainName($0) }
                let report = try CertificateFolder(
                    path: folder ?? configuration.certificatesFolder
                ).update(
                    domains: domains, validDays: days, now: .now, force: force)
                let port = configuration.tls?.port ?? Configuration.TLS.defaultPort
                return try format.json ? report.json() : report.text(port: port)
            }
            try Console.print(text)
        }

        /// The host names of sites, receivers and Rezolve's API, without addresses: the `localhost`
        /// certificate covers them.
        private static func hosts(
            of configuration: Configuration
        ) throws(ConfigurationError) -> [String] {
            let others =
                (configuration.receivers.map(\.host) + configuration.rezolve.hosts.sorted())
                .filter { !DomainName.isAddress($0) }
            let sites = try SiteFolder(configuration).domains()
            return sites.map(\.host).filter { !DomainName.isAddress($0) } + others
        }
    }
}
