// A certificate and its private key, to and from PEM. Keys are P-256 in PKCS#8, which OpenSSL,
// Apple's systems and browsers accept.

import Crypto
import SwiftASN1
import X509

/// A certificate with its private key.
struct CertificateIdentity: Sendable {
    let certificate: Certificate
    let key: P256.Signing.PrivateKey
}

extension CertificateIdentity {
    /// Reads two PEM texts; nil if either is something else, or if the key doesn't match.
    init?(certificatePEM: [UInt8], keyPEM: [UInt8]) {
        guard let certificate = Self.firstCertificate(certificatePEM),
            let key = try? P256.Signing.PrivateKey(
                pemRepresentation: String(decoding: keyPEM, as: UTF8.self)),
            certificate.publicKey == Certificate.PublicKey(key.publicKey)
        else { return nil }
        self.init(certificate: certificate, key: key)
    }

    /// The first certificate of a PEM text, the leaf of a chain; nil if absent.
    static func firstCertificate(_ pem: [UInt8]) -> Certificate? {
        let documents = try? PEMDocument.parseMultiple(
            pemString: String(decoding: pem, as: UTF8.self))
        return documents?.first.flatMap { try? Certificate(pemDocument: $0) }
    }

    /// The certificate without a chain: a root is never sent, and there are no intermediates.
    var certificatePEM: String {
        get throws(DevelopmentCertificateError) {
            do {
                return try certificate.serializeAsPEM().pemString + "\n"
            } catch {
                throw .unsignable(reason: "\(error)")
            }
        }
    }

    /// The key, PKCS#8.
    var keyPEM: String { key.pemRepresentation + "\n" }
}
