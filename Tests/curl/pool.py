#!/usr/bin/env python3
"""A pool in front of a PostgreSQL, as far as a client can tell: it answers under a process number of its own.

    pool.py FOLDER SERVER       listens in FOLDER for the server whose socket is in the folder SERVER

Prints a line when it listens. Ends with its standard input.
"""

import asyncio
import struct
import sys

NAME = "/.s.PGSQL.5432"
# BackendKeyData: the process number follows.
KEY = b"K" + struct.pack("!i", 12)


async def relay(reader, writer, hides):
    while octets := await reader.read(65536):
        place = octets.find(KEY) if hides else -1
        if place >= 0:
            octets = octets[:place + 5] + struct.pack("!i", 1) + octets[place + 9:]
            hides = False
        writer.write(octets)
    writer.close()


async def serve(reader, writer):
    server_reader, server_writer = await asyncio.open_unix_connection(sys.argv[2] + NAME)
    await asyncio.gather(relay(reader, server_writer, False), relay(server_reader, writer, True))


async def main():
    await asyncio.start_unix_server(serve, sys.argv[1] + NAME)
    print("listening", flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)

asyncio.run(main())
