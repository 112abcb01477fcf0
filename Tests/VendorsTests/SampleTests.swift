// The samples are what they promise.
// Left out: their values, which mean nothing.

import Testing

@testable import Vendors

@Suite("Samples")
struct SampleTests {
    @Test("exist for every contract")
    func names() {
        #expect(Sample.all.map(\.name) == ["welltory", "dimmy", "flux", "ailet"])
    }

    @Test("decode without a finding, as query and as form", arguments: Sample.all.indices)
    func decode(index: Int) {
        let sample = Sample.all[index]
        let query = Decoding(url: "/x?" + sample.query, from: sample.vendor)
        let form = Decoding(form: sample.query, from: sample.vendor)
        #expect(query.verdict == .decoded)
        #expect(query.diagnostics.isEmpty && form.diagnostics.isEmpty)
        #expect(query.outcome == .completed)
        #expect(
            query.contract
                == Contract.allCases.first { contract in
                    [
                        "welltory": .welltoryDDS, "dimmy": .dimmy2024, "flux": .flux,
                        "ailet": .ailetDeeplink,
                    ][
                        sample.name] == contract
                })
        #expect(query.text == form.text)
    }
}
