#!/usr/bin/env python3
"""Sites for tests of `landfall association lint --url`: link files that are coded, or never end.

Prints its port. Ends with its standard input. An argument names the way that /.well-known is answered.

    /gzip       a right file, coded with gzip whether or not that was asked for; also at the root
    /huge       16 MiB of blanks, coded with gzip
    /broken     no gzip, though it says so
    /missing    404 without content, though it says that it is coded; also under /.well-known without an argument
    /drip       a right head, then one byte each second
"""

import gzip
import http.server
import sys
import threading
import time

FILE = b'{"applinks":{"details":[{"appIDs":["Q7WERTY123.shop.example.app"],"components":[{"/":"/dds/*"}]}]}}'

WELL_KNOWN = sys.argv[1] if len(sys.argv) > 1 else "missing"


class Site(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        way = self.path.split("/")[1]
        if way == "apple-app-site-association":
            way = "gzip"
        if way == ".well-known":
            way = WELL_KNOWN
        if way == "missing":
            return self.answer(0, ("Content-Encoding", "gzip"), status=404)
        if way == "drip":
            self.answer(1000)
            while True:
                self.wfile.write(b" ")
                time.sleep(1)
        body = FILE if way == "broken" else gzip.compress(FILE if way == "gzip" else b" " * (16 * 1024 * 1024))
        self.answer(len(body), ("Content-Encoding", "gzip"))
        self.wfile.write(body)

    def answer(self, size, *fields, status=200):
        self.send_response(status)
        for name, value in [("Content-Type", "application/json"), ("Content-Length", str(size)), *fields]:
            self.send_header(name, value)
        self.end_headers()

    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_):
        """A client that gives up is no error."""


server = Server(("127.0.0.1", 0), Site)
threading.Thread(target=server.serve_forever, daemon=True).start()
print(server.server_port, flush=True)
sys.stdin.read()
