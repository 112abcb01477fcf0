// Sockets that systemd has opened for the service (sd_listen_fds(3)): descriptors from 3 on,
// described by LISTEN_PID, LISTEN_FDS and LISTEN_FDNAMES.

import FoundationEssentials
import Sockets

/// The service manager's sockets.
package enum InheritedSockets {
    /// One socket with the name that its unit gives it (`FileDescriptorName=`).
    package struct Socket: Sendable {
        package let name: String
        let listener: Listener
    }

    private static let firstDescriptor: Int32 = 3

    /// Maximum number of descriptors.
    private static let mostSockets: Int32 = 64

    /// Takes over the sockets for this process; empty if there are none.
    ///
    /// Throws `system` for a descriptor that is not a listening stream socket.
    package static func take(_ environment: [String: String]) throws(SocketError) -> [Socket] {
        guard let process = environment["LISTEN_PID"].flatMap({ Int32($0) }),
            process == ProcessInfo.processInfo.processIdentifier,
            let count = environment["LISTEN_FDS"].flatMap({ Int32($0) }),
            (1...mostSockets).contains(count)
        else { return [] }
        let names = environment["LISTEN_FDNAMES", default: ""]
            .split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        var sockets: [Socket] = []
        for index in 0..<count {
            let name = names.count > Int(index) ? names[Int(index)] : ""
            sockets.append(
                Socket(
                    name: name, listener: try Listener(inheriting: firstDescriptor + index)))
        }
        return sockets
    }
}
