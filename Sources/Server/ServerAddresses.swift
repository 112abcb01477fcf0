// The URLs by which this server can be reached: for people at a terminal, for QR codes, and for
// commands on this machine.
//
// Invariant: the best one for another device comes first. Left out: whether a firewall or router
// lets the device through.

import HTTP1
import JSON
import Problems
import QRCode
import ResultAPI
import Settings
import Sockets

/// Where a server listens, as URLs.
package struct ServerAddresses: Sendable {
    /// Where an address comes from.
    package enum Kind: String, Sendable, CaseIterable {
        /// The configuration names it: `listen.url`, or an address that isn't loopback.
        case configured
        /// An address of this machine in its networks.
        case lan
        /// This machine alone.
        case loopback
    }

    /// A URL without a path.
    package struct Address: Sendable, Equatable {
        package let url: String
        package let kind: Kind
    }

    /// A socket's address with the scheme that it speaks.
    package struct Place: Sendable {
        let scheme: String
        let ip: IPAddress
        let port: UInt16

        package init(scheme: String, ip: IPAddress, port: UInt16) {
            self.scheme = scheme
            self.ip = ip
            self.port = port
        }

        fileprivate func url(_ ip: IPAddress) -> String { "\(scheme)://\(ip.urlHost):\(port)" }
    }

    /// The URL of the configuration.
    private let reachableURL: String?
    private let places: [Place]

    /// - Parameter places: one for each TCP address, plain ones first.
    package init(reachableURL: String?, places: [Place]) {
        self.reachableURL = reachableURL
        self.places = places
    }

    /// The addresses, best first.
    ///
    /// - Parameter machine: this machine's addresses; they may change while it runs.
    package func list(machine: [IPAddress] = IPAddress.ofThisMachine) -> [Address] {
        var found: [Address] = reachableURL.map { [Address(url: $0, kind: .configured)] } ?? []
        for place in places {
            if place.ip.isWildcard {
                // A wildcard of IPv6 takes IPv4 connections too.
                let usable = machine.filter { !place.ip.isIPv4 || $0.isIPv4 }
                found += usable.map { Address(url: place.url($0), kind: .lan) }
            } else if !place.ip.isLoopback {
                found.append(Address(url: place.url(place.ip), kind: .configured))
            }
            if let local = Self.loopback(for: place.ip) {
                found.append(Address(url: place.url(local), kind: .loopback))
            }
        }
        var listed: Set<String> = []
        return Kind.allCases.flatMap { kind in found.filter { $0.kind == kind } }
            .filter { listed.insert($0.url).inserted }
    }

    /// The addresses for commands on this machine, best first; they don't change while the server
    /// runs.
    package var local: [String] {
        places.map { $0.url(Self.loopback(for: $0.ip) ?? $0.ip) }
    }

    /// The loopback address that reaches a socket; nil if none does.
    private static func loopback(for ip: IPAddress) -> IPAddress? {
        if ip.isLoopback { return ip }
        return ip.isWildcard ? IPAddress(v4: 0x7F00_0001) : nil
    }
}

extension Bindings {
    /// The URLs of these sockets.
    package func addresses(_ configuration: Configuration) -> ServerAddresses {
        func places(_ listeners: [Listener], _ scheme: String) -> [ServerAddresses.Place] {
            // Each loop has a socket of its own on the same address.
            var seen: Set<SocketAddress> = []
            return listeners.compactMap { listener in
                guard let ip = listener.address.ip, seen.insert(listener.address).inserted else {
                    return nil
                }
                return ServerAddresses.Place(scheme: scheme, ip: ip, port: listener.port)
            }
        }
        return ServerAddresses(
            reachableURL: configuration.reachableURL,
            places: places(plain, "http") + places(secure, "https"))
    }
}

extension ServerAddresses {
    /// `GET /api/v1/addresses`: `{"addresses":[{"url","kind"}]}`.
    ///
    /// A client that accepts SVG too gets the QR code of each address as `qr_code`.
    func response(to request: Request) -> Response {
        let withImage = AcceptedTypes(request).match("image/svg+xml")?.specificity == 3
        let body = JSONWriter.object { json in
            json.objects("addresses", of: list()) { json, address in
                json.member("url", address.url)
                json.member("kind", address.kind.rawValue)
                if withImage {
                    let code = try? QRCode(address.url).svg(title: "Address of this server")
                    json.member("qr_code", code)
                }
            }
        }
        return ResultAPI.uncached(body)
    }
}
