// Callbacks to try a receiver with. The values are ours; the form is the vendors'.
//
// Invariant: each sample decodes with verdict `decoded`.

import Text

@testable import Vendors

/// A callback as a vendor would send it.
struct Sample: Sendable {
    /// The name by which a sample is asked for: `welltory`, `dimmy`, `flux` or `ailet`.
    let name: String

    /// Whose callback it is.
    let vendor: Vendor

    /// The parameters, escaped so that they read the same in a URL's query and in a form body.
    let query: String

    /// All samples, by vendor.
    static let all: [Sample] = [
        Sample(
            name: "welltory", vendor: .welltory,
            query: "stress=0.27&energy=0.68&productivity=0.71&rmssd=64.2&sdnn=58.9&power=87"
                + "&stress_c=green&energy_c=yellow&productivity_c=green"),
        Sample(
            name: "dimmy", vendor: .dimmy,
            query: "response=" + escaped(Base64Text.encode(dimmyItem.utf8, urlSafe: false))),
        Sample(
            name: "flux", vendor: .dimmy,
            query: "order=2041&status=completed&response="
                + escaped(Base64Text.encode(fluxItem.utf8, urlSafe: true))),
        Sample(name: "ailet", vendor: .ailet, query: "result=" + escaped(Array(ailetReport.utf8))),
    ]

    private static func escaped(_ text: [UInt8]) -> String {
        String(decoding: PercentEncoding.encode(text), as: UTF8.self)
    }

    private static let dimmyItem = """
        {"_id":"66f1a2b3c4d5e6f708192a3b","flow_id":"66f1a2b3c4d5e6f708192a00",\
        "created_at":"2024-09-23T08:16:04.218000","updated_at":"2024-09-23T08:16:04.530000",\
        "started_at":"2024-09-23T08:14:10Z","ended_at":"2024-09-23T08:15:58Z",\
        "photographing":[{"flow_step_id":"photo","started_at":"2024-09-23T08:14:12Z",\
        "ended_at":"2024-09-23T08:14:40Z","photos":[{"date":"2024-09-23T08:14:31Z",\
        "url":"https://images.example.com/parcel.jpg"}]}],\
        "dimensioning":[{"flow_step_id":"box","started_at":"2024-09-23T08:14:41Z",\
        "ended_at":"2024-09-23T08:15:50Z",\
        "dimensions":{"width":0.31,"height":0.18,"depth":0.24}}]}
        """

    private static let fluxItem = """
        {"startedAt":"2026-03-09T13:02:11Z","endedAt":"2026-03-09T13:03:47Z",\
        "dimensioning":[{"flowStepId":"box",\
        "dimensions":{"width":0.6,"height":0.4,"depth":0.35,"unit":"m"}}],\
        "photographing":[],"barcodeScanning":[],"weighing":[],"customInputs":[]}
        """

    private static let ailetReport = """
        {"status":"IR_RESULT_OK","scenesCounter":1,"photosCounter":2,\
        "notDetectedPhotosCounter":0,"notDetectedScenesCounter":0,"report":{\
        "result":{"code":1,"codeInt":1,"message":"Successfully processed","total_photos":2,\
        "sended_photos":2,"visit_id":"visit-204","internal_visit_id":"65c0ffee-1204"},\
        "photos":{},"assortment_achievement":[],"custom":[],\
        "share_shelf":{"share_shelf_by_visit":[{"visit_id":"65c0ffee-1204","value":42,\
        "value_previous":40}],"share_shelf_by_categories":[],"share_shelf_by_brands":[]}}}
        """
}
