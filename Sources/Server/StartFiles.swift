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
        for check in Self.checks { try check(configuration) }
        sites = try SiteService(configuration, log: log)
        if let tls = configuration.tls {
            certificates = try CertificateService(tls, log: log)
        } else {
            certificates = nil
        }
    }

    /// Finds every fault, but for those of sites and certificates: `doctor` says more about these.
    package static func faults(_ configuration: Configuration) -> [ConfigurationError] {
        var faults: [ConfigurationError] = []
        let all: [Check] = [checkPage] + checks
        for check in all {
            do throws(ConfigurationError) {
                try check(configuration)
            } catch {
                faults.append(error)
            }
        }
        return faults
    }

    private typealias Check = (Configuration) throws(ConfigurationError) -> Void

    /// The checks of what is read again, or changed, once the store is open.
    private static var checks: [Check] { [Forwarding.check] }

    private static func checkPage(_ configuration: Configuration) throws(ConfigurationError) {
        _ = try PageFiles(folder: configuration.publicFolder)
    }
}
