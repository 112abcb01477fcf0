// Welltory's registered partners: whose source and callback a launch link may name.
// Left out: reading the callbacks of the configuration, and the rest of launch links.

import Testing

@testable import Vendors

@Suite("Registered partners")
struct RegisteredPartnerTests {
    private static let welltory = "https://welltory.com/action/dds/measurement?"

    @Test(
        "asks whether source and callback are registered, where partners are named",
        arguments: [
            ("source=Partner&callback=https://a.example/dds/", nil),
            ("source=Partner&callback=https%3A%2F%2FA.example%2Fdds%2F%3Forder%3D7", nil),
            ("source=Partner&callback=partner://x", nil),
            ("source=Partner&callback=com.partner/.Main", nil),
            (
                "source=Partner&callback=http%3A%2F%2Flocalhost%3A8080%2Fcallbacks%2Fwelltory"
                    + "%2Fdefault%2F01900000-0000-7000-8000-000000000001", nil
            ),
            (
                "source=Partner&callback=https%3A%2F%2Fa.example%2Fdds%2F%3Flandfall_flow%3D"
                    + "01900000-0000-7000-8000-000000000001", nil
            ),
            ("source=partner&callback=https://a.example/dds/", "unregistered_source"),
            ("source=Other&callback=https://other.example/", "unregistered_source"),
            ("source=Partner&callback=https://a.example/", "unregistered_callback"),
            ("source=Partner&callback=https://a.example/dds/more", "unregistered_callback"),
            ("source=Partner&callback=https://a.example.evil/dds/", "unregistered_callback"),
            ("source=Partner&callback=http://a.example/dds/", "unregistered_callback"),
            ("source=Second&callback=https://a.example/dds/", "unregistered_callback"),
            ("source=Partner&callback=com.partner/.Other", "unregistered_callback"),
        ] as [(String, String?)])
    func registeredPartners(query: String, code: String?) {
        let partners = [
            RegisteredPartner(
                source: "Partner",
                callbacks: [
                    "https://a.example/dds/", "partner://x", "com.partner/.Main",
                    "http://localhost:8080/callbacks/welltory",
                ]),
            RegisteredPartner(source: "Second", callbacks: ["https://second.example/?a=1"]),
        ]
        let first = "https://welltory.onelink.me/2180424117/bf497b9?"
        for link in [Self.welltory + query, first + query] {
            let check = LaunchCheck(of: Array(link.utf8), partners: partners)
            #expect(check.contract == .welltoryDDS)
            let errors = check.diagnostics.filter { $0.severity == .error }
            #expect(errors.map(\.code) == (code.map { [$0] } ?? []))
            #expect(check.reaction.kind == (code == nil ? .starts : .nothing))
            #expect(LaunchCheck(of: Array(link.utf8)).isOK)
        }
    }
}
