// What drift tells of messages that keep to their contract, and of those that don't.
// Invariant: every difference has its counterpart in a message of the same contract that shows none.

import Testing
import Text

@testable import Vendors

@Suite("Drift")
struct DriftTests {
    private func drift(
        _ contract: Contract, _ targets: [String], outcome: Outcome? = .completed
    ) -> Drift {
        var drift = Drift(with: contract)
        for (number, target) in targets.enumerated() {
            drift.observe(
                Callback(target: Array(target.utf8)), outcome: outcome,
                in: Drift.Sighting(id: "\(number)", receivedAt: "t\(number)"))
        }
        return drift
    }

    /// A finding as text: kind, path, what was found, results of candidates, first and last.
    private func texts(_ drift: Drift) -> [String] {
        drift.findings.map { finding in
            let found = finding.found.map { "\($0.text)*\($0.count)" }.joined(separator: ",")
            return
                "\(finding.kind) \(finding.path) [\(found)] \(finding.results)/\(finding.candidates) "
                + "\(finding.first.id)-\(finding.last.id)"
        }
    }

    private static let welltory =
        "/?stress=0.3&energy=0.5&productivity=0.6&rmssd=60&sdnn=50.5&power=100"

    @Test(
        "finds nothing in messages that keep to their contract", arguments: Sample.all.map(\.name))
    func samples(name: String) throws {
        let sample = try #require(Sample.all.first { $0.name == name })
        let target = Array("/?\(sample.query)".utf8)
        let decoding = Decoding(of: Callback(target: target), from: sample.vendor)
        let drift = drift(
            try #require(decoding.contract), ["/?\(sample.query)"], outcome: decoding.outcome)
        #expect(drift.results == 1 && drift.unreadable == 0)
        // What Flux's sample has of the partner's own is told apart.
        #expect(drift.findings.allSatisfy { $0.kind == .context && $0.path == "order" })
    }

    @Test("tells names apart that look alike but consist of other characters")
    func lookalikes() {
        // An ä, and an a with a combining diaeresis; the Kelvin sign, and a K.
        let drift = drift(.welltoryDDS, [Self.welltory + "&%C3%A4=1&a%CC%88=2&%E2%84%AA=3&K=4"])
        #expect(drift.findings.count == 4)
        #expect(Set(drift.findings.map { Array($0.path.utf8) }).count == 4)
    }

    @Test("tells fields that appear, go, change their type and leave their list")
    func kinds() {
        let drift = drift(
            .welltoryDDS,
            [
                Self.welltory, Self.welltory + "&mood=good&stress_c=green",
                Self.welltory.replacing("power=100", with: "stress_c=purple"),
                Self.welltory.replacing("stress=0.3", with: "stress=high") + "&mood=7",
            ])
        #expect(
            texts(drift) == [
                "missing power [] 1/4 2-2", "type stress [string*1] 1/4 3-3",
                "enum stress_c [purple*1] 1/2 2-2",
                "context mood [string*1,integer*1] 2/4 1-3",
            ])
    }

    @Test("looks into reports, whatever their photos are called")
    func reports() {
        func report(_ photos: String) -> String {
            let text =
                #"{"status":"IR_RESULT_OK","photosCounter":1,"scenesCounter":1,"notDetectedPhotosCounter":0,"#
                + #""notDetectedScenesCounter":0,"report":{"photos":\#(photos)}}"#
            return "/?result=" + String(decoding: PercentEncoding.encode(text.utf8), as: UTF8.self)
        }
        let drift = drift(
            .ailetDeeplink,
            [
                report(#"{"1":{"image_url":"u","products":[{"price":"1.5"},{"price":2}]}}"#),
                report(
                    #"{"2":{"image_url":1,"blur":{"a":1}},"3":{"blur":{"b":2},"products":[{"price":true}]}}"#
                ),
                report("[]"), "/?result=%7B%22a",
            ])
        #expect(
            texts(drift) == [
                "new result.report.photos.*.blur [object*2] 1/3 1-1",
                "type result.report.photos [array*1] 1/3 2-2",
                "type result.report.photos.*.image_url [integer*1] 1/2 1-1",
                "type result.report.photos.*.products.*.price [boolean*1] 1/2 1-1",
            ])
        #expect(drift.results == 3 && drift.unreadable == 1)
    }

