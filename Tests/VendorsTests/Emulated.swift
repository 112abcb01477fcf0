// Launches of every vendor for the tests of the emulation.
// Invariant: values are ours; each launch has what its vendor requires.

@testable import Vendors

/// A vendor's app that was launched in a test.
enum Emulated {
    /// The contracts that call back.
    static let contracts: [Contract] = [
        .dimmy2024, .flux, .welltoryDDS, .ailetDeeplink, .xCallbackURL,
    ]

    /// When tests launch: 2026-03-09T13:02:11Z.
    static let time: Int64 = 1_773_061_331

    /// The launch of `contract` that names everything, with some parameters changed; nil removes
    /// one.
    static func app(
        _ contract: Contract, seed: UInt64 = 42, at time: Int64 = time,
        _ changes: [String: String?] = [:]
    ) -> VendorApp {
        var parameters = usual[contract] ?? [:]
        for (name, value) in changes { parameters[name] = value }
        return VendorApp(
            contract, parameters.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) },
            seed: seed, at: time)
    }

    private static let usual: [Contract: [String: String]] = [
        .dimmy2024: [
            "flow": "65f0c1aa11bb22cc33dd4455", "callback": "https://wms.example.com/dimmy",
            "code": "A-2041",
        ],
        .flux: [
            "flowName": "Inbound", "callback": "https://wms.example.com/flux", "code": "A-2041",
        ],
        .welltoryDDS: [
            "source": "Example", "callback": "https://app.example.com/dds", "order": "4711 ä&=+",
        ],
        .ailetDeeplink: [
            "method": "visit", "login": "user", "password": "secret", "store_id": "store-7",
            "visit_id": "visit-204", "task_id": "task-3", "user_id": "", "back_url_scheme": "app",
        ],
        .xCallbackURL: [
            "scheme": "targetapp", "action": "translate", "x-success": "app://done",
            "x-error": "app://failed", "x-cancel": "app://cancel", "word": "Hello",
        ],
    ]
}

extension EmulatedAnswer {
    /// The answer as it arrives at a callback.
    var callback: Callback {
        // What lets a receiver distinguish x-cancel is in the callback itself.
        let path = callbackParameter == "x-cancel" ? "/callbacks/cancel?" : "/callbacks/x?"
        return Callback(target: Array(path.utf8) + query, body: body)
    }

    /// The answer as its vendor's decoder reads it.
    func decoding(_ contract: Contract) -> Decoding {
        Decoding(of: callback, from: contract.vendor)
    }
}
