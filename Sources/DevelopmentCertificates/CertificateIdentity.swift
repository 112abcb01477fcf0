// A certificate and the private key that belongs to it, as PEM texts and back. Keys are P-256 in
// PKCS#8, which OpenSSL, Apple's systems and browsers all take.

import Crypto
import SwiftASN1
import X509

/// A certificate with its private key.
struct CertificateIdentity: Sendable {
    let certificate: Certificate
    let key: P256.Signing.PrivateKey

    /// Puts together what belongs together.
    init(certificate: Certificate, key: P256.Signing.PrivateKey) {
        self.certificate = certificate
        self.key = key
    }

    /// Reads two PEM texts; nil when either is something else, or the key is another's.
    init?(certificatePEM: [UInt8], keyPEM: [UInt8]) {
        guard let certificate = Self.firstCertificate(certificatePEM),
            let key = try? P256.Signing.PrivateKey(
                pemRepresentation: String(decoding: keyPEM, as: UTF8.self)),
            certificate.publicKey == Certificate.PublicKey(key.publicKey)
        else { return nil }
        self.init(certificate: certificate, key: key)
    }

    /// The first certificate of a PEM text, the leaf of a chain; nil when there is none.
    static func firstCertificate(_ pem: [UInt8]) -> Certificate? {
        let documents = try? PEMDocument.parseMultiple(
            pemString: String(decoding: pem, as: UTF8.self))
        return documents?.first.flatMap { try? Certificate(pemDocument: $0) }
    }

    /// The certificate alone: a root is never sent, and there is nothing between.
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
