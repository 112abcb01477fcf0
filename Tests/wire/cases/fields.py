"""Field lines: names, values, folding, control characters, limits (RFC 9112 section 5, 9110 section 5).

Left out: what single fields mean.
"""

from case import Drip, chunked, must, post, request, should
from checks import accepts, accepts_or_refuses, answers, ask, expect_status, refuses, require
from wire import Ended

MEBIBYTE = 1 << 20

# 9112 5.1: no whitespace before the colon

for name, head in {
    "plain": request(b"X-Thing : a"),
    "tab": request(b"X-Thing\t: a"),
    "host": request(host=b"Host : {host}\r\n"),
    "length": post(b"Content-Length : 5", length=False),
    "coding": post(b"Transfer-Encoding : chunked", length=False, content=b"0\r\n\r\n"),
}.items():
    must(f"field-space-before-colon/{name}", "9112 5.1",
         "Whitespace between a field's name and the colon gets 400.",
         head, refuses(400))

# 9110 5.1: names

must("field-name-case", "9110 5.1", "Field names have no case.",
     b"POST {post} HTTP/1.1\r\nhOsT: {host}\r\ncONTENT-lENGTH: 5\r\n\r\nhello", accepts())

must("field-name-all-token-characters", "9110 5.1",
     "A field name is any token, and an unknown one is ignored.",
     request(b"!#$%&'*+-.^_`|~09AZaz: x"), accepts(200))

for name, line in {
    "empty": b": value",
    "space-inside": b"X Thing: a",
    "parenthesis": b"X(Thing): a",
    "at": b"X@Thing: a",
    "quote": b"\"X\": a",
    "brace": b"X{}: a",
    "slash": b"X/Thing: a",
    "high-byte": b"X-Th\xefng: a",
    "wide-letter": b"Ho\xc5\xbft: other.example",
    "control": b"X\x01: a",
    "delete": b"X\x7f: a",
}.items():
    should(f"field-name-no-token/{name}", "9112 5", "A field line whose name is no token gets 400.",
           request(line), refuses(400))

must("field-name-nul", "9110 5.5",
     "A NUL in a field's name is rejected.", request(b"X\x00Y: a"), refuses(400))

should("field-no-colon", "9112 5",
       "A field line without a colon gets 400.", request(b"X-Thing"), refuses(400))

# 9110 5.5: values

for name, line in {
    "no-whitespace": b"Content-Length:5",
    "many-blanks": b"Content-Length: \t  5\t \t",
}.items():
    must(f"field-value-blanks/{name}", "9110 5.5", "SP and HTAB around a value are no part of it.",
         post(line, length=False), accepts())

must("field-value-blanks/host", "9110 5.5", "SP and HTAB around a value are no part of it.",
     request(host=b"Host:\t {host} \t\r\n"), accepts(200))

must("field-value-blanks/coding", "9110 5.5", "SP and HTAB around a value are no part of it.",
     chunked(b"5\r\nhello\r\n0\r\n\r\n", coding=b"Transfer-Encoding:\t chunked \t"), accepts())

must("field-value-empty", "9110 5.5", "A value may be empty.", request(b"X-Thing:"), accepts(200))

should("field-value-opaque-bytes", "9110 5.5", "Octets over 0x7F in a value are opaque data.",
       request(b"X-Thing: \xff\xfe caf\xe9 \xe2\x82\xac"), accepts(200))

must("field-value-nul", "9110 5.5", "A NUL in a value is rejected or read as SP.",
     request(b"X-Thing: a\x00b"), accepts_or_refuses(400))

must("field-value-bare-cr", "9110 5.5", "A CR in a value is rejected or read as SP.",
     request(b"X-Thing: a\rb"), accepts_or_refuses(400))

must("field-value-cr-injects-nothing", "9112 2.2", "A bare CR in a value begins no further field line.",
     request(b"X-Thing: a\rConnection: close"), accepts_or_refuses(400))

must("field-value-nul-in-length", "9110 5.5", "A NUL in Content-Length makes it invalid.",
     post(b"Content-Length: 5\x00", length=False), refuses(400))

