// The table of routes against the paths that other targets write.

import LinkPatterns
import Testing

@testable import ResultAPI
@testable import Server

@Suite struct RoutesTests {
    @Test(arguments: [
        (APIPath.launches, "/api/v1/launches"), (APIPath.results, "/api/v1/results"),
        (APIPath.inboxes, "/api/v1/inboxes"), (APIPath.flow("a"), "/api/v1/flows/:id"),
        (APIPath.result("a"), "/api/v1/results/:id"),
    ])
    func thePathsOfLinksHaveTheirRoutes(path: String, pattern: String) throws {
        let routes = try Routes(receivers: [], page: PageFiles(folder: "public"))
        let link = try #require(Link(path: Array(path.utf8)[...]))
        let route = try #require(routes.route(for: link, on: "localhost")?.route)
        #expect(routes.patterns[route.pattern] == pattern)
    }
}
