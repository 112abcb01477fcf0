"""Paths: escapes, dot segments, staying inside the folder that is served (RFC 3986, RFC 9110 4.2.3, 17.3).

Invariant: an answer that holds a word of an outside file is a leak, whatever its status.
Left out: how a path becomes a file otherwise.
"""

from case import must, request, should
from checks import answers, ask, expect_status, require

INSIDE = "A path never leaves the folder that is served."

CLIMBS = {
    "plain": b"/../",
    "under-a-name": b"/x/../../",
    "escaped": b"/%2e%2e/",
    "escaped-upper-case": b"/%2E%2E/",
    "half-escaped": b"/.%2e/",
    "slash-escaped": b"/..%2f",
    "all-escaped": b"/%2e%2e%2f",
    "backslash": b"/..\\",
    "backslash-escaped": b"/..%5c",
    "twice-escaped": b"/%252e%252e/",
    "overlong-dots": b"/%c0%ae%c0%ae/",
    "overlong-slash": b"/..%c0%af",
    "wide-dots": b"/%ef%bc%8e%ef%bc%8e/",
    "doubled": b"/....//",
    "with-parameter": b"/..;/",
    "with-nul": b"/..%00/",
    "double-slash": b"//../",
}

for name, climb in CLIMBS.items():
    def _stays_inside(site, climb=climb):
        for depth in (1, 2, 8):
            for tail, word in site.resources.outside:
                response = ask(site, request(path=climb[:1] + climb[1:] * depth + tail.encode()))
                expect_status(response, (200, 301, 302, 307, 308, "4xx"))
                require(word not in response.content, f"{tail} came out")

    must(f"path-climb/{name}", "9110 17.3", INSIDE)(_stays_inside)


for name, target in {
    "double-slash": b"//etc/passwd",
    "escaped-slash": b"/%2fetc/passwd",
    "absolute": b"{scheme}://{host}/../../../../etc/passwd",
    "absolute-escaped": b"{scheme}://{host}/%2e%2e/%2e%2e/%2e%2e/%2e%2e/%2e%2e/etc/passwd",
    "file-url": b"/file:///etc/passwd",
}.items():
    def _not_the_system(site, target=target):
        response = ask(site, request(path=target))
        expect_status(response, (200, 301, 302, 308, "4xx"))
        require(b"root:" not in response.content, "/etc/passwd came out")

    must(f"path-system/{name}", "9110 17.3", INSIDE)(_not_the_system)

for name, target in {
    "nul-at-end": b"{static}%00",
    "nul-and-suffix": b"{static}%00.html",
    "nul-first": b"/%00{static}",
}.items():
    must(f"path-nul/{name}", "3986 7.3", "An escaped NUL ends no name: the file does not come.",
         request(path=target), answers(400, 403, 404))

for name, target in {
    "invalid-utf-8": b"/%ff%fe",
    "overlong-utf-8": b"/%c0%80",
    "surrogate": b"/%ed%a0%80",
    "control": b"/%01%7f",
    "long-segment": b"/" + b"s" * 5_000,
    "many-segments": b"/s" * 2_000,
    "dots": b"/...",
    "tilde": b"/~root",
    "colon": b"/a:b",
    "folder-escaped": b"/.well-known%2f",
}.items():
    must(f"path-odd/{name}", "9110 15.6", "An odd path is a client's mistake, not a server error.",
         request(path=target), answers(400, 403, 404, 414))


@must("path-injects-nothing", "9110 17.5",
      "An escaped line end in a path makes no field line of an answer.")
def _(site):
    evil = b"%0d%0aX-Evil:%20yes"
    for target in (b"/" + evil, b"/.well-known" + evil + b"/..", b"{post}" + evil):
        for method in (b"GET", b"POST"):
            response = ask(site, request(b"Content-Length: 0", method=method, path=target))
            require(not response.lines("X-Evil"), f"a field line came out of {target.decode()}")


def _same(site, target, statuses):
    response = ask(site, request(path=target))
    expect_status(response, statuses)
    require(response.status != 200 or response.content == site.plain.content, "another content")


def escaped(path, upper=True):
    """The path's last letters as escapes."""
    return b"/" + b"".join(b"%%%02X" % octet if upper else b"%%%02x" % octet for octet in path.encode()[1:])


must("path-unreserved-escaped", "9110 4.2.3",
     "An escaped unreserved character is the same as the character.")(
    lambda site: _same(site, escaped(site.resources.static), (200,)))

must("path-unreserved-escaped-lower", "3986 6.2.2.1", "Hexadecimal digits of an escape have no case.")(
    lambda site: _same(site, escaped(site.resources.static, upper=False), (200,)))

for name, prefix in {
    "one": b"/.", "up-and-down": b"/x/..", "deep": b"/a/b/../..", "above-the-root": b"/..",
    "escaped": b"/x/%2e%2e",
}.items():
    should(f"path-dots/{name}", "3986 5.2.4",
           "Dot segments are resolved, or the target is refused; no other file comes.")(
        lambda site, prefix=prefix: _same(site, prefix + site.resources.static.encode(),
                                          (200, 301, 308, 400, 404)))

should("path-slash-escaped", "3986 2.2", "An escaped slash is data, no separator.",
       request(path=b"/.well-known%2Fapple-app-site-association", host=b"Host: {named_host}\r\n"),
       answers(400, 404))

should("path-escape-once", "3986 2.4", "Escapes are decoded once: %2573 is not an s.",
       request(path=b"/%25" + b"2e" + b"{static}"), answers(400, 404))

should("path-plus-is-plus", "3986 2.2", "A plus sign in a path is no blank.",
       request(path=b"{static}+"), answers(404))

should("path-parameter-is-data", "3986 3.3", "A semicolon and what follows are part of the segment.",
       request(path=b"{static};v=1"), answers(404))


@should("path-case", "9110 4.2.3", "Paths have case.")
def _(site):
    expect_status(ask(site, request(path=site.resources.static.upper().encode())), (404,))


must("query-empty", "3986 3.4", "An empty query changes no file.")(
    lambda site: _same(site, site.resources.static.encode() + b"?", (200,)))
