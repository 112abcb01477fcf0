"""Questions to the store, by kind, and how long their answers take.

Everything is asked on one kept-alive connection, one request after the other, so that the time is
the server's and the client's own; `/healthz`, asked in the same way, says how much is the client's.
"""

import gc
import http.client
import json
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass

from harness import processes, results
from harness.failure import Failure
from harness.stage import progress

PAGE_RESULTS = 50
DEEP_PAGE = 100
REQUESTS = 500
"""Of each kind, if they take no longer than `KIND_SECONDS`."""
KIND_SECONDS = 20
LEAST_REQUESTS = 20
WARM_UP_REQUESTS = 10
ANSWER_SECONDS = 120
COMMON_WORD = "completed"
"""An outcome; three of four results have it."""
RARE_INBOXES = results.INBOXES[150:]

RESULTS = "/api/v1/results"
PAGE = f"{RESULTS}?limit={PAGE_RESULTS}"
OWN_KIND = "/healthz (the client's own share)"
PLAIN_RESULT = "one result, plain file"
COMPRESSED_RESULT = "one result, compressed file"


@dataclass(frozen=True)
class Latency:
    """How long one kind of question took to be answered, and what it cost the server."""

    requests: int
    p50_milliseconds: float
    p99_milliseconds: float
    cpu_milliseconds: float
    """CPU time of the server for one of them."""


def percentile(values, percent):
    """The least value that `percent` of a hundred values do not exceed."""
    return sorted(values)[-(-len(values) * percent // 100) - 1]


class Client:
    """One kept-alive connection to a server; a context manager that closes it."""

    def __init__(self, server, timeout=ANSWER_SECONDS):
        self._connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=timeout)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._connection.close()

    def request(self, target, method="GET"):
        """Status and content."""
        try:
            self._connection.request(method, target)
            response = self._connection.getresponse()
            return response.status, response.read()
        except (OSError, http.client.HTTPException) as error:
            raise Failure(f"landfall does not answer {method} {target}: {error!r}") from error

    def json(self, target):
        """The content of a successful answer."""
        status, content = self.request(target)
        if status != 200:
            raise Failure(f"landfall does not answer {target}: {status} {content[:300]!r}")
        return json.loads(content)

    def size(self, target, buffer, method="GET"):
        """The size in bytes of an answer, compressed as for a browser, which is dropped as it comes."""
        size = 0
        try:
            self._connection.request(method, target, headers={"Accept-Encoding": "gzip"})
            response = self._connection.getresponse()
            if response.status != 200:
                raise Failure(f"landfall does not answer {target}: {response.status}")
            while count := response.readinto(buffer):
                size += count
        except (OSError, http.client.HTTPException) as error:
            raise Failure(f"{target} ends after {size:,} bytes: {error!r}") from error
        return size


@dataclass(frozen=True)
class Kind:
    """Questions of one kind."""

    name: str
    target: Callable
    """Called with a number, gives the target of that request."""
    is_right: Callable
    """Called with an answer's JSON, says whether it is one to such a question."""


def kinds(samples, deep_cursor):
    """All kinds of questions, about a store of which `samples` are known."""
    return [
        Kind("first page", lambda _: PAGE, _is_full),
        Kind(
            "first page, four members", lambda _: PAGE + "&fields=id,seq,received_at,outcome",
            lambda answer: _is_full(answer) and len(answer["results"][0]) == 4),
        Kind(
            "vendor=dimmy, outcome=completed",
            lambda _: PAGE + "&vendor=dimmy&outcome=completed",
            lambda answer: _is_full(answer) and all(
                one["vendor"] == "dimmy" and one["outcome"] == "completed"
                for one in answer["results"])),
        Kind(
            "a rare inbox",
            lambda number: f"{PAGE}&inbox={_rare_inbox(number)}", _are_in_rare_inboxes),
        Kind(
            "nothing matches", lambda _: PAGE + "&vendor=ailet&outcome=cancelled",
            lambda answer: not answer["results"]),
        Kind(
            "stress ≥ 0.9", lambda _: PAGE + "&result.stress=gte:0.9",
            lambda answer: _is_full(answer) and all(
                one["result"]["stress"] >= 0.9 for one in answer["results"])),
        Kind("a common word", lambda _: f"{PAGE}&q={COMMON_WORD}", _is_full),
        Kind(
            "a common word in a rare inbox",
            lambda number: f"{PAGE}&q={COMMON_WORD}&inbox={_rare_inbox(number)}",
            _are_in_rare_inboxes),
        Kind(
            "a rare word", lambda number: f"{PAGE}&q={samples.barcodes[number]}",
            lambda answer: len(answer["results"]) == 1),
        Kind(f"page {DEEP_PAGE}", lambda _: f"{PAGE}&cursor={deep_cursor}", _is_full),
        Kind(
            PLAIN_RESULT, lambda number: f"{RESULTS}/{samples.plain_ids[number]}",
            lambda answer: "request" in answer),
        Kind(
            COMPRESSED_RESULT, lambda number: f"{RESULTS}/{samples.compressed_ids[number]}",
            lambda answer: "request" in answer),
    ]


def _is_full(answer):
    return len(answer["results"]) == PAGE_RESULTS


def _rare_inbox(number):
    return RARE_INBOXES[number % len(RARE_INBOXES)]


def _are_in_rare_inboxes(answer):
    return all(one["inbox"] in RARE_INBOXES for one in answer["results"])


def ask_all(server, samples):
    """`Latency` by the name of the kind, the client's own first."""
    with Client(server) as client:
        latencies = {OWN_KIND: _ask(client, server, lambda _: "/healthz")}
        for kind in kinds(samples, _deep_cursor(client)):
            progress(f"store: {kind.name}")
            if not kind.is_right(client.json(kind.target(0))):
                raise Failure(f"landfall answers {kind.target(0)} with something else")
            latencies[kind.name] = _ask(client, server, kind.target)
        return latencies


def _deep_cursor(client):
    """The cursor that leads to page `DEEP_PAGE`."""
    target = PAGE
    for _ in range(DEEP_PAGE - 1):
        cursor = client.json(target)["next_cursor"]
        if not cursor:
            raise Failure(f"landfall has fewer than {DEEP_PAGE} pages")
        target = f"{PAGE}&cursor={cursor}"
    return cursor


def _ask(client, server, target):
    for number in range(WARM_UP_REQUESTS):
        client.request(target(REQUESTS + number))
    cpu = processes.settled_cpu_seconds(server.pid)
    durations, deadline = [], time.monotonic() + KIND_SECONDS
    gc.collect()
    gc.disable()  # Its pauses are not the server's.
    try:
        for number in range(REQUESTS):
            asked = target(number)
            start = time.perf_counter()
            status, content = client.request(asked)
            durations.append(time.perf_counter() - start)
            if status != 200:
                raise Failure(f"landfall does not answer {asked}: {status} {content[:300]!r}")
            if number >= LEAST_REQUESTS and time.monotonic() > deadline:
                break
    finally:
        gc.enable()
    cpu = processes.settled_cpu_seconds(server.pid) - cpu
    return Latency(
        len(durations), statistics.median(durations) * 1e3, percentile(durations, 99) * 1e3,
        cpu / len(durations) * 1e3)
