// Address blocks in CIDR notation, as configurations list trusted peers.

/// All addresses that share their first bits, such as 10.0.0.0/8.
package struct AddressBlock: Sendable, Hashable {
    private let first: IPAddress

    /// Number of an address's last bits that may differ from `first`.
    private let hostBits: Int

    /// Parses an address, or an address and a prefix length (RFC 4632 §3.1, RFC 4291 §2.3):
    /// `10.0.0.0/8`, `fd00::/8`, `::1`.
    ///
    /// Nil for anything else, and if a bit after the prefix is set, because `10.0.0.1/8` could mean
    /// the address or the block. A block of IPv4-mapped addresses is an IPv4 block. O(1).
    package init?(_ text: String) {
        let octets = Array(text.utf8.prefix(64))
        let address = octets.prefix { $0 != UInt8(ascii: "/") }
        guard let first = IPAddress(address) else { return nil }
        // The notation of the address decides which bits its prefix counts.
        let writtenBits = address.contains(UInt8(ascii: ":")) ? 128 : 32
        var prefix = writtenBits
        if address.endIndex < octets.endIndex {
            let digits = octets[(address.endIndex + 1)...]
            guard let number = IPAddress.decimal(digits, digits: 3), number <= writtenBits else {
                return nil
            }
            prefix = number
        }
        let hostBits = writtenBits - prefix
        // The mapped prefix has bits set above the low 32, so a larger block isn't IPv4.
        guard hostBits <= (first.isIPv4 ? 32 : 128),
            first.bits.trailingZeroBitCount >= hostBits
        else { return nil }
        self.first = first
        self.hostBits = hostBits
    }

    /// Whether the block has all addresses of a family.
    package var isEverything: Bool { hostBits >= (first.isIPv4 ? 32 : 128) }

    /// Whether `address` is in the block and of its family.
    ///
    /// O(1).
    package func contains(_ address: IPAddress) -> Bool {
        address.isIPv4 == first.isIPv4 && (address.bits ^ first.bits) >> UInt128(hostBits) == 0
    }
}

extension AddressBlock: CustomStringConvertible {
    /// An address, or the first one of the block with the length of its prefix: `10.0.0.0/8`.
    package var description: String {
        let prefix = (first.isIPv4 ? 32 : 128) - hostBits
        return hostBits == 0 ? "\(first)" : "\(first)/\(prefix)"
    }
}
