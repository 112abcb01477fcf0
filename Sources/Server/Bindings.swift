// Opens the listening sockets of the configuration: bound here, inherited from systemd, or taken
// over from a running server.

import HTTP1
import Settings
import Sockets

/// The sockets that the server listens on, by protocol.
package struct Bindings: Sendable {
    private(set) var plain: [Listener] = []
    private(set) var secure: [Listener] = []
    private(set) var local: [Listener] = []

    /// Whether a service manager has opened some of them, and keeps them.
    private(set) var areInherited: Bool

    /// The file of the Unix-domain socket, if a server has made it; nil for a service manager's.
    private(set) var ownPath: String?

    /// All listeners.
    var listeners: [Listener] { plain + secure + local }

    /// Whether only this machine can connect.
    package var areLocal: Bool {
        listeners.allSatisfy { $0.address.ip?.isLoopback ?? true }
    }

    /// The port for plain HTTP; nil if only a Unix-domain socket serves it.
    var port: UInt16? { plain.first?.port }

    /// The port for TLS.
    package var securePort: UInt16? { secure.first?.port }

    /// Opens the configured sockets, unless another process has already opened them.
    ///
    /// - Parameters:
    ///   - handed: sockets of a server that stops; each replaces the configured one of the same
    ///     port, which must have the same address. The Unix-domain socket must have the same path.
    ///     Those that replace none are closed.
    ///   - areKept: whether a service manager keeps some of these sockets; then all must be served.
    ///   - inherited: sockets of a service manager; they replace the configured ones.
    ///   - count: sockets for each TCP address: one for each loop, but no more than can be handed
    ///     over.
    ///
    /// Throws if a socket can't be opened, or if one for TLS was inherited without certificates.
    package init(
        _ configuration: Configuration, handed: [Listener] = [], areKept: Bool = false,
        inherited: [InheritedSockets.Socket] = [], count: Int
    ) throws(BindingError) {
        areInherited = areKept || !inherited.isEmpty
        for socket in inherited {
            if socket.name == "tls" {
                guard configuration.tls != nil else {
                    throw BindingError(
                        sentence: "A socket named tls was inherited, but no certificates are "
                            + "configured: see tls in the configuration.")
                }
                secure.append(socket.listener)
            } else if socket.listener.address == .unix {
                local.append(socket.listener)
            } else {
                plain.append(socket.listener)
            }
        }
        let isComplete = !plain.isEmpty || !local.isEmpty
        if let tls = configuration.tls, secure.isEmpty {
            secure = try Self.tcp(configuration.host, tls.port, handed, count)
        }
        if isComplete { return }
        plain = try Self.tcp(configuration.host, configuration.port, handed, count)
        if let path = configuration.unixSocket {
            local = try Self.unix(path, handed)
            ownPath = areKept && handed.contains { $0.address == .unix } ? nil : path
        }
        try closeOthers(handed)
    }

    /// Closes sockets of the former server that this one doesn't serve: clients would connect to
    /// them, and nobody would answer.
    private func closeOthers(_ handed: [Listener]) throws(BindingError) {
        let others = handed.filter { one in !listeners.contains { $0 === one } }
        if areInherited, let other = others.first {
            throw BindingError(dropping: other.path ?? "\(other.address)")
        }
        for other in others { other.close() }
    }

    /// The bindings that `Server.run` takes.
    func bindings(_ configuration: Configuration, _ tls: LiveTLSContext?) -> [Binding] {
        let usesProxyHeader = configuration.expectsProxyHeader
        return [
            Binding(plain, expectsProxyHeader: usesProxyHeader),
            Binding(secure, tls: tls, expectsProxyHeader: usesProxyHeader),
            Binding(local, expectsProxyHeader: usesProxyHeader),
        ]
    }

    private static func tcp(
        _ host: String, _ port: UInt16, _ handed: [Listener], _ count: Int
    ) throws(BindingError) -> [Listener] {
        let matching = handed.filter { $0.address != .unix && $0.port == port }
        if let first = matching.first {
            let isSame =
                host == "localhost"
                ? first.address.ip?.isLoopback == true
                : first.address.ip == IPAddress(Array(host.utf8))
            guard isSame else {
                throw BindingError(keeping: "\(first.address)", wanted: "\(host):\(port)")
            }
            return matching
        }
        do throws(SocketError) {
            if port != 0 { try Listener.checkFree(host: host, port: port) }
            let first = try Listener(host: host, port: port, isShared: true)
            var listeners = [first]
            while listeners.count < min(count, Sockets.Limits.listenersOfAddress) {
                listeners.append(try Listener(host: host, port: first.port, isShared: true))
            }
            return listeners
        } catch {
            throw BindingError(place: "\(host):\(port)", reason: error)
        }
    }

    /// Throws if no server could listen on the Unix-domain socket, whichever process uses it now.
    package static func checkSocket(_ configuration: Configuration) throws(BindingError) {
        guard let path = configuration.unixSocket else { return }
        do throws(SocketError) {
            try Listener.checkFree(path: path, preface: configuration.emptyPreface)
        } catch {
            if error != .addressInUse { throw BindingError(place: path, reason: error) }
        }
    }

    private static func unix(
        _ path: String, _ handed: [Listener]
    ) throws(BindingError) -> [Listener] {
        let matching = handed.filter { $0.address == .unix }
        if let first = matching.first {
            guard first.path == path else {
                throw BindingError(keeping: first.path ?? "another socket", wanted: path)
            }
            return matching
        }
        do throws(SocketError) {
            return [try Listener(path: path)]
        } catch {
            throw BindingError(place: path, reason: error)
        }
    }
}

/// The server can't listen on an address.
package struct BindingError: Error, CustomStringConvertible {
    /// A sentence that says what to do.
    package let description: String

    package init(sentence: String) {
        description = sentence
    }

    /// A takeover can't move to another address: the running server's connections wait at the old
    /// one.
    init(keeping known: String, wanted: String) {
        description =
            "The running server listens on \(known), and a takeover can't change that to "
            + "\(wanted): stop it, then start without --take-over."
    }

    /// A service manager keeps its socket open: clients would connect to it and wait forever.
    init(dropping known: String) {
        description =
            "The running server listens on \(known) for its service manager, and a takeover can't "
            + "drop that: configure this address, or restart the service without --take-over."
    }

    init(place: String, reason: SocketError) {
        description =
            if reason == .addressInUse {
                "\(place) is in use by another process: stop it, or listen elsewhere. A running server "
                    + "on the same data folder can be taken over with --take-over."
            } else if reason == .notASocket {
                "\(place) exists, but isn't a socket: remove it, or listen on another path."
            } else {
                "\(place) can't be listened on: \(reason)."
            }
    }
}
