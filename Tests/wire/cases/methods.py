"""Methods and all answers' fields: HEAD, 405, OPTIONS, TRACE, Date, explanations (RFC 9110 6.6, 8, 9, 15).

Left out: conditions, ranges and codings, which have modules of their own.
"""

import email.utils
import json
import re

from case import chunked, must, post, request, should
from checks import (ENTITY_TAG, IMF_FIXDATE, TOKEN, accepts, answers, answers_once, ask, expect_status,
                    explains, has_date, in_order, require)
from wire import Unsupported

UNKNOWN_HOST = b"Host: a b\r\n"

# 9110 9.3.2: HEAD

for name, path, fields, allowed in (
    ("200", b"{static}", (), (200,)),
    ("list", b"{list}", (), (200,)),
    ("404", b"{none}", (), (404,)),
    ("304", b"{static}", (b"If-None-Match: {etag}",), (304,)),
    ("412", b"{static}", (b'If-Match: "other"',), (412,)),
    ("gzip", b"{static}", (b"Accept-Encoding: gzip",), (200,)),
):
    must(f"head-no-content/{name}", "9110 9.3.2", "HEAD has no content, and the next request is answered.",
         request(*fields, method=b"HEAD", path=path), answers_once(*allowed, method="HEAD"))

    def _head_equals_get(site, path=path, fields=fields):
        for _ in range(10):  # other cases may post meanwhile, so that a list grows
            get = ask(site, request(*fields, path=path))
            head = ask(site, request(*fields, path=path, method=b"HEAD"), "HEAD")
            if ask(site, request(*fields, path=path)).content == get.content:
                break
        require(head.status == get.status, f"HEAD {head}, GET {get}")
        length = head.value("Content-Length")
        if length is not None and get.status != 304:
            require(int(length) == len(get.content), f"HEAD says {length}, GET sends {len(get.content)}")

    must(f"head-length/{name}", "9110 8.6",
         "HEAD has GET's status, and GET's Content-Length or none.")(_head_equals_get)

should("head-400", "9110 9.3.2", "A HEAD that is refused has no content either.",
       request(method=b"HEAD", host=UNKNOWN_HOST), answers(400, method="HEAD"))


@must("head-400-no-content", "9110 9.3.2",
      "A refusal of HEAD has no content: nothing comes between it and the end.")
def _(site):
    with site.connect() as connection:
        connection.send(request(method=b"HEAD", host=UNKNOWN_HOST))
        expect_status(connection.response("HEAD"), (400,))
        connection.expect_end()


@should("head-fields", "9110 9.3.2", "HEAD has the fields that GET has.")
def _(site):
    get = {name.lower() for name, _ in ask(site, request()).fields}
    head = {name.lower() for name, _ in ask(site, request(method=b"HEAD"), "HEAD").fields}
    missing = get - head - {"transfer-encoding", "vary", "content-length"}
    require(not missing, f"HEAD is without {sorted(missing)}")


# 9110 9.1, 15.5.6: methods that are known but not here

def _allows(site, method, path, possible):
    response = ask(site, request(b"Content-Length: 0", method=method, path=path))
    if response.status != 405:
        raise Unsupported(f"{method.decode()} gets {response}")
    require(response.lines("Allow"), "405 without Allow")
    members = [member.strip(" \t") for member in response.value("Allow").split(",")]
    require(all(TOKEN.fullmatch(member) for member in members), f"Allow: {response.value('Allow')}")
    require(set(members) >= possible, f"Allow without {possible}: {members}")
    require(method.decode() not in members, f"Allow names {method.decode()}")


for name, method, path, possible in (
    ("post", b"POST", b"{static}", {"GET", "HEAD"}),
    ("put", b"PUT", b"{static}", {"GET", "HEAD"}),
    ("delete", b"DELETE", b"{static}", {"GET", "HEAD"}),
    ("patch", b"PATCH", b"{static}", {"GET", "HEAD"}),
    ("put-list", b"PUT", b"{list}", {"GET"}),
):
    must(f"allow/{name}", "9110 15.5.6", "405 has an Allow that lists what is possible.")(
        lambda site, method=method, path=path, possible=possible: _allows(site, method, path, possible))
    should(f"method-405/{name}", "9110 9.1", "A method that is known but not allowed here gets 405.",
           request(b"Content-Length: 0", method=method, path=path), answers(405))

must("method-no-5xx", "9110 15.6", "A client's mistake is no server error (501 and 505 apart).",
     b"".join(request(b"Content-Length: 0", method=method, path=path)
              for method in (b"PUT", b"DELETE", b"PATCH") for path in (b"{static}", b"{none}")),
     in_order(*(("PUT", ("4xx", 501)),) * 6))

# 9110 9.3.7, 9.3.8


@should("options-file", "9110 9.3.7", "OPTIONS of a resource succeeds and says what it allows.")
def _(site):
    response = ask(site, request(method=b"OPTIONS"))
    expect_status(response, ("2xx",))
    require(response.lines("Allow"), f"{response} without Allow")


must("options-with-content", "9110 9.3.7", "OPTIONS with content is one request.",
     request(b"Content-Length: 5", b"Content-Type: text/plain", method=b"OPTIONS", content=b"hello"),
     accepts("2xx", "4xx", 501))

should("options-max-forwards", "9110 7.6.2",
       "Max-Forwards: 0 is answered here, and the origin server is always here.",
       request(b"Max-Forwards: 0", method=b"OPTIONS"), answers("2xx", 405))

