"""Connections: persistence, pipelining, Connection, closing (RFC 9112 section 9), Upgrade (RFC 9110 7.8).

Left out: time limits; how long a server waits is its own business.
"""

from case import HalfClose, Pause, chunked, must, post, request, should
from checks import (accepts, answers, answers_then_ends, expect_open, expect_status, in_order, persists,
                    refuses, require, same_file, says_close)

NEXT = request(path=b"{none}")

# 9112 9.3: persistence

should("persist-1.1", "9112 9.3", "An HTTP/1.1 connection stays open.", request(), persists(200))

should("persist-error/404", "9112 9.3", "An error that has nothing to do with framing closes nothing.",
       request(path=b"{none}"), persists(404))

should("persist-error/405", "9112 9.3", "An error that has nothing to do with framing closes nothing.",
       request(method=b"DELETE"), persists(405, 501))

must("persist-1.0", "9112 9.3", "An HTTP/1.0 connection without keep-alive closes.",
     request(version=b"1.0") + NEXT, answers_then_ends(200))

must("persist-1.0-close-and-keep-alive", "9112 9.3", "close wins over keep-alive in HTTP/1.0.",
     request(b"Connection: keep-alive, close", version=b"1.0") + NEXT, answers_then_ends(200))


@must("persist-1.0-keep-alive", "9112 9.3",
      "A 1.0 connection with keep-alive stays open and says so, or closes.")
def _(site):
    with site.connect() as connection:
        connection.send(site.expand(request(b"Connection: Keep-Alive", version=b"1.0")))
        response = connection.response()
        expect_status(response, (200,))
        if "keep-alive" in response.members("Connection"):
            expect_open(connection, site)
        else:
            connection.expect_end()


# 9112 9.6: close

CLOSES = "The close option closes, in any case, place and line, and nothing behind it is processed."

for name, lines in {
    "plain": (b"Connection: close",),
    "capital": (b"Connection: Close",),
    "upper": (b"CONNECTION: CLOSE",),
    "last": (b"Connection: keep-alive, close",),
    "first": (b"Connection: close, keep-alive",),
    "middle": (b"Connection: foo,close,bar",),
    "tabs": (b"Connection:\t foo\t,\tclose\t",),
    "empty-elements": (b"Connection: , ,close, ,",),
    "second-line": (b"Connection: keep-alive", b"Connection: close"),
    "first-line": (b"Connection: close", b"Connection: keep-alive"),
    "apart": (b"Connection: TE", b"X-Between: 1", b"connection: cLoSe"),
}.items():
    must(f"close/{name}", "9112 9.6", CLOSES, request(*lines) + NEXT, answers_then_ends(200))

must("close/after-post", "9112 9.6", CLOSES, post(b"Connection: close") + NEXT, answers_then_ends())

must("close/after-chunks", "9112 9.6", CLOSES,
     chunked(b"5\r\nhello\r\n0\r\n\r\n", b"Connection: close") + NEXT, answers_then_ends())

must("close/after-404", "9112 9.6",
     CLOSES, request(b"Connection: close", path=b"{none}") + NEXT, answers_then_ends(404))


@must("close/after-head", "9112 9.6", CLOSES)
def _(site):
    with site.connect() as connection:
        connection.send(site.expand(request(b"Connection: close", method=b"HEAD") + NEXT))
        expect_status(connection.response("HEAD"), (200,))
        connection.expect_end()


should("close-is-said", "9112 9.6", "An answer in front of a close that the client asked for says close.",
       request(b"Connection: close"), says_close(200))

should("close-is-said-1.0", "9112 9.6", "An answer in front of the end of a 1.0 connection says close.",
       request(version=b"1.0"), says_close(200))

for name, octets in {
    "bad-line": b"GET\r\n\r\n",
    "no-host": request(host=b""),
    "bad-length": post(b"Content-Length: x", length=False),
    "bad-chunk": chunked(b"x\r\n"),
    "bad-field": request(b"X Y: z"),
}.items():
    should(f"close-is-said-by-refusal/{name}", "9112 9.6", "A refusal that ends the connection says close.",
           octets, says_close(400))

for name, value in {
    "suffix": b"closed", "prefix": b"xclose", "quotes": b'"close"', "two-words": b"not close",
}.items():
    should(f"close-trap/{name}", "9110 7.6.1", "Only the token close closes.",
           request(b"Connection: " + value), persists(200))

should("close-other-field", "9110 7.6.1", "The word close in another field closes nothing.",
       request(b"X-Connection: close", b"Proxy-Connection: close"), persists(200))

# 9112 9.3.2: pipelining

must("pipeline-order/three", "9112 9.3.2", "Pipelined requests are answered in order.",
     request() + request(path=b"{none}") + request(path=b"{list}"),
     in_order(("GET", (200,)), ("GET", (404,)), ("GET", (200,))))

must("pipeline-order/twenty", "9112 9.3.2", "Pipelined requests are answered in order.",
     (request() + request(path=b"{none}")) * 10, in_order(*(("GET", (200,)), ("GET", (404,))) * 10))

must("pipeline-methods", "9112 9.3.2", "Pipelined requests of several methods are answered in order.",
     request(method=b"HEAD") + post() + request() + chunked(b"5\r\nhello\r\n0\r\n\r\n")
     + request(path=b"{none}"),
     in_order(("HEAD", (200,)), ("POST", ("2xx",)), ("GET", (200,)), ("POST", ("2xx",)), ("GET", (404,))))

