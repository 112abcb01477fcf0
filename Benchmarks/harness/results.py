"""Writes stores of made-up results, byte by byte as Landfall writes them (see README).

The same arguments give the same bytes. Days are written by as many processes as there are cores.
Left out: the index, which Landfall makes when it opens the folder.
"""

import base64
import datetime
import itertools
import multiprocessing
import os
import random
import time
import zlib
from dataclasses import dataclass

from harness import callbacks
from harness.failure import Failure

SEGMENT_BYTES = 256 * 1024 * 1024
"""A segment is no larger; the next part of the day follows."""
INBOXES = ["default"] + [f"w{number}" for number in range(1, 200)]
"""Each is used as often as Zipf's law has it, the first most."""
LINES_PER_WRITE = 500
DAY_MILLISECONDS = 24 * 60 * 60 * 1000
HOURS = (2, 1, 1, 1, 1, 2, 4, 8, 14, 22, 26, 24, 18, 20, 26, 28, 24, 18, 12, 9, 8, 7, 5, 3)
"""How busy each hour of a day is."""
WEEKDAYS = (10, 11, 11, 11, 10, 5, 4)
"""How busy each day of a week is, Monday first."""

# Host and scheme of the receivers, and how many of a hundred callbacks come to each.
HOSTS = (
    ("www.yourapp.com", "https", 70), ("staging.yourapp.com", "https", 20),
    ("127.0.0.1:8080", "http", 10))
BROWSERS = tuple(
    "Mozilla/5.0 (iPhone; CPU iPhone OS %s like Mac OS X) AppleWebKit/605.1.15"
    % version for version in ("17_6", "18_2", "26_0"))
CLIENTS = ("okhttp/4.12.0", "python-requests/2.32.3", "Partner/2.4 CFNetwork/1568.200.51")


@dataclass(frozen=True)
class Written:
    """What was written."""

    results: int
    size_bytes: int
    seconds: float


@dataclass(frozen=True)
class Day:
    """The work of one process at a time: one day's segments."""

    folder: str
    seed: int
    start_milliseconds: int
    length_milliseconds: int
    first_sequence: int
    count: int


def generate(folder, count, days, until=None, seed=1):
    """Writes `count` results of `days` days that end at `until` (a `datetime`; now) into `folder`.

    The last of the days is that of `until`, and its results come before that moment.
    """
    start = time.monotonic()
    results = os.path.join(folder, "results")
    os.makedirs(results, exist_ok=True)
    if os.listdir(results):
        raise Failure(f"{results} has results already")
    work = _plan(results, count, days, until or datetime.datetime.now(datetime.UTC), seed)
    with multiprocessing.Pool(min(len(work), os.cpu_count() or 1)) as pool:
        size = sum(pool.imap_unordered(_write_day, work))
    return Written(count, size, time.monotonic() - start)


def write_callbacks(path, count, seed=1):
    """Writes callbacks that can be posted and decoded, for `load.lua`.

    One a line: path, content type and body, with tabs between.
    """
    generator, written = random.Random(seed), 0
    with open(path, "x", encoding="utf-8") as file:
        while written < count:
            (vendor, inbox), = zip(_vendors(generator, 1), _inboxes(generator, 1))
            target = _target(vendor, inbox)
            callback = callbacks.VENDORS[vendor][1](generator, target)
            fields = [target, callback.content_type, callback.body]
            is_plain = all(isinstance(field, str) and field.isprintable() for field in fields)
            if callback.method == "POST" and callback.verdict != "undecodable" and is_plain:
                file.write("\t".join(fields) + "\n")
                written += 1


