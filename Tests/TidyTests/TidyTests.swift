// Rules of style that a machine can check, so that no reviewer has to.

import Foundation
import Testing

@Suite struct TidyTests {
    private let tree = SourceTree()

    private func swiftFiles() throws -> [SourceTree.File] {
        try tree.files(in: ["Sources", "Tests"], suffix: ".swift")
    }

    @Test func noFileIsLongerThan500Lines() throws {
        for file in try swiftFiles() {
            #expect(file.lines.count <= 501, "\(file.path) has \(file.lines.count) lines")
        }
    }

    @Test func noTargetButTheTwoLargestHasMoreThan7000Lines() throws {
        let counts = try tree.files(in: ["Sources"], suffix: ".swift").reduce(into: [:]) {
            $0[$1.target, default: 0] += $1.lines.count - 1
        }
        for (target, count) in counts where !["ResultStore", "Vendors"].contains(target) {
            #expect(count <= 7_000, "\(target) has \(count) lines")
        }
    }

    @Test func noFunctionIsLongerThan70Lines() throws {
        for file in try swiftFiles() {
            var start: (line: Int, indent: Int)?
            for (number, line) in file.lines.enumerated() {
                let indent = line.prefix { $0 == " " }.count
                let text = line.dropFirst(indent)
                if let open = start, text.hasPrefix("}"), indent == open.indent {
                    let length = number - open.line + 1
                    #expect(length <= 70, "\(file.path):\(open.line + 1) has \(length) lines")
                    start = nil
                } else if start == nil, !text.hasPrefix("//"), !text.hasPrefix("}"),
                    !text.hasSuffix("}"),
                    text.contains("func ") || text.contains("init(") && !text.contains(".init(")
                {
                    start = (number, indent)
                }
            }
        }
    }

