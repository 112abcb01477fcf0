// Requests that a server has to refuse, each with its status.
// Where two statuses are allowed, this has the one that the server sends.

@testable import HTTP1

extension HeadCorpus {
    static let refused: [HeadCase] =
        refusedLines + refusedTargets + refusedHosts + refusedFields + refusedBodies
        + refusedExpectations + overLimits

    private static let refusedLines: [HeadCase] = [
        .refused(
            400, "RFC 9112 §2.2: empty lines without end",
            "\r\n\r\n\r\n\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n"),
        .refused(
            400, "RFC 9112 §2.2: a lone LF before it", "\nGET / HTTP/1.1\r\nHost: a\r\n\r\n"),
        .refused(
            400, "RFC 9112 §2.2: a lone CR before it", "\rGET / HTTP/1.1\r\nHost: a\r\n\r\n"),
        .refused(
            400, "RFC 9112 §2.2: the request line ends with LF", "GET / HTTP/1.1\nHost: a\r\n\r\n"),
        .refused(400, "RFC 9112 §2.2: CR CR LF", "GET / HTTP/1.1\r\r\nHost: a\r\n\r\n"),
        .refused(400, "RFC 9112 §2.2: no text at all", "\u{16}\u{3}\u{1}\r\n\r\n"),
        .refused(400, "RFC 9112 §3: no version", "GET /\r\nHost: a\r\n\r\n"),
        .refused(
            400, "RFC 9112 §3: two spaces before the target", "GET  / HTTP/1.1\r\nHost: a\r\n\r\n"),
        .refused(
            400, "RFC 9112 §3: two spaces behind the target", "GET /  HTTP/1.1\r\nHost: a\r\n\r\n"),
        .refused(
            400, "RFC 9112 §3: a space behind the version", "GET / HTTP/1.1 \r\nHost: a\r\n\r\n"),
        .refused(400, "RFC 9112 §3: a leading space", " GET / HTTP/1.1\r\nHost: a\r\n\r\n"),
        .refused(400, "RFC 9112 §3: a tab for a space", "GET\t/ HTTP/1.1\r\nHost: a\r\n\r\n"),
        .refused(400, "RFC 9112 §3: a space in the target", "GET /a b HTTP/1.1\r\nHost: a\r\n\r\n"),
        .refused(400, "RFC 9110 §9.1: a method is a token", "G(T / HTTP/1.1\r\nHost: a\r\n\r\n"),
        .refused(
            501, "RFC 9110 §9.1: methods are case-sensitive", "get / HTTP/1.1\r\nHost: a\r\n\r\n"),
        .refused(501, "RFC 9110 §9.1: an unknown method", "BREW / HTTP/1.1\r\nHost: a\r\n\r\n"),
        .refused(
            501, "RFC 9112 §3: a method longer than any, whatever follows",
            "\(String(repeating: "M", count: 33)) / HTTP/9\r\n\r\n"),
        .refused(400, "RFC 9112 §2.3: small letters", "GET / http/1.1\r\nHost: a\r\n\r\n"),
        .refused(400, "RFC 9112 §2.3: two digits", "GET / HTTP/1.10\r\nHost: a\r\n\r\n"),
        .refused(400, "RFC 9112 §2.3: one digit", "GET / HTTP/1\r\nHost: a\r\n\r\n"),
        .refused(400, "RFC 9112 §2.3: full-width digits", "GET / HTTP/１.１\r\nHost: a\r\n\r\n"),
        .refused(400, "RFC 9112 §2.3: a comma", "GET / HTTP/1,1\r\nHost: a\r\n\r\n"),
        .refused(
            505, "RFC 9110 §15.6.6: another major version", "GET / HTTP/3.0\r\nHost: a\r\n\r\n"),
        .refused(505, "RFC 9113 §3.4: HTTP/2's preface", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
    ]

    private static let refusedTargets: [HeadCase] = [
        .refusedTarget("RFC 9112 §3.2: a fragment", "GET /a#b"),
        .refusedTarget("RFC 9112 §3.2: a fragment in a query", "GET /?a#b"),
        .refusedTarget("RFC 9112 §3.2: NUL", "GET /a\u{0}b"),
        .refusedTarget("RFC 9112 §3.2: NUL in a query", "GET /?a=\u{0}b"),
        .refusedTarget("RFC 9112 §3.2: DEL", "GET /a\u{7F}"),
        .refusedTarget("RFC 9112 §2.2: a bare CR", "GET /a\rb"),
        .refusedTarget("RFC 9112 §3.2: a tab", "GET /a\tb"),
        .refusedTarget("RFC 3986 §3.3: a backslash in a path", "GET /a\\b"),
        .refusedTarget("RFC 3986 §2: bytes over 0x7F", "GET /ä"),
        .refusedTarget("RFC 9112 §3.2.1: no slash", "GET a/b"),
        .refusedTarget("RFC 9112 §3.2.4: asterisk with GET", "GET *"),
        .refusedTarget("RFC 9112 §3.2.4: asterisk and more", "OPTIONS **"),
        .refusedTarget("RFC 9112 §3.2.3: authority-form with GET", "GET a.example:80"),
        .refusedTarget("RFC 9112 §3.2.3: CONNECT with a path", "CONNECT /a"),
        .refusedTarget("RFC 9112 §3.2.3: CONNECT with a URL", "CONNECT http://a/"),
        .refusedTarget("RFC 9110 §9.3.6: CONNECT without a port", "CONNECT a.example"),
        .refusedTarget("RFC 9110 §9.3.6: CONNECT with port 0", "CONNECT a.example:0"),
        .refusedTarget("RFC 9110 §9.3.6: CONNECT with an empty port", "CONNECT a.example:"),
        .refusedTarget("RFC 9110 §9.3.6: CONNECT with a port that is too large", "CONNECT a:65536"),
        .refusedTarget("RFC 9110 §9.3.6: CONNECT to a literal without a port", "CONNECT [::1]"),
        .refusedTarget("RFC 9110 §4.2.1: an empty host", "GET http:///a"),
        .refusedTarget("RFC 9110 §4.2.1: a port alone", "GET http://:80/a"),
        .refusedTarget("RFC 9110 §4.2.4: userinfo", "GET http://user:secret@a/"),
        .refusedTarget("RFC 9110 §7.4: another scheme", "GET ftp://a/"),
        .refusedTarget("RFC 9112 §3.2.2: one slash", "GET http:/a"),
        .refusedTarget("RFC 3986 §3.2.3: a port that is no number", "GET http://a:8o/"),
        .refusedTarget("RFC 3986 §3.2: a fragment behind the host", "GET http://a#b"),
    ]

    private static let refusedHosts: [HeadCase] = [
        .refused(400, "RFC 9112 §3.2: none with 1.1", "GET / HTTP/1.1\r\n\r\n"),
        .refused(400, "RFC 9112 §3.2: none, absolute-form", "GET http://a/ HTTP/1.1\r\n\r\n"),
        .refused(
            400, "RFC 9112 §3.2: two, even equal", "GET / HTTP/1.1\r\nHost: a\r\nhost: a\r\n\r\n"),
        .refused(
            400, "RFC 9112 §3.2: two with 1.0", "GET / HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n"),
        .refused(400, "RFC 9112 §3.2: invalid with 1.0", "GET / HTTP/1.0\r\nHost: a b\r\n\r\n"),
        .refused(
            400, "RFC 9112 §3.2: two beside absolute-form",
            "GET http://a/ HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n"),
        .refused(
            400, "RFC 9112 §3.2: invalid beside absolute-form",
            "GET http://a/ HTTP/1.1\r\nHost: a/\r\n\r\n"),
        .refusedHost("empty", ""),
        .refusedHost("a port alone", ":80"),
        .refusedHost("userinfo", "user@a"),
        .refusedHost("a path", "a/b"),
        .refusedHost("a URL", "http://a"),
        .refusedHost("a blank inside", "a b"),
        .refusedHost("a port that is no number", "a:http"),
        .refusedHost("a signed port", "a:+80"),
        .refusedHost("a port that is too large", "a:65536"),
        .refusedHost("a port that would overflow", "a:18446744073709551616"),
        .refusedHost("full-width digits", "a:８０"),
        .refusedHost("two ports", "a:80:80"),
        .refusedHost("an open bracket", "[::1"),
        .refusedHost("text behind the bracket", "[::1]a"),
        .refusedHost("IPv6 without brackets", "::1"),
        .refusedHost("empty brackets", "[]"),
        .refusedHost("no IPv6 in brackets", "[a.example]"),
        .refusedHost("IPv6 with a digit that is none", "[::zz]"),
        .refusedHost("IPv6 with two gaps", "[1::2::3]"),
        .refusedHost("IPv6 with nine groups", "[1:2:3:4:5:6:7:8:9]"),
        .refusedHost("IPv4 in brackets", "[127.0.0.1]"),
        .refusedHost("IPvFuture without a version", "[v.a]"),
        .refusedHost("IPvFuture without an address", "[v1.]"),
        .refusedHost("a zone", "[fe80::1%25eth0]"),
        .refusedHost("a broken escape", "a%2"),
        .refusedHost("bytes over 0x7F", "bücher.example"),
        .refusedHost("NUL", "a\u{0}"),
        .refusedHost("a quote", "\"a\""),
        .refusedHost("a backslash", "a\\b"),
        .refusedHost("a list", "a, b"),
    ]

    private static let refusedFields: [HeadCase] = [
        .refused(400, "RFC 9112 §5.1: a blank before the colon", fields: "X : b"),
        .refused(400, "RFC 9112 §5.1: a tab before the colon", fields: "Content-Length\t: 5"),
        .refused(400, "RFC 9112 §5: no colon", fields: "X"),
        .refused(400, "RFC 9112 §5: an empty name", fields: ": b"),
        .refused(400, "RFC 9110 §5.1: a name is a token", fields: "X(Y): b"),
        .refused(400, "RFC 9110 §5.1: a name is ASCII", fields: "Ä: b"),
        .refused(400, "RFC 9110 §5.1: NUL in a name", fields: "X\u{0}: b"),
        .refused(400, "RFC 9112 §5.2: folding", fields: "X: b\r\n c"),
        .refused(
            400, "RFC 9112 §5.2: folding with a tab", fields: "Transfer-Encoding:\r\n\tchunked"),
        .refused(400, "RFC 9112 §5.2: a fold of blanks only", fields: "X: b\r\n "),
        .refused(
            400, "RFC 9112 §2.2: blanks before the first field",
            "GET / HTTP/1.1\r\n Host: a\r\n\r\n"),
        .refused(400, "RFC 9112 §2.2: LF alone ends a field line", fields: "X: b\nY: c"),
        .refused(400, "RFC 9112 §2.2: LF alone ends the head", "GET / HTTP/1.1\r\nHost: a\r\n\n"),
        .refused(400, "RFC 9110 §5.5: CR in a value", fields: "X: b\rY: c"),
        .refused(400, "RFC 9110 §5.5: CR behind a value", fields: "X: b\r"),
        .refused(400, "RFC 9110 §5.5: NUL in a value", fields: "X: b\u{0}c"),
        .refused(400, "RFC 9110 §5.5: another control in a value", fields: "X: \u{1B}c"),
        .refused(400, "RFC 9110 §5.5: DEL in a value", fields: "X: b\u{7F}"),
        .refused(
            400, "RFC 9112 §2.2: CR before the last line", "GET / HTTP/1.1\r\nHost: a\r\n\r\r\n"),
    ]

    private static let refusedBodies: [HeadCase] =
        [
            "+5", "-5", "-0", "0x5", "5_0", "5 0", "5.0", "5e0", "5,", ",5", "5, 6", "five", "",
            "５", "٥",
            "5\u{A0}", "\u{B}5", "\"5\"", "9223372036854775808", "18446744073709551621",
            String(repeating: "9", count: 60),
        ].map { .refused(400, "RFC 9112 §6.3: the length \($0)", fields: "Content-Length: \($0)") }
        + [
            .refused(
                400, "RFC 9112 §6.3: two lengths",
                fields: "Content-Length: 5\r\nContent-Length: 6"),
            .refused(
                400, "RFC 9112 §6.3: a good and a bad length",
                fields: "Content-Length: 5\r\nContent-Length: +5"),
            .refused(
                400, "RFC 9112 §6.1: a length and a coding",
                fields: "Content-Length: 5\r\nTransfer-Encoding: chunked"),
            .refused(
                400, "RFC 9112 §6.1: a coding and a length of 0",
                fields: "Transfer-Encoding: chunked\r\nContent-Length: 0"),
        ]
        + [
            (501, "gzip, chunked"), (400, "gzip"), (400, "identity"), (400, "xchunked"),
            (501, "gzip\r\nTransfer-Encoding: chunked"), (400, "chunked, gzip"),
            (400, "chunked, identity"), (400, "chunked, chunked"),
            (400, "chunked\r\nTransfer-Encoding: chunked"), (400, ""), (400, ","),
            (400, "chunked;q=1"), (400, "\"chunked\""), (400, "\"a, chunked"), (400, "chun ked"),
            (400, "\u{A0}chunked"), (400, "chun\u{212A}ed"), (400, "\u{B}chunked"),
            (400, "chunked\u{0}"),
        ].map {
            .refused(
                $0.0, "RFC 9112 §6.1: the coding \($0.1.debugDescription)",
                fields: "Transfer-Encoding: \($0.1)")
        }

    private static let refusedExpectations: [HeadCase] = [
        .refused(417, "RFC 9110 §10.1.1: another expectation", fields: "Expect: 200-ok"),
        .refused(417, "RFC 9110 §10.1.1: a parameter", fields: "Expect: 100-continue;a=b"),
        .refused(
            417, "RFC 9110 §10.1.1: another in the list", fields: "Expect: 100-continue, x"),
    ]

    private static let overLimits: [HeadCase] = [
        .refused(
            414, "RFC 9112 §3: a target of one byte too many",
            "GET /\(String(repeating: "a", count: 100)) HTTP/1.1\r\nHost: a\r\n\r\n"),
        .refused(
            414, "RFC 9112 §3: a target without an end",
            "GET /\(String(repeating: "a", count: 400))"),
        .refused(
            414, "RFC 9112 §3: a target without an end, then LF",
            "GET /\(String(repeating: "a", count: 400))\n"),
        .refused(
            414, "RFC 9112 §3: a line longer than the longest target allows",
            "GET / \(String(repeating: "a", count: 400))\r\n\r\n"),
        .refused(
            431, "RFC 6585 §5: one field line too many",
            "GET / HTTP/1.1\r\nHost: a\r\n\(String(repeating: "X: b\r\n", count: 8))\r\n"),
        .refused(
            431, "RFC 6585 §5: one byte of fields too many",
            "GET / HTTP/1.1\r\nHost: a\r\nX: \(String(repeating: "b", count: 187))\r\n\r\n"),
        .refused(
            431, "RFC 6585 §5: a field without an end",
            "GET / HTTP/1.1\r\nHost: a\r\nX: \(String(repeating: "b", count: 400))"),
        .refused(
            431, "RFC 6585 §5: a field without an end, then LF",
            "GET / HTTP/1.1\r\nHost: a\r\nX: \(String(repeating: "b", count: 400))\n"),
        .refused(
            431, "RFC 6585 §5: a name without an end",
            "GET / HTTP/1.1\r\nHost: a\r\n\(String(repeating: "b", count: 400))"),
    ]
}
