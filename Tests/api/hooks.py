"""What schemathesis must know of values that the document can't describe.

Invariant: valid values are made for what has a format of its own; requests that are meant to be wrong are left
as they are, but for the time that they would wait.
Left out: what is checked, and where; see schemathesis.toml.
"""

import re
from datetime import datetime

import schemathesis
from hypothesis import strategies as st
from schemathesis import GenerationMode

WORD = st.sampled_from(["milk", "Sour", "4011", "not_a_number", "crème", "choco*", '"sour milk"', '"a b"*', "*"])
TERM = st.sampled_from([
    "vendor:welltory", "contract:flux", "inbox:default", "outcome:(completed OR error)", "verdict:decoded",
    "method:get", "host:127.0.0.1", 'path:"/a (b)"', "seq:1..", "seq:<100", "flow:x", "received_at:-15m",
    "received_at:2026-11-20..2026-11-21", "received_at:>=2026-11-20T10:00:00Z", "result.stress:>=0.3",
    "result.stress:0.1..0.5", "result.is_stage_server:true", "has:result.token", "has:(outcome OR flow)",
    "id:01a1fee8-d718-7b2e-85f2-3216b81d8e9d",
])


def combined(inner):
    return st.one_of(
        st.tuples(inner, st.sampled_from([" ", " AND ", " OR "]), inner).map("".join),
        inner.map("({})".format),
        inner.map("NOT {}".format),
    )


SPAN = st.integers(1, 10_000).flatmap(lambda number: st.sampled_from("smhd").map(f"-{number}{{}}".format))
MOMENT = st.one_of(
    st.datetimes().map(lambda moment: f"{moment.isoformat(timespec='milliseconds')}Z").filter(lambda text: len(text) == 24),
    SPAN,
)
SINCE = st.one_of(MOMENT, SPAN.map(lambda span: span[1:]), st.dates().map(lambda day: day.isoformat()))

schemathesis.openapi.format("landfall-query", st.recursive(st.one_of(WORD, TERM), combined, max_leaves=8))
schemathesis.openapi.format("landfall-time", MOMENT)
schemathesis.openapi.format("landfall-since", SINCE)
schemathesis.openapi.format("landfall-url", st.sampled_from(["http://127.0.0.1:8080", "https://example.org"]))
# Nothing listens on the port of "discard"; the attempt fails at once.
schemathesis.openapi.format("landfall-target", st.sampled_from(["self", "http://127.0.0.1:9/callback?a=1"]))
# Only a server gives cursors out; see before_call.
schemathesis.openapi.format("landfall-cursor", st.just("0.0.0"))


@schemathesis.serializer("application/x-ndjson")
def lines(context, value):
    return value if isinstance(value, bytes) else str(value).encode()


def is_moment(text):
    # Longer spans may begin before the year 0.
    if re.fullmatch(r"-?[0-9]{1,5}[smhd]", text):
        return True
    try:
        datetime.fromisoformat(text)
        return True
    except ValueError:
        return False


@schemathesis.hook
def before_call(context, case, kwargs):
    place = case.path_parameters or {}
    if case.operation.path.endswith("/answer") and re.fullmatch(r"[a-z0-9][a-z0-9._-]*", str(place.get("inbox", ""))):
        # What callbacks to the inboxes of other requests are answered must stay as it is described.
        place["inbox"] = "with-an-answer-of-its-own"
    # A client can't decompress a part of a compressed file.
    if case.headers and "Range" in case.headers:
        case.headers["Accept-Encoding"] = "identity"
    query = case.query
    if not query:
        return
    if case.operation.path.endswith("/wait") and re.fullmatch(r"[0-9]+(ms|s|m)", str(query.get("within", "30s"))):
        query["within"] = "20ms"
    if case.meta and case.meta.generation.mode == GenerationMode.NEGATIVE:
        return
    query.pop("cursor", None)
    # In sequences of requests, schemathesis knows no formats but those of JSON Schema.
    for name in ["received_after", "received_before", "since"]:
        if not is_moment(query.get(name, "-1s")):
            del query[name]
    # A number that has not been given out yet is refused.
    if query.get("after", "now") != "now":
        query["after"] = "0"
    if query.get("none") == "true":
        query.pop("count", None)
