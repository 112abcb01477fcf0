// Findings in one line each, so that tables of expectations stay readable.

import AppLinks

/// Two fingerprints of the right form.
enum SampleFingerprint {
    static let first =
        "0A:1B:2C:3D:4E:5F:60:71:82:93:A4:B5:C6:D7:E8:F9:0B:1C:2D:3E:4F:50:61:72:83:94:A5:B6:C7:D8:E9:FA"
    static let second =
        "FF:00:11:22:33:44:55:66:77:88:99:AA:BB:CC:DD:EE:F1:02:13:24:35:46:57:68:79:8A:9B:AC:BD:CE:DF:E0"
}

/// The findings of a file, each as `severity code pointer`.
func summary(_ text: String) -> [String] {
    AssetLinks.findings(in: Array(text.utf8)).map { finding in
        "\(finding.severity.rawValue) \(finding.code.rawValue) \(finding.pointer)"
    }
}

/// A statement that lets an app open links, with what is given in the place of its parts.
func statement(
    relation: String = #"["delegate_permission/common.handle_all_urls"]"#,
    target: String? = nil, more: String = ""
) -> String {
    let app = target ?? appTarget()
    return #"{"relation": \#(relation), "target": \#(app)\#(more.isEmpty ? "" : ", " + more)}"#
}

/// An app target with what is given in the place of its parts.
func appTarget(
    package: String = #""org.sample.app""#,
    fingerprints: String = "[\"\(SampleFingerprint.first)\"]"
) -> String {
    """
    {"namespace": "android_app", "package_name": \(package), \
    "sha256_cert_fingerprints": \(fingerprints)}
    """
}

/// A statement with dynamic rules.
func ruled(_ rules: String) -> String {
    let relation = "delegate_permission/common.handle_all_urls"
    let more =
        "\"relation_extensions\": {\"\(relation)\": {\"dynamic_app_link_components\": \(rules)}}"
    return "[\(statement(more: more))]"
}
