// What a server reads at its start, before it opens a socket or the store.
//
// `serve` and `config check` read all of it here. `doctor` uses the same checks, except for sites
// and certificates, which it examines itself. Nothing is changed. Left out: sockets and the store.

import Emulator
import LinkHosting
import Logging
import Settings

/// The files that a configuration names, as a server reads them at its start.
package struct StartFiles: Sendable {
    /// The web page.
    package let page: PageFiles
    /// The sites and their link files.
    package let sites: SiteService
    /// The certificates; nil without TLS.
    package let certificates: CertificateService?

    /// Reads everything; throws the first fault.
    package init(_ configuration: Configuration, log: Logger) throws(ConfigurationError) {
        page = try PageFiles(folder: configuration.publicFolder)
        try Forwarding.check(configuration)
        try Self.checkKey(configuration)
        sites = try SiteService(configuration, log: log)
        if let tls = configuration.tls {
            certificates = try CertificateService(tls, log: log)
        } else {
            certificates = nil
        }
    }

    /// Finds every fault, but for those of sites and certificates: `doctor` says more about these.
    package static func faults(_ configuration: Configuration) -> [ConfigurationError] {
        // An array of functions with typed throws makes the compiler crash.
        [
            fault { () throws(ConfigurationError) in
                _ = try PageFiles(folder: configuration.publicFolder)
            },
            fault { () throws(ConfigurationError) in try Forwarding.check(configuration) },
            fault { () throws(ConfigurationError) in try checkKey(configuration) },
        ].compactMap(\.self)
    }

    private static func fault(
        _ check: () throws(ConfigurationError) -> Void
    ) -> ConfigurationError? {
        do throws(ConfigurationError) {
            try check()
            return nil
        } catch {
            return error
        }
    }

    /// A key that doesn't exist yet is made once the store is open.
    private static func checkKey(_ configuration: Configuration) throws(ConfigurationError) {
        if configuration.privacy == .mask { _ = try PrivacyKey(known: configuration) }
    }
}
