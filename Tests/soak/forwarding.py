#!/usr/bin/env python3
"""Posts callbacks at a steady rate to a server that forwards them to a target which fails half of the time.

Two runs of the same load: without forwarding, then with an ordered and an unordered target. Prints the latency of
callbacks in both, and how long the targets took to get everything; fails if a callback is missing at a target, or
out of order at the ordered one.

    forwarding.py [--rate 1000] [--seconds 20] [--drain 600] [--binary PATH]
"""

import argparse
import asyncio
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
CONNECTIONS = 32
BODY = (ROOT / "Benchmarks/callback.form").read_bytes()

RULES = """
forward:
  - name: half
    targets:
      - {{url: "http://127.0.0.1:{port}/half/ordered", ordered: true, retry_milliseconds: 1}}
      - {{url: "http://127.0.0.1:{port}/half/any", retry_milliseconds: 1}}
"""


class Server:
    """The program on a folder of its own."""

    def __init__(self, binary, folder, rules):
        (folder / "landfall.yaml").write_text(f"public: {ROOT}/public\n{rules}")
        self.log = folder / "log"
        with open(self.log, "w") as log:
            self.process = subprocess.Popen(
                [binary, "serve", "--config", folder / "landfall.yaml", "--port", "0", "--data", folder / "data"],
                stderr=log, stdout=subprocess.DEVNULL)
        deadline = time.monotonic() + 60
        while "listening" not in self.log.read_text():
            if time.monotonic() > deadline or self.process.poll() is not None:
                sys.exit(f"the server did not start: {self.log.read_text()}")
            time.sleep(0.05)
        line = next(line for line in self.log.read_text().splitlines() if "listening" in line)
        self.port = int(line.partition("port=")[2].split()[0])

    def cpu_seconds(self):
        parts = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(parts[11]) + int(parts[12])) / os.sysconf("SC_CLK_TCK")

    def stop(self):
        self.process.terminate()
        self.process.wait(60)


async def post(port, rate, seconds):
    """Posts numbered callbacks; the latency of each, in ms, from when it was due to its whole answer."""
    start = time.monotonic() + 0.2
    count, latencies, numbers = rate * seconds, [], iter(range(rate * seconds))

    async def connection():
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        for number in numbers:
            due = start + number / rate
            if (delay := due - time.monotonic()) > 0:
                await asyncio.sleep(delay)
            sent = max(due, time.monotonic() - 0.05)
            writer.write(
                f"POST /callbacks/raw/load?mark={number} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(BODY)}\r\n"
                "Content-Type: application/x-www-form-urlencoded\r\n\r\n".encode() + BODY)
            head = await reader.readuntil(b"\r\n\r\n")
            if b" 201 " not in head.partition(b"\r\n")[0]:
                sys.exit(f"callback {number} got {head[:200]}")
            length = int(head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0])
            await reader.readexactly(length)
            latencies.append((time.monotonic() - sent) * 1000)
        writer.close()

    await asyncio.gather(*(connection() for _ in range(CONNECTIONS)))
    took = time.monotonic() - start
    latencies.sort()
    print(f"  {count} callbacks in {took:.1f} s; p50 {latencies[count // 2]:.1f} ms, "
          f"p99 {latencies[count * 99 // 100]:.1f} ms, most {latencies[-1]:.1f} ms")


def stored(folder):
    """The marks of the stored callbacks, in the order of the journal."""
    marks = []
    for file in sorted((folder / "data/results").glob("*.jsonl")):
        with open(file) as lines:
            for line in lines:
                if '"kind":"callback"' in line[:120]:
                    marks.append(int(line.partition("mark=")[2].partition('"')[0]))
    return marks


class Arrivals:
    """What the targets have taken, read from the back end's file as it grows."""

    def __init__(self, path):
        self.file, self.first, self.requests = open(path), {}, 0

    def read(self):
        while (line := self.file.readline()).endswith("\n"):
            entry = json.loads(line)
            self.requests += 1
            if entry["status"] == 200:
                path, _, mark = entry["path"].partition("?mark=")
                self.first.setdefault(path, {}).setdefault(int(mark))
        return {path: list(marks) for path, marks in self.first.items()}


def run(arguments, folder, forwards):
    folder.mkdir()
    # In earnest the target has a machine of its own; here it gets what the server leaves.
    backend = subprocess.Popen(
        ["nice", "-n", "19", ROOT / "Tests/curl/backend.py", "0", folder / "got"], stdin=subprocess.PIPE,
        stdout=subprocess.PIPE, text=True)
    port = int(backend.stdout.readline())
    server = Server(arguments.binary, folder, RULES.format(port=port) if forwards else "")
    try:
        asyncio.run(post(server.port, arguments.rate, arguments.seconds))
        print(f"  {server.cpu_seconds():.1f} s of the server's processor time; load {os.getloadavg()[0]:.1f}")
        if forwards:
            check(arguments, folder)
    finally:
        server.stop()
        backend.stdin.close()
        backend.wait(10)


def check(arguments, folder):
    wanted = stored(folder)
    assert len(wanted) == arguments.rate * arguments.seconds, len(wanted)
    arrivals, start, left = Arrivals(folder / "got"), time.monotonic(), {"/half/ordered", "/half/any"}
    while left:
        got = arrivals.read()
        for path in sorted(left):
            if len(got.get(path, [])) == len(wanted):
                print(f"  {path} had everything {time.monotonic() - start:.1f} s after the load")
                left.discard(path)
        if time.monotonic() - start > arguments.drain:
            missing = {path: len(wanted) - len(got.get(path, [])) for path in left}
            sys.exit(f"missing after {arguments.drain} s: {missing}")
        time.sleep(0.2)
    assert got["/half/ordered"] == wanted, "the ordered target got callbacks out of order"
    assert sorted(got["/half/any"]) == sorted(wanted)
    print(f"  nothing lost, nothing out of order; {arrivals.requests} attempts for {2 * len(wanted)} deliveries")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rate", type=int, default=1000)
    parser.add_argument("--seconds", type=int, default=20)
    parser.add_argument("--drain", type=int, default=600)
    parser.add_argument("--binary", default=ROOT / ".build-release/release/landfall")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for name, forwards in [("without forwarding", False), ("with forwarding", True)]:
            print(name, flush=True)
            run(arguments, pathlib.Path(folder) / name.replace(" ", "-"), forwards)


main()
