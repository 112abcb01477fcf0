"""Preconditions and their order (RFC 9110 section 13). If-Range is in ranges.py.

Left out: conditions on methods that change a resource; what is served here is read-only.
"""

import email.utils
import time

from case import must, post, request, should
from checks import answers, ask, expect_status, require, same_file
from wire import Unsupported

MATCH = b"If-None-Match: {etag}"
OLD = "Sat, 29 Oct 1994 19:43:31 GMT"


def dates(moment):
    """The three spellings of a moment: IMF-fixdate, RFC 850, asctime."""
    parts = time.gmtime(moment)
    return {
        "imf": time.strftime("%a, %d %b %Y %H:%M:%S GMT", parts),
        "rfc850": time.strftime("%A, %d-%b-%y %H:%M:%S GMT", parts),
        "asctime": time.asctime(parts),
    }


def modified(site):
    """When the file changed, in seconds."""
    if not site.modified:
        raise Unsupported("no Last-Modified")
    return email.utils.parsedate_to_datetime(site.modified).timestamp()


def not_modified(connection, site):
    """304 with the file's tag."""
    response = connection.response()
    expect_status(response, (304,))
    require(response.value("ETag") == site.etag, "304 without the file's ETag")


# 13.1.2: If-None-Match

for name, lines in {
    "equal": (MATCH,),
    "star": (b"If-None-Match: *",),
    "weak": (b'If-None-Match: W/"{tail}"',),
    "in-list": (b'If-None-Match: "a", {etag}, "b"',),
    "behind-comma-in-tag": (b'If-None-Match: "a,b", {etag}',),
    "behind-odd-tag": (b'If-None-Match: "", W/"\\", {etag}',),
    "no-blanks": (b'If-None-Match: "a",{etag},"b"',),
}.items():
    must(f"none-match-equal/{name}", "9110 13.1.2",
         "If-None-Match with an equal tag (weakly compared) gets 304.",
         request(*lines), not_modified)

for name, value in {
    "other": b'"other"',
    "tag-within-tag": b'"a,{tail}"',
    "prefix": b'"{tail}-"',
    "w-lower-case": b'w/"other", "{tail}x"',
}.items():
    must(f"none-match-unequal/{name}", "9110 13.1.2", "If-None-Match without an equal tag gets the file.",
         request(b"If-None-Match: " + value), same_file)

should("none-match-quoted-star", "9110 13.1.2", "A star in quotes is an ordinary tag.",
       request(b'If-None-Match: "*"'), same_file)

must("preconditions-404/none-match", "9110 13.2.1", "Preconditions do not change a 404.",
     request(b"If-None-Match: *", path=b"{none}"), answers(404))

must("none-match-405", "9110 13.2.1", "Preconditions do not change a 405.",
     request(b"If-None-Match: *", b"Content-Length: 0", method=b"PUT"), answers(405, 501))

must("none-match-head", "9110 13.1.2", "If-None-Match holds for HEAD.",
     request(MATCH, method=b"HEAD"), answers(304, method="HEAD"))

# 13.1.1: If-Match

for name, lines in {
    "equal": (b"If-Match: {etag}",),
    "star": (b"If-Match: *",),
    "in-list": (b'If-Match: "a", {etag}',),
    "behind-comma-in-tag": (b'If-Match: "a,b", {etag}',),
}.items():
    must(f"match-true/{name}", "9110 13.1.1",
         "If-Match with an equal strong tag is true.", request(*lines), same_file)

for name, value in {
    "other": b'"other"',
    "weak": b'W/"{tail}"',
    "tag-within-tag": b'"a,{tail}"',
}.items():
    must(f"match-false/{name}", "9110 13.1.1", "If-Match without an equal strong tag gets 412.",
         request(b"If-Match: " + value), answers(412))

must("preconditions-404/match", "9110 13.2.1", "Preconditions do not change a 404.",
     request(b"If-Match: *", path=b"{none}"), answers(404))

must("match-head", "9110 13.1.1", "If-Match holds for HEAD.",
     request(b'If-Match: "other"', method=b"HEAD"), answers(412, method="HEAD"))

# 13.1.3, 13.1.4, 5.6.7: dates

for spelling in ("imf", "rfc850", "asctime"):
    def _since_equal(site, spelling=spelling):
        spellings = dates(modified(site))
        status = ask(site, request(b"If-Modified-Since: " + spellings["imf"].encode())).status
        require(spelling != "imf" or status == 304, f"{status} instead of 304")
        response = ask(site, request(b"If-Modified-Since: " + spellings[spelling].encode()))
        expect_status(response, (status,))

    def _since_old(site, spelling=spelling):
        value = dates(modified(site) - 86_400)[spelling].encode()
        expect_status(ask(site, request(b"If-Modified-Since: " + value)), (200,))

    def _unmodified_old(site, spelling=spelling):
        value = dates(modified(site) - 86_400)[spelling].encode()
        expect_status(ask(site, request(b"If-Unmodified-Since: " + value)), (412,))

    def _unmodified_equal(site, spelling=spelling):
        value = dates(modified(site))[spelling].encode()
        expect_status(ask(site, request(b"If-Unmodified-Since: " + value)), (200,))

    if spelling == "imf":
        should("since-equal-imf", "9110 13.1.3",
               "If-Modified-Since of the very second gets 304.")(_since_equal)
    else:
        must(f"since-equal/{spelling}", "9110 5.6.7",
             "If-Modified-Since reads all three date formats alike.")(
            _since_equal)
    must(f"since-old/{spelling}", "9110 13.1.3",
         "If-Modified-Since of a day before gets the file.")(_since_old)
    must(f"unmodified-old/{spelling}", "9110 13.1.4",
         "If-Unmodified-Since of a day before gets 412.")(_unmodified_old)
    must(f"unmodified-equal/{spelling}", "9110 13.1.4", "If-Unmodified-Since of the very second is true.")(
        _unmodified_equal)


