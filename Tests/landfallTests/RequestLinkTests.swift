// What routes see of a request's target, and how much of it.

import HTTP1
import LinkPatterns
import Problems
import Testing

@testable import Server

@Suite struct RequestLinkTests {
    private func link(_ target: String, withQuery: Bool = true) throws -> Link? {
        let head = "GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n"
        return try Link(#require(Request(Array(head.utf8))), withQuery: withQuery)
    }

    @Test func aPathIsDecodedAndItsDotsAreResolved() throws {
        let query = [QueryItem(name: "c", value: "d")]
        #expect(try link("/a/./%62/..//e?c=d") == Link(components: ["a", "e"], query: query))
        #expect(try link("/a?c=d", withQuery: false) == Link(components: ["a"]))
        #expect(try link("/%ff") == nil)
    }

    @Test func aPathHasAtMost1000Segments() throws {
        let path = String(repeating: "/s", count: 1000)
        #expect(try link(path)?.components.count == 1000)
        let error = #expect(throws: Problem.self) { try link(path + "/s") }
        #expect(error?.status == .uriTooLong)
    }

    @Test func theFirst1000ParametersAreSeen() throws {
        let query = String(repeating: "a&", count: 1000) + "last"
        #expect(try link("/?" + String(query.dropFirst(2)))?.query.last?.name == "last")
        #expect(try link("/?" + query)?.query.count == 1000)
        #expect(try link("/?" + query)?.query.last?.name == "a")
    }
}
