// The server and the token that a command uses where no option names them: those of the
// environment, or of the server that runs on the configured data folder.
//
// Invariant: a token of the configuration is sent only to the server of its own data folder.

import ArgumentParser
import Foundation
import HTTPClient
import ResultStore
import Settings

/// What commands know of servers from their surroundings.
enum KnownServer {
    private static var environment: [String: String] { ProcessInfo.processInfo.environment }

    /// The server of an option, or of LANDFALL_SERVER; nil if neither names one.
    ///
    /// Throws if the variable isn't the URL of a server.
    static func named(_ option: String?) throws(CommandFailure) -> String? {
        if let option { return option }
        guard let server = environment["LANDFALL_SERVER"], !server.isEmpty else { return nil }
        try CommandFailure.environment { try server.requireServer("LANDFALL_SERVER") }
        return server
    }

    /// The server that a command asks by default: the named one, the one of the configured data
    /// folder, or the configured address; and whether that expects a PROXY header.
    static func usual(
        _ option: String?
    ) throws(CommandFailure) -> (url: String, expectsProxyHeader: Bool) {
        if let named = try named(option) { return (named, false) }
        let configuration = try CommandFailure.environment {
            try Configuration.load(nil, environment: environment)
        }
        let url =
            ResultStore.announcedAddresses(in: configuration.dataFolder).first
            ?? configuration.localURL("http", port: configuration.port)
        return (url, configuration.expectsProxyHeader)
    }

    /// The token of an option, of LANDFALL_TOKEN, or of the file of LANDFALL_TOKEN_FILE; nil if none
    /// is given.
    static func token(_ option: String?) throws(CommandFailure) -> String? {
        if let option { return option }
        return try CommandFailure.environment { try Configuration.token(environment) }
    }
}

extension String {
    /// Throws unless the value of an option is a URL that can be requested.
    func requireURL(_ option: String) throws(ValidationError) {
        do throws(ClientError) {
            _ = try RequestPlace(self)
        } catch {
            throw ValidationError("\(option): \(error)")
        }
    }

    /// Throws unless the value of an option is the URL of a server, to which a path can be added.
    func requireServer(_ option: String) throws(ValidationError) {
        try requireURL(option)
        if contains(where: { $0 == "?" || $0 == "#" }) {
            throw ValidationError("\(option): The URL of a server has no query and no fragment.")
        }
    }
}