should("field-value-control", "9110 5.5",
       "Other control characters in a value are rejected, or kept as they are.",
       request(b"X-Thing: a\x01\x0b\x7fb"), accepts_or_refuses(400))

must("field-value-lf-injects-nothing", "9110 5.5", "A lone LF in a value ends the line or is rejected.",
     request(b"X-Thing: a\nX-Other: b"), accepts_or_refuses(400))

# 9112 5.2: line folding

must("fold-plain/space", "9112 5.2", "A folded value gets 400, or is read with SP for the fold.",
     request(b"X-Thing: a\r\n b"), accepts_or_refuses(400))

must("fold-plain/tab", "9112 5.2", "A folded value gets 400, or is read with SP for the fold.",
     request(b"X-Thing: a\r\n\tb"), accepts_or_refuses(400))

must("fold-hides-no-field", "9112 5.2", "What is folded into a value is no field line.",
     request(b"X-Thing: a\r\n Connection: close"), accepts_or_refuses(400))

must("fold-length", "9112 5.2", "A folded Content-Length of two numbers is invalid.",
     post(b"Content-Length: 5\r\n 0", length=False), refuses(400))

must("fold-coding", "9112 5.2", "A folded Transfer-Encoding gets 400, or is read with SP for the fold.",
     post(b"Transfer-Encoding:\r\n chunked", length=False, content=b"5\r\nhello\r\n0\r\n\r\n"),
     accepts_or_refuses(400, 501))

must("fold-coding-in-two", "9112 5.2", "A coding's name with a fold in it is not chunked.",
     post(b"Transfer-Encoding: chun\r\n ked", length=False, content=b"0\r\n\r\n"), refuses(400, 501))

# 9110 5.6.1: lists

must("list-empty-elements", "9110 5.6.1.2", "Empty list elements are skipped.",
     request(b"If-None-Match: , ,{etag},, "), answers(304))

for name, lines, status in (
    ("none-match", (b'If-None-Match: "first"', b"if-none-match: {etag}"), 304),
    ("match", (b'If-Match: "first"', b"If-Match: {etag}"), 200),
):
    must(f"list-many-lines/{name}", "9110 5.3", "Several lines of a list are one list, in their order.",
         request(*lines), answers(status))

# 9110 5.4, 6585 5: limits

should("fields-50-are-few", "9110 5.4", "50 fields of 60 octets are served.",
       request(*(b"X-Field-%d: " % number + b"v" * 48 for number in range(50))), accepts(200))

for name, fields in {
    "one-long-line": (b"X-Long: " + b"v" * MEBIBYTE,),
    "one-long-name": (b"X" * MEBIBYTE + b": v",),
    "20000-lines": tuple(b"X-%d: %s" % (number, b"v" * 40) for number in range(20_000)),
}.items():
    must(f"fields-too-large/{name}", "9110 5.4",
         "Fields larger than the server wants get a 4xx that can be read.",
         request(*fields), answers("4xx", 200))
    should(f"fields-too-large-431/{name}", "6585 5", "Fields larger than the server wants get 431.",
           request(*fields), answers(431, 200))


@must("fields-endless", "9110 5.4",
      "A header section without end is answered with a 4xx or cut off before 32 MiB.")
def _(site):
    block = b"".join(b"X-%d: %s\r\n" % (number, b"v" * 50) for number in range(16_000))
    with site.connect() as connection:
        connection.send(site.expand(b"GET {static} HTTP/1.1\r\nHost: {host}\r\n"))
        for _ in range(32):
            connection.send(block)
            if connection.write_error or connection.has_bytes(0.01):
                break
        require(connection.write_error or connection.has_bytes(0.5), "32 MiB were taken without a word")
        try:
            expect_status(connection.response(), ("4xx",))
        except Ended:
            pass


@must("fields-cookies-apart", "9110 5.3", "Two lines of a field that is no list do not break the request.")
def _(site):
    lines = (b"Cookie: a=1", b"Cookie: b=2", b"User-Agent: x", b"User-Agent: y")
    expect_status(ask(site, request(*lines)), (200,))


should("fields-drip-with-blank-value", "9112 2.2",
       "Octets one at a time, blanks around the value included.",
       [Drip(post(b"Content-Length:  5  ", length=False))], accepts())
