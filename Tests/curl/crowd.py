#!/usr/bin/env python3
"""Takes as many connections of a server as it gives, while a client that was there before goes on working.

Invariant: the client that was there before is answered without an error; a new one is answered, gets 503 with
Retry-After, or is closed; when the crowd has gone, a new one is answered. What was acknowledged and not erased is
printed, a line "id target" each; anything else ends with 1 and a sentence.

    crowd.py PORT CONNECTIONS
"""

import http.client
import json
import resource
import socket
import sys
import time

ROUNDS = 30
ERASURES = 3
RECOVERY_SECONDS = 20
REPLY_SECONDS = 10


def request(connection, method, target, body=None):
    """The status and the body of a reply."""
    connection.request(method, target, body=body)
    reply = connection.getresponse()
    return reply, reply.read()


def expect(reply, body, *statuses):
    if reply.status not in statuses:
        raise SystemExit(f"status {reply.status}: {body[:300]}")


class Crowd:
    """Connections that are held open; those that the server closes are opened again."""

    def __init__(self, port, count):
        self.port, self.count, self.held, self.closed, self.refused = port, count, [], 0, 0

    def fill(self):
        kept = []
        for connection in self.held:
            try:
                answer = connection.recv(4096)
                if answer:
                    self.refused += answer.startswith(b"HTTP/1.1 503 ")
                    kept.append(connection)
                    continue
                self.closed += 1
            except BlockingIOError:
                kept.append(connection)
                continue
            except OSError:
                self.closed += 1
            connection.close()
        self.held = kept
        while len(self.held) < self.count:
            connection = socket.create_connection(("127.0.0.1", self.port), timeout=REPLY_SECONDS)
            connection.setblocking(False)
            self.held.append(connection)

    def leave(self):
        for connection in self.held:
            connection.close()
        self.held = []


def newcomer(port, mark, acknowledged):
    """The status of a callback on a connection of its own; None when it was closed."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=REPLY_SECONDS)
    target = f"/callbacks/raw/crowd?{mark}"
    try:
        reply, body = request(connection, "POST", target, "x")
    except (OSError, http.client.HTTPException):
        return None
    finally:
        connection.close()
    expect(reply, body, 201, 503)
    if reply.status == 201:
        acknowledged[json.loads(body)["id"]] = target
    elif not reply.getheader("Retry-After"):
        raise SystemExit("503 without Retry-After")
    return reply.status


def main():
    port, count = int(sys.argv[1]), int(sys.argv[2])
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    acknowledged, statuses = {}, []
    first = http.client.HTTPConnection("127.0.0.1", port, timeout=REPLY_SECONDS)
    expect(*request(first, "GET", "/healthz"), 200)
    crowd = Crowd(port, count)
    for number in range(ROUNDS):
        crowd.fill()
        target = f"/callbacks/raw/crowd?first-{number}"
        reply, body = request(first, "POST", target, "x")
        expect(reply, body, 201)
        acknowledged[json.loads(body)["id"]] = target
        expect(*request(first, "GET", "/api/v1/results?limit=5"), 200)
        if number % (ROUNDS // ERASURES) == 0:
            erased = next(iter(acknowledged))
            expect(*request(first, "DELETE", f"/api/v1/results/{erased}"), 204)
            del acknowledged[erased]
            expect(*request(first, "POST", "/api/v1/store/compact"), 200)
        statuses.append(newcomer(port, f"newcomer-{number}", acknowledged))
    crowd.leave()
    deadline = time.monotonic() + RECOVERY_SECONDS
    while newcomer(port, f"after-{time.monotonic()}", acknowledged) != 201:
        if time.monotonic() > deadline:
            raise SystemExit("no new connection was served after the crowd had gone")
        time.sleep(0.05)
    sys.stdout.writelines(f"{id} {target}\n" for id, target in acknowledged.items())
    if not crowd.refused:
        raise SystemExit("nobody was refused with 503")
    print(f"newcomers: {statuses}, crowd: {crowd.closed} closed", file=sys.stderr)


main()
