"""A raw HTTP/1.1 client: sends any octets over TCP or TLS, and reads answers by the letter of RFC 9112.

Invariant: nothing that a server sends is repaired. An answer off the grammar raises Violation, and
every wait has an end.
Left out: everything that a helpful client does, such as redirects, retries, cookies, decoding.
"""

import re
import socket
import ssl
import time

READ_SECONDS = 20
END_SECONDS = 30  # servers linger: the RFC has no limit, and some are known to take 5 s
TOTAL_SECONDS = 90
LINE_OCTETS = 64 << 10
CONTENT_OCTETS = 16 << 20

STATUS_LINE = re.compile(rb"(HTTP/\d\.\d) (\d{3}) ([\t \x21-\x7e\x80-\xff]*)\Z")
FIELD_LINE = re.compile(rb"([!#$%&'*+\-.^_`|~0-9A-Za-z]+):[ \t]*(.*?)[ \t]*\Z", re.DOTALL)
FIELD_VALUE = re.compile(rb"[\t\x20-\x7e\x80-\xff]*\Z")
CHUNK_LINE = re.compile(rb"([0-9A-Fa-f]+)[ \t]*(;[\t\x20-\x7e\x80-\xff]*)?\Z")


class Violation(Exception):
    """The server broke the requirement, or the grammar of an answer."""


class Silence(Violation):
    """Nothing came in time."""


class Ended(Violation):
    """The connection ended before the answer was complete."""


class Unsupported(Exception):
    """The case asks for something that this server doesn't offer and needn't."""


class Response:
    """An answer as it came: status, reason, fields in wire order, content after the framing."""

    def __init__(self, version, status, reason, fields):
        self.version, self.status, self.reason, self.fields = version, status, reason, fields
        self.content = b""
        self.trailers = []
        self.interim = []

    def lines(self, name):
        """The values of all field lines of that name."""
        return [value for key, value in self.fields if key.lower() == name.lower()]

    def value(self, name):
        """The field's combined value, or None."""
        lines = self.lines(name)
        return ", ".join(lines) if lines else None

    def members(self, name):
        """The members of a list of tokens, in lower case."""
        value = self.value(name) or ""
        return [member.strip(" \t").lower() for member in value.split(",") if member.strip(" \t")]

    def __str__(self):
        return f"{self.status} {self.reason}"


