#!/usr/bin/env python3
"""Attacks on the server's memory: bodies and heads that stall, large results, clients that don't read.

Each attack is a function of host and port that returns a dictionary of what the server answered, and
ends by itself. `attacks_memory.py HOST PORT PID [NAME[=COUNT]]…` runs them one after the other and prints
the peak of the resident set (VmHWM, reset before each) and what remains of it 2 s later (VmRSS).
Left out: starting the server, and other load beside an attack.
"""

import argparse
import asyncio
import collections
import functools
import gzip
import sys
import time

MEBIBYTE = 1024 * 1024
BODY_BYTES = 4 * MEBIBYTE


async def _open(host, port, limit=64 * 1024):
    return await asyncio.open_connection(host, port, limit=limit)


async def _status(reader, seconds):
    """The status code of the next response, or why nothing came."""
    try:
        line = await asyncio.wait_for(reader.readline(), seconds)
    except asyncio.TimeoutError:
        return "open"
    except OSError:
        return "reset"
    parts = line.split()
    return parts[1].decode() if len(parts) > 1 else "closed"


async def _gathered(count, attack):
    """Runs so many attackers at the same time; how many had each outcome."""
    outcomes = await asyncio.gather(*(attack(number) for number in range(count)), return_exceptions=True)
    return dict(collections.Counter(o if isinstance(o, str) else type(o).__name__ for o in outcomes))


async def _stall(host, port, head, body, seconds, drip=None):
    """Sends head and body, which lack their end, and holds the connection; the outcome.

    With `drip`, one more byte follows each so many seconds.
    """
    reader, writer = await _open(host, port)
    try:
        writer.write(head)
        for start in range(0, len(body), 256 * 1024):
            writer.write(body[start : start + 256 * 1024])
            try:
                await asyncio.wait_for(writer.drain(), seconds)
            except OSError:
                return await _status(reader, 1)
        if drip is None:
            return await _status(reader, seconds)
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            writer.write(b"x")
            outcome = await _status(reader, drip)
            if outcome != "open":
                return outcome
        return "open"
    except asyncio.TimeoutError:
        return "unread"
    finally:
        writer.transport.abort()


def _post(path, length=None, fields=()):
    lines = [f"POST {path} HTTP/1.1", "Host: localhost", *fields]
    lines.append("Transfer-Encoding: chunked" if length is None else f"Content-Length: {length}")
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


async def stalled_bodies(host, port, count=300, size=BODY_BYTES, missing=4096, seconds=20):
    """Bodies whose last bytes never come."""
    head = _post("/callbacks/raw/stalled", size)
    body = b"x" * (size - missing)
    return await _gathered(count, lambda _: _stall(host, port, head, body, seconds))


async def small_stalled_bodies(host, port, count=2000, size=60 * 1024, seconds=15):
    """Many small bodies whose last byte never comes."""
    head = _post("/callbacks/raw/stalled", size)
    body = b"x" * (size - 1)
    return await _gathered(count, lambda _: _stall(host, port, head, body, seconds))


async def dripped_bodies(host, port, count=300, size=BODY_BYTES, seconds=60):
    """Bodies that come fast but for their end, which drips in."""
    head = _post("/callbacks/raw/dripped", size)
    body = b"x" * (size - 4096)
    return await _gathered(count, lambda _: _stall(host, port, head, body, seconds, drip=0.5))


