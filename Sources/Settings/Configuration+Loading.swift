// Loads the configuration from a YAML file and the environment. An unknown key or a value out of
// range is an error: nothing is ignored or clamped.

import Files
import HTTP1
import LinkPatterns
import ResultStore
import Text
import Vendors
import Yams

extension Configuration {
    /// Minimum characters of a token.
    static let tokenCharacters = 16

    /// The configuration in force before flags: defaults, then the file, then the environment.
    ///
    /// - Parameter path: the file; without it, LANDFALL_CONFIG names one, or the first existing one
    ///   of `usualFiles` is used, or none.
    ///
    /// Throws the first error.
    package static func load(
        _ path: String?, environment: [String: String]
    ) throws(ConfigurationError) -> Configuration {
        var configuration = Configuration()
        if let file = try Self.file(path, environment: environment) {
            let content = try ConfigurationError.reading { () throws(FileError) in
                try Folder.content(of: file)
            }
            configuration.setFolders(beside: file)
            configuration.file = file
            try configuration.apply(yaml: String(decoding: content, as: UTF8.self), file: file)
        }
        try configuration.apply(environment)
        return configuration
    }

    /// The configuration file in force, which need not exist if it is named; nil without one.
    ///
    /// - Parameter path: see `load`.
    package static func file(
        _ path: String?, environment: [String: String]
    ) throws(ConfigurationError) -> String? {
        if let path { return path }
        return try text(of: "LANDFALL_CONFIG", in: environment) ?? usualFile
    }

    /// Resolves a path in the file relative to the file's folder.
    static func resolve(_ path: String, _ file: String) -> String {
        guard !path.hasPrefix("/"), let slash = file.lastIndex(of: "/") else { return path }
        return file[...slash] + path
    }

    /// Applies the text of a configuration file.
    package mutating func apply(yaml text: String, file: String) throws(ConfigurationError) {
        let node: Node?
        do {
            node = try Yams.compose(yaml: text, .basic)
        } catch {
            throw .malformed(file: file, reason: Self.reason(error))
        }
        guard let node else { return }
        origins.merge(Self.origins(of: node, in: file)) { $1 }
        var root = try ConfigurationSection(node, file: file)
        if var listen = try root.section("listen") { try apply(listen: &listen) }
        if var section = try root.section("tls") { try apply(tls: &section) }
        try apply(proxies: &root)
        sendsServerTiming = try root.flag("server_timing") ?? sendsServerTiming
        servesAgents = try root.flag("mcp") ?? servesAgents
        if let folder = try root.text("data") { dataFolder = Self.resolve(folder, file) }
        if let folder = try root.text("public") { publicFolder = Self.resolve(folder, file) }
        if var sites = try root.section("sites") {
            if let folder = try sites.text("folder") { sitesFolder = Self.resolve(folder, file) }
            defaultSite = try sites.text("default").map {
                Authority.hostName($0) ?? $0.lowercased()
            }
            allowsInvalidSites = try sites.flag("allow_invalid") ?? false
            try sites.refuseOthers()
        }
        if let sections = try root.sections("receivers") { try apply(receivers: sections) }
        if var rezolve = try root.section("rezolve") { try apply(rezolve: &rezolve) }
        if var dimmy = try root.section("dimmy") { try apply(dimmy: &dimmy) }
        if var welltory = try root.section("welltory") { try apply(welltory: &welltory) }
        if var limits = try root.section("limits") { try apply(limits: &limits) }
        if var api = try root.section("api") { try apply(api: &api) }
        if var results = try root.section("results") { try apply(results: &results) }
        if var flows = try root.section("flows") { try apply(flows: &flows) }
        if var section = try root.section("emulator") { try apply(emulator: &section) }
        if let rules = try root.sections("forward") { try apply(forward: rules) }
        try apply(privacy: &root)
        if var webhooks = try root.section("webhooks") { try apply(webhooks: &webhooks) }
        if var log = try root.section("log") { try apply(log: &log) }
        token =
            try root.value("token", expected: Self.tokenRule) { $0.string.flatMap(Self.token) }
            ?? token
        try root.refuseOthers()
    }

