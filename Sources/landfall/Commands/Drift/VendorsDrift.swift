// `landfall vendors drift`: checks whether the vendors still send what their contracts say.

import ArgumentParser
import JSON
import ResultAPI
import ResultStore
import Text
import Vendors

struct VendorCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "vendors", abstract: "Work with the vendors' contracts.",
        subcommands: [VendorsDrift.self])
}

struct VendorsDrift: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "drift",
        abstract: "Compare stored results with the vendors' contracts.",
        discussion: """
            Reports fields that the contract lacks (new), fields that it promises and that are absent \
            (missing), values of another type (type) or outside the contract's list (enum), and \
            parameters beside the contract's, which may be your own (context), each with its share \
            of results and the first result that shows it.

            EXAMPLES
              landfall vendors drift --since 7d
              landfall vendors drift --vendor ailet --fail-on missing,type

            Exit code 1 when something that --fail-on names was found, else 0.
            """)

    @OptionGroup var source: SourceOptions

    @Option(
        help: ArgumentHelp(
            "Only results since then: \(ResultAPI.sinceRule).", valueName: "time"))
    var since: String?

    @Option(help: "Only this vendor.")
    var vendor: Decode.VendorName?

    @Option(
        help: ArgumentHelp(
            "What to fail on, separated by commas: \(VendorsDrift.kinds).", valueName: "kinds"))
    var failOn: String?

    private static let kinds = Drift.Kind.allCases.map(\.rawValue).joined(separator: ",")

    func validate() throws {
        if let since, ResultAPI.condition(since: since, catalog: .all) == nil {
            throw ValidationError("--since must be \(ResultAPI.sinceRule).")
        }
        if failOn != nil, failKinds == nil {
            throw ValidationError("--fail-on must be of \(Self.kinds), separated by commas.")
        }
    }

    /// The kinds that `--fail-on` names; nil if one is unknown.
    private var failKinds: Set<String>? {
        let names = failOn?.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard let names else { return [] }
        return names.allSatisfy { Drift.Kind(rawValue: $0) != nil } ? Set(names) : nil
    }

    private var vendors: [Vendor] {
        if let name = vendor?.rawValue { return [Vendor(rawValue: name)].compactMap(\.self) }
        return Vendor.allCases.filter { vendor in
            Contract.allCases.contains { $0.vendor == vendor }
        }
    }

    func run() async throws {
        try await source.end { () async throws(CommandFailure) in
            let reports = try await reports()
            var found: Set<String> = []
            for finding in reports.flatMap(Self.findings) {
                if let kind = finding.node["kind"]?.string { found.insert(kind) }
            }
            if source.json {
                let body = JSONWriter.object { json in
                    json.array("vendors") { json in for report in reports { json.raw(report.text) }
                    }
                }
                try Console.write(body + [UInt8(ascii: "\n")])
            } else {
                try Console.print(Self.table(reports))
            }
            return found.isDisjoint(with: failKinds ?? []) ? .success : Exit.no
        }
    }

    /// A report for each vendor, from the server or computed here.
    private func reports() async throws(CommandFailure) -> [JSONNode] {
        var reports: [[UInt8]] = []
        switch try source.open() {
        case .store(let store): reports = try await Self.reports(of: vendors, since, in: store)
        case .server(let server):
            for vendor in vendors {
                var query = CommandQuery(.drift, about: vendor.rawValue)
                query.set("since", since)
                query.milliseconds = 3_600_000
                reports.append(try await server.answer(to: query).body)
            }
        }
        let roots = reports.compactMap { try? JSONDocument(parsing: $0).root }
        guard roots.count == reports.count, roots.allSatisfy({ $0["contracts"] != nil }) else {
            throw CommandFailure("The report can't be read.")
        }
        return roots
    }

    private static func reports(
        of vendors: [Vendor], _ since: String?, in store: ResultStore
    ) async throws(CommandFailure) -> [[UInt8]] {
        var reports: [[UInt8]] = []
        let progress = ProgressLine("comparing")
        var failure: CommandFailure?
        do {
            let counts = try await store.counts()
            let names = Set(vendors.map(\.rawValue))
            let whole = counts.filter { names.contains($0.vendor) }.reduce(0) { $0 + $1.count }
            var done = 0
            let condition = since.flatMap { ResultAPI.condition(since: $0, catalog: .all) }
            for vendor in vendors {
                let report = try await DriftReport(
                    store, of: vendor, where: condition ?? .everything,
                    onProgress: { progress.show(Int64(done + $0), of: Int64(whole)) })
                done += report.checked
                reports.append(report.json)
            }
        } catch {
            failure = CommandFailure("The results can't be compared: \(error).")
        }
        progress.end()
        await store.close()
        if let failure { throw failure }
        return reports
    }
}

extension VendorsDrift {
    private static func findings(
        _ report: JSONNode
    ) -> [(contract: String, node: JSONNode)] {
        let contracts = report["contracts"].map { Array($0.elements) } ?? []
        return contracts.flatMap { contract in
            (contract["findings"].map { Array($0.elements) } ?? []).map {
                (contract["contract"]?.string ?? "", $0)
            }
        }
    }

    /// One line for each finding, in columns, and a summary.
    private static func table(_ reports: [JSONNode]) -> String {
        var rows = [["CONTRACT", "KIND", "FIELD", "EXPECTED", "FOUND", "RESULTS", "FIRST", "ID"]]
        for (contract, finding) in reports.flatMap(findings) {
            let expected = finding["expected"].map { $0.elements.compactMap(\.string) } ?? []
            let found = (finding["found"].map { Array($0.elements) } ?? []).map {
                "\($0["value"]?.string ?? "") ×\($0["count"]?.int ?? 0)"
            }
            let first = finding["first"]
            rows.append(
                [
                    contract, finding["kind"]?.string ?? "", finding["path"]?.string ?? "",
                    short(expected), short(found),
                    "\(finding["results"]?.int ?? 0) of \(finding["of"]?.int ?? 0)",
                    (first?["received_at"]?.string?.prefix(19)).map { $0 + "Z" } ?? "",
                    first?["id"]?.string ?? "",
                ].map { TerminalText.visible($0) })
        }
        var lines = rows.count > 1 ? [TextTable.text(of: rows)] : []
        func sum(_ nodes: [JSONNode], _ name: String) -> Int {
            nodes.reduce(0) { $0 + ($1[name]?.int ?? 0) }
        }
        let contracts = reports.flatMap { $0["contracts"].map { Array($0.elements) } ?? [] }
        let omitted = sum(contracts, "omitted")
        lines.append(
            "\(sum(contracts, "results").counted("result")) compared; "
                + "\((rows.count - 1).counted("difference")), "
                + "\(sum(contracts, "unreadable").grouped) can't be read, "
                + "\(sum(reports, "skipped").grouped) left out."
                + (omitted > 0 ? " \(omitted.counted("sighting")) of further fields not kept." : "")
        )
        return lines.joined(separator: "\n")
    }

    private static func short(_ texts: [String]) -> String {
        if texts.isEmpty { return "-" }
        let shown = texts.prefix(4).joined(separator: ", ")
        return texts.count > 4 ? shown + ", …" : shown
    }
}
