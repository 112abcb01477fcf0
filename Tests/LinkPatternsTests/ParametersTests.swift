// What was captured, looked up by name and read as the types of the language.

import LinkPatterns
import Testing

@Suite struct ParametersTests {
    private func parameters(_ text: String) throws -> Parameters {
        try #require(try LinkPattern(":value/(:str(other))").match(Link(components: [text])))
    }

    @Test(
        arguments: [
            ("5", 5, 5), ("-7", -7, -7), ("+7", 7, 7), ("1.5", nil, 1.5), ("1e3", nil, 1_000),
            ("9223372036854775808", nil, 9_223_372_036_854_775_808), ("0x1p3", nil, 8),
            ("inf", nil, .infinity), ("x", nil, nil), ("", nil, nil), (" 1", nil, nil),
        ] as [(String, Int?, Double?)])
    func numbersAreReadAsSwiftReadsThem(text: String, int: Int?, double: Double?) throws {
        let parameters = try parameters(text)
        #expect(parameters.int("value") == int)
        #expect(parameters.double("value") == double)
        #expect(parameters["value"] == text)
    }

    @Test(
        arguments: [
            ("true", true), ("TRUE", true), ("1", true), ("false", false), ("False", false),
            ("0", false), ("yes", nil), ("", nil), ("2", nil),
        ] as [(String, Bool?)])
    func truthValuesAreThoseOfTheirType(text: String, expected: Bool?) throws {
        #expect(try parameters(text).bool("value") == expected)
    }

    @Test func whatWasNotCapturedHasNoValueOfAnyType() throws {
        let parameters = try parameters("1")
        #expect(parameters.int("other") == nil)
        #expect(parameters.double("none") == nil)
        #expect(parameters.bool("other") == nil)
    }

    @Test func parametersAreFoundWhateverTheirType() throws {
        let parameters = try parameters("1")
        #expect(parameters[PatternParameter("value")] == "1")
        #expect(parameters[.num("value")] == "1")
        #expect(parameters[.num()] == nil)
    }
}
