#!/usr/bin/env python3
"""Listens on a port of 127.0.0.1 whose queue is full, so that the kernel drops what asks for a connection.

Prints the port, and holds it until standard input ends.
"""

import socket
import sys

listener = socket.socket()
listener.bind(("127.0.0.1", 0))
listener.listen(0)
waiting = []
while len(waiting) < 64:
    client = socket.socket()
    client.settimeout(0.3)
    try:
        client.connect(listener.getsockname())
    except TimeoutError:
        break
    waiting.append(client)
print(listener.getsockname()[1], flush=True)
sys.stdin.read()
