"""The request line: line ends, versions, methods, and how long a target may be (RFC 9112 sections 2 and 3).

Left out: the authority of a target and the Host field (hosts.py), its path (paths.py).
"""

from case import Drip, Pause, must, post, request, should
from checks import (accepts, accepts_or_refuses, answers, ask, expect_status, in_order, never_succeeds,
                    refuses, require, same_file)
from wire import Ended

HOST = b"Host: {host}\r\n\r\n"

# 9112 2.2: how a message is parsed

must("line-bare-cr-as-line-end", "9112 2.2",
     "CR alone does not end a line.",
     b"GET {static} HTTP/1.1\rHost: {host}\r\r\n\r\n", never_succeeds)

must("line-bare-cr-in-target", "9112 2.2",
     "A bare CR in the request line makes it invalid, be it as CR or as SP.",
     b"GET {static}\rx HTTP/1.1\r\n" + HOST, never_succeeds)

should("line-lone-lf", "9112 2.2",
       "A lone LF ends a line of the head, or gets 400; it does not hang or break anything.",
       b"GET {static} HTTP/1.1\nHost: {host}\n\n", answers(200, 400))

should("line-empty-before-request", "9112 2.2",
       "An empty line in front of the request line is ignored.",
       b"\r\n" + request(), accepts(200))

should("line-empty-between-requests", "9112 2.2",
       "An empty line behind a request's content is ignored.",
       post() + b"\r\n" + request(), in_order(("POST", ("2xx",)), ("GET", (200,))))

must("line-cut/drip", "9112 2.2",
     "A request is the same however its octets are cut.",
     [Drip(request(b"X-Drip: yes"))], accepts(200))

must("line-cut/in-crlf", "9112 2.2",
     "A request is the same however its octets are cut.",
     [b"GET {static} HTTP/1.1\r", Pause(), b"\nHost: {host}\r\n\r", Pause(), b"\n"], accepts(200))

for name, head in {
    "space": b"GET {static} HTTP/1.1\r\n Host: {host}\r\n\r\n",
    "tab": b"GET {static} HTTP/1.1\r\n\tHost: {host}\r\n\r\n",
}.items():
    must(f"line-indented/{name}", "9112 2.2",
         "A first field line that begins with whitespace is rejected or dropped, never a field.",
         head, refuses(400))

must("line-indented-coding", "9112 2.2",
     "An indented Transfer-Encoding below the request line is rejected or dropped.",
     b"POST {post} HTTP/1.1\r\n Transfer-Encoding: chunked\r\nHost: {host}\r\nContent-Length: 5\r\n\r\n"
     b"0\r\n\r\n", accepts_or_refuses(400))

for name, (line, *others) in {
    "garbage": (b"\x16\x03\x01 hello",),
    "one-word": (b"GET",),
    "no-version": (b"GET {static}", 505),
    "no-target": (b"GET HTTP/1.1",),
    "leading-space": (b" GET {static} HTTP/1.1",),
    "four-words": (b"GET {static} HTTP/1.1 x",),
    "method-not-a-token": (b"G(E)T {static} HTTP/1.1", 501),
    "version-lower-case": (b"GET {static} http/1.1", 505),
    "version-two-digits": (b"GET {static} HTTP/1.10", 505),
    "version-leading-zero": (b"GET {static} HTTP/01.1", 505),
    "version-comma": (b"GET {static} HTTP/1,1", 505),
    "version-no-minor": (b"GET {static} HTTP/1", 505),
    "version-wide-digit": (b"GET {static} HTTP/1.\xef\xbc\x91", 505),
}.items():
    should(f"line-grammar/{name}", "9112 2.2", "A request line off the grammar gets 400, then the end.",
           line + b"\r\n" + HOST, refuses(400, *others))

