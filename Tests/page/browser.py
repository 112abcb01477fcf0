#!/usr/bin/env python3
"""Drives headless Chromium over its DevTools pipe: opens a page, takes steps, reports what went wrong.

Invariant: every wait is bounded, the browser is gone when this ends, and any console error, policy
violation, uncaught exception or request to another origin fails the run (exit 1).
Left out: assertions about Landfall; those are the steps that page.bats passes in.

    browser.py [--width N] [--height N] [--dark] [--clock SECONDS] [--forgetful] [--fail TEXT] [--lacks NAME] [--scriptless]
               [--allow TEXT]... URL [STEP ARGUMENT]...

    until JS      wait until the expression is true      key NAME       Enter, Escape, Tab, Shift+Tab, / …
    print JS      write the expression's value           click CSS      a real mouse click on the element
    go URL        load another address                   run COMMAND    a shell command, bounded
    offline on    cut the network ("off" mends it)       shot FILE      save a PNG of the view
    type TEXT     write into what has the focus          size 360x800   another size of the view
    colours NAME  light, dark or forced                  text 200       size of the text in per cent
    axe NAME      no violation of WCAG 2.2 AA or axe's best practices; the name is for the report
    bytes NUMBER  at most so many bytes came over the wire since the page was loaded
    block PATH    requests of this path fail from now on
    font PIXELS   the reader's default size of text, which media queries see too
    media NAME    print or screen                        paper RANGE    pages that it takes printed, such as 1-3
"""

import argparse
import base64
import fcntl
import glob
import json
import os
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from urllib.parse import urlsplit

WAIT_SECONDS = 60
COMMAND_SECONDS = 60
STOP_SECONDS = 5
FIRST_SPARE_DESCRIPTOR = 10
KEYS = {
    "Enter": (13, "\r"), "Escape": (27, None), "Tab": (9, None), "Home": (36, None), "End": (35, None),
    "ArrowUp": (38, None), "ArrowDown": (40, None), "ArrowLeft": (37, None), "ArrowRight": (39, None),
    "PageDown": (34, None), "PageUp": (33, None), "Delete": (46, None), "Backspace": (8, None),
    "Space": (32, " "),
}
SHIFT = 8
AXE = os.path.join(os.path.dirname(os.path.abspath(__file__)),
                   "../../.build-page/lib/python*/site-packages/axe_playwright_python/axe.min.js")
AXE_TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


class StepFailed(Exception):
    """A step did not come true in time, or the browser refused it."""


class Chromium:
    """The process and its pipe: NUL-separated JSON, commands in on its fd 3, answers out on its fd 4."""

    def __init__(self, width, height):
        self.profile = tempfile.mkdtemp(prefix="landfall-page-")
        command_read, self.command_write = self._pipe()
        self.answer_read, answer_write = self._pipe()

        def use_pipe():
            os.dup2(command_read, 3)
            os.dup2(answer_write, 4)

        self.process = subprocess.Popen(
            [shutil.which("chromium") or "chromium", "--headless=new", "--no-sandbox", "--disable-gpu",
             "--disable-dev-shm-usage", "--no-first-run", "--disable-background-networking",
             "--remote-debugging-pipe", f"--user-data-dir={self.profile}",
             f"--window-size={width},{height}", "about:blank"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            preexec_fn=use_pipe, pass_fds=(3, 4), start_new_session=True)
        os.close(command_read)
        os.close(answer_write)
        self.buffer = b""
        self.next_id = 0
        self.session = None
        self.events = []

    @staticmethod
    def _pipe():
        """A pipe whose ends are far from 3 and 4, so that duplicating onto those overwrites neither."""
        ends = os.pipe()
        moved = [fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, FIRST_SPARE_DESCRIPTOR) for end in ends]
        for end in ends:
            os.close(end)
        return moved

    def send(self, method, **parameters):
        self.next_id += 1
        message = {"id": self.next_id, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.command_write, json.dumps(message).encode() + b"\0")
        deadline = time.monotonic() + COMMAND_SECONDS
        while True:
            answer = self.read(deadline)
            if answer is None:
                raise StepFailed(f"{method} was not answered within {COMMAND_SECONDS} s")
            if answer.get("id") == self.next_id:
                if "error" in answer:
                    raise StepFailed(f"{method}: {answer['error'].get('message')}")
                return answer["result"]

    def read(self, deadline):
        """The next message, or None at the deadline; events are also kept in `events`."""
        while b"\0" not in self.buffer:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self.answer_read], [], [], left)[0]:
                return None
            chunk = os.read(self.answer_read, 1 << 16)
            if not chunk:
                raise StepFailed("the browser closed its pipe")
            self.buffer += chunk
        message, self.buffer = self.buffer.split(b"\0", 1)
        message = json.loads(message)
        if "method" in message:
            self.events.append(message)
        return message

    def collect(self, seconds):
        deadline = time.monotonic() + seconds
        while self.read(deadline) is not None:
            pass

    def stop(self):
        try:
            self.session = None
            self.send("Browser.close")
            self.process.wait(STOP_SECONDS)
        except (StepFailed, OSError, subprocess.TimeoutExpired):
            pass
        try:
            os.killpg(self.process.pid, signal.SIGKILL)  # its own session: only what this run started
        except ProcessLookupError:
            pass
        self.process.wait(COMMAND_SECONDS)
        shutil.rmtree(self.profile, ignore_errors=True)


