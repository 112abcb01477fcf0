// `landfall config`: what is in force, whether it is valid, and a new file.

import ArgumentParser
import Foundation
import InstallationChecks
import JSON
import Logging
import ProgramLog
import Server
import Settings
import Text

struct ConfigCommands: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "Show, check or write the configuration.",
        discussion: """
            No file is needed: without one, the defaults are in force, and the results are in \
            landfall-data of the current folder.
            """,
        subcommands: [Show.self, Check.self, Begin.self])

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show every setting in force, and where its value comes from.",
            discussion: """
                Takes the flags of "landfall serve". A value comes from a flag, a variable of the \
                environment, a line of the file, or is the default. Secrets are hidden.

                EXAMPLES
                  landfall config show
                  landfall config show --changed
                  landfall config show --json | jq -r '.settings[] | "\\(.key) \\(.from)"'
                """)

        @OptionGroup var options: ServeOptions

        @Flag(help: "Only settings that the file, the environment or a flag sets.")
        var changed = false

        @OptionGroup var format: JSONOption

        func run() throws {
            let configuration = try CommandFailure.environment { try options.load() }
            let report = ConfigurationReport(configuration, onlyChanged: changed)
            try Console.print(format.json ? report.json : report.text(TerminalStyle()))
        }
    }

    struct Check: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Check what the server reads before it listens.",
            discussion: """
                Reads the configuration, the page, the queues of forwarding, the key of \
                pseudonyms, the sites' link files and the certificates, as "landfall serve" does \
                with the same flags, and looks at the folder of the Unix-domain socket; nothing is \
                opened or changed.

                Exit code 0 when a server could start with it, 1 when not, with the first reason.
                """)

        @OptionGroup var options: ServeOptions

        func run() throws {
            let configuration: Configuration
            do {
                configuration = try options.load()
                try DataDiagnosis.refuseFile(configuration.dataFolder)
                var log = LogSetup.ofCommands
                log.logLevel = .warning
                _ = try StartFiles(configuration, log: log)
                try Bindings.checkSocket(configuration)
            } catch {
                LogSetup.flush()
                throw CommandFailure(no: "\(error)")
            }
            try Console.print(
                (configuration.file.map { "\($0) is valid" } ?? "The defaults are in force")
                    + "; results go to \(configuration.database?.text ?? configuration.dataFolder)."
            )
        }
    }

    struct Begin: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "init",
            abstract: "Write a configuration file with every setting and its default.",
            discussion: """
                The settings are comments, except for the address, the port and the data folder. \
                An existing file is left alone. Without a file, \(Configuration.newFile) is written \
                unless Config/landfall.yaml is the configuration, whose place it would take.

                Exit code 0 when the file is written, 3 when not.
                """)

        @Argument(
            help: ArgumentHelp(
                "The new file, or - for standard output. (default: \(Configuration.newFile))",
                valueName: "file"))
        var file: String?

        func run() throws {
            let text = ConfigurationTemplate.text()
            if file == "-" { return try Console.write(Array(text.utf8)) }
            let path = file ?? Configuration.newFile
            let former = Self.fileInForce
            if file == nil, let former, former != path, former == Configuration.usualFile {
                throw CommandFailure(
                    "\(former) is used here: change that one. A \(path) would take its place; "
                        + "landfall config init FILE writes one of another name.")
            }
            let isNew = !FileManager.default.fileExists(atPath: path)
            do {
                try Data(text.utf8).write(to: URL(filePath: path), options: .withoutOverwriting)
            } catch {
                let code = (error as? CocoaError)?.code
                if code == .fileWriteFileExists {
                    throw CommandFailure("\(path) exists already.")
                }
                // A full disk may have taken its beginning.
                if isNew { try? FileManager.default.removeItem(atPath: path) }
                let reason = code == .fileWriteOutOfSpace ? ": the disk is full" : ""
                throw CommandFailure("\(path) can't be written\(reason).")
            }
            let place = { (path: String) in URL(filePath: path).standardizedFileURL.path }
            let new = place(path)
            guard Self.fileInForce.map(place) == new else {
                return try Console.print(
                    "\(path) is written; landfall serve --config \(path) uses it.")
            }
            let note = former.map { place($0) == new ? "" : "it takes the place of \($0): " } ?? ""
            try Console.print(
                "\(path) is written; \(note)landfall config show lists what is in force.")
        }

        private static var fileInForce: String? {
            try? Configuration.file(nil, environment: ProcessInfo.processInfo.environment)
        }
    }
}

/// The settings in force, for people and programs.
struct ConfigurationReport {
    private let file: String?
    private let rows: [(setting: Setting, value: SettingValue?, origin: SettingOrigin)]

    init(_ configuration: Configuration, onlyChanged: Bool) {
        file = configuration.file
        rows = Configuration.settings.compactMap { setting in
            let origin = configuration.origin(of: setting.key)
            if onlyChanged, origin == .builtIn { return nil }
            return (setting, setting.value(configuration), origin)
        }
    }

    /// Aligned columns: key, value, origin.
    func text(_ style: TerminalStyle) -> String {
        let keys = rows.map(\.setting.key.count).max() ?? 0
        let values = rows.map { min(Self.shown($0.value).count, Self.valueColumns) }.max() ?? 0
        let lines = rows.map { row in
            let value = Self.shown(row.value)
            let text =
                row.setting.key + Self.blanks(keys - row.setting.key.count + 2) + value
                + Self.blanks(values - value.count + 2)
            return row.origin == .builtIn
                ? style.faint(text + "default") : text + TerminalText.visible("\(row.origin)")
        }
        let head = file.map { "file: \(TerminalText.visible($0))" } ?? "file: none"
        return ([head] + lines).joined(separator: "\n")
    }

    private static let valueColumns = 40

    private static func shown(_ value: SettingValue?) -> String {
        value.map { TerminalText.visible($0.yaml) } ?? "-"
    }

    private static func blanks(_ count: Int) -> String {
        String(repeating: " ", count: max(count, 2))
    }

    /// `{"file","settings":[{"key","value","from","file","line","name"}]}`; a secret that is set
    /// has `"hidden":true` in place of its value.
    var json: String {
        JSONWriter.text { json in
            json.member("file", file)
            json.objects("settings", of: rows) { json, row in
                json.member("key", row.setting.key)
                Self.write(row.value, to: &json)
                Self.write(row.origin, to: &json)
            }
        }
    }

    private static func write(_ value: SettingValue?, to json: inout JSONWriter) {
        if value == .hidden { return json.member("hidden", true) }
        json.key("value")
        switch value {
        case nil, .hidden: json.null()
        case .text(let text): json.value(text)
        case .number(let number): json.value(number)
        case .flag(let flag): json.value(flag)
        case .list(let texts): json.array { json in for text in texts { json.value(text) } }
        case .mappings(let mappings):
            json.array { json in
                for mapping in mappings {
                    json.object { json in
                        for member in mapping {
                            guard let texts = member.texts else {
                                json.member(member.name, member.text)
                                continue
                            }
                            json.member(member.name, texts)
                        }
                    }
                }
            }
        }
    }

    private static func write(_ origin: SettingOrigin, to json: inout JSONWriter) {
        switch origin {
        case .builtIn: json.member("from", "default")
        case .file(let path, let line):
            json.member("from", "file")
            json.member("file", path)
            json.member("line", line)
        case .environment(let name):
            json.member("from", "environment")
            json.member("name", name)
        case .flag(let name):
            json.member("from", "flag")
            json.member("name", name)
        }
    }
}
