// `landfall serve`: configuration, store and server, started and stopped in order.

import ArgumentParser
import Clocks
import Emulator
import Foundation
import InstallationChecks
import LinkHosting
import Logging
import PostgreSQLStore
import ProgramLog
import ResultAPI
import ResultStore
import RezolveSandbox
import Server
import ServiceLifecycle
import Settings
import Sockets
import UnixSignals

struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Serve link files, callbacks, the query API and the page.",
        discussion: """
            Runs without a configuration: in any folder, with the results in landfall-data. Flags \
            override LANDFALL_… environment variables, which override the configuration file. Ctrl-C \
            or SIGTERM stops the server after the requests in flight.

            EXAMPLES
              landfall serve
              landfall serve --host 0.0.0.0 --port 9000
              landfall config show
            """)

    @OptionGroup var options: ServeOptions

    @Flag(
        help: ArgumentHelp(
            "Take over from the server that runs on the same data folder: no connection is refused "
                + "meanwhile."))
    var takeOver = false

    @Flag(help: ArgumentHelp("Stop when standard input ends.", visibility: .hidden))
    var untilInputEnds = false

    func run() async throws {
        NewFiles.keepPrivate()
        StandardStream.ignoreBrokenPipes()
        ProgramHeap.bound()
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
        } catch let error as ProcessShortage {
            throw Self.failure("\(error)")
        } catch let error as SocketError {
            throw Self.failure("The server failed: \(error).")
        }
    }

    private func serve() async throws {
        let descriptors = try await Self.openDescriptors()
        let configuration = try options.load()
        let hangupStops = Self.ignoreHangups(configuration)
        let log = LogSetup.start(configuration)
        let files = try StartFiles(configuration, log: log)
        let (sites, certificates) = (files.sites, files.certificates)
        // Everything that can fail is checked before another server stops.
        let takeover = try takeOver ? Self.takeOver(configuration) : nil
        let bindings = try openBindings(configuration, takeover, descriptors)
        try await takeover?.askForRelease(of: configuration)
        let answers = ReceiverAnswers(configuration.answers)
        let routes = try Routes(
            receivers: configuration.receivers, answers: answers.configured,
            rezolveHosts: configuration.rezolve.hosts, page: files.page)
        let metrics = ServerMetrics(routes, version: Landfall.version)
        let store = try await openFirstStore(configuration, log, metrics)
        let isLocal = bindings.areLocal && !configuration.servesProxies
        let (token, isNew) = Self.token(configuration, isLocal: isLocal)
        let pseudonyms =
            configuration.privacy == .mask ? try PrivacyKey(configuration).pseudonyms : nil
        let greeting = Greeting(
            configuration: configuration, version: Landfall.version, needsToken: token != nil,
            newToken: isNew ? token : nil)
        let worker = try EventLoop(name: "work", isQuick: false)
        defer { worker.stop() }
        let work = LongWork(on: worker)
        // Kept in memory, like the receivers' answers; all of them survive a failed takeover.
        let (plans, queues) = (ScenarioPlans(), ForwardQueues())
        let rezolve = RezolveSandbox(configuration.rezolve, isOpen: token == nil, log: log)
        let turns = ServerTurns(
            store: store,
            open: { try await Self.openStore(configuration, log, metrics, waits: $0) },
            turn: { store, isFirst in
                let emulator = Emulator(
                    configuration, isLocal: token == nil, siteHosts: sites.current.byHost.keys,
                    store: store, masking: pseudonyms, plans: plans, log: log)
                let forwarding = try Forwarding(
                    configuration, isLocal: token == nil, descriptors: descriptors,
                    Forwarder.Dependencies(
                        store: store, pseudonyms: pseudonyms, queues: queues, log: log))
                let (flows, follower) = await Self.openFlows(configuration, store, log)
                let application = Application(
                    api: ResultAPI(
                        store: store, log: log, version: Landfall.version,
                        flowPatience: configuration.flowPatience, work: work),
                    routes: routes, sites: sites,
                    access: AccessControl(configuration, token: token),
                    transport: TransportPolicy(configuration, securePort: bindings.securePort),
                    callbackBodyBytes: configuration.callbackBodyBytes, flows: flows,
                    flowFollower: follower, emulator: emulator, forwarding: forwarding,
                    answers: answers, rezolve: rezolve,
                    addresses: bindings.addresses(configuration), metrics: metrics,
                    accessLog: AccessLog(configuration.accessLog) { LogSetup.write($0) },
                    certificates: certificates?.context,
                    webhooks: WebhookGate(secrets: configuration.webhookSecrets),
                    pseudonyms: pseudonyms, servesAgents: configuration.servesAgents)
                let server = ServerService(
                    application: application, configuration: configuration, bindings: bindings,
                    tls: certificates?.context, log: log, greeting: isFirst ? greeting : nil,
                    onReady: { if isFirst { takeover?.confirm() } }, handover: Handover(),
                    descriptorLimit: descriptors, notifier: Self.notifier)
                return ServerTurns.Turn(server: server, others: [emulator.deliveries, forwarding])
            }, log: log)
        try await run(turns, sites, certificates, hangupStops: hangupStops)
        log.info("stopped")
    }

    /// Reports to the service manager that started this process.
    private static var notifier: ServiceNotifier {
        ServiceNotifier(
            ProcessInfo.processInfo.environment,
            process: ProcessInfo.processInfo.processIdentifier)
    }

    /// The open flows, and what keeps them up to date; nil if nothing has to.
    private static func openFlows(
        _ configuration: Configuration, _ store: ResultStore, _ log: Logger
    ) async -> (OpenFlows, FlowFollower?) {
        let flows = OpenFlows(patience: configuration.flowPatience)
        let isShared = configuration.database != nil
        return (flows, await flows.restore(from: store, isShared: isShared, log))
    }

    /// Runs until a signal, or until another process takes over.
    private func run(
        _ turns: ServerTurns, _ sites: SiteService, _ certificates: CertificateService?,
        hangupStops: Bool
    ) async throws {
        var services: [ServiceGroupConfiguration.ServiceConfiguration] = [
            .init(service: turns, successTerminationBehavior: .gracefullyShutdownGroup),
            .init(service: sites),
            .init(service: HeapTrimming()),
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
                gracefulShutdownSignals: [.sigint, .sigterm] + (hangupStops ? [.sighup] : []),
                logger: .quiet))
        try await group.run()
    }

    /// Ignores SIGHUP from the beginning, unless it stops this server.
    ///
    /// With TLS, it reloads the certificates once the server runs; files that change before that
    /// are read again anyway. Without TLS, it ends what a terminal began.
    ///
    /// - Returns: whether it stops the server.
    private static func ignoreHangups(_ configuration: Configuration) -> Bool {
        if configuration.tls == nil, isatty(STDIN_FILENO) == 1 { return true }
        signal(SIGHUP, SIG_IGN)
        return false
    }

    /// Raises the limit of descriptors, and makes libdispatch open those of its event loop and
    /// timers now; later it would trap.
    ///
    /// - Returns: the limit.
    private static func openDescriptors() async throws -> Int {
        let limit = DescriptorLimit.raise()
        guard limit >= Sockets.Limits.fewestDescriptors else {
            throw ProcessShortage.descriptors(limit)
        }
        guard EventLoop.hasThreads else { throw ProcessShortage.threads }
        try await Task.sleep(for: .nanoseconds(1), clock: .continuous)
        try await Task.sleep(for: .nanoseconds(1), clock: .suspending)
        return limit
    }

    /// Contacts the running server, which continues unchanged until release is requested.
    private static func takeOver(_ configuration: Configuration) throws -> Takeover {
        do throws(SocketError) {
            return try Takeover(from: configuration.handoverPath)
        } catch .timedOut {
            throw BindingError(
                sentence: "The server that runs on \(configuration.dataFolder) doesn't answer: end "
                    + "its process, and start without --take-over.")
        } catch {
            throw BindingError(
                sentence: "No server of this user runs on \(configuration.dataFolder) that could "
                    + "be taken over: \(error). Start without --take-over.")
        }
    }

    /// Opens the listening sockets, or takes those of the running server.
    private func openBindings(
        _ configuration: Configuration, _ takeover: Takeover?, _ descriptors: Int
    ) throws -> Bindings {
        let count = EventLoop.count(descriptors: descriptors)
        if let takeover {
            return try Bindings(
                configuration, handed: takeover.listeners, areKept: takeover.areInherited,
                count: count)
        }
        let inherited = try InheritedSockets.take(ProcessInfo.processInfo.environment)
        return try Bindings(configuration, inherited: inherited, count: count)
    }

    /// Opens the store for the first turn; waits for room if the disk is full, and up to a minute
    /// for a command that uses the folder.
    ///
    /// Not in a takeover, because the former server is still there to open it again.
    private func openFirstStore(
        _ configuration: Configuration, _ log: Logger, _ metrics: ServerMetrics
    ) async throws -> ResultStore {
        var isWaiting = false
        let deadline = ContinuousClock.now + .seconds(60)
        while true {
            do {
                return try await Self.openStore(configuration, log, metrics, waits: takeOver)
            } catch let error as StoreError
                where !takeOver
                && (error.isFull || error.isLockedByNoServer && ContinuousClock.now < deadline)
            {
                let when = error.isFull ? "before the disk has room" : "while a command uses it"
                if !isWaiting {
                    log.error(
                        "the store can't be opened \(when): trying every second",
                        metadata: ["reason": "\(error)"])
                }
                isWaiting = true
            }
            // Until the server runs, SIGTERM ends the process at once (`Landfall.prepareSignals`).
            try await Task.sleep(for: .seconds(1))
        }
    }

    /// Opens the store.
    ///
    /// - Parameter waits: whether another process is about to release it.
    private static func openStore(
        _ configuration: Configuration, _ log: Logger, _ metrics: ServerMetrics, waits: Bool
    ) async throws -> ResultStore {
        let deadline = ContinuousClock.now + .milliseconds(configuration.stopMilliseconds + 5000)
        var opened: ResultStore?
        while opened == nil {
            do throws(StoreError) {
                opened = try configuration.openStore(
                    serves: true, onEvent: { $0.handle(log) }, onCommit: { metrics.count($0) })
            } catch {
                guard waits, case .locked = error, ContinuousClock.now < deadline else {
                    throw error
                }
                try await Task.sleep(for: .milliseconds(10))
            }
        }
        guard let store = opened else { throw StoreError.closed }
        let report = store.recovery
        if let reason = report.rebuildReason {
            let isRebuilt = report.lackingBytes == 0
            log.notice(
                isRebuilt ? "the index was rebuilt" : "the index must be rebuilt",
                metadata: ["reason": "\(reason)"])
        }
        if report.lackingBytes > 0 {
            log.notice(
                "results are being indexed: queries get 503 until that is done",
                metadata: ["bytes": "\(report.lackingBytes)"])
        }
        if report.indexedRecords > 0 {
            log.notice(
                "results were indexed", metadata: ["records": "\(report.indexedRecords)"])
        }
        report.logLosses(to: log)
        for folder in SpoolDiagnosis(configuration).folders {
            log.warning(
                "callbacks wait for a database, and none is configured: name it in results.store",
                metadata: ["folder": "\(folder)"])
        }
        store.startMaintenance { $0.log(to: log) }
        return store
    }

    /// The required token, and whether it was generated; nil leaves the server open.
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
        Console.printError(sentence, within: Int32(LogSetup.flushMilliseconds))
        return Exit.environment
    }
}

extension Takeover {
    /// Checks that the store can be opened, then makes the running server release it; returns once
    /// it has.
    fileprivate func askForRelease(of configuration: Configuration) async throws {
        if let database = configuration.database {
            _ = try DatabaseSchema(database, catalog: .all).missing()
        } else {
            try ResultStore.check(folder: configuration.dataFolder)
        }
        try askForRelease()
        let limit = Duration.milliseconds(configuration.stopMilliseconds + 5000)
        let deadline = ContinuousClock.now + limit
        while !isReleased() {
            guard ContinuousClock.now < deadline else {
                throw BindingError(
                    sentence: "The server that runs on \(configuration.dataFolder) did not close "
                        + "its store within \(limit.components.seconds) s; it keeps running.")
            }
            try await Task.sleep(for: .milliseconds(5))
        }
    }
}
