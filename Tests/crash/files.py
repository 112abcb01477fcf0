"""Reads a data folder without any of Landfall's code.

Invariant: every byte of every file is looked at, compressed ones as they are and inflated.
"""

import gzip
import os
import re
import zlib

from program import Fault

SEGMENT = re.compile(r"(\d{4}-\d{2}-\d{2})(?:-(\d+))?\.jsonl(\.gz)?")
START = re.compile(rb'\{"crc32":"([0-9a-f]{8})",')
NUMBER = re.compile(rb'"seq":(\d+)')
MARK = re.compile(rb"mk[0-9a-f]{16}z|box-[0-9a-f]{10}")


def contents(folder):
    """Path and bytes of every file; what is compressed also inflated."""
    for root, _, names in os.walk(folder):
        for name in sorted(names):
            path = os.path.join(root, name)
            try:
                with open(path, "rb") as file:
                    data = file.read()
            except (FileNotFoundError, OSError):
                continue
            yield path, data
            if name.endswith(".gz"):
                yield path, gzip.decompress(data)


def expect_nowhere(folder, tokens, names):
    """No file holds any of these marks."""
    unwelcome = {text.encode() for text in tokens | names}
    found = {}
    for path, data in contents(folder):
        for mark in set(MARK.findall(data)) & unwelcome:
            found.setdefault(os.path.relpath(path, folder), []).append(mark.decode())
    if found:
        listed = "; ".join(f"{path} holds {len(marks)}, such as {marks[:3]}" for path, marks in found.items())
        raise Fault(f"erased and compacted, and still there: {listed}")


def expect_lines(folder):
    """Every line is whole, and numbers rise from line to line; returns how many lines there are."""
    results = os.path.join(folder, "results")
    segments = sorted((match[1], int(match[2] or 1), name) for name in os.listdir(results)
                      if (match := SEGMENT.fullmatch(name)))
    count, seen = 0, set()
    for _, _, name in segments:
        with (gzip.open if name.endswith(".gz") else open)(os.path.join(results, name), "rb") as file:
            last = 0
            for place, line in enumerate(file, 1):
                start = START.match(line)
                if not start or f"{zlib.crc32(line[start.end():-1]):08x}" != start[1].decode() or line[-1:] != b"\n":
                    raise Fault(f"{name}, line {place}, is not whole: {line[:200]}")
                number = int(NUMBER.search(line)[1])
                if number <= last or number in seen:
                    raise Fault(f"{name}, line {place}, has the number {number}, and follows {last}")
                seen.add(number)
                last = number
                count += 1
    return count
