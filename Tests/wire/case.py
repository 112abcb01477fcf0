"""What a case is: a requirement, the octets that are sent, and a predicate on what comes back.

Invariant: each case has a connection of its own and leaves nothing behind that another could see.
Left out: the cases themselves (cases/), and what can be asked of an answer (checks.py).
"""

import time
from dataclasses import dataclass

from wire import Connection

MUST, SHOULD = "MUST", "SHOULD"
REGISTRY = {}


@dataclass(frozen=True)
class Pause:
    """Waits between two writes."""

    seconds: float = 0.15


@dataclass(frozen=True)
class Drip:
    """Octets in small writes."""

    octets: bytes
    size: int = 1
    pause: float = 0.002


class HalfClose:
    """The client's side is closed; it goes on reading."""


@dataclass(frozen=True)
class Case:
    """A requirement and its tests: functions of the site, by the name of the variant ("" for the only one).

    It holds when every variant does. `on` is "plain" or "tls" when it makes sense there only.
    """

    id: str
    level: str
    section: str
    requirement: str
    on: str | None
    variants: dict


def must(*words, **options):
    """A case at level MUST; see `_case`."""
    return _case(MUST, *words, **options)


def should(*words, **options):
    """A case at level SHOULD; see `_case`."""
    return _case(SHOULD, *words, **options)


def _case(level, name, section, requirement, steps=None, check=None, on=None):
    """Registers a case, or a variant of one: "case/variant".

    `steps` are sent, then `check(connection, site)` reads. Without steps it is a decorator for a
    function of the site, which does both.
    """
    identity, _, variant = name.partition("/")

    def register(test):
        case = REGISTRY.setdefault(identity, Case(identity, level, section, requirement, on, {}))
        if (level, section, requirement, on) != (case.level, case.section, case.requirement, case.on):
            raise ValueError(f"the variants of {identity} differ in more than what is sent")
        if variant in case.variants or "" in case.variants:
            raise ValueError(f"two cases are called {name}")
        case.variants[variant] = test
        return test

    if steps is None:
        return register
    steps = steps if isinstance(steps, (list, tuple)) else [steps]

    def test(site):
        with site.connect() as connection:
            play(connection, site, steps)
            check(connection, site)

    return register(test)


def play(connection: Connection, site, steps):
    """Sends octets, pauses, drips and half-closes in order."""
    for step in steps:
        if isinstance(step, bytes):
            connection.send(site.expand(step))
        elif isinstance(step, Pause):
            time.sleep(step.seconds)
        elif isinstance(step, Drip):
            octets = site.expand(step.octets)
            for start in range(0, len(octets), step.size):
                connection.send(octets[start:start + step.size])
                time.sleep(step.pause)
        elif step is HalfClose:
            connection.half_close()
        else:
            raise TypeError(f"no step: {step!r}")


def request(*fields, method=b"GET", path=b"{static}", version=b"1.1", host=b"Host: {host}\r\n",
            content=b""):
    """A request from field lines without their CRLF; `content` goes behind the head as it is."""
    head = method + b" " + path + b" HTTP/" + version + b"\r\n" + host
    return head + b"".join(field + b"\r\n" for field in fields) + b"\r\n" + content


def post(*fields, content=b"hello", path=b"{post}", length=True, **options):
    """A POST, with Content-Length unless `length` is False."""
    if length:
        fields = (b"Content-Length: %d" % len(content), *fields)
    return request(*fields, method=b"POST", path=path, content=content, **options)


def chunked(content, *fields, coding=b"Transfer-Encoding: chunked", **options):
    """A POST with chunks as they are given."""
    return post(coding, *fields, content=content, length=False, **options)
