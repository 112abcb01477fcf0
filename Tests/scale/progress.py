"""A line on standard error that says what is going on; where that is no terminal, one every few seconds."""

import sys
import time

PAUSE_SECONDS = 5
_last = {"time": 0.0, "part": ""}


def begin(part):
    _last.update(part=part, time=0.0)


def progress(text):
    is_terminal = sys.stderr.isatty()
    now = time.monotonic()
    if not is_terminal and now < _last["time"] + PAUSE_SECONDS:
        return
    _last["time"] = now
    line = f"{_last['part']}: {text}"
    sys.stderr.write(f"\r\x1b[K{line[:150]}" if is_terminal else line + "\n")
    sys.stderr.flush()


def end():
    if sys.stderr.isatty():
        sys.stderr.write("\r\x1b[K")
