// The addresses by which other machines can reach this one. Left out: loopback, link-local
// addresses, and the bridges of containers; names and routes are not looked up.

import CLinux

extension IPAddress {
    /// Maximum number of addresses that are listed.
    private static let mostMachineAddresses = 32

    /// The addresses of this machine's interfaces: IPv4 first, otherwise in the system's order;
    /// empty if they can't be read.
    ///
    /// They change while the program runs, so ask again for each use.
    package static var ofThisMachine: [IPAddress] {
        let empty = clinux_address()
        var found = [clinux_address](repeating: empty, count: mostMachineAddresses)
        // SAFETY: the array has as many elements as the count says, and lives for the call.
        let count = unsafe found.withUnsafeMutableBufferPointer { buffer in
            unsafe clinux_interface_addresses(buffer.baseAddress, Int32(buffer.count))
        }
        let addresses = found.prefix(max(Int(count), 0)).compactMap { SocketAddress($0).ip }
        return addresses.filter(\.isIPv4) + addresses.filter { !$0.isIPv4 }
    }

    /// Whether this is 0.0.0.0 or ::, which listens on every address of the machine.
    package var isWildcard: Bool { bits == 0 }

    /// The address as the host of a URL: IPv6 in brackets (RFC 3986 §3.2.2).
    package var urlHost: String { description.urlHost }
}

extension String {
    /// A name or an address as the host of a URL: IPv6 in brackets (RFC 3986 §3.2.2).
    package var urlHost: String { contains(":") ? "[\(self)]" : self }
}
