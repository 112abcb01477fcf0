#!/usr/bin/env python3
"""Runs the server as systemd's socket activation does: with listening sockets from descriptor 3 on.

Invariant: the process becomes the server, so its id is the one that was started.

    ACTIVATED=PROGRAM SOCKETS="NAME=WHERE ..." [LISTEN_PID=OTHER] activate.py ARGUMENT...

WHERE is a port of 127.0.0.1, 0 for a free one; "any", for a free one of all addresses; the path of a Unix-domain
socket; or "none", for a socket that does not listen. The ports are written to ACTIVATED_PORTS, one a line.
"""

import fcntl
import os
import socket
import sys

FIRST = 3
ASIDE = 100


def listening(where):
    if where.startswith("/"):
        opened = socket.socket(socket.AF_UNIX)
        opened.bind(where)
    else:
        opened = socket.socket()
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        opened.bind(("0.0.0.0" if where == "any" else "127.0.0.1", int(where) if where.isdigit() else 0))
    if where != "none":
        opened.listen(64)
    return opened


def main():
    named = [pair.split("=", 1) for pair in os.environ["SOCKETS"].split()]
    opened = [listening(where) for _, where in named]
    with open(os.environ["ACTIVATED_PORTS"], "w", encoding="ascii") as ports:
        for one in opened:
            name = one.getsockname()
            print(name[1] if isinstance(name, tuple) else name, file=ports)
    # Out of the way first: they may stand where others have to go.
    aside = [fcntl.fcntl(one.fileno(), fcntl.F_DUPFD, ASIDE) for one in opened]
    for number, descriptor in enumerate(aside):
        os.dup2(descriptor, FIRST + number, inheritable=True)
        os.close(descriptor)
    os.environ.setdefault("LISTEN_PID", str(os.getpid()))
    os.environ["LISTEN_FDS"] = str(len(opened))
    os.environ["LISTEN_FDNAMES"] = ":".join(name for name, _ in named)
    program = os.environ["ACTIVATED"]
    os.execv(program, [program] + sys.argv[1:])


main()