    @Test("expects of a message what its outcome promises")
    func outcomes() {
        #expect(texts(drift(.flux, ["/?status=cancelled"], outcome: .cancelled)) == [])
        #expect(
            texts(drift(.flux, ["/?status=error"], outcome: .error))
                == ["missing error [] 1/1 0-0"])
        #expect(
            texts(drift(.flux, ["/?status=error&error=on_fire"], outcome: .error))
                == ["enum error [on_fire*1] 1/1 0-0"])
        #expect(
            texts(drift(.flux, ["/?status=completed"], outcome: .completed))
                == ["missing response [] 1/1 0-0"])
    }

    @Test("reads items in Base64 and as bodies alike")
    func items() {
        let item = #"{"startedAt":"t","endedAt":"t","weight":3}"#
        let base64 = String(decoding: Base64Text.encode(item.utf8, urlSafe: true), as: UTF8.self)
        var drift = drift(.flux, ["/?status=completed&response=\(base64)"])
        drift.observe(
            Callback(target: Array("/?status=completed".utf8), body: .json(Array(item.utf8))),
            outcome: .completed, in: Drift.Sighting(id: "1", receivedAt: ""))
        #expect(texts(drift) == ["new response.weight [integer*2] 2/2 0-1"])
    }

    @Test("looks into a payload with a layer more or less than the contract has, as decoding does")
    func layers() {
        let report = Array(#"{"status":"IR_RESULT_OK","weight":3}"#.utf8)
        let mark = Array("\"".utf8)
        let quoted = mark + DecodedText.escape(report, in: .jsonString) + mark
        let item = Array(#"{"startedAt":"t","endedAt":"t","weight":3}"#.utf8)
        let digits = Base64Text.encode(item, urlSafe: true)
        let cases: [(Contract, String, [[UInt8]])] = [
            (.ailetDeeplink, "result", [report, PercentEncoding.encode(report), quoted]),
            (.flux, "response", [digits, Base64Text.encode(digits, urlSafe: true), item]),
        ]
        for (contract, name, texts) in cases {
            for text in texts {
                let value = String(decoding: PercentEncoding.encode(text), as: UTF8.self)
                let drift = drift(contract, ["/?status=completed&\(name)=\(value)"])
                #expect(drift.results == 1 && drift.unreadable == 0)
                let new = drift.findings.filter { $0.kind == .new }.map(\.path)
                #expect(new == ["\(name).weight"])
            }
        }
    }

    @Test("null is as good as nothing")
    func nulls() {
        var drift = Drift(with: .rezolveAct)
        for body in [
            #"{"email":null,"answers":[{"question_id":"1","answer":null}]}"#, #"{"answers":null}"#,
        ] {
            drift.observe(
                Callback(target: [], body: .json(Array(body.utf8))), outcome: nil,
                in: Drift.Sighting(id: "0", receivedAt: ""))
        }
        #expect(
            texts(drift) == [
                "missing answers [] 1/2 0-0", "missing answers.*.answer [] 1/1 0-0",
            ])
    }

    @Test(
        "counts no launch links that came to a receiver",
        arguments: [
            (Contract.ailetDeeplink, "/?method=report&login=a&password=b&visit_id=1"),
            (.flux, "/open?flowName=Box&code=1"), (.welltoryDDS, "/x?source=a&callback=b"),
        ])
    func launches(contract: Contract, target: String) {
        let drift = drift(contract, [target])
        #expect(texts(drift) == [] && drift.results == 0 && drift.unreadable == 0)
    }

    @Test(
        "reads Ailet's report in result, wherever a report of the partner's own is",
        arguments: ["report=mine&result=§", "result=§&report=mine", "report=§"])
    func ownReport(query: String) {
        let query = query.replacing("§", with: "%7B%22status%22%3A%22IR_ERROR%22%7D")
        let drift = drift(.ailetDeeplink, ["/?\(query)"], outcome: .error)
        #expect(drift.results == 1 && drift.unreadable == 0)
        #expect(drift.findings.allSatisfy { $0.path.hasPrefix("result.") })
    }

    @Test("does not tell the flow that we put into a callback ourselves")
    func flows() {
        #expect(texts(drift(.welltoryDDS, [Self.welltory + "&\(FlowID.parameter)=x"])) == [])
    }

    @Test(
        "tells of a trigger what the link has, and nothing of what the sandbox takes",
        arguments: [
            "/emulate/rezolve/1/2/3?ad=1&scenario=silent&\(FlowID.parameter)=x",
            "/callbacks/rezolve?url=https%3A//rzlv.co/1/2/3%3Fad%3D1&scenario=silent",
            "/emulate/rezolve?url=https%3A//rzlv.co/1/2/3%3Fad%3D1%26\(FlowID.parameter)%3Dx",
        ])
    func triggers(target: String) {
        #expect(texts(drift(.rezolveTrigger, [target])) == [])
        let other = target.replacing("ad", with: "adz").replacing("silent", with: "s")
        #expect(texts(drift(.rezolveTrigger, [other])) == ["new adz [integer*1] 1/1 0-0"])
    }

    @Test("finds a new field however many parameters of their own others have sent")
    func ownParameters() {
        let own = [0..<200, 200..<400].map { numbers in
            "/?status=cancelled" + numbers.map { "&own\($0)=1" }.joined()
        }
        let item = #"{"startedAt":"t","endedAt":"t","weight":3}"#
        let base64 = String(decoding: Base64Text.encode(item.utf8, urlSafe: true), as: UTF8.self)
        let drift = drift(.flux, own + ["/?status=completed&response=\(base64)"])
        #expect(drift.findings.filter { $0.kind == .new }.map(\.path) == ["response.weight"])
        #expect(drift.findings.filter { $0.kind == .context }.count == Limits.maximumNewPaths)
    }

    @Test("keeps no more places than it may, and says so")
    func bounds() {
        var drift = Drift(with: .welltoryDDS)
        let long = String(repeating: "x", count: 5000)
        for number in 0..<1000 {
            drift.observe(
                Callback(target: Array((Self.welltory + "&k\(number)=\(long)").utf8)),
                outcome: nil, in: Drift.Sighting(id: "", receivedAt: ""))
            drift.observe(
                Callback(target: Array((Self.welltory + "&stress_c=c\(number)").utf8)),
                outcome: nil, in: Drift.Sighting(id: "", receivedAt: ""))
        }
        #expect(drift.findings.filter { $0.kind == .context }.count == Limits.maximumNewPaths)
        #expect(drift.omitted == 1000 - Limits.maximumNewPaths)
        let colours = drift.findings.first { $0.kind == .enum }
        #expect(colours?.found.count == Limits.maximumFoundTexts)
        #expect(colours?.results == 1000)
    }
}