must("pipeline-cut", "9112 9.3.2", "A pipelined request that is cut is continued where it was.",
     [request() + b"GET {none} HTT", Pause(), b"P/1.1\r\nHo", Pause(), b"st: {host}\r\n\r\n"],
     in_order(("GET", (200,)), ("GET", (404,))))

must("pipeline-cut-at-content", "9112 9.3.2", "A pipelined content that comes later is waited for.",
     [request() + post(b"Content-Length: 5", length=False, content=b""), Pause(), b"hello"],
     in_order(("GET", (200,)), ("POST", ("2xx",))))


@must("pipeline-good-then-bad", "9112 9.3.2",
      "The good request in front of a bad one is answered; then 400 and the end.")
def _(site):
    with site.connect() as connection:
        connection.send(site.expand(request() + b"GET / HTTP/1.1\r\nHost : x\r\n\r\n" + request()))
        expect_status(connection.response(), (200,))
        expect_status(connection.response(), (400,))
        connection.expect_end()


@must("pipeline-close-in-second", "9112 9.6",
      "Nothing behind a request with close is processed, pipelined or not.")
def _(site):
    with site.connect() as connection:
        connection.send(site.expand(request() + request(b"Connection: close") + request() * 3))
        expect_status(connection.response(), (200,))
        expect_status(connection.response(), (200,))
        connection.expect_end()


should("pipeline-error-goes-on", "9112 9.3.2",
       "An error of one request does not keep the next from its answer.",
       post(path=b"{none}") + request(), in_order(("POST", (404, 405)), ("GET", (200,))))

# 9112 9.6: closing in stages

for name, octets in {
    "bad-line": b"GET\r\n\r\n",
    "no-host": request(host=b""),
    "bad-length": post(b"Content-Length: x", length=False),
}.items():
    should(f"linger-refusal/{name}", "9112 9.6",
           "A refusal can be read also by a client that was still sending 1 MiB.",
           [octets + b"x" * (1 << 20)], answers(400))

for name, path in {"404": b"{none}", "405": b"{static}"}.items():
    should(f"linger-content/{name}", "9112 9.6",
           "A refusal can be read also by a client that sends 1 MiB of content first.",
           post(path=path, content=b"x" * (1 << 20)), answers("4xx", 501))

should("linger-close", "9112 9.6", "The last answer survives what a client sends behind its close.",
       [request(b"Connection: close") + b"x" * (1 << 20)], same_file)


should("linger-late", "9112 9.6", "A refusal survives a client that goes on sending after it.",
       [request(host=b""), *(Pause(), b"x" * 10_000) * 3], answers(400))

for name, octets, expected in (
    ("get", request(), (("GET", 200),)),
    ("post", post(), (("POST", None),)),
    ("pipeline", request() + NEXT + request(), (("GET", 200), ("GET", 404), ("GET", 200))),
):
    def _half_closed(connection, _, expected=expected):
        for method, status in expected:
            expect_status(connection.response(method), (status or "2xx",))
        connection.expect_end()

    should(f"half-close/{name}", "9112 9.6",
           "A client's half-close is no abort: what was asked is answered, then the end.",
           [octets, HalfClose], _half_closed, on="plain")

should("half-close-in-head", "9112 8", "A head that is cut by the end gets 400 or just the end.",
       [b"GET {static} HTTP/1.1\r\nHo", HalfClose],
       lambda connection, _: require(not connection.has_bytes(3) or connection.response().status == 400,
                                     "an answer other than 400"), on="plain")


@must("silence-until-asked", "9112 9.3", "A server says nothing before it is asked.")
def _(site):
    with site.connect() as connection:
        require(not connection.has_bytes(0.3), "octets before any request")
        expect_open(connection, site)


# 9110 7.8: Upgrade

for name, fields in {
    "unknown": (b"Connection: Upgrade", b"Upgrade: flying/9"),
    "many": (b"Connection: upgrade, keep-alive", b"Upgrade: flying/9, diving/1"),
    "not-in-connection": (b"Upgrade: websocket",),
}.items():
    should(f"upgrade/{name}", "9110 7.8", "An Upgrade to what the server doesn't speak is ignored.",
           request(*fields), accepts(200))

must("upgrade-1.0", "9110 7.8", "Upgrade in HTTP/1.0 is ignored.",
     request(b"Connection: Upgrade", b"Upgrade: h2c", version=b"1.0"), same_file)

must("upgrade-h2c", "9110 7.8", "A server switches to no protocol that it does not speak.",
     request(b"Connection: Upgrade, HTTP2-Settings", b"Upgrade: h2c", b"HTTP2-Settings: AAMAAABkAAQAAP__"),
     accepts(200, 426))

should("upgrade-with-content", "9110 7.8", "A POST with an Upgrade that is ignored is an ordinary one.",
       post(b"Connection: upgrade", b"Upgrade: flying/9"), accepts())

must("refusal-ends-once", "9112 2.2", "A refused request gets one answer, whatever follows.",
     b"GET / HTTP/1.1\r\nHost : x\r\n\r\n" + request() * 5, refuses(400))
