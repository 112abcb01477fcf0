#!/usr/bin/env python3
"""Reads server-sent events (WHATWG HTML §9.2.6) from a file, as a browser does.

Invariant: an event that has not ended counts for nothing. Each whole one becomes a line of JSON with its
type, its id (the last one that was given) and its data, which must be JSON.

    events.py FILE
"""

import json
import sys


def main():
    with open(sys.argv[1], encoding="utf-8", newline="") as file:
        blocks = file.read().split("\n\n")
    last = None
    for block in blocks[:-1]:
        kind, data = "message", []
        for line in block.split("\n"):
            name, _, value = line.partition(":")
            value = value.removeprefix(" ")
            if name == "event":
                kind = value
            elif name == "id":
                last = value
            elif name == "data":
                data.append(value)
        if data:
            print(json.dumps({"event": kind, "id": last, "data": json.loads("\n".join(data))}))


main()
