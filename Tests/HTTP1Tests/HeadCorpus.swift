// Requests that a server has to accept, and heads that are not whole yet. Refused ones are in
// `HeadCorpus+Refused.swift`.

@testable import HTTP1

/// The heads that parsing is tested with, each under its rule.
enum HeadCorpus {
    static let all = accepted + incomplete + refused

    static let accepted: [HeadCase] = requestLines + targets + hosts + fields + bodies + connections

    private static let requestLines: [HeadCase] = [
        .accepted("RFC 9112 §3: the shortest request", "GET / HTTP/1.1\r\nHost: a\r\n\r\n"),
        .accepted(
            "RFC 9112 §2.2: one empty line before a request is ignored",
            "\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n"),
        .accepted(
            "RFC 9112 §2.2: several empty lines before a request are ignored",
            "\r\n\r\n\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n"),
        .accepted(
            "RFC 9110 §2.5: a higher minor version is served as 1.1",
            "GET / HTTP/1.9\r\nHost: a\r\n\r\n"),
        .accepted("RFC 9112 §2.3: 1.0 needs no Host", "GET / HTTP/1.0\r\n\r\n", keepsAlive: false),
        .accepted("RFC 9110 §9.3.2: HEAD", "HEAD / HTTP/1.1\r\nHost: a\r\n\r\n"),
        .accepted("RFC 9110 §9.3.4: PUT", "PUT / HTTP/1.1\r\nHost: a\r\n\r\n"),
        .accepted("RFC 9110 §9.3.5: DELETE", "DELETE / HTTP/1.1\r\nHost: a\r\n\r\n"),
        .accepted("RFC 9110 §9.3.8: TRACE", "TRACE / HTTP/1.1\r\nHost: a\r\n\r\n"),
        .accepted("RFC 5789: PATCH", "PATCH / HTTP/1.1\r\nHost: a\r\n\r\n"),
    ]

    private static let targets: [HeadCase] = [
        .accepted(
            "RFC 9112 §3.2.1: origin-form with query",
            "GET /a/b%20c;d=e:@!$&'()*+,?q=1/2?3&x=%C3%A4 HTTP/1.1\r\nHost: a\r\n\r\n"),
        .accepted(
            "RFC 9112 §3.2.1: what senders leave unescaped in a query",
            "GET /?a[]={\"b\":\"<c|d>\"}`^\\ HTTP/1.1\r\nHost: a\r\n\r\n"),
        .accepted(
            "RFC 3986 §3.3: a path may begin with two slashes",
            "GET //b/c HTTP/1.1\r\nHost: a\r\n\r\n"),
        .accepted(
            "RFC 9112 §3.2.2: absolute-form",
            "GET http://b:80/c?d HTTP/1.1\r\nHost: a\r\n\r\n"),
        .accepted(
            "RFC 9112 §3.2.2: absolute-form without a path, scheme in capitals (RFC 9110 §4.2)",
            "GET HTTP://B?d HTTP/1.1\r\nHost: a\r\n\r\n"),
        .accepted(
            "RFC 9112 §3.2.2: absolute-form with 1.0 and no Host",
            "GET http://b/ HTTP/1.0\r\n\r\n", keepsAlive: false),
        .accepted(
            "RFC 9112 §3.2.3: authority-form with CONNECT",
            "CONNECT b:443 HTTP/1.1\r\nHost: b:443\r\n\r\n", keepsAlive: false),
        .accepted(
            "RFC 9112 §3.2.4: asterisk-form with OPTIONS",
            "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n"),
        .accepted(
            "RFC 9112 §3: a target of exactly the limit",
            "GET /\(String(repeating: "a", count: 99)) HTTP/1.1\r\nHost: a\r\n\r\n"),
    ]

    private static let hosts: [HeadCase] = [
        .accepted("RFC 9110 §7.2: port", "GET / HTTP/1.1\r\nHost: a.example:8080\r\n\r\n"),
        .accepted("RFC 3986 §3.2.3: empty port", "GET / HTTP/1.1\r\nHost: a.example:\r\n\r\n"),
        .accepted("RFC 3986 §3.2.2: IPv4", "GET / HTTP/1.1\r\nHost: 127.0.0.1:80\r\n\r\n"),
        .accepted("RFC 3986 §3.2.2: IPv6", "GET / HTTP/1.1\r\nHost: [::ffff:1.2.3.4]\r\n\r\n"),
        .accepted(
            "RFC 3986 §3.2.2: IPv6, port", "GET / HTTP/1.1\r\nHost: [2001:db8::1]:80\r\n\r\n"),
        .accepted("RFC 3986 §3.2.2: IPvFuture", "GET / HTTP/1.1\r\nHost: [v1.a:b]\r\n\r\n"),
        .accepted("RFC 3986 §3.2.2: escapes", "GET / HTTP/1.1\r\nHost: %61_b~c!\r\n\r\n"),
    ]

