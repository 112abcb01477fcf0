// `landfall serve`: configuration, store, server, and their order of starting and stopping.

import AppLinks
import ArgumentParser
import Foundation
import HTTP1
import Logging
import ResultStore
import ServiceLifecycle
import Sockets
import UnixSignals

struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Serve link files, callbacks, the query API and the page.",
        discussion: """
            Flags win over LANDFALL_… environment variables, and these over the configuration file. \
            Ctrl-C or SIGTERM ends it in order: requests in flight are answered first.
            """)

    @Option(help: ArgumentHelp("The configuration file.", valueName: "file"), completion: .file())
    var config = "Config/landfall.yaml"

    @Option(help: ArgumentHelp("The address to listen on.", valueName: "address"))
    var host: String?

    @Option(help: ArgumentHelp("The port to listen on; 0 takes a free one.", valueName: "number"))
    var port: UInt16?

    @Option(
        help: ArgumentHelp("The folder that keeps the results.", valueName: "folder"),
        completion: .directory)
    var data: String?

    func validate() throws {
        for (name, value) in [("--host", host), ("--data", data)] where value?.isEmpty == true {
            throw ValidationError("\(name) must not be empty.")
        }
    }

    func run() async throws {
        // What is kept here is nobody's business but the owner's and his group's.
        umask(0o027)
        do {
            try await serve()
        } catch let error as ConfigurationError {
            throw Self.failure("\(error)")
        } catch let error as StoreError {
            throw Self.failure("The store can't be opened: \(error).")
        }
    }

    private func serve() async throws {
        let configuration = try loadConfiguration()
        let log = LogSetup.start(configuration)
        let page = try PageFiles(folder: configuration.publicFolder)
        let sites = try Sites(
            folder: configuration.sitesFolder, fallback: configuration.defaultSite,
            configuration: config)
        let store = try openStore(configuration, log)
        let (token, isNew) = Self.token(configuration)
        let application = Application(
            store: store, routes: try Routes(receivers: configuration.receivers, page: page),
            sites: sites, access: AccessControl(token: token),
            callbackBodyBytes: configuration.callbackBodyBytes, log: log)
        let service = ServerService(
            application: application, configuration: configuration, log: log,
            newToken: isNew ? token : nil)
        var group = ServiceGroupConfiguration(
            services: [
                .init(service: service, successTerminationBehavior: .gracefullyShutdownGroup)
            ],
            gracefulShutdownSignals: [.sigint, .sigterm], logger: LogSetup.quiet)
        group.maximumGracefulShutdownDuration = .seconds(30)
        do {
            try await ServiceGroup(configuration: group).run()
        } catch let error as SocketError {
            await store.close()
            throw Self.failure(Self.sentence(error, configuration))
        }
        await store.close()
        log.info("stopped")
    }

    private func loadConfiguration() throws(ConfigurationError) -> Configuration {
        var configuration = try Configuration.load(
            config, environment: ProcessInfo.processInfo.environment)
        configuration.host = host ?? configuration.host
        configuration.port = port ?? configuration.port
        configuration.dataFolder = data ?? configuration.dataFolder
        return configuration
    }

    private func openStore(
        _ configuration: Configuration, _ log: Logger
    ) throws(StoreError) -> ResultStore {
        var progress = ProgressLine("indexing results")
        let store = try ResultStore(
            folder: configuration.dataFolder, onProgress: { progress.show($0) })
        progress.end()
        let report = store.recovery
        if let reason = report.rebuildReason {
            log.notice("the index was made anew", metadata: ["reason": "\(reason)"])
        }
        if report.indexedRecords > 0 {
            log.notice(
                "results were indexed", metadata: ["records": "\(report.indexedRecords)"])
        }
        if let torn = report.torn {
            log.warning(
                "a torn end was cut off and kept",
                metadata: ["path": "\(torn.path)", "bytes": "\(torn.size)"])
        }
        for damage in report.damage {
            log.error(
                "a stretch of a segment holds no valid record",
                metadata: [
                    "segment": "\(damage.segment)", "offset": "\(damage.offset)",
                    "bytes": "\(damage.size)",
                ])
        }
        return store
    }

    /// The token that is asked for, and whether it was made up: on loopback none is.
    private static func token(_ configuration: Configuration) -> (token: String?, isNew: Bool) {
        if configuration.isLoopback { return (nil, false) }
        if let token = configuration.token { return (token, false) }
        var generator = SystemRandomNumberGenerator()
        let digits = (0..<2).map { _ in String(generator.next() as UInt64, radix: 36) }
        return (digits.joined(), true)
    }

    private static func sentence(_ error: SocketError, _ configuration: Configuration) -> String {
        let place = "\(configuration.host):\(configuration.port)"
        return switch error {
        case .addressInUse:
            "\(place) is in use: stop what listens there, or choose another with --port."
        default: "\(place) can't be listened on: \(error)."
        }
    }

    private static func failure(_ sentence: String) -> ExitCode {
        FileHandle.standardError.write(Data("landfall: \(sentence)\n".utf8))
        return Exit.environment
    }
}
