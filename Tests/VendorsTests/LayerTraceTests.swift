// The road of decoding: its layers, and the places of what is broken.

import JSON
import Mutations
import Testing

@testable import Vendors

@Suite struct LayerTraceTests {
    private func trace(_ target: String, _ vendor: Vendor, body: Callback.Body? = nil) -> LayerTrace
    {
        let callback = Callback(target: Array(target.utf8), body: body)
        return LayerTrace(of: callback, Decoding(of: callback, from: vendor))
    }

    private func states(_ trace: LayerTrace) -> [String] {
        trace.steps.map { "\($0.layer.rawValue) \($0.state.rawValue)" }
    }

    @Test(
        arguments: [
            (
                Vendor.welltory, "/?stress=0.3&energy=1",
                ["url passed", "percent passed", "model passed"]
            ),
            (
                .dimmy, "/?status=completed&response=e30",
                ["url passed", "percent passed", "base64 passed", "json passed", "model passed"]
            ),
            (
                .dimmy, "/?status=completed&response=%7B%7D",
                ["url passed", "percent passed", "base64 skipped", "json passed", "model passed"]
            ),
            (.dimmy, "/?status=cancelled", ["url passed", "percent passed", "model passed"]),
            (
                .dimmy, "/?next=/r?response=e30&status=cancelled",
                ["url passed", "percent passed", "model passed"]
            ),
            (
                .ailet, "/?result=%257B%257D",
                ["url passed", "percent passed", "percent passed", "json passed", "model passed"]
            ),
            (.ailet, "/?other=1", ["url passed", "percent passed", "model failed"]),
            (.raw, "/?a=1", ["url passed", "percent passed", "model skipped"]),
        ])
    func roadHasTheLayersOfTheCallback(vendor: Vendor, target: String, states expected: [String]) {
        #expect(states(trace(target, vendor)) == expected)
    }

    @Test(
        arguments: [
            Callback.Body.other(contentType: "application/octet-stream", [0xFF, 0x00]),
            .other(contentType: "text/plain", Array("hello".utf8)), .json(Array("{\"a\":".utf8)),
        ])
    func nothingFailsInABodyOfWhichNothingIsExpected(body: Callback.Body) {
        let trace = trace("/", .raw, body: body)
        #expect(!trace.steps.contains { $0.state == .failed })
        #expect(trace.steps.contains { $0.layer == .json && $0.state == .skipped })
    }

    @Test func placesAreThoseOfTheLayerAndOfTheRequest() throws {
        let trace = trace("/cb?x=1&result=%7B%22status%22%3A%22IR_RESULT_OK%22%2C%7D", .ailet)
        let fault = try #require(trace.steps[2].fault)
        let input = try #require(trace.steps[2].input)
        let range = try #require(fault.range)
        #expect(String(decoding: input[range], as: UTF8.self) == ",")
        let source = try #require(fault.source)
        #expect(String(decoding: trace.callback.target[source], as: UTF8.self) == "%2C")
    }

    @Test func excerptsKeepCharactersWhole() {
        let text = Array(
            (String(repeating: "ü", count: 60) + "x" + String(repeating: "ü", count: 60)).utf8)
        let excerpts = Excerpts(text, around: 120..<121)
        for piece in [excerpts.before, excerpts.marked, excerpts.after] {
            #expect(String(validating: piece, as: UTF8.self) != nil)
        }
        #expect(excerpts.before.count == 40 && excerpts.marked == Array("x".utf8))
        #expect(excerpts.bytesBefore == 120 && excerpts.bytesAfter == 120)
        let inside = Excerpts(text, around: 1..<1)
        #expect(String(validating: inside.before + inside.marked, as: UTF8.self) != nil)
    }

    @Test func excerptsSayWhenTheyAreCut() throws {
        let long = String(repeating: "x", count: 50)
        let trace = trace("/cb?result=%7B%22a%22%3A%22\(long)%22%2C%7D", .ailet)
        var json = JSONWriter()
        trace.write(to: &json)
        let fault = try JSONDocument(parsing: json.bytes).root[2]?["fault"]
        let (before, after) = (fault?["before"], fault?["after"])
        #expect(before?["truncated"]?.bool == true && before?["bytes"]?.int == 57)
        #expect(before?["data"]?.string == String(repeating: "x", count: 39) + "\"")
        #expect(after?["truncated"]?.bool == false && after?["bytes"]?.int == 1)
        let raw = fault?["raw"]?["before"]
        #expect(raw?["truncated"]?.bool == true && raw?["bytes"]?.int ?? 0 > 57)
    }

    @Test(arguments: Vendor.allCases)
    func hostileCallbacksHaveRoadsWhosePlacesExist(vendor: Vendor) throws {
        var generator = SeededGenerator(seed: 17)
        let seeds = [
            "/?status=completed&response=eyJhIjpbMSwyXX0&error=%ZZ", "/?stress=0,3&energy=%C3%28",
            "/?result=%7B%22status%22%3A%22IR_RESULT_OK%22%2C%22a%22%3A%22%C3%BC%22%7D",
            "/?engagementid=1&path=1/2/3&result=%257B%257D", "/?errorCode=1&errorMessage=%",
        ].map { Array($0.utf8) }
        for round in 0..<2000 {
            let text = generator.mutation(
                of: seeds[round % seeds.count], with: seeds[(round + 1) % seeds.count])
            let bodies: [Callback.Body?] = [nil, .form(text), .json(Array(text.dropFirst(2)))]
            let callback = Callback(
                target: round % 3 == 0 ? text : Array("/cb".utf8), body: bodies[round % 3])
            let trace = LayerTrace(of: callback, Decoding(of: callback, from: vendor))
            var json = JSONWriter()
            trace.write(to: &json)
            _ = try JSONDocument(parsing: json.bytes)
            for step in trace.steps {
                guard let fault = step.fault else { continue }
                if let range = fault.range, let input = step.input {
                    #expect(range.upperBound <= input.count)
                }
                if let source = fault.source {
                    #expect(source.upperBound <= trace.bytes(of: fault.diagnostic.part).count)
                }
            }
            #expect(trace.lines.count >= trace.steps.count)
        }
    }
}
