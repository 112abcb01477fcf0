// What agents may send: both revisions of the protocol, what has to agree, and that anything else
// gets an error, whatever its bytes are.

import HTTP1
import JSON
import Mutations
import Testing

@testable import Agents

@Suite struct AgentMessageTests {
    /// `_meta` of a stateless request.
    static let meta = """
        {"io.modelcontextprotocol/protocolVersion":"2026-07-28",\
        "io.modelcontextprotocol/clientCapabilities":{}}
        """

    static func stateless(
        _ method: String, _ params: String = "", id: String = "1", meta: String = meta
    ) -> String {
        """
        {"jsonrpc":"2.0","id":\(id),"method":"\(method)","params":{\(params)"_meta":\(meta)}}
        """
    }

    static func request(_ fields: [String]) throws -> Request {
        let lines = fields.map { $0 + "\r\n" }.joined()
        return try #require(
            Request(Array("POST /mcp HTTP/1.1\r\nHost: localhost\r\n\(lines)\r\n".utf8)))
    }

    static func fields(_ method: String, name: String? = nil) -> [String] {
        ["MCP-Protocol-Version: 2026-07-28", "Mcp-Method: \(method)"]
            + (name.map { ["Mcp-Name: \($0)"] } ?? [])
    }

    /// The status and the code of a message's error; nil if it has none.
    static func error(
        of body: [UInt8], _ fields: [String] = []
    ) throws -> (status: Int, code: Int)? {
        let request = try request(fields)
        do throws(AgentError) {
            guard let message = try AgentMessage(body, of: request) else { return nil }
            _ = try AgentProtocol.answer(message, version: "1")
            return nil
        } catch {
            let root = try JSONDocument(parsing: error.response.body).root
            #expect(root["jsonrpc"]?.string == "2.0")
            #expect(root["error"]?["message"]?.string?.isEmpty == false)
            return (error.response.status.code, try #require(root["error"]?["code"]?.int))
        }
    }

    @Test(
        arguments: [
            ("", -32700), ("{", -32700), ("nonsense", -32700), ("\u{FEFF}{}", -32700),
            (String(repeating: "[", count: 100), -32700),
            (#"{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":\#(nest(100))}}"#, -32700),
            ("[]", -32600), (#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#, -32600),
            ("null", -32600), ("7", -32600), ("{}", -32600),
            (#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#, -32600),
            (#"{"jsonrpc":2.0,"id":1,"method":"ping"}"#, -32600),
            (#"{"id":1,"method":"ping"}"#, -32600),
            (#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, -32600),
            (#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, -32600),
            (#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#, -32600),
            (#"{"jsonrpc":"2.0","id":99999999999999999999,"method":"ping"}"#, -32600),
            (
                #"{"jsonrpc":"2.0","id":"\#(String(repeating: "a", count: 257))","method":"ping"}"#,
                -32600
            ),
            (#"{"jsonrpc":"2.0","id":1}"#, -32600),
            (#"{"jsonrpc":"2.0","id":1,"method":7}"#, -32600),
            (#"{"jsonrpc":"2.0","id":1,"result":{}}"#, -32600),
            (#"{"jsonrpc":"2.0","method":"tools/call"}"#, -32600),
            (#"{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/call"}"#, -32600),
            (#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":[]}"#, -32602),
            (#"{"jsonrpc":"2.0","id":1,"method":"server/discover"}"#, -32602),
        ] as [(String, Int)])
    func aMalformedMessageIs400(body: String, code: Int) throws {
        let error = try #require(try Self.error(of: Array(body.utf8)))
        #expect(error == (400, code))
    }

    private static func nest(_ depth: Int) -> String {
        String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }

    @Test(arguments: [
        "1", "-7", #""a""#, #""\ud800""#, #""\"},\"x""#,
        "\"" + String(repeating: "a", count: 256) + "\"",
        "\"" + String(repeating: #"\u0061"#, count: 256) + "\"",
    ])
    func aResponseHasTheIDAsItWasSent(id: String) throws {
        let body = Array(#"{"jsonrpc":"2.0","id":\#(id),"method":"nothing"}"#.utf8)
        let request = try Self.request([])
        do throws(AgentError) {
            guard let message = try AgentMessage(body, of: request) else { return }
            _ = try AgentProtocol.answer(message, version: "1")
            Issue.record("it was served")
        } catch {
            let root = try JSONDocument(parsing: error.response.body).root
            #expect(root["id"].map { Array($0.text) } == Array(id.utf8))
        }
    }

    @Test(
        "2025-11-25: errors of requests are no errors of HTTP",
        arguments: [
            (#""method":"prompts/list""#, -32601), (#""method":"server/ping""#, -32601),
            (#""method":"tools/call","params":{"name":"erase"}"#, -32602),
            (#""method":"tools/call","params":{"name":"decode","arguments":[]}"#, -32602),
            (#""method":"tools/call","params":{}"#, -32602), (#""method":"tools/call""#, -32602),
            (#""method":"tools/list","params":{"cursor":"x"}"#, -32602),
            (#""method":"ping","params":[]"#, -32602),
        ] as [(String, Int)])
    func anOlderClientGetsErrorsWith200(members: String, code: Int) throws {
        let body = Array(#"{"jsonrpc":"2.0","id":1,\#(members)}"#.utf8)
        for fields in [[], ["MCP-Protocol-Version: 2025-11-25"]] {
            let error = try #require(try Self.error(of: body, fields))
            #expect(error == (200, code))
        }
    }

    @Test(
        arguments: [
            ("initialize", []), ("initialize", ["MCP-Protocol-Version: 1999-01-01"]), ("ping", []),
            (#"tools/list","params":{"cursor":null},"x":""#, []),
            (#"tools/call","params":{"name":"decode","arguments":null},"x":""#, []),
            ("tools/list", ["MCP-Protocol-Version: 2025-11-25"]),
            ("tools/list", ["mcp-protocol-version:2025-11-25"]),
        ] as [(String, [String])])
    func anOlderClientIsServed(method: String, fields: [String]) throws {
        let body = Array(#"{"jsonrpc":"2.0","id":1,"method":"\#(method)"}"#.utf8)
        #expect(try Self.error(of: body, fields) == nil)
    }

    @Test(arguments: [
        ["MCP-Protocol-Version: 1999-01-01"], ["MCP-Protocol-Version: 2025-03-26"],
        ["MCP-Protocol-Version:"],
        ["MCP-Protocol-Version: 2025-11-25", "MCP-Protocol-Version: 2026-07-28"],
    ])
    func anotherVersionIsUnsupported(fields: [String]) throws {
        let body = Array(#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#.utf8)
        let error = try #require(try Self.error(of: body, fields))
        #expect(error == (400, -32022))
    }

    @Test func aStatelessRequestIsServed() throws {
        for method in ["server/discover", "tools/list"] {
            let body = Array(Self.stateless(method).utf8)
            #expect(try Self.error(of: body, Self.fields(method)) == nil)
        }
        for name in ["decode", "=?base64?ZGVjb2Rl?="] {
            let body = Array(Self.stateless("tools/call", #""name":"decode","#).utf8)
            #expect(try Self.error(of: body, Self.fields("tools/call", name: name)) == nil)
        }
    }

    @Test(
        "2026-07-28, Server Validation: fields and body have to agree",
        arguments: [
            ([], -32020), (["MCP-Protocol-Version: 2026-07-28"], -32020),
            (fields("tools/call"), -32020), (fields("tools/list", name: "decode"), -32020),
            (fields("tools/call", name: "run_trip"), -32020),
            (fields("tools/call", name: "Decode"), -32020),
            (fields("tools/call", name: "=?base64?!?="), -32020),
            (fields("tools/call", name: "=?base64?="), -32020),
            (fields("tools/call", name: "decode") + ["Mcp-Name: decode"], -32020),
            (fields("tools/call", name: "decode") + ["Mcp-Method: tools/call"], -32020),
            (
                ["MCP-Protocol-Version: 2025-11-25", "Mcp-Method: tools/call", "Mcp-Name: decode"],
                -32020
            ),
        ] as [([String], Int)])
    func fieldsThatDisagreeAreRefused(fields: [String], code: Int) throws {
        let body = Array(Self.stateless("tools/call", #""name":"decode","#).utf8)
        let error = try #require(try Self.error(of: body, fields))
        #expect(error == (400, code))
    }

    @Test(
        arguments: [
            ("{}", -32602), ("[]", -32602), ("7", -32602),
            (#"{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}"#, -32602),
            (#"{"io.modelcontextprotocol/clientCapabilities":{}}"#, -32602),
            (
                #"{"io.modelcontextprotocol/protocolVersion":"2026-07-28","#
                    + #""io.modelcontextprotocol/clientCapabilities":[]}"#, -32602
            ),
            (
                #"{"io.modelcontextprotocol/protocolVersion":7,"#
                    + #""io.modelcontextprotocol/clientCapabilities":{}}"#, -32602
            ),
        ] as [(String, Int)])
    func aStatelessRequestDescribesItself(meta: String, code: Int) throws {
        let body = Array(Self.stateless("tools/list", meta: meta).utf8)
        let error = try #require(try Self.error(of: body, Self.fields("tools/list")))
        #expect(error == (400, code))
    }

    @Test(arguments: [("ping", 404, -32601), ("initialize", 404, -32601), ("erase", 404, -32601)])
    func aStatelessClientGets404ForUnknownMethods(
        method: String, status: Int, code: Int
    ) throws {
        let body = Array(Self.stateless(method).utf8)
        let error = try #require(try Self.error(of: body, Self.fields(method)))
        #expect(error == (status, code))
    }

    @Test func anotherStatelessVersionNamesThoseThatAreServed() throws {
        let meta = Self.meta.replacing("2026-07-28", with: "2099-01-01")
        let body = Array(Self.stateless("tools/list", meta: meta).utf8)
        let request = try Self.request([
            "MCP-Protocol-Version: 2099-01-01", "Mcp-Method: tools/list",
        ])
        do throws(AgentError) {
            _ = try AgentMessage(body, of: request)
            Issue.record("it was served")
        } catch {
            #expect(error.code == .unsupportedVersion)
            let data = try JSONDocument(parsing: error.response.body).root["error"]?["data"]
            #expect(data?["supported"]?.elements.map(\.string) == ["2026-07-28", "2025-11-25"])
            #expect(data?["requested"]?.string == "2099-01-01")
        }
    }

    @Test func aNotificationHasNoResponse() throws {
        for method in ["notifications/initialized", "notifications/cancelled", "notifications/x"] {
            let body = Array(#"{"jsonrpc":"2.0","method":"\#(method)"}"#.utf8)
            #expect(try AgentMessage(body, of: Self.request([])) == nil)
        }
    }

    @Test func everyMutationIsServedOrGetsAProperError() throws {
        let originals = [
            Self.stateless(
                "tools/call", #""name":"search_results","arguments":{"q":"a","result":{"b":1}},"#),
            #"{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"decode"}}"#,
            #"{"jsonrpc":"2.0","id":-1,"method":"initialize","params":{"protocolVersion":"x"}}"#,
        ].map { Array($0.utf8) }
        var generator = SeededGenerator(seed: 42)
        var refused = 0
        for round in 0..<20_000 {
            let original = originals[round % originals.count]
            let body = generator.mutation(of: original, with: originals[round % 2])
            let fields =
                round % 5 == 0 ? [] : Self.fields("tools/call", name: "search_results")
            if let error = try Self.error(of: body, fields) {
                #expect([200, 400, 404].contains(error.status))
                refused += 1
            }
        }
        #expect(refused > 5_000)
    }
}
