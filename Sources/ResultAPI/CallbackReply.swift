// The response to a callback: the same for one received now, a repetition, and an adopted stray.

import HTTP1
import JSON
import ResultStore
import Vendors

/// Responses to callbacks.
package enum CallbackReply {
    /// The response with the decoder's result: 201, or 422 if the callback can't be decoded; 202 if
    /// it can't be queried yet.
    ///
    /// - Parameter sequence: nil while the record waits for the database.
    package static func response(
        id: String, sequence: Int?, verdict: String, outcome: String?, flow: String? = nil,
        link: LinkNote? = nil, diagnostics: [UInt8],
        members: [(name: String, value: [UInt8])] = []
    ) -> Response {
        let json = receipt(
            id: id, sequence: sequence, verdict: verdict, outcome: outcome, flow: flow, link: link,
            diagnostics: diagnostics, members: members)
        return stored(
            json, as: "application/json", id: id, verdict: verdict, isWaiting: sequence == nil)
    }

    /// The JSON object about one stored callback.
    package static func receipt(
        id: String, sequence: Int?, verdict: String, outcome: String?, flow: String? = nil,
        link: LinkNote? = nil, diagnostics: [UInt8],
        members: [(name: String, value: [UInt8])] = []
    ) -> [UInt8] {
        var json = JSONWriter(reservingCapacity: diagnostics.count + 320)
        json.object { json in
            json.member("id", id)
            json.member("seq", sequence)
            json.member("verdict", verdict)
            json.member("outcome", outcome)
            json.member("flow", flow)
            if let link {
                json.member("fell_through", link.fellThrough)
                json.key("link")
                json.raw(link.explanation)
            }
            for member in members {
                json.key(member.name)
                json.raw(member.value)
            }
            json.key("diagnostics")
            json.raw(diagnostics)
            json.key("links")
            json.object { json in
                let location = APIPath.result(id)
                json.member("self", location)
                json.member("request", joining: location, "/request")
                json.member("page", joining: "/#", id)
            }
        }
        return json.bytes
    }

    /// The response to a list of callbacks: 201; 422 if none of them, and 207 if only some of them
    /// can be decoded.
    ///
    /// - Parameters:
    ///   - receipts: in the order of the list.
    ///   - isWaiting: whether one of them waits for the database: 202 instead of 201.
    package static func response(
        toBatch receipts: [(verdict: String, json: [UInt8])], isWaiting: Bool = false
    ) -> Response {
        var status = status(ofBatch: receipts.map(\.verdict))
        if status == .created, isWaiting { status = .accepted }
        var json = JSONWriter(reservingCapacity: receipts.count * 512)
        json.object { json in
            json.key("results")
            json.array { json in
                for receipt in receipts { json.raw(receipt.json) }
            }
        }
        var response = Response(status, contentType: "application/json", body: json.bytes)
        addPrivacy(to: &response)
        return response
    }

    /// The status of the response to a list of callbacks with these verdicts.
    package static func status(ofBatch verdicts: [String]) -> Status {
        let lost = verdicts.count { status(of: $0) == .unprocessableContent }
        return lost == 0 ? .created : lost == verdicts.count ? .unprocessableContent : .multi
    }

    /// The status of the response to a stored callback.
    package static func status(of verdict: String) -> Status {
        verdict == Verdict.undecodable.rawValue ? .unprocessableContent : .created
    }

    /// The response to a stored callback.
    ///
    /// - Parameter isWaiting: whether it waits for the database: 202 instead of 201.
    package static func stored(
        _ body: [UInt8], as contentType: String, id: String, verdict: String,
        isWaiting: Bool = false
    ) -> Response {
        var status = status(of: verdict)
        if status == .created, isWaiting { status = .accepted }
        var response = Response(status, contentType: contentType, body: body)
        response.add("Location", APIPath.result(id))
        addPrivacy(to: &response)
        return response
    }

    /// The URL of a callback carries health data: it must be neither cached nor passed on.
    private static func addPrivacy(to response: inout Response) {
        response.add("Cache-Control", "no-store")
        response.add("Referrer-Policy", "no-referrer")
    }
}
