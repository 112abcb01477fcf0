// The hosted sites: whether their link files are right, and whether the world gets these very files
// from their hosts.

import AppLinks
import HTTPClient
import LinkHosting
import Settings
import Sockets
import Text

/// Checks the sites of a configuration.
package struct SiteDiagnosis {
    private let configuration: Configuration
    private let authorities: [UInt8]?

    /// The checks of the sites of a configuration.
    ///
    /// - Parameter authorities: certificates (PEM) to trust; nil for the system's.
    package init(_ configuration: Configuration, _ authorities: [UInt8]?) {
        self.configuration = configuration
        self.authorities = authorities
    }

    /// Reads the sites' files and checks them.
    ///
    /// - Parameter sendsRequests: whether to fetch the files from the sites' hosts too.
    package func diagnoses(sendsRequests: Bool) async -> [Diagnosis] {
        var lenient = configuration
        lenient.allowsInvalidSites = true
        func problem(_ text: String) -> Diagnosis {
            .problem(
                "link files", text.trimmingSuffix("."),
                "Make a folder for each domain in \(configuration.sitesFolder), which the "
                    + "server's user can read.")
        }
        var problems: [Diagnosis] = []
        let sites: Sites
        do throws(ConfigurationError) {
            sites = try SiteFolder(lenient).read { problems.append(problem($0)) }
        } catch {
            // The default site may be missing only because its folder can't be read, which is
            // reported already.
            return problems.isEmpty ? [problem("\(error)")] : problems
        }
        let files = sites.byHost.sorted { $0.key < $1.key }.flatMap { host, site in
            site.files.map { (host, $0) }
        }
        let unserved = ((try? SiteFolder(lenient).unservedFolders()) ?? []).map { name, reason in
            Diagnosis.warning(
                "link files", "\(name) is never served: \(reason)",
                "Name the folder after one host, in lower case and without a port; a name outside "
                    + "ASCII in Punycode, such as xn--bcher-kva.example.")
        }
        guard !files.isEmpty || !problems.isEmpty || !unserved.isEmpty else {
            return [
                .warning(
                    "link files", "\(configuration.sitesFolder) has none",
                    "Put apple-app-site-association and assetlinks.json into a folder with the "
                        + "name of the domain.")
            ]
        }
        var diagnoses = problems + unserved + files.map { Self.diagnosis($0.1, on: $0.0) }
        if sendsRequests { diagnoses += await fetch(files) }
        return diagnoses
    }

    private static func diagnosis(_ file: LinkFile, on host: String) -> Diagnosis {
        let name = file.name(on: host)
        if let summary = file.errorSummary {
            return .problem(
                "link files", summary, "landfall association lint \(file.path) shows everything.")
        }
        let warnings = file.findings.filter { $0.severity == .warning }
        guard let first = warnings.first else {
            return .ok("link files", "\(name) is right")
        }
        return .warning(
            "link files",
            "\(name) has \(warnings.count.counted("warning")), the first in line "
                + "\(first.position.line): \(first.message.trimmingSuffix("."))",
            "landfall association lint \(file.path) shows everything.")
    }

    /// Fetches all files at once, and reports in their order.
    private func fetch(_ files: [(host: String, file: LinkFile)]) async -> [Diagnosis] {
        await withTaskGroup(of: (Int, Diagnosis).self) { group in
            for (index, (host, file)) in files.enumerated() {
                group.addTask { (index, await reachability(of: file, on: host)) }
            }
            var diagnoses: [(Int, Diagnosis)] = []
            for await diagnosis in group { diagnoses.append(diagnosis) }
            return diagnoses.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }

    private func reachability(of file: LinkFile, on host: String) async -> Diagnosis {
        let kind = HostedFile.Kind(path: file.path)
        let url = "https://\(host.urlHost)\(kind.path)"
        do throws(ClientError) {
            let hosted = try await HostedFile(kind, fetching: url, trusting: authorities)
            if let error = hosted.findings().first(where: { $0.severity == .error }) {
                return .problem(
                    "reachability", "\(url): \(error.message.trimmingSuffix("."))",
                    "landfall association lint --url \(url) shows everything.")
            }
            guard hosted.content == file.content else {
                return .problem(
                    "reachability", "\(url) serves another file than \(file.path)",
                    "Point the host to this server, or copy the file to where it leads now.")
            }
            return .ok("reachability", "\(url) serves \(file.path)")
        } catch {
            return .problem(
                "reachability", "\(url) can't be fetched: \("\(error)".trimmingSuffix("."))",
                "Check the host's DNS record, firewall and certificate; --offline leaves this out.")
        }
    }
}
