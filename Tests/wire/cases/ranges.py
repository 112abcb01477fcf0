"""Ranges and If-Range (RFC 9110 sections 13.1.5 and 14).

Invariant: a server may ignore Range, so MUST cases take the whole file too; a 206 must be true.
Left out: ranges of anything but the static file.
"""

import email.utils
import re

from case import post, request, must, should
from checks import accepts, answers, ask, expect_date, expect_status, explains, require
from wire import Unsupported, Violation

CONTENT_RANGE = re.compile(r"bytes (\d+)-(\d+)/(\d+)")


def parts(response):
    """(first, last, complete, octets) of each part; one for an answer that isn't multipart."""
    kind = response.value("Content-Type") or ""
    if not kind.lower().startswith("multipart/byteranges"):
        return [_part(response.value("Content-Range"), response.content)]
    require(not response.lines("Content-Range"), "Content-Range on top of multipart/byteranges")
    match = re.search(r'boundary="?([^";]{1,70})"?', kind)
    require(match, f"no boundary: {kind}")
    delimiter = b"--" + match[1].encode()
    pieces = (b"\r\n" + response.content).split(b"\r\n" + delimiter)
    require(pieces[-1].startswith(b"--"), "no closing delimiter")
    found = []
    for piece in pieces[1:-1]:
        head, separator, octets = piece.lstrip(b" \t").partition(b"\r\n\r\n")
        require(separator and head.startswith(b"\r\n"), "a part without header section")
        fields = dict(line.split(b": ", 1) for line in head[2:].split(b"\r\n"))
        value = {name.lower(): value for name, value in fields.items()}.get(b"content-range", b"")
        found.append(_part(value.decode("latin-1"), octets))
    return found


def _part(content_range, octets):
    match = CONTENT_RANGE.fullmatch(content_range or "")
    require(match, f"206 with Content-Range {content_range!r}")
    first, last, complete = map(int, match.groups())
    require(first <= last < complete, f"Content-Range {content_range}")
    require(len(octets) == last - first + 1, f"{len(octets)} octets for Content-Range {content_range}")
    return first, last, complete, octets


def true_parts(response, whole):
    """The (first, last) of an answer in 206, after a comparison with the whole content."""
    spans = []
    for first, last, complete, octets in parts(response):
        require(complete == len(whole), f"a complete length of {complete}, not {len(whole)}")
        require(octets == whole[first:last + 1], f"other octets than those at {first}-{last}")
        spans.append((first, last))
    return spans


def range_case(level, name, value, spans, requirement, section="9110 14.2", also=(), fields=()):
    """A Range that gets just these spans (functions of the length), or a status in `also`."""
    def test(site):
        whole = site.plain.content
        response = ask(site, request(b"Range: " + value, *fields))
        if response.status == 206:
            expected = [(first % len(whole), last % len(whole)) for first, last in spans]
            got = true_parts(response, whole)
            require(got == expected, f"206 with {got} instead of {expected}")
        elif response.status in also:
            require(response.status != 200 or response.content == whole, "200 with other content")
        else:
            possible = [206] * bool(spans) + list(also)
            raise Violation(f"{response} instead of {' or '.join(map(str, possible))}")
    level(f"range-{name}", section, requirement)(test)


SERVED = "A satisfiable range gets 206 with just these octets."

for name, value, span in (
    ("first-100", b"bytes=0-99", (0, 99)),
    ("one-octet", b"bytes=0-0", (0, 0)),
    ("middle", b"bytes=500-599", (500, 599)),
    ("open", b"bytes=1000-", (1000, -1)),
    ("suffix", b"bytes=-100", (-100, -1)),
    ("whole", b"bytes=0-", (0, -1)),
    ("beyond-the-end", b"bytes=1500-99999999", (1500, -1)),
    ("suffix-too-long", b"bytes=-99999999", (0, -1)),
    ("unit-upper-case", b"BYTES=0-99", (0, 99)),
    ("leading-zeros", b"bytes=000-0099", (0, 99)),
    ("empty-elements", b"bytes=,0-99,", (0, 99)),
):
    range_case(should, f"served/{name}", value, (span,), SERVED)

TRUE = "A partial answer is true; the whole file is allowed."

for name, value, span in (
    ("first", b"bytes=0-99", (0, 99)),
    ("suffix", b"bytes=-1", (-1, -1)),
    ("open", b"bytes=1-", (1, -1)),
    ("beyond", b"bytes=9-99999999999", (9, -1)),
):
    range_case(must, f"true/{name}", value, (span,), TRUE, also=(200,))

HUGE = "A huge number does not wrap: it is beyond the end."

