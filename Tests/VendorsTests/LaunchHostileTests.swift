// Links that nobody wrote on purpose: whatever arrives, a check ends, points into the link, and
// what it calls right is a launch that can be written and read again. Seeded.

import Mutations
import Testing

@testable import Vendors

@Suite("Hostile launch links")
struct LaunchHostileTests {
    private static let links: [[UInt8]] =
        LaunchURLTests.examples.compactMap {
            try? launch($0.contract, $0.pairs, form: $0.form).url
        }.map { Array($0.utf8) }
        + (LaunchCheckTests.dimmyCases + LaunchCheckTests.otherCases).map { Array($0.link.utf8) }

    @Test(
        "survive 2,000 mutations, by their own host and by each contract",
        arguments: [nil] + Contract.allCases.map(Optional.some))
    func mutations(contract: Contract?) {
        var random = SeededGenerator(seed: 0x1A4C_11)
        for round in 0..<2_000 {
            let other = Self.links[random.below(Self.links.count)]
            let link = random.mutation(of: Self.links[round % Self.links.count], with: other)
            let check = LaunchCheck(of: link, as: contract)
            let text = String(decoding: link, as: UTF8.self)
            for finding in check.diagnostics where finding.offset.map({ $0 > link.count }) ?? false
            {
                Issue.record("\(text): \(finding)")
            }
            // An engagement of any host is read, and one without a region isn't written.
            let names = check.parameters.map(\.name)
            let isOpen = names.contains("engagementid") && !names.contains("region")
            if check.isOK != (check.launch != nil), !(check.isOK && isOpen) {
                Issue.record("no launch: \(text)")
            }
            if (check.reaction.kind == .returns) != (check.reaction.query != nil) {
                Issue.record("\(text): \(check.reaction)")
            }
            guard let launch = check.launch else { continue }
            let again = LaunchCheck(of: Array(launch.url.utf8)).launch
            if again != launch {
                Issue.record("\(text) -> \(launch.url) -> \(String(describing: again))")
            }
        }
    }

    @Test("give callbacks that stay callbacks with whatever is appended")
    func callbacks() {
        let flow = "019a9a3c-1d2e-7f30-8a4b-5c6d7e8f9a0b"
        let texts = [
            "https://l.example/callbacks/dimmy/qa?o=1#x", "partnerapp://x?landfall_flow=\(flow)",
            "http://[::1]:80/callbacks/dimmy/qa/\(flow)", "com.partner.app/.Main",
        ].map { Array($0.utf8) }
        var random = SeededGenerator(seed: 0xCA11)
        for round in 0..<40_000 {
            let bytes = random.mutation(of: texts[round % texts.count])
            _ = CallbackURL.flow(in: bytes)
            guard let text = String(validating: bytes, as: UTF8.self),
                let url = try? CallbackURL(text),
                let carrier = url.carrying(flow: flow, isReceiver: round % 2 == 0)
            else { continue }
            let answer = carrier.appending(Array("status=completed".utf8)) ?? []
            let back = try? CallbackURL(String(decoding: answer, as: UTF8.self))
            if back?.flow != flow || back?.host != url.host || back?.kind != url.kind {
                Issue.record("\(text) -> \(String(decoding: answer, as: UTF8.self))")
            }
        }
    }
}
