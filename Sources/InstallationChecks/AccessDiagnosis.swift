// Who reaches the server: the token, and the proxies whose header fields are trusted.

import Settings
import Sockets

/// Checks the token and the proxies of a configuration.
package struct AccessDiagnosis {
    /// What was found out, in the order of the report.
    package let diagnoses: [Diagnosis]

    /// Checks a configuration.
    package init(_ configuration: Configuration) {
        diagnoses = [Self.token(configuration), Self.proxies(configuration)]
    }

    private static func token(_ configuration: Configuration) -> Diagnosis {
        let isLocal =
            configuration.host == "localhost"
            || IPAddress(Array(configuration.host.utf8)[...])?.isLoopback == true
        if configuration.token != nil { return .ok("access", "a token protects results") }
        if isLocal, !configuration.servesProxies {
            return .ok("access", "only this machine reaches the server, without a token")
        }
        return .warning(
            "access", "others reach the server, and no token is set here",
            "Set LANDFALL_TOKEN; otherwise each start makes a new one. For the package's service, "
                + "run this with LANDFALL_TOKEN_FILE=/etc/landfall/token.")
    }

    private static func proxies(_ configuration: Configuration) -> Diagnosis {
        if configuration.trustedProxies.contains(where: \.isEverything) {
            return .problem(
                "proxies", "trusted_proxies has every address",
                "Name only your proxies; others can claim any address, host and scheme.")
        }
        if configuration.unixSocket != nil, !configuration.trustsUnixPeers,
            !configuration.expectsProxyHeader
        {
            return .warning(
                "proxies", "clients behind the Unix-domain socket have no address of their own",
                "Add unix to trusted_proxies if a proxy opens the socket.")
        }
        if !configuration.trustedProxies.isEmpty || configuration.trustsUnixPeers {
            return .ok("proxies", "header fields of the configured proxies are trusted")
        }
        return .ok(
            "proxies",
            configuration.expectsProxyHeader
                ? "PROXY headers are trusted; X-Forwarded-For and the like are ignored"
                : "no proxy is trusted, so X-Forwarded-For and the like are ignored")
    }
}
