#!/usr/bin/env python3
"""Sends standard input on a connection as it is, and prints what comes back until the server closes.

Invariant: every wait is bounded. Standard error says in one word how the connection ended: "closed" (in order,
under TLS by its closing alert), "cut" (under TLS without that alert), "reset", "open" (not in time).

    peer.py PORT [--preface HEX] [--authority FILE] [--again FILE]

--preface sends octets before everything, also before TLS. --authority speaks TLS, and asks for localhost, whose
certificate that authority must have signed. --again waits after the first answer until FILE is there, then
sends the same on the same connection.
"""

import argparse
import os
import socket
import ssl
import sys
import time

WAIT_SECONDS = 10


def options():
    parser = argparse.ArgumentParser()
    parser.add_argument("port", type=int)
    parser.add_argument("--preface", type=bytes.fromhex, default=b"")
    parser.add_argument("--authority")
    parser.add_argument("--again")
    return parser.parse_args()


def connect(arguments):
    connection = socket.create_connection(("127.0.0.1", arguments.port), timeout=WAIT_SECONDS)
    connection.sendall(arguments.preface)
    if not arguments.authority:
        return connection
    context = ssl.create_default_context(cafile=arguments.authority)
    return context.wrap_socket(connection, server_hostname="localhost", suppress_ragged_eofs=False)


def wait_for(path):
    deadline = time.monotonic() + WAIT_SECONDS
    while not os.path.exists(path) and time.monotonic() < deadline:
        time.sleep(0.02)


def receive(connection):
    data = connection.recv(65536)
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()
    return data


def main():
    arguments = options()
    request = sys.stdin.buffer.read()
    try:
        connection = connect(arguments)
        connection.sendall(request)
        if arguments.again:
            receive(connection)
            wait_for(arguments.again)
            connection.sendall(request)
        while receive(connection):
            pass
        return "closed"
    except ssl.SSLEOFError:
        return "cut"
    except (ConnectionError, ssl.SSLError):
        return "reset"
    except TimeoutError:
        return "open"


print(main(), file=sys.stderr)
