"""The chunked coding: sizes, line ends, extensions, trailers (RFC 9112 section 7.1).

Invariant: bad chunks end in what looks like a request; a second answer means that it was smuggled in.
Left out: which coding applies (lengths.py).
"""

from case import Drip, Pause, chunked, must, request, should
from checks import (accepts, accepts_or_refuses, answers, expect_open_or_said, expect_status, in_order,
                    refuses, require)
from wire import Unsupported

SMUGGLED = b"GET {none} HTTP/1.1\r\nHost: {host}\r\n\r\n"
LAST = b"0\r\n\r\n"

# What is valid

for name, content in {
    "one": b"5\r\nhello\r\n" + LAST,
    "none": LAST,
    "many": b"1\r\nh\r\n4\r\nello\r\n" + LAST,
    "hex-lower": b"a\r\n0123456789\r\n" + LAST,
    "hex-upper": b"A\r\n0123456789\r\n" + LAST,
    "leading-zeros": b"00000005\r\nhello\r\n" + LAST,
    "long-last": b"5\r\nhello\r\n000\r\n\r\n",
    "crlf-in-data": b"9\r\n\r\n0\r\n\r\n\r\n\r\n" + LAST,
}.items():
    must(f"chunk-valid/{name}", "9112 7.1",
         "A server decodes the chunked coding.", chunked(content), accepts("2xx", 422))


@must("chunk-content-exact", "9112 7.1", "The decoded content is the chunks' data and nothing else.")
def _(site):
    with site.connect() as connection:
        connection.send(site.expand(chunked(
            b"5;x=y\r\nhello\r\n1\r\n,\r\nA\r\n wide worl\r\n1\r\nd\r\n0\r\nX-Trailer: t\r\n\r\n")))
        response = connection.response()
        expect_status(response, ("2xx",))
    content = site.stored_content(response)
    require(content == b"hello, wide world", f"the server holds {content!r}")


must("chunk-cut/drip", "9112 7.1", "Chunks are the same however their octets are cut.",
     [Drip(chunked(b"5;a=b\r\nhello\r\n6\r\n world\r\n0\r\nX-T: 1\r\n\r\n"))], accepts())

must("chunk-cut/pieces", "9112 7.1", "Chunks are the same however their octets are cut.",
     [chunked(b"5"), Pause(), b"\r", Pause(), b"\nhel", Pause(), b"lo\r", Pause(), b"\n0\r\n", Pause(),
      b"\r\n"], accepts())

must("chunk-then-next-request", "9112 9.3", "What is behind the last chunk is the next request.",
     chunked(b"5\r\nhello\r\n" + LAST) + request(), in_order(("POST", ("2xx",)), ("GET", (200,))))

# 9112 7.1.1: extensions

for name, line in {
    "name": b"5;a",
    "name-value": b"5;foo=bar",
    "quoted": b'5;foo="b;a\\"r"',
    "many": b"5;a=1;b=2;c",
    "in-last": None,
}.items():
    must(f"chunk-extension-ignored/{name}", "9112 7.1.1", "Unknown chunk extensions are ignored.",
         chunked(line + b"\r\nhello\r\n" + LAST if line else b"5\r\nhello\r\n0;a=b\r\n\r\n"), accepts())

should("chunk-extension-blanks", "9112 7.1.1",
       "Blanks around a chunk extension are bad whitespace: parsed or refused.",
       chunked(b"5 ; a = b\r\nhello\r\n" + LAST), accepts_or_refuses(400))

should("chunk-extension-huge", "9112 7.1.1", "The length of chunk extensions is limited: a 4xx.",
       chunked(b"5;" + b"x" * (1 << 20) + b"\r\nhello\r\n" + LAST), answers("4xx"))

should("chunk-extension-many-small", "9112 7.1.1",
       "The length of chunk extensions is limited over all chunks: a 4xx.",
       chunked((b"1;" + b"x" * 1_000 + b"\r\nh\r\n") * 2_000 + LAST), answers("4xx"))

for name, line in {"lf": b"5;a\nb\r\n", "cr": b"5;a\rb\r\n", "nul": b"5;a\x00b\r\n"}.items():
    should(f"chunk-extension-control/{name}", "9112 7.1.1",
           "A chunk extension with CR, LF or NUL in it gets 400.",
           chunked(line + b"hello\r\n" + LAST) + SMUGGLED, refuses(400))

# Sizes

