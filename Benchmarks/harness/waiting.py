"""Clients that wait for results: the memory they cost, and how soon they learn of one.

All are sockets of one loop, and the kernel says when answers came: of a thousand answers at once the
time of reading would measure this program's own pace.
"""

import contextlib
import json
import selectors
import statistics
import time
from dataclasses import dataclass

from harness import processes, timed
from harness.failure import Failure
from harness.questions import percentile
from harness.stage import progress, started

WAITERS = 1000
SHARED_ROUNDS = 5
PAUSE_SECONDS = 0.2
"""Many answers at once are left to arrive: reading them would take the server's cores from it."""
FORM = b"stress=0.32&energy=0.64&productivity=0.71"
QUESTION = "/api/v1/results/wait?inbox={inbox}&count=1&within=60s&after=now"


@dataclass(frozen=True)
class Delays:
    """How long answers took, in milliseconds."""

    from_send_p50: float
    from_send_p99: float
    """From just before the callback was sent."""
    from_acknowledgement_p50: float
    from_acknowledgement_p99: float
    """From the arrival of its 201, by which time it is durable; may be below zero."""


@dataclass(frozen=True)
class Figures:
    """What was measured."""

    waiters: int
    growth_bytes: int
    """What resident memory grew by while all waited."""
    delays: dict
    """`Delays` by what they waited for."""


def measure(scenario, plan):
    """`Figures` of Landfall."""
    with started(scenario, plan) as (server,), contextlib.ExitStack() as stack:
        sender = stack.enter_context(Peer(server))
        sender.post("warm")
        processes.settled_cpu_seconds(server.pid)
        before = processes.resident_bytes(server.pid)
        waiters = Waiters([stack.enter_context(Peer(server)) for _ in range(WAITERS)])
        inboxes = ["shared"] * WAITERS
        growth, together = 0, []
        for number in range(1, SHARED_ROUNDS + 1):
            progress(f"wait: {WAITERS} for one inbox, round {number} of {SHARED_ROUNDS}")
            waiters.ask(inboxes)
            processes.settled_cpu_seconds(server.pid)
            growth = growth or processes.resident_bytes(server.pid) - before
            together += waiters.answers_to(sender, "shared", WAITERS)
        progress(f"wait: {WAITERS} for an inbox each")
        inboxes = [f"w{number}" for number in range(WAITERS)]
        waiters.ask(inboxes)
        processes.settled_cpu_seconds(server.pid)
        alone = [
            delay for inbox in inboxes for delay in waiters.answers_to(sender, inbox, 1)]
        server.check_running()
        return Figures(WAITERS, growth, {
            "one inbox": _delays(together), "an inbox each": _delays(alone)})


def _delays(pairs):
    from_send, from_acknowledgement = zip(*pairs)
    return Delays(
        statistics.median(from_send), percentile(from_send, 99),
        statistics.median(from_acknowledgement), percentile(from_acknowledgement, 99))


class Peer(timed.Connection):
    """A connection that posts callbacks, or waits for one."""

    inbox = None
    """That it waits for."""

    def ask(self, inbox):
        """Begins to wait for a result in an inbox."""
        self.inbox = inbox
        self.send(timed.get(QUESTION.format(inbox=inbox)))

    def post(self, inbox):
        """Sends a callback; when that began, and when its 201 arrived, in nanoseconds."""
        sent, head, _, arrived = self.exchange(timed.post(f"/callbacks/welltory/{inbox}", FORM))
        if not head.startswith(b"HTTP/1.1 201 "):
            raise Failure(f"landfall does not take the callback: {head[:300]!r}")
        return sent, arrived


class Waiters:
    """Peers that wait."""

    def __init__(self, peers):
        self._peers = peers

    def ask(self, inboxes):
        """Each begins to wait for its inbox."""
        for peer, inbox in zip(self._peers, inboxes):
            peer.ask(inbox)

    def answers_to(self, sender, inbox, count):
        """Posts into an inbox; milliseconds from its sending and from its 201 to each answer."""
        pairs = []
        with selectors.DefaultSelector() as selector:
            for peer in self._peers:
                if peer.inbox == inbox:
                    selector.register(peer.socket, selectors.EVENT_READ, peer)
            sent, acknowledged = sender.post(inbox)
            if count > 1:
                time.sleep(PAUSE_SECONDS)
            while len(pairs) < count:
                ready = selector.select(timeout=10)
                if not ready:
                    raise Failure(f"{count - len(pairs)} of {count} that wait got no answer")
                for key, _ in ready:
                    if answer := key.data.read():
                        _check(answer, inbox)
                        selector.unregister(key.fileobj)
                        pairs.append(
                            ((answer[2] - sent) / 1e6, (answer[2] - acknowledged) / 1e6))
        return pairs


def _check(answer, inbox):
    head, content, _ = answer
    found = json.loads(content).get("results") if head.startswith(b"HTTP/1.1 200 ") else None
    if not found or len(found) != 1 or found[0]["inbox"] != inbox:
        raise Failure(f"landfall answers a wait for {inbox} with {head[:80]!r} {content[:300]!r}")
