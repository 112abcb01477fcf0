#!/usr/bin/env python3
"""Measures the page in a real browser: how soon callbacks are seen, and how it does with very many.

Invariant: figures are of one server and one browser that this run starts and ends. Lost or doubled rows
fail the run; times are printed and judged by people, as machines differ.
Left out: `make test`, which times nothing. LANDFALL_BIN names the program; else it is the release build.

    live.py [--single 200] [--burst 10000] [--rate 1000] [--stored 100000]
"""

import argparse
import http.client
import json
import os
import sys
import tempfile
import threading
import time
from types import SimpleNamespace

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE)]

from browser import Chromium, Page  # noqa: E402
from program import Client, Program, configuration, free_port, leave_nothing_running  # noqa: E402

SENDERS = 8
WALK_PIXELS = 500
# When each row was first painted, by its record's id.
WATCH = """(() => {
    window.seen = new Map();
    new MutationObserver((changes) => {
        const ids = changes.flatMap(({ addedNodes }) => [...addedNodes]).map((node) => node.dataset?.id).filter(Boolean);
        requestAnimationFrame(() => setTimeout(() => {
            for (const id of ids) if (!seen.has(id)) seen.set(id, performance.timeOrigin + performance.now());
        }));
    }).observe(document.getElementById("rows"), { childList: true });
    return true;
})()"""
FRAMES = """(() => {
    window.frames = [];
    let last = performance.now();
    const note = (now) => { frames.push(now - last); last = now; requestAnimationFrame(note); };
    requestAnimationFrame(note);
    return true;
})()"""


def percentile(values, share):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def send(connection, inbox, number):
    connection.request("POST", f"/callbacks/welltory/{inbox}", body=f"stress=0.5&energy=0.{number + 1}",
                       headers={"Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json"})
    return json.loads(connection.getresponse().read())["id"]


def send_many(port, inbox, count, rate):
    """Sends over several connections at a rate, or as fast as it goes; the results' ids."""
    ids, lock, start = [], threading.Lock(), time.monotonic()

    def work(first):
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        for number in range(first, count, SENDERS):
            if rate:
                time.sleep(max(0, start + number / rate - time.monotonic()))
            made = send(connection, inbox, number)
            with lock:
                ids.append(made)
        connection.close()

    threads = [threading.Thread(target=work, args=(first,)) for first in range(SENDERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return ids, time.monotonic() - start


def one_by_one(page, port, count):
    page.until("document.querySelector('#refresh').dataset.state === 'live'")
    page.evaluate(WATCH)
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    times = []
    for number in range(count):
        began = time.time() * 1_000
        made = send(connection, "single", number)
        page.until(f"window.seen.has('{made}')")
        times.append(page.evaluate(f"seen.get('{made}')") - began)
    connection.close()
    print(f"{count} callbacks one by one, sent to seen: median {percentile(times, 0.5):.0f} ms, "
          f"p99 {percentile(times, 0.99):.0f} ms, greatest {max(times):.0f} ms")


def burst(page, port, count, rate):
    page.until("document.querySelector('#refresh').dataset.state === 'live'")
    page.evaluate("(window.scrolling = setInterval(() => scrollTo(0, Math.random() * document.body.scrollHeight), 200), true)")
    page.evaluate(FRAMES)
    ids, seconds = send_many(port, "burst", count, rate)
    frames = page.evaluate("frames.slice(1)")
    page.evaluate("clearInterval(scrolling)")
    page.until(f"document.querySelector('#total').textContent.startsWith('{count:,} ')")
    page.evaluate("(document.querySelector('#pill').hidden || document.querySelector('#pill').click(), scrollTo(0, 0))")
    found = walk(page, count)
    print(f"{count} callbacks at {count / seconds:.0f}/s while scrolling: {len(set(ids) - set(found))} lost, "
          f"{len(found) - len(set(found))} doubled, longest frame {max(frames):.0f} ms")
    return set(ids) == set(found) and len(found) == len(set(found))


def walk(page, count):
    """Scrolls through the whole list; the ids by their place."""
    return page.evaluate(f"""(async () => {{
        const places = new Map();
        for (let misses = 0; places.size < {count} && misses < 2000; ) {{
            const before = places.size;
            for (const row of document.querySelectorAll("#rows li.row")) places.set(row.ariaPosInSet, row.dataset.id);
            misses = places.size === before ? misses + 1 : 0;
            scrollBy(0, {WALK_PIXELS});
            await new Promise(requestAnimationFrame);
        }}
        return [...places.values()];
    }})()""")


def stored(page, port, url, count):
    _, seconds = send_many(port, "stored", count, None)
    print(f"{count} callbacks stored in {seconds:.0f} s")
    page.go(url + "/?q=inbox:stored")
    page.until("document.querySelector('#rows li.row')")
    first = page.evaluate("performance.getEntriesByName('landfall-first-rows')[0]?.startTime")
    page.evaluate("document.querySelector('#rows a').click()")
    page.until("document.querySelector('#detail .tree')")
    page.key("Escape")
    page.until("document.querySelector('#detail').hidden")
    opened = page.evaluate("""(async () => {
        const began = performance.now();
        document.querySelectorAll("#rows a")[3].click();
        while (!document.querySelector("#detail .tree")) await new Promise(requestAnimationFrame);
        return performance.now() - began;
    })()""")
    page.key("Escape")
    page.until("document.querySelector('#detail').hidden")
    page.evaluate(FRAMES)
    page.evaluate(f"""(window.walking = setInterval(() => scrollBy(0, 3000), 16),
        window.done = () => document.querySelector('#rows').offsetHeight > {count} * 30, true)""")
    page.chromium.collect(1)
    deadline = time.monotonic() + 300
    while not page.evaluate("done()") and time.monotonic() < deadline:
        page.chromium.collect(1)
    frames = page.evaluate("(clearInterval(walking), frames.slice(1))")
    rows = page.evaluate("document.querySelectorAll('#rows li').length")
    long = [frame for frame in frames if frame > 50]
    print(f"{count} stored: first rows after {first:.0f} ms, opening {opened:.0f} ms, {len(frames)} frames while "
          f"scrolling, {len(long)} over 50 ms, longest {max(frames):.0f} ms, {rows} rows in the document")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    for name, number in (("single", 200), ("burst", 10_000), ("rate", 1_000), ("stored", 100_000)):
        parser.add_argument(f"--{name}", type=int, default=number)
    options = parser.parse_args()
    leave_nothing_running()
    with tempfile.TemporaryDirectory(prefix="landfall-live-") as folder:
        port = free_port()
        url = f"http://127.0.0.1:{port}"
        program = Program(configuration(folder, ""), os.path.join(folder, "data"), port)
        chromium = Chromium(1280, 800)
        try:
            program.wait_until_ready()
            Client(port).json("GET", "/api/v1/stats")
            page = Page(chromium, SimpleNamespace(width=1280, height=800, dark=False, clock=0, forgetful=False, fail=None))
            page.go(url + "/?q=inbox:single")
            one_by_one(page, port, options.single)
            page.go(url + "/?q=inbox:burst")
            is_whole = burst(page, port, options.burst, options.rate)
            stored(page, port, url, options.stored)
            return 0 if is_whole else 1
        finally:
            chromium.stop()
            program.stop()


if __name__ == "__main__":
    sys.exit(main())
