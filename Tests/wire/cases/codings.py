"""Content codings: Accept-Encoding, Vary, tags by coding, coded requests (RFC 9110 8.4, 12.5.3, 12.5.5).

Left out: codings other than gzip; whether a server has them is its own business.
"""

import gzip
import zlib

from case import must, post, request, should
from checks import ask, expect_status, require
from wire import Unsupported, Violation

GZIP = b"Accept-Encoding: gzip"


def decoded(response):
    """The content without its coding; raises unless the coding is what it says."""
    coding = response.value("Content-Encoding")
    if coding is None:
        return response.content
    require(coding.lower() in ("gzip", "x-gzip"), f"Content-Encoding {coding}")
    try:
        return gzip.decompress(response.content)
    except (OSError, EOFError, zlib.error) as error:
        raise Violation(f"content that is no gzip: {error}") from error


def accepting(level, name, lines, codings, requirement, section="9110 12.5.3"):
    """Asks for the file with these Accept-Encoding lines; its coding must be one of `codings`."""
    def test(site):
        if codings == ("gzip",) or "gzip" not in codings:
            site.needs_gzip()
        response = ask(site, request(*(b"Accept-Encoding: " + line for line in lines)))
        if response.status == 406 and 406 in codings:
            return
        expect_status(response, (200,))
        coding = response.value("Content-Encoding") or "identity"
        require(coding.lower() in codings, f"the file comes in {coding}")
        require(decoded(response) == site.plain.content, "it decodes to something else")
    level(f"accept-{name}", section, requirement)(test)


for name, line in {
    "gzip": b"gzip",
    "upper-case": b"GZIP",
    "among-many": b"br, deflate, gzip, zstd",
    "with-weight": b"gzip;q=1.0",
    "low-weight": b"gzip;q=0.001, deflate",
    "blanks": b" gzip ; q=0.5 ",
    "empty-elements": b", ,gzip,",
    "no-other": b"*;q=0, gzip",
    "no-identity": b"identity;q=0, gzip",
    "gzip-preferred": b"identity;q=0.1, gzip;q=0.9",
    "star": b"*",
}.items():
    # A server may send identity to whoever accepts it, but it has said that it compresses.
    accepting(should, f"gzip/{name}", (line,), ("gzip", "identity") if name == "star" else ("gzip",),
              "A client that prefers gzip gets gzip.")

NOT_GZIP = "A client that doesn't accept gzip doesn't get it."

for name, lines in {
    "q-0": (b"gzip;q=0",),
    "q-0.000": (b"gzip;q=0.000",),
    "q-0-blanks": (b"gzip ;\tq=0",),
    "q-0-upper-case": (b"gzip;Q=0",),
    "q-0-and-star": (b"gzip;q=0, *",),
    "q-0-second-line": (b"br", b"gzip;q=0"),
    "empty": (b"",),
    "identity": (b"identity",),
    "others": (b"br, deflate, zstd",),
    "substring-x": (b"xgzip",),
    "substring-suffix": (b"gzipped",),
    "substring-dash": (b"not-gzip",),
    "parameter-of-other": (b"br;x=gzip",),
    "identity-preferred": (b"gzip;q=0.1, identity;q=0.9",),
    "star-0": (b"identity, *;q=0",),
}.items():
    accepting(should, f"not-gzip/{name}", lines, ("identity",), NOT_GZIP)

accepting(should, "nothing-possible", (b"identity;q=0, *;q=0",), ("gzip", "identity", 406),
          "Nothing acceptable: 406, or the file all the same.")

must("coding-decodes", "9110 8.4", "What calls itself gzip decodes to the file.")(
    lambda site: require(decoded(site.zipped) == site.plain.content, "it decodes to something else"))


@must("coding-tags-differ", "9110 8.8.3.3", "Representations of different codings share no strong tag.")
def _(site):
    site.needs_gzip()
    tag, other = site.plain.value("ETag"), site.zipped.value("ETag")
    require(tag is None or tag.startswith("W/") or tag != other, f"both have {tag}")


@must("coding-list-decodes", "9110 8.4", "A JSON list in gzip decodes to the list.")
def _(site):
    plain = ask(site, request(path=b"{list}", version=b"1.1"))
    zipped = ask(site, request(GZIP, path=b"{list}"))
    require(decoded(zipped)[:1] == plain.content[:1], "it decodes to something else")


