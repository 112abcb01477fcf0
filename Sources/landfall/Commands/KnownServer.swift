// The server and the token that a command uses where no option names them: those of the
// environment, or of the server that runs on the configured data folder.
//
// Invariant: a token of the configuration is sent only to the server of its own data folder.

import Foundation
import ResultStore
import Settings

/// What commands know of servers from their surroundings.
enum KnownServer {
    private static var environment: [String: String] { ProcessInfo.processInfo.environment }

    /// The server of LANDFALL_SERVER; nil if the variable isn't set.
    static var named: String? {
        environment["LANDFALL_SERVER"].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The server that a command asks by default: the named one, the one of the configured data
    /// folder, or the default port of this machine.
    static var usual: String {
        if let named { return named }
        let configuration = try? Configuration.load(nil, environment: environment)
        let addresses = configuration.map {
            ResultStore.announcedAddresses(in: $0.dataFolder)
        }
        return addresses?.first ?? "http://127.0.0.1:\(Configuration().port)"
    }

    /// The token of an option, of LANDFALL_TOKEN, or of the file of LANDFALL_TOKEN_FILE; nil if none
    /// is given.
    static func token(_ option: String?) throws(CommandFailure) -> String? {
        if let option { return option }
        do throws(ConfigurationError) {
            return try Configuration.token(environment)
        } catch {
            throw CommandFailure("\(error)")
        }
    }
}
