// Patterns and flags in defaults: a pattern is judged by how the rules that inherit it compare.

import Testing

@testable import AppLinks

@Suite struct InheritedPatternTests {
    /// The findings about encoding, as `severity pointer`.
    private static func encoding(_ links: String) -> [String] {
        let text = "{\"applinks\":{\(links)}}"
        return AppSiteAssociation.findings(in: Array(text.utf8)).filter {
            [.unencodedPattern, .encodedPattern, .lowercaseEncoding].contains($0.code)
        }.map { "\($0.severity) \($0.pointer)" }
    }

    private static func details(_ entry: String) -> String {
        "\"details\":[{\"appIDs\":[\"K7Q2M9X4ZA.org.wharf.shop\"],\(entry)}]"
    }

    @Test(
        arguments: [
            // The flag is in the file's defaults, the pattern in those of the entry.
            (
                #""defaults":{"percentEncoded":false},"#,
                #""defaults":{"/":"/é"},"components":[{"?":{"a":"?*"}}]"#
            ),
            // The pattern is in the file's defaults, the flag in the rule or the entry.
            (#""defaults":{"/":"/é"},"#, #""components":[{"percentEncoded":false}]"#),
            (
                #""defaults":{"/":"/é"},"#,
                ##""defaults":{"percentEncoded":false},"components":[{"#":"a"}]"##
            ),
            // One of two rules decodes.
            (#""defaults":{"/":"/é"},"#, #""components":[{"percentEncoded":false},{"?":"a"}]"#),
            // No rule inherits the pattern, whose own flag is right.
            (#""defaults":{"/":"/é","percentEncoded":false},"#, #""components":[{"/":"/b"}]"#),
        ])
    func aPatternThatARuleDecodesIsNoError(defaults: String, entry: String) {
        #expect(Self.encoding(defaults + Self.details(entry)).isEmpty)
    }

    @Test(
        arguments: [
            (#""defaults":{"/":"/é"},"#, #""components":[{"?":"a"}]"#, "/applinks/defaults/~1"),
            (
                #""defaults":{"percentEncoded":false},"#,
                #""defaults":{"/":"/é","percentEncoded":true},"components":[{"?":"a"}]"#,
                "/applinks/details/0/defaults/~1"
            ),
            // The rule that decodes has its own path.
            (
                #""defaults":{"/":"/é"},"#,
                #""components":[{"/":"/b","percentEncoded":false},{"?":"a"}]"#,
                "/applinks/defaults/~1"
            ),
            (
                #""defaults":{"/":"/b","percentEncoded":false},"#,
                #""components":[{"percentEncoded":true,"?":{"a":"é"}}]"#,
                "/applinks/details/0/components/0/?/a"
            ),
        ])
    func aPatternThatNoRuleDecodesIsAnError(defaults: String, entry: String, pointer: String) {
        #expect(Self.encoding(defaults + Self.details(entry)) == ["error \(pointer)"])
    }

    @Test func anInheritedPatternOfEscapesThatIsDecodedIsAWarning() {
        let links =
            #""defaults":{"percentEncoded":false},"#
            + Self.details(#""defaults":{"/":"/%20"},"components":[{"?":"a"}]"#)
        #expect(Self.encoding(links) == ["warning /applinks/details/0/defaults/~1"])
    }

    @Test func anOldPathThatDefaultsDecodeIsAWarning() {
        let paths = Self.details(#""paths":["/é"]"#)
        #expect(Self.encoding(paths) == ["error /applinks/details/0/paths/0"])
        #expect(
            Self.encoding(#""defaults":{"percentEncoded":false},"# + paths)
                == ["warning /applinks/details/0/paths/0"])
    }

    @Test func aValueOfAVariableIsComparedLikeThePatternThatUsesIt() {
        let link = { (values: String, components: String) in
            "\"substitutionVariables\":{\"food\":[\(values)]},"
                + Self.details("\"components\":[\(components)]")
        }
        let pointer = "/applinks/substitutionVariables/food"
        #expect(Self.encoding(link(#""é""#, #"{"/":"/$(food)"}"#)) == ["error \(pointer)/0"])
        #expect(
            Self.encoding(link(#""tea","a b""#, #"{"/":"/$(food)"}"#)) == ["warning \(pointer)/1"])
        let decoding = #"{"/":"/$(food)","percentEncoded":false}"#
        #expect(Self.encoding(link(#""é""#, decoding)).isEmpty)
        #expect(Self.encoding(link(#""é""#, decoding + #",{"/":"/a/$(food)"}"#)).isEmpty)
        #expect(Self.encoding(link(#""é""#, #"{"/":"/a"}"#)).isEmpty)
    }

    @Test func onlyTheErrorIsReportedForALastExclusionThatIsNeverReached() {
        let findings = { (components: String) in
            AppSiteAssociation.findings(in: Array(FindingCase.components(components).utf8))
        }
        let dead = findings(#"{"/":"/*"},{"/":"/b","exclude":true}"#).map(\.code)
        #expect(dead.contains(.deadExclude) && !dead.contains(.lastExclude))
        let last = findings(#"{"/":"/a"},{"/":"/b","exclude":true}"#).filter {
            $0.code == .lastExclude
        }
        #expect(last.count == 1)
        // It isn't without any effect.
        #expect(last.allSatisfy { $0.message.contains("applinks:*.") })
    }

    @Test(arguments: [("*", true), ("**", true), ("***", true), ("?*", false), ("", false)])
    func asterisksAloneRequireNothing(pattern: String, isReported: Bool) {
        let text = FindingCase.components("{\"?\":{\"id\":\"\(pattern)\"}}")
        let findings = AppSiteAssociation.findings(in: Array(text.utf8))
        #expect(findings.contains { $0.code == .queryWildcard } == isReported)
    }
}
