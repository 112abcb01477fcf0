// Flux's callback with Codable: a form whose `response` is Base64 of an item as JSON.

import Foundation

/// A finished flow's item, with what the store indexes of it.
struct FluxItem: Codable, Sendable {
    struct Dimensions: Codable, Sendable {
        let width: Double
        let height: Double
        let depth: Double
        let unit: String?
    }

    struct DimensioningStep: Codable, Sendable {
        let flowStepId: String?
        let dimensions: Dimensions?
    }

    struct Photo: Codable, Sendable {
        let date: String?
        let url: String
    }

    struct PhotoStep: Codable, Sendable {
        let flowStepId: String?
        let photos: [Photo]?
    }

    struct Barcode: Codable, Sendable {
        let value: String
    }

    struct BarcodeStep: Codable, Sendable {
        let flowStepId: String?
        let barcodes: [Barcode]?
    }

    struct Weight: Codable, Sendable {
        let value: Double
        let unit: String?
    }

    struct WeighingStep: Codable, Sendable {
        let flowStepId: String?
        let weight: Weight?
    }

    let startedAt: String
    let endedAt: String
    let code: String?
    let dimensioning: [DimensioningStep]?
    let photographing: [PhotoStep]?
    let barcodeScanning: [BarcodeStep]?
    let weighing: [WeighingStep]?
}

/// A callback as it came.
struct FluxCallback: Sendable {
    let status: String
    let context: [String: String]
    let item: FluxItem?

    /// Reads a form; nil unless it is a callback with a known status and, if finished, an item.
    init?(form: String) {
        var components = URLComponents()
        components.percentEncodedQuery = form.replacing("+", with: "%20")
        var parameters: [String: String] = [:]
        for item in components.queryItems ?? [] where parameters[item.name] == nil {
            parameters[item.name] = item.value ?? ""
        }
        guard let status = parameters.removeValue(forKey: "status"),
            ["completed", "cancelled", "error"].contains(status)
        else { return nil }
        let response = parameters.removeValue(forKey: "response")
        self.status = status
        context = parameters
        guard status == "completed" else {
            item = nil
            return
        }
        guard let data = response.flatMap(Self.data),
            let item = try? JSONDecoder().decode(FluxItem.self, from: data)
        else { return nil }
        self.item = item
    }

    /// The bytes of Base64 in either alphabet, with or without padding.
    private static func data(_ text: String) -> Data? {
        let digits = text.replacing("-", with: "+").replacing("_", with: "/")
            .filter { $0 != "=" }
        return Data(
            base64Encoded: digits + String(repeating: "=", count: (4 - digits.count % 4) % 4))
    }
}
