// The key of pseudonyms. Measurements have few possible values, so the key allows masked values to
// be guessed; without it they can't be. A different key gives different pseudonyms.

import Crypto
import Files
import FoundationEssentials
import ResultStore
import Vendors

/// The key under which values are masked.
package struct PrivacyKey: Sendable {
    /// Minimum characters of a configured key.
    static let shortestText = 16

    /// The file in the data folder that keeps a generated key.
    package static let fileName = "privacy.key"

    private let key: SymmetricKey

    /// Takes the key from the configuration, or else from the data folder; generates one if needed.
    ///
    /// Only the owner can read the file (mode 0600). Throws if it can't be read or written.
    package init(_ configuration: Configuration) throws(ConfigurationError) {
        if let known = try Self(known: configuration) {
            self = known
            return
        }
        let path = Self.path(configuration)
        var generator = SystemRandomNumberGenerator()
        let octets = (0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) }
        let text = Data(octets).base64EncodedString()
        do throws(StoreError) {
            // Durable before the first record whose values it masks.
            let file = try UnfinishedFile(path, mode: 0o600)
            try file.append(Array((text + "\n").utf8))
            try file.finish()
        } catch {
            throw .unreadable(path: path, reason: "it can't be written: \(error)")
        }
        self.init(text: text)
    }

    /// Takes the key from the configuration, or else from the data folder; nil if neither has one.
    ///
    /// Throws if it can't be read or is too short.
    package init?(known configuration: Configuration) throws(ConfigurationError) {
        if let text = configuration.privacyKey {
            self.init(text: text)
            return
        }
        let path = Self.path(configuration)
        let content = try ConfigurationError.reading { () throws(FileError) in
            try Folder.content(ofOptional: path)
        }
        guard let content else { return nil }
        let text = String(decoding: content, as: UTF8.self).filter { !$0.isWhitespace }
        guard text.utf8.count >= Self.shortestText else {
            throw .badValue(
                file: path, key: "the key",
                expected: "at least \(Self.shortestText) characters, as generated")
        }
        self.init(text: text)
    }

    private static func path(_ configuration: Configuration) -> String {
        configuration.dataFolder + "/" + fileName
    }

    package init(text: String) {
        key = SymmetricKey(data: Data(text.utf8))
    }

    /// Pseudonyms by HMAC-SHA256 (RFC 2104) under this key.
    package var pseudonyms: Pseudonyms {
        Pseudonyms { [key] value in
            HMAC<SHA256>.authenticationCode(for: value, using: key).prefix(8)
                .reduce(0) { $0 << 8 | UInt64($1) }
        }
    }
}
