"""Servers under measurement: each on a free port of 127.0.0.1, stopped by its own process id."""

import http.client
import os
import pwd
import socket
import subprocess
import time

from harness import builds
from harness.failure import Failure

START_SECONDS = 15
STOP_SECONDS = 15
ASSOCIATION_PATH = "/.well-known/apple-app-site-association"

NGINX_CONFIGURATION = """\
# As Debian ships it (sendfile, tcp_nopush, workers by cores, no file cache), except for:
{user}
daemon off;                        # the benchmark stops it by its process id
worker_processes auto;
pid {folder}/nginx.pid;
events {{ worker_connections 4096; }}  # Debian's 768 are too few for the memory scenario
http {{
    sendfile on;
    tcp_nopush on;
    default_type application/json; # the file has no extension to tell its type by
    keepalive_requests 1000000;    # 1000 by default: wrk would have to reconnect
    access_log off;                # the other servers write none either
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    server {{
        listen 127.0.0.1:{port};
        root {folder}/root;
    }}
}}
"""


class Server:
    """A running server: `name`, `pid`, `port`, and `folder`, where its files are."""

    def __init__(self, name, command, port, folder):
        """Starts `command` and returns when it answers."""
        self.name, self.port, self.folder = name, port, folder
        self._log_path = os.path.join(folder, "log")
        with open(self._log_path, "wb") as log:
            self._process = subprocess.Popen(
                command, cwd=builds.ROOT, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        self.pid = self._process.pid
        try:
            self._wait_until_ready()
        except BaseException:
            self.stop()
            raise

    def url(self, path):
        """The URL of a path."""
        return f"http://127.0.0.1:{self.port}{path}"

    def request(self, method, path, body=None, headers=None):
        """One request on a connection of its own: status, header fields, content."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=5)
        try:
            connection.request(method, path, body=body, headers=headers or {})
            response = connection.getresponse()
            return response.status, response.headers, response.read()
        finally:
            connection.close()

    def check_running(self):
        """Fails when the server has ended by itself."""
        if self._process.poll() is not None:
            raise Failure(f"{self.name} ended by itself:\n{self._log()}")

    def stop(self):
        """Ends the process: in order, or by force when that takes too long."""
        if self._process.poll() is None:
            self._process.terminate()
            try:
                self._process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()

    def _wait_until_ready(self):
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline:
            self.check_running()
            try:
                self.request("GET", "/healthz")
                return
            except OSError:
                time.sleep(0.02)
        raise Failure(f"{self.name} does not answer after {START_SECONDS} s:\n{self._log()}")

    def _log(self):
        with open(self._log_path, encoding="utf-8", errors="replace") as log:
            return log.read()[-2000:]


def start_landfall(folder, binary):
    """Landfall with the repository's own configuration and an empty store."""
    port = _free_port()
    return Server(
        "landfall",
        [binary, "serve", "--config", builds.CONFIGURATION, "--port", str(port),
         "--data", os.path.join(folder, "data")],
        port, folder)


def start_hummingbird(folder, binary):
    """The Hummingbird peer."""
    port = _free_port()
    return Server("hummingbird", [binary, str(port), builds.ASSOCIATION], port, folder)


def start_nginx(folder, _binary):
    """nginx with a configuration of its own; nothing of /etc is read."""
    port = _free_port()
    path = os.path.join(folder, "nginx.conf")
    # Only root may choose whom the workers run as; the default could not read our folder.
    user = f"user {pwd.getpwuid(0).pw_name};" if os.geteuid() == 0 else ""
    with open(path, "w", encoding="utf-8") as file:
        file.write(NGINX_CONFIGURATION.format(folder=folder, port=port, user=user))
    served = folder + "/root" + ASSOCIATION_PATH
    os.makedirs(os.path.dirname(served))
    with open(builds.ASSOCIATION, "rb") as source, open(served, "wb") as file:
        file.write(source.read())
    command = ["nginx", "-e", folder + "/error.log", "-p", folder, "-c", path]
    return Server("nginx", command, port, folder)


def _free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
