#!/usr/bin/env python3
"""Posts callbacks, each on a connection of its own, until a file is there, then tells which were acknowledged.

Invariant: a line "id target" is written for each callback; anything but 201 for one of them, a refused or a reset
connection too, is said at the end, and the exit code is 1. Ends by itself after STORM_SECONDS.

    storm.py PORT INBOX FILE
"""

import http.client
import json
import os
import sys
import threading
import time

THREADS = 8
STORM_SECONDS = 20
REPLY_SECONDS = 10


def post(port, target):
    """The id of the stored callback."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=REPLY_SECONDS)
    try:
        connection.request("POST", target, body="x")
        reply = connection.getresponse()
        body = reply.read()
        if reply.status != 201:
            raise ValueError(f"status {reply.status}: {body[:200]}")
        return json.loads(body)["id"]
    finally:
        connection.close()


def storm(port, inbox, thread, end, acknowledged, failures):
    deadline = time.monotonic() + STORM_SECONDS
    number = 0
    while time.monotonic() < deadline and not os.path.exists(end):
        number += 1
        target = f"/callbacks/raw/{inbox}?mark={thread}-{number}"
        try:
            acknowledged.append(f"{post(port, target)} {target}")
        except (OSError, ValueError, http.client.HTTPException) as failure:
            failures.append(f"{target}: {failure!r}")
        # Enough of them, and not so many that two processors do nothing else.
        time.sleep(0.005)


def main():
    port, inbox, end = int(sys.argv[1]), sys.argv[2], sys.argv[3]
    acknowledged, failures = [], []
    threads = [
        threading.Thread(target=storm, args=(port, inbox, number, end, acknowledged, failures))
        for number in range(THREADS)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    sys.stdout.writelines(f"{line}\n" for line in acknowledged)
    sys.stderr.writelines(f"{line}\n" for line in failures[:20])
    return 1 if failures else 0


sys.exit(main())
