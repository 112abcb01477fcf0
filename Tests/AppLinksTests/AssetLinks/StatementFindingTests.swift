// What is found in lists, statements, relations and includes: codes, places and what is kept.

import AppLinks
import JSON
import Testing

@Suite struct StatementFindingTests {
    @Test func aValidFileHasNoFindings() throws {
        let text = "[\(statement())]"
        #expect(summary(text).isEmpty)
        let links = try AssetLinks(reading: Array(text.utf8))
        #expect(
            links.statements.map(\.target) == [
                .androidApp(package: "org.sample.app", fingerprints: [SampleFingerprint.first])
            ])
        #expect(
            links.statements.map(\.relations) == [["delegate_permission/common.handle_all_urls"]])
        #expect(links.statements.map(\.pointer) == ["/0"])
    }

    @Test(arguments: [
        ("", 1, 1, "empty"), ("[{},]", 1, 4, "comma"), ("<html>", 1, 1, "web page"),
        ("[\n {“a”: 1}]", 2, 3, "straight mark"), ("\u{FEFF}[]", 1, 1, "byte order mark"),
        ("[] []", 1, 4, "nothing after"), ("[{\"a\": 1 // b\n}]", 1, 10, "\",\" or \"}\""),
        (String(repeating: "[", count: 100), 1, 65, "levels of nesting"),
    ])
    func aTextThatIsNoJSONHasOneFindingAtItsFault(
        text: String, line: Int, column: Int, message: String
    ) {
        let findings = AssetLinks.findings(in: Array(text.utf8))
        #expect(findings.map(\.code) == [.invalidJSON])
        #expect(findings.map(\.severity) == [.error])
        #expect(findings.first?.position.line == line)
        #expect(findings.first?.position.column == column)
        #expect(findings.first.map { contains($0.message, message) } == true)
        #expect(throws: JSONFault.self) { try AssetLinks(reading: Array(text.utf8)) }
    }

    @Test(arguments: [
        ("42", "error root_not_array "), (statement(), "error root_not_array "),
        ("[]", "warning no_statements "), ("[3]", "error statement_not_object /0"),
        ("[null]", "error statement_not_object /0"),
    ])
    func theRootIsAListOfStatements(text: String, expected: String) {
        #expect(summary(text) == [expected])
    }

    @Test(arguments: [
        (#""delegate_permission/common.handle_all_urls""#, "error relation_not_array /0/relation"),
        ("[]", "error relation_empty /0/relation"),
        ("[{}]", "error relation_invalid /0/relation/0"),
        (#"[""]"#, "error relation_invalid /0/relation/0"),
        (#"["delegate_permission/*"]"#, "error relation_invalid /0/relation/0"),
        (#"["DELEGATE/common.x"]"#, "error relation_invalid /0/relation/0"),
        (#"["/common.x"]"#, "error relation_invalid /0/relation/0"),
        (#"["delegate_permission/"]"#, "error relation_invalid /0/relation/0"),
        (#"["delegate_permission"]"#, "error relation_invalid /0/relation/0"),
        (#"["delegate_permission/a/b"]"#, "error relation_invalid /0/relation/0"),
        (#"["delegate_permission/a b"]"#, "error relation_invalid /0/relation/0"),
        (#"["delegate_permission/a!"]"#, "error relation_invalid /0/relation/0"),
        (#"["delegate_permission/common.Handle"]"#, "error relation_invalid /0/relation/0"),
        (#"[" delegate_permission/common.x"]"#, "error relation_invalid /0/relation/0"),
    ])
    func aRelationIsAWordASlashAndAWord(relation: String, expected: String) throws {
        let text =
            "[\(statement(relation: relation)), \(statement(target: appTarget(package: #""org.sample.two""#)))]"
        #expect(summary(text).first == expected)
        // The other statement counts all the same.
        #expect(try AssetLinks(reading: Array(text.utf8)).statements.map(\.pointer) == ["/1"])
    }

    @Test(arguments: [
        ("delegate_permission/common.handle_all_url", "warning relation_unknown"),
        ("delegate_permission/common.get_login_cred", "warning relation_unknown"),
        ("navigate/yellow_brick_road", "info relation_unknown"),
    ])
    func anUnusualRelationIsValid(relation: String, expected: String) throws {
        let text = "[\(statement(relation: "[\"\(relation)\"]"))]"
        #expect(summary(text).contains("\(expected) /0/relation/0"))
        #expect(try AssetLinks(reading: Array(text.utf8)).statements.count == 1)
    }

    @Test func anAppThatMayOpenNoLinksIsNoted() {
        let credentials = #"["delegate_permission/common.get_login_creds"]"#
        let only = "[\(statement(relation: credentials))]"
        #expect(summary(only) == ["info link_relation_missing /0/target/package_name"])
        let both = "[\(statement(relation: credentials)), \(statement())]"
        #expect(summary(both).isEmpty)
        let strange = "[\(statement(relation: #"["delegate_permission/common.open"]"#))]"
        #expect(summary(strange).contains("warning link_relation_missing /0/target/package_name"))
    }

    @Test(arguments: [
        (
            #"{"target": {"namespace": "web", "site": "https://a.org"}}"#,
            "error relation_missing /0"
        ),
        (#"{"relation": ["a/b"]}"#, "error target_missing /0"),
        (#"{"relation": ["a/b"], "target": "https://a.org"}"#, "error target_not_object /0/target"),
        (
            #"{"relation": ["a/b"], "target": {"site": "https://a.org"}}"#,
            "error namespace_missing /0/target"
        ),
        (
            #"{"relation": ["a/b"], "target": {"namespace": "internets"}}"#,
            "error namespace_unknown /0/target/namespace"
        ),
        (
            #"{"relation": ["a/b"], "target": {"namespace": 1}}"#,
            "error namespace_unknown /0/target/namespace"
        ),
        (#"{"relation": ["a/b"], "target": {"namespace": "web"}}"#, "error site_missing /0/target"),
        (
            #"{"relation": ["a/b"], "target": {"namespace": "web", "site": 1}}"#,
            "error site_invalid /0/target/site"
        ),
    ])
    func aStatementSaysWhatAndWhom(member: String, expected: String) throws {
        let found = summary("[\(member)]").filter { !$0.contains("relation_unknown") }
        #expect(found == [expected])
        #expect(try AssetLinks(reading: Array("[\(member)]".utf8)).statements.isEmpty)
    }

    @Test(
        arguments: [
            ("https://a.org", nil), ("http://a.org:8080", nil), ("HtTpS://a.org", nil),
            ("https://a.org.", nil),
            ("a.org", "site_scheme_invalid"), ("ftp://a.org", "site_scheme_invalid"),
            ("mailto://x@a.org", "site_scheme_invalid"), ("https:/a.org", "site_scheme_invalid"),
            ("", "site_scheme_invalid"), ("https://", "site_invalid"),
            ("https://x:y@a.org", "site_has_user"),
            ("https://a.org?b", "site_has_query"), ("https://a.org#b", "site_has_fragment"),
            ("https://a.org/", "site_has_path"), ("https://a.org/b?c", "site_has_path"),
            ("https://a.org:999999", "site_invalid"), ("https://a.org:", "site_invalid"),
            ("https://a.org:0", "site_invalid"), ("https://*.a.org", "site_invalid"),
            ("https://a..org", "site_invalid"), ("https://ä.org", "site_invalid"),
            ("https://a b.org", "site_invalid"),
        ] as [(String, String?)])
    func aSiteIsSchemeAndHostAndNothingElse(site: String, code: String?) throws {
        let target = #"{"namespace": "web", "site": "\#(site)"}"#
        let text = "[\(statement(target: target))]"
        #expect(summary(text) == (code.map { ["error \($0) /0/target/site"] } ?? []))
        let isKept =
            try AssetLinks(reading: Array(text.utf8)).statements.map(\.target) == [.web(site: site)]
        #expect(isKept == (code == nil))
    }

    @Test(
        arguments: [
            (#""org.sample.App_2""#, nil), (#""B A D""#, "error"), (#""""#, "error"),
            (#""org..app""#, "error"), (#""org.2app""#, "error"), (#""org.sam-ple""#, "error"),
            (#""org.sämple""#, "error"), ("7", "error"), (#""sample""#, "warning"),
        ] as [(String, String?)])
    func aPackageIsWordsWithDots(package: String, severity: String?) throws {
        let text = "[\(statement(target: appTarget(package: package)))]"
        #expect(
            summary(text)
                == (severity.map { ["\($0) package_invalid /0/target/package_name"] } ?? []))
        #expect(
            try AssetLinks(reading: Array(text.utf8)).statements.isEmpty == (severity == "error"))
    }

    @Test(
        arguments: [
            (#"{"include": "https://a.org/b.json"}"#, nil),
            (#"{"include": "https://a.org/b.json", "magic": 1}"#, nil),
            (#"{"include": "http://a.org/b.json"}"#, "error include_insecure /0/include"),
            (#"{"include": "b.json"}"#, "error include_invalid /0/include"),
            (#"{"include": ["https://a.org/b.json"]}"#, "error include_invalid /0/include"),
            (#"{"include": "https:///b.json"}"#, "error include_invalid /0/include"),
            (
                #"{"include": "https://a.org/b.json", "target": {}}"#,
                "error include_with_statement /0/target"
            ),
            (
                #"{"include": "https://a.org/b.json", "relation": []}"#,
                "error include_with_statement /0/relation"
            ),
        ] as [(String, String?)])
    func anIncludeStandsAloneAndIsSecure(member: String, expected: String?) throws {
        let text = "[\(member), \(statement())]"
        #expect(summary(text) == (expected.map { [$0] } ?? []))
        let links = try AssetLinks(reading: Array(text.utf8))
        #expect(links.includes.map(\.pointer) == (expected == nil ? ["/0"] : []))
        #expect(links.statements.count == 1)
    }

    @Test(arguments: [
        (#""x": []"#, "warning", "x"), (#""paths": ["/a"]"#, "warning", "paths"),
        (#""comment": "x""#, "info", "comment"),
    ])
    func membersThatNobodyReadsAreFound(member: String, severity: String, key: String) throws {
        let text = "[\(statement(more: member))]"
        #expect(summary(text) == ["\(severity) unknown_key /0/\(key)"])
        #expect(try AssetLinks(reading: Array(text.utf8)).statements.count == 1)
    }

    @Test func aMisspelledMemberIsNamedWithItsSpelling() {
        let text =
            #"[{"relation": ["a/b"], "target": {"namespace": "android_app", "packageName": "a.b"}}]"#
        let finding = AssetLinks.findings(in: Array(text.utf8)).first { $0.code == .misspelledKey }
        #expect(finding?.pointer == "/0/target/packageName")
        #expect(finding?.message == #""packageName" is unknown; write "package_name"."#)
        #expect(finding?.position.column == 63)
    }

    @Test func namesThatRepeatAreFoundAtAnyDepth() {
        let text = #"[\#(statement(more: #""target": {}, "x/y": [{"a": 1, "a": 2}]"#))]"#
        let found = summary(text)
        #expect(found.contains("warning duplicate_key /0/target"))
        #expect(found.contains("warning duplicate_key /0/x~1y/0/a"))
    }

    @Test func statementsThatRepeatAreFound() {
        let text =
            "[\(statement()), \(statement(target: #"{"namespace": "web", "site": "https://a.org"}"#)), \(statement())]"
        #expect(summary(text) == ["info duplicate_statement /2"])
    }

    @Test func aFileLargerThanAndroidReadsIsFound() {
        let text =
            "[" + String(repeating: " ", count: 1_048_576 - statement().utf8.count - 2)
            + statement() + "]"
        #expect(summary(text).isEmpty)
        #expect(summary(text + "\n") == ["error too_large "])
    }

    @Test func findingsComeInTheOrderOfTheFileWithTheirPlaces() {
        let text = """
            [
              7,
              {"relation": ["a/b"], "target": {"namespace": "web",
                "site": "https://a.org/"}, "x": 0}
            ]
            """
        let places = AssetLinks.findings(in: Array(text.utf8)).map {
            "\($0.code.rawValue) \($0.position.line):\($0.position.column)"
        }
        #expect(
            places == [
                "statement_not_object 2:3", "relation_unknown 3:17", "site_has_path 4:13",
                "unknown_key 4:32",
            ])
    }
}

/// Whether `text` has `part` in it.
func contains(_ text: String, _ part: String) -> Bool {
    let (text, part) = (Array(text.utf8), Array(part.utf8))
    return text.indices.contains { text[$0...].starts(with: part) }
}