for name, value, spans in (
    ("last", b"bytes=0-18446744073709551616", ((0, -1),)),
    ("last-wraps-behind-first", b"bytes=5-18446744073709551626", ((5, -1),)),
    ("suffix", b"bytes=-18446744073709551626", ((0, -1),)),
    ("first", b"bytes=18446744073709551616-", ()),
    ("both", b"bytes=18446744073709551616-18446744073709551617", ()),
    ("first-100-digits", b"bytes=" + b"9" * 100 + b"-", ()),
):
    range_case(must, f"huge/{name}", value, spans, HUGE, "9110 14.1.1", (200, 400, 416))

for name, value in {"other": b"lines=0-5", "prefix": b"bytesize=0-5"}.items():
    range_case(must, f"unknown-unit/{name}", value, (),
               "A range in an unknown unit is ignored.", also=(200,))

INVALID = "An invalid range is ignored or refused, never guessed at."

for name, value in {
    "last-before-first": b"bytes=5-2",
    "letters": b"bytes=a-b",
    "no-numbers": b"bytes=-",
    "empty": b"bytes=",
    "no-equals": b"bytes 0-5",
    "signed": b"bytes=+0-+5",
    "wide-digits": b"bytes=\xef\xbc\x90-\xef\xbc\x95",
    "blank-inside": b"bytes=0 - 5",
    "one-bad-of-two": b"bytes=0-5,x-9",
}.items():
    range_case(should, f"invalid/{name}", value, (), INVALID, "9110 14.1.1", (200, 400, 416))

# Multipart

def expect_206(response):
    """The answer itself, when it is partial."""
    expect_status(response, (206,))
    return response


@should("range-two", "9110 14.6",
        "Two ranges get 206: multipart/byteranges, each part with its Content-Range.")
def _(site):
    response = expect_206(ask(site, request(b"Range: bytes=0-9,200-299")))
    spans = true_parts(response, site.plain.content)
    require(spans == [(0, 9), (200, 299)], f"parts {spans}")


@must("range-two-true", "9110 15.3.7.2",
      "What a multipart answer says of its parts is true; the whole file is allowed.")
def _(site):
    response = ask(site, request(b"Range: bytes=0-9,-10"))
    expect_status(response, (206, 200))
    if response.status == 206:
        spans = true_parts(response, site.plain.content)
        size = len(site.plain.content)
        require(set(spans) <= {(0, 9), (size - 10, size - 1)}, f"parts {spans}")


@must("range-one-never-multipart", "9110 15.3.7.2", "One range never gets multipart/byteranges.")
def _(site):
    response = ask(site, request(b"Range: bytes=0-9"))
    require(not (response.value("Content-Type") or "").startswith("multipart/"), "multipart for one range")


@should("range-one-of-two-satisfiable", "9110 15.3.7.2",
        "An unsatisfiable range beside a satisfiable one is left out.")
def _(site):
    response = expect_206(ask(site, request(b"Range: bytes=0-9,99999999-")))
    require(true_parts(response, site.plain.content) == [(0, 9)], "other parts than the satisfiable one")


@should("range-overlapping-many", "9110 14.2",
        "Many overlapping ranges make no answer much larger than the file.")
def _(site):
    response = ask(site, request(b"Range: bytes=" + b",".join([b"0-"] * 200)))
    expect_status(response, (200, 206, 400, 416))
    require(len(response.content) < 3 * len(site.plain.content), f"{len(response.content)} octets")


@should("range-tiny-many", "9110 14.2", "Very many small ranges make no answer much larger than the file.")
def _(site):
    ranges = b",".join(b"%d-%d" % (place, place) for place in range(0, 2_000, 2))
    response = ask(site, request(b"Range: bytes=" + ranges))
    expect_status(response, (200, 206, 400, 416))
    require(len(response.content) < 3 * len(site.plain.content), f"{len(response.content)} octets")


# 15.5.17: 416

def _unsatisfiable(site, value):
    response = ask(site, request(b"Range: " + value))
    expect_status(response, (416,))
    expected = f"bytes */{len(site.plain.content)}"
    require(response.value("Content-Range") == expected, f"Content-Range {response.value('Content-Range')}")


for name, value in {
    "beyond": b"bytes=99999999-", "beyond-span": b"bytes=99999998-99999999", "suffix-0": b"bytes=-0",
}.items():
    should(f"range-416/{name}", "9110 15.5.17",
           "An unsatisfiable range gets 416 with Content-Range: bytes */length.")(
        lambda site, value=value: _unsatisfiable(site, value))

should("range-416-explains", "9110 15.5",
       "416 explains itself.", request(b"Range: bytes=99999999-"), explains(416))


