// Which items the emulator's REST interface keeps: the newest ones, within a number and a size.

import Clocks
import HTTP1
import JSON
import Testing
import Vendors

@testable import Emulator

@Suite struct EmulatedItemsTests {
    /// What the interface answers a call.
    private func answer(
        _ call: EmulatedItems.Call, naming id: String? = nil, in items: EmulatedItems,
        at now: Timestamp = .now
    ) throws -> JSONDocument {
        let head = "GET /items HTTP/1.1\r\nHost: localhost\r\nX-API-KEY: key\r\n\r\n"
        let request = try #require(Request(Array(head.utf8)))
        let response = try items.answer(call, naming: id, request, body: [], at: now)
        return try JSONDocument(parsing: response.body)
    }

    /// The ids that the interface lists.
    private func ids(in items: EmulatedItems) throws -> [String] {
        try answer(.list, in: items).root.elements.compactMap { $0["_id"]?.string }
    }

    private func item(_ number: Int, codeBytes: Int) throws -> EmulatedItem {
        var item = ScannedItem()
        item.id = "\(number)"
        item.code = String(repeating: "1", count: codeBytes)
        return try #require(EmulatedItem(item))
    }

    @Test func theNumberOfItemsIsBounded() throws {
        let items = EmulatedItems(keys: ["key"])
        for number in 0...EmulatedItems.most {
            try items.remember(item(number, codeBytes: 1), endingAt: 0)
        }
        let ids = try ids(in: items)
        #expect(ids.count == EmulatedItems.most && ids.first == "1")
    }

    @Test func theBytesOfAllItemsAreBounded() throws {
        let items = EmulatedItems(keys: ["key"])
        let bytes = 50_000
        for number in 0..<200 { try items.remember(item(number, codeBytes: bytes), endingAt: 0) }
        let ids = try ids(in: items)
        #expect(ids.count == EmulatedItems.mostBytes / bytes && ids.last == "199")
    }

    @Test func ofItemsWithOneIDTheLastThatEndedIsThere() throws {
        let items = EmulatedItems(keys: ["key"])
        for (bytes, end) in [(1, 1000), (2, 3000), (3, 2000), (4, 2000)] as [(Int, Int64)] {
            try items.remember(item(7, codeBytes: bytes), endingAt: end)
        }
        try items.remember(item(8, codeBytes: 1), endingAt: 1000)
        for (now, bytes) in [(1000, 1), (2000, 4), (3000, 2)] as [(Int64, Int)] {
            let now = Timestamp(unixMilliseconds: now)
            let one = try answer(.item, naming: "7", in: items, at: now).root
            let all = try answer(.list, in: items, at: now).root
            #expect(one["code"]?.string?.count == bytes)
            #expect(all.elements.compactMap { $0["_id"]?.string }.sorted() == ["7", "8"])
            #expect(all.elements.contains { $0["code"]?.string == one["code"]?.string })
        }
    }

    @Test func anItemThatIsTooLongIsNone() throws {
        var item = ScannedItem()
        item.code = String(repeating: "1", count: EmulatedItem.mostBytes - 100)
        #expect(EmulatedItem(item) != nil)
        item.code = String(repeating: "1", count: EmulatedItem.mostBytes)
        #expect(EmulatedItem(item) == nil)
    }
}