should("get-max-forwards", "9110 7.6.2", "Max-Forwards means nothing to a GET.",
       request(b"Max-Forwards: 0"), accepts(200))


@should("trace-no-credentials", "9110 9.3.8",
        "TRACE is off, or leaves credentials out of what it sends back.")
def _(site):
    response = ask(site, request(b"Authorization: Basic c2VjcmV0", b"Cookie: secret=1", method=b"TRACE"))
    expect_status(response, (200, 400, 403, 404, 405, 501))
    require(b"c2VjcmV0" not in response.content and b"secret=1" not in response.content,
            "credentials were sent back")


# 9110 6.6.1: Date

for name, octets, allowed, method in (
    ("200", request(), (200,), "GET"),
    ("list", request(path=b"{list}"), (200,), "GET"),
    ("404", request(path=b"{none}"), (404,), "GET"),
    ("405", request(method=b"DELETE"), (405, 501), "DELETE"),
    ("304", request(b"If-None-Match: {etag}"), (304,), "GET"),
    ("412", request(b'If-Match: "other"'), (412,), "GET"),
    ("head", request(method=b"HEAD"), (200,), "HEAD"),
    ("post", post(), ("2xx",), "POST"),
    ("400-line", b"GET\r\n\r\n", (400,), "GET"),
    ("400-host", request(host=b""), (400,), "GET"),
    ("400-field", request(b"X : y"), (400,), "GET"),
    ("400-length", post(b"Content-Length: x", length=False), (400,), "POST"),
    ("400-chunk", chunked(b"x\r\n"), (400,), "POST"),
    ("414", request(path=b"/" + b"p" * (1 << 20)), (414, 404), "GET"),
    ("431", request(b"X: " + b"v" * (1 << 20)), ("4xx", 200), "GET"),
    ("413", post(b"Content-Length: 1000000000000", length=False, content=b""), (413,), "POST"),
):
    must(f"date/{name}", "9110 6.6.1",
         "Every 2xx, 3xx and 4xx has one Date, in IMF-fixdate, and it is now.",
         octets, has_date(*allowed, method=method))


# 9110 8: representation metadata

@should("type-of-file", "9110 8.3", "Content has a Content-Type.")
def _(site):
    value = ask(site, request()).value("Content-Type") or ""
    require(re.match(r"[\w.+-]+/[\w.+-]+(;.*)?$", value), f"Content-Type {value!r}")


@should("type-of-list", "9110 8.3", "A JSON list is called JSON, and is.")
def _(site):
    response = ask(site, request(path=b"{list}"))
    require((response.value("Content-Type") or "").startswith("application/json"), "not called JSON")
    json.loads(response.content)


@must("etag-grammar", "9110 8.8.3", "An ETag is one entity-tag.")
def _(site):
    lines = site.plain.lines("ETag")
    require(len(lines) <= 1 and all(ENTITY_TAG.fullmatch(line) for line in lines), f"ETag {lines}")


@must("last-modified-not-later", "9110 8.8.2.1", "Last-Modified is an IMF-fixdate not later than Date.")
def _(site):
    response = ask(site, request())
    modified = response.value("Last-Modified")
    if modified is None:
        raise Unsupported("no Last-Modified")
    require(IMF_FIXDATE.fullmatch(modified), f"Last-Modified {modified}")
    moment, date = map(email.utils.parsedate_to_datetime, (modified, response.value("Date")))
    require(moment <= date, "Last-Modified is later than Date")


@should("validators", "9110 8.8", "A file has ETag and Last-Modified.")
def _(site):
    require(site.etag and site.modified, f"ETag {site.etag}, Last-Modified {site.modified}")


@must("etag-stable", "9110 8.8.3", "The same content has the same ETag.")
def _(site):
    require(ask(site, request()).value("ETag") == site.etag, "another ETag for the same file")


@should("created-has-location", "9110 15.3.2", "201 names what was created.")
def _(site):
    response = ask(site, post())
    if response.status != 201:
        raise Unsupported(f"POST gets {response}")
    require(response.value("Location"), "201 without Location")


# 9110 15: status codes

for name, octets, allowed in (
    ("404", request(path=b"{none}"), (404,)),
    ("405", request(method=b"DELETE"), (405, 501)),
    ("412", request(b'If-Match: "other"'), (412,)),
    ("400-host", request(host=b""), (400,)),
    ("400-line", b"GET\r\n\r\n", (400,)),
    ("501", request(method=b"BREW"), (400, 405, 501)),
    ("413", post(b"Content-Length: 1000000000000", length=False, content=b""), (413,)),
    ("414", request(path=b"/" + b"p" * (1 << 20)), (414, 404)),
):
    should(f"explains/{name}", "9110 15.5", "An error's content explains it.", octets, explains(*allowed))

must("post-404", "9110 15.5.5", "A POST to nowhere is not found or not allowed, never a success.",
     post(path=b"{none}"), accepts(404, 405))

must("get-and-head", "9110 9.1", "GET and HEAD are supported.",
     request() + request(method=b"HEAD"), in_order(("GET", (200,)), ("HEAD", (200,))))


@must("date-fields-are-imf", "9110 5.6.7", "Dates are written as IMF-fixdate.")
def _(site):
    for response in (site.plain, ask(site, request(path=b"{named}", host=b"Host: {named_host}\r\n"))):
        for name in ("Date", "Last-Modified", "Expires"):
            for line in response.lines(name):
                require(IMF_FIXDATE.fullmatch(line) or name == "Expires" and line == "0", f"{name}: {line}")
