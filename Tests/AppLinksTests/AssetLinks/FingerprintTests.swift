// The shapes that people write where a SHA-256 fingerprint belongs.

import AppLinks
import Testing

@Suite struct FingerprintTests {
    private static func pairs(_ count: Int, _ text: String = "A1") -> String {
        (0..<count).map { $0 == 0 ? "0B" : text }.joined(separator: ":")
    }

    @Test(
        arguments: [
            (pairs(32), nil), (pairs(20), "error fingerprint_sha1"),
            (pairs(16), "error fingerprint_md5"),
            (pairs(31), "error fingerprint_invalid"), (pairs(33), "error fingerprint_invalid"),
            (pairs(32, "a1"), "error fingerprint_lower_case"),
            (String(repeating: "A1", count: 32), "error fingerprint_without_colons"),
            (String(repeating: "0b", count: 20), "error fingerprint_sha1"),
            (String(repeating: "0b", count: 16), "error fingerprint_md5"),
            (String(repeating: "0b", count: 30), "error fingerprint_invalid"),
            (pairs(32).split(separator: ":").joined(separator: " "), "error fingerprint_invalid"),
            (pairs(32).split(separator: ":").joined(separator: "-"), "error fingerprint_invalid"),
            (pairs(32) + " ", "error fingerprint_invalid"),
            (pairs(32) + ":", "error fingerprint_invalid"),
            ("SHA256: " + pairs(32), "error fingerprint_invalid"),
            ("47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=", "error fingerprint_invalid"),
            ("", "error fingerprint_invalid"), ("GG:HH:" + pairs(30), "error fingerprint_invalid"),
            ("YOUR_FINGERPRINT", "error fingerprint_placeholder"),
            ("<sha of your key>", "error fingerprint_placeholder"),
            ("${FINGERPRINT}", "error fingerprint_placeholder"),
            (pairs(32, "XX"), "error fingerprint_placeholder"),
            ("AA:BB:CC:...", "error fingerprint_placeholder"),
            (
                "14:6D:E9:83:C5:73:06:50:D8:EE:B9:95:2F:34:FC:64:16:A0:83:42:E6:1D:BE:A8:8A:04:96:B2:3F:CF:44:E5",
                "warning fingerprint_placeholder"
            ),
            (
                Array(repeating: "AB", count: 32).joined(separator: ":"),
                "warning fingerprint_placeholder"
            ),
            (
                Array(repeating: "00", count: 32).joined(separator: ":"),
                "warning fingerprint_all_zero"
            ),
            (
                "FA:C6:17:45:DC:09:03:78:6F:B9:ED:E6:2A:96:2B:39:9F:73:48:F0:BB:6F:89:9B:83:32:66:75:91:03:3B:9C",
                "warning fingerprint_public_key"
            ),
        ] as [(String, String?)])
    func fingerprintsAreToldApartByTheirShape(text: String, expected: String?) throws {
        let file = "[\(statement(target: appTarget(fingerprints: "[\"\(text)\"]")))]"
        let pointer = "/0/target/sha256_cert_fingerprints/0"
        #expect(summary(file) == (expected.map { ["\($0) \(pointer)"] } ?? []))
        let isKept = try !AssetLinks(reading: Array(file.utf8)).statements.isEmpty
        #expect(isKept == (expected?.hasPrefix("error") != true))
    }

    @Test(arguments: [
        (pairs(32, "a1"), pairs(32)), (String(repeating: "A1", count: 32), pairs(31, "A1")),
    ])
    func whatOnlyNeedsAnotherSpellingIsSpelt(text: String, part: String) {
        let file = "[\(statement(target: appTarget(fingerprints: "[\"\(text)\"]")))]"
        let message = AssetLinks.findings(in: Array(file.utf8)).first?.message ?? ""
        #expect(contains(message, String(part.dropFirst(3))))
    }

    @Test(arguments: [
        ("null", "error fingerprints_not_array"),
        ("\"\(pairs(32))\"", "error fingerprints_not_array"),
        ("[]", "error fingerprints_empty"),
    ])
    func fingerprintsAreAList(list: String, expected: String) {
        let file = "[\(statement(target: appTarget(fingerprints: list)))]"
        #expect(summary(file) == ["\(expected) /0/target/sha256_cert_fingerprints"])
    }

    @Test func oneMalformedFingerprintCostsItsStatement() throws {
        let list = "[\"\(SampleFingerprint.first)\", {}]"
        let file = "[\(statement(target: appTarget(fingerprints: list)))]"
        #expect(summary(file) == ["error fingerprint_invalid /0/target/sha256_cert_fingerprints/1"])
        #expect(try AssetLinks(reading: Array(file.utf8)).statements.isEmpty)
    }

    @Test func aFingerprintThatRepeatsIsFound() throws {
        let (first, second) = (SampleFingerprint.first, SampleFingerprint.second)
        let list = "[\"\(first)\", \"\(second)\", \"\(first)\"]"
        let file = "[\(statement(target: appTarget(fingerprints: list)))]"
        #expect(
            summary(file) == ["info fingerprint_duplicate /0/target/sha256_cert_fingerprints/2"])
        #expect(try AssetLinks(reading: Array(file.utf8)).statements.count == 1)
    }

    @Test func anAppWithoutFingerprintsIsFound() {
        let target = #"{"namespace": "android_app", "package_name": "org.sample.app"}"#
        #expect(
            summary("[\(statement(target: target))]") == ["error fingerprints_missing /0/target"])
        let unnamed =
            "{\"namespace\": \"android_app\", \"sha256_cert_fingerprints\": [\"\(Self.pairs(32))\"]}"
        #expect(summary("[\(statement(target: unnamed))]") == ["error package_missing /0/target"])
    }
}
