// What clients read of errors of the store.

import Problems
import ResultStore
import Testing

@testable import ResultAPI

@Suite struct StoreProblemTests {
    @Test func anErasureThatFailsMidwaySaysWhyAndWhatIsErased() {
        let problem = Problem(StoreError.partlyErased(10_000, .closed))
        #expect(problem.kind == "stopping")
        #expect(problem.detail.hasSuffix(" At least 10,000 results are erased already."))
        #expect(problem.fields.contains { $0.name == "Retry-After" })
    }
}
