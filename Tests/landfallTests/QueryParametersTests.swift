// What a request with too many wrong parameters gets.

import Testing

@testable import Problems

@Suite struct QueryParametersTests {
    @Test func onlyTheFirstOfManyFindingsAreReported() {
        let query = (1...3000).map { "p\($0)" }.joined(separator: "&")
        var parameters = QueryParameters(query: Array(query.utf8)[...])
        _ = parameters.take("limit", in: 1...500)
        let problem = #expect(throws: Problem.self) { try parameters.finish() }
        #expect(problem?.findings.count == QueryParameters.mostFindings)
        #expect(problem?.findings.first?.detail == "Unknown parameter; known parameters: limit.")
        #expect(problem?.detail.hasSuffix(" and 2984 more.") == true)
    }
}
