// The report of `landfall certs init`, for people and programs. It names certificate and key files,
// and never contains a key.

import FoundationEssentials

/// The authority and the certificates of a folder, after an update.
package struct CertificateReport: Codable, Equatable, Sendable {
    /// What happened to a file.
    enum Status: String, Codable, Sendable {
        case made
        /// It was already valid.
        case kept
        /// No development authority issued it, so it was not changed.
        case foreign
    }

    /// The authority.
    struct Authority: Codable, Equatable, Sendable {
        /// Its common name.
        var name: String
        /// The file of its certificate.
        var certificate: String
        /// The file of its key.
        var key: String
        /// The last second of its validity.
        var notAfter: Date
        /// The hosts that it may sign for, and names below each; nil for a foreign authority
        /// without name constraints.
        var hosts: [String]?
        var status: Status
        /// The name of the authority that it replaced.
        var replaced: String?
        /// Why it was replaced; nil if `--force` was given.
        var reason: String?
    }

    /// One server certificate.
    struct Entry: Codable, Equatable, Sendable {
        var domain: String
        /// The file of its certificate.
        var certificate: String
        /// The file of its key.
        var key: String
        /// The last second of its validity; nil if the file holds no certificate.
        var notAfter: Date?
        var status: Status
    }

    var authority: Authority
    /// `localhost` first, the others by name.
    var certificates: [Entry]

    /// One JSON document: keys in snake_case and sorted, times RFC 3339 in UTC.
    package func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }

    /// The files in aligned columns, then how to trust the authority.
    ///
    /// - Parameter port: for TLS, of the server that uses the certificates.
    package func text(port: UInt16) -> String {
        let rows =
            certificates.map { (status: $0.status, file: $0.certificate, end: $0.notAfter) }
            + [(authority.status, authority.certificate, authority.notAfter)]
        let width = rows.map(\.file.count).max() ?? 0
        let lines = rows.map { row in
            let status = row.status.rawValue
            let end = row.end.map { "until " + $0.formatted(.iso8601.year().month().day()) }
            return status + Self.blanks(9 - status.count) + row.file
                + Self.blanks(width + 2 - row.file.count) + (end ?? "no certificate in it")
        }
        var paragraphs = [lines.joined(separator: "\n")]
        if certificates.contains(where: { $0.status == .foreign }) {
            paragraphs.append(
                "Files marked foreign were not made by this command and are left unchanged.")
        }
        if let replaced = authority.replaced {
            paragraphs.append(
                "\"\(replaced)\" was replaced\(authority.reason.map { ", since \($0)" } ?? ""): remove it "
                    + "where it was installed, and install the new one.")
        }
        let trust = TrustCommands(
            name: authority.name, certificate: authority.certificate, hosts: authority.hosts,
            port: port)
        paragraphs.append(trust.text)
        return paragraphs.joined(separator: "\n\n")
    }

    private static func blanks(_ count: Int) -> String {
        String(repeating: " ", count: max(count, 1))
    }
}
