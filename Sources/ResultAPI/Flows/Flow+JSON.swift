// Flows in the API's JSON.

import JSON

extension Flow {
    /// Writes the object that lists show.
    func write(to json: inout JSONWriter) {
        json.object { json in writeMembers(to: &json) }
    }

    /// Writes the flow with its messages.
    ///
    /// - Parameter records: each record's JSON, by its id.
    func write(to json: inout JSONWriter, with records: [String: [UInt8]]) {
        json.object { json in
            writeMembers(to: &json)
            json.array("messages") { json in
                for message in messages { write(message, records, to: &json) }
            }
        }
    }

    private func writeMembers(to json: inout JSONWriter) {
        let first = (launch ?? messages.first)?.facts
        json.member("id", id)
        json.member("state", state.rawValue)
        json.member("vendor", first?.vendor)
        json.member("contract", first?.contract)
        json.member("inbox", inbox)
        json.member("launched_at", launch?.facts.receivedAt.description)
        json.member("returned_at", end?.facts.receivedAt.description)
        json.member("latency_ms", latency.map { Int($0) })
        json.member("person_ms", decisionMilliseconds.map { Int($0) })
        json.member("outcome", answer?.facts.outcome)
        json.member("verdict", answer?.facts.verdict)
        json.member("callbacks", callbackCount)
        json.member("out_of_order", isOutOfOrder)
        json.object("links") { json in
            json.member("self", APIPath.flow(id))
            json.member("results", APIPath.results(ofFlow: id))
        }
    }

    private func write(
        _ message: Message, _ records: [String: [UInt8]], to json: inout JSONWriter
    ) {
        let facts = message.facts
        let id = facts.id.description
        let start = messages.first?.facts.receivedAt ?? facts.receivedAt
        json.object { json in
            json.member("id", id)
            json.member("kind", message.facts.kind.rawValue)
            json.member("received_at", facts.receivedAt.description)
            json.member(
                "after_ms", Int(facts.receivedAt.unixMilliseconds - start.unixMilliseconds))
            json.member("contract", facts.contract)
            json.member("outcome", facts.outcome)
            json.member("verdict", facts.verdict)
            json.key("record")
            if let record = records[id] { json.raw(record) } else { json.null() }
        }
    }
}
