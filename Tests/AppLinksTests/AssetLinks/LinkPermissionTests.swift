// Whether an app may open the site's links, and who says so.

import AppLinks
import Testing

@Suite struct LinkPermissionTests {
    private let links: AssetLinks

    init() throws {
        let credentials = #"["delegate_permission/common.get_login_creds"]"#
        let shop = appTarget(package: #""org.sample.shop""#)
        let second = appTarget(
            package: #""org.sample.shop""#, fingerprints: "[\"\(SampleFingerprint.second)\"]")
        let text = """
            [\(statement(relation: credentials, target: shop)), 7,
             \(statement(target: #"{"namespace": "web", "site": "https://a.org"}"#)),
             \(statement(relation: credentials)), \(statement(target: second))]
            """
        links = try AssetLinks(reading: Array(text.utf8))
    }

    @Test func appsComeInTheOrderOfTheFile() {
        #expect(
            links.apps.map(\.package) == ["org.sample.shop", "org.sample.app", "org.sample.shop"])
        #expect(links.apps.map(\.pointer) == ["/0", "/3", "/4"])
        #expect(links.apps.map(\.opensLinks) == [false, false, true])
    }

    @Test(arguments: [
        (
            "org.sample.shop", SampleFingerprint.second,
            AssetLinks.LinkPermission.granted(pointer: "/4")
        ),
        (
            "org.sample.shop",
            String(SampleFingerprint.second.lowercased().filter { $0 != ":" }),
            .granted(pointer: "/4")
        ),
        (
            "org.sample.shop", SampleFingerprint.first,
            .otherCertificate(pointer: "/4", fingerprints: [SampleFingerprint.second])
        ),
        (
            "org.sample.shop", "",
            .otherCertificate(pointer: "/4", fingerprints: [SampleFingerprint.second])
        ),
        ("org.sample.app", SampleFingerprint.first, .otherRelation(pointer: "/3")),
        ("org.sample.App", SampleFingerprint.first, .notNamed), ("", "", .notNamed),
    ])
    func permissionNamesItsStatement(
        package: String, fingerprint: String, expected: AssetLinks.LinkPermission
    ) {
        #expect(links.linkPermission(package: package, fingerprint: fingerprint) == expected)
    }
}
