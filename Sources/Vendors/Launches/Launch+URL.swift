// The URL of a launch, as the vendor's own helper or demo writes it.
//
// If the vendor's code leaves a character unescaped that a form decoder would change, this URL
// escapes it: both decode to the same.

import Text

extension Launch {
    /// The launch link: ASCII, ready for a QR code.
    public var url: String {
        switch contract {
        case .dimmy2024: "https://dimmy.api.optioryx.com/open?" + query(Self.dimmyValue)
        case .flux:
            "https://flux.api.optioryx.com/open?"
                + query { _, value in
                    Self.escaped(value, besides: Self.foundationAllowed)
                }
        case .welltoryDDS: welltoryURL
        case .ailetDeeplink:
            "intelligenceretail:?" + query { _, value in Self.escaped(value) }
        case .rezolveTrigger: rezolveURL
        // These have no launch links.
        case .fluxWebhook, .rezolveAct: ""
        }
    }

    /// Dimmy's demo puts standard Base64 with padding unescaped into the query (document 1.1).
    private static func dimmyValue(_ name: String, _ value: String) -> String {
        name == "callback"
            ? String(decoding: Base64Text.encode(value.utf8, urlSafe: false), as: UTF8.self)
            : escaped(value)
    }

    /// Characters that `URLComponents` leaves unescaped in a query item's value, except `+`, which
    /// Flux's helper replaces afterwards (document 1.1).
    private static let foundationAllowed = "!$'()*,:;@/?"

    private var welltoryURL: String {
        switch form {
        case .link:
            "https://welltory.com/action/dds/measurement?"
                + query { _, value in Self.escaped(value) }
        case .android: "welltory://branch/Measurement/Start/" + Self.escaped(welltoryText)
        case .playStore:
            "https://play.google.com/store/apps/details?id=com.welltory.client.android&referrer="
                + Self.escaped(welltoryText)
        }
    }

    /// The parameters as the single text that both of Welltory's Android links carry (document
    /// 2.1).
    private var welltoryText: String {
        query { _, value in Self.escaped(value, besides: "!$'()*,:;@/?") }
    }

    private var rezolveURL: String {
        switch RezolveForm(parameters.map(\.name)) {
        case .trigger:
            let path = ["partner", "merchant", "category", "product"].compactMap(value)
            let statistics = parameters.filter { $0.name == "ad" || $0.name == "placement" }
                .map { "\($0.name)=\(Self.escaped($0.value))" }.joined(separator: "&")
            return "https://rzlv.co/" + path.joined(separator: "/")
                + (statistics.isEmpty ? "" : "?" + statistics)
        case .instant: return "http://rzlv.co/instant?path=\(value(of: "path") ?? "")"
        case .engagement:
            return "https://instant.\(value(of: "region") ?? "").rezolve.com/resolve?engagementid="
                + Self.escaped(value(of: "engagementid") ?? "")
        }
    }

    private func query(_ written: (_ name: String, _ value: String) -> String) -> String {
        parameters.map { "\(Self.escaped($0.name))=\(written($0.name, $0.value))" }
            .joined(separator: "&")
    }

    private static func escaped(_ text: String, besides allowed: String = "") -> String {
        String(decoding: PercentEncoding.encode(text.utf8, besides: allowed), as: UTF8.self)
    }
}
