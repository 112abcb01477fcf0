// The certificates for TLS: whether they can be used, which hosts they cover, when they are valid,
// and whether clients will trust them.

import Clocks
import HTTP1
import LinkHosting
import Server
import Settings
import Sockets

/// Checks the certificates of a configuration.
package struct CertificateDiagnosis {
    /// What was found out, in the order of the report.
    package let diagnoses: [Diagnosis]

    private static let check = "certificates"

    /// Days before the end of a certificate in which it should be renewed.
    private static let renewalDays: Int64 = 14

    /// Checks the certificates that a configuration names.
    ///
    /// - Parameter authorities: certificates (PEM) that clients trust; nil for the system's.
    package init(_ configuration: Configuration, now: Timestamp, _ authorities: [UInt8]?) {
        guard let tls = configuration.tls else {
            diagnoses = [
                .ok(
                    Self.check,
                    "TLS is off: a proxy has to serve the link files by https, since devices fetch "
                        + "them in no other way")
            ]
            return
        }
        do {
            let content = try TLSFolder(configuration: tls).read()
            let context = try TLSContext(content.settings, tickets: TLSTicketKeys())
            var diagnoses: [Diagnosis] = []
            for key in content.exposedKeys {
                diagnoses.append(
                    .warning(
                        Self.check, "every user of this machine can read \(key)",
                        "Run chmod 600 \(key)."))
            }
            let seconds = now.unixMilliseconds / 1000
            for (identity, facts) in zip(content.settings.identities, context.identities) {
                diagnoses += Self.diagnoses(
                    identity, facts.hosts, facts.expiresAt, seconds, authorities)
                let reason = TLSFolder.reasonNotToStaple(
                    responseExpiringAt: facts.responseExpiresAt, at: seconds)
                if let reason {
                    diagnoses.append(
                        .warning(
                            Self.check, "\(identity.name).ocsp isn't stapled: \(reason)",
                            "Get a new response from the certificate's authority, or remove the "
                                + "file."))
                }
            }
            let names = context.identities.flatMap { $0.hosts }
            self.diagnoses = diagnoses + Self.uncovered(configuration, names)
        } catch {
            var advice = "Put NAME.pem (the chain) and NAME.key into \(tls.folder)."
            if case .keyEncrypted? = error as? TLSError {
                advice = "Store it without a passphrase: openssl pkey -in OLD.key -out NEW.key"
            }
            diagnoses = [.problem(Self.check, "\(error)".trimmingSuffix("."), advice)]
        }
    }

    private static func diagnoses(
        _ identity: TLSIdentity, _ hosts: [String], _ expiresAt: Int64, _ now: Int64,
        _ authorities: [UInt8]?
    ) -> [Diagnosis] {
        let date = HTTPDate(unixSeconds: expiresAt)
        let name =
            identity.name + (hosts.isEmpty ? "" : " for " + hosts.joined(separator: ", "))
        var found: [Diagnosis] = []
        if hosts.isEmpty {
            found.append(
                .warning(
                    check, "\(name) names no host in subjectAltName",
                    "Get one that does: clients don't read the common name."))
        }
        if expiresAt <= now {
            found.append(.problem(check, "\(name) expired on \(date)", "Renew it."))
        } else if expiresAt - now < renewalDays * 86_400 {
            found.append(.warning(check, "\(name) expires on \(date)", "Renew it."))
        }
        do throws(TLSError) {
            for fault in TLSIdentity.Fault.allCases {
                guard let reason = try identity.reason(for: fault, trusting: authorities) else {
                    continue
                }
                // The leaf's own end was said before.
                if fault == .outOfDate, expiresAt <= now { continue }
                found.append(diagnosis(fault, name, reason, identity))
            }
        } catch {
            found.append(.problem(check, "\(error)", "Replace the file."))
        }
        return found.isEmpty ? [.ok(check, "\(name) is valid until \(date)")] : found
    }

    private static func diagnosis(
        _ fault: TLSIdentity.Fault, _ name: String, _ reason: String, _ identity: TLSIdentity
    ) -> Diagnosis {
        switch fault {
        case .issuerUnknown:
            .warning(
                check, "\(name) isn't trusted here: \(reason)",
                "Put the intermediate certificates into \(identity.name).pem after its own; for an "
                    + "authority of your own, name it with --ca.")
        case .outOfDate:
            .problem(
                check, "\(name) is refused by clients: \(reason)",
                "Renew it, and the intermediate certificates with it.")
        case .unsuitable:
            .problem(
                check, "\(name) is refused by clients: \(reason)",
                "Get one that its authority issues for servers.")
        }
    }

    /// The configured hosts that no certificate covers.
    private static func uncovered(
        _ configuration: Configuration, _ names: [String]
    ) -> [Diagnosis] {
        let sites = (try? SiteFolder(configuration).domains { _, _ in }) ?? []
        let hosts = Set(sites.map(\.host) + configuration.receivers.map(\.host))
        let missing = hosts.filter { host in !names.contains { covers($0.lowercased(), host) } }
        guard !missing.isEmpty else { return [] }
        return [
            .warning(
                check, "no certificate covers \(missing.sorted().joined(separator: ", "))",
                "Add certificates, unless a proxy speaks TLS for these hosts.")
        ]
    }

    /// Whether a certificate's name covers a host; a wildcard stands for one label (RFC 9525 §6.3).
    static func covers(_ name: String, _ host: String) -> Bool {
        guard name.hasPrefix("*.") else { return name == host }
        guard let dot = host.firstIndex(of: "."), dot > host.startIndex else { return false }
        return host[dot...] == name.dropFirst()
    }
}
