// The table of settings against what the sections read, the new file against the defaults, and
// where values come from.

import Foundation
import LinkPatterns
import Testing
import Text
import Vendors

@testable import Server
@testable import Settings
@testable import landfall

@Suite struct SettingsTests {
    private func known(in section: String) -> [String] {
        var configuration = Configuration()
        let nested = section.isEmpty ? [] : section.split(separator: ".")
        let yaml =
            nested.map { "{\($0): " }.joined() + "{no_such_key: 1}"
            + String(repeating: "}", count: nested.count)
        do throws(ConfigurationError) {
            try configuration.apply(yaml: yaml, file: "f")
        } catch {
            if case .unknownKey(_, _, let known) = error { return known }
        }
        return []
    }

    @Test func theTableListsEveryKeyThatIsRead() {
        let keys = Set(Configuration.settings.filter(\.isInFile).map(\.key))
        #expect(keys.count == Configuration.settings.filter(\.isInFile).count)
        let prefixes = Set(
            keys.flatMap { key in
                key.indices.filter { key[$0] == "." }.map { String(key[..<$0]) }
            })
        for section in prefixes.union([""]) {
            let read = Set(known(in: section).map { section.isEmpty ? $0 : "\(section).\($0)" })
            #expect(!read.isEmpty, "\(section)")
            #expect(read.subtracting(prefixes).subtracting(keys) == [], "add to settings")
            let listed = keys.filter { key in
                key.split(separator: ".").dropLast().joined(separator: ".") == section
            }
            #expect(Set(listed).subtracting(read) == [], "not read")
        }
    }

    @Test func aNewFileHasTheDefaultsAndLoadsWithEveryKeyInForce() throws {
        let text = ConfigurationTemplate.text()
        var plain = Configuration()
        try plain.apply(yaml: text, file: "landfall.yaml")
        #expect(Set(plain.origins.keys) == ["listen", "listen.host", "listen.port", "data"])
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        // A sentence about a setting in force is a comment; keys and comments on them are not.
        let body = lines.drop { !$0.isEmpty }.map { line in
            let rest = line.dropFirst(2)
            return line.hasPrefix("# ") && rest.first?.isUppercase == false ? rest : line
        }
        var all = Configuration()
        try all.apply(yaml: body.joined(separator: "\n"), file: "landfall.yaml")
        let defaults = Configuration()
        for setting in Configuration.settings where setting.isInFile {
            #expect(all.origins[setting.key] != nil, "\(setting.key)")
            guard setting.example == nil else { continue }
            #expect(setting.value(all) == setting.value(defaults), "\(setting.key)")
        }
    }

    @Test func theOriginOfAValueIsItsLineVariableOrFlag() throws {
        var configuration = Configuration()
        try configuration.apply(
            yaml: "# first\nlisten:\n  host: ::1\n  port: 1\nlog: {level: debug}\n",
            file: "a/l.yaml")
        try configuration.apply(["LANDFALL_PORT": "2", "OTHER": "3"])
        configuration.replace(\.dataFolder, "data", by: "--data", with: "elsewhere")
        configuration.replace(\.host, "listen.host", by: "--host", with: nil)
        #expect(configuration.origin(of: "listen.host") == .file(path: "a/l.yaml", line: 3))
        #expect(configuration.origin(of: "log.level") == .file(path: "a/l.yaml", line: 5))
        #expect(configuration.origin(of: "listen.port") == .environment("LANDFALL_PORT"))
        #expect(configuration.origin(of: "data") == .flag("--data"))
        #expect(configuration.origin(of: "log.format") == .builtIn)
    }