@must("range-416-date", "9110 6.6.1", "416 has a Date, and its content is no part of the file.")
def _(site):
    response = ask(site, request(b"Range: bytes=99999999-"))
    expect_status(response, (416, 200))
    expect_date(response)


@must("range-416-exact-end", "9110 14.1.2",
      "A range that begins right behind the last octet is not satisfiable.")
def _(site):
    response = ask(site, request(b"Range: bytes=%d-" % len(site.plain.content)))
    expect_status(response, (416, 200))


# Where Range has no meaning

must("range-head", "9110 14.2", "Range is for GET only: HEAD gets 200.",
     request(b"Range: bytes=0-9", method=b"HEAD"), accepts(200, method="HEAD"))

must("range-post", "9110 14.2", "Range is for GET only: a POST is not changed by it.",
     post(b"Range: bytes=0-1"), accepts(200, 201, 202, 204))

must("range-404", "9110 14.2",
     "Range changes no error.", request(b"Range: bytes=0-9", path=b"{none}"), answers(404))

must("range-after-none-match", "9110 13.2.2", "If-None-Match comes before Range: 304.",
     request(b"If-None-Match: {etag}", b"Range: bytes=0-9"), answers(304))

must("range-after-match", "9110 13.2.2", "If-Match comes before Range: 412.",
     request(b'If-Match: "other"', b"Range: bytes=0-9"), answers(412))

must("range-412-before-416", "9110 13.2.2", "Conditions come before Range: 412, not 416.",
     request(b'If-Match: "other"', b"Range: bytes=99999999-"), answers(412))


@must("range-206-fields", "9110 15.3.7",
      "206 has the fields of the 200: ETag, Cache-Control, Vary and so on.")
def _(site):
    response = ask(site, request(b"Range: bytes=0-9"))
    if response.status != 206:
        raise Unsupported("Range is ignored")
    expect_date(response)
    for name in ("ETag", "Cache-Control", "Content-Location", "Expires", "Vary"):
        require(response.lines(name) == site.plain.lines(name), f"{name} differs: {response.lines(name)}")


@must("range-of-a-coding", "9110 14.2",
      "A range with a coding is one of the coded octets, under the coding's own tag.")
def _(site):
    site.needs_gzip()
    response = ask(site, request(b"Accept-Encoding: gzip", b"Range: bytes=0-99"))
    expect_status(response, (206, 200))
    if response.status == 206:
        coded = response.value("Content-Encoding") == "gzip"
        whole = site.zipped if coded else site.plain
        true_parts(response, whole.content)
        require(response.value("ETag") == whole.value("ETag"), "the tag of another representation")


# 13.1.5: If-Range

def if_range(level, name, value, statuses, requirement):
    """A first range under If-Range, whose value may be a function of the site."""
    def test(site):
        text = value(site) if callable(value) else value
        response = ask(site, request(b"Range: bytes=0-9", b"If-Range: " + text))
        expect_status(response, statuses)
        if response.status == 200:
            require(response.content == site.plain.content, "200 with other content")
    level(f"if-range-{name}", "9110 13.1.5", requirement)(test)


def _later(site):
    moment = email.utils.parsedate_to_datetime(site.modified).timestamp() + 60
    return email.utils.formatdate(moment, usegmt=True).encode()


UNEQUAL = "An If-Range that is not exactly the file's validator gets the whole file."

if_range(should, "equal-tag", b"{etag}", (206,), "If-Range with the file's strong tag gets the range.")
if_range(should, "equal-date", b"{modified}", (206,), "If-Range with the file's date gets the range.")
if_range(must, "unequal/other-tag", b'"other"', (200,), UNEQUAL)
if_range(must, "unequal/weak-tag", b'W/"{tail}"', (200,), UNEQUAL)
if_range(must, "unequal/tag-list", b'"other", {etag}', (200, 400), UNEQUAL)
if_range(must, "unequal/star", b"*", (200, 400), UNEQUAL)
if_range(must, "unequal/old-date", b"Sat, 29 Oct 1994 19:43:31 GMT", (200,), UNEQUAL)
if_range(must, "unequal/later-date", _later, (200,), UNEQUAL)
if_range(must, "unequal/invalid-date", b"Sat, 32 Oct 2094 19:43:31 GMT", (200,), UNEQUAL)
if_range(must, "unequal/bare-word", b"{tail}", (200,), UNEQUAL)

must("if-range-without-range", "9110 13.1.5", "If-Range without Range is ignored.",
     request(b'If-Range: "other"'), answers(200))

must("if-range-unsatisfiable", "9110 14.2", "An If-Range that is false comes before 416: the whole file.",
     request(b"Range: bytes=99999999-", b'If-Range: "other"'), answers(200))
