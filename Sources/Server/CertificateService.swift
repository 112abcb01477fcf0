// Keeps the certificates current: reloads them on SIGHUP and when their files change, without
// touching open connections, and rotates the ticket keys twice a day.

import Clocks
import Files
import HTTP1
import Logging
import ServiceLifecycle
import Settings
import Sockets
import UnixSignals

/// Watches the folder of the certificates.
package struct CertificateService: Service, CustomStringConvertible {
    package let description = "certificates"

    let folder: TLSFolder
    package let context: LiveTLSContext
    let tickets: TLSTicketKeys
    /// Of the files before they were read for the first time.
    private let fingerprint: String
    let log: Logger

    /// Interval between two checks of the files.
    private static let lookInterval = Duration.seconds(2)

    /// How long a ticket key encrypts; the previous two still decrypt.
    private static let ticketKeyLife = Duration.seconds(12 * 3600)

    /// Loads the certificates for the first time.
    ///
    /// Throws `unreadable` or `badValue` with a sentence.
    package init(_ configuration: Configuration.TLS, log: Logger) throws(ConfigurationError) {
        folder = TLSFolder(configuration: configuration)
        fingerprint = folder.fingerprint()
        self.log = log
        do throws(TLSError) {
            tickets = try TLSTicketKeys()
        } catch {
            throw .unreadable(path: configuration.folder, reason: "\(error)")
        }
        context = LiveTLSContext(try Self.load(try folder.read(), folder, tickets, log))
    }

    package func run() async throws {
        let hangups = await UnixSignalsSequence(trapping: .sighup)
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                for await _ in hangups { _ = reload(because: "SIGHUP") }
            }
            group.addTask {
                await FileWatch.run(
                    every: Self.lookInterval, since: fingerprint, folder.fingerprint
                ) {
                    reload(because: "a file has changed")
                }
            }
            group.addTask { await rotateTickets() }
            try? await gracefulShutdown()
            group.cancelAll()
        }
    }

    private func rotateTickets() async {
        while (try? await Task.sleep(for: Self.ticketKeyLife)) != nil {
            do throws(TLSError) {
                try tickets.rotate()
            } catch {
                log.error("a new ticket key could not be made", metadata: ["reason": "\(error)"])
            }
            Self.reportUnstapled(by: context.current, log)
        }
    }

    /// Reads the files again; false if they can't be read.
    private func reload(because reason: String) -> Bool {
        var isRead = false
        do throws(ConfigurationError) {
            let content = try folder.read()
            isRead = true
            context.replace(with: try Self.load(content, folder, tickets, log))
            log.info("certificates reloaded", metadata: ["because": "\(reason)"])
        } catch {
            log.error(
                "certificates can't be read: the previous ones stay in use",
                metadata: ["reason": "\(error)"])
        }
        return isRead
    }

    private static func load(
        _ content: TLSFolder.Content, _ folder: TLSFolder, _ tickets: TLSTicketKeys, _ log: Logger
    ) throws(ConfigurationError) -> TLSContext {
        for key in content.exposedKeys {
            log.warning(
                "every user of this machine can read a private key: run chmod 600",
                metadata: ["path": "\(key)"])
        }
        do throws(TLSError) {
            let context = try TLSContext(content.settings, tickets: tickets)
            reportUnstapled(by: context, log)
            for identity in context.identities {
                log.debug(
                    "serving a certificate",
                    metadata: [
                        "name": "\(identity.name)",
                        "hosts": "\(identity.hosts.joined(separator: ","))",
                        "expires": "\(HTTPDate(unixSeconds: identity.expiresAt))",
                    ])
            }
            log.info("serving certificates", metadata: ["count": "\(context.identities.count)"])
            return context
        } catch {
            throw .unreadable(path: folder.configuration.folder, reason: "\(error)")
        }
    }

    /// Logs which OCSP responses are not sent: at each load, and later, since they expire.
    private static func reportUnstapled(by context: TLSContext, _ log: Logger) {
        let now = Clock.unixMilliseconds / 1000
        for identity in context.identities {
            let reason = TLSFolder.reasonNotToStaple(
                responseExpiringAt: identity.responseExpiresAt, at: now)
            guard let reason else { continue }
            log.warning(
                "an OCSP response is not stapled",
                metadata: ["name": "\(identity.name)", "reason": "\(reason)"])
        }
    }
}
