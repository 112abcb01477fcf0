// `--config`: the configuration that a command uses. Every command that needs one loads it here.

import ArgumentParser
import Foundation
import Settings
import Text

/// The option that names the configuration file.
struct ConfigOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The configuration file. Without it: LANDFALL_CONFIG, landfall.yaml or "
                + "Config/landfall.yaml of the current folder, or the defaults.",
            valueName: "file"),
        completion: .file())
    var config: String?

    func validate() throws {
        if config?.isEmpty == true { throw ValidationError("--config must not be empty.") }
    }

    /// The configuration in force, except for a command's own flags.
    func load() throws(ConfigurationError) -> Configuration {
        try Configuration.load(config, environment: ProcessInfo.processInfo.environment)
    }
}

/// The options of `serve`, which `config show`, `config check` and `doctor` take too.
struct ServeOptions: ParsableArguments {
    @OptionGroup var file: ConfigOption

    @Option(help: ArgumentHelp("The address to listen on.", valueName: "address"))
    var host: String?

    @Option(
        help: ArgumentHelp("The port to listen on; 0 takes a free one.", valueName: "number"),
        transform: ServeOptions.portNumber)
    var port: UInt16?

    @Option(
        help: ArgumentHelp("The folder that keeps the results.", valueName: "folder"),
        completion: .directory)
    var data: String?

    @Option(
        help: ArgumentHelp("The port to speak TLS on; 0 takes a free one.", valueName: "number"),
        transform: ServeOptions.portNumber)
    var tlsPort: UInt16?

    @Option(
        help: ArgumentHelp(
            "The folder of the certificates: NAME.pem with NAME.key.", valueName: "folder"),
        completion: .directory)
    var tlsFolder: String?

    private static func portNumber(_ text: String) throws -> UInt16 {
        guard let port = UInt16(decimal: text) else {
            throw ValidationError(
                "Expected a number from 0 to 65535, in decimal digits without leading zeros.")
        }
        return port
    }

    func validate() throws {
        for (name, value) in [("--host", host), ("--data", data), ("--tls-folder", tlsFolder)]
        where value?.isEmpty == true {
            throw ValidationError("\(name) must not be empty.")
        }
    }

    /// The configuration in force; throws if a server couldn't listen as it says, too.
    func load() throws(ConfigurationError) -> Configuration {
        var configuration = try file.load()
        configuration.replace(\.host, "listen.host", by: "--host", with: host)
        configuration.replace(\.port, "listen.port", by: "--port", with: port)
        configuration.replace(\.dataFolder, "data", by: "--data", with: data)
        if tlsPort != nil || tlsFolder != nil {
            var tls = configuration.tls ?? Configuration.TLS()
            tls.port = tlsPort ?? tls.port
            tls.folder = tlsFolder ?? configuration.certificatesFolder
            configuration.tls = tls
            if tlsPort != nil { configuration.origins["tls.port"] = .flag("--tls-port") }
            if tlsFolder != nil { configuration.origins["tls.folder"] = .flag("--tls-folder") }
        }
        try configuration.checkAddresses()
        return configuration
    }
}