    private mutating func apply(
        listen section: inout ConfigurationSection
    ) throws(ConfigurationError) {
        host = try section.text("host") ?? host
        port = try section.number("port", in: 0...65_535).map { UInt16($0) } ?? port
        reachableURL =
            try section.value("url", expected: Self.urlRule) {
                $0.string.flatMap(Self.url)
            } ?? reachableURL
        unixSocket = try section.text("unix").map { Self.resolve($0, section.file) } ?? unixSocket
        expectsProxyHeader = try section.flag("proxy_protocol") ?? expectsProxyHeader
        try section.refuseOthers()
    }

    /// Reads the receivers; one whose links an earlier one of its host takes is an error, because it
    /// would never get a callback.
    private mutating func apply(
        receivers sections: [ConfigurationSection]
    ) throws(ConfigurationError) {
        var patterns: [String: [(place: Int, pattern: LinkPattern)]] = [:]
        for var section in sections {
            if var answer = try section.section("answer") {
                answers[receivers.count] = try ProgrammedAnswer(&answer)
            }
            let (receiver, pattern) = try Self.receiver(&section)
            let earlier = patterns[receiver.host]?.first { $0.pattern.covers(pattern) }
            if let place = earlier?.place {
                throw section.error(
                    "path",
                    "different, or before receivers[\(place)]: \(receivers[place].path) there matches "
                        + "all links of this path on \(receiver.host), and only the first receiver "
                        + "that matches gets a callback")
            }
            patterns[receiver.host, default: []].append((receivers.count, pattern))
            receivers.append(receiver)
        }
    }

    /// The paths of link files, which are served on every host and precede its receivers.
    private static let linkFiles = [
        ".well-known/apple-app-site-association", "apple-app-site-association",
        ".well-known/assetlinks.json",
    ].compactMap { try? LinkPattern($0) }

    private static func receiver(
        _ section: inout ConfigurationSection
    ) throws(ConfigurationError) -> (Receiver, LinkPattern) {
        let vendors = Vendor.names.joined(separator: ", ")
        let vendor: Vendor? = try section.choice("vendor")
        let contract: Contract? = try section.choice("contract")
        let path = try section.text("path")
        let text = try section.text("host")
        let inbox = try section.value("inbox", expected: Inbox.rule) {
            $0.string.flatMap { Inbox.isValid($0) ? $0 : nil }
        }
        try section.refuseOthers()
        guard let text else { throw section.error("host", "given: the host name of callbacks") }
        guard let host = Authority.hostName(text) else {
            throw section.error(
                "host",
                "one host name or address, without port or wildcard, such as www.yourapp.com; "
                    + "further hosts need receivers of their own")
        }
        guard let path else { throw section.error("path", "given: the path of callbacks") }
        guard let vendor else { throw section.error("vendor", "given: one of \(vendors)") }
        if let contract, contract.vendor != vendor {
            let own = Contract.allCases.filter { $0.vendor == vendor }.map(\.rawValue)
            throw section.error(
                "contract",
                own.isEmpty
                    ? "left out: \(vendor.rawValue) has no contract"
                    : "one of \(vendor.rawValue)'s: \(own.joined(separator: ", "))")
        }
        let receiver = Receiver(
            host: host, path: path, vendor: vendor, contract: contract,
            inbox: inbox ?? Inbox.defaultName)
        return (receiver, try pattern(ofPath: path, section))
    }

