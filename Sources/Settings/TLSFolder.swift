// The certificates in a folder: `NAME.pem` holds a chain, `NAME.key` its key, and the optional
// `NAME.ocsp` a response to staple. Their content is never logged.

import Files
import HTTP1
import Sockets

/// Reads certificates and detects changes.
package struct TLSFolder: Sendable {
    package let configuration: Configuration.TLS

    package init(configuration: Configuration.TLS) {
        self.configuration = configuration
    }

    /// The content of a folder, and problems that need attention.
    package struct Content: Sendable {
        package var settings: TLSSettings
        /// Key files that all users of the machine can read.
        package var exposedKeys: [String] = []
    }

    /// Reads all files.
    ///
    /// Throws `unreadable` for a missing key, and `badValue` if `default` doesn't name a
    /// certificate of the folder.
    package func read() throws(ConfigurationError) -> Content {
        var identities: [TLSIdentity] = []
        var exposedKeys: [String] = []
        for name in try names() {
            let base = configuration.folder + "/" + name
            let key = base + ".key"
            let identity = try ConfigurationError.reading { () throws(FileError) in
                TLSIdentity(
                    name: name, chain: try Self.content(of: base + ".pem"),
                    key: try Self.content(of: key),
                    ocspResponse: try Folder.content(ofOptional: base + ".ocsp"))
            }
            identities.append(identity)
            if Self.isExposed(key) { exposedKeys.append(key) }
        }
        if let name = configuration.defaultCertificate {
            guard let index = identities.firstIndex(where: { $0.name == name }) else {
                throw .badValue(
                    file: configuration.folder, key: "tls.default",
                    expected: "one of \(identities.map(\.name).joined(separator: ", "))")
            }
            identities.swapAt(0, index)
        }
        var settings = TLSSettings(identities: identities)
        if let file = configuration.clientAuthorities {
            settings.clientAuthorities = try ConfigurationError.reading { () throws(FileError) in
                try Self.content(of: file)
            }
            settings.clientVerification =
                switch configuration.clientCertificates {
                case .none: .none
                case .optional: .optional
                case .required: .required
                }
        }
        return Content(settings: settings, exposedKeys: exposedKeys)
    }

    /// Why an OCSP response isn't stapled at a time, in Unix seconds; nil if it is, or without one.
    ///
    /// - Parameter end: `responseExpiresAt` of the certificate.
    package static func reasonNotToStaple(responseExpiringAt end: Int64?, at now: Int64) -> String?
    {
        guard let end, end < now else { return nil }
        return end == 0
            ? "it is for another certificate" : "it expired on \(HTTPDate(unixSeconds: end))"
    }

    /// A file's bytes; refuses a pipe, because a reload would wait for it.
    private static func content(of path: String) throws(FileError) -> [UInt8] {
        if let content = try Folder.content(ofOptional: path) { return content }
        return try Folder.content(of: path)
    }

    /// The base names of the certificates, sorted; `localhost` first, so that it is the default if
    /// the configuration names none.
    private func names() throws(ConfigurationError) -> [String] {
        let status = try ConfigurationError.reading { () throws(FileError) in
            try FileStatus(configuration.folder)
        }
        guard status?.isFolder == true else {
            throw .unreadable(
                path: configuration.folder,
                reason: "there is no such folder; landfall certs init makes one")
        }
        let files = try ConfigurationError.reading { () throws(FileError) in
            try Folder.list(configuration.folder)
        }
        let names = files.filter { $0.hasSuffix(".pem") }
            .map { String($0.dropLast(".pem".count)) }
        guard !names.isEmpty else {
            throw .unreadable(
                path: configuration.folder + "/NAME.pem",
                reason: "it has no certificate; landfall certs init makes some")
        }
        return names.filter { $0 == "localhost" } + names.filter { $0 != "localhost" }
    }

    /// A text that changes when one of the files changes.
    package func fingerprint() -> String {
        let names = (try? Folder.list(configuration.folder)) ?? []
        let paths = names.map { configuration.folder + "/" + $0 }
        return Folder.fingerprint(
            of: paths + [configuration.clientAuthorities].compactMap(\.self))
    }

    private static func isExposed(_ path: String) -> Bool {
        (try? FileStatus(path)).map { $0.permissions & 0o007 != 0 } ?? false
    }
}