for name, size in {
    "empty": b"",
    "not-hexadecimal": b"g",
    "plus": b"+5",
    "minus": b"-5",
    "0x": b"0x5",
    "underscore": b"0_5",
    "leading-blank": b" 5",
    "wide-digit": b"\xef\xbc\x95",
    "point": b"5.",
    "blank-inside": b"5 5",
    "extension-without-size": b";a=b",
}.items():
    must(f"chunk-size-invalid/{name}", "9112 7.1", "A chunk's size is 1*HEXDIG: 400, then the end.",
         chunked(size + b"\r\nhello\r\n" + LAST) + SMUGGLED, refuses(400))

should("chunk-size-trailing-blank", "9112 7.1",
       "A blank behind a size is off the grammar: 400, or no harm.",
       chunked(b"5 \r\nhello\r\n" + LAST), accepts_or_refuses(400))

for name, size in {
    "2-to-64-plus-5": b"10000000000000005",
    "2-to-64-minus-1": b"ffffffffffffffff",
    "2-to-63": b"8000000000000000",
    "2-to-32-digits": b"f" * 32,
}.items():
    must(f"chunk-size-huge/{name}", "9112 7.1",
         "A size too large for an integer does not wrap: 400 or 413, then the end.",
         chunked(size + b"\r\nhello\r\n" + LAST) + SMUGGLED, refuses(400, 413))

# Line ends

for name, content in {
    "pair-behind-data": b"5\r\nhelloXX0\r\n\r\n",
    "data-too-long": b"3\r\nhello\r\n0\r\n\r\n",
    "data-too-short": b"7\r\nhello\r\n0\r\n\r\n",
    "cr-behind-size": b"5\rhello\r\n0\r\n\r\n",
    "cr-only-behind-data": b"5\r\nhello\r0\r\n\r\n",
}.items():
    must(f"chunk-crlf/{name}", "9112 7.1",
         "CRLF stands behind a size and behind the data: 400, then the end.",
         chunked(content) + SMUGGLED, refuses(400))

for name, content in {
    "behind-size": b"5\nhello\r\n0\r\n\r\n",
    "behind-data": b"5\r\nhello\n0\r\n\r\n",
    "behind-last": b"5\r\nhello\r\n0\n\r\n",
}.items():
    should(f"chunk-lf/{name}", "9112 7.1", "A lone LF is no line end within chunks: 400, then the end.",
           chunked(content) + SMUGGLED, refuses(400))

# 9112 7.1.2: trailers

must("trailer-plain", "9112 7.1.2", "A trailer section is read and is no request.",
     chunked(b"5\r\nhello\r\n0\r\nX-One: 1\r\nX-Two: 2\r\n\r\n"), accepts())

for name, line in {
    "length": b"Content-Length: 500",
    "coding": b"Transfer-Encoding: gzip",
    "host": b"Host: other.example",
    "expect": b"Expect: 100-continue",
}.items():
    must(f"trailer-no-effect/{name}", "9110 6.5.1",
         "Fields of framing and routing have no effect in trailers.",
         chunked(b"5\r\nhello\r\n0\r\n" + line + b"\r\n\r\n"), accepts_or_refuses(400))

should("trailer-connection", "9110 6.5.1", "Connection: close in trailers has no effect.",
       chunked(b"5\r\nhello\r\n0\r\nConnection: close\r\n\r\n"), accepts_or_refuses(400))


@must("trailer-is-no-header", "9110 6.5.1",
      "A trailer never becomes a header field: a Content-Encoding there says nothing.")
def _(site):
    with site.connect() as connection:
        connection.send(site.expand(chunked(b"5\r\nhello\r\n0\r\nContent-Encoding: gzip\r\n\r\n")))
        response = connection.response()
        if response.status == 400:
            raise Unsupported("such trailers are refused")
        expect_status(response, ("2xx",))
        expect_open_or_said(connection, site, response)
    require(site.stored_content(response) == b"hello", "the content is not what was sent")


for name, line in {
    "no-colon": b"trailer", "space-before-colon": b"X-T : 1", "bad-name": b"X(T): 1",
}.items():
    should(f"trailer-grammar/{name}", "9112 7.1.2", "A trailer off the grammar of fields gets 400.",
           chunked(b"5\r\nhello\r\n0\r\n" + line + b"\r\n\r\n") + SMUGGLED, refuses(400))

should("trailer-huge", "9110 5.4", "Trailers larger than the server wants get a 4xx.",
       chunked(b"5\r\nhello\r\n0\r\n" + b"X-Trailer: %s\r\n" % (b"v" * 1_000) * 1_000 + b"\r\n"),
       answers("4xx"))
