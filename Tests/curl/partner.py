#!/usr/bin/env python3
"""A partner's endpoint for tests of `landfall certify`: good, or bad in one way that its path names.

Prints its port. Ends with its standard input.

    partner.py [SECRET [CERTIFICATE KEY]]

    /good       does all that a partner must do
    /crash      fails with 500 where a message can't be decoded
    /redirect   sends every message elsewhere
    /slow       takes 3 s for a message that comes again
    /once       refuses a message that it has seen
    /formless   takes no forms
    /jsonless   takes no JSON
    /naive      believes every signature
    /strict     believes no signature but the first of a field
"""

import base64
import hashlib
import hmac
import http.server
import json
import ssl
import sys
import threading
import time
import urllib.parse

SECRET = base64.b64decode(sys.argv[1].removeprefix("whsec_")) if len(sys.argv) > 1 else b""
seen = set()


class Partner(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        self.take(b"")

    def do_POST(self):
        self.take(self.rfile.read(int(self.headers.get("Content-Length", 0))))

    def take(self, body):
        path, _, query = self.path.partition("?")
        way = path.split("/")[1]
        kind = self.headers.get("Content-Type", "").partition(";")[0]
        message = (way, query, body, self.headers.get("Idempotency-Key"))
        is_known = message in seen
        seen.add(message)
        if way == "redirect":
            return self.answer(302, Location="http://user:Zq7SECRET@127.0.0.1/good?q=Zq7SECRET")
        if way == "slow" and is_known:
            time.sleep(3)
        if way == "once" and is_known and (query or body):
            return self.answer(409)
        if way == "formless" and kind == "application/x-www-form-urlencoded":
            return self.answer(415)
        if way == "jsonless" and kind == "application/json":
            return self.answer(415)
        if path.endswith("/hooks") and way != "naive" and not self.is_signed(body, way == "strict"):
            return self.answer(401)
        try:
            self.decode(query, body, kind)
        except Exception:
            return self.answer(500 if way == "crash" else 400)
        self.answer(200)

    def decode(self, query, body, kind):
        if kind == "application/json":
            json.loads(body)
            return
        text = query or body.decode("ascii")
        values = urllib.parse.parse_qs(text, errors="strict")
        for value in values.get("response", []):
            value = value.replace("-", "+").replace("_", "/") + "=" * (-len(value) % 4)
            raw = base64.b64decode(value, validate=True)
            json.loads(raw.decode("utf-8"))

    def is_signed(self, body, is_strict):
        for prefix in ["svix", "webhook"]:
            name, moment, signatures = [
                self.headers.get(f"{prefix}-{part}", "") for part in ["id", "timestamp", "signature"]
            ]
            if not name or not moment.isdigit() or abs(time.time() - int(moment)) > 300:
                continue
            code = hmac.new(SECRET, f"{name}.{moment}.".encode() + body, hashlib.sha256).digest()
            own = "v1," + base64.b64encode(code).decode()
            found = signatures.split(" ")[: 1 if is_strict else None]
            if any(hmac.compare_digest(own, other) for other in found):
                return True
        return False

    def answer(self, status, **fields):
        self.send_response(status)
        for name, value in fields.items():
            self.send_header(name, value)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Partner)
server.daemon_threads = True
if len(sys.argv) > 3:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[2], sys.argv[3])
    server.socket = context.wrap_socket(server.socket, server_side=True)
threading.Thread(target=server.serve_forever, daemon=True).start()
print(server.server_port, flush=True)
sys.stdin.read()
