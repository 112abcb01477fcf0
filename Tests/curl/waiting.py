#!/usr/bin/env python3
"""Opens connections whose answers are delayed; says how many were answered at once, and how many wait.

    waiting.py PORT COUNT PATH
"""

import select
import socket
import sys

port, count, path = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
request = f"GET {path}?stress=0.5 HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
waiting = {}
skipped = 0
for _ in range(count):
    connection = socket.create_connection(("127.0.0.1", port), timeout=10)
    connection.sendall(request)
    waiting[connection.fileno()] = connection
while True:
    ready, _, _ = select.select(list(waiting.values()), [], [], 8)
    if not ready:
        break
    for connection in ready:
        head = connection.recv(65536)
        assert b"503" in head.split(b"\r\n")[0] and b"\r\nLandfall-Delay: skipped\r\n" in head, head
        skipped += 1
        del waiting[connection.fileno()]
print(f"{skipped} skipped, {len(waiting)} waiting")
