"""The part with HAProxy in front: instances are replaced under load, and no request fails.

What is tested is Config/haproxy.cfg with other addresses. Its checks: callbacks go by `/healthz`, because an instance
without the database still takes them, and `/readyz` would take all instances away in the same moment; queries go by
`/readyz`, because they need the database.
"""

import os
import random
import re
import shutil
import subprocess
import time

from database import Database, address
from fleet import Fleet
from ledger import API, Ledger, Writers
from orders import look_elsewhere
from program import HOST, LOST, REPOSITORY, Client, Fault, free_port
from progress import progress

COUNTS = (2, 4)
WRITERS = 8
START_SECONDS = 20
# What a proxy passes on is shown with the token only.
SECRET = "0123456789abcdef0123456789abcdef"
TOKEN = {"Authorization": f"Bearer {SECRET}"}


class Balancer:
    """HAProxy with the shipped configuration."""

    def __init__(self, folder, ports):
        self.port, path = free_port(), os.path.join(folder, "haproxy.cfg")
        self.log = os.path.join(folder, "haproxy.log")
        with open(os.path.join(REPOSITORY, "Config", "haproxy.cfg"), encoding="utf-8") as file:
            text = self._adapted(file.read(), ports)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        program = shutil.which("haproxy", path=os.environ["PATH"] + ":/usr/sbin")
        if not program:
            raise Fault("HAProxy is missing: .ci/install scale installs it")
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen(["setpriv", "--pdeathsig=KILL", program, "-db", "-f", path],
                                            stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    def _adapted(self, text, ports):
        """Other addresses, and as many servers."""
        servers = {suffix: "".join(f"    server landfall-{number} {HOST}:{port}{suffix * (number > 1)}\n"
                                   for number, port in enumerate(ports, 1)) for suffix in ("", " backup")}
        text, binds = re.subn(r"(?m)^    bind .*$", f"    bind {HOST}:{self.port}", text)
        text, groups = re.subn(
            r"(?m)(?:^    server landfall-.*\n)+", lambda found: servers[" backup" * ("backup" in found.group())], text)
        if binds != 1 or groups < 2:
            raise Fault("Config/haproxy.cfg is not laid out as this test expects")
        return text

    def wait_until_ready(self):
        client, deadline = Client(self.port), time.monotonic() + START_SECONDS
        while True:
            try:
                if client.ask("GET", f"{API}/results?limit=1", headers=TOKEN)[0] == 200:
                    client.close()
                    return
            except LOST:
                pass
            if time.monotonic() > deadline or self.process.poll() is not None:
                raise Fault(f"HAProxy does not start: {self.told()}")
            time.sleep(0.05)

    def told(self):
        """What it says of requests that failed."""
        with open(self.log, encoding="utf-8", errors="replace") as file:
            lines = [line for line in file if not re.search(r'" (?:2\d\d|3\d\d|404) \d', line)]
        return "".join(lines[-10:])

    def served(self):
        """How many requests each instance got."""
        counts = {}
        with open(self.log, encoding="utf-8", errors="replace") as file:
            for line in file:
                if found := re.search(r"/(landfall-\d+) ", line):
                    counts[found.group(1)] = counts.get(found.group(1), 0) + 1
        return counts

    def end(self):
        self.process.kill()
        self.process.wait()


def balancer(folder, size):
    """Replaces each instance in turn, amid callbacks and queries."""
    told = []
    database = Database(os.path.join(folder, "database"))
    try:
        for count in COUNTS:
            name = database.create(f"balancer{count}")
            told.append(_replace(os.path.join(folder, name), count, address(database, name=name), size))
    finally:
        database.stop()
    return "\n    ".join(told)


def _replace(folder, count, store, size):
    rng, ledger = random.Random(size.seed), Ledger(TOKEN)
    text = f"token: {SECRET}\ntrusted_proxies: [{HOST}]\n"
    with Fleet(folder, count, text, store=store) as fleet:
        front = Balancer(folder, fleet.ports)
        try:
            front.wait_until_ready()
            writers = Writers(ledger, [front.port], WRITERS, look_elsewhere, is_smooth=True)
            for number in range(size.replacements):
                progress(f"{count} instances, replacement {number + 1} of {size.replacements}, {ledger.told()}")
                time.sleep(rng.uniform(0.2, 1))
                if code := fleet[number % count].take_over():
                    raise Fault(f"the former server ended with {code}")
                writers.expect_progress(START_SECONDS)
            writers.stop()
            fleet.expect_running()
            found = ledger.settle(fleet.ports[0])
            if len(front.served()) < count:
                raise Fault(f"not every instance got requests: {front.served()}")
            return f"{count} instances, {size.replacements} replaced: {found}"
        except Fault as fault:
            raise Fault(f"{fault}\nHAProxy: {front.told()}") from fault
        finally:
            front.end()
