#!/usr/bin/env python3
"""Writes a segment of the past without any of Landfall's code: raw callbacks of one day, one a second.

Invariant: numbers begin at 1, ids are UUIDs of version 7 that tell the time of their line, and checksums are
right. The first line's body is MARK, where one is given; the others' are "old NUMBER".

    segment.py FOLDER DAY COUNT [MARK]
"""

import datetime
import json
import os
import sys
import zlib


def line(number, moment, body):
    milliseconds = int(moment.timestamp() * 1000)
    digits = f"{milliseconds:012x}7{number % 4096:03x}8{number:015x}"
    parts = [digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]]
    record = {
        "id": "-".join(parts),
        "seq": number,
        "kind": "callback",
        "received_at": moment.strftime("%Y-%m-%dT%H:%M:%S.000Z"),
        "inbox": "old",
        "vendor": "raw",
        "contract": None,
        "outcome": None,
        "verdict": "unmatched",
        "flow": None,
        "request": {
            "method": "POST",
            "scheme": "http",
            "host": "127.0.0.1:8080",
            "target": f"/callbacks/raw/old?number={number}",
            "version": "1.1",
            "peer": "127.0.0.1:51512",
            "headers": [["Host", "127.0.0.1:8080"], ["Content-Length", str(len(body))]],
            "body": {"encoding": "utf8", "data": body},
        },
        "result": None,
        "diagnostics": [],
    }
    rest = json.dumps(record, separators=(",", ":"))[1:].encode()
    return b'{"crc32":"%08x",' % zlib.crc32(rest) + rest + b"\n"


def main():
    folder, day, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
    mark = sys.argv[4] if len(sys.argv) > 4 else None
    os.makedirs(folder, exist_ok=True)
    start = datetime.datetime.fromisoformat(day).replace(tzinfo=datetime.timezone.utc)
    with open(os.path.join(folder, f"{day}.jsonl"), "wb") as file:
        for number in range(1, count + 1):
            moment = start + datetime.timedelta(seconds=number)
            body = mark if mark and number == 1 else f"old {number}"
            file.write(line(number, moment, body))


main()
