// Seeded mutations of asset links: whatever the bytes, reading them ends soon and never traps, what
// is found lies inside of the file, and what is kept has no fault.

import AppLinks
import JSON
import LinkPatterns
import Mutations
import Testing

@Suite struct AssetLinksMutationTests {
    private static let files = [
        "[\(statement()), {\"include\": \"https://a.org/b.json\"}]",
        ruled(##"[{"/": "/a/*", "?": {"b": "c?*"}}, {"#": "*d", "exclude": true}, {"/": "*"}]"##),
        "[\(statement(target: #"{"namespace": "web", "site": "https://a.org:80"}"#)), {}, 7]",
    ].map { Array($0.utf8) }
    private static let url = Array("https://a.org/a/%C3%A9?b=cc&b=%2#xd".utf8)

    @Test func twentyThousandMutationsNeitherTrapNorPointOutside() {
        var generator = SeededGenerator(seed: 0xA55E7)
        var readCount = 0
        var keptCount = 0
        var claimedCount = 0
        var faults: [String] = []
        for round in 0..<20_000 {
            let base = Self.files[round % Self.files.count]
            let other = Self.files[(round + 1) % Self.files.count]
            let bytes = generator.mutation(of: base, with: other)
            let url = String(decoding: generator.mutation(of: Self.url), as: UTF8.self)
            guard let links = try? AssetLinks(reading: bytes) else {
                let codes = AssetLinks.findings(in: bytes).map(\.code)
                if codes != [.invalidJSON] { faults.append(text(bytes)) }
                continue
            }
            let findings = links.findings()
            let isInside = findings.allSatisfy { (0..<bytes.count).contains($0.position.offset) }
            readCount += 1
            keptCount += links.statements.isEmpty ? 0 : 1
            let isEmpty = links.statements.isEmpty && links.includes.isEmpty
            if !isInside || isEmpty && findings.isEmpty { faults.append(text(bytes)) }
            for statement in links.statements {
                guard let decision = statement.dynamicRules?.decision(for: LinkURL(url)) else {
                    continue
                }
                if case .claimed = decision { claimedCount += 1 }
            }
        }
        #expect(faults.isEmpty)
        #expect(readCount > 4_000)
        #expect(keptCount > 1_000)
        #expect(claimedCount > 100)
    }

    @Test func positionsAreThoseThatADocumentGives() throws {
        var generator = SeededGenerator(seed: 7)
        for round in 0..<2_000 {
            let bytes = generator.mutation(of: Self.files[round % 3], with: Array("\n\n{}".utf8))
            guard (try? AssetLinks(reading: bytes)) != nil else { continue }
            for finding in AssetLinks.findings(in: bytes) {
                #expect(
                    finding.position == JSONPosition(offset: finding.position.offset, in: bytes))
            }
        }
    }

    /// Files that would make a reader which looks back again and again slow.
    @Test(
        .timeLimit(.minutes(1)),
        arguments: [
            "[" + String(repeating: "7,", count: 20_000) + "7]",
            "[{" + String(repeating: "\"relatio\":1,", count: 10_000) + "\"x\":1}]",
            ruled("[" + String(repeating: "{},", count: 10_000) + "{}]"),
            "[{\"" + String(repeating: "k", count: 50_000) + "\":["
                + String(repeating: "{\"a\":1,\"a\":2},", count: 2_000) + "0]}]",
        ])
    func aFileFullOfFaultsIsReadSoonAndTellsNoMoreThanAThousandOfEachSeverity(file: String) {
        let findings = AssetLinks.findings(in: Array(file.utf8))
        #expect(!findings.isEmpty)
        for severity in Finding.Severity.allCases {
            let own = findings.filter { $0.severity == severity }
            let bytes = own.reduce(0) { $0 + $1.pointer.utf8.count + $1.message.utf8.count }
            #expect(own.count <= 1_000)
            #expect(bytes < 1_048_576 + 2 * file.utf8.count)
        }
    }

    @Test func manyRemarksDisplaceNoError() {
        let statement =
            #"{"relation":["delegate_permission/common.handle_all_urls"],"#
            + #""target":{"namespace":"web","site":"https://a.example"}}"#
        let file = "[" + String(repeating: statement + ",", count: 1_500) + "7]"
        let findings = AssetLinks.findings(in: Array(file.utf8))
        let remarks = findings.filter { $0.severity == .info }
        #expect(remarks.count == 1_000)
        #expect(findings.last?.code == .statementNotObject)
    }

    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
