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

    @Option(
        help: ArgumentHelp("The port to speak TLS on; 0 takes a free one.", valueName: "number"))
    var tlsPort: UInt16?

    @Option(
        help: ArgumentHelp(
            "The folder of the certificates: NAME.pem with NAME.key.", valueName: "folder"),
        completion: .directory)
    var tlsFolder: String?

    @Flag(
        help: ArgumentHelp(
            "Take over from the server that runs on the same data folder: no connection is refused "
                + "meanwhile."))
    var takeOver = false

    @Flag(help: ArgumentHelp("Stop when standard input ends.", visibility: .hidden))
    var untilInputEnds = false

    func validate() throws {
        for (name, value) in [("--host", host), ("--data", data), ("--tls-folder", tlsFolder)]
        where value?.isEmpty == true {
            throw ValidationError("\(name) must not be empty.")
        }
    }

    func run() async throws {
        // What is kept here is nobody's business but the owner's and his group's.
        umask(0o027)
        StandardStream.ignoreBrokenPipes()
        do {
            try await serve()
        } catch let error as ConfigurationError {
            throw Self.failure("\(error)")
        } catch let error as StoreError {
            let failure = Self.failure("The store can't be opened: \(error).")
            if case .syncFailed = error { throw Exit.syncFailed }
            throw failure
        } catch let error as BindingError {
            throw Self.failure("\(error)")
        } catch let error as DescriptorShortage {
            throw Self.failure("\(error)")
        } catch let error as SocketError {
            throw Self.failure("The server can't go on: \(error).")
        }
    }

    private func serve() async throws {
        let descriptors = try await Self.openDescriptors()
        let configuration = try loadConfiguration()
        let log = LogSetup.start(configuration)
        let page = try PageFiles(folder: configuration.publicFolder)
        let sites = try SiteService(configuration, file: config, log: log)
        let certificates = try configuration.tls.map { try CertificateService($0, log: log) }
        // Everything that can be wrong with the configuration is known before another server stops.
        let bindings = try openBindings(configuration)
        let store = try await openStore(configuration, log)
        let isLocal = bindings.areLocal && !configuration.servesProxies
        let (token, isNew) = Self.token(configuration, isLocal: isLocal)
        let pseudonyms =
            configuration.privacy == .mask ? try PrivacyKey(configuration).pseudonyms : nil
        let emulator = Emulator(
            configuration, isLocal: token == nil, sites: sites.current, store: store,
            masking: pseudonyms, log: log)
        let worker = try EventLoop(name: "work")
        defer { worker.stop() }
        let flows = OpenFlows()
        await flows.recall(from: store)
        let application = Application(
            api: ResultAPI(
                store: store, log: log, flowPatience: configuration.flowPatience,
                work: LongWork(on: worker)),
            routes: try Routes(
                receivers: configuration.receivers, rezolveHosts: configuration.rezolve.hosts,
                page: page),
            sites: sites, access: AccessControl(configuration, token: token),
            transport: TransportPolicy(configuration.tls, securePort: bindings.securePort),
            callbackBodyBytes: configuration.callbackBodyBytes, flows: flows,
            emulator: emulator,
            rezolve: RezolveSandbox(configuration.rezolve, isOpen: token == nil, log: log),
            webhooks: WebhookGate(secrets: configuration.webhookSecrets),
            pseudonyms: pseudonyms)
        let service = ServerService(
            application: application, configuration: configuration, bindings: bindings,
            tls: certificates?.context, log: log,
            greeting: Greeting(
                configuration: configuration, needsToken: token != nil,
                newToken: isNew ? token : nil),
            descriptorLimit: descriptors)
        let result = await run(service, sites, emulator.deliveries, certificates)
        await store.close()
        try result.get()
        log.info("stopped")
    }

    /// Runs until a signal, or until another process takes over.
    private func run(
        _ server: ServerService, _ sites: SiteService, _ deliveries: Deliveries,
        _ certificates: CertificateService?
    ) async -> Result<Void, any Error> {
        var services: [ServiceGroupConfiguration.ServiceConfiguration] = [
            .init(service: server, successTerminationBehavior: .gracefullyShutdownGroup),
            .init(service: sites), .init(service: deliveries),
        ]
        if let certificates { services.append(.init(service: certificates)) }
        if untilInputEnds {
            services.append(
                .init(
                    service: InputEnd(), successTerminationBehavior: .gracefullyShutdownGroup))
        }
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: services,
                // With certificates, SIGHUP reads them again.
                gracefulShutdownSignals: [.sigint, .sigterm]
                    + (certificates == nil ? [.sighup] : []),
                logger: LogSetup.quiet))
        do {
            return .success(try await group.run())
        } catch {
            return .failure(error)
        }
    }

    /// Raises the limit of descriptors, and has libdispatch open its own, without which it traps later:
    /// those of its event loop and of the timers.
    ///
    /// - Returns: the limit.
    private static func openDescriptors() async throws -> Int {
        let limit = DescriptorLimit.raise()
        guard limit >= Sockets.Limits.fewestDescriptors else {
            throw DescriptorShortage(limit: limit)
        }
        try await Task.sleep(for: .nanoseconds(1), clock: .continuous)
        try await Task.sleep(for: .nanoseconds(1), clock: .suspending)
        return limit
    }

    private func loadConfiguration() throws(ConfigurationError) -> Configuration {
        var configuration = try Configuration.load(
            config, environment: ProcessInfo.processInfo.environment)
        configuration.host = host ?? configuration.host
        configuration.port = port ?? configuration.port
        configuration.dataFolder = data ?? configuration.dataFolder
        if tlsPort != nil || tlsFolder != nil {
            var tls = configuration.tls ?? Configuration.TLS()
            tls.port = tlsPort ?? tls.port
            tls.folder = tlsFolder ?? tls.folder
            configuration.tls = tls
        }
        return configuration
    }

    /// Opens the listening sockets, or takes those of the server that runs, which stops accepting
    /// only when nothing is missing.
    private func openBindings(_ configuration: Configuration) throws -> Bindings {
        let count = EventLoop.coreCount
        guard takeOver else {
            let inherited = try InheritedSockets.take(ProcessInfo.processInfo.environment)
            return try Bindings(configuration, inherited: inherited, count: count)
        }
        let takeover: Takeover
        do throws(SocketError) {
            takeover = try Takeover(from: configuration.handoverPath)
        } catch {
            throw BindingError(
                sentence: "No server of this user runs on \(configuration.dataFolder) that could "
                    + "be taken over: \(error). Start without --take-over.")
        }
        let bindings = try Bindings(configuration, handed: takeover.listeners, count: count)
        try takeover.confirm()
        return bindings
    }

    /// Opens the store; who takes over waits until the former server has closed it.
    private func openStore(
        _ configuration: Configuration, _ log: Logger
    ) async throws -> ResultStore {
        var progress = ProgressLine("indexing results")
        var settings = configuration.store
        settings.reserveBytes = StoreSettings.servedReserveBytes
        let deadline = ContinuousClock.now + .milliseconds(configuration.stopMilliseconds + 5000)
        var opened: ResultStore?
        while opened == nil {
            do throws(StoreError) {
                opened = try ResultStore(
                    folder: configuration.dataFolder, catalog: .all, settings: settings,
                    onEvent: { $0.handle(log) },
                    onProgress: { progress.show($0, of: $1) })
            } catch {
                guard takeOver, case .locked = error, ContinuousClock.now < deadline else {
                    throw error
                }
                try await Task.sleep(for: .milliseconds(10))
            }
        }
        guard let store = opened else { throw StoreError.closed }
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
        store.startMaintenance { $0.log(to: log) }
        return store
    }

    /// The token that is asked for, and whether it was made up; nil leaves the server open.
    private static func token(
        _ configuration: Configuration, isLocal: Bool
    ) -> (token: String?, isNew: Bool) {
        if let token = configuration.token { return (token, false) }
        if isLocal { return (nil, false) }
        var generator = SystemRandomNumberGenerator()
        let digits = (0..<2).map { _ in String(generator.next() as UInt64, radix: 36) }
        return (digits.joined(), true)
    }

    private static func failure(_ sentence: String) -> ExitCode {
        LogSetup.flush()
        Console.tell(sentence, within: Int32(Limits.logFlushMilliseconds))
        return Exit.environment
    }
}
