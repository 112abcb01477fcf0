#!/usr/bin/env python3
"""Posts callbacks on a few connections until the server goes away, then tells which were acknowledged.

Invariant: a line "id target" is written for a callback if and only if its whole reply was read. Nothing is
sent twice. Ends by itself after LOAD_SECONDS.

    load.py PORT INBOX
"""

import http.client
import sys
import threading
import time

CONNECTIONS = 4
LOAD_SECONDS = 15
REPLY_SECONDS = 10


def post(port, inbox, thread, acknowledged, failures):
    deadline = time.monotonic() + LOAD_SECONDS
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=REPLY_SECONDS)
    number = 0
    while time.monotonic() < deadline:
        number += 1
        target = f"/callbacks/raw/{inbox}?mark={thread}-{number}"
        try:
            connection.request("POST", target, body="x" * (number % 2000))
            reply = connection.getresponse()
            body = reply.read()
        except (OSError, http.client.HTTPException):
            return
        if reply.status != 201:
            failures.append(f"{target} got {reply.status}: {body[:200]}")
            return
        acknowledged.append(f'{body.split(b"id")[1][3:39].decode()} {target}')


def main():
    port, inbox = int(sys.argv[1]), sys.argv[2]
    acknowledged, failures = [], []
    threads = [
        threading.Thread(target=post, args=(port, inbox, number, acknowledged, failures))
        for number in range(CONNECTIONS)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    sys.stdout.writelines(f"{line}\n" for line in acknowledged)
    if failures:
        sys.exit("\n".join(failures))


main()
