"""How long a request's content is: Content-Length and Transfer-Encoding (RFC 9112 section 6).

Invariant: behind a refused request is what looks like one; a second answer means that it was smuggled in.
Left out: the grammar of chunks (chunks.py).
"""

import json

from case import HalfClose, Pause, chunked, must, post, request, should
from checks import (accepts, accepts_or_refuses, answers, answers_once, answers_then_ends, ask, expect_open,
                    expect_status, in_order, never_succeeds, refuses, require)

CHUNKS = b"5\r\nhello\r\n0\r\n\r\n"
SMUGGLED = b"GET {none} HTTP/1.1\r\nHost: {host}\r\n\r\n"
INVALID_LENGTH = "An invalid Content-Length gets 400, then the end."

GET_INSIDE = b"GET / HTTP/1.1\r\n" * 3 + b"xx"  # 50 octets of content that must not become a request


def without_coding(connection, _):
    """200 without Transfer-Encoding."""
    response = connection.response()
    expect_status(response, (200,))
    require(not response.lines("Transfer-Encoding"), "Transfer-Encoding to HTTP/1.0")


# 9112 6.3 rule 5, 9110 8.6: Content-Length

for name, value in {
    "letters": b"abc",
    "empty": b"",
    "minus": b"-1",
    "plus": b"+5",
    "hexadecimal": b"0x5",
    "point": b"5.0",
    "exponent": b"1e1",
    "underscore": b"0_5",
    "blank": b"5 5",
    "semicolon": b"5;",
    "quotes": b'"5"',
    "wide-digit": b"\xef\xbc\x95",
    "arabic-digit": b"\xd9\xa5",
    "superscript": b"\xc2\xb2",
    "no-break-space": b"5\xc2\xa0",
    "vertical-tab": b"5\x0b",
    "differing-list": b"5, 6",
    "list-with-letters": b"5, x",
}.items():
    must(f"length-invalid/{name}", "9112 6.3", INVALID_LENGTH,
         post(b"Content-Length: " + value, length=False) + SMUGGLED, refuses(400))

must("length-invalid/differing-lines", "9112 6.3", INVALID_LENGTH,
     post(b"Content-Length: 5", b"Content-Length: 6", length=False) + SMUGGLED, refuses(400))

must("length-on-get-invalid", "9112 6.3", INVALID_LENGTH + " This holds for any method.",
     request(b"Content-Length: five") + SMUGGLED, refuses(400))

for name, value in {
    "2-to-64": b"18446744073709551616",
    "2-to-64-plus-5": b"18446744073709551621",
    "2-to-63": b"9223372036854775808",
    "100-digits": b"9" * 100,
}.items():
    must(f"length-huge/{name}", "9110 8.6",
         "A number too large for an integer does not wrap: 400 or 413, then the end.",
         post(b"Content-Length: " + value, length=False) + SMUGGLED, refuses(400, 413))

must("length-equal/list", "9112 6.3", "Equal lengths are one value, or 400.",
     post(b"Content-Length: 5, 5", length=False), accepts_or_refuses(400))

must("length-equal/lines", "9112 6.3", "Equal lengths are one value, or 400.",
     post(b"Content-Length: 5", b"Content-Length: 5", length=False), accepts_or_refuses(400))

must("length-leading-zeros", "9110 8.6", "Content-Length is 1*DIGIT: leading zeros are nothing special.",
     post(b"Content-Length: 0000000005", length=False), accepts())

must("length-zero/said", "9112 6.3", "Without length, or with a length of 0, there is no content.",
     post(content=b"") + request(), in_order(("POST", ("2xx", 400, 411, 422)), ("GET", (200,))))

must("length-zero/none", "9112 6.3", "Without length, or with a length of 0, there is no content.",
     post(length=False, content=b"") + request(),
     in_order(("POST", ("2xx", 400, 411, 422)), ("GET", (200,))))

NO_MEANING = "Content of a GET or HEAD is read or the connection closed; it is no request."

must("length-without-meaning/get", "9110 9.3.1", NO_MEANING,
     request(b"Content-Length: 50", content=GET_INSIDE),
     answers_once(200, 400, 413))

must("length-without-meaning/head", "9110 9.3.1", NO_MEANING,
     request(b"Content-Length: 50", method=b"HEAD", content=GET_INSIDE),
     answers_once(200, 400, 413, method="HEAD"))

must("length-without-meaning/get-chunks", "9110 9.3.1", NO_MEANING,
     request(b"Transfer-Encoding: chunked", content=b"32\r\n" + GET_INSIDE + b"\r\n0\r\n\r\n"),
     answers_once(200, 400, 413))

for name, path in {"404": b"{none}", "405": b"{static}"}.items():
    must(f"length-refused/{name}", "9112 9.3",
         "Content of a refused request is read or the connection closed.",
         post(path=path, content=GET_INSIDE),
         answers_once("4xx", 501))

must("length-short-content", "9112 6.3", "Content that ends early is incomplete: no success, and the end.",
     [post(b"Content-Length: 10", length=False), HalfClose], never_succeeds, on="plain")

