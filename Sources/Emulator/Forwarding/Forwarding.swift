// All forwarders of one server: made from the configuration, run as a service, and shown.
//
// Invariant: every rule is checked before the server listens. A target of each rule is its own
// queue: one that is down delays no other, unless a callback needs more than its target's share of
// the memory to send them.

import Clocks
import Crypto
import Files
import FoundationEssentials
import HTTP1
import HTTPClient
import Logging
import ResultAPI
import ResultStore
import ServiceLifecycle
import Settings
import Text
import Vendors

/// Sends stored callbacks on, by the rules of the configuration.
package struct Forwarding: Service, CustomStringConvertible {
    package let description = "forwarding"

    /// In the order of the configuration.
    package let forwarders: [Forwarder]

    /// Restores the queues from the data folder.
    ///
    /// - Parameters:
    ///   - isLocal: whether the server needs no token (see `CallbackTarget.isLocal`).
    ///   - descriptors: how many the process may open.
    ///
    /// Throws for an invalid rule, and for a queue that can't be read or written.
    package init(
        _ configuration: Configuration, isLocal: Bool, descriptors: Int,
        _ dependencies: Forwarder.Dependencies
    ) throws(ConfigurationError) {
        var dependencies = dependencies
        let targets = configuration.forward.reduce(0) { $0 + $1.targets.count }
        dependencies.inFlight = Self.inFlight(targets: targets, descriptors: descriptors)
        let conditions = try Self.conditions(configuration)
        if !conditions.isEmpty {
            try? FileManager.default.createDirectory(
                atPath: Self.folder(configuration), withIntermediateDirectories: true)
        }
        var forwarders: [Forwarder] = []
        for (rule, condition) in zip(configuration.forward, conditions) {
            for target in rule.targets {
                let host = (try? CallbackURL(target.url))?.host ?? ""
                // It is allowed because the configuration names it, and for this target only.
                let allowed = CallbackTarget(allowedHosts: [host], ownHosts: [], isLocal: isLocal)
                let (path, former) = Self.paths(of: target, rule, configuration)
                if dependencies.queues[path] == nil { try Self.adopt(former, as: path) }
                dependencies.ownMemory = MemoryBudget(bytes: Limits.forwardSendBytes / targets)
                forwarders.append(
                    try Forwarder(
                        rule.name, target, condition, path: path,
                        mayConnect: allowed.policy(for: host), dependencies))
            }
        }
        self.forwarders = forwarders
    }

    /// Checks the rules, and reads the files of the queues, of which another process may be writing
    /// one.
    ///
    /// Throws for an invalid rule, and for a queue that can't be read.
    package static func check(_ configuration: Configuration) throws(ConfigurationError) {
        try conditions(configuration)
        for rule in configuration.forward {
            for target in rule.targets {
                let rules = target.rules(inFlight: Limits.forwardsInFlight)
                let (path, former) = paths(of: target, rule, configuration)
                if try ForwardQueue(rules, file: path) == nil {
                    _ = try ForwardQueue(rules, file: former)
                }
            }
        }
    }

    private static func folder(_ configuration: Configuration) -> String {
        configuration.dataFolder + "/forward"
    }

    /// The file of a target's queue, and the one that older programs used.
    ///
    /// The query of the URL, in which a secret may change, was a part of the former name. The line
    /// end keeps the names apart for a URL without query.
    static func paths(
        of target: Configuration.ForwardRule.Target, _ rule: Configuration.ForwardRule,
        _ configuration: Configuration
    ) -> (path: String, former: String) {
        func path(_ text: String) -> String {
            let digest = SHA256.hash(data: Array("\(rule.name)\n\(text)".utf8))
            return "\(folder(configuration))/\(Hexadecimal.text(digest.prefix(8))).json"
        }
        let place = target.url.prefix { $0 != "?" }
        return (path("\(place)\n"), path(target.url))
    }

    /// Copies the file that an older program used, unless this one has written its own since.
    ///
    /// The older file stays, so that the older program could go on from there.
    private static func adopt(_ former: String, as path: String) throws(ConfigurationError) {
        func changedAt(_ path: String) -> Date? {
            let attributes = try? FileManager.default.attributesOfItem(atPath: path)
            return attributes?[.modificationDate] as? Date
        }
        guard let written = changedAt(former), changedAt(path) ?? .distantPast < written
        else { return }
        let content = try ConfigurationError.reading { () throws(FileError) in
            try Folder.content(ofOptional: former)
        }
        guard let content else { return }
        do throws(StoreError) {
            let file = try UnfinishedFile(path)
            try file.append(content)
            try file.finish()
        } catch {
            throw .unreadable(path: path, reason: "it can't be written: \(error)")
        }
    }

    /// Maximum attempts at the same time to one of `targets` unordered targets.
    static func inFlight(targets: Int, descriptors: Int) -> Int {
        let each = descriptors / Limits.forwardDescriptorShare / max(1, targets)
        return min(Limits.forwardsInFlight, max(1, each))
    }

    /// Maximum attempts to all targets at the same time.
    package var inFlight: Int { forwarders.reduce(0) { $0 + $1.queue.rules.inFlight } }

    /// What each rule forwards.
    ///
    /// Throws `badValue` for a query or a URL that is invalid.
    @discardableResult
    private static func conditions(
        _ configuration: Configuration
    ) throws(ConfigurationError) -> [Condition] {
        var conditions: [Condition] = []
        for (index, rule) in configuration.forward.enumerated() {
            func bad(_ key: String, _ expected: String) -> ConfigurationError {
                .badValue(
                    file: configuration.file ?? "configuration", key: "forward[\(index)].\(key)",
                    expected: expected)
            }
            var parts = [Condition.kinds([.callback])]
            if let vendor = rule.vendor {
                parts.append(.compare(.vendor, .equal, .text(vendor.rawValue)))
            }
            if let inbox = rule.inbox { parts.append(.compare(.inbox, .equal, .text(inbox))) }
            if let query = rule.query {
                let wanted: Condition
                do throws(QueryError) {
                    // The rule holds as long as the server runs; a relative time would stay as it
                    // was at the start.
                    wanted = try QueryParser.parse(query, catalog: .all, now: nil)
                } catch {
                    throw bad("q", "a query. \(String("\(error)".dropLast()))")
                }
                if wanted.excludes(.callback) {
                    throw bad("q", "a query that callbacks can match: only these are forwarded")
                }
                parts.append(wanted)
            }
            for (index, target) in rule.targets.enumerated() {
                do throws(ClientError) {
                    _ = try RequestPlace(target.url)
                } catch {
                    throw bad("targets[\(index)].url", "valid. \(String("\(error)".dropLast()))")
                }
            }
            conditions.append(.all(parts))
        }
        return conditions
    }

    package func run() async throws {
        await withTaskGroup(of: Void.self) { group in
            for forwarder in forwarders { group.addTask { await forwarder.run() } }
            try? await gracefulShutdown()
            group.cancelAll()
        }
    }
}

extension Configuration.ForwardRule.Target {
    /// The rules of the target's queue.
    func rules(inFlight: Int) -> ForwardQueue.Rules {
        ForwardQueue.Rules(
            isOrdered: isOrdered, firstDelay: Int64(retryMilliseconds),
            patience: Int64(giveUpSeconds) * 1000, inFlight: inFlight)
    }
}
