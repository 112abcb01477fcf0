"""Servers under measurement: each on a free port of 127.0.0.1, stopped by its own process id."""

import http.client
import json
import os
import pwd
import shutil
import socket
import ssl
import subprocess
import time
from dataclasses import dataclass

from harness import builds, materials
from harness.failure import Failure

START_SECONDS = 15
STOP_SECONDS = 15
ASSOCIATION_PATH = "/.well-known/apple-app-site-association"
LARGE_FILE_PATH = "/large.bin"

NGINX_CONFIGURATION = """\
# As Debian ships it (sendfile, tcp_nopush, workers by cores, no file cache), except for what follows, and
# for what `NGINX_TUNED` says where it is asked for:
{user}
daemon off;                        # the benchmark stops it by its process id
worker_processes auto;
pid {folder}/nginx.pid;
# Debian's 768 are too few for 10,000 that wait; this many cost a worker 4 MB from the start.
events {{ worker_connections 10240; }}
http {{
{files}
    default_type application/json; # the file has no extension to tell its type by
    keepalive_requests 1000000;    # 1000 by default: wrk would have to reconnect
    access_log off;                # the other servers write none either
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    server {{
        listen 127.0.0.1:{listen}{reuse};
        root {folder}/root;
{tls}
    }}
}}
"""

NGINX_PLAIN = """\
    sendfile on;
    tcp_nopush on;
"""

# As people tune it who serve many small files: descriptors and metadata of files are kept, each worker has
# its own queue of new connections, and small files are read and sent with their head.
NGINX_TUNED = """\
    sendfile off;
    tcp_nopush off;
    open_file_cache max=1000 inactive=60s;
    open_file_cache_valid 60s;
    open_file_cache_min_uses 1;
"""

NGINX_TLS = """\
        ssl_certificate {certificate};
        ssl_certificate_key {key};
        ssl_protocols TLSv1.3;
        ssl_session_cache off;
"""

LANDFALL_CONFIGURATION = """\
# Like the repository's own, except for what the scenario asks.
sites: {{folder: {sites}, default: www.yourapp.com}}
public: {page}
{tls}
"""

LANDFALL_TLS = "tls: {{port: {port}, folder: {folder}, default: {name}}}"


@dataclass(frozen=True)
class Setup:
    """What servers are started with besides the link file."""

    tls_folder: str | None = None
    """Where `materials.make_certificate` put a certificate: they are spoken to over TLS."""
    large_file: str | None = None
    """The file that they serve under `LARGE_FILE_PATH`."""
    start_seconds: float = START_SECONDS
    """How long they may take to answer; Landfall has an index to make where there is none."""


class Server:
    """A running server: `name`, `pid`, `port`, and `folder`, where its files are."""

    def __init__(
            self, name, command, port, folder, tls_folder=None, start_seconds=START_SECONDS):
        """Starts `command` and returns when it answers, over TLS where there is a certificate."""
        self.name, self.port, self.folder = name, port, folder
        self._tls = None
        if tls_folder:
            self._tls = ssl.create_default_context(cafile=materials.certificate(tls_folder))
            self._tls.minimum_version = ssl.TLSVersion.TLSv1_3
        self._log_path = os.path.join(folder, "log")
        self.started_at = time.monotonic()
        """The moment of `time.monotonic` just before its start."""
        self.listening_at = None
        """The moment at which it first took a connection."""
        with open(self._log_path, "wb") as log:
            self._process = subprocess.Popen(
                command, cwd=builds.ROOT, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        self.pid = self._process.pid
        try:
            self._wait_until_ready(start_seconds)
        except BaseException:
            self.stop()
            raise

    @property
    def has_tls(self):
        """Whether `port` speaks TLS."""
        return self._tls is not None

    def url(self, path):
        """The URL of a path."""
        return f"{'https' if self.has_tls else 'http'}://127.0.0.1:{self.port}{path}"

    def request(self, method, path, body=None, headers=None):
        """One request on a connection of its own: status, header fields, content."""
        if self.has_tls:
            connection = http.client.HTTPSConnection(
                "127.0.0.1", self.port, timeout=5, context=self._tls)
        else:
            connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=5)
        try:
            connection.request(method, path, body=body, headers=headers or {})
            response = connection.getresponse()
            return response.status, response.headers, response.read()
        finally:
            connection.close()

    def connect(self):
        """A new connection, its handshake done."""
        connection = socket.create_connection(("127.0.0.1", self.port), timeout=5)
        if not self.has_tls:
            return connection
        try:
            return self._tls.wrap_socket(connection, server_hostname="127.0.0.1")
        except BaseException:
            connection.close()
            raise

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

    def _wait_until_ready(self, limit_seconds):
        deadline, reason = self.started_at + limit_seconds, None
        while time.monotonic() < deadline:
            self.check_running()
            try:
                if not self.listening_at:
                    socket.create_connection(("127.0.0.1", self.port), timeout=5).close()
                    self.listening_at = time.monotonic()
                self.request("GET", "/healthz")
                return
            except OSError as error:
                reason = error
                time.sleep(0.001)
        raise Failure(
            f"{self.name} does not answer after {limit_seconds} s ({reason}):\n{self._log()}")

    def _log(self):
        with open(self._log_path, encoding="utf-8", errors="replace") as log:
            return log.read()[-2000:]