for name, target in {
    "space": b"{static} x",
    "nul": b"{static}?\x00",
    "control": b"{static}?\x01",
    "high-byte": b"/\xe9",
    "fragment": b"{static}#top",
    "quote": b'/"x"',
    "no-slash": b"style.css",
    "bad-escape": b"/%zz",
    "cut-escape": b"/a%4",
    "star-with-get": b"*",
    "authority-with-get": b"{host}:80",
}.items():
    should(f"target-grammar/{name}", "9112 3.2",
           "A target off the grammar gets 400, or 301 to a right one; no silent repair.",
           b"GET " + target + b" HTTP/1.1\r\n" + HOST, answers(400, 301))

# 9112 2.3, 9110 2.5: versions

should("version-minor/1.2", "9110 2.5",
       "A higher minor version is served as the highest that is known.",
       b"GET {static} HTTP/1.2\r\n" + HOST, accepts(200))

should("version-minor/1.9", "9110 2.5",
       "A higher minor version is served as the highest that is known.",
       b"GET {static} HTTP/1.9\r\n" + HOST, accepts(200))

should("version-1.0", "9110 6.2",
       "An HTTP/1.0 request is answered in HTTP/1.1.",
       b"GET {static} HTTP/1.0\r\n" + HOST, same_file)

for version in (b"2.0", b"3.0", b"9.9", b"0.9"):
    should(f"version-unknown/{version.decode()}", "9110 15.6.6",
           "A major version that is not known gets 505 (or 400), then the end.",
           b"GET {static} HTTP/" + version + b"\r\n" + HOST, refuses(505, 400))

must("version-http-2-preface", "9112 2.2",
     "The preface of HTTP/2 gets one refusal and the end, and no part of it is taken for another request.",
     b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", never_succeeds)

# 9110 9.1: methods

must("method-case/lower", "9110 9.1",
     "Methods are case-sensitive.",
     request(method=b"get"), answers(400, 405, 501))

must("method-case/mixed", "9110 9.1",
     "Methods are case-sensitive.",
     request(method=b"Head"), answers(400, 405, 501))

should("method-unknown", "9110 9.1",
       "A method that the server doesn't know gets 501.", request(method=b"BREW"), answers(501))

should("method-lower-case-501", "9110 9.1",
       "A method that the server doesn't know gets 501, also one that differs in case only.",
       request(method=b"get"), answers(501))

should("method-all-token-characters", "9110 9.1",
       "A method is any token.", request(method=b"!#$%&'*+-.^_`|~09AZaz"), answers(501))

should("method-long", "9112 3",
       "A method longer than any that is implemented gets 501.", request(method=b"M" * 100), answers(501))

must("method-endless", "9112 3",
     "A method without end is refused.", [b"M" * (1 << 20)], never_succeeds)

# 9112 3: length

should("target-8000-octets", "9112 3",
       "A request line of 8000 octets is served.",
       request(path=b"{static}?" + b"q" * 7_960), same_file)

must("target-too-long/query", "9112 3",
     "A target longer than the server wants to parse gets 414.",
     request(path=b"{static}?" + b"q" * (1 << 20)), answers(414, 200))

must("target-too-long/path", "9112 3",
     "A target longer than the server wants to parse gets 414.",
     request(path=b"/" + b"p" * (1 << 20)), answers(414, 404))


@must("target-endless", "9112 3", "A target without end is answered with 414 or cut off before 32 MiB.")
def _(site):
    with site.connect() as connection:
        connection.send(b"GET /")
        for _ in range(32):
            connection.send(b"p" * (1 << 20))
            if connection.write_error or connection.has_bytes(0.01):
                break
        require(connection.write_error or connection.has_bytes(0.5), "32 MiB were taken without a word")
        try:
            expect_status(connection.response(), (414, 400))
        except Ended:
            pass


@should("query-is-opaque", "3986 3.4", "A query with dots, slashes and question marks changes no path.")
def _(site):
    response = ask(site, request(path=b"{static}?a=/../../b?c&%00&%2e%2e/"))
    expect_status(response, (200,))
    require(response.content == site.plain.content, "another content")
