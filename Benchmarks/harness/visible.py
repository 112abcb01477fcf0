"""Under full load: how soon a question is answered that has to see what was just acknowledged."""

import json
import threading
import time
from dataclasses import dataclass

from harness import load, materials, pace, timed
from harness.failure import Failure
from harness.stage import progress, started

CONNECTIONS = 64
FORM = b"stress=0.32&energy=0.64&productivity=0.71"
PAUSE_SECONDS = 0.01
"""Between two callbacks that are asked for: they shall come at any moment of the server's work."""
LEAD_SECONDS = 0.5
BY_ID, IN_LIST = "one result by its id", "a list of its inbox"
TARGETS = {
    BY_ID: "/api/v1/results/{id}",
    IN_LIST: "/api/v1/results?inbox=visible&limit=1",
}


@dataclass(frozen=True)
class Figures:
    """What was measured."""

    run: load.Run
    """The load meanwhile, of the last round."""
    latencies: dict
    """`pace.Latency` by kind of question, and how many were asked."""


class LoadedQuestions:
    """The load, with questions beside it."""

    def __init__(self):
        self.durations = {kind: [] for kind in TARGETS}
        """Milliseconds, by kind of question."""

    def put_on(self, server, seconds):
        """Loads the server, and asks until just before the end of the load."""
        outcomes = []

        def work():
            try:
                outcomes.append(load.Requests(
                    materials.CALLBACK_PATH, CONNECTIONS, materials.CALLBACK_FORM
                ).put_on(server, seconds))
            except Failure as failure:
                outcomes.append(failure)

        thread = threading.Thread(target=work)
        end = time.monotonic() + seconds - LEAD_SECONDS
        thread.start()
        try:
            time.sleep(LEAD_SECONDS)
            with timed.Connection(server) as connection:
                while time.monotonic() < end:
                    for kind, target in TARGETS.items():
                        self.durations[kind].append(_ask(connection, target))
                        time.sleep(PAUSE_SECONDS)
        finally:
            thread.join()
        outcome, = outcomes
        if isinstance(outcome, Failure):
            raise outcome
        return outcome


def _ask(connection, target):
    """Posts a callback, then asks for it; the milliseconds of the second."""
    _, head, content, _ = connection.exchange(timed.post("/callbacks/welltory/visible", FORM))
    if not head.startswith(b"HTTP/1.1 201 "):
        raise Failure(f"landfall does not take the callback: {head[:300]!r}")
    identifier = json.loads(content)["id"]
    sent, head, content, arrived = connection.exchange(timed.get(target.format(id=identifier)))
    answer = json.loads(content) if head.startswith(b"HTTP/1.1 200 ") else {}
    found = answer.get("results", [answer])
    if not found or found[0].get("id") != identifier:
        raise Failure(f"landfall does not see what it acknowledged: {head[:80]!r} {content[:300]!r}")
    return (arrived - sent) / 1e6


def measure(scenario, plan):
    """`Figures` of Landfall."""
    with started(scenario, plan) as (server,):
        progress("visible: warming")
        load.run(server, LoadedQuestions(), 2)
        work = LoadedQuestions()
        for number in range(1, plan.rounds + 1):
            progress(f"visible: round {number} of {plan.rounds}")
            run = load.run(server, work, plan.seconds)
        return Figures(run, {
            kind: (pace.latency(durations), len(durations))
            for kind, durations in work.durations.items()})
