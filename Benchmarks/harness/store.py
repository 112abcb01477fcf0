"""What a store of made-up results costs: opened, compressed, asked, exported."""

import os
import random
import re
import statistics
import time
from dataclasses import dataclass

from harness import load, processes, questions, results, servers
from harness.failure import Failure
from harness.stage import progress, scratch_folder

SIZES = (10_000, 100_000, 1_000_000)
QUICK_SIZES = SIZES[:2]
DAYS = 20
OPENINGS = 3
WORK_SECONDS = 3600
"""How long an index, or a compaction, may take to be made."""
EXPORT_BUFFER_BYTES = 256 * 1024


@dataclass(frozen=True)
class Figures:
    """What was measured of one store."""

    results: int
    size_bytes: int
    """Of the files of results before they were compressed."""
    index_seconds: float
    """From the start of the process to the first answer, without an index."""
    open_seconds: float
    """The same with one."""
    compaction_seconds: float
    compacted_bytes: int
    """Of the files of results when closed days are compressed."""
    index_bytes: int
    latencies: dict
    """`questions.Latency` by kind."""
    export_bytes_per_second: float
    export_peak_bytes: int
    """Most memory that was resident during the export."""
    idle_bytes: int
    """Resident memory after everything."""
    others_share: float
    """Share of the machine's CPU time that neither the server nor the client used."""


def measure(_scenario, plan):
    """`Figures` by number of results."""
    return {
        count: _measure(count, plan.programs["landfall"])
        for count in (QUICK_SIZES if plan.is_quick else SIZES)}


def _measure(count, program):
    with scratch_folder() as folder:
        progress(f"store: writing {count:,} results")
        data = os.path.join(folder, "data")
        written = results.generate(data, count, DAYS)
        samples = Samples(os.path.join(data, "results"))
        progress(f"store: opening {count:,} results without an index, and compressing")
        server, index_seconds = open_store(folder, program)
        try:
            compaction_seconds = compact(server)
        finally:
            server.stop()
        open_seconds = _open_again_and_again(folder, program)
        server, _ = open_store(folder, program)
        try:
            meter = load.Meter(server)
            latencies = questions.ask_all(server, samples)
            progress("store: exporting")
            export_rate, export_peak = _export(server, written)
            _, others = meter.read()
            idle = processes.resident_bytes(server.pid)
            server.check_running()
        finally:
            server.stop()
        return Figures(
            results=count, size_bytes=written.size_bytes, index_seconds=index_seconds,
            open_seconds=open_seconds, compaction_seconds=compaction_seconds,
            compacted_bytes=_folder_bytes(os.path.join(data, "results")),
            index_bytes=os.path.getsize(os.path.join(data, "index.sqlite")),
            latencies=latencies, export_bytes_per_second=export_rate,
            export_peak_bytes=export_peak, idle_bytes=idle, others_share=others)


class Samples:
    """Ids and words of random results, taken from the files before they are compressed."""

    BLOCK_BYTES = 128 * 1024
    COUNT = questions.REQUESTS + questions.WARM_UP_REQUESTS

    def __init__(self, folder):
        """Reads files that were just written: the last is today's, which stays as it is."""
        self._random = random.Random(1)
        paths = sorted(entry.path for entry in os.scandir(folder))
        identifier = rb'\{"crc32":"[0-9a-f]{8}","id":"([0-9a-f-]{36})"'
        self.plain_ids = self._find(identifier, paths[-1:])
        self.compressed_ids = self._find(identifier, paths[:-1])
        self.barcodes = self._find(rb'"barcodes":\[\{"value":"(\d{20})"', paths[:-1])

    def _find(self, pattern, paths):
        sizes, found = [os.path.getsize(path) for path in paths], []
        while len(found) < self.COUNT:
            path, = self._random.choices(paths, sizes)
            with open(path, "rb") as file:
                file.seek(self._random.randrange(os.path.getsize(path)))
                matches = re.findall(pattern, file.read(self.BLOCK_BYTES))
            if matches:
                found.append(self._random.choice(matches).decode())
        return found


def open_store(folder, program):
    """A server on the data of `folder`, and the seconds from its start to its first answer."""
    server = servers.start_landfall(folder, program, servers.Setup(start_seconds=WORK_SECONDS))
    try:
        with questions.Client(server, WORK_SECONDS) as client:
            while (status := client.request(questions.RESULTS + "?limit=1")[0]) == 503:
                time.sleep(0.002)
        if status != 200:
            raise Failure(f"landfall does not list results after its start: {status}")
        return server, time.monotonic() - server.started_at
    except BaseException:
        server.stop()
        raise


def _open_again_and_again(folder, program):
    """The median of the seconds that openings take."""
    durations = []
    for _ in range(OPENINGS):
        server, seconds = open_store(folder, program)
        server.stop()
        durations.append(seconds)
    return statistics.median(durations)


def compact(server):
    """Has all closed days compressed, and gives the seconds that it took."""
    start = time.monotonic()
    with questions.Client(server, WORK_SECONDS) as client:
        status, content = client.request("/api/v1/store/compact", "POST")
    seconds = time.monotonic() - start
    if status not in (200, 204):
        raise Failure(f"the store is not compacted: {status} {content[:300]!r}")
    names = os.listdir(os.path.join(server.folder, "data", "results"))
    plain = sorted(name for name in names if name.endswith(".jsonl"))
    # The day that is still open may have several parts.
    if len({name[:len("2026-11-21")] for name in plain}) > 1:
        raise Failure(f"closed days are not compressed: {', '.join(plain)}")
    return seconds


def _export(server, written):
    """Bytes a second of a whole export, and the most memory that was resident meanwhile."""
    processes.forget_peak(server.pid)
    with questions.Client(server) as client:
        start = time.monotonic()
        size = client.size("/api/v1/export?format=ndjson", bytearray(EXPORT_BUFFER_BYTES))
        seconds = time.monotonic() - start
    if size < written.size_bytes * 0.9:
        raise Failure(f"the export has {size:,} bytes of about {written.size_bytes:,}")
    return size / seconds, processes.peak_bytes(server.pid)


def _folder_bytes(folder):
    return sum(entry.stat().st_size for entry in os.scandir(folder) if entry.is_file())