    /// The pattern of a receiver's path; throws for one that no link would match.
    ///
    /// Links are decoded, and their dot segments resolved, before they are compared. So `%41` would
    /// match only a link that is encoded twice; a parameter matches that one too.
    private static func pattern(
        ofPath path: String, _ section: ConfigurationSection
    ) throws(ConfigurationError) -> LinkPattern {
        let pattern: LinkPattern
        do throws(LinkPatternError) {
            pattern = try LinkPattern(path)
        } catch {
            throw section.error("path", "a link pattern: \(error.message)")
        }
        for literal in pattern.literals {
            if [".", ".."].contains(literal) {
                throw section.error(
                    "path",
                    "without the segment \(literal), which is resolved in links before they are "
                        + "compared")
            }
            let decoded = String(validating: PercentEncoding.decode(literal.utf8), as: UTF8.self)
            if decoded == literal { continue }
            if let decoded, decoded != ".", decoded != "..",
                (try? LinkPattern(decoded))?.literals == [decoded]
            {
                throw section.error(
                    "path",
                    "decoded, as links are when they are compared: \(decoded), not \(literal)")
            }
            throw section.error(
                "path",
                "without \(literal), because links are decoded before they are compared; a "
                    + "parameter such as :name matches this segment")
        }
        guard !Self.linkFiles.contains(where: { $0.covers(pattern) }) else {
            throw section.error(
                "path",
                "another path: the host's link file is served at this one, so no callback would "
                    + "arrive")
        }
        return pattern
    }

    private mutating func apply(
        log section: inout ConfigurationSection
    ) throws(ConfigurationError) {
        if let level = try section.text("level") {
            guard Self.logLevels.contains(level) else {
                throw section.error("level", "one of \(Self.logLevels.joined(separator: ", "))")
            }
            logLevel = level
        }
        logFormat = try section.choice("format") ?? logFormat
        accessLog = try section.choice("access") ?? accessLog
        try section.refuseOthers()
    }

    /// swift-log's levels, from most to least detailed.
    static let logLevels = [
        "trace", "debug", "info", "notice", "warning", "error", "critical",
    ]

    /// Yams' error with its position.
    ///
    /// Yams' own message can quote the file, and the file can hold a token.
    private static func reason(_ error: any Error) -> String {
        switch error {
        case YamlError.scanner(let context, let problem, let mark, _),
            YamlError.parser(let context, let problem, let mark, _),
            YamlError.composer(let context, let problem, let mark, _):
            "line \(mark.line), column \(mark.column): \(problem)"
                + (context.map { ", \($0.text) in line \($0.mark.line)" } ?? "")
        case YamlError.duplicatedKeysInMapping(let keys, let context):
            "line \(context.mark.line): \(keys.joined(separator: ", ")) is repeated"
        case YamlError.reader(let problem, _, _, _): problem
        default: "it can't be read"
        }
    }

    /// The rule for a token, for error messages; an error never repeats the token.
    static let tokenRule =
        "a string of \(Configuration.tokenCharacters) characters or more without white space, such as "
        + "openssl rand -hex 16 prints, or not set"

    /// A valid token, without the white space around it, such as a file's last line end.
    ///
    /// Nil for a token that could be guessed, and for one with white space or control characters,
    /// which requests can't carry (RFC 6750 §2.1).
    private static func token(_ text: String) -> String? {
        let end = text.lastIndex { !$0.isWhitespace }
        let token = end.map { text[...$0].drop(while: \.isWhitespace) } ?? ""
        let isCarried = token.unicodeScalars.allSatisfy {
            !$0.properties.isWhitespace && $0.properties.generalCategory != .control
        }
        return isCarried && token.count >= Configuration.tokenCharacters ? String(token) : nil
    }

