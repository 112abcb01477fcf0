// The findings of association files: each code with a file that has it and one that has not, files
// that are in order, and the bound on what a long file costs.

import LinkPatterns
import Mutations
import Testing

@testable import AppLinks

@Suite struct AssociationFindingTests {
    private static func findings(_ text: String) -> [Finding] {
        AppSiteAssociation.findings(in: Array(text.utf8))
    }

    @Test(arguments: FindingCase.all)
    func aFindingIsMadeWhereItApplies(example: FindingCase) throws {
        let findings = Self.findings(example.bad).filter { $0.code == example.code }
        let finding = try #require(
            findings.first { $0.pointer == example.pointer }, "\(findings.map(\.pointer))")
        #expect(finding.severity == example.severity)
        #expect(finding.position.line == example.line)
        #expect(finding.message.hasSuffix("."))
        #expect(!finding.message.contains("Optional("))
    }

    @Test(arguments: FindingCase.all)
    func whatIsWrittenAsTheFindingAsksHasItNot(example: FindingCase) {
        let findings = Self.findings(example.good).filter {
            $0.code == example.code && $0.severity == example.severity
        }
        #expect(findings.isEmpty, "\(findings.map(\.message))")
    }

    @Test func everyCodeOfAssociationFilesHasACase() throws {
        // Codes of the other file format stand behind those of this one.
        let last = try #require(FindingCode.allCases.firstIndex(of: .onlyAtRoot))
        let hosting: Set<FindingCode> = [
            .badStatus, .redirect, .insecureURL, .wrongPort, .wrongPath, .contentType, .slowAnswer,
            .onlyAtRoot,
        ]
        // A signed file is no text; repeated names are the JSON reader's to find.
        let elsewhere: Set<FindingCode> = hosting.union([.signedFile, .duplicateKey])
        let missing = Set(FindingCode.allCases[...last])
            .subtracting(elsewhere).subtracting(FindingCase.all.map(\.code))
        #expect(missing.isEmpty, "\(missing.map(\.rawValue).sorted())")
    }

    @Test func codesAreWordsForPrograms() {
        for code in FindingCode.allCases {
            let isWord = code.rawValue.allSatisfy { $0.isLowercase || $0.isNumber || $0 == "_" }
            #expect(isWord, "\(code.rawValue)")
        }
    }

    @Test func findingsAreInTheOrderOfTheFile() {
        let text = FindingCase.all.map(\.bad).first { Self.findings($0).count > 4 } ?? ""
        let offsets = Self.findings(text).map(\.position.offset)
        #expect(offsets == offsets.sorted())
    }

    @Test(
        arguments: [
            (FindingCode.unencodedPattern, "/café", "percentEncoded"),
            (.unencodedPattern, "NOT /a b", "percentEncoded"),
            (.queryInPath, "/a?id=*", "under"), (.fragmentInPath, "/a#b", "under"),
        ])
    func theAdviceForAPathCanBeFollowedThere(code: FindingCode, path: String, other: String) {
        let component = FindingCase.components("{\"/\":\"\(path)\"}")
        let texts = [FindingCase.paths("\"\(path)\""), component]
        let messages = texts.flatMap(Self.findings).filter { $0.code == code }.map(\.message)
        #expect(messages.count == 2)
        #expect(messages.map { $0.contains(other) } == [false, true])
    }

    // MARK: Files in order

    private static let filesInOrder = [
        """
        {"applinks":{"details":[{"appIDs":["K7Q2M9X4ZA.org.wharf.shop"],"components":[
          {"/":"/account/*","exclude":true,"comment":"stays on the web"},
          {"/":"/berths/?*"},{"/":"/tides/*","?":{"station":"????"}},{"#":"/map/*"},
          {"/":"/ferry/*/book"},{"/":"*.pdf"}]}]},
         "webcredentials":{"apps":["K7Q2M9X4ZA.org.wharf.shop"]},
         "appclips":{"apps":["K7Q2M9X4ZA.org.wharf.shop.Clip"]},
         "activitycontinuation":{"apps":["K7Q2M9X4ZA.org.wharf.shop"]}}
        """,
        """
        {"applinks":{"apps":[],"details":[
          {"appID":"K7Q2M9X4ZA.org.wharf.shop","paths":["NOT /crew/*","/berths/*","/"]},
          {"appID":"K7Q2M9X4ZB.org.wharf-pro.shop2","paths":["*"]}]}}
        """,
        """
        {"applinks":{"defaults":{"caseSensitive":false,"percentEncoded":false},
          "substitutionVariables":{"cargo":["tea","café *"]},
          "details":[{"appIDs":["K7Q2M9X4ZA.org.wharf.shop"],"components":[
            {"/":"/$(lang)_$(region)/$(cargo)/"},{"/":"/港/*"},{"?":"a=?&b=*"}]}]}}
        """,
        """
        {"applinks":{"details":[{"appIDs":["K7Q2M9X4ZA.org.wharf.shop"],"appID":
          "K7Q2M9X4ZA.org.wharf.shop","paths":["/a/*"],"components":[{"/":"/a/*"}]}]}}
        """,
        #"{"webcredentials":{"apps":["K7Q2M9X4ZA.org.wharf.shop"]}}"#,
    ]

    @Test(arguments: filesInOrder)
    func aFileInOrderHasNothingBeyondInformation(text: String) {
        let findings = Self.findings(text).filter { $0.severity != .info }
        #expect(findings.isEmpty, "\(findings.map(\.message))")
    }

    @Test(arguments: [#"{}"#, #"{"apps":[],"details":[]}"#])
    func aFileForPasskeysNeedsNoLinks(links: String) {
        let findings = Self.findings(
            #"{"applinks":\#(links),"webcredentials":{"apps":["K7Q2M9X4ZA.org.wharf.shop"]},"#
                + #""appclips":{}}"#)
        #expect(findings.map(\.code) == [.noDetails, .missingAppID])
        #expect(findings.allSatisfy { $0.severity == .warning })
    }

    @Test(
        arguments: [
            // Different conditions, encodings, cases, and exclusions that take effect.
            #"{"/":"/a/*","?":{"q":"1"}},{"/":"/a/*","?":{"q":"2"}}"#,
            #"{"/":"/a/*","percentEncoded":false},{"/":"/a/b"}"#,
            #"{"/":"/a/b"},{"/":"/A/*","caseSensitive":false}"#,
            #"{"/":"/a/b","exclude":true},{"/":"/a/*"}"#,
            ##"{"/":"/a/*","#":"x"},{"/":"/a/b"}"##,
            #"{"/":"/a?"},{"/":"/a*"}"#, #"{"/":"/$(lang)"},{"/":"/$(region)"}"#,
            // Apple gives up on the first, so that it shadows nothing.
            #"{"/":"/a*\#(String(repeating: "b*", count: 70))"},{"/":"/a\#(String(repeating: "b*", count: 70))"}"#,
        ])
    func rulesThatAreAskedAreNotCalledDead(components: String) {
        let dead: Set<FindingCode> = [.deadRule, .shadowedRule, .deadExclude, .duplicateRule]
        let findings = Self.findings(FindingCase.components(components))
        #expect(findings.filter { dead.contains($0.code) }.isEmpty)
    }

    @Test func deadRulesAreNeverAsked() {
        // What is called dead can be left out, and no URL is decided otherwise.
        var generator = SeededGenerator(seed: 12)
        let pieces = ["/a", "/b", "*", "?", "c", "/"]
        let dead: Set<FindingCode> = [.deadRule, .shadowedRule, .deadExclude, .duplicateRule]
        var deadCount = 0
        for _ in 0..<500 {
            let components = (0..<4).map { _ in
                let path = (0..<generator.below(4) + 1).map { _ in pieces[generator.below(6)] }
                return #"{"/":"\#(path.joined())","exclude":\#(generator.below(2) == 0)}"#
            }
            let text = FindingCase.components(components.joined(separator: ","))
            let names = Self.findings(text).filter { dead.contains($0.code) }.map(\.pointer)
            let left = components.indices.filter { index in
                !names.contains("/applinks/details/0/components/\(index)")
            }
            deadCount += components.count - left.count
            let other = FindingCase.components(
                left.map { components[$0] }.joined(separator: ","))
            guard let file = try? Harbour.file(text), let rest = try? Harbour.file(other) else {
                Issue.record("\(text)")
                continue
            }
            for _ in 0..<40 {
                let path = (0..<generator.below(4)).map { _ in
                    ["/a", "/b", "c", "/"][generator.below(4)]
                }
                let url = LinkURL("https://harbour.test/" + path.joined())
                #expect(file.decide(url).decision == rest.decide(url).decision, "\(text) \(url)")
            }
        }
        #expect(deadCount > 200)
    }

    // MARK: Cost

    /// Files of the size that Apple reads, each made to be compared for long.
    private static let longFiles: [String] = [
        (0..<2_000).map { #"{"/":"/part/number\#($0)/x/*","comment":"the part \#($0)"}"# },
        (0..<2_000).map { #"{"/":"*/part/*/x\#($0)","exclude":true}"# },
        (0..<250).map { #"{"/":"/*\#(String(repeating: "a*b?", count: 15))/x\#($0)"}"# },
        (0..<500).map { #"{"/":"/\#(String(repeating: "a", count: $0))"}"# },
        (0..<2_000).map { #"{"/":"/part/*","?":{"number":"\#($0)","size":"?*"}}"# },
        ["{\"?\":{" + (0..<8_000).map { #""i\#($0)":"""# }.joined(separator: ",") + "}}"],
    ].map { FindingCase.components($0.joined(separator: ",\n")) }

    @Test(.timeLimit(.minutes(1)), arguments: longFiles.indices)
    func aLongFileTakesABoundedNumberOfSteps(index: Int) throws {
        let file = try Harbour.file(Self.longFiles[index])
        var lint = AssociationLint(file)
        lint.run()
        // One comparison of two rules may be under way when the steps are used up.
        let least = -Limits.inclusionStepsOfTwo
        #expect(least...Limits.inclusionSteps ~= lint.inclusionSteps)
        #expect(!lint.findings.all.contains { $0.severity == .error })
    }

    /// 4,200 patterns with unknown variables, each of which could be any of 100 misspelled ones.
    private static let unknownVariables: String = {
        let stem = String(repeating: "v", count: 45)
        let names = (1_000..<1_100).map { #""\#(stem)x\#($0)":[]"# }
        let rules = (1_000..<5_200).map { #"{"/":"/$(\#(stem)\#($0)y)"}"# }
        return FindingCase.components(
            rules.joined(separator: ",\n"),
            links: #""substitutionVariables":{"# + names.joined(separator: ",") + "},")
    }()

    @Test(
        .timeLimit(.minutes(1)),
        arguments: [
            unknownVariables,
            #"{"webcredentials":{"apps":["# + String(repeating: "1,", count: 20_000) + "1]}}",
            #"{"applinks":{"details":{""# + String(repeating: "k", count: 50_000) + #"":{"#
                + String(repeating: #""x":1,"#, count: 20_000) + #""y":1}}}}"#,
            #"{"applinks":{"substitutionVariables":{""# + String(repeating: "k", count: 50_000)
                + #"":["# + String(repeating: "1,", count: 20_000) + "1]}}}",
        ])
    func theFindingsOfAFileFullOfFaultsAreBounded(file: String) {
        let findings = Self.findings(file)
        #expect(!findings.isEmpty)
        for severity in Finding.Severity.allCases {
            let own = findings.filter { $0.severity == severity }
            let bytes = own.reduce(0) { $0 + $1.pointer.utf8.count + $1.message.utf8.count }
            #expect(own.count <= Limits.findings)
            #expect(bytes < Limits.findingBytes + 2 * file.utf8.count)
        }
    }

    @Test func rulesThatDifferInTheirBeginningsTakeFewSteps() throws {
        var lint = AssociationLint(try Harbour.file(Self.longFiles[0]))
        lint.run()
        #expect(Limits.inclusionSteps - lint.inclusionSteps < 5_000)
    }
}
