"""Honest clients: callbacks, questions, link files and listeners at a moderate rate, each answer judged and timed.

Invariant: an id is kept as acknowledged if and only if the whole reply was read. Left out: who else is there.
"""

import json
import multiprocessing
import random
import threading
import time

from program import LOST, Client

API = "/api/v1"
INBOXES = [f"honest-{number}" for number in range(4)]
HEARD = "honest-heard"
# Clients that keep their connection, and such that make one for each request.
KEPT, NEW = 6, 2
REPLY_SECONDS = 10
BODY = "b" * 600


class Honest(multiprocessing.Process):
    """All honest clients, in a process of their own so that attackers don't slow them."""

    def __init__(self, port, rate):
        super().__init__(daemon=True)
        self.port, self.rate = port, rate
        self.ending = multiprocessing.Event()
        self.results, self.sender = multiprocessing.Pipe(duplex=False)

    def run(self):
        samples, acknowledged, heard = [], [], Heard(self.port)
        listener = threading.Thread(target=heard.listen)
        threads = [threading.Thread(target=self.work, args=(number, samples, acknowledged))
                   for number in range(KEPT + NEW)]
        listener.start()
        heard.ready.wait(REPLY_SECONDS)
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        wanted = {id for inbox, id in acknowledged if inbox == HEARD}
        deadline = time.monotonic() + REPLY_SECONDS
        while wanted - heard.ids and time.monotonic() < deadline:
            time.sleep(0.05)
        heard.ended = True
        listener.join()
        self.sender.send({
            "samples": samples, "acknowledged": acknowledged, "unheard": len(wanted - heard.ids),
            "twice": heard.twice, "gaps": heard.gaps, "connections": heard.connections})

    def end(self):
        """Ends them; returns what they saw."""
        self.ending.set()
        result = self.results.recv()
        self.join()
        return result

    def work(self, number, samples, acknowledged):
        """Samples are (time, kind, whether the connection was kept, seconds, outcome)."""
        rng = random.Random(number)
        is_kept = number < KEPT
        client = Client(self.port, REPLY_SECONDS)
        pause = (KEPT + NEW) / self.rate
        next_time = time.monotonic() + rng.random() * pause
        ids = []
        while not self.ending.is_set():
            time.sleep(max(0, next_time - time.monotonic()))
            # What can't be asked in time is not made up for: a client that waits asks no more.
            next_time = max(next_time + pause, time.monotonic() - pause)
            kind = rng.choices(["callback", "list", "result", "link file", "wait"], [60, 12, 12, 12, 4])[0]
            if kind == "result" and not ids:
                kind = "callback"
            began = time.monotonic()
            outcome = self.ask(client, kind, rng, ids, acknowledged)
            samples.append((began, kind, is_kept, time.monotonic() - began, outcome))
            if not is_kept:
                client.close()
            if outcome != "served":
                time.sleep(0.1)
        client.close()

    def ask(self, client, kind, rng, ids, acknowledged):
        inbox = rng.choice([HEARD, *INBOXES])
        try:
            if kind == "callback":
                status, text = client.ask("POST", f"/callbacks/raw/{inbox}?n={rng.random()}", BODY.encode())
            elif kind == "list":
                status, text = client.ask("GET", f"{API}/results?inbox={inbox}&limit=20")
            elif kind == "result":
                status, text = client.ask("GET", f"{API}/results/{rng.choice(ids)}")
            elif kind == "wait":
                status, text = client.ask("GET", f"{API}/results/wait?inbox={inbox}&after=now&within=1s")
            else:
                status, text = client.ask("GET", "/.well-known/apple-app-site-association",
                                          headers={"Host": "www.yourapp.com"})
        except TimeoutError:
            return "no answer"
        except LOST as lost:
            return type(lost).__name__
        if kind == "callback" and status == 201:
            id = json.loads(text)["id"]
            acknowledged.append((inbox, id))
            if len(ids) < 1000:
                ids.append(id)
        expected = {"callback": [201], "wait": [200, 409]}.get(kind, [200])
        if status not in expected:
            client.close()
        return "served" if status in expected else str(status)


class Heard:
    """A client of the stream, which goes on where it was when its connection is lost."""

    def __init__(self, port):
        self.port = port
        self.ids, self.twice, self.gaps, self.connections = set(), 0, 0, 0
        self.last, self.ended, self.ready = None, False, threading.Event()

    def listen(self):
        while not self.ended:
            client = Client(self.port, 2)
            try:
                self.connections += 1
                headers = {"Last-Event-ID": self.last} if self.last else {}
                client.connection.request("GET", f"{API}/results/stream?inbox={HEARD}", headers=headers)
                reply = client.connection.getresponse()
                if reply.status == 200:
                    self.ready.set()
                    self.read(reply)
            except LOST:
                pass
            finally:
                client.close()
            time.sleep(0.05)

    def read(self, reply):
        event, id = "message", None
        while not self.ended:
            line = reply.readline().decode().rstrip("\n")
            name, _, value = line.partition(":")
            if not line:
                event, id = "message", None
            elif name == "event":
                event = value.strip()
            elif name == "id":
                id = value.strip()
            elif name == "data":
                if event == "gap":
                    self.gaps += 1
                elif id is not None:
                    found = json.loads(value)["id"]
                    self.twice += found in self.ids
                    self.ids.add(found)
                    self.last = id