def _plan(results, count, days, until, seed):
    """Shares `count` among the days, as busy as their weekdays are."""
    end = int(until.timestamp() * 1000)
    last = end - end % DAY_MILLISECONDS
    starts = [last - back * DAY_MILLISECONDS for back in reversed(range(days))]
    # 1970 began on a Thursday.
    weights = [WEEKDAYS[(start // DAY_MILLISECONDS + 3) % 7] for start in starts]
    bounds = [
        count * sum_ // sum(weights) for sum_ in itertools.accumulate(weights, initial=0)]
    return [
        Day(results, seed, start, max(1, end - start) if start == last else DAY_MILLISECONDS,
            first + 1, bound - first)
        for start, first, bound in zip(starts, bounds, bounds[1:])]


def _write_day(day):
    """Writes the segments of a day, and gives their size in bytes."""
    generator = random.Random(f"{day.seed} {day.start_milliseconds}")
    name = datetime.datetime.fromtimestamp(
        day.start_milliseconds / 1000, datetime.UTC).strftime("%Y-%m-%d")
    lines = _lines(day, name, generator)
    total, part, rest = 0, 1, next(lines, None)
    while rest:
        path = os.path.join(day.folder, name + (f"-{part}" if part > 1 else "") + ".jsonl")
        with open(path, "xb") as file:
            size = 0
            while rest and size + len(rest) <= SEGMENT_BYTES:
                file.write(rest)
                size += len(rest)
                rest = next(lines, None)
            file.flush()
            os.fsync(file.fileno())  # Else what is measured later meets this in the disk's queue.
        total, part = total + size, part + 1
    return total


def _lines(day, name, generator):
    """The lines of a day in order, many at a time."""
    times = _times(day, generator)
    vendors, inboxes = _vendors(generator, day.count), _inboxes(generator, day.count)
    lines = []
    for index, (moment, vendor, inbox) in enumerate(zip(times, vendors, inboxes)):
        lines.append(_line(
            day.first_sequence + index, day.start_milliseconds, name, moment, vendor, inbox,
            generator))
        if len(lines) == LINES_PER_WRITE:
            yield b"".join(lines)
            lines = []
    if lines:
        yield b"".join(lines)


def _vendors(generator, count):
    shares = [share for share, _ in callbacks.VENDORS.values()]
    return generator.choices(list(callbacks.VENDORS), shares, k=count)


def _inboxes(generator, count):
    return generator.choices(INBOXES, [1 / (rank + 1) for rank in range(len(INBOXES))], k=count)


def _target(vendor, inbox):
    return f"/callbacks/{vendor}" if inbox == "default" else f"/callbacks/{vendor}/{inbox}"


def _times(day, generator):
    """Milliseconds from the start of the day, in order."""
    hour = day.length_milliseconds / len(HOURS)
    hours = generator.choices(range(len(HOURS)), HOURS, k=day.count)
    return sorted(int((hour_ + generator.random()) * hour) for hour_ in hours)


def _line(sequence, start, day, moment, vendor, inbox, generator):
    """One line with its end."""
    host, scheme = _host(generator)
    path = _target(vendor, inbox)
    callback = callbacks.VENDORS[vendor][1](generator, path)
    number = (start + moment) << 80 | 7 << 76 | generator.getrandbits(12) << 64 | (
        2 << 62 | generator.getrandbits(62))
    digits = f"{number:032x}"
    seconds, milliseconds = divmod(moment, 1000)
    body, length = _body(callback.body)
    contract = f'"{callback.contract}"' if callback.contract else "null"
    outcome = f'"{callback.outcome}"' if callback.outcome else "null"
    checked = (
        f'"id":"{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}",'
        f'"seq":{sequence},"received_at":"{day}T{seconds // 3600:02}:{seconds // 60 % 60:02}:'
        f'{seconds % 60:02}.{milliseconds:03}Z","inbox":"{inbox}","vendor":"{vendor}",'
        f'"contract":{contract},"outcome":{outcome},"verdict":"{callback.verdict}","flow":null,'
        f'"request":{{"method":"{callback.method}","scheme":"{scheme}","host":"{host}",'
        f'"target":"{path}{callback.query}","version":"1.1","peer":"{_peer(generator)}",'
        f'"headers":{_headers(callback, host, length, generator)},"body":{body}}},'
        f'"result":{callback.result_json},"diagnostics":{callback.diagnostics_json}}}').encode()
    return b'{"crc32":"%08x",%b\n' % (zlib.crc32(checked), checked)


def _host(generator):
    kind = generator.random() * 100
    for host, scheme, share in HOSTS:
        kind -= share
        if kind < 0:
            return host, scheme
    return HOSTS[0][:2]


def _peer(generator):
    number = generator.getrandbits(29)
    return f"10.{number & 255}.{number >> 8 & 7}.{number >> 11 & 255}:{32768 + (number >> 16)}"


def _headers(callback, host, length, generator):
    """The header fields as a JSON array of pairs."""
    if callback.method == "GET":
        return (
            f'[["Host","{host}"],["User-Agent","{BROWSERS[int(generator.random() * 3)]}"],'
            '["Accept","*/*"],["Accept-Language","en-GB"]]')
    return (
        f'[["Host","{host}"],["User-Agent","{CLIENTS[int(generator.random() * 3)]}"],'
        f'["Accept","application/json"],["Content-Type","{callback.content_type}"],'
        f'["Content-Length","{length}"]]')


def _body(body):
    """The member `body` and the length of the content."""
    if body is None:
        return "null", 0
    if isinstance(body, bytes):
        data = base64.b64encode(body).decode()
        return f'{{"encoding":"base64","data":"{data}"}}', len(body)
    text = body.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'{{"encoding":"utf8","data":"{text}"}}', len(body.encode())