    @Test func noSecretIsShown() throws {
        let secrets = [
            "a-token-of-16-characters", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "an-api-key",
            "an-auth-key", "a-key-of-pseudonyms", "user:pass@partner",
        ]
        var configuration = Configuration()
        try configuration.apply(
            yaml: """
                token: \(secrets[0])
                webhooks: {secrets: [\(secrets[1])]}
                emulator:
                  webhook_secret: \(secrets[1])
                  webhook_url: "https://partner/x?key=\(secrets[2])"
                dimmy: {api_keys: [\(secrets[2])]}
                rezolve: {partners: [{id: 1, api_key: \(secrets[2]), auth_key: \(secrets[3])}]}
                """, file: "f")
        try configuration.apply(["LANDFALL_PRIVACY_KEY": secrets[4]])
        let report = ConfigurationReport(configuration, onlyChanged: false)
        for text in [report.json, report.text(TerminalStyle())] {
            for secret in secrets { #expect(!text.contains(secret)) }
        }
        #expect(report.text(TerminalStyle()).contains("(hidden)"))
    }

    @Test(arguments: [
        (SettingValue.text("127.0.0.1"), "127.0.0.1"), (.text("1.5"), "\"1.5\""),
        (.text("::1"), "\"::1\""),
        (.text("/var/lib"), "/var/lib"), (.text("no"), "\"no\""), (.text(""), "\"\""),
        (.text("a\"b\\\n"), "\"a\\\"b\\\\\\x0a\""), (.number(7), "7"), (.flag(true), "true"),
        (.list(["a", "b c"]), "[a, \"b c\"]"), (.hidden, "(hidden)"),
        (
            .mappings([[.init(name: "id", text: "x"), .init(name: "key", text: nil)]]),
            "[{id: x, key: (hidden)}]"
        ),
        (
            .mappings([[.init(name: "urls", text: nil, texts: ["a://b", "c"])]]),
            "[{urls: [\"a://b\", c]}]"
        ),
    ])
    func aValueIsWrittenAsYAMLReadsIt(value: SettingValue, yaml: String) {
        #expect(value.yaml == yaml)
    }

    @Test(
        arguments: [
            (
                "[{source: A, callbacks: ['https://a.example/']}, {source: B, callbacks: [com.b/.C, 'd://x']}]",
                2
            ),
            (
                "[{source: A, callbacks: ['https://a.example/']}, {source: A, callbacks: ['d:']}]",
                nil
            ),
            ("[{source: A}]", nil), ("[{callbacks: ['https://a.example/']}]", nil), ("[]", nil),
            ("[{source: A, callbacks: []}]", nil), ("[{source: A, callbacks: [nothing]}]", nil),
            ("[{source: A, callbacks: ['javascript:x']}]", nil),
            ("[{source: A, callbacks: ['https://a.example/'], key: 1}]", nil),
        ] as [(String, Int?)])
    func partnersOfWelltoryHaveANameAndCallbacks(list: String, count: Int?) throws {
        var configuration = Configuration()
        try? configuration.apply(yaml: "welltory: {partners: \(list)}", file: "f")
        #expect(configuration.welltoryPartners?.count == count)
    }

    @Test func everyEmulatedHostHasARoute() throws {
        let routes = try Routes(receivers: [], page: PageFiles(folder: "public"))
        for host in Vendor.emulatedHosts {
            let paths = ["/open", "/share-measurement", "/2/12/70", "/action/dds/measurement"]
            let found = paths.compactMap { path in
                Link(path: Array(path.utf8)[...]).flatMap { routes.route(for: $0, on: host) }
            }
            #expect(!found.isEmpty, "\(host)")
        }
    }

    @Test func thePageIsFoundBesideAProgramThatIsInstalled() throws {
        let folder = FileManager.default.temporaryDirectory.path + "/page-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let page = folder + "/share/landfall/public"
        try FileManager.default.createDirectory(
            atPath: page, withIntermediateDirectories: true)
        #expect(Configuration.page(near: folder + "/bin/landfall") == nil)
        for name in ["index.html", "openapi.json"] {
            try Data().write(to: URL(filePath: "\(page)/\(name)"))
        }
        #expect(Configuration.page(near: folder + "/bin/landfall") == page)
        #expect(Configuration.page(near: "") == nil)
    }

    @Test func aTokenIsReadFromItsFile() throws {
        let file = FileManager.default.temporaryDirectory.path + "/token-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: file) }
        try Data("a-token-of-16-characters\n".utf8).write(to: URL(filePath: file))
        let variables = ["LANDFALL_TOKEN_FILE": file]
        #expect(try Configuration.token(variables) == "a-token-of-16-characters")
        var configuration = Configuration()
        try configuration.apply(variables)
        #expect(configuration.token == "a-token-of-16-characters")
        #expect(configuration.origin(of: "token") == .environment("LANDFALL_TOKEN_FILE"))
        try Data("short".utf8).write(to: URL(filePath: file))
        #expect(throws: ConfigurationError.self) { try Configuration.token(variables) }
        #expect(throws: ConfigurationError.self) {
            try Configuration.token(
                variables.merging(["LANDFALL_TOKEN": "a-token-of-16-letters"]) { $1 })
        }
        #expect(throws: ConfigurationError.self) {
            try Configuration.token(["LANDFALL_TOKEN_FILE": "/nowhere"])
        }
    }

    @Test(arguments: [
        ("a-token-of-16-characters\n", true), ("\t a-token-of-16-characters\r\n", true),
        ("a-token of-16-characters", false), ("a-token-of\n-16-characters", false),
        ("a-token-of-\u{7}16-characters", false),
    ])
    func aTokenIsReadAlikeFromVariableFileAndConfiguration(text: String, isValid: Bool) throws {
        let token = isValid ? "a-token-of-16-characters" : nil
        let file = FileManager.default.temporaryDirectory.path + "/token-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: file) }
        try Data(text.utf8).write(to: URL(filePath: file))
        #expect((try? Configuration.token(["LANDFALL_TOKEN_FILE": file])) == token)
        #expect((try? Configuration.token(["LANDFALL_TOKEN": text])) == token)
        let escaped = text.unicodeScalars.map {
            $0.value < 0x10 ? "\\x0" + String($0.value, radix: 16) : String($0)
        }.joined()
        var configuration = Configuration()
        try? configuration.apply(yaml: "token: \"\(escaped)\"", file: "f")
        #expect(configuration.token == token)
    }

    @Test(arguments: [
        ("https://l.example", true), ("http://10.0.0.2:8080/", true), ("l.example", false),
        ("https://", false), ("https://l.example/a", false), ("https://u:p@l.example", false),
        ("ftp://l.example", false), ("https://l.example?x", false),
    ])
    func theReachableURLIsAnOrigin(text: String, isValid: Bool) {
        var configuration = Configuration()
        let error: ()? = try? configuration.apply(["LANDFALL_PUBLIC_URL": text])
        #expect((error != nil) == isValid)
        #expect((configuration.reachableURL != nil) == isValid)
        #expect(configuration.reachableURL?.hasSuffix("/") != true)
    }
}