class Page:
    """One tab: steps in, complaints out."""

    def __init__(self, chromium, options):
        self.chromium = chromium
        target = chromium.send("Target.createTarget", url="about:blank")["targetId"]
        attached = chromium.send("Target.attachToTarget", targetId=target, flatten=True)
        chromium.session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            chromium.send(f"{domain}.enable")
        chromium.send("Emulation.setDeviceMetricsOverride", width=options.width, height=options.height,
                      deviceScaleFactor=1, mobile=False)
        self.colours("dark" if options.dark else "light")
        if options.clock:
            shift = f"const real = Date.now; Date.now = () => real() + {options.clock * 1000};"
            zone = ("const Real = Date; globalThis.Date = class extends Real { constructor(...list) {"
                    " super(...(list.length === 0 ? [Real.now()] : list)); } };")
            chromium.send("Page.addScriptToEvaluateOnNewDocument", source=shift + zone)

        if options.forgetful:
            chromium.send("Page.addScriptToEvaluateOnNewDocument", source=(
                "Object.defineProperty(window, 'localStorage', {"
                " get() { throw new DOMException('denied', 'SecurityError'); } });"))

        if lacks := getattr(options, "lacks", None):
            chromium.send("Page.addScriptToEvaluateOnNewDocument", source=f"delete window[{json.dumps(lacks)}];")

        if getattr(options, "scriptless", False):
            chromium.send("Emulation.setScriptExecutionDisabled", value=True)

        if options.fail:
            chromium.send("Page.addScriptToEvaluateOnNewDocument", source=(
                "const fetched = window.fetch; window.fetch = (url, options) => (!window.isMended"
                f" && String(url).includes({json.dumps(options.fail)})"
                " ? Promise.reject(new TypeError('cut')) : fetched(url, options));"))

    def colours(self, name, medium=""):
        self.scheme = name
        self.chromium.send("Emulation.setEmulatedMedia", media=medium, features=[
            {"name": "prefers-color-scheme", "value": "dark" if name == "dark" else "light"},
            {"name": "forced-colors", "value": "active" if name == "forced" else "none"}])

    def media(self, name):
        self.colours(self.scheme, name)

    def paper(self, span):
        least, most = map(int, span.split("-"))
        document = base64.b64decode(self.chromium.send("Page.printToPDF", printBackground=True)["data"])
        pages = len(re.findall(rb"/Type\s*/Page\b", document))
        if not least <= pages <= most:
            raise StepFailed(f"{pages} pages instead of {span}")

    def size(self, text):
        width, height = text.split("x")
        self.chromium.send("Emulation.setDeviceMetricsOverride", width=int(width), height=int(height),
                           deviceScaleFactor=1, mobile=False)

    def text(self, percent):
        self.evaluate(f"document.documentElement.style.fontSize = '{int(percent)}%'; dispatchEvent(new Event('resize'))")

    def font(self, pixels):
        self.chromium.send("Page.setFontSizes", fontSizes={"standard": int(pixels), "fixed": int(pixels)})
        self.evaluate("(window.isFormer = true, location.reload())")
        self.until("!window.isFormer && document.readyState === 'complete'")

    def axe(self, name):
        """Animations and transitions have to be over, or colours are judged halfway."""
        self.until("document.getAnimations().every((animation) => animation.playState !== 'running')")
        with open(glob.glob(AXE)[0], encoding="utf-8") as file:
            self.evaluate(file.read() + "\n; null")
        found = self.evaluate(
            "axe.run(document, {runOnly: " + json.dumps(AXE_TAGS) + ", resultTypes: ['violations']})"
            ".then(({violations}) => violations.map(({id, help, nodes}) => [`${id}: ${help}`,"
            "...nodes.slice(0, 3).flatMap(({html, failureSummary}) => [html.slice(0, 200), failureSummary])]))")
        if found:
            raise StepFailed(f"axe, {name}:\n" + "\n    ".join(line for violation in found for line in violation))

    def bytes(self, limit):
        """Counts what the network brought, headers included, since the last navigation. What the page asks again
        and again isn't part of loading it: the slower the machine, the more of that comes meanwhile."""
        self.chromium.collect(0.5)
        events = self.chromium.events
        urls = {event["params"]["requestId"]: event["params"]["response"]["url"]
                for event in events if event["method"] == "Network.responseReceived"}
        start = max((index for index, event in enumerate(events)
                     if event["method"] == "Page.frameNavigated"), default=0)
        sizes = []
        for event in events[start:]:
            if event["method"] == "Network.loadingFinished":
                url = urls[event["params"]["requestId"]]
                is_again = "/api/" in url and any(url == known for _, known in sizes)
                if not is_again and urlsplit(url).path != "/readyz":
                    sizes.append((int(event["params"]["encodedDataLength"]), url))
        total = sum(size for size, _ in sizes)
        if total > int(limit):
            raise StepFailed(f"{total} bytes came over the wire, more than {limit}:\n"
                             + "\n".join(f"{size} {url}" for size, url in sizes))

    def go(self, url):
        self.chromium.send("Page.navigate", url=url)
        self.until("document.readyState === 'complete' && location.href !== 'about:blank'")

    def evaluate(self, expression):
        answer = self.chromium.send("Runtime.evaluate", expression=expression, returnByValue=True,
                                    awaitPromise=True, userGesture=True)
        if "exceptionDetails" in answer:
            raise StepFailed(answer["exceptionDetails"].get("exception", {}).get("description", expression))
        return answer["result"].get("value")

    def until(self, expression):
        """Waits. What the expression throws is no failure yet: its element may still come."""
        deadline = time.monotonic() + WAIT_SECONDS
        while True:
            cause = ""
            try:
                if self.evaluate(f"Promise.resolve({expression}).then(Boolean)"):
                    return
            except StepFailed as failure:
                cause = f"{failure}\n"
            if time.monotonic() > deadline:
                text = self.evaluate("document.body.innerText")[:1_500]
                raise StepFailed(f"not true within {WAIT_SECONDS} s: {expression}\n{cause}The page says:\n{text}")
            self.chromium.collect(0.05)

    def key(self, name):
        shift, name = ("Shift+" in name, name.replace("Shift+", ""))
        code, text = KEYS.get(name) or (ord(name.upper()), name)
        event = {"key": " " if name == "Space" else name, "code": name, "windowsVirtualKeyCode": code,
                 "modifiers": SHIFT if shift else 0}
        if text:
            event["text"] = text
        self.chromium.send("Input.dispatchKeyEvent", type="keyDown" if text else "rawKeyDown", **event)
        self.chromium.send("Input.dispatchKeyEvent", type="keyUp", **event)

    def click(self, selector):
        """A click in the middle of the element, once it has stopped moving and nothing covers it."""
        deadline = time.monotonic() + WAIT_SECONDS
        while not self._clicks(json.dumps(selector)):
            if time.monotonic() > deadline:
                raise StepFailed(f"it moves away from each click: {selector}")

    def _clicks(self, quoted):
        """Whether the click hit. One that met something else, since the page moved just then, is kept from it."""
        self.until(f"document.querySelector({quoted})")
        self.until("(async () => {"
                   "const middle = () => {"
                   f"const node = document.querySelector({quoted});"
                   "node.scrollIntoView({block: 'nearest', behavior: 'instant'});"
                   "const box = node.getBoundingClientRect();"
                   "return {node, x: box.x + box.width / 2, y: box.y + box.height / 2}; };"
                   "const before = middle();"
                   "await new Promise((resolve) => setTimeout(resolve, 60));"
                   "const {node, x, y} = middle();"
                   "const hit = document.elementFromPoint(x, y);"
                   "window.aim = {node, x, y, hit};"
                   "return before.node === node && before.x === x && before.y === y"
                   " && hit !== null && (node.contains(hit) || hit.contains(node)); })()")
        x, y = self.evaluate("(({node, x, y, hit}) => {"
                             "const kinds = ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click'];"
                             "let missed = false;"
                             "const guard = (event) => {"
                             "if (event.target === hit || node.contains(event.target)) return;"
                             "missed ||= event.type === 'pointerdown';"
                             "if (missed) { event.preventDefault(); event.stopImmediatePropagation(); } };"
                             "kinds.forEach((kind) => addEventListener(kind, guard, true));"
                             "window.hasMissed = () => {"
                             "kinds.forEach((kind) => removeEventListener(kind, guard, true));"
                             "return missed; };"
                             "return [x, y]; })(window.aim)")
        for kind in ("mousePressed", "mouseReleased"):
            self.chromium.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)
        try:
            return not self.evaluate("window.hasMissed?.()")
        except StepFailed:
            return True  # the click opens another page

    def type(self, text):
        self.chromium.send("Input.insertText", text=text)

    def offline(self, state):
        self.chromium.send("Network.emulateNetworkConditions", offline=state == "on", latency=0,
                           downloadThroughput=-1, uploadThroughput=-1)

    def block(self, path):
        self.chromium.send("Network.setBlockedURLs", urls=["*" + path])

    def run(self, command):
        subprocess.run(command, shell=True, check=True, timeout=COMMAND_SECONDS, stdout=subprocess.DEVNULL)

    def print(self, expression):
        value = self.evaluate(expression)
        print(value if isinstance(value, str) else json.dumps(value), flush=True)

    def shot(self, path):
        data = self.chromium.send("Page.captureScreenshot", format="png")["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))


def complaints(events, origin, allowed):
    """Everything the browser held against the page, without what the caller expects."""
    found = []
    for event in events:
        method, parameters = event["method"], event["params"]
        if method == "Runtime.consoleAPICalled" and parameters["type"] in ("error", "assert", "warning"):
            values = [str(item.get("value", item.get("description"))) for item in parameters["args"]]
            found.append("console: " + " ".join(values))
        elif method == "Runtime.exceptionThrown":
            details = parameters["exceptionDetails"]
            found.append("exception: " + details.get("exception", {}).get("description", details["text"]))
        elif method == "Log.entryAdded" and parameters["entry"]["level"] in ("error", "warning"):
            entry = parameters["entry"]
            found.append(f"{entry['source']}: {entry['text']} {entry.get('url', '')}")
        elif method == "Network.requestWillBeSent":
            url = urlsplit(parameters["request"]["url"])
            place = f"{url.scheme}://{url.netloc.split('@')[-1]}"
            if url.scheme not in ("about", "data", "blob") and place != origin:
                found.append("request to another origin: " + url.geturl())
    return [line for line in found if not any(text in line for text in allowed)]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--width", type=int, default=1280)
    parser.add_argument("--height", type=int, default=800)
    parser.add_argument("--dark", action="store_true")
    parser.add_argument("--clock", type=int, default=0, help="seconds by which the page's clock is wrong")
    parser.add_argument("--forgetful", action="store_true",
                        help="the browser keeps nothing, as with all cookies blocked")
    parser.add_argument("--fail", metavar="TEXT",
                        help="requests of addresses with this text fail until the page's isMended is true")
    parser.add_argument("--lacks", metavar="NAME", help="the browser has no such global")
    parser.add_argument("--scriptless", action="store_true", help="the page's scripts don't run")
    parser.add_argument("--allow", action="append", default=[], metavar="TEXT",
                        help="a complaint with this text in it is expected")
    parser.add_argument("url")
    parser.add_argument("steps", nargs="*")
    options = parser.parse_args()
    if len(options.steps) % 2:
        parser.error("each step needs one argument")
    names = ("until", "print", "key", "click", "go", "run", "offline", "shot", "type", "size", "colours", "text",
             "axe", "bytes", "media", "paper", "font", "block")
    options.pairs = list(zip(options.steps[::2], options.steps[1::2]))
    for name, _ in options.pairs:
        if name not in names:
            parser.error(f"there is no step {name!r}")
    return options


def main():
    options = arguments()
    address = urlsplit(options.url)
    chromium = Chromium(options.width, options.height)
    try:
        page = Page(chromium, options)
        page.go(options.url)
        for name, argument in options.pairs:
            getattr(page, name)(argument)
        chromium.collect(0.3)
        failures = []
    except (StepFailed, subprocess.SubprocessError) as failure:
        failures = [str(failure)]
    finally:
        chromium.stop()
    failures += complaints(chromium.events, f"{address.scheme}://{address.netloc.split('@')[-1]}", options.allow)
    for line in failures:
        print(line, file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
