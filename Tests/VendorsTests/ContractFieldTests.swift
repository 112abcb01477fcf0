// The tables of fields: complete in themselves, and of the classes that decide what happens to values.
// Left out: what decoders and drift make of them.

import Testing

@testable import Vendors

@Suite("Fields of contracts")
struct ContractFieldTests {
    @Test("no path stands twice in a table", arguments: Contract.allCases)
    func uniquePaths(contract: Contract) {
        let paths = contract.fields.map(\.path)
        #expect(!paths.isEmpty)
        #expect(Set(paths).count == paths.count)
    }

    @Test(
        "what holds a field is in the table too, with a type that holds",
        arguments: Contract.allCases)
    func parents(contract: Contract) {
        for field in contract.fields where field.path.count > 1 {
            let parent = contract.fields.first { $0.path == field.path.dropLast() }
            let types = field.path.last == "*" ? WireTypes([.array, .object]) : .object
            #expect(parent.map { !$0.types.isDisjoint(with: types) } ?? false, "\(field.path)")
        }
    }

    @Test(
        "what is listed is text or whole, and bounds are of numbers", arguments: Contract.allCases)
    func values(contract: Contract) {
        for field in contract.fields {
            let isListable = !field.types.isDisjoint(with: [.string, .integer])
            if !field.values.isEmpty { #expect(isListable, "\(field.path)") }
            if field.range != nil { #expect(field.types.contains(.number), "\(field.path)") }
        }
    }

    @Test(
        "are of the class that the vendor document asks for",
        arguments: [
            (Contract.welltoryDDS, "stress", FieldClass.health),
            (.welltoryDDS, "measurement_quality", .health), (.welltoryDDS, "energy_c", .health),
            (.welltoryDDS, "token", .credential), (.welltoryDDS, "is_stage_server", .plain),
            (.ailetDeeplink, "result.store_id", .location),
            (.ailetDeeplink, "result.report.photos.*.image_url", .identifier),
            (.rezolveAct, "latitude", .location), (.rezolveAct, "email", .identifier),
            (.flux, "response.photographing.*.photos.*.url", .identifier),
            (.flux, "response.startedAt", .plain),
            (.fluxWebhook, "started_at", .plain),
        ])
    func classes(contract: Contract, path: String, expected: FieldClass) throws {
        let field = contract.fields.first { $0.path.joined(separator: ".") == path }
        #expect(try #require(field).fieldClass == expected)
    }
}
