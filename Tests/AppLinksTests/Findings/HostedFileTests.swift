// How link files are served, as Apple's and Google's servers meet them.

import AppLinks
import LinkPatterns
import Testing

@Suite struct HostedFileTests {
    private static func findings(
        _ kind: HostedFile.Kind = .association, url: String? = nil, status: Int = 200,
        location: String? = nil, contentType: String? = "application/json"
    ) -> [String] {
        HostedFile(
            kind, at: LinkURL(url ?? "https://harbour.test" + kind.path), status: status,
            location: location, contentType: contentType, content: Array("{}".utf8)
        ).findings().map { "\($0.severity.rawValue) \($0.code.rawValue)" }
    }

    @Test(arguments: HostedFile.Kind.allCases)
    func aFileThatIsServedAsItMustBeHasNoFinding(kind: HostedFile.Kind) {
        #expect(Self.findings(kind).isEmpty)
        #expect(Self.findings(kind, contentType: "Application/JSON ; charset=utf-8").isEmpty)
        #expect(kind.path.hasPrefix("/.well-known/"))
    }

    @Test(arguments: HostedFile.Kind.allCases)
    func statusAndSchemeAreErrors(kind: HostedFile.Kind) {
        #expect(Self.findings(kind, status: 404) == ["error bad_status"])
        #expect(Self.findings(kind, status: 204) == ["error bad_status"])
        #expect(Self.findings(kind, status: 500) == ["error bad_status"])
        for status in [301, 302, 307, 308] {
            #expect(
                Self.findings(kind, status: status, location: "https://www.harbour.test/")
                    == ["error redirect"])
        }
        #expect(
            Self.findings(kind, url: "http://harbour.test" + kind.path) == ["error insecure_url"])
        #expect(Self.findings(kind, url: "HTTPS://harbour.test" + kind.path).isEmpty)
    }

    @Test func aRedirectSaysWhereItLeads() {
        let file = HostedFile(
            .association, at: LinkURL("https://harbour.test/"), status: 301,
            location: "https://www.harbour.test/", contentType: nil, content: [])
        #expect(file.findings().first?.message.contains("https://www.harbour.test/") == true)
    }

    @Test(
        arguments: [
            (HostedFile.Kind.association, "text/html", ["warning content_type"]),
            (.association, nil, ["warning content_type"]),
            (.association, "application/pkcs7-mime", []),
            (.assetLinks, "text/html", ["error content_type"]),
            (.assetLinks, nil, ["error content_type"]),
            (.assetLinks, "application/pkcs7-mime", ["error content_type"]),
        ] as [(HostedFile.Kind, String?, [String])])
    func anotherContentTypeIsToldOf(kind: HostedFile.Kind, type: String?, expected: [String]) {
        #expect(Self.findings(kind, contentType: type) == expected)
    }

    @Test func theRootIsNoPlaceForAnAssociation() {
        let root = "https://harbour.test/apple-app-site-association"
        #expect(Self.findings(url: root) == ["error only_at_root"])
        #expect(Self.findings(url: root + "?x") == ["error only_at_root"])
    }

    @Test(
        arguments: [
            (.association, "harbour.test/.well-known/apple-app-site-association?x", nil),
            (.association, "harbour.test/.well-known/apple-app-site-association.json", "path"),
            (.association, "harbour.test/.well-known/assetlinks.json", "path"),
            (.association, "harbour.test/", "path"),
            (.association, "app-site-association.cdn-apple.com/a/v1/harbour.test", nil),
            (.assetLinks, "harbour.test/assetlinks.json", "path"),
            (.assetLinks, "harbour.test/apple-app-site-association", "path"),
            (.assetLinks, "harbour.test:443/.well-known/assetlinks.json", nil),
            (.assetLinks, "harbour.test:8443/.well-known/assetlinks.json", "port"),
            (.association, "harbour.test:80/.well-known/apple-app-site-association", "port"),
        ] as [(HostedFile.Kind, String, String?)])
    func aPlaceThatNobodyAsksForIsAnError(kind: HostedFile.Kind, place: String, wrong: String?) {
        #expect(
            Self.findings(kind, url: "https://" + place)
                == (wrong.map { ["error wrong_\($0)"] } ?? []))
    }

    @Test(arguments: [
        (HostedFile.Kind.association, 5.0, false), (.association, 5.1, true),
        (.association, 31, true),
        (.assetLinks, 31, false),
    ])
    func whatApplesFetcherDoesNotWaitForIsAnError(
        kind: HostedFile.Kind, seconds: Double, isSlow: Bool
    ) {
        let file = HostedFile(
            kind, at: LinkURL("https://a.example" + kind.path), status: 200, location: nil,
            contentType: "application/json", content: [], time: .seconds(seconds))
        let slow = file.findings().filter { $0.code == .slowAnswer }
        #expect(slow.count == (isSlow ? 1 : 0))
        #expect(slow.allSatisfy { $0.severity == .error && $0.message.contains("after 5 s") })
    }
}
