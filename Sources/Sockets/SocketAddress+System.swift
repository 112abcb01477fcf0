// Converts addresses from the kernel.

import CLinux

extension SocketAddress {
    /// Converts an address that a shim returned.
    init(_ address: clinux_address) {
        var address = address
        // SAFETY: the array of the struct has 16 bytes, and all of them are read.
        let words = unsafe withUnsafeBytes(of: &address.bytes) { raw in
            (
                high: UInt64(bigEndian: unsafe raw.loadUnaligned(as: UInt64.self)),
                low: UInt64(
                    bigEndian: unsafe raw.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
            )
        }
        self =
            switch address.family {
            case 4: .ip(IPAddress(v4: UInt32(words.high >> 32)), port: address.port)
            case 6: .ip(IPAddress(high: words.high, low: words.low), port: address.port)
            default: .unix
            }
    }

    /// The port; 0 for a Unix-domain socket.
    package var port: UInt16 {
        switch self {
        case .ip(_, let port): port
        case .unix: 0
        }
    }
}