def start_landfall(folder, program, setup):
    """Landfall with an empty store and the repository's own configuration, if that will do."""
    port, tls_port = _free_port(), _free_port()
    configuration = builds.CONFIGURATION
    if setup.tls_folder or setup.large_file:
        configuration = _landfall_configuration(folder, tls_port, setup)
    command = [
        program, "serve", "--config", configuration, "--port", str(port),
        "--data", os.path.join(folder, "data"),
    ]
    return Server(
        "landfall", command, tls_port if setup.tls_folder else port, folder, setup.tls_folder,
        setup.start_seconds)


def _landfall_configuration(folder, tls_port, setup):
    page, tls = builds.PAGE, ""
    if setup.large_file:
        page = os.path.join(folder, "public")
        shutil.copytree(builds.PAGE, page)
        shutil.copyfile(setup.large_file, page + LARGE_FILE_PATH)
    if setup.tls_folder:
        tls = LANDFALL_TLS.format(
            port=tls_port, folder=json.dumps(setup.tls_folder), name=materials.CERTIFICATE_NAME)
    path = os.path.join(folder, "landfall.yaml")
    with open(path, "w", encoding="utf-8") as file:
        file.write(LANDFALL_CONFIGURATION.format(
            sites=json.dumps(builds.SITES), page=json.dumps(page), tls=tls))
    return path


def start_landfall_counter(folder, program, _setup):
    """Landfall's HTTP server with an endpoint that counts."""
    port = _free_port()
    return Server("landfall-counter", [program, str(port)], port, folder)


def start_hummingbird(folder, program, _setup):
    """The Hummingbird peer."""
    port = _free_port()
    return Server("hummingbird", [program, str(port), builds.ASSOCIATION], port, folder)


def start_hummingbird_store(folder, program, _setup):
    """The Hummingbird peer that decodes and stores."""
    port = _free_port()
    database = os.path.join(folder, "callbacks.sqlite")
    return Server("hummingbird-store", [program, str(port), database], port, folder)


def start_nginx_tuned(folder, program, setup):
    """nginx as it is tuned for many small files."""
    return start_nginx(folder, program, setup, is_tuned=True)


def start_nginx(folder, _program, setup, is_tuned=False):
    """nginx with a configuration of its own; nothing of /etc is read."""
    port = _free_port()
    path = os.path.join(folder, "nginx.conf")
    # Only root may choose whom the workers run as; the default could not read our folder.
    user = f"user {pwd.getpwuid(0).pw_name};" if os.geteuid() == 0 else ""
    listen, tls = str(port), ""
    if setup.tls_folder:
        listen = f"{port} ssl"
        tls = NGINX_TLS.format(
            certificate=materials.certificate(setup.tls_folder),
            key=materials.key(setup.tls_folder))
    with open(path, "w", encoding="utf-8") as file:
        file.write(NGINX_CONFIGURATION.format(
            folder=folder, listen=listen, tls=tls, user=user,
            files=NGINX_TUNED if is_tuned else NGINX_PLAIN, reuse=" reuseport" if is_tuned else ""))
    root = os.path.join(folder, "root")
    os.makedirs(os.path.dirname(root + ASSOCIATION_PATH))
    shutil.copyfile(builds.ASSOCIATION, root + ASSOCIATION_PATH)
    if setup.large_file:
        shutil.copyfile(setup.large_file, root + LARGE_FILE_PATH)
    command = ["nginx", "-e", folder + "/error.log", "-p", folder, "-c", path]
    name = "nginx-tuned" if is_tuned else "nginx"
    return Server(name, command, port, folder, setup.tls_folder)


STARTERS = {
    "landfall": start_landfall,
    "landfall-counter": start_landfall_counter,
    "nginx": start_nginx,
    "nginx-tuned": start_nginx_tuned,
    "hummingbird": start_hummingbird,
    "hummingbird-store": start_hummingbird_store,
}


def _free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
