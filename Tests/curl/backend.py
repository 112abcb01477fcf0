#!/usr/bin/env python3
"""A partner's back end for tests of forwarding: keeps every request, and answers by its path.

Prints its port. Ends with its standard input. Each request becomes a line of JSON in FILE as soon as it was
read: path, method, field lines, body in Base64, and the status of the answer.

    backend.py PORT FILE        PORT 0 takes a free one

    /ok         200
    /half       500 or 200, at random
    /bad        500
    /redirect   302 to /ok
    /slow       no answer
    /cut        200, whose content is cut off
    /switch     500 while there is a file FILE.off, else 200
"""

import asyncio
import base64
import json
import os
import random
import sys

PORT, FILE = int(sys.argv[1]), sys.argv[2]
chance = random.Random(1)
log = open(FILE, "a", buffering=1)


def status_of(path):
    name = path.partition("?")[0].split("/")[1]
    if name == "half":
        return chance.choice([200, 500])
    if name == "switch":
        return 500 if os.path.exists(FILE + ".off") else 200
    return {"ok": 200, "cut": 200, "bad": 500, "redirect": 302}.get(name, 404)


async def take(reader, writer):
    try:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        first, *lines = head.split("\r\n")[:-2]
        method, path, _ = first.split(" ")
        fields = [line.split(": ", 1) if ": " in line else [line.rstrip(":"), ""] for line in lines]
        length = next((int(value) for name, value in fields if name.lower() == "content-length"), 0)
        body = await reader.readexactly(length)
        status = status_of(path)
        entry = {
            "path": path, "method": method, "fields": fields, "body": base64.b64encode(body).decode(),
            "status": status,
        }
        log.write(json.dumps(entry) + "\n")
        if path.startswith("/slow"):
            await reader.read()
            return
        if path.startswith("/cut"):
            writer.write(b"HTTP/1.1 200 X\r\nContent-Length: 10\r\n\r\n")
            await writer.drain()
            return
        place = "Location: /ok\r\n" if status == 302 else ""
        writer.write(f"HTTP/1.1 {status} X\r\n{place}Content-Length: 0\r\nConnection: close\r\n\r\n".encode())
        await writer.drain()
    except (OSError, EOFError, ValueError):
        pass
    finally:
        writer.close()


async def main():
    server = await asyncio.start_server(take, "127.0.0.1", PORT, backlog=1024)
    print(server.sockets[0].getsockname()[1], flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    os._exit(0)


asyncio.run(main())
