#!/usr/bin/env python3
"""Has the server log: four peers that speak no TLS where it is expected, on one connection after another.

Invariant: ends by itself after SECONDS, and prints how many connections there were.

    noise.py PORT SECONDS
"""

import socket
import sys
import threading
import time

PEERS = 4


def provoke(port, deadline, counts):
    while time.monotonic() < deadline:
        try:
            with socket.create_connection(("127.0.0.1", port), timeout=5) as connection:
                connection.sendall(b"\x16\x03\x01\x00\x05noise")
                connection.recv(100)
        except OSError:
            pass
        counts.append(1)


def main():
    port, deadline, counts = int(sys.argv[1]), time.monotonic() + float(sys.argv[2]), []
    peers = [threading.Thread(target=provoke, args=(port, deadline, counts)) for _ in range(PEERS)]
    for peer in peers:
        peer.start()
    for peer in peers:
        peer.join()
    print(len(counts))


main()
