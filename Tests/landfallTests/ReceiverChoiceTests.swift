// Which receiver takes a URL, and the reasons of those that don't.

import LinkPatterns
import Testing

@testable import Server

@Suite struct ReceiverChoiceTests {
    private static let flow = "01890a5d-ac96-774b-bcce-b302099a8057"

    private static func own(_ path: String) throws -> ReceiverChoice {
        let link = try #require(Link(path: Array(path.utf8)[...]))
        return try #require(ReceiverChoice.all([], "localhost", link).last)
    }

    @Test(arguments: [
        ("/done", "the path doesn't begin with /callbacks/VENDOR"),
        ("/callbacks", "the path doesn't begin with /callbacks/VENDOR"),
        ("/callbacks/flux/a/b", "after the inbox comes the id of a flow, a UUID of version 7"),
        ("/callbacks/flux/a/b/c/d", "the path has more segments than vendor, inbox and flow"),
        ("/callbacks/flux/a/\(flow)/x", "the path has more segments than vendor, inbox and flow"),
    ])
    func thePathOfEveryHostSaysWhyItDoesNotMatch(path: String, reason: String) throws {
        #expect(try Self.own(path).reason == reason)
    }

    @Test(arguments: ["/callbacks/flux", "/callbacks/flux/a", "/callbacks/flux/a/\(flow)"])
    func thePathOfEveryHostTakesVendorInboxAndFlow(path: String) throws {
        let choice = try Self.own(path)
        #expect(choice.reason == nil && choice.parameters?["vendor"] == "flux")
    }
}