    @Test func everyFileOpensWithWhatItIsFor() throws {
        for file in try swiftFiles() where file.path != "Package.swift" {
            let opening = file.lines.prefix { $0.hasPrefix("//") }
            #expect(
                (1...12).contains(opening.count) && file.lines.first?.hasPrefix("// ") == true,
                "\(file.path) opens with \(opening.count) lines of comment")
        }
    }

    @Test func unsafeCodeStaysBehindItsWalls() throws {
        let walls = [
            "Sources/Sockets/", "Sources/Gzip/", "Sources/HTTPClient/",
            "Sources/Files/", "Sources/PostgreSQLStore/DatabaseAddress.swift",
            "Sources/PostgreSQLStore/Wire/Connection.swift", "Sources/QRCode/QRCode.swift",
            "Sources/ResultStore/Files/File.swift",
            "Sources/ResultStore/Files/Checksum.swift",
            "Sources/ResultStore/Index/IndexSchema.swift",
            "Sources/ResultStore/Index/Interruption.swift",
            "Sources/ResultStore/Index/ResultIndex+Counting.swift",
            "Sources/ResultStore/Index/RowInsertion.swift",
            "Sources/Server/Metrics/LazyReference.swift",
            // Many bytes at once, which Swift counts as unsafe; their bounds are checked.
            "Sources/Text/Span+Bytes.swift", "Sources/Vendors/Messages/Base64Text.swift",
            // The executors of their actors, which Swift counts as unsafe references.
            "Sources/ResultStore/Journal/", "Sources/ResultStore/Index/ResultIndex.swift",
            "Sources/ResultStore/Live/Feed.swift", "Sources/ResultStore/Maintenance/Keeper.swift",
        ]
        for file in try tree.files(in: ["Sources"], suffix: ".swift") {
            let uses = file.lines.contains { line in
                let code = line.drop { $0 == " " }
                return !code.hasPrefix("//") && line.contains("unsafe ")
            }
            guard uses else { continue }
            #expect(walls.contains { file.path.hasPrefix($0) }, "\(file.path) has unsafe code")
            #expect(
                file.lines.contains { $0.contains("SAFETY:") }, "\(file.path) doesn't say why")
        }
    }

    @Test func nothingTrapsOnWhatAPeerSends() throws {
        let words = ["try!", "as!", "fatalError(", "unowned(unsafe)"]
        for file in try tree.files(in: ["Sources"], suffix: ".swift") {
            for (number, line) in file.lines.enumerated() {
                let code = line.drop { $0 == " " }
                guard !code.hasPrefix("//") else { continue }
                for word in words {
                    #expect(!line.contains(word), "\(file.path):\(number + 1) has \(word)")
                }
            }
        }
    }

    @Test func namesSayMoreThanThatSomethingHelps() throws {
        let words = ["Utils", "Helper", "Manager", "Common", "Misc"]
        for file in try swiftFiles() {
            let name = file.path.split(separator: "/").last ?? ""
            #expect(!words.contains { name.contains($0) }, "\(file.path)")
        }
    }

    @Test func onlyTheRegistryListsTheVendors() throws {
        let names = [
            "dimmy", "welltory", "ailet", "rezolve", "raw", "dimmy2024", "flux", "fluxWebhook",
            "welltoryDDS", "ailetDeeplink", "rezolveTrigger", "rezolveAct",
            "xCallbackURL",
        ]
        let cases = names.flatMap { ["case .\($0):", "case .\($0),", ", .\($0):"] }
        for file in try tree.files(in: ["Sources"], suffix: ".swift") {
            guard !file.path.hasPrefix("Sources/Vendors/Registry/") else { continue }
            for (number, line) in file.lines.enumerated() {
                #expect(!cases.contains { line.contains($0) }, "\(file.path):\(number + 1)")
            }
        }
    }

    @Test func onlyAVendorsOwnFolderComparesVendors() throws {
        let names =
            "dimmy|welltory|ailet|rezolve|dimmy2024|flux|fluxWebhook|welltoryDDS|ailetDeeplink|"
            + "rezolveTrigger|rezolveAct|xCallbackURL"
        let comparison = try Regex("[=!]= *(Vendor|Contract)?\\.(\(names))\\b")
        let own = ["Ailet", "Dimmy", "Registry", "Rezolve", "Welltory", "XCallbackURL"]
        for file in try tree.files(in: ["Sources"], suffix: ".swift") {
            if own.contains(where: { file.path.hasPrefix("Sources/Vendors/\($0)/") }) { continue }
            for (number, line) in file.lines.enumerated() where line.contains(comparison) {
                Issue.record("\(file.path):\(number + 1) compares a vendor: ask its contract")
            }
        }
    }

    @Test func commentsAndDocumentsAreInPlainWords() throws {
        let words = [
            "in vain", "at the most", "so many", "mend", "mended", "whoever", "anew", "he", "him",
            "told",
        ]
        let files =
            try tree.files(in: ["Sources"], suffix: ".swift")
            + tree.files(in: ["Documentation"], suffix: ".md")
            + [tree.file("README.md"), tree.file("public/openapi.json")]
        for file in files {
            for (number, line) in file.lines.enumerated() {
                guard let text = Self.prose(in: line, of: file) else { continue }
                let sentence = " " + text.lowercased().map { $0.isLetter ? $0 : " " } + " "
                for word in words {
                    #expect(
                        !sentence.contains(" \(word) "), "\(file.path):\(number + 1) has \(word)")
                }
            }
        }
    }

    /// What a line says to people: a comment, a description of the API, or a document's whole line;
    /// nil if it says nothing.
    private static func prose(in line: Substring, of file: SourceTree.File) -> Substring? {
        if file.path.hasSuffix(".md") { return line }
        if file.path.hasSuffix(".swift") {
            return line.firstRange(of: "//").map { line[$0.upperBound...] }
        }
        let isDescription = ["\"description\":", "\"summary\":"].contains { line.contains($0) }
        return isDescription ? line : nil
    }

    @Test func targetsImportOnlyWhatTheyMay() throws {
        let system: Set = [
            "Darwin", "Dispatch", "Foundation", "FoundationEssentials", "Glibc", "Synchronization",
            "Testing", "UIKit",
        ]
        // The modules of the system that these targets may import; others may import all of them.
        let allowed: [String: Set<String>] = [
            "AppLinks": [], "JSON": [], "LinkPatterns": [], "Problems": [], "QRCode": [],
            "Vendors": [],
            // Under a condition, the C library of each platform.
            "Text": ["Darwin", "Glibc"],
            "Files": ["FoundationEssentials"],
            "Clocks": [], "Sockets": ["Synchronization"], "Gzip": [],
            "HTTP1": ["Synchronization"], "HTTPClient": ["Synchronization"],
            "PostgreSQLStore": ["Foundation", "Synchronization"],
            "ResultStore": ["Dispatch", "Foundation", "FoundationEssentials", "Synchronization"],
        ]
        let targets = try tree.targets()
        #expect(targets.contains { $0.name == "landfall" && $0.dependencies.contains("Server") })
        for target in targets {
            let files = try tree.files(in: [target.folder], suffix: ".swift")
            // A target in C.
            if files.isEmpty { continue }
            let imports = Set(files.flatMap(\.imports))
            let own = imports.subtracting(system)
            let unlike = own.symmetricDifference(target.dependencies).sorted()
            #expect(unlike.isEmpty, "imports and dependencies of \(target.name) differ: \(unlike)")
            let others = imports.intersection(system).subtracting(allowed[target.name] ?? system)
            #expect(others.isEmpty, "\(target.name) imports \(others.sorted())")
        }
    }

    /// A failure of a command after `!` ends no test, unless it is the last one.
    @Test func noTestOfTheShellNegatesACommand() throws {
        for file in try tree.files(in: ["Tests"], suffix: ".bats") {
            for (number, line) in file.lines.enumerated() {
                #expect(
                    line.firstMatch(of: /^\s*!\s|;\s*(?:then|do)\s+!\s/) == nil,
                    "\(file.path):\(number + 1)")
            }
        }
    }

    /// A second assignment would silently change what all recipes before it use.
    @Test func noVariableOfTheMakefileIsSetTwice() throws {
        let names = try tree.file("Makefile").lines.compactMap { line in
            line.prefixMatch(of: /([A-Za-z_]+) *[:?]?=/).map { String($0.output.1) }
        }
        #expect(names.contains("SCRATCH"))
        let counts = names.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        for (name, count) in counts {
            #expect(count == 1, "\(name) is set \(count) times")
        }
    }

    /// The container is built without make, but as `make build` builds the program.
    @Test func theDockerfileHasTheOptionsOfMake() throws {
        let commands = try dryRun("build")
        func words(of text: String) throws -> Set<Substring> {
            let lines = text.replacing("\\\n", with: " ").split(separator: "\n")
            let command = try #require(lines.first { $0.contains("swift build -c release") })
            return Set(command.split(separator: " "))
        }
        // In a folder of its own, where objects of builds without the profile may be.
        let extra: Set<Substring> = [
            "--scratch-path", ".build-release", "-disable-incremental-llvm-codegen",
        ]
        let dockerfile = try tree.file("Dockerfile").lines.joined(separator: "\n")
        #expect(
            try words(of: dockerfile).subtracting(["RUN"])
                == words(of: commands).subtracting(extra))
    }

    /// Kubernetes starts a container with `runAsNonRoot` only if its user is a number.
    @Test func theContainersUserIsANumber() throws {
        let users = try tree.file("Dockerfile").lines.filter { $0.hasPrefix("USER ") }
        #expect(users == ["USER 10001:10001"])
    }

    /// `sudo make install` would build as root what is missing.
    @Test func makeBuildMakesWhatMakeInstallNeeds() throws {
        let commands = try dryRun("--always-make", "build")
        #expect(commands.contains("--product landfall"))
        #expect(commands.contains("--product generate-manual"))
    }

    /// Left out: what these packages need, which only resolving them shows.
    @Test func thePackagesCopyrightNamesTheDependencies() throws {
        let manifest = try tree.file("Package.swift").lines.joined(separator: "\n")
        let copyright = try tree.file("Config/packaging/debian/copyright").lines
            .joined(separator: "\n")
        let urls = manifest.matches(of: /\.package\(\s*url: "([^"]+)"/).map { $0.output.1 }
        #expect(urls.count >= 9)
        for url in urls {
            let name = try #require(url.split(separator: "/").last).split(separator: ".")[0]
            #expect(copyright.contains(name), "\(url) isn't named")
        }
    }

    /// What make would run, without running it.
    private func dryRun(_ arguments: String...) throws -> String {
        let make = Process()
        make.executableURL = URL(filePath: "/usr/bin/env")
        make.arguments = ["make", "--dry-run"] + arguments
        make.currentDirectoryURL = tree.root
        let output = Pipe()
        make.standardOutput = output
        try make.run()
        let commands = String(
            decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        make.waitUntilExit()
        return commands
    }
}
