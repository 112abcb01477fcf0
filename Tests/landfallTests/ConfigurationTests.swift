// What a configuration file may say, and how it is told what it got wrong.

import Foundation
import HTTP1
import ResultStore
import Testing
import Vendors

@testable import LinkHosting
@testable import ResultAPI
@testable import Server
@testable import Settings
@testable import landfall

@Suite struct ConfigurationTests {
    private func configuration(_ yaml: String) throws(ConfigurationError) -> Configuration {
        var configuration = Configuration()
        try configuration.apply(yaml: yaml, file: "some/landfall.yaml")
        return configuration
    }

    @Test func everyKeyIsRead() throws {
        let read = try configuration(
            """
            listen: {host: "::1", port: 9000}
            data: /var/lib/landfall
            public: page
            sites: {folder: hosted, default: LINKS.example.com.}
            receivers:
              - {host: App.example.com, path: /dds/, vendor: welltory}
              - {host: app.example.com, path: "/ailet/:visit", vendor: ailet, inbox: field}
              - {host: app.example.com., path: /scans, vendor: dimmy, contract: flux}
              - {host: "[2001:DB8:0::1]", path: /a, vendor: raw}
            limits: {callback_body_bytes: 2048, target_bytes: 9000, field_count: 20}
            log: {level: debug, format: json}
            token: sixteen-letters-
            """)
        #expect(read.host == "::1")
        #expect(read.port == 9000)
        #expect(read.dataFolder == "/var/lib/landfall")
        #expect(read.publicFolder == "some/page")
        #expect(read.sitesFolder == "some/hosted")
        #expect(read.defaultSite == "links.example.com")
        #expect(
            read.receivers == [
                Configuration.Receiver(
                    host: "app.example.com", path: "/dds/", vendor: .welltory, inbox: "default"),
                Configuration.Receiver(
                    host: "app.example.com", path: "/ailet/:visit", vendor: .ailet,
                    inbox: "field"),
                Configuration.Receiver(
                    host: "app.example.com", path: "/scans", vendor: .dimmy, contract: .flux,
                    inbox: "default"),
                Configuration.Receiver(
                    host: "2001:db8::1", path: "/a", vendor: .raw, inbox: "default"),
            ])
        #expect(read.callbackBodyBytes == 2048)
        #expect(read.http.targetBytes == 9000)
        #expect(read.http.fieldCount == 20)
        #expect(read.logLevel == "debug")
        #expect(read.logFormat == .json)
        #expect(read.token == "sixteen-letters-")
    }

    @Test func aReceiverAtALinkFilesPathIsRefused() throws {
        for (pattern, endpoint) in Routes.table {
            switch endpoint {
            case .associationFile, .assetLinksFile: break
            default: continue
            }
            let yaml = "receivers: [{host: a, path: '/\(pattern)', vendor: raw}]"
            let error = #expect(throws: ConfigurationError.self) { try configuration(yaml) }
            let text = error?.description ?? ""
            #expect(text.contains("receivers[0].path must be another path"), "\(text)")
        }
        // These match other links too.
        for path in [
            "*", "/:x", "/.well-known/:file", "/apple-app-site-association/:x", "/café/...",
            "/100%/%zz",
        ] {
            let read = try configuration("receivers: [{host: a, path: '\(path)', vendor: raw}]")
            #expect(read.receivers.count == 1)
        }
    }

    @Test func receiversOfOtherHostsOrLinksMayBeAlike() throws {
        let read = try configuration(
            """
            receivers:
              - {host: a.example, path: "/a/:int(x)", vendor: raw}
              - {host: a.example, path: "/a/:x?:y", vendor: raw}
              - {host: a.example, path: "/a/:x", vendor: raw}
              - {host: b.example, path: "/a/:x", vendor: raw}
            """)
        #expect(read.receivers.count == 4)
    }

    @Test(arguments: [
        "https://a.example/@scope/hook", "http://a.example?to=b@c.example",
        "http://a.example:1/b@c",
    ])
    func anAtSignAfterTheHostIsNoUser(url: String) throws {
        let read = try configuration("forward: [{name: a, targets: [{url: '\(url)'}]}]")
        #expect(read.forward.first?.targets.map(\.url) == [url])
        #expect(try configuration("emulator: {webhook_url: '\(url)'}").emulator.webhookURL == url)
    }

    @Test func everyKeyOfAnAnswerIsRead() throws {
        let read = try configuration(
            """
            receivers:
              - {host: a.example, path: /a, vendor: raw}
              - host: a.example
                path: /b
                vendor: raw
                answer:
                  status: 202
                  headers: {X-Partner: test, Retry-After: 5}
                  body: thanks
                  delay_milliseconds: 10
                  fail_first: 2
                  fail_every: 3
                  fail_status: 429
                  fail_retry_after_seconds: 0
            """)
        var answer = ProgrammedAnswer()
        (answer.status, answer.body, answer.delayMilliseconds) = (202, "thanks", 10)
        (answer.failFirst, answer.failEvery, answer.failStatus) = (2, 3, 429)
        answer.failRetryAfterSeconds = 0
        answer.headers = [
            .init(name: "X-Partner", value: "test"), .init(name: "Retry-After", value: "5"),
        ]
        #expect(read.answers == [1: answer])
        let setting = Configuration.settings.first { $0.key == "receivers" }
        #expect(setting?.value(read)?.yaml.contains("fail_first 2") == true)
    }

    @Test func everyKeyOfResultsIsRead() throws {
        let store = try configuration(
            """
            results:
              segment_bytes: 2097152
              compress: false
              compaction_milliseconds: 0
              retention: {days: 90, bytes: 10737418240, inbox_results: 100000}
            """
        ).store
        #expect(store.segmentBytes == 2_097_152)
        #expect(!store.compresses)
        #expect(store.compactionMilliseconds == 0)
        #expect(store.retentionMilliseconds == 7_776_000_000)
        #expect(store.retentionBytes == 10_737_418_240)
        #expect(store.retentionInboxResults == 100_000)
    }

    @Test func nothingExpiresUnlessTheFileSaysSo() throws {
        #expect(try configuration("results: {retention: {}}").store == StoreSettings())
        #expect(StoreSettings().retentionMilliseconds == nil)
        #expect(StoreSettings().retentionBytes == nil)
        #expect(StoreSettings().retentionInboxResults == nil)
    }

    @Test func theShippedFileShowsTheDefaultsOfResults() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Config/landfall.yaml")
        let lines = try String(contentsOf: file, encoding: .utf8).split(
            separator: "\n", omittingEmptySubsequences: false)
        let start = try #require(lines.firstIndex(of: "# results:"))
        let section = lines[start...].prefix { !$0.isEmpty }.map { $0.dropFirst(2) }
        var store = try configuration(section.joined(separator: "\n")).store
        // These are examples: without them, nothing expires.
        #expect(store.retentionMilliseconds != nil)
        #expect(store.retentionBytes != nil)
        #expect(store.retentionInboxResults != nil)
        store.retentionMilliseconds = nil
        store.retentionBytes = nil
        store.retentionInboxResults = nil
        #expect(store == StoreSettings())
    }

    @Test func anEmptyFileMeansTheDefaults() throws {
        let read = try configuration("# nothing\n")
        #expect(read.host == "127.0.0.1")
        #expect(read.port == 8080)
        #expect(!read.servesProxies)
    }

    @Test(arguments: [
        ("prot: 1", "the key \"prot\" is unknown"),
        ("listen: {prot: 1}", "the key \"listen.prot\" is unknown; known keys: host, port"),
        ("listen: 8080", "listen must be a mapping"),
        ("listen: {port: 70000}", "listen.port must be a number from 0 to 65535"),
        ("listen: {port: http}", "listen.port must be a number from 0 to 65535"),
        ("listen: {port: 010}", "to 65535, in decimal digits without leading zeros"),
        ("listen: {port: 0x50}", "to 65535, in decimal digits without leading zeros"),
        ("listen: {port: 80:80}", "to 65535, in decimal digits without leading zeros"),
        ("listen: {port: 8_080}", "to 65535, in decimal digits without leading zeros"),
        ("data: ''", "data must be a string that isn't empty"),
        (
            "emulator: {webhook_url: 'https://user:word@a.example/x'}",
            "emulator.webhook_url must be a URL that begins with http:// or https://, without a user"
        ),
        ("receivers: {}", "receivers must be a list"),
        ("receivers: [{path: /a, vendor: ailet}]", "receivers[0].host must be given"),
        (
            "receivers: [{host: '*.example.org', path: /a, vendor: ailet}]",
            "receivers[0].host must be one host name or address, without port or wildcard"
        ),
        ("receivers: [{host: 'a:80', path: /a, vendor: ailet}]", "receivers[0].host must be one"),
        ("receivers: [{host: a/b, path: /a, vendor: ailet}]", "receivers[0].host must be one"),
        ("receivers: [{host: a..b, path: /a, vendor: ailet}]", "receivers[0].host must be one"),
        (
            "receivers: [{host: a., path: /a, vendor: raw}, {host: A, path: /a, vendor: raw}]",
            "receivers[1].path must be different, or before receivers[0]"
        ),
        ("receivers: [{host: a, vendor: ailet}]", "receivers[0].path must be given"),
        ("receivers: [{host: a, path: /a}]", "receivers[0].vendor must be given"),
        (
            "receivers: [{host: a, path: /a, vendor: apple}]",
            "receivers[0].vendor must be one of dimmy, welltory, ailet, rezolve, x-callback-url, raw"
        ),
        (
            "receivers: [{host: a, path: /a, vendor: ailet, contract: ailet}]",
            "receivers[0].contract must be one of dimmy-2024, flux, flux-webhook, welltory-dds"
        ),
        (
            "receivers: [{host: a, path: /a, vendor: dimmy, contract: welltory-dds}]",
            "receivers[0].contract must be one of dimmy's: dimmy-2024, flux, flux-webhook"
        ),
        (
            "receivers: [{host: a, path: /a, vendor: raw, contract: flux}]",
            "receivers[0].contract must be left out: raw has no contract"
        ),
        ("receivers: [{host: a, path: '/(a', vendor: raw}]", "receivers[0].path must be a link"),
        ("receivers: [{host: a, path: /a/../b, vendor: raw}]", "must be without the segment .."),
        ("receivers: [{host: a, path: '/a/(.|b)', vendor: raw}]", "must be without the segment ."),
        (
            "receivers: [{host: a, path: /caf%C3%A9/done, vendor: raw}]",
            "compared: café, not caf%C3%A9"
        ),
        ("receivers: [{host: a, path: /a%2Fb, vendor: raw}]", "must be without a%2Fb, because"),
        (
            "receivers: [{host: a, path: '/b/:x', vendor: raw}, {host: A, path: 'b/:y/', vendor: ailet}]",
            "receivers[1].path must be different, or before receivers[0]: /b/:x there matches all"
        ),
        (
            """
            receivers:
              - {host: a, path: '/:x', vendor: raw}
              - {host: b, path: /flux, vendor: dimmy}
              - {host: a, path: '/flux?:status', vendor: dimmy}
            """,
            "receivers[2].path must be different, or before receivers[0]: /:x there matches all links"
        ),
        (
            "receivers: [{host: a, path: /a, vendor: raw, inbox: A B}]",
            "receivers[0].inbox must be 1 to 63 of"
        ),
        (
            "receivers: [{host: a, path: /a, vendor: raw, answer: 503}]",
            "receivers[0].answer must be a mapping"
        ),
        (
            "receivers: [{host: a, path: /a, vendor: raw, answer: {stauts: 503}}]",
            "the key \"receivers[0].answer.stauts\" is unknown; known keys: body"
        ),
        (
            "receivers: [{host: a, path: /a, vendor: raw, answer: {status: 199}}]",
            "receivers[0].answer.status must be a number from 200 to 599"
        ),
        (
            "receivers: [{host: a, path: /a, vendor: raw, answer: {delay_milliseconds: 60001}}]",
            "receivers[0].answer.delay_milliseconds must be a number from 0 to 60000"
        ),
        (
            "receivers: [{host: a, path: /a, vendor: raw, answer: {headers: [a]}}]",
            "receivers[0].answer.headers must be a mapping of names to strings"
        ),
        (
            #"receivers: [{host: a, path: /a, vendor: raw, answer: {headers: {X-A: "b\r\nX-C: d"}}}]"#,
            "receivers[0].answer.headers must be values of visible ASCII, with spaces only inside (X-A)"
        ),
        (
            "receivers: [{host: a, path: /a, vendor: raw, answer: {headers: {Date: now}}}]",
            "receivers[0].answer.headers must be other fields: the server sets this one (Date)"
        ),
        (
            "receivers: [{host: a, path: /a, vendor: raw, answer: {status: 204, body: a}}]",
            "receivers[0].answer.body must be absent, since a 204 has no content"
        ),
        (
            "receivers: [{host: a, path: /a, vendor: raw, answer: {status: 426}}]",
            "receivers[0].answer.status must be a status other than 426, which needs"
        ),
        (
            "receivers: [{host: a, path: /a, vendor: raw, answer: {fail_status: 426}}]",
            "receivers[0].answer.fail_status must be a status other than 426, which needs"
        ),
        (
            "receivers: [{host: a, path: /a, vendor: raw, answer: {fail_retry_after_seconds: 1}}]",
            "answer.fail_retry_after_seconds must be absent without fail_first or fail_every"
        ),
        ("limits: {target_bytes: 1}", "limits.target_bytes must be a number from 8192"),
        ("results: {segment_bytes: 1}", "results.segment_bytes must be a number from 1048576"),
        ("results: {compress: 7}", "results.compress must be"),
        ("results: {retention: {days: 0}}", "results.retention.days must be a number from 1"),
        (
            "results: {retention: {days: 030}}",
            "results.retention.days must be a number from 1 to 36500, in decimal digits without"
        ),
        ("results: {retention: {weeks: 1}}", "the key \"results.retention.weeks\" is unknown"),
        ("token: ''", "token must be a string of 16 characters or more"),
        ("token: fifteen-letters", "token must be a string of 16 characters or more"),
        ("log: {level: loud}", "log.level must be one of trace, debug"),
        ("log: {format: xml}", "log.format must be one of text, json"),
        ("listen: [", "some/landfall.yaml is not valid YAML"),
    ])
    func whatIsWrongIsNamedWithFileAndKey(yaml: String, message: String) {
        let error = #expect(throws: ConfigurationError.self) { try configuration(yaml) }
        let text = error?.description ?? ""
        #expect(text.contains(message), "\(text)")
        #expect(text.contains("some/landfall.yaml"))
    }

    @Test func theNetworkIsReadWithAllItsParts() throws {
        let read = try configuration(
            """
            listen: {unix: run/landfall.sock, proxy_protocol: true}
            tls:
              port: 443
              folder: certificates
              default: www.yourapp.com
              redirect: true
              hsts: [{host: WWW.YourApp.com, seconds: 60, include_subdomains: true}]
              client_authorities: clients.pem
              client_certificates: required
            trusted_proxies: [10.0.0.0/8, "::1", unix]
            server_timing: true
            limits: {connections: 5, connections_per_address: 2, stop_milliseconds: 100}
            """)
        #expect(read.unixSocket == "some/run/landfall.sock")
        #expect(read.expectsProxyHeader)
        var tls = Configuration.TLS()
        tls.port = 443
        tls.folder = "some/certificates"
        tls.defaultCertificate = "www.yourapp.com"
        tls.redirects = true
        tls.strictHosts = [
            Configuration.TLS.StrictHost(
                host: "www.yourapp.com", seconds: 60, includesSubdomains: true)
        ]
        tls.clientAuthorities = "some/clients.pem"
        tls.clientCertificates = .required
        #expect(read.tls == tls)
        #expect(read.trustedProxies.count == 2)
        #expect(read.trustsUnixPeers)
        #expect(read.servesProxies)
        #expect(read.sendsServerTiming)
        #expect(read.http.connections == 5)
        #expect(read.http.connectionsPerAddress == 2)
        #expect(read.stopMilliseconds == 100)
    }

    @Test(arguments: [
        ("limits: {connections: 500}", 250), ("limits: {connections: 1}", 1),
        ("limits: {connections: 3000}", 1024), ("limits: {field_count: 20}", 1024),
        ("limits: {connections: 500, connections_per_address: 400}", 400),
    ])
    func oneAddressGetsHalfOfFewConnectionsUnlessItsLimitIsSet(yaml: String, limit: Int) throws {
        let settings = try configuration(yaml).serverSettings(sharing: MemoryBudget(bytes: 1))
        #expect(settings.limits.connectionsPerAddress == limit)
    }

    @Test(arguments: [
        ("trusted_proxies: [10.0.0.1/8]", "trusted_proxies must be a list of addresses"),
        ("trusted_proxies: 10.0.0.1", "trusted_proxies must be a list of addresses"),
        ("tls: {port: 70000}", "tls.port must be a number from 0 to 65535"),
        ("tls: {redirect: perhaps}", "tls.redirect must be true or false"),
        ("tls: {hsts: [{host: a}]}", "tls.hsts[0].seconds must be given"),
        ("tls: {hsts: [{host: 'a.b:443', seconds: 1}]}", "tls.hsts[0].host must be one host name"),
        ("tls: {hsts: [{host: 'https://a', seconds: 1}]}", "tls.hsts[0].host must be one host"),
        ("tls: {hsts: [{host: '*.a.b', seconds: 1}]}", "include_subdomains covers the names below"),
        ("tls: {hsts: [{host: 10.0.0.1, seconds: 1}]}", "tls.hsts[0].host must be one host name"),
        ("rezolve: {hosts: ['*.a.b']}", "rezolve.hosts must be a list of host names, without"),
        ("rezolve: {hosts: [a..b]}", "rezolve.hosts must be a list of host names, without scheme"),
        ("emulator: {allowed_hosts: ['*.a.b']}", "emulator.allowed_hosts must be a list of host"),
        ("tls: {client_certificates: optional}", "tls.client_authorities must be given"),
        ("tls: {client_certificates: maybe}", "must be one of none, optional, required"),
        ("tls: {cert: a}", "the key \"tls.cert\" is unknown"),
        ("limits: {connections: 0}", "limits.connections must be a number from 1"),
    ])
    func aWrongNetworkIsRefusedWithASentence(text: String, message: String) {
        let error = #expect(throws: ConfigurationError.self) { try configuration(text) }
        #expect(error.map { "\($0)".contains(message) } == true, "\(String(describing: error))")
    }

    @Test(
        "RFC 6454 §6.2: what browsers send as an origin",
        arguments: [
            ("https://qa.example.com", true), ("http://localhost:3000", true),
            ("http://qa.example.com:443", true), ("https://[::1]:8443", true),
            ("https://10.0.0.1", true), ("capacitor://localhost", true),
            ("chrome-extension://abcdefghijklmnop", true),
            ("https://qa.example.com:443", false), ("http://qa.example.com:80", false),
            ("https://qa.example.com:", false), ("https://qa.example.com/", false),
            ("https://qa.example.com?x", false), ("https://*.example.com", false),
            ("https://a b", false), ("https://QA.example.com", false), ("HTTPS://a.b", false),
            ("https://u@a.b", false), ("https://", false), ("://a.b", false), ("a.b", false),
            ("https:/a.b", false), ("null", false),
        ])
    func originsThatNoBrowserSendsAreRefused(origin: String, isValid: Bool) {
        let yaml = "api: {allowed_origins: ['\(origin)']}"
        guard isValid else {
            let error = #expect(throws: ConfigurationError.self) { try configuration(yaml) }
            #expect(error?.description.contains("api.allowed_origins must be a list") == true)
            return
        }
        #expect((try? configuration(yaml))?.allowedOrigins == [origin])
    }

    @Test func theEnvironmentWinsOverTheFile() throws {
        var read = try configuration("listen: {host: 127.0.0.1, port: 1}")
        try read.apply([
            "LANDFALL_HOST": "0.0.0.0", "LANDFALL_PORT": "2", "LANDFALL_DATA": "/d",
            "LANDFALL_TOKEN": "sixteen-letters-", "LANDFALL_LOG_LEVEL": "error",
            "LANDFALL_LOG_FORMAT": "json",
        ])
        #expect(read.host == "0.0.0.0")
        #expect(read.port == 2)
        #expect(read.dataFolder == "/d")
        #expect(read.token == "sixteen-letters-")
        #expect(read.logLevel == "error")
        #expect(read.logFormat == .json)
    }

    @Test(arguments: [
        "LANDFALL_HOST", "LANDFALL_PORT", "LANDFALL_DATA", "LANDFALL_TOKEN", "LANDFALL_LOG_LEVEL",
        "LANDFALL_LOG_FORMAT", "LANDFALL_TOKEN_FILE", "LANDFALL_CONFIG",
    ])
    func anEmptyVariableIsRefusedByName(name: String) {
        let error = #expect(throws: ConfigurationError.self) {
            try Configuration.load(nil, environment: [name: ""])
        }
        #expect(error?.description.hasPrefix("environment: \(name) must be") == true)
    }

    @Test func aTokenThatCouldBeGuessedIsRefusedAndNotQuoted() {
        var configuration = Configuration()
        let error = #expect(throws: ConfigurationError.self) {
            try configuration.apply(["LANDFALL_TOKEN": "fifteen-letters"])
        }
        let text = error?.description ?? ""
        #expect(text.contains("LANDFALL_TOKEN must be a string of 16 characters or more"))
        #expect(text.contains("openssl rand"))
        #expect(!text.contains("fifteen-letters"))
    }

    @Test(arguments: ["token: s3cret\ndata: a\ndata: b", "token: [s3cret", "token: s3cret: x"])
    func aMalformedFileIsNotQuoted(yaml: String) {
        let error = #expect(throws: ConfigurationError.self) { try configuration(yaml) }
        #expect(error?.description.contains("s3cret") == false)
        #expect(error?.description.contains("line") == true)
    }

    @Test(arguments: ["LANDFALL_PORT", "LANDFALL_LOG_LEVEL", "LANDFALL_LOG_FORMAT"])
    func aWrongVariableIsNamed(name: String) {
        var configuration = Configuration()
        let error = #expect(throws: ConfigurationError.self) {
            try configuration.apply([name: "nonsense"])
        }
        #expect(error?.description.contains(name) == true)
    }

    @Test(arguments: ["+80", "0080", " 80", "-0", "65536"])
    func aPortOfTheEnvironmentIsWrittenAsInTheFile(port: String) {
        var configuration = Configuration()
        #expect(throws: ConfigurationError.self) {
            try configuration.apply(["LANDFALL_PORT": port])
        }
    }
}

@Suite struct InboxTests {
    @Test(arguments: [
        ("default", true), ("a", true), ("0", true), ("a.b_c-d", true),
        (String(repeating: "a", count: 63), true), (String(repeating: "a", count: 64), false),
        ("", false), ("-a", false), (".a", false), ("_a", false), ("A", false), ("a b", false),
        ("é", false), ("a/b", false), ("a\0", false),
    ])
    func namesFollowTheRule(name: String, isValid: Bool) {
        #expect(Inbox.isValid(name) == isValid)
    }
}