    private static let fields: [HeadCase] = [
        .accepted("RFC 9110 §5.5: an empty value", fields: "X-Empty:"),
        .accepted("RFC 9112 §5.1: blanks around a value are no part of it", fields: "X: \t b c \t"),
        .accepted("RFC 9110 §5.5: bytes over 0x7F are opaque", fields: "X: ä€\u{A0}"),
        .accepted("RFC 9110 §5.6.2: every token octet in a name", fields: "!#$%&'*+-.^_`|~09Az: b"),
        .accepted(
            "RFC 6585 §5: as many field lines as the limit",
            "GET / HTTP/1.1\r\nHost: a\r\n\(String(repeating: "X: b\r\n", count: 7))\r\n"),
        .accepted(
            "RFC 6585 §5: field lines of exactly as many bytes as the limit",
            "GET / HTTP/1.1\r\nHost: a\r\nX: \(String(repeating: "b", count: 186))\r\n\r\n"),
    ]

    private static let bodies: [HeadCase] = [
        .accepted("RFC 9112 §6.2: Content-Length", fields: "Content-Length: 5", .length(5)),
        .accepted("RFC 9110 §8.6: a length of 0 is no body", fields: "content-length: 0"),
        .accepted("RFC 9110 §8.6: leading zeros", fields: "CONTENT-LENGTH: 0005", .length(5)),
        .accepted(
            "RFC 9110 §8.6: equal lengths are one",
            fields: "Content-Length: 5, 5\r\nContent-Length: 5", .length(5)),
        .accepted(
            "RFC 9110 §8.6: the longest length that can be counted",
            fields: "Content-Length: 9223372036854775807", .length(.max)),
        .accepted("RFC 9112 §7.1: chunked", fields: "Transfer-Encoding: chunked", .chunked),
        .accepted(
            "RFC 9112 §7: coding names in any case, empty members skipped (RFC 9110 §5.6.1)",
            fields: "transfer-encoding: , \tChUnKeD ,", .chunked),
        .accepted(
            "RFC 9112 §6.1: a coding over HTTP/1.0 ends the connection",
            "POST / HTTP/1.0\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n",
            .chunked, keepsAlive: false),
        .accepted(
            "RFC 9110 §10.1.1: 100-continue in any case",
            fields: "Content-Length: 1\r\nExpect: 100-Continue", .length(1), expectsContinue: true),
        .accepted(
            "RFC 9110 §10.1.1: expectations over HTTP/1.0 are ignored",
            "POST / HTTP/1.0\r\nExpect: 100-continue, x\r\nContent-Length: 1\r\n\r\n",
            .length(1), keepsAlive: false),
    ]

    private static let connections: [HeadCase] = [
        .accepted("RFC 9112 §9.3: keep-alive with 1.1", fields: "Connection: keep-alive"),
        .accepted("RFC 9112 §9.6: close", fields: "Connection: close", keepsAlive: false),
        .accepted("RFC 9112 §9.6: close, any case", fields: "connection: ClOsE", keepsAlive: false),
        .accepted(
            "RFC 9112 §9.6: close in a list", fields: "Connection: x,\tclose , y",
            keepsAlive: false),
        .accepted(
            "RFC 9112 §9.6: close in another line, beside keep-alive",
            fields: "Connection: keep-alive\r\nX: y\r\nConnection: close", keepsAlive: false),
        .accepted(
            "RFC 9110 §7.6.1: a quote hides no close", fields: "Connection: \"x, close",
            keepsAlive: false),
        .accepted("RFC 9112 §9.6: closed is not close", fields: "Connection: closed, xclose"),
        .accepted(
            "RFC 9112 §9.3: keep-alive with 1.0",
            "GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n"),
        .accepted(
            "RFC 9112 §9.3: close beats keep-alive with 1.0",
            "GET / HTTP/1.0\r\nConnection: keep-alive, close\r\n\r\n", keepsAlive: false),
    ]

    static let incomplete: [HeadCase] = [
        "", "\r", "\r\n", "\r\n\r", "G", "GET", "GET ", "GET /", "GET / HTTP/1.1",
        "GET / HTTP/1.1\r", "GET / HTTP/1.1\r\n", "GET / HTTP/1.1\r\nHost",
        "GET / HTTP/1.1\r\nHost: a\r",
        "GET / HTTP/1.1\r\nHost: a\r\n", "GET / HTTP/1.1\r\nHost: a\r\n\r",
    ].map { text in
        HeadCase(
            rule: "RFC 9112 §2.1: more must come behind \(text.debugDescription)",
            bytes: Array(text.utf8), expected: .incomplete)
    }
}
