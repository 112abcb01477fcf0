"""What a server must offer so that the cases have something to ask for, and what it says of it unasked.

Invariant: `Site` is filled in once, before the first case, from plain requests without conditions.
Left out: how the server is configured and started.
"""

import json
import ssl
from dataclasses import dataclass

from wire import Connection, Unsupported


@dataclass(frozen=True)
class Resources:
    """Paths of one server. `outside` are files beside the served folder that nobody may get."""

    host: str  # a Host that is served, without port
    static: str  # a file of ≥ 2 kB that compresses well, with ETag and Last-Modified, older than a minute
    post: str  # takes any content up to the limit, answers 2xx
    list: str  # GET answers JSON
    none: str  # nothing is there
    named_host: str  # a host of its own …
    named: str  # … and a file that it serves
    outside: tuple  # targets' tails behind enough "../", and a word that gives the file away
    stored: str  # how to read posted content back: "link" (JSON's links.request, a message/http) or "echo"
    too_large: int  # octets of content that are too many for `post`


LANDFALL = Resources(
    host="localhost", static="/page.css", post="/callbacks/raw", list="/api/v1/results", none="/no-such",
    named_host="www.yourapp.com", named="/.well-known/apple-app-site-association",
    outside=(("etc/passwd", b"root:"), ("Config/landfall.yaml", b"listen:"),
             ("Config/sites/www.yourapp.com/assetlinks.json", b"package_name")),
    stored="link", too_large=5 << 20)

NGINX = Resources(
    host="localhost", static="/page.css", post="/post", list="/list.json", none="/no-such",
    named_host="www.yourapp.com", named="/.well-known/apple-app-site-association",
    outside=(("etc/passwd", b"root:"), ("public-other/key", b"secret")),
    stored="echo", too_large=5 << 20)

TABLES = {"landfall": LANDFALL, "nginx": NGINX}


class Site:
    """A server under judgement: its address, its resources, and their answers to plain requests."""

    def __init__(self, address, resources, tls=False, authority_file=None, server_name="localhost"):
        self.address, self.resources, self.is_tls = address, resources, tls
        self.authority_file, self.server_name = authority_file, server_name
        self.scheme, self.other_scheme = (b"https", b"http") if tls else (b"http", b"https")
        self._words = {
            name: getattr(resources, name).encode()
            for name in ("host", "static", "post", "list", "none", "named_host", "named")}
        self._words["scheme"], self._words["other_scheme"] = self.scheme, self.other_scheme
        self.plain = self._ask(b"")
        self.zipped = self._ask(b"Accept-Encoding: gzip\r\n")
        self.etag = self.plain.value("ETag")
        self.modified = self.plain.value("Last-Modified")
        self._words["etag"] = (self.etag or '"no tag"').encode("latin-1")
        self._words["modified"] = (self.modified or "no date").encode("latin-1")
        self._words["tail"] = (self.etag or '"no tag"').split('"')[1].encode("latin-1")

    def expand(self, octets):
        """Puts the site's words in for {static}, {host}, {etag}, {modified} and so on."""
        for name, word in self._words.items():
            octets = octets.replace(b"{" + name.encode() + b"}", word)
        return octets

    def connect(self, context=None, server_name=None):
        """A new connection, with TLS when the site has it."""
        if self.is_tls and context is None:
            context = self.context()
        return Connection(self.address, context, server_name or self.server_name)

    def context(self):
        """What a careful client offers. Names are not compared: the certificate is not what is judged."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname = False
        if self.authority_file:
            context.load_verify_locations(self.authority_file)
        else:
            context.verify_mode = ssl.CERT_NONE
        return context

    def needs_gzip(self):
        """Ends the case quietly when this server doesn't compress."""
        if self.zipped.value("Content-Encoding") != "gzip":
            raise Unsupported("the static file is never compressed")

    def stored_content(self, response):
        """The content that the server holds after a POST that it took."""
        if self.resources.stored == "echo":
            if not response.content:
                raise Unsupported("this content is not echoed")
            return response.content
        path = json.loads(response.content)["links"]["request"].encode()
        with self.connect() as connection:
            connection.send(self.expand(b"GET " + path + b" HTTP/1.1\r\nHost: {host}\r\n\r\n"))
            return connection.response().content.split(b"\r\n\r\n", 1)[1]

    def _ask(self, fields):
        with self.connect() as connection:
            connection.send(self.expand(b"GET {static} HTTP/1.1\r\nHost: {host}\r\n" + fields + b"\r\n"))
            response = connection.response()
            if response.status != 200 or len(response.content) < 1_000:
                raise SystemExit(f"{self.resources.static} answers {response}; is this the right server?")
            return response