must("length-short-chunks", "9112 8",
     "Chunks without the last one are incomplete: no success, and the end.",
     [chunked(b"5\r\nhello\r\n"), HalfClose], never_succeeds, on="plain")

must("length-cut-in-content", "9112 6.3", "Content that comes in pieces is one content.",
     [post(b"Content-Length: 10", length=False), Pause(), b"wor", Pause(), b"ld" + request()],
     in_order(("POST", ("2xx",)), ("GET", (200,))))

# 9112 6.1: Transfer-Encoding

BOTH = "Content-Length beside Transfer-Encoding: Transfer-Encoding counts, one answer, then the end."

must("coding-with-length/behind", "9112 6.1", BOTH,
     chunked(CHUNKS, b"Content-Length: 5") + SMUGGLED, answers_then_ends("2xx", 400))

must("coding-with-length/in-front", "9112 6.1", BOTH,
     post(b"Content-Length: %d" % len(CHUNKS), b"Transfer-Encoding: chunked", length=False, content=CHUNKS)
     + SMUGGLED, answers_then_ends("2xx", 400))

must("coding-with-length/too-long", "9112 6.1", BOTH,
     chunked(b"0\r\n\r\n", b"Content-Length: 100") + SMUGGLED, answers_then_ends("2xx", 400))

must("coding-with-length/get", "9112 6.1", BOTH,
     request(b"Transfer-Encoding: chunked", b"Content-Length: 5", content=b"0\r\n\r\n") + SMUGGLED,
     answers_then_ends(200, 400))

for name, fields in {
    "plain": (), "keep-alive": (b"Connection: keep-alive",), "length": (b"Content-Length: 15",),
}.items():
    must(f"coding-in-1.0/{name}", "9112 6.1",
         "Transfer-Encoding in HTTP/1.0 is faulty framing: the connection closes.",
         chunked(CHUNKS, *fields, version=b"1.0") + SMUGGLED, answers_then_ends("2xx", "4xx", 501))

for name, value in {"upper": b"CHUNKED", "mixed": b"cHuNkEd"}.items():
    must(f"coding-case/{name}", "9112 7", "Names of transfer codings have no case.",
         chunked(CHUNKS, coding=b"Transfer-Encoding: " + value), accepts())

NOT_LAST = "A request whose last transfer coding is not chunked gets 400 (or 501), then the end."

for name, value in {
    "chunked-not-last": b"chunked, gzip",
    "chunked-then-identity": b"chunked, identity",
    "identity": b"identity",
    "gzip-only": b"gzip",
    "prefix": b"chunke",
    "suffix": b"chunkedx",
    "x-before": b"xchunked",
    "quotes": b'"chunked"',
    "vertical-tab": b"\x0bchunked",
    "form-feed": b"chunked\x0c",
    "no-break-space": b"\xc2\xa0chunked",
    "kelvin-sign": b"chun\xe2\x84\xaaed",
    "nul": b"chunked\x00",
    "blank-instead-of-comma": b"gzip chunked",
    "equals": b"chunked=1",
}.items():
    must(f"coding-last/{name}", "9112 6.3", NOT_LAST,
         chunked(CHUNKS, coding=b"Transfer-Encoding: " + value) + SMUGGLED, refuses(400, 501))

must("coding-last/two-lines", "9112 6.3", NOT_LAST,
     chunked(CHUNKS, b"Transfer-Encoding: gzip") + SMUGGLED, refuses(400, 501))

should("coding-unknown-501", "9112 6.1", "A transfer coding that is not known gets 501.",
       chunked(CHUNKS, coding=b"Transfer-Encoding: brotli, chunked"), answers(501))

should("coding-parameter", "9112 7.1", "A parameter of chunked is an error.",
       chunked(CHUNKS, coding=b"Transfer-Encoding: chunked;q=1") + SMUGGLED, refuses(400, 501))

should("coding-chunked-twice", "9112 6.1", "Chunked is not applied twice.",
       chunked(CHUNKS, coding=b"Transfer-Encoding: chunked, chunked") + SMUGGLED, refuses(400, 501))

must("coding-never-to-1.0", "9112 6.1", "No Transfer-Encoding in an answer to HTTP/1.0.",
     request(path=b"{list}", version=b"1.0"), without_coding)

# 9110 8.6: in answers

@must("length-of-answers", "9112 6.3",
      "Every answer's content is as long as its framing says: 20 answers in a row.")
def _(site):
    with site.connect() as connection:
        for path in (b"{static}", b"{none}", b"{list}", b"/") * 5:
            connection.send(site.expand(request(path=path)))
            response = connection.response()
            if path == b"{list}":
                json.loads(response.content)
        expect_open(connection, site)


should("length-413", "9110 15.5.14",
       "Content larger than the server takes gets 413 that can be read, or is taken.",
     post(b"Content-Length: 1000000000000", length=False), answers(413, 400))


@should("length-413-all-sent", "9112 9.6", "413 can be read also by a client that sends everything first.")
def _(site):
    response = ask(site, post(content=b"x" * site.resources.too_large))
    expect_status(response, (413,))