    /// The token of LANDFALL_TOKEN, or of the file that LANDFALL_TOKEN_FILE names; nil if neither is
    /// set.
    ///
    /// Throws if both are set, and for a token that is not valid.
    package static func token(
        _ environment: [String: String]
    ) throws(ConfigurationError) -> String? {
        func bad(_ name: String, _ expected: String) -> ConfigurationError {
            .badValue(file: "environment", key: name, expected: expected)
        }
        if let text = environment["LANDFALL_TOKEN"] {
            guard environment["LANDFALL_TOKEN_FILE"] == nil else {
                throw bad("LANDFALL_TOKEN", "left out where LANDFALL_TOKEN_FILE is set")
            }
            guard let given = token(text) else { throw bad("LANDFALL_TOKEN", tokenRule) }
            return given
        }
        guard let path = try Self.text(of: "LANDFALL_TOKEN_FILE", in: environment) else {
            return nil
        }
        let content = try ConfigurationError.reading { () throws(FileError) in
            try Folder.content(of: path)
        }
        guard let given = token(String(decoding: content, as: UTF8.self)) else {
            throw bad("the content of LANDFALL_TOKEN_FILE", tokenRule)
        }
        return given
    }

    private static let urlRule =
        "the URL by which others reach the server, such as https://landfall.example.com, without a path"

    /// The origin of a URL: scheme, host and port; nil for anything else.
    private static func url(_ text: String) -> String? {
        let text = text.hasSuffix("/") ? String(text.dropLast()) : text
        let prefix = ["http://", "https://"].first { text.hasPrefix($0) }
        guard let prefix, text.count > prefix.count, (try? CallbackURL(text))?.kind == .web,
            !text.dropFirst(prefix.count).contains(where: { "/?#@ ".contains($0) })
        else { return nil }
        return text
    }

    /// The text of a variable; nil if it isn't set.
    ///
    /// Throws if it is empty.
    private static func text(
        of name: String, in environment: [String: String]
    ) throws(ConfigurationError) -> String? {
        guard let text = environment[name] else { return nil }
        if !text.isEmpty { return text }
        throw .badValue(
            file: "environment", key: name, expected: "a string that isn't empty, or not set")
    }

    /// Whether a value of LANDFALL_PORT is the URL that Kubernetes puts into each container for a
    /// Service called landfall.
    private static func isServiceLink(_ value: String) -> Bool {
        value.hasPrefix("tcp://") || value.hasPrefix("udp://")
    }

    /// Applies the environment's `LANDFALL_…` variables.
    package mutating func apply(_ environment: [String: String]) throws(ConfigurationError) {
        let environment = environment.filter { name, value in
            name != "LANDFALL_PORT" || !Self.isServiceLink(value)
        }
        func text(_ name: String) throws(ConfigurationError) -> String? {
            try Self.text(of: name, in: environment)
        }
        func bad(_ name: String, _ expected: String) -> ConfigurationError {
            .badValue(file: "environment", key: name, expected: expected)
        }
        for (name, value) in environment where !value.isEmpty {
            if let key = Self.keysByVariable[name] { origins[key] = .environment(name) }
        }
        host = try text("LANDFALL_HOST") ?? host
        if let text = try text("LANDFALL_PUBLIC_URL") {
            guard let url = Self.url(text) else { throw bad("LANDFALL_PUBLIC_URL", Self.urlRule) }
            reachableURL = url
        }
        if let text = try text("LANDFALL_PORT") {
            guard let number = UInt16(decimal: text) else {
                throw bad(
                    "LANDFALL_PORT",
                    "a number from 0 to 65535, in decimal digits without leading zeros")
            }
            port = number
        }
        dataFolder = try text("LANDFALL_DATA") ?? dataFolder
        token = try Self.token(environment) ?? token
        try apply(store: environment)
        try apply(privacy: environment)
        try apply(webhooks: environment)
        if let level = try text("LANDFALL_LOG_LEVEL") {
            guard Self.logLevels.contains(level) else {
                throw bad("LANDFALL_LOG_LEVEL", "one of \(Self.logLevels.joined(separator: ", "))")
            }
            logLevel = level
        }
        if let text = try text("LANDFALL_LOG_FORMAT") {
            guard let format = LogFormat(rawValue: text) else {
                throw bad("LANDFALL_LOG_FORMAT", "text or json")
            }
            logFormat = format
        }
    }
}
