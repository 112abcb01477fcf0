// Keeps the sites current: reads their files again when they change. An invalid file is reported,
// and its former version stays in service.

import Files
import Logging
import ServiceLifecycle
import Settings
import Synchronization

/// The current sites, and the watch over their files.
package final class SiteService: Service, CustomStringConvertible {
    package let description = "sites"

    private let folder: SiteFolder
    private let log: Logger
    /// Taken before the files were read for the first time, so that no later change is missed.
    private let fingerprint: String
    private let sites: Mutex<Sites>

    /// Interval between two checks of the files.
    private static let lookInterval = Duration.milliseconds(500)

    /// Reads the sites for the first time.
    ///
    /// Throws the errors of `SiteFolder.read`.
    package init(_ configuration: Configuration, log: Logger) throws(ConfigurationError) {
        folder = SiteFolder(configuration)
        fingerprint = folder.fingerprint()
        self.log = log
        let first = try folder.read()
        for file in first.byHost.values.flatMap(\.files) { Self.report(file, log) }
        sites = Mutex(first)
    }

    /// The current sites.
    package var current: Sites { sites.withLock { $0 } }

    package func run() async throws {
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                await FileWatch.run(
                    every: Self.lookInterval, since: self.fingerprint, self.folder.fingerprint,
                    self.reload)
            }
            try? await gracefulShutdown()
            group.cancelAll()
        }
    }

    /// Reads the files again; false if one can't be read.
    private func reload() -> Bool {
        let former = current
        var isComplete = true
        do throws(ConfigurationError) {
            let new = try folder.read(over: former) { errorSummary, isRead in
                if !isRead { isComplete = false }
                log.error(
                    "a link file has errors: its previous version stays in use",
                    metadata: ["error": "\(errorSummary)"])
            }
            sites.withLock { $0 = new }
            for (host, site) in new.byHost {
                let old = former.byHost[host]?.files.map(\.content) ?? []
                for file in site.files where !old.contains(file.content) {
                    log.info("link file reloaded", metadata: ["path": "\(file.path)"])
                    Self.report(file, log)
                }
            }
            reportGone(from: former, to: new)
        } catch {
            log.error(
                "the sites can't be read: the previous ones stay in use",
                metadata: ["reason": "\(error)"])
            return false
        }
        return isComplete
    }

    private func reportGone(from former: Sites, to new: Sites) {
        for (host, site) in former.byHost.sorted(by: { $0.key < $1.key }) {
            guard let left = new.byHost[host] else {
                log.warning(
                    "a site's folder is gone: its host is served as an unknown one",
                    metadata: ["host": "\(host)"])
                continue
            }
            let names = left.files.map { $0.name(on: host) }
            for file in site.files where !names.contains(file.name(on: host)) {
                log.warning(
                    "a link file is gone: it is no longer served",
                    metadata: ["path": "\(file.path)"])
            }
        }
    }

    private static func report(_ file: LinkFile, _ log: Logger) {
        for finding in file.findings where finding.severity != .info {
            log.warning(
                "link file has problems",
                metadata: [
                    "path": "\(file.path)", "line": "\(finding.position.line)",
                    "code": "\(finding.code.rawValue)", "finding": "\(finding.message)",
                ])
        }
    }
}
