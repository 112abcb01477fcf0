// Where the database is, as users write it: libpq's connection strings, without secrets.

import CPostgreSQL

/// The address of a database.
package struct DatabaseAddress: Sendable, Equatable {
    /// As it was written: a URL, or `name=value` pairs.
    package let text: String
    /// The schema that holds the tables.
    let schema: String

    /// The schema of servers; tests use others.
    static let defaultSchema = "landfall"

    /// Makes an address of a checked text.
    package init(_ text: String, schema: String = defaultSchema) {
        self.text = text
        self.schema = schema
    }

    /// What an address is.
    package static let rule =
        "the address of a PostgreSQL, such as postgres://db.example.com/landfall"

    /// Whether a text is a URL or `name=value` pairs, rather than the path of a folder.
    package static func isAddress(_ text: String) -> Bool {
        text.contains("://") || isPairs(text)
    }

    private static func isPairs(_ text: String) -> Bool {
        text.contains("=") && !text.prefix { $0 != "=" }.contains("/")
    }

    /// What a text should have been; nil if it is an address without secrets.
    ///
    /// Loads libpq.
    package static func fault(of text: String) -> String? {
        let isURL = ["postgres://", "postgresql://"].contains(where: text.hasPrefix)
        guard isURL || isPairs(text) else { return rule }
        // SAFETY: the texts live for the calls; the reason is ended with NUL within its buffer.
        if let reason = unsafe cpq_load() {
            return unsafe "files: libpq can't be loaded (\(String(cString: reason))); to use a "
                + "database, install Debian's package libpq5"
        }
        var hasPassword: Int32 = 0
        var hasBadPort: Int32 = 0
        var hasBadName: Int32 = 0
        var result: Int32 = 0
        let reason = unsafe [CChar](unsafeUninitializedCapacity: 256) { buffer, count in
            unsafe buffer.initialize(repeating: 0)
            result = unsafe cpq_check(
                text, &hasPassword, &hasBadPort, &hasBadName, buffer.baseAddress, 256)
            count = 256
        }
        if result != 0 {
            let octets = reason.prefix { $0 != 0 && $0 != 10 }.map { UInt8(bitPattern: $0) }
            var reason = String(decoding: octets, as: UTF8.self)
            // What it quotes of the address may be a part of a password, but for the name of a
            // parameter in a URL without one. It may be cut, so all that follows goes with it.
            let lacksValue = reason.contains("\"=\"")
            let mayHaveSecret =
                !isURL || lacksValue || text.contains("@") || text.lowercased().contains("pass")
            reason = reason.replacing("\"=\"", with: "=")
            if mayHaveSecret, let quote = reason.firstIndex(of: "\"") {
                reason = String(reason[..<quote]) + "…"
            }
            return "an address that libpq understands: \(reason)"
        }
        if hasPassword != 0 {
            return "an address without a password: set PGPASSFILE or PGPASSWORD instead"
        }
        if hasBadName != 0 {
            return "an address whose database name isn't itself an address: set PGPASSFILE or "
                + "PGPASSWORD instead of a password"
        }
        return hasBadPort != 0 || isSplit(text)
            ? "an address whose port is a number and whose database name has no @, or they may be "
                + "parts of a password: write / in a user name or password as %2F and @ in a name "
                + "as %40, and set PGPASSFILE or PGPASSWORD instead of a password"
            : nil
    }

    /// Whether a URL has `@` in its path, as after a password with `/` in it.
    private static func isSplit(_ text: String) -> Bool {
        guard let scheme = text.firstRange(of: "://") else { return false }
        return text[scheme.upperBound...].prefix { $0 != "?" }.drop { $0 != "/" }.contains("@")
    }

    /// libpq's keywords; later ones win.
    var keywords: [(name: String, value: String)] {
        [
            ("connect_timeout", "\(Limits.connectSeconds)"),
            ("keepalives_idle", "\(Limits.connectSeconds)"), ("keepalives_interval", "2"),
            ("keepalives_count", "3"),
            ("tcp_user_timeout", "\(Limits.silenceMilliseconds)"),
            ("target_session_attrs", "read-write"), ("fallback_application_name", "landfall"),
            ("dbname", text), ("client_encoding", "UTF8"),
        ]
    }
}
