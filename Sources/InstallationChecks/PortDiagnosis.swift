// Whether the configured addresses can be listened on, or are already served by the data folder's
// Landfall.

import Files
import Foundation
import HTTPClient
import ResultStore
import Settings
import Sockets

/// Checks the ports and the Unix-domain socket of a configuration.
package struct PortDiagnosis {
    private let configuration: Configuration
    private let ports: [(port: UInt16, scheme: String)]

    /// The checks of the ports that a configuration names.
    package init(_ configuration: Configuration) {
        self.configuration = configuration
        ports =
            [(configuration.port, "http")]
            + (configuration.tls.map { [($0.port, "https")] } ?? [])
    }

    /// Tries each port and the socket, and asks who uses it.
    package func diagnoses() async -> [Diagnosis] {
        var diagnoses: [Diagnosis] = []
        for (port, scheme) in ports { diagnoses.append(await diagnosis(port, scheme)) }
        if let path = configuration.unixSocket { diagnoses.append(await diagnosis(of: path)) }
        if let other = await diagnosisOfOtherAddress() { diagnoses.append(other) }
        return diagnoses
    }

    /// The addresses that the data folder's server has named, plain ones first.
    private var announced: [String] {
        ResultStore.announcedAddresses(in: configuration.dataFolder)
    }

    /// A warning if the data folder's server runs at an address that isn't configured; nil if not,
    /// or if it doesn't answer there.
    private func diagnosisOfOtherAddress() async -> Diagnosis? {
        let other = announced.first { address in
            !ports.contains { port, scheme in
                // The system chooses the port in place of 0.
                port == 0
                    ? address.hasPrefix("\(scheme)://")
                    : address == configuration.localURL(scheme, port: port)
            }
        }
        guard let other, await isHealthy(other) else { return nil }
        return .warning(
            "port",
            "the server of this folder runs at \(other), which this configuration doesn't say",
            "Give doctor the flags of serve; sockets of systemd win over the configuration.")
    }

    /// A socket in use is taken for that of the data folder's server, if that server answers.
    private func diagnosis(of path: String) async -> Diagnosis {
        do throws(SocketError) {
            try Listener.checkFree(path: path, preface: configuration.emptyPreface)
            return .ok("socket", "\(path) is free")
        } catch {
            guard error == .addressInUse else {
                return .problem(
                    "socket", "\(path) can't be listened on: \(error)",
                    "Name a path where nothing else is, in a folder that the server's user can "
                        + "write to.")
            }
            if let server = announced.first, await isHealthy(server) {
                return .ok("socket", "\(path) is served by a running Landfall")
            }
            return .problem(
                "socket", "\(path) is in use",
                "If it isn't your server, stop that program or choose another path.")
        }
    }

    private func diagnosis(_ port: UInt16, _ scheme: String) async -> Diagnosis {
        let name = "port \(port) (\(scheme)) on \(configuration.host)"
        do throws(SocketError) {
            try Listener.checkFree(host: configuration.host, port: port)
            return .ok("port", port == 0 ? "the system chooses a free port" : "\(name) is free")
        } catch {
            switch error {
            case .addressInUse: return await diagnosis(ofUsed: port, scheme, name)
            default:
                return .problem(
                    "port", "\(name) can't be used: \(error)",
                    port < 1024
                        ? "Ports below 1024 need the capability CAP_NET_BIND_SERVICE."
                        : "Choose an address of this machine for listen.host.")
            }
        }
    }

    /// Only a server that has named the port in the data folder is the configured one.
    ///
    /// A server that requires certificates of clients doesn't answer by https, but by the address
    /// that it has named first, a plain one.
    private func diagnosis(
        ofUsed port: UInt16, _ scheme: String, _ name: String
    ) async -> Diagnosis {
        let named = announced
        let isNamed = named.contains { $0.hasPrefix("\(scheme)://") && $0.hasSuffix(":\(port)") }
        let server = configuration.localURL(scheme, port: port)
        var isServed = await isHealthy(server)
        if !isServed, isNamed, let first = named.first, first != server {
            isServed = await isHealthy(first)
        }
        if !isServed {
            return .problem(
                "port", "\(name) is in use",
                "If it isn't your server, stop that program or choose another port.")
        }
        if isNamed { return .ok("port", "\(name) is served by a running Landfall") }
        if hidesAddresses {
            return .warning(
                "port", "\(name) is served by a Landfall, perhaps of another data folder",
                "Only a user who can read the file LOCK of the data folder can find out.")
        }
        return .problem(
            "port", "\(name) is served by a Landfall of another data folder",
            "Stop it, or choose another port.")
    }

    /// Whether the data folder may have the file LOCK although it can't be read.
    private var hidesAddresses: Bool {
        let lock = configuration.dataFolder + "/LOCK"
        do throws(FileError) {
            guard try FileStatus(lock) != nil else { return false }
            return !FileManager.default.isReadableFile(atPath: lock)
        } catch {
            return true
        }
    }

    private func isHealthy(_ server: String) async -> Bool {
        var request = ClientRequest(.get, "\(server)/healthz")
        // Whether clients trust the certificate is another check.
        request.verifiesServer = false
        request.sendsProxyHeader = configuration.expectsProxyHeader
        request.limitWaits(to: 3000)
        request.totalMilliseconds = 5000
        return (try? await Client.send(request))?.isHealthy ?? false
    }
}

extension ClientResponse {
    /// Whether it is the response of a Landfall to `GET /healthz`.
    package var isHealthy: Bool {
        status == 200 && body.elementsEqual(#"{"status":"ok"}"#.utf8)
    }
}
