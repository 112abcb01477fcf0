// The query half of the pattern language: by name, in any order, each item once.

import Testing

@Suite struct QueryMatchingTests {
    @Test(arguments: [
        ("dds?:stress", "/dds?stress=0.32", "stress=0.32"),
        ("dds?:a&:b", "/dds?b=2&a=1", "a=1 b=2"), ("dds?:a", "/dds?x=9&a=1&y", "a=1"),
        ("?:a", "/?a=1", "a=1"), ("?:a", "?a=1", "a=1"), ("dds?(:a)", "/dds", ""),
        ("dds?(:a)", "/dds?a=1", "a=1"), ("dds?:a", "/dds?a=", "a="),
        ("dds?:a&:a", "/dds?a=1&a=2", "a=2"), (":a?:a", "/1?a=2", "a=2"),
        (":b?:a", "/1?a=2", "b=1 a=2"),
        ("dds?:redirect/uri", "/dds?redirect/uri=1", "redirect/uri=1"),
        ("dds?:num(a)", "/dds?a=x&a=7", "a=7"), ("dds?:str(a)", "/dds?a=", "a="),
    ])
    func requiredItemsAreFoundByName(pattern: String, target: String, expected: String) throws {
        #expect(try captures(pattern, target) == expected)
    }

    @Test(arguments: [
        ("dds?:a", "/dds"), ("dds?:a", "/dds?a"), ("dds?:a", "/dds?A=1"), ("dds?:a", "/dds?b=1"),
        ("dds?:a&:a", "/dds?a=1"), ("dds?:num(a)", "/dds?a=x"), ("dds?:num(a)", "/dds?a="),
        ("dds?:a", "/other?a=1"), ("dds?(:a|:b)", "/dds?c=1"), ("dds?:a", "/dds?a=%zz"),
    ])
    func aMissingOrInvalidRequiredItemRefuses(pattern: String, target: String) throws {
        #expect(try captures(pattern, target) == nil)
    }

    @Test(arguments: [
        ("dds?(:num(a))", "/dds?a=x", ""), ("dds?(:a)&:b", "/dds?b=1", "b=1"),
        ("dds?(:a)", "/dds?a", ""), ("dds?(:num(a))&:a", "/dds?a=x", "a=x"),
    ])
    func anInvalidOptionalItemIsSkipped(pattern: String, target: String, expected: String) throws {
        #expect(try captures(pattern, target) == expected)
    }

    @Test(arguments: [
        ("dds?(:a|:b)", "/dds?b=1", "b=1"), ("dds?:a|:b", "/dds?b=1", "b=1"),
        ("dds?(:a|:b)", "/dds?b=1&a=2", "a=2"), ("dds?:a|:b&:c", "/dds?c=3&a=1", "a=1 c=3"),
        ("dds?(:num(a)|:b)", "/dds?a=x&b=1", "b=1"), ("dds?(:a|:b|:c)", "/dds?c=3", "c=3"),
        ("dds?(:num(a)|:str(a))", "/dds?a=x", "a=x"),
    ])
    func ofAnEitherTheFirstParameterWithAnItemIsTaken(
        pattern: String, target: String, expected: String
    ) throws {
        #expect(try captures(pattern, target) == expected)
    }

    @Test(arguments: [
        ("/dds?a=1+1", "a=1+1"), ("/dds?a=%26%3D", "a=&="), ("/dds?a=b=c", "a=b=c"),
        ("/dds?&&a=1&", "a=1"), ("/dds?%61=1", "a=1"), ("/dds?b=%zz&a=1", "a=1"),
        ("/dds?a=%FF&a=2", "a=2"), ("/dds?a=x?y", "a=x?y"),
    ])
    func itemsAreSplitThenDecodedOnce(target: String, expected: String) throws {
        #expect(try captures("dds?:a", target) == expected)
    }
}