async def inflated_bodies(host, port, count=300, size=BODY_BYTES, seconds=20):
    """Compressed bodies that are inflated up to their last bytes, which never come."""
    text = b"".join(b"%d," % (number * 2654435761 % 2**32) for number in range(size // 11))
    coded = gzip.compress(text, 6)
    head = _post("/callbacks/raw/inflated", len(coded), ["Content-Encoding: gzip"])
    return await _gathered(count, lambda _: _stall(host, port, head, coded[:-16], seconds))


async def stalled_heads(host, port, count=1000, size=250 * 1024, seconds=12):
    """Heads with a long target that don't end."""
    head = b"GET /callbacks/raw/heads?q=" + b"x" * size
    return await _gathered(count, lambda _: _stall(host, port, head, b"", seconds))


async def _request(host, port, head, body=b"", seconds=60):
    """Sends a request and reads and drops the response to its end; its status."""
    reader, writer = await _open(host, port)
    try:
        writer.write(head)
        writer.write(body)
        status = await _status(reader, seconds)
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if not await asyncio.wait_for(reader.read(MEBIBYTE), seconds):
                return status
        return "long"
    except (OSError, asyncio.TimeoutError) as error:
        return type(error).__name__
    finally:
        writer.transport.abort()


CLOSE = ["Connection: close"]


async def large_results(host, port, count=50, at_once=4, size=BODY_BYTES):
    """Stores results of control characters, which JSON writes with six bytes each."""
    return await _stored(host, port, count, at_once, b"\x01" * size, "raw", "application/octet-stream")


async def awkward_bodies(host, port, count=4, at_once=16, size=BODY_BYTES):
    """Whole bodies that are much larger once they have been read: tokens, pairs, escapes, nesting."""
    kinds = [
        (b"[" + b"0," * (size // 2 - 2) + b"0]", "application/json"),
        (b'{"a":' * 400 + b"[" + b'"",' * (size // 3 - 2000) + b'""]' + b"}" * 400, "application/json"),
        (b"&a=%01" * (size // 6), "application/x-www-form-urlencoded"),
        (b"status=" + b"\x01" * (size - 7), "application/x-www-form-urlencoded"),
        (b"a=1&" * (size // 4), "application/x-www-form-urlencoded"),
        (b'{"password":"x",' * (size // 16), "application/json"),
    ]
    outcomes = collections.Counter()
    for body, kind in kinds:
        for vendor in ["raw", "dimmy", "welltory", "ailet", "rezolve"]:
            outcomes.update(await _stored(host, port, count, at_once, body, vendor, kind))
    return dict(outcomes)


async def numbers(host, port, count=16, size=BODY_BYTES):
    """JSON bodies of as many numbers as fit, at once."""
    body = b"[" + b"0," * (size // 2 - 2) + b"0]"
    return await _stored(host, port, count, count, body, "dimmy", "application/json")


async def _stored(host, port, count, at_once, body, vendor, kind):
    head = _post(f"/callbacks/{vendor}/large", len(body), [f"Content-Type: {kind}", *CLOSE])
    gate = asyncio.Semaphore(at_once)

    async def one(_):
        async with gate:
            return await _request(host, port, head, body)

    return await _gathered(count, one)


def _get(target, *fields):
    return ("\r\n".join([f"GET {target} HTTP/1.1", "Host: localhost", *fields]) + "\r\n\r\n").encode()


LISTS = [
    ("/api/v1/results?limit=50&fields=request", "application/json"),
    ("/api/v1/results?limit=50&fields=request", "application/x-ndjson"),
    ("/api/v1/results?limit=50", "application/json"),
    ("/api/v1/results?limit=50", "text/plain"),
    ("/api/v1/results", "application/x-ndjson"),
    ("/api/v1/results/wait?count=50&fields=request", "application/json"),
    ("/api/v1/results/latest", "application/json"),
    ("/api/v1/export?format=ndjson", "*/*"),
    ("/api/v1/export?format=csv", "*/*"),
    ("/api/v1/export?format=har", "*/*"),
]


async def large_lists(host, port, count=1):
    """Reads the lists of large results, one after the other, by so many clients at once."""
    outcomes = collections.Counter()
    for target, form in LISTS:
        for coding in ["identity", "gzip"]:
            head = _get(target, f"Accept: {form}", f"Accept-Encoding: {coding}", *CLOSE)
            outcomes.update(await _gathered(count, lambda _, head=head: _request(host, port, head)))
    return dict(outcomes)


async def some_lists(host, port, count=1):
    """Reads one list and one export of large results, by so many clients at once."""
    heads = [_get(target, f"Accept: {form}", *CLOSE) for target, form in (LISTS[0], LISTS[7])]
    return await _gathered(count * 2, lambda number: _request(host, port, heads[number % 2]))


async def concurrent_lists(host, port, count=20):
    """Twenty clients read each list of large results at once."""
    return await large_lists(host, port, count)


async def _unread(host, port, text, seconds):
    """Sends requests and reads nothing; whether the server has closed the connection by then."""
    reader, writer = await _open(host, port, limit=1024)
    writer.transport.pause_reading()
    try:
        writer.write(text)
        await asyncio.sleep(seconds)
        writer.transport.resume_reading()
        return await _status(reader, 1)
    except OSError:
        return "reset"
    finally:
        writer.transport.abort()


async def unread_lists(host, port, count=200, seconds=10):
    """Clients that ask for large lists and exports and read nothing."""
    targets = [_get(target, f"Accept: {form}") for target, form in LISTS]
    return await _gathered(
        count, lambda number: _unread(host, port, targets[number % len(targets)], seconds))


async def unread_pipelines(host, port, count=1000, seconds=10):
    """Clients that send many requests on one connection and read nothing."""
    text = _get("/") * 400
    return await _gathered(count, lambda _: _unread(host, port, text, seconds))


async def unread_streams(host, port, count=200, results=12, size=512 * 1024):
    """Clients that follow what arrives and read nothing, while large results arrive."""
    head = _get("/api/v1/results/stream?fields=request&after=now")
    streams = asyncio.gather(*(_unread(host, port, head, 15) for _ in range(count)), return_exceptions=True)
    await asyncio.sleep(1)
    await _stored(host, port, results, 2, b"x" * size, "raw", "text/plain")
    return dict(collections.Counter(map(str, await streams)))


async def _followed(host, port, head, seconds):
    """Reads a stream until the time is over; how many results came."""
    reader, writer = await _open(host, port)
    results = 0
    try:
        async with asyncio.timeout(seconds):
            writer.write(head)
            while line := await reader.readline():
                results += line.startswith(b"id:")
    except TimeoutError:
        pass
    finally:
        writer.transport.abort()
    return str(results)


async def read_streams(host, port, count=200, results=1500):
    """Clients that follow what arrives and read it at once, while many small results arrive."""
    head = _get("/api/v1/results/stream?fields=id&after=now")
    streams = asyncio.gather(*(_followed(host, port, head, 14) for _ in range(count)))
    await asyncio.sleep(1)
    await _stored(host, port, results, 4, b"x", "raw", "text/plain")
    return dict(collections.Counter(await streams))


# In this order: the lists need the results.
ATTACKS = [
    stalled_bodies, small_stalled_bodies, dripped_bodies, inflated_bodies, stalled_heads, unread_pipelines,
    unread_streams, read_streams, large_results, numbers, awkward_bodies, large_lists,
    some_lists, concurrent_lists, unread_lists,
]


def memory(pid, name):
    """A line of /proc/PID/status in MiB."""
    with open(f"/proc/{pid}/status", encoding="ascii") as lines:
        return next(int(line.split()[1]) / 1024 for line in lines if line.startswith(name + ":"))


def measure(pid, attack, host, port):
    """Runs an attack; peak and rest of the resident set in MiB, and the attack's outcome."""
    with open(f"/proc/{pid}/clear_refs", "w", encoding="ascii") as file:
        file.write("5")
    began = time.monotonic()
    outcome = asyncio.run(attack(host, port))
    seconds = time.monotonic() - began
    time.sleep(2)
    return memory(pid, "VmHWM"), memory(pid, "VmRSS"), seconds, outcome


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("host")
    parser.add_argument("port", type=int)
    parser.add_argument("pid", type=int)
    parser.add_argument("names", nargs="*", help="attacks, each perhaps with =COUNT; all without")
    parser.add_argument("--most", type=float, help="MiB above which a peak is a failure")
    arguments = parser.parse_args()
    counts = dict((name.split("=") + [""])[:2] for name in arguments.names)
    highest = 0.0
    for attack in ATTACKS:
        name = attack.__name__
        if counts and name not in counts:
            continue
        asked = functools.partial(attack, count=int(counts[name])) if counts.get(name) else attack
        peak, rest, seconds, outcome = measure(arguments.pid, asked, arguments.host, arguments.port)
        print(f"{name:22} peak {peak:7.1f} MiB  then {rest:7.1f} MiB  {seconds:5.1f} s  {outcome}", flush=True)
        highest = max(highest, peak)
    if arguments.most and highest > arguments.most:
        sys.exit(f"the resident set reached {highest:.1f} MiB")


if __name__ == "__main__":
    main()
