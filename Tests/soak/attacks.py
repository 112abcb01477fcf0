"""Attacks on a server: each is a function of host and port that goes on until it is stopped from outside.

Invariant: load goes to 127.0.0.1 only, in bounded numbers of connections; no attack depends on an answer. Attacks on
memory are in `attacks_memory.py`. Left out: judging; the soak looks at the server and at its honest clients.
"""

import asyncio
import contextlib
import random
import socket

# Where TLS is spoken; the soak sets it.
TLS_PORT = 0
# Where nobody listens.
REFUSED = "127.0.0.1:9"


class BlackHole:
    """A port of this machine where connecting has no end: its queue is full."""

    def __init__(self):
        self.listener = socket.socket()
        self.listener.bind(("127.0.0.1", 0))
        self.listener.listen(0)
        self.filling = []
        for _ in range(4):
            filler = socket.socket()
            filler.setblocking(False)
            with contextlib.suppress(OSError):
                filler.connect(self.listener.getsockname())
            self.filling.append(filler)

    def __str__(self):
        return f"127.0.0.1:{self.listener.getsockname()[1]}"


def request(method, target, body=b"", *fields):
    lines = [f"{method} {target} HTTP/1.1", "Host: localhost", *fields]
    if body or method == "POST":
        lines.append(f"Content-Length: {len(body)}")
    return ("\r\n".join(lines) + "\r\n\r\n").encode() + body


async def opened(host, port):
    """A connection; nil where none is to be had."""
    try:
        return await asyncio.wait_for(asyncio.open_connection(host, port, limit=16 * 1024), 5)
    except (OSError, asyncio.TimeoutError):
        return None, None


async def answer(reader, seconds=10):
    """Reads one response; its status, 0 when none comes."""
    try:
        head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), seconds)
        length = next((int(line.split(b":")[1]) for line in head.lower().split(b"\r\n")
                       if line.startswith(b"content-length:")), 0)
        body = await asyncio.wait_for(reader.readexactly(length), seconds)
        return int(head[9:12]), body
    except (OSError, ValueError, asyncio.TimeoutError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
        return 0, b""


async def hold(host, port, count, text, pause=0.0, drip=b""):
    """Keeps so many connections open, each with a text sent first; a lost one is opened again."""

    async def one():
        while True:
            reader, writer = await opened(host, port)
            if writer is None:
                await asyncio.sleep(0.5)
                continue
            with contextlib.suppress(OSError, asyncio.TimeoutError):
                writer.write(text)
                while pause and not reader.at_eof():
                    await asyncio.sleep(pause)
                    writer.write(drip)
                    await writer.drain()
                while await asyncio.wait_for(reader.read(65536), 600):
                    pass
            writer.transport.abort()
            await asyncio.sleep(0.2)

    await asyncio.gather(*(one() for _ in range(count)))


async def repeat(host, port, count, rate, texts):
    """Sends requests on so many kept connections, together about so many a second."""

    async def one():
        while True:
            reader, writer = await opened(host, port)
            if writer is not None:
                with contextlib.suppress(OSError):
                    status = 1
                    while status:
                        writer.write(next(texts))
                        status, _ = await answer(reader)
                        await asyncio.sleep(count / rate)
                writer.transport.abort()
            await asyncio.sleep(0.1)

    await asyncio.gather(*(one() for _ in range(count)))


# --- The attacks ------------------------------------------------------------------------------------

async def connection_flood(host, port):
    """More idle connections than there can be descriptors."""
    await hold(host, port, 3000, b"")


async def slow_heads(host, port):
    """Heads of which a byte comes each second."""
    await hold(host, port, 300, b"GET / HTTP/1.1\r\nHost: a\r\nX: ", 1, b"x")


async def deliveries(host, port):
    """Launches whose callbacks the server has to bring where nobody takes them, as pages' images would ask for them."""

    black_hole = BlackHole()

    def texts():
        while True:
            for scenario in ["duplicate:3", "out_of_order", "malformed:body", "delayed:1ms"]:
                for target in [REFUSED, black_hole, "nowhere.invalid"]:
                    launch = f"/emulate/flux/open?flowName=a&scenario={scenario}&callback=http://{target}/"
                    yield request("GET", launch)
                    yield request("GET", launch, b"", "Sec-Fetch-Site: cross-site", "Sec-Fetch-Dest: image")

    await repeat(host, port, 20, 200, texts())


async def log_lines(host, port):
    """Requests and handshakes that a log might mention, as fast as they are answered."""
    wrong = [b"GET / HTTP/9.9\r\n\r\n", b"\x00\x01\x02\r\n\r\n", request("GET", "/%zz"),
             request("POST", "/callbacks/no"),
             request("GET", "/x", b"", "Content-Length: 1", "Transfer-Encoding: chunked"),
             request("GET", "/api/v1/results", b"", "Authorization: Bearer wrong"),
             request("GET", "/api/v1/results?x=1", b"", "Sec-Fetch-Site: cross-site")]

    async def one(port):
        while True:
            reader, writer = await opened(host, port)
            if writer is not None:
                with contextlib.suppress(OSError):
                    writer.write(random.choice(wrong))
                    await answer(reader, 2)
                writer.transport.abort()
            await asyncio.sleep(0.005)

    await asyncio.gather(*(one(each) for each in [port, TLS_PORT] for _ in range(4)))


async def erase_cycles(host, port):
    """A result is stored, erased and taken off the disk, again and again."""
    while True:
        reader, writer = await opened(host, port)
        if writer is not None:
            with contextlib.suppress(OSError):
                status = 1
                while status:
                    writer.write(request("POST", "/callbacks/raw/erased", b"erased"))
                    status, body = await answer(reader)
                    id = body[7:43].decode(errors="replace") if status == 201 else "none"
                    writer.write(request("DELETE", f"/api/v1/results/{id}"))
                    await answer(reader)
                    writer.write(request("POST", "/api/v1/store/compact"))
                    status, _ = await answer(reader, 30)
                    await asyncio.sleep(0.01)
            writer.transport.abort()
        await asyncio.sleep(0.1)


async def listeners(host, port):
    """Many clients that wait for what doesn't come, and many that follow everything."""
    await asyncio.gather(
        hold(host, port, 200, request("GET", "/api/v1/results/wait?inbox=never&within=60s")),
        hold(host, port, 200, request("GET", "/api/v1/results/stream")))


async def inbox_flood(host, port):
    """Each callback makes an inbox of its own, and all of them are listed."""

    def texts():
        generator = random.Random()
        while True:
            for _ in range(20):
                yield request("POST", f"/callbacks/raw/flood-{generator.getrandbits(64):016x}", b"x")
            yield request("GET", "/api/v1/inboxes")

    await repeat(host, port, 10, 400, texts())


async def slow_readers(host, port):
    """Clients that ask for everything and take a little of it."""

    async def one():
        while True:
            reader, writer = await opened(host, port)
            if writer is not None:
                writer.transport.pause_reading()
                writer.write(request("GET", "/api/v1/export") * 20)
                await asyncio.sleep(15)
                writer.transport.abort()
            await asyncio.sleep(0.2)

    await asyncio.gather(*(one() for _ in range(100)))


ATTACKS = [connection_flood, slow_heads, deliveries, log_lines, erase_cycles, listeners, inbox_flood, slow_readers]
