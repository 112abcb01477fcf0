"""What tests in Python against the real program share: starting it, asking it, ending it.

Invariant: every process gets a folder that no other has, is ended by its own process id, and every wait is bounded.
Left out: building. LANDFALL_BIN names the program; else it is the release build.
"""

import http.client
import json
import os
import resource
import signal
import socket
import subprocess
import sys
import time

REPOSITORY = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BINARY = os.path.join(REPOSITORY, os.environ.get("LANDFALL_BIN", ".build-release/release/landfall"))
START_SECONDS = 20
STOP_SECONDS = 40
REPLY_SECONDS = 20
HOST = "127.0.0.1"


class Fault(Exception):
    """A promise that was broken."""


def free_port():
    with socket.socket() as opened:
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        opened.bind((HOST, 0))
        return opened.getsockname()[1]


def configuration(folder, text):
    """Writes a configuration with the page and the sites that are shipped; returns its path."""
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, "landfall.yaml")
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"public: {REPOSITORY}/public\nsites: {{folder: {REPOSITORY}/Config/sites}}\n{text}")
    return path


class Program:
    """One process of the server; its log is FOLDER/log-NUMBER."""

    started = 0

    def __init__(self, config, data, port, *options, descriptors=None, variables=None):
        Program.started += 1
        self.port = port
        self.log = os.path.join(os.path.dirname(config), f"log-{Program.started}")
        environment = {name: value for name, value in os.environ.items() if not name.startswith("LANDFALL_")}
        environment.update(variables or {})

        def limit():
            resource.setrlimit(resource.RLIMIT_NOFILE, (descriptors, descriptors))

        with open(self.log, "wb") as log:
            self.process = subprocess.Popen(
                [BINARY, "serve", "--config", config, "--host", HOST, "--port", str(port), "--data", data, *options],
                cwd=REPOSITORY, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=log,
                preexec_fn=limit if descriptors else None)

    @property
    def pid(self):
        return self.process.pid

    def text(self):
        with open(self.log, encoding="utf-8", errors="replace") as file:
            return file.read()

    def has_ended(self):
        return self.process.poll() is not None

    def wait_until_ready(self):
        deadline = time.monotonic() + START_SECONDS
        while " listening " not in self.text():
            if self.has_ended():
                raise Fault(f"the server ended with {self.process.returncode} at its start: {self.text()[-2000:]}")
            if time.monotonic() > deadline:
                raise Fault(f"the server did not start within {START_SECONDS} s: {self.text()[-2000:]}")
            time.sleep(0.002)

    def expect_running(self):
        if self.has_ended():
            raise Fault(f"the server ended by itself with {self.process.returncode}: {self.text()[-4000:]}")

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self):
        """Ends it in order; returns its exit code."""
        self.process.send_signal(signal.SIGTERM)
        return self.wait_until_gone()

    def wait_until_gone(self):
        try:
            return self.process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self.kill()
            raise Fault(f"the server did not end within {STOP_SECONDS} s: {self.text()[-2000:]}") from None


class Client:
    """A kept-alive connection that is opened again when it was lost."""

    def __init__(self, port, seconds=REPLY_SECONDS):
        self.connection = http.client.HTTPConnection(HOST, port, timeout=seconds)

    def ask(self, method, path, body=None, headers=None):
        """Status and body; raises OSError or HTTPException where there is no whole reply."""
        try:
            self.connection.request(method, path, body=body, headers=headers or {})
            reply = self.connection.getresponse()
            return reply.status, reply.read()
        except (OSError, http.client.HTTPException):
            self.close()
            raise

    def json(self, method, path, body=None, headers=None):
        status, text = self.ask(method, path, body, headers)
        if status != 200:
            raise Fault(f"{method} {path} got {status}: {text[:500]}")
        return json.loads(text)

    def close(self):
        self.connection.close()


LOST = (OSError, http.client.HTTPException)


def leave_nothing_running():
    """Has SIGTERM end this program as an exception does, so that what it started is ended too."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
