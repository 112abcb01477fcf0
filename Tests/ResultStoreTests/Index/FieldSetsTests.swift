// Records with every set of fields: more sets than the writer keeps insertions ready for.

import Testing

@testable import ResultStore

@Suite struct FieldSetsTests {
    private static let names = ["a", "b", "c", "d", "e", "f", "g"]

    private static let catalog = FieldCatalog(
        fields: names.map {
            .init(vendor: "raw", name: $0, paths: [["of", $0], [$0]], kind: .number)
        },
        words: [], vendors: ["raw"], contracts: [], outcomes: [], verdicts: ["decoded"])

    @Test(arguments: StoreKind.allCases)
    func everyFieldIsFoundInEverySetOfThem(kind: StoreKind) async throws {
        let sets = 1 << Self.names.count
        #expect(sets > Limits.rememberedInsertions)
        let folder = try TemporaryFolder()
        let store = try kind.open(folder, catalog: Self.catalog)
        // Twice, so that what is kept ready is used again; the second time elsewhere in the result.
        for round in 0..<2 {
            for set in 0..<sets {
                let members = Self.names.enumerated().filter { set >> $0.offset & 1 == 1 }
                    .map { #""\#($0.element)":\#($0.offset)"# }.joined(separator: ",")
                let result = round == 0 ? "{\(members)}" : #"{"of":{\#(members)}}"#
                _ = try await store.append(
                    NewRecord(
                        receivedAt: sampleMoment, inbox: "default", vendor: "raw", contract: nil,
                        outcome: nil, verdict: "decoded", flow: nil,
                        request: Array(#"{"method":"GET","target":"/"}"#.utf8),
                        result: Array(result.utf8), diagnostics: Array("[]".utf8)))
            }
        }
        for (index, name) in Self.names.enumerated() {
            let condition = Condition.compare(.result(name), .equal, .number(Double(index)))
            let found = try await store.all(ResultQuery(condition)).map(\.sequence)
            let expected = (0..<2 * sets).filter { ($0 % sets) >> index & 1 == 1 }.map { $0 + 1 }
            #expect(found.sorted() == expected)
        }
        await store.close()
    }
}
