// Who a server, or a client, says it is. Files are read elsewhere: here are their octets.

/// One certificate chain with its private key.
package struct TLSIdentity: Sendable, CustomStringConvertible {
    /// What messages call it: a file's name.
    package let name: String

    let chain: [UInt8]
    let key: SecretOctets
    let ocspResponse: [UInt8]?

    /// Creates an identity; whether its parts can be read is checked where it is used.
    ///
    /// - Parameters:
    ///   - chain: certificates in PEM, the identity's own first, then those that signed it in order.
    ///   - key: the private key in PEM, not encrypted. The octets are overwritten at the end, unless
    ///     the caller keeps a copy.
    ///   - ocspResponse: in DER; clients that ask for the certificate's status get it as it is.
    package init(
        name: String, chain: [UInt8], key: consuming [UInt8], ocspResponse: [UInt8]? = nil
    ) {
        self.name = name
        self.chain = chain
        self.key = SecretOctets(key)
        self.ocspResponse = ocspResponse
    }

    /// The name: never the key.
    package var description: String { name }
}
