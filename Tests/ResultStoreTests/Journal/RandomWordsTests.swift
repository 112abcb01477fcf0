// Random numbers for ids.

import Testing

@testable import ResultStore

@Suite struct RandomWordsTests {
    @Test func noNumberIsHandedOutTwice() {
        var words = RandomWords()
        // Several times as many as are fetched at once.
        let numbers = (0..<1000).map { _ in words.next() }
        #expect(Set(numbers).count == numbers.count)
        #expect(numbers.reduce(0, |) == .max)
        #expect(numbers.reduce(.max, &) == 0)
    }
}