@should("since-later", "9110 13.1.3", "If-Modified-Since of a later date gets 304.")
def _(site):
    value = dates(modified(site) + 60)["imf"].encode()
    expect_status(ask(site, request(b"If-Modified-Since: " + value)), (304,))


must("since-1994-rfc850", "9110 5.6.7", "A two-digit year more than 50 years ahead is in the past.",
     request(b"If-Modified-Since: Saturday, 29-Oct-94 19:43:31 GMT"), same_file)

for name, value in {
    "word": b"yesterday",
    "empty": b"",
    "day-32": b"Sat, 32 Oct 2094 19:43:31 GMT",
    "february-30": b"Tue, 30 Feb 2094 19:43:31 GMT",
    "hour-25": b"Fri, 29 Oct 2094 25:43:31 GMT",
    "number": b"3939202800",
    "rfc3339": b"2094-10-29T19:43:31Z",
}.items():
    must(f"since-invalid/{name}", "9110 13.1.3", "An invalid date is ignored: the file comes.",
         request(b"If-Modified-Since: " + value), same_file)
    if name in ("word", "day-32", "hour-25"):
        old = value.replace(b"2094", b"1994")
        must(f"unmodified-invalid/{name}", "9110 13.1.4", "An invalid date is ignored: the file comes.",
             request(b"If-Unmodified-Since: " + old), same_file)

should("since-invalid-zone", "9110 5.6.7", "HTTP dates end with GMT; another zone makes them invalid.",
       request(b"If-Modified-Since: Fri, 29 Oct 2094 19:43:31 +0000"), same_file)

must("since-post", "9110 13.1.3", "If-Modified-Since is for GET and HEAD only.",
     post(b"If-Modified-Since: {modified}"), answers("2xx"))

must("preconditions-404/unmodified", "9110 13.2.1", "Preconditions do not change a 404.",
     request(b"If-Unmodified-Since: " + OLD.encode(), path=b"{none}"), answers(404))

must("since-head", "9110 13.1.3", "If-Modified-Since holds for HEAD.",
     request(b"If-Modified-Since: {modified}", method=b"HEAD"), answers(304, method="HEAD"))

# 13.2.2: the order

for name, lines, status in (
    ("none-match-beats-since", (b'If-None-Match: "other"', b"If-Modified-Since: {modified}"), 200),
    ("none-match-beats-old-since", (MATCH, b"If-Modified-Since: " + OLD.encode()), 304),
    ("match-beats-unmodified", (b"If-Match: {etag}", b"If-Unmodified-Since: " + OLD.encode()), 200),
    ("match-before-none-match", (MATCH, b'If-Match: "other"'), 412),
    ("match-then-none-match", (b"If-Match: {etag}", MATCH), 304),
    ("unmodified-before-none-match", (MATCH, b"If-Unmodified-Since: " + OLD.encode()), 412),
    ("match-then-since", (b"If-Match: {etag}", b"If-Modified-Since: {modified}"), 304),
):
    must(f"order/{name}", "9110 13.2.2", "Conditions are evaluated in the order of the RFC.",
         request(*lines), answers(status))


# 15.4.5: what 304 carries

for name, options in {
    "static": {}, "link-file": {"path": b"{named}", "host": b"Host: {named_host}\r\n"},
}.items():
    def _repeats(site, options=options):
        full = ask(site, request(**options))
        tag = (full.value("ETag") or "").encode("latin-1")
        response = ask(site, request(b"If-None-Match: " + tag, **options))
        expect_status(response, (304,))
        for field in ("Cache-Control", "Content-Location", "ETag", "Expires", "Vary"):
            require(response.lines(field) == full.lines(field),
                    f"{field} {response.lines(field)} instead of {full.lines(field)}")
        require(response.lines("Date"), "no Date")

    must(f"304-fields/{name}", "9110 15.4.5",
         "304 repeats the fields of the 200 that tell caches about it.")(_repeats)


@should("304-lean", "9110 15.4.5", "304 has no metadata of content that it doesn't have.")
def _(site):
    response = ask(site, request(MATCH))
    expect_status(response, (304,))
    extra = [name for name in ("Content-Type", "Content-Encoding", "Content-Range") if response.lines(name)]
    require(not extra, f"304 with {extra}")


@must("304-length", "9110 8.6", "Content-Length of a 304 is that of the 200, or left out.")
def _(site):
    response = ask(site, request(MATCH))
    expect_status(response, (304,))
    length = response.value("Content-Length")
    require(length in (None, str(len(site.plain.content))), f"304 with Content-Length {length}")
