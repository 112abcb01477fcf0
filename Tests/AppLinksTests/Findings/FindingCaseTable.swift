// One case for each code that can be found in an association file, most with a second one for
// another place or severity.

import AppLinks

extension FindingCase {
    private static let app = #""appIDs":["K7Q2M9X4ZA.org.wharf.shop"]"#
    private static let entryPointer = "/applinks/details/0"
    private static let order = #"{"/":"/a/*","exclude":true},{"/":"/b/*"}"#

    static let all: [FindingCase] = file + apps + entries + rulesInOrder + patterns + variables

    private static let file: [FindingCase] = [
        FindingCase(.invalidJSON, .error, "", 1, "{\"applinks\":{},}", good: "{\"applinks\":{}}"),
        FindingCase(
            .tooLarge, .error, "", 1, components(order) + String(repeating: " ", count: 131_072),
            good: components(order)),
        FindingCase(
            .nearSizeLimit, .warning, "", 1,
            components(order) + String(repeating: " ", count: 110_000),
            good: components(order) + String(repeating: " ", count: 100_000)),
        FindingCase(.rootNotObject, .error, "", 1, "[]", good: "{}"),
        FindingCase(
            .noServices, .warning, "", 1, "{\"x\":1}",
            good: #"{"webcredentials":{"apps":["K7Q2M9X4ZA.org.wharf.shop"]}}"#),
        FindingCase(
            .unknownKey, .info, "/site~1map", 2, "{\n\"site/map\":1}", good: components(order)),
        FindingCase(
            .unknownKey, .warning, entryPointer + "/owner", 2, entry(#""owner":1,"# + app),
            good: entry(app)),
        rule(.unknownKey, .error, "/zone", #"{"zone":"/a/*"}"#, good: #"{"/":"/a/*"}"#),
        rule(.unknownKey, .warning, "/zone", #"{"/":"/a/*","zone":1}"#, good: #"{"/":"/a/*"}"#),
        FindingCase(
            .misspelledKey, .error, "/appLinks", 1, "{\"appLinks\":{}}", good: "{\"applinks\":{}}"),
        FindingCase(
            .misspelledKey, .error, entryPointer + "/component", 2,
            entry(#""component":[],"# + app), good: entry(#""components":[],"# + app)),
        rule(.misspelledKey, .error, "/path", #"{"path":"/a/*"}"#, good: #"{"/":"/a/*"}"#),
        rule(
            .misspelledKey, .error, "/excludes", #"{"/":"/a/*","excludes":true}"#,
            good: #"{"/":"/a/*","exclude":true}"#),
        rule(
            .misspelledKey, .info, "/_comment", #"{"/":"/a/*","_comment":"x"}"#,
            good: #"{"/":"/a/*","comment":"x"}"#),
        FindingCase(
            .wrongType, .error, "/applinks", 1, "{\"applinks\":[]}", good: "{\"applinks\":{}}"),
        FindingCase(
            .wrongType, .error, "/applinks/details/1", 1,
            "{\"applinks\":{\"details\":[{\(app)},5]}}",
            good: "{\"applinks\":{\"details\":[{\(app)}]}}"),
        FindingCase(
            .wrongType, .error, entryPointer + "/components", 2, entry(#""components":{},"# + app),
            good: entry(#""components":[],"# + app)),
        rule(.wrongType, .error, "", "5", good: "{}").at("/applinks/details/0/components/0"),
        rule(.wrongType, .error, "/~1", #"{"/":5}"#, good: #"{"/":"5"}"#),
        rule(.wrongType, .error, "/?", #"{"?":5}"#, good: #"{"?":"5"}"#),
        rule(.wrongType, .error, "/?/a", #"{"?":{"a":5}}"#, good: #"{"?":{"a":"5"}}"#),
        FindingCase(
            .wrongType, .error, "/applinks/details/0/paths/0", 3, paths("5"), good: paths("\"/5\"")),
    ]

    private static let apps: [FindingCase] = [
        FindingCase(
            .missingAppID, .error, entryPointer, 2, entry(#""components":[]"#),
            good: entry(#""components":[],"# + app)),
        FindingCase(
            .missingAppID, .error, "/webcredentials", 1, "{\"webcredentials\":{\"app\":[]}}",
            good: "{\"webcredentials\":{\"apps\":[]}}"),
        FindingCase(
            .missingAppID, .warning, "/appclips", 1, "{\"appclips\":{}}",
            good: "{\"appclips\":{\"apps\":[]}}"),
        FindingCase(
            .malformedAppID, .error, entryPointer + "/appIDs/1", 2,
            entry(#""appIDs":["K7Q2M9X4ZA.org.wharf.shop","K7Q2M9.org.wharf.shop"]"#),
            good: entry(#""appIDs":["K7Q2M9X4ZA.org.wharf.shop","K7Q2M9X4ZB.org.wharf.shop"]"#)),
        FindingCase(
            .malformedAppID, .error, entryPointer + "/appID", 2,
            entry(#""appID":"K7Q2M9X4ZA.org.wharf.*""#),
            good: entry(#""appID":"K7Q2M9X4ZA.org.wharf.s""#)),
        FindingCase(
            .placeholderAppID, .warning, "/applinks/details/ABCDE12345.org.wharf.shop", 1,
            #"{"applinks":{"details":{"ABCDE12345.org.wharf.shop":{}}}}"#,
            good: #"{"applinks":{"details":{"K7Q2M9X4ZA.org.wharf.shop":{}}}}"#),
        FindingCase(
            .placeholderAppID, .warning, "/webcredentials/apps/0", 1,
            #"{"webcredentials":{"apps":["K7Q2M9X4ZA.com.example.shop"]}}"#,
            good: #"{"webcredentials":{"apps":["K7Q2M9X4ZA.com.examples.shop"]}}"#),
        FindingCase(
            .duplicateApp, .warning, "/applinks/details/1/appIDs/0", 2,
            "{\"applinks\":{\"details\":[{\(app)},\n{\(app)}]}}",
            good:
                "{\"applinks\":{\"details\":[{\(app)},\n{\"appID\":\"K7Q2M9X4ZB.org.wharf.shop\"}]}}"
        ),
        FindingCase(
            .ignoredAppID, .info, entryPointer + "/appID", 2,
            entry(#""appID":"K7Q2M9X4ZA.org.wharf.old","# + app), good: entry(app)),
        FindingCase(
            .appClipID, .info, "/appclips/apps/0", 1,
            #"{"appclips":{"apps":["K7Q2M9X4ZA.org.wharf.shop"]}}"#,
            good: #"{"appclips":{"apps":["K7Q2M9X4ZA.org.wharf.shop.Clip"]}}"#),
        FindingCase(
            .appsNotEmpty, .warning, "/applinks/apps", 1, entry(app, links: #""apps":["A"],"#),
            good: entry(app, links: #""apps":[],"#)),
    ]

    private static let entries: [FindingCase] = [
        FindingCase(
            .noDetails, .error, "/applinks/details", 1, #"{"applinks":{"details":[]}}"#,
            good: entry(app)),
        FindingCase(
            .noDetails, .error, "/applinks", 1, #"{"applinks":{"apps":[]}}"#, good: entry(app)),
        FindingCase(
            .noDetails, .error, "/applinks", 1,
            #"{"applinks":{},"webcredentials":{"apps":[]},"appclips":{}}"#, good: entry(app)),
        FindingCase(
            .dictionaryDetails, .warning, "/applinks/details", 1,
            #"{"applinks":{"details":{"K7Q2M9X4ZA.org.wharf.shop":{}}}}"#, good: entry(app)),
        FindingCase(
            .noPatterns, .warning, entryPointer, 2, entry(app), good: components(order)),
        FindingCase(
            .emptyRules, .warning, entryPointer + "/components", 2,
            entry(#""components":[],"# + app), good: components(order)),
        FindingCase(
            .mixedFormats, .info, entryPointer, 2, entry(#""components":[],"paths":[],"# + app),
            good: components(order)),
        FindingCase(
            .legacyPaths, .info, entryPointer, 2, paths("\"/a/*\""), good: components(order)),
        rule(.onlyCatchAll, .info, "", "{\"/\":\"*\"}", good: order)
            .at("/applinks/details/0/components/0"),
        FindingCase(
            .onlyExcludes, .warning, entryPointer + "/components", 2,
            components(#"{"/":"/a/*","exclude":true}"#), good: components(order)),
    ]

    private static func second(
        _ code: FindingCode, _ severity: Finding.Severity, _ bad: String, good: String
    ) -> FindingCase {
        rule(code, severity, "", bad, good: good).at("/applinks/details/0/components/1")
    }

    private static let rulesInOrder: [FindingCase] = [
        second(.deadRule, .warning, #"{"/":"/*"},{"/":"/a"}"#, good: #"{"/":"/a"},{"/":"/*"}"#),
        second(
            .shadowedRule, .warning, #"{"/":"/a/*"},{"/":"/a/b/*"}"#,
            good: #"{"/":"/a/b/*"},{"/":"/a/*"}"#),
        second(
            .shadowedRule, .warning, #"{"/":"/a/*","exclude":true},{"/":"/a/b","?":{"q":"1"}}"#,
            good: #"{"/":"/a/*","?":{"q":"2"},"exclude":true},{"/":"/a/b","?":{"q":"1"}}"#),
        second(
            .deadExclude, .error, #"{"/":"/a/*"},{"/":"/a/b","exclude":true}"#, good: order),
        second(
            .duplicateRule, .warning, #"{"/":"/a"},{"/":"a/"}"#,
            good: #"{"/":"/a"},{"/":"a/","exclude":true}"#),
        rule(
            .redundantRule, .info, "", #"{"/":"/a"},{"/":"/a/*"}"#,
            good: #"{"/":"/a","exclude":true},{"/":"/a/*"}"#
        ).at("/applinks/details/0/components/0"),
        second(
            .lastExclude, .info, #"{"/":"/a"},{"/":"/b","exclude":true}"#,
            good: #"{"/":"/b","exclude":true},{"/":"/a"}"#),
    ]

    private static let patterns: [FindingCase] = [
        rule(
            .queryWildcard, .warning, "/?/a~1b", #"{"?":{"a/b":"*"}}"#, good: #"{"?":{"a/b":"?*"}}"#
        ),
        rule(
            .queryName, .warning, "/?/utm_*", #"{"?":{"utm_*":"?*"}}"#,
            good: #"{"?":{"utm_source":"?*"}}"#),
        rule(.queryName, .warning, "/?/?a", #"{"?":{"?a":"1"}}"#, good: #"{"?":{"a":"1"}}"#),
        rule(
            .queryName, .warning, "/?/a$(digit)", #"{"?":{"a$(digit)":"1"}}"#,
            good: #"{"?":{"a$":"$(digit)"}}"#),
        rule(
            .queryName, .error, "/?/a=1", #"{"?":{"a=1":"?*"}}"#,
            good: #"{"?":{"a=1":"?*"},"percentEncoded":false}"#),
        rule(
            .unencodedPattern, .error, "/?/é", #"{"?":{"é":"1"}}"#,
            good: #"{"?":{"é":"1"},"percentEncoded":false}"#),
        rule(
            .encodedPattern, .warning, "/?/a%20b", #"{"?":{"a%20b":"1"},"percentEncoded":false}"#,
            good: #"{"?":{"a%20b":"1"}}"#),
        rule(
            .lowercaseEncoding, .warning, "/?/%c3", #"{"?":{"%c3":"1"},"caseSensitive":false}"#,
            good: #"{"?":{"%C3":"1"},"caseSensitive":false}"#),
        rule(.orderedQuery, .info, "/?", #"{"?":"a=1&b=2"}"#, good: #"{"?":{"a":"1","b":"2"}}"#),
        rule(.repeatedDelimiter, .warning, "/#", ##"{"#":"#top"}"##, good: ##"{"#":"top#*"}"##),
        rule(.repeatedDelimiter, .warning, "/?", #"{"?":"?a=1"}"#, good: #"{"?":"?*&a=1"}"#),
        rule(
            .fragmentInPath, .error, "/~1", ##"{"/":"/#/a"}"##, good: ##"{"/":"/","#":"/a"}"##),
        rule(
            .fragmentInPath, .error, "/~1", ##"{"/":"/tag/#*"}"##,
            good: ##"{"/":"/tag/#*","percentEncoded":false}"##),
        rule(
            .fragmentInPath, .warning, "/~1", ##"{"/":"/tag/#*","percentEncoded":false}"##,
            good: ##"{"/":"/tag/*","percentEncoded":false}"##),
        rule(.queryInPath, .error, "/~1", #"{"/":"/a?b=1"}"#, good: #"{"/":"/a?b"}"#),
        rule(
            .queryInPath, .warning, "/~1", #"{"/":"/a?x=1","percentEncoded":false}"#,
            good: #"{"/":"/a","?":{"x":"1"},"percentEncoded":false}"#),
        rule(
            .hostInPath, .error, "/~1", #"{"/":"https://harbour.test/a"}"#,
            good: #"{"/":"/to/https://harbour.test/a"}"#),
        rule(.hostInPath, .error, "/~1", #"{"/":"www.harbour.test/a"}"#, good: #"{"/":"/www/a"}"#),
        rule(.hostInPath, .error, "/~1", #"{"/":"harbour.com/a"}"#, good: #"{"/":"*.com/a"}"#),
        rule(
            .regularExpression, .warning, "/~1", #"{"/":"/a/[0-9]+"}"#,
            good: #"{"/":"/.well-known/file.*"}"#),
        rule(.routeParameter, .warning, "/~1", #"{"/":"/a/:id"}"#, good: #"{"/":"/a/b:id"}"#),
        rule(.routeParameter, .warning, "/#", ##"{"#":"/a/{id}"}"##, good: ##"{"#":"/a/id"}"##),
        rule(
            .notInComponents, .error, "/~1", #"{"/":"NOT /a"}"#, good: #"{"/":"/a","exclude":true}"#
        ),
        FindingCase(
            .notWithoutSpace, .error, "/applinks/details/0/paths/0", 3, paths("\"NOT/a\",\"*\""),
            good: paths("\"NOT /a\",\"NOTES/*\",\"nothing\",\"not/found\",\"not*\",\"*\"")),
        FindingCase(
            .notWithoutSpace, .error, "/applinks/details/0/paths/0", 3, paths(#""not\t/a","*""#),
            good: paths("\"not /a\",\"*\"")),
        FindingCase(
            .notWithoutSpace, .error, "/applinks/details/0/paths/0", 3, paths("\"NOT  /a\",\"*\""),
            good: paths("\"not /a\",\"*\"")),
        rule(
            .nonBooleanFlag, .error, "/exclude", #"{"/":"/a","exclude":"true"}"#,
            good: #"{"/":"/a","exclude":true}"#),
        rule(
            .unencodedPattern, .error, "/~1", #"{"/":"/café"}"#,
            good: #"{"/":"/café","percentEncoded":false}"#),
        rule(
            .unencodedPattern, .error, "/?/a", #"{"?":{"a":"b c"}}"#, good: #"{"?":{"a":"b%20c"}}"#),
        rule(
            .unencodedPattern, .error, "/?/a", #"{"?":{"a":"\"1\""}}"#,
            good: #"{"?":{"a":"%221%22"}}"#),
        rule(
            .unencodedPattern, .warning, "/?/a", #"{"?":{"a":"it's"}}"#,
            good: #"{"?":{"a":"it's"},"percentEncoded":false}"#),
        rule(
            .unencodedPattern, .warning, "/?/it's", #"{"?":{"it's":"a"}}"#,
            good: #"{"/":"/it's"}"#),
        rule(.unencodedPattern, .warning, "/?", #"{"?":"it's"}"#, good: ##"{"#":"it's"}"##),
        rule(
            .unencodedPattern, .error, "/~1", #"{"/":"/a<b>"}"#, good: #"{"?":{"a":"{a}|b`"}}"#),
        rule(.unencodedPattern, .error, "/~1", #"{"/":"/a{b"}"#, good: #"{"/":"/a|b"}"#),
        rule(.unencodedPattern, .error, "/~1", #"{"/":"/a}b"}"#, good: #"{"/":"/a%7Db"}"#),
        rule(.unencodedPattern, .error, "/~1", #"{"/":"/a`b"}"#, good: #"{"/":"/a%60b"}"#),
        rule(.unencodedPattern, .error, "/#", ##"{"#":"a`b"}"##, good: ##"{"#":"{a}|b"}"##),
        FindingCase(
            .unencodedPattern, .error, "/applinks/details/0/paths/0", 3, paths(#""/a{b""#),
            good: paths(#""/a%7Bb""#)),
        rule(
            .encodedPattern, .warning, "/~1", #"{"/":"/a%20b","percentEncoded":false}"#,
            good: #"{"/":"/100%","percentEncoded":false}"#),
        rule(.lowercaseEncoding, .warning, "/~1", #"{"/":"/%c3"}"#, good: #"{"/":"/%C3"}"#),
        rule(.oneCharacterPath, .error, "/~1", #"{"/":"a"}"#, good: #"{"/":"/a"}"#),
        rule(.noLeadingSlash, .info, "/~1", #"{"/":"ab"}"#, good: #"{"/":"*.html"}"#),
        rule(.rootOnly, .info, "/~1", #"{"/":"/"}"#, good: #"{"/":"/*"}"#),
        rule(.backslash, .warning, "/~1", #"{"/":"/a\\*"}"#, good: #"{"/":"/a*"}"#),
        rule(
            .manyWildcards, .warning, "/~1", #"{"/":"\#(wildcards(11))"}"#,
            good: #"{"/":"\#(wildcards(10))"}"#),
        rule(
            .manyWildcards, .error, "/~1", #"{"/":"\#(wildcards(65))"}"#,
            good: #"{"/":"\#(wildcards(10))"}"#),
        rule(
            .newerSystem, .info, "/caseSensitive", #"{"/":"/a","caseSensitive":false}"#,
            good: #"{"/":"/a"}"#),
    ]

    private static func wildcards(_ count: Int) -> String { String(repeating: "/a*", count: count) }

    /// A file whose only rule has one path, and which has one variable.
    private static func variable(_ member: String, path: String) -> String {
        components(
            #"{"/":"\#(path)"}"#, links: "\"substitutionVariables\":{\n\(member)},")
    }

    private static let variables: [FindingCase] = [
        rule(.unknownVariable, .error, "/~1", #"{"/":"/$(digits)"}"#, good: #"{"/":"/$(digit)"}"#),
        rule(.unterminatedVariable, .error, "/~1", #"{"/":"/$(digit"}"#, good: #"{"/":"/$digit"}"#),
        rule(.regionWithoutUK, .info, "/~1", #"{"/":"/$(region)"}"#, good: #"{"/":"/$(lang)"}"#),
        FindingCase(
            .nestedVariable, .error, "/applinks/substitutionVariables/a/1", 2,
            variable(#""a":["x","$(lang)"]"#, path: "/$(a)"),
            good: variable(#""a":["x","$lang"]"#, path: "/$(a)")),
        FindingCase(
            .hiddenVariable, .warning, "/applinks/substitutionVariables/lang", 2,
            variable(#""lang":["x"]"#, path: "/$(lang)"),
            good: variable(#""langs":["x"]"#, path: "/$(langs)")),
        FindingCase(
            .emptyVariable, .error, "/applinks/substitutionVariables/a", 2,
            variable(#""a":[]"#, path: "/$(a)"), good: variable(#""a":[]"#, path: "/b")),
        FindingCase(
            .unusedVariable, .info, "/applinks/substitutionVariables/a", 2,
            variable(#""a":["x"]"#, path: "/b"), good: variable(#""a":["x"]"#, path: "/$(a)")),
        FindingCase(
            .unterminatedVariable, .error, "/applinks/substitutionVariables/a(b", 2,
            variable(#""a(b":["x"]"#, path: "/b"), good: variable(#""a b":["x"]"#, path: "/b")),
    ]

    /// The case with another pointer.
    private func at(_ pointer: String) -> FindingCase {
        FindingCase(code, severity, pointer, line, bad, good: good)
    }
}