class Connection:
    """One connection. Writing errors are kept, not raised: what counts is what can be read afterwards."""

    def __init__(self, address, context=None, server_name=None):
        self._deadline = time.monotonic() + TOTAL_SECONDS
        self._socket = socket.create_connection(address, timeout=READ_SECONDS)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._buffer = bytearray()
        self.end = None  # "end", "reset", "close_notify" or "torn" once nothing more can come
        self.write_error = None
        self.tls = None
        if context:
            self._incoming, self._outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
            self.tls = context.wrap_bio(self._incoming, self._outgoing, server_hostname=server_name)
            try:
                self._handshake()
            except BaseException:
                self.close()
                raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        """Lets go of the socket."""
        self._socket.close()

    # Writing

    def send(self, octets):
        """Writes all octets; stops quietly when the peer no longer takes them."""
        if self.write_error:
            return
        try:
            if self.tls:
                self.tls.write(octets)
                octets = self._outgoing.read()
            self._socket.settimeout(self._patience())
            self._socket.sendall(octets)
        except (OSError, ssl.SSLError) as error:
            self.write_error = error

    def half_close(self):
        """Says that nothing more will be sent, and goes on reading."""
        try:
            if self.tls:
                try:
                    self.tls.unwrap()
                except ssl.SSLWantReadError:
                    pass
                self._socket.sendall(self._outgoing.read())
            self._socket.shutdown(socket.SHUT_WR)
        except OSError as error:
            self.write_error = error

    def cut(self):
        """Ends the client's side of TCP, without the close_notify that TLS asks for."""
        self._socket.shutdown(socket.SHUT_WR)

    # Reading

    def has_bytes(self, seconds):
        """Whether anything at all comes within this time."""
        return bool(self._buffer) or self._receive(seconds)

    def response(self, method="GET"):
        """The next final answer, with the interim ones in front of it in `interim`."""
        interim = []
        while True:
            response = self._head()
            self._content(response, method)
            if response.status >= 200:
                response.interim = interim
                return response
            if response.status == 101:
                raise Violation("101 (Switching Protocols) to a protocol that nobody wants")
            interim.append(response)
            if len(interim) > 8:
                raise Violation("more than 8 interim answers")

    def interim(self):
        """The next answer, be it interim or final, and whether it is interim."""
        response = self._head()
        self._content(response, "GET")
        return response, response.status < 200

    def expect_end(self, seconds=END_SECONDS):
        """Waits for the end of the connection, in front of which nothing more may come."""
        if self._buffer or self._receive(seconds):
            raise Violation(f"more came on a connection that must close: {excerpt(self._buffer)}")
        if not self.end:
            raise Violation(f"the connection stays open for {seconds} s")

    def _patience(self, seconds=READ_SECONDS):
        left = self._deadline - time.monotonic()
        if left <= 0:
            raise Silence(f"the case took more than {TOTAL_SECONDS} s")
        return min(seconds, left)

    def _receive(self, seconds=READ_SECONDS):
        """Takes in what there is; False when it is the end, or when nothing came in time."""
        until = time.monotonic() + seconds
        while not self.end:
            left = until - time.monotonic()
            if left <= 0:
                return False
            if self.tls and self._decrypt():
                return True
            if self.end:
                return False
            try:
                self._socket.settimeout(self._patience(left))
                octets = self._socket.recv(1 << 16)
            except TimeoutError:
                return False
            except OSError:
                self.end = "reset"
                return False
            if self.tls:
                self._incoming.write(octets) if octets else self._incoming.write_eof()
            elif octets:
                self._buffer += octets
                return True
            else:
                self.end = "end"
        return False

    def _decrypt(self):
        try:
            octets = self.tls.read(1 << 16)
        except ssl.SSLWantReadError:
            return False
        except ssl.SSLZeroReturnError:
            octets = b""
        except ssl.SSLError as error:
            self.end = "torn" if isinstance(error, ssl.SSLEOFError) else "reset"
            return False
        if not octets:
            self.end = "close_notify"
        self._buffer += octets
        return bool(octets)

    def _handshake(self):
        while True:
            try:
                self.tls.do_handshake()
                self._socket.sendall(self._outgoing.read())
                return
            except ssl.SSLWantReadError:
                self._socket.sendall(self._outgoing.read())
                octets = self._socket.recv(1 << 16)
                self._incoming.write(octets) if octets else self._incoming.write_eof()
            except ssl.SSLError:
                try:
                    self._socket.sendall(self._outgoing.read())  # the alert
                except OSError:
                    pass
                raise

    def _more(self, what):
        if self._receive():
            return
        if self.end:
            raise Ended(f"the connection ended ({self.end}) {what}{self._rest()}")
        raise Silence(f"nothing came within {READ_SECONDS} s {what}{self._rest()}")

    def _rest(self):
        return f" after {excerpt(self._buffer)}" if self._buffer else ""

    def _line(self, what):
        while (place := self._buffer.find(b"\n")) < 0:
            if len(self._buffer) > LINE_OCTETS:
                raise Violation(f"a line of more than {LINE_OCTETS} octets {what}")
            self._more(what)
        line = bytes(self._buffer[:place + 1])
        del self._buffer[:place + 1]
        if not line.endswith(b"\r\n") or b"\r" in line[:-2]:
            raise Violation(f"a line that doesn't end with CRLF alone {what}: {excerpt(line)}")
        return line[:-2]

    def _head(self):
        line = self._line("before the status line")
        match = STATUS_LINE.match(line)
        if not match:
            raise Violation(f"no status line: {excerpt(line)}")
        version, status, reason = (part.decode("latin-1") for part in match.groups())
        if version != "HTTP/1.1":
            raise Violation(f"an answer in {version}")
        if not 100 <= int(status) <= 599:
            raise Violation(f"no status: {status}")
        return Response(version, int(status), reason, self._fields("in the header section"))

    def _fields(self, what):
        fields = []
        while line := self._line(what):
            match = FIELD_LINE.match(line)
            if not match or not FIELD_VALUE.match(match[2]):
                raise Violation(f"no field line: {excerpt(line)}")
            fields.append((match[1].decode("latin-1"), match[2].decode("latin-1")))
        return fields

    def _content(self, response, method):
        """Reads by RFC 9112 section 6.3, and insists on what 8.6 and 6.1 forbid a server to send."""
        lengths, codings = response.lines("Content-Length"), response.lines("Transfer-Encoding")
        if len(lengths) > 1 or lengths and not re.fullmatch(r"[0-9]{1,18}", lengths[0]):
            raise Violation(f"Content-Length {lengths}")
        if lengths and codings:
            raise Violation("Content-Length beside Transfer-Encoding")
        if codings and codings != ["chunked"]:
            raise Violation(f"Transfer-Encoding {codings}")
        if response.status < 200 or response.status == 204:
            if lengths or codings:
                raise Violation(f"{response.status} with Content-Length or Transfer-Encoding")
            return
        if method == "HEAD" or response.status == 304:
            return
        if codings:
            self._chunks(response)
        elif lengths:
            response.content = self._octets(int(lengths[0]))
        else:
            while self._receive():
                pass
            if self.end not in ("end", "close_notify"):
                raise Violation("content until the end of a connection that does not end")
            response.content = bytes(self._buffer)
            self._buffer.clear()

    def _chunks(self, response):
        content = bytearray()
        while True:
            match = CHUNK_LINE.match(line := self._line("in a chunk's first line"))
            if not match or len(match[1]) > 12:
                raise Violation(f"no chunk: {excerpt(line)}")
            size = int(match[1], 16)
            if not size:
                break
            content += self._octets(size)
            if len(content) > CONTENT_OCTETS:
                raise Violation("an endless answer")
            if self._line("behind a chunk"):
                raise Violation("a chunk longer than its size")
        response.trailers = self._fields("in the trailer section")
        response.content = bytes(content)

    def _octets(self, count):
        if count > CONTENT_OCTETS:
            raise Violation(f"an answer of {count} octets")
        while len(self._buffer) < count:
            self._more(f"within content of {count} octets")
        octets = bytes(self._buffer[:count])
        del self._buffer[:count]
        return octets


def excerpt(octets, limit=60):
    """Octets for a line of a report."""
    text = bytes(octets[:limit]).decode("latin-1").encode("unicode_escape").decode("ascii")
    return f'"{text}"' + ("…" if len(octets) > limit else "")
