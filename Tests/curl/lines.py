#!/usr/bin/env python3
"""Checks stored lines without any of Landfall's code: form, checksums, numbers.

Invariant: says the first thing that is wrong, with file and line, and exits with 1.

    lines.py FILE...    in the order in which they were written
"""

import json
import re
import sys
import zlib

MEMBERS = ["crc32", "id", "seq", "kind", "received_at", "inbox", "vendor", "contract", "outcome", "verdict", "flow",
           "request", "result", "diagnostics"]
REQUEST_MEMBERS = ["method", "scheme", "host", "target", "version", "peer", "headers", "body"]
OPTIONAL_MEMBERS = {"masked", "pinned", "trace", "parameters", "delivery", "batch"}
BODY_MEMBERS = [["encoding", "data"], ["encoding", "data", "content_coding"]]
START = re.compile(rb'\{"crc32":"([0-9a-f]{8})",')
TIME = re.compile(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z")
UUID7 = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")


def fault(line):
    """What is wrong with a line, and its record."""
    start = START.match(line)
    if not start:
        return "does not begin with its checksum", None
    if f"{zlib.crc32(line[start.end():]):08x}" != start[1].decode():
        return "has a wrong checksum", None
    record = json.loads(line)
    if list(record) != MEMBERS:
        return f"has the members {list(record)}", record
    optional = list(record["request"])[len(REQUEST_MEMBERS):]
    if list(record["request"])[:len(REQUEST_MEMBERS)] != REQUEST_MEMBERS or not OPTIONAL_MEMBERS >= set(optional):
        return f"has a request with the members {list(record['request'])}", record
    if not UUID7.fullmatch(record["id"]) or not TIME.fullmatch(record["received_at"]):
        return "has a wrong id or time", record
    if record["request"]["body"] and list(record["request"]["body"]) not in BODY_MEMBERS:
        return "has a wrong body", record
    return None, record


def main():
    sequence, ids = 0, set()
    for path in sys.argv[1:]:
        with open(path, "rb") as file:
            content = file.read()
        if not content.endswith(b"\n"):
            sys.exit(f"{path} has no line end at its end")
        for number, line in enumerate(content[:-1].split(b"\n"), start=1):
            problem, record = fault(line)
            if not problem and record["seq"] != sequence + 1:
                problem = f"has seq {record['seq']} after {sequence}"
            if not problem and record["id"] in ids:
                problem = "has an id that was there before"
            if problem:
                sys.exit(f"{path}:{number} {problem}")
            sequence += 1
            ids.add(record["id"])
    print(sequence)


main()
