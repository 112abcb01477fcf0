// Messages of agents: each is answered or refused with a proper response, a call asks for nothing but
// one line, and what the API answers can't leave its frame.

import HTTP1
import JSON

@testable import Agents

extension FuzzTarget {
    /// An input is the body of a message, and the answer of the API to a call too.
    static func checkAgents(_ bytes: [UInt8]) {
        var choices = Choices(bytes)
        let name = choices.one(of: ["search_results", "get_result", "decode", "lint_association"])
        let fields = choices.one(of: [
            "", "MCP-Protocol-Version: 2025-11-25\r\n",
            "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: \(name)\r\n",
        ])
        let head = Array("POST /mcp HTTP/1.1\r\nHost: a\r\n\(fields)\r\n".utf8)
        guard let request = Request(head) else { return expect(false, "the head is invalid") }
        do throws(AgentError) {
            guard let message = try AgentMessage(bytes, of: request) else { return }
            switch try AgentProtocol.answer(message, version: "1") {
            case .ready(let response): check(response, message.id)
            case .call(let call): check(call, message.id, answer: bytes)
            }
        } catch {
            expect([200, 400, 404].contains(error.response.status.code), "another status")
            let root = try? JSONDocument(parsing: error.response.body).root
            expect(root?["error"]?["code"]?.int == error.code.rawValue, "an error without its code")
        }
    }

    private static func check(_ response: Response, _ id: [UInt8]) {
        let root = try? JSONDocument(parsing: response.body).root
        expect(root?["result"] != nil, "no result")
        expect(root?["id"].map { Array($0.text) } == id, "another id")
    }

    private static func check(_ call: AgentCall, _ id: [UInt8], answer: [UInt8]) {
        if case .success(.request(let target, _)) = call.order {
            expect(target.utf8.allSatisfy { (0x21...0x7E).contains($0) }, "a target of two lines")
        }
        let response = call.response(.ok, answer)
        check(response, id)
        let result = try? JSONDocument(parsing: response.body).root["result"]
        let text = result?["content"]?[0]?["text"]?.string ?? ""
        expect(
            !text.isEmpty && text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }, "a text of lines")
        guard let structured = result?["structuredContent"] else { return }
        let framed = try? JSONDocument(parsing: Array(text.utf8)).root
        for object in [structured, framed] {
            let names = object?.members.compactMap { $0.name.string }
            expect(names == ["notice", "untrusted"], "members beside the frame")
        }
    }
}
