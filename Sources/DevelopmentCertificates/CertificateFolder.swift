// Certificates on disk as the server loads them: `NAME.pem` with `NAME.key` for each domain, and
// the authority in a subfolder, which the server doesn't load. Valid files are kept, so that an
// installed authority stays trusted. An authority that expires soon, misses a domain or has no name
// constraints is replaced, and the report says why. Files from other sources are never changed.

import Files
import FoundationEssentials
import X509

/// A folder of certificates.
package struct CertificateFolder {
    /// Remaining validity, in seconds, that a certificate or authority needs to be kept: a week.
    static let marginSeconds: TimeInterval = 7 * 86_400

    let path: String

    package init(path: String) {
        self.path = path
    }

    private var authorityPath: (certificate: String, key: String) {
        (path + "/authority/ca.pem", path + "/authority/ca.key")
    }

    /// The authority's key while it is written.
    private var newKeyPath: String { authorityPath.key + ".new" }

    /// Makes certificates that are missing, stale or about to expire, for `localhost`, for
    /// `domains`, and for those that were made here before.
    ///
    /// - Parameter force: replaces the authority and all certificates.
    package func update(
        domains: [DomainName], validDays: Int, now: Date, force: Bool
    ) throws(DevelopmentCertificateError) -> CertificateReport {
        let previous = try readAuthority()
        let all = try Set(domains + [.localhost] + existingDomains())
        var existing: DevelopmentAuthority?
        var reason: String?
        if let previous, !force {
            let found = try usable(previous, now: now)
            reason = Self.reasonToReplace(found, covering: all, now: now)
            if reason == nil { existing = found }
        }
        var states: [DomainName: State] = [:]
        for domain in all {
            states[domain] = try state(domain, authority: existing, now: now)
        }
        // The default first, because it is loaded first.
        let sorted = [.localhost] + all.subtracting([.localhost]).sorted { $0.text < $1.text }
        let made = try DevelopmentCertificates.make(
            domains: sorted.filter { states[$0] == .missing }, validDays: validDays, now: now,
            authority: existing)
        try write(made, isNew: existing == nil)
        var report = report(made, sorted, states, isNew: existing == nil, replaced: previous)
        report.authority.reason = reason
        return report
    }

    // MARK: - Reading

    /// The existing certificate of a domain.
    private enum State: Equatable {
        /// Missing, or about to expire.
        case missing
        case good(until: Date)
        /// Not issued by a development authority.
        case foreign(until: Date?)
    }

    private func files(_ domain: DomainName) -> (certificate: String, key: String) {
        (path + "/" + domain.fileName + ".pem", path + "/" + domain.fileName + ".key")
    }

    private func content(_ path: String) throws(DevelopmentCertificateError) -> [UInt8]? {
        do {
            return try Folder.content(ofOptional: path)
        } catch {
            throw .unreadable(error)
        }
    }

    /// The domains of the folder's certificates that a development authority issued.
    private func existingDomains() throws(DevelopmentCertificateError) -> [DomainName] {
        guard Folder.isFolder(path) else { return [] }
        var domains: [DomainName] = []
        do {
            for name in try Folder.list(path) where name.hasSuffix(".pem") {
                guard let domain = DomainName(fileName: String(name.dropLast(".pem".count))),
                    let certificate = CertificateIdentity.firstCertificate(
                        try Folder.content(of: path + "/" + name)),
                    DevelopmentAuthority.issued(certificate)
                else { continue }
                domains.append(domain)
            }
        } catch {
            throw .unreadable(error)
        }
        return domains
    }

    private func state(
        _ domain: DomainName, authority: DevelopmentAuthority?, now: Date
    ) throws(DevelopmentCertificateError) -> State {
        let files = files(domain)
        let key = try content(files.key)
        guard let pem = try content(files.certificate) else {
            return key == nil ? .missing : .foreign(until: nil)
        }
        guard let certificate = CertificateIdentity.firstCertificate(pem),
            DevelopmentAuthority.issued(certificate)
        else {
            return .foreign(until: CertificateIdentity.firstCertificate(pem)?.notValidAfter)
        }
        guard let authority, authority.signed(certificate), let key,
            CertificateIdentity(certificatePEM: pem, keyPEM: key) != nil,
            let names = try? certificate.extensions.subjectAlternativeNames,
            Set(names) == Set(domain.alternativeNames), certificate.notValidBefore <= now,
            certificate.notValidAfter > now.addingTimeInterval(Self.marginSeconds)
        else { return .missing }
        return .good(until: certificate.notValidAfter)
    }

    /// The existing authority.
    private struct FoundAuthority {
        var certificate: Certificate?
        var authority: DevelopmentAuthority?
    }

    private func readAuthority() throws(DevelopmentCertificateError) -> FoundAuthority? {
        let pem = try content(authorityPath.certificate)
        var key = try content(authorityPath.key)
        if let pem, CertificateIdentity(certificatePEM: pem, keyPEM: key ?? []) == nil,
            let new = try content(newKeyPath),
            let identity = CertificateIdentity(certificatePEM: pem, keyPEM: new)
        {
            // It was interrupted before the key had its name.
            try writeKey(of: identity)
            key = new
        }
        if pem == nil && key == nil { return nil }
        return FoundAuthority(
            certificate: pem.flatMap(CertificateIdentity.firstCertificate),
            authority: CertificateIdentity(certificatePEM: pem ?? [], keyPEM: key ?? [])
                .map(DevelopmentAuthority.init))
    }

    /// Why an authority must be replaced; nil if it can be kept.
    private static func reasonToReplace(
        _ authority: DevelopmentAuthority, covering domains: Set<DomainName>, now: Date
    ) -> String? {
        guard authority.isLandfalls else { return nil }
        let end = authority.identity.certificate.notValidAfter
        if end <= now { return "it has expired" }
        if end <= now.addingTimeInterval(marginSeconds) { return "it expires within a week" }
        guard let hosts = authority.hosts else {
            return "it had no name constraints, so its key could impersonate any site"
        }
        let others = domains.map(\.constraint).filter { name in
            !hosts.contains { name == $0 || name.hasSuffix("." + $0) }
        }
        return others.isEmpty
            ? nil : "it may not sign for \(others.sorted().joined(separator: ", "))"
    }

    private func usable(
        _ found: FoundAuthority, now: Date
    ) throws(DevelopmentCertificateError) -> DevelopmentAuthority {
        func fault(_ reason: String) -> DevelopmentCertificateError {
            .badAuthority(path: authorityPath.certificate, reason: reason)
        }
        guard let authority = found.authority else {
            throw fault("this file and ca.key are not a certificate and its P-256 key")
        }
        let certificate = authority.identity.certificate
        guard case .isCertificateAuthority = try? certificate.extensions.basicConstraints,
            certificate.subject == certificate.issuer
        else { throw fault("it is not a certificate of an authority") }
        guard authority.isLandfalls || certificate.notValidAfter > now else {
            throw fault("it has expired")
        }
        return authority
    }

    // MARK: - Writing

    private func write(
        _ made: DevelopmentCertificates, isNew: Bool
    ) throws(DevelopmentCertificateError) {
        try makeFolder(path)
        if isNew {
            try makeFolder(path + "/authority")
            let identity = made.authority.identity
            // A certificate without its key could not be used, so the key is there before it.
            try write(identity.keyPEM, to: newKeyPath, mode: 0o600)
            try write(identity.certificatePEM, to: authorityPath.certificate, mode: 0o644)
            try writeKey(of: identity)
        }
        for server in made.servers { try write(server.identity, to: files(server.domain)) }
    }

    /// Gives the authority's key its name.
    private func writeKey(of identity: CertificateIdentity) throws(DevelopmentCertificateError) {
        try write(identity.keyPEM, to: authorityPath.key, mode: 0o600)
        try? FileManager.default.removeItem(atPath: newKeyPath)
    }

    /// Makes a folder that only its owner can access; an existing one keeps its mode.
    private func makeFolder(_ path: String) throws(DevelopmentCertificateError) {
        if Folder.isFolder(path) { return }
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        } catch {
            throw .unwritable(path: path)
        }
    }

    /// The certificate first: `state` reads a key without one as foreign.
    private func write(
        _ identity: CertificateIdentity, to files: (certificate: String, key: String)
    ) throws(DevelopmentCertificateError) {
        try write(identity.certificatePEM, to: files.certificate, mode: 0o644)
        try write(identity.keyPEM, to: files.key, mode: 0o600)
    }

    /// Replaces a file atomically.
    private func write(
        _ text: String, to path: String, mode: Int
    ) throws(DevelopmentCertificateError) {
        let isWritten = FileManager.default.createFile(
            atPath: path, contents: Data(text.utf8), attributes: [.posixPermissions: mode])
        if !isWritten { throw .unwritable(path: path) }
    }

    private func report(
        _ made: DevelopmentCertificates, _ domains: [DomainName], _ states: [DomainName: State],
        isNew: Bool, replaced: FoundAuthority?
    ) -> CertificateReport {
        let certificate = made.authority.identity.certificate
        let authority = CertificateReport.Authority(
            name: made.authority.name, certificate: authorityPath.certificate,
            key: authorityPath.key, notAfter: certificate.notValidAfter,
            hosts: made.authority.hosts, status: isNew ? .made : .kept,
            replaced: isNew
                ? replaced?.certificate.flatMap { DevelopmentAuthority.commonName($0.subject) }
                : nil)
        let ends = Dictionary(
            uniqueKeysWithValues: made.servers.map {
                ($0.domain, $0.identity.certificate.notValidAfter)
            })
        let entries = domains.map { domain in
            let files = files(domain)
            let (status, end): (CertificateReport.Status, Date?) =
                switch states[domain] {
                case .good(let end): (.kept, end)
                case .foreign(let end): (.foreign, end)
                default: (.made, ends[domain])
                }
            return CertificateReport.Entry(
                domain: domain.text, certificate: files.certificate, key: files.key,
                notAfter: end, status: status)
        }
        return CertificateReport(authority: authority, certificates: entries)
    }
}