for name, fields, method, statuses in (
    ("identity", (), b"GET", (200,)),
    ("gzip", (GZIP,), b"GET", (200,)),
    ("refused", (b"Accept-Encoding: gzip;q=0",), b"GET", (200,)),
    ("head", (GZIP,), b"HEAD", (200,)),
    ("304", (b"If-None-Match: {etag}",), b"GET", (304,)),
    ("206", (b"Range: bytes=0-9",), b"GET", (206, 200)),
):
    def _varies(site, fields=fields, method=method, statuses=statuses):
        site.needs_gzip()
        response = ask(site, request(*fields, method=method), method.decode())
        expect_status(response, statuses)
        members = response.members("Vary")
        require("accept-encoding" in members or "*" in members, f"{response} with Vary {members}")

    should(f"vary/{name}", "9110 12.5.5",
           "Vary names Accept-Encoding on every form of a negotiated file.")(_varies)


@must("coding-304", "9110 13.1.2", "A gzip representation's tag gets 304 with that tag.")
def _(site):
    site.needs_gzip()
    tag = site.zipped.value("ETag") or ""
    response = ask(site, request(GZIP, b"If-None-Match: " + tag.encode("latin-1")))
    expect_status(response, (304,))
    require(response.value("ETag") == tag, f"304 with ETag {response.value('ETag')}")
    require(response.lines("Vary") == site.zipped.lines("Vary"), "304 with another Vary")


@must("coding-304-not-across", "9110 8.8.3.3",
      "The tag of one coding is no match for another, when they differ strongly.")
def _(site):
    site.needs_gzip()
    tags = [(response.value("ETag") or "").removeprefix("W/") for response in (site.plain, site.zipped)]
    response = ask(site, request(GZIP, b"If-Match: " + tags[0].encode("latin-1")))
    expect_status(response, (200, 412))
    if response.status == 200:
        require(response.value("ETag") == tags[0], "another representation than the one that was matched")


@should("coding-no-identity-word", "9110 12.5.3", "Content-Encoding never says identity.")
def _(site):
    codings = ask(site, request()).members("Content-Encoding")
    require("identity" not in codings, f"Content-Encoding {codings}")


@must("coding-type-is-the-file's", "9110 8.3", "Content-Type is that of the file within the coding.")
def _(site):
    site.needs_gzip()
    require(site.zipped.lines("Content-Type") == site.plain.lines("Content-Type"), "another Content-Type")


# Content-Encoding of requests

def sent(name, level, coding, content, statuses, requirement, then=None):
    """A POST whose content claims a coding."""
    def test(site):
        response = ask(site, post(b"Content-Encoding: " + coding, content=content), "POST")
        expect_status(response, statuses)
        if then:
            then(site, response)
    level(f"content-{name}", "9110 8.4", requirement)(test)


def _tells_codings(_, response):
    if response.status != 415:
        raise Unsupported("no 415")
    require(response.lines("Accept-Encoding"), "415 without Accept-Encoding")


def _holds_hello(site, response):
    if response.status // 100 == 2:
        held = site.stored_content(response)
        require(held in (b"hello", gzip.compress(b"hello", mtime=0)), f"the server holds {held!r}")


sent("gzip", should, b"gzip", gzip.compress(b"hello", mtime=0), ("2xx", 415),
     "Content in gzip is taken, decoded or as it is, or gets 415.", _holds_hello)
sent("gzip-upper-case", should, b"GZIP", gzip.compress(b"hello", mtime=0), ("2xx", 415),
     "Codings have no case.")
sent("gzip-broken", must, b"gzip", b"this is no gzip", ("2xx", 400, 415, 422),
     "Broken gzip is a client's mistake.")
sent("gzip-cut", must, b"gzip", gzip.compress(b"hello" * 100)[:-12], ("2xx", 400, 415, 422),
     "Gzip that is cut off is a client's mistake.")
sent("gzip-bomb", must, b"gzip", gzip.compress(bytes(64 << 20), 9), ("2xx", 400, 413, 415),
     "Gzip that grows beyond the limit is refused, and the server lives.")
sent("unknown-coding", should, b"brotli-of-tomorrow", b"hello", (415,), "An unknown coding gets 415.")
sent("unknown-coding-says", should, b"brotli-of-tomorrow", b"hello", ("2xx", 415),
     "415 for a coding says in Accept-Encoding which ones would do.", _tells_codings)
sent("identity-coding", should, b"identity", b"hello", ("2xx", 415),
     "identity is no coding: content as it is, or 415.")
