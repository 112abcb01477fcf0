// Decoding callbacks, each as its vendor sends it: parameters in a URL.
//
// Invariant: the messages are intact, so that what is measured is the usual way and no diagnosis.

import JSON
import Vendors

extension Row {
    /// Micro- and milliseconds of decoding one callback of each vendor.
    static func ofDecoding(rounds: Int) throws -> [Row] {
        let item = Documents.item()
        let report = Documents.report(bytes: 60_000)
        return [
            try decoding(
                "decode-welltory", "a measurement", .welltory, "µs", rounds,
                Documents.measurement),
            try decoding(
                "decode-dimmy", "an item of \(item.count) bytes in Base64", .dimmy, "µs", rounds,
                Array("/?order=2041&status=completed&response=".utf8) + Documents.base64(item)),
            try decoding(
                "decode-ailet", "a report of \(report.count) bytes, percent-encoded", .ailet, "ms",
                rounds, Array("/?result=".utf8) + Documents.percentEncoded(report)),
        ]
    }

    private static func decoding(
        _ name: String, _ what: String, _ vendor: Vendor, _ unit: String, _ rounds: Int,
        _ target: [UInt8]
    ) throws -> Row {
        let callback = Callback(target: target)
        precondition(Decoding(of: callback, from: vendor).verdict == .decoded)
        return try row(
            name, "decode: \(what)", unit, rounds, { _ = Decoding(of: callback, from: vendor) })
    }
}

extension Documents {
    /// Welltory's result with all its parameters.
    static let measurement = Array(
        """
        /dds/?stress=0.27&energy=0.68&productivity=0.71&rmssd=64.2&sdnn=58.9&power=87\
        &stress_c=green&energy_c=yellow&productivity_c=green&token=k3J9xQ2vT7mB4nR8
        """.utf8)

    /// An item of about a kilobyte.
    static func item() -> [UInt8] {
        let photos = (0..<5).map { number in
            """
            {"date":"2026-03-09T13:02:1\(number)Z",\
            "url":"https://images.example.com/flows/2041/parcel-\(number)-\(number * 7919).jpg"}
            """
        }
        return Array(
            """
            {"startedAt":"2026-03-09T13:02:11Z","endedAt":"2026-03-09T13:03:47Z",\
            "dimensioning":[{"flowStepId":"box","startedAt":"2026-03-09T13:02:41Z",\
            "endedAt":"2026-03-09T13:03:20Z",\
            "dimensions":{"width":0.6,"height":0.4,"depth":0.35,"unit":"m"}}],\
            "photographing":[{"flowStepId":"photo","photos":[\(photos.joined(separator: ","))]}],\
            "barcodeScanning":[{"flowStepId":"code","barcodes":["4006381333931"]}],\
            "weighing":[{"flowStepId":"scale","weight":12.4}],"customInputs":[]}
            """.utf8)
    }

    /// A visit report of so many bytes or a little more, in the vendor's older types.
    static func report(bytes: Int) -> [UInt8] {
        var photos: [String] = []
        var size = 0
        while size < bytes - 600 {
            photos.append(photo(photos.count))
            size += photos[photos.count - 1].utf8.count + 1
        }
        return Array(
            """
            {"status":"IR_RESULT_OK","scenesCounter":4,"photosCounter":\(photos.count),\
            "notDetectedPhotosCounter":0,"notDetectedScenesCounter":0,"report":{\
            "photos":{\(photos.joined(separator: ","))},\
            "result":{"code":1,"codeInt":1,"message":"Successfully processed",\
            "total_photos":\(photos.count),"sended_photos":\(photos.count),"visit_id":"visit-204",\
            "internal_visit_id":"65c0ffee-1204"},"assortment_achievement":[],"custom":[],\
            "share_shelf":{"share_shelf_by_visit":[{"visit_id":"65c0ffee-1204","value":42,\
            "value_previous":40}],"share_shelf_by_categories":[],"share_shelf_by_brands":[]}}}
            """.utf8)
    }

    private static func photo(_ number: Int) -> String {
        let products = (0..<8).map { product in
            """
            {"facing":\(product + 1),"price_type":0,"category_id":"8f0f1b83-8368-\(number)",\
            "price":"\(product * 13 + 9).90","external_id":"006AA8BA-C9D0-\(product)",\
            "width":{"cm":\(product + 6)},"category_name":"Dairy","facing_group":1,\
            "name":"Yoghurt with apple and pear, \(product)50 g"}
            """
        }
        return """
            "65c0ffee-\(number)":{"scene_id":"scene-\(number / 3)","scene_type":"Main shelf",\
            "image_path":"/Documents/\(number)/photo.jpg",\
            "image_url":"https://images.example.com/\(number).jpg",\
            "error":{"codeInt":1,"message":"Successfully processed","code":1},\
            "products":[\(products.joined(separator: ","))]}
            """
    }

    /// Base64 in the URL's alphabet.
    static func base64(_ octets: [UInt8]) -> [UInt8] {
        let letters = Array(
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
        return stride(from: 0, to: octets.count, by: 3).flatMap { start -> [UInt8] in
            let group = octets[start..<min(start + 3, octets.count)]
            let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            return (0...group.count).map { letters[bits >> (18 - 6 * $0) & 63] }
        }
    }

    /// All but letters and digits as `%XX`.
    static func percentEncoded(_ text: [UInt8]) -> [UInt8] {
        let digits = Array("0123456789ABCDEF".utf8)
        return text.flatMap { byte -> [UInt8] in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "A")...UInt8(ascii: "Z"):
                [byte]
            default: [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
    }
}
