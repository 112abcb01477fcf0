// All errors of certificates, keys and settings. Errors on a connection are reported by its
// session. No case contains a key or a part of one.

import COpenSSL

/// Why TLS can't be set up.
package enum TLSError: Error, Equatable {
    /// The certificates of the identity `name` are not PEM, or one is damaged.
    case certificateUnreadable(name: String)

    /// The key of the identity `name` is not PEM, or is damaged.
    case keyUnreadable(name: String)

    /// The key of the identity `name` can't be read without a passphrase.
    case keyEncrypted(name: String)

    /// The key of the identity `name` belongs to another certificate.
    case keyMismatch(name: String)

    /// The OCSP response of the identity `name` is not DER, or reports an error.
    case ocspResponseMalformed(name: String)

    /// The bundle of authorities is not PEM, is empty, or contains a damaged certificate.
    case authoritiesUnreadable

    /// Clients are asked for certificates, but no authorities are configured to verify them.
    case noClientAuthorities

    /// A server has no identity.
    case noIdentity

    /// OpenSSL failed for another reason, such as a key that is too small; the text is OpenSSL's.
    case library(String)
}

extension TLSError: CustomStringConvertible {
    /// The error as one English clause, without a full stop.
    package var description: String {
        switch self {
        case .certificateUnreadable(let name): "\(name): the certificate can't be read"
        case .keyUnreadable(let name): "\(name): the private key can't be read"
        case .keyEncrypted(let name): "\(name): the private key is encrypted"
        case .keyMismatch(let name): "\(name): the private key doesn't match the certificate"
        case .ocspResponseMalformed(let name): "\(name): the OCSP response is malformed"
        case .authoritiesUnreadable: "the certificate authorities can't be read"
        case .noClientAuthorities:
            "client certificates are requested, but no client authorities are given"
        case .noIdentity: "no certificate is given"
        case .library(let reason): "OpenSSL: \(reason)"
        }
    }
}

extension TLSError {
    /// Throws the error of a shim's negative result for the identity `name`.
    static func check(_ result: Int32, name: String = "") throws(TLSError) {
        guard result < 0 else { return }
        switch Int(result) {
        case copenssl_certificate_unreadable: throw .certificateUnreadable(name: name)
        case copenssl_key_unreadable: throw .keyUnreadable(name: name)
        case copenssl_key_encrypted: throw .keyEncrypted(name: name)
        case copenssl_key_mismatch: throw .keyMismatch(name: name)
        case copenssl_ocsp_malformed: throw .ocspResponseMalformed(name: name)
        case copenssl_authorities_unreadable: throw .authoritiesUnreadable
        default: throw .lastOnThread()
        }
    }

    /// Why the shim's last call on this thread failed.
    static func lastOnThread() -> TLSError {
        .library(unsafe text(upTo: 256) { unsafe copenssl_take_reason($0, $1) })
    }
}

/// The text that `write` puts into a buffer of `capacity` bytes, ended by NUL.
func text(
    upTo capacity: Int, _ write: (_ buffer: UnsafeMutablePointer<CChar>, _ capacity: Int) -> Void
) -> String {
    unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: capacity) { buffer in
        unsafe buffer.initialize(repeating: 0)
        // SAFETY: `write` stays within the capacity and ends the text with NUL.
        guard let base = buffer.baseAddress else { return "" }
        unsafe write(base, capacity)
        return unsafe String(cString: base)
    }
}
