#!/usr/bin/env python3
"""Plays many test suites at once against one server: suites.py PORT NUMBER.

Each has an inbox of its own, and all use the same codes, visits and bar codes. A suite makes two links, waits before
anything comes, sends what the vendors' apps would, and looks at what it was told. Prints what a suite saw of others.
"""

import http.client
import json
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

VISIT = {"method": "visit", "login": "a", "password": "b", "store_id": "s", "visit_id": "visit-1", "task_id": "task-1",
         "back_url_scheme": "partner"}
ITEM = {"startedAt": "2026-11-21T06:13:00Z", "endedAt": "2026-11-21T06:14:00Z", "code": "4006381333931"}
REPORT = {"status": "IR_RESULT_OK", "visit_id": "visit-1", "task_id": "task-1"}


class Suite:
    def __init__(self, port, number, barrier):
        self.port, self.inbox, self.barrier, self.faults = port, f"suite-{number}", barrier, []

    def ask(self, method, target, body=None, seconds=60):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=seconds)
        text = None if body is None else json.dumps(body)
        connection.request(method, target, text, {"Content-Type": "application/json"} if text else {})
        answer = connection.getresponse()
        content = answer.read()
        connection.close()
        return answer.status, json.loads(content) if content else None

    def expect(self, holds, what):
        if not holds:
            self.faults.append(f"{self.inbox}: {what}")

    def mint(self, vendor, parameters, **others):
        status, answer = self.ask(
            "POST", "/api/v1/launches", {"vendor": vendor, "parameters": parameters, "inbox": self.inbox, **others})
        self.expect(status == 201, f"{vendor}'s link was answered with {status}")
        return answer["flow"]

    def wait(self, expected):
        status, answer = self.ask("GET", f"/api/v1/results/wait?inbox={self.inbox}&count=2&within=40s")
        self.expect(status == 200, f"the wait was answered with {status}")
        told = answer["results"]
        self.expect({row["inbox"] for row in told} == {self.inbox}, "the wait told of another inbox")
        self.expect({row["kind"] for row in told} == {"callback"}, "the wait told of something else than callbacks")
        self.expect(sorted(row["flow"] for row in told) == sorted(expected), "a callback is of another flow")

    def run(self):
        ailet = self.mint("ailet", VISIT)
        flux = self.mint("flux", {"flowName": "Parcel", "code": ITEM["code"]}, callback="yourapp://flux")
        self.barrier.wait(60)
        waiter = threading.Thread(target=self.wait, args=([ailet, flux],))
        waiter.start()
        for vendor, body, flow in [("ailet", REPORT, ailet), ("dimmy", ITEM, flux)]:
            status, answer = self.ask("POST", f"/callbacks/{vendor}/{self.inbox}", body)
            self.expect(status == 201, f"{vendor}'s callback was answered with {status}")
            self.expect(answer["flow"] == flow, f"{vendor}'s callback went to {answer['flow']}: {answer['diagnostics']}")
        waiter.join()
        for flow in [ailet, flux]:
            _, answer = self.ask("GET", f"/api/v1/flows/{flow}")
            self.expect(answer["state"] == "returned", f"a flow is {answer['state']}")
            self.expect(answer["callbacks"] == 1 and answer["inbox"] == self.inbox, "a flow crossed inboxes")
        _, answer = self.ask("GET", f"/api/v1/results?inbox={self.inbox}&kind=any")
        self.expect(sorted(row["kind"] for row in answer["results"]) == ["callback"] * 2 + ["launch"] * 2,
                    "the inbox holds something else")
        self.barrier.wait(60)
        # A suite that clears up takes nothing of its neighbours.
        if int(self.inbox.split("-")[1]) % 2 == 0:
            self.ask("DELETE", f"/api/v1/inboxes/{self.inbox}")
        self.barrier.wait(60)
        _, answer = self.ask("GET", f"/api/v1/results?inbox={self.inbox}&kind=any")
        left = 0 if int(self.inbox.split("-")[1]) % 2 == 0 else 4
        self.expect(len(answer["results"]) == left, f"{len(answer['results'])} records are left")
        return self.faults


def main():
    port, number = int(sys.argv[1]), int(sys.argv[2])
    barrier = threading.Barrier(number)
    suites = [Suite(port, index, barrier) for index in range(number)]
    with ThreadPoolExecutor(number) as pool:
        faults = [fault for found in pool.map(Suite.run, suites) for fault in found]
    print("\n".join(faults), end="")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
