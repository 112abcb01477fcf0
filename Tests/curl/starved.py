#!/usr/bin/env python3
"""starved.py PORT PID REQUEST...: sends requests, such as `GET /path`, to a server that can open nothing more.

The connection is opened before. Prints the statuses; afterwards the server may open files again.
"""

import http.client
import os
import resource
import sys

port, process, requests = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]
connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)


def status(request: str) -> int:
    connection.request(*request.split(" ", 1))
    response = connection.getresponse()
    response.read()
    return response.status


status("GET /healthz")
taken = {int(name) for name in os.listdir(f"/proc/{process}/fd")}
free = min(set(range(len(taken) + 1)) - taken)
before = resource.prlimit(process, resource.RLIMIT_NOFILE)
resource.prlimit(process, resource.RLIMIT_NOFILE, (free, before[1]))
try:
    print(*[status(request) for request in requests])
finally:
    resource.prlimit(process, resource.RLIMIT_NOFILE, before)
