// Substitution variables: the file's own, Apple's, and what can be wrong with them.

import Testing

@testable import AppLinks

@Suite struct SubstitutionVariableTests {
    private static let own = Harbour.variables(
        #""cargo":["tea","coffee"],"dry cargo":["grain"],"any":["*"],"two":["??"],"digit":["five"],"#
            + #""none":[],"mixed":["a",5,null,"b"],"word":"tea","nested":["$(cargo)"],"Cargo":["coal"],"#
            + #""é":["x"],"path":["a/b","c"],"empty":[""],"half":["a*","*z"]"#)

    @Test(
        arguments: [
            ("/$(cargo)", "/tea", true), ("/$(cargo)", "/coffee", true),
            ("/$(cargo)", "/te", false),
            ("/$(cargo)s", "/teas", true), ("/$(Cargo)", "/coal", true),
            ("/$(Cargo)", "/tea", false),
            ("/$(dry cargo)/x", "/grain/x", true), ("/$(é)", "/x", true),
            ("/$(any)", "/a/b", true), ("/x$(any)y", "/xy", true), ("/$(two)", "/ab", true),
            ("/$(two)", "/abc", false), ("/$(half)", "/abc", true), ("/$(half)", "/xyz", true),
            ("/$(half)", "/xbc", false), ("/$(path)/d", "/a/b/d", true),
            ("/a$(empty)b", "/ab", true), ("/a$(empty)", "/a", true), ("/a$(cargo)", "/a", false),
            ("/a*$(any)", "/a", true), ("/a*$(half)", "/a", false), ("/a*$(half)", "/az", true),
            ("/$(cargo)$(cargo)", "/teacoffee", true), ("/$(mixed)", "/a", true),
            ("/$(mixed)", "/b", true), ("/$(mixed)", "/5", false), ("/$(none)", "/", false),
            // The file's own variable hides Apple's.
            ("/$(digit)", "/five", true), ("/$(digit)", "/5", false),
            // Values hold no variables, and what is no array is no variable.
            ("/$(nested)", "/tea", false), ("/$(nested)", "/$(cargo)", true),
            ("/$(word)", "/tea", false),
            // Unknown and unterminated ones match nothing, not even behind a star.
            ("/$(unknown)", "/$(unknown)", false), ("/*$(unknown)*", "/a", false),
            ("/$(cargo", "/$(cargo", false), ("*$(", "/a$(", false),
            ("/$(a$(cargo)", "/tea", false),
            ("/$(a(b)", "/$(a(b)", false), ("/$()", "/$()", false), ("/$( cargo)", "/tea", false),
            ("/$cargo", "/$cargo", true), ("/$", "/$", true), ("/a$b)", "/a$b)", true),
            ("/$$(cargo)", "/$tea", true),
        ])
    func variablesStandForTheirValues(pattern: String, path: String, fits: Bool) throws {
        #expect(try Harbour.fits(path: "\"\(pattern)\"", path, links: Self.own) == fits)
    }

    @Test(
        arguments: [
            ("alpha", "aZ", "0_é"), ("upper", "AZ", "az5"), ("lower", "az", "AZ5"),
            ("alnum", "aZ09", "-_"), ("digit", "09", "aF"), ("xdigit", "09afAF", "gG"),
        ])
    func classesTakeOneASCIICharacter(name: String, members: String, others: String) throws {
        for (characters, fits) in [(members, true), (others, false)] {
            for character in characters {
                #expect(
                    try Harbour.fits(
                        #""/":"/$(\#(name))","percentEncoded":false"#, "/\(character)") == fits,
                    "\(character)")
            }
        }
        #expect(try !Harbour.fits(path: "\"/x$(\(name))\"", "/x"))
        let first = try #require(members.first)
        #expect(try !Harbour.fits(path: "\"/$(\(name))\"", "/\(first)\(first)"))
    }

    @Test(
        arguments: [
            ("upper", "/a", true), ("lower", "/A", true), ("alpha", "/5", false),
            ("region", "/gb", true), ("region", "/uk", false), ("lang", "/DE", true),
            ("cargo", "/TEA", true), ("Cargo", "/COAL", true),
        ])
    func variablesAreFoldedWithTheRest(name: String, path: String, fits: Bool) throws {
        #expect(
            try Harbour.fits(#""/":"/$(\#(name))","caseSensitive":false"#, path, links: Self.own)
                == fits)
    }

    @Test(
        arguments: [
            ("region", "GB", true), ("region", "UK", false), ("region", "gb", false),
            ("region", "XK", true), ("region", "AC", true), ("region", "EU", false),
            ("region", "GBR", false), ("region", "ZZ", false), ("lang", "en", true),
            ("lang", "gsw", true), ("lang", "EN", false), ("lang", "qq", false),
            ("lang", "eng", false), ("lang", "e", false),
        ])
    func codesAreThoseOfTheTables(name: String, code: String, fits: Bool) throws {
        #expect(try Harbour.fits(path: "\"/$(\(name))/x\"", "/\(code)/x") == fits)
        #expect(try Harbour.fits(path: "\"/$(\(name))_*\"", "/\(code)_x") == fits)
    }

    @Test func theTablesHaveAsManyCodesAsTheSystemsThatTheyAreOf() {
        #expect(CodeTable.regions.count == 257)
        #expect(CodeTable.foldedRegions.count == 257)
        #expect(CodeTable.languages.count == 615)
        #expect(CodeTable.foldedLanguages.count == 615)
    }

    @Test func twoAndThreeLettersAreBothTried() throws {
        // "de" and "del" are languages both; so are "en" and "enm".
        #expect(try Harbour.fits(path: "\"/$(lang)l\"", "/del"))
        #expect(try Harbour.fits(path: "\"/$(lang)\"", "/del"))
        #expect(try Harbour.fits(path: "\"/$(lang)$(lang)\"", "/enmde"))
        #expect(try Harbour.fits(path: "\"/$(lang)$(lang)\"", "/endel"))
    }

    @Test func variablesWorkInQueriesAndFragments() throws {
        #expect(try Harbour.fits(#""?":{"l":"$(lang)"}"#, "/?l=fi"))
        #expect(try !Harbour.fits(#""?":{"l":"$(lang)"}"#, "/?l=qq"))
        #expect(try Harbour.fits(#""?":"l=$(lang)""#, "/?l=fi"))
        #expect(try Harbour.fits(##""#":"$(cargo)""##, "/#tea", links: Self.own))
    }
}
