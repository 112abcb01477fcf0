"""Expect: 100-continue (RFC 9110 section 10.1.1).

Left out: how long a client waits before it sends content all the same.
"""

from case import Pause, chunked, must, play, post, request, should
from checks import SURPLUS_SECONDS, accepts, answers, expect_open, expect_status, in_order, require

EXPECT = b"Expect: 100-continue"
GET_INSIDE = b"GET / HTTP/1.1\r\n" * 3 + b"xx"


def head_only(*fields, size=5, **options):
    """The head of a POST whose content stays with the client."""
    return post(b"Content-Length: %d" % size, *fields, length=False, content=b"", **options)


def continues(octets, content):
    """100, or a final answer, comes before any content; content then gets its answer."""
    def test(site):
        with site.connect() as connection:
            play(connection, site, [octets])
            response, interim = connection.interim()
            if not interim:
                expect_status(response, ("2xx", "4xx"))
                return
            require(response.status == 100, f"{response} instead of 100")
            play(connection, site, [content])
            expect_status(connection.response("POST"), ("2xx",))
            expect_open(connection, site)
    return test


BEFORE = "100 (Continue) or a final answer comes before the content does."

must("expect-100", "9110 10.1.1", BEFORE)(continues(head_only(EXPECT), b"hello"))

must("expect-100-case", "9110 10.1.1", BEFORE + " The expectation has no case.")(
    continues(head_only(b"EXPECT: 100-Continue"), b"hello"))

must("expect-100-chunked", "9110 10.1.1", BEFORE)(
    continues(chunked(b"", EXPECT), b"5\r\nhello\r\n0\r\n\r\n"))

must("expect-100-slow-content", "9110 10.1.1", BEFORE + " It then waits for all of it.")(
    continues(head_only(EXPECT, size=10), b"hello" b"world"))


@must("expect-100-once", "9110 10.1.1",
      "At most one 100 is sent, and the final answer follows the content.")
def _(site):
    with site.connect() as connection:
        play(connection, site, [head_only(EXPECT), Pause(0.3), b"he", Pause(), b"llo"])
        response = connection.response("POST")
        expect_status(response, ("2xx",))
        interim = [answer.status for answer in response.interim]
        require(interim in ([], [100]), f"interim answers {interim}")
        expect_open(connection, site)


@must("expect-100-in-1.0", "9110 10.1.1",
      "A 100-continue expectation in HTTP/1.0 is ignored: no interim answer.")
def _(site):
    with site.connect() as connection:
        play(connection, site, [head_only(EXPECT, version=b"1.0"), Pause(0.5), b"hello"])
        response = connection.response("POST")
        expect_status(response, ("2xx",))
        require(not response.interim, "an interim answer to HTTP/1.0")


must("expect-with-content", "9110 10.1.1", "A final answer comes when the content came with the head.",
     post(EXPECT), accepts())

must("expect-without-content", "9110 10.1.1",
     "A request without content gets its final answer, whatever it expects.",
     request(EXPECT), accepts(200, 417))

must("expect-pipelined", "9110 10.1.1", "An expectation does not upset what is pipelined around it.",
     request() + post(EXPECT) + request(), in_order(("GET", (200,)), ("POST", ("2xx",)), ("GET", (200,))))

should("expect-none-no-100", "9110 15.2", "No interim answer to a request that expects none.",
       [head_only(), Pause(0.3), b"hello"],
       lambda connection, _: require(not connection.response("POST").interim, "an interim answer"))


def refused(*fields, path, allowed):
    """A final status before content; what comes all the same is read, or the connection closed."""
    def test(site):
        with site.connect() as connection:
            play(connection, site, [head_only(EXPECT, *fields, size=50, path=path)])
            response, interim = connection.interim()
            if interim:
                play(connection, site, [GET_INSIDE])
                response = connection.response("POST")
                expect_status(response, allowed)
                expect_open(connection, site)
                return
            expect_status(response, allowed)
            if "close" in response.members("Connection"):
                connection.expect_end()
                return
            play(connection, site, [GET_INSIDE])
            require(not connection.has_bytes(SURPLUS_SECONDS), "a second answer: content became a request")
            if not connection.end:
                expect_open(connection, site)
    return test


for name, target in {"404": b"{none}", "405": b"{static}"}.items():
    must(f"expect-refused-{name}", "9110 10.1.1",
         "Content behind a refusal without 100 is read, or the connection closed; it is no request.")(
        refused(path=target, allowed=("4xx", 501)))


@should("expect-too-large", "9110 10.1.1",
        "Content that is announced as too large is refused in front of it, without 100.")
def _(site):
    with site.connect() as connection:
        play(connection, site, [head_only(EXPECT, size=1 << 40)])
        response, interim = connection.interim()
        require(not interim, f"{response} for 1 TiB")
        expect_status(response, (413, 417))


should("expect-unknown", "9110 10.1.1", "An unknown expectation gets 417 or is passed over.",
       post(b"Expect: a-miracle"), answers("2xx", 417))

should("expect-100-with-other", "9110 10.1.1",
       "100-continue beside an unknown expectation gets 417 or is passed over.",
       post(b"Expect: 100-continue, a-miracle"), answers("2xx", 417))

should("expect-100-trap", "9110 10.1.1", "Only the token 100-continue is one.",
       post(b"Expect: 100-continued"), answers("2xx", 417))
