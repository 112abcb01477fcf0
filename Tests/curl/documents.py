#!/usr/bin/env python3
"""Runs the commands of a document as they are written: documents.py FILE PORT

Takes the fenced blocks of shell commands (sh, console) in order and runs them in one bash, in the
current folder. A block of console commands has their output too: each line of it has to come, in order;
identifiers and numbers may differ, and a line "…" stands for any others. The comment
<!-- not run: REASON --> before a block leaves it out. The port 8080 of the document becomes PORT.

Left out: blocks in other languages, and commands within sentences.
"""

import re
import subprocess
import sys

MARK = "==== documents.py"
MINUTES = 5


def blocks(text):
    """Yields line, language and lines of each block that is to be run."""
    lines = text.split("\n")
    number = 0
    while number < len(lines):
        fence = re.match(r"^```(\w*)$", lines[number])
        if not fence:
            number += 1
            continue
        start = number
        number += 1
        while lines[number] != "```":
            number += 1
        is_run = not re.match(r"^<!-- not run: \S.* -->$", lines[start - 1])
        if fence[1] in ("sh", "console") and is_run:
            yield start + 1, fence[1], lines[start + 1:number]
        number += 1


def commands(language, lines):
    """Yields a command and the lines of its output; None where the document doesn't show it."""
    if language == "sh":
        yield "\n".join(lines), None
        return
    command, output = [], []
    for line in lines:
        if line.startswith("$ "):
            if command:
                yield "\n".join(command), output
            command, output = [line[2:]], []
        elif command and command[-1].endswith("\\"):
            command.append(line)
        else:
            output.append(line)
    if command:
        yield "\n".join(command), output


def plain(line):
    """The line without what differs from one run to the next."""
    line = re.sub(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", "ID", line.strip())
    return re.sub(r" +", " ", re.sub(r"[0-9]+", "N", line))


def missing(wanted, output):
    """The first documented line that did not come, in order."""
    found = iter([plain(line) for line in output.split("\n")])
    for line in wanted:
        if line.strip() in ("", "…"):
            continue
        if not any(candidate == plain(line) for candidate in found):
            return line
    return None


def main(path, port):
    with open(path, encoding="utf-8") as file:
        text = file.read().replace("127.0.0.1:8080", f"127.0.0.1:{port}")
    units = [(line, command, output) for line, language, lines in blocks(text)
             for command, output in commands(language, lines)]
    script = ["set -euo pipefail"]
    for number, (_, command, output) in enumerate(units):
        script.append(f"echo '{MARK} {number}'")
        # A command whose output is shown may answer no.
        script.append(command if output is None else f"if ! {{ {command}\n}}; then :; fi")
    script.append(f"echo '{MARK} end'")
    run = subprocess.run(["bash", "-c", "\n".join(script)], stdin=subprocess.DEVNULL,
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60 * MINUTES, check=False)
    parts = run.stdout.decode(errors="replace").split(MARK + " ")[1:]
    faults = []
    for part in parts:
        name, _, output = part.partition("\n")
        if name == "end":
            break
        line, command, wanted = units[int(name)]
        lacking = missing(wanted, output) if wanted is not None else None
        if lacking is not None:
            faults.append(f"{path}:{line}: {command}\ndid not print: {lacking}\nbut: {output}")
    if run.returncode != 0 or not parts or not parts[-1].startswith("end"):
        name, _, output = parts[-1].partition("\n") if parts else ("0", "", "")
        line, command, _ = units[int(name)]
        faults.append(f"{path}:{line}: {command}\nended with {run.returncode}: {output}")
    print("\n\n".join(faults) or f"{path}: {len(units)} commands")
    return 1 if faults or not units else 0


sys.exit(main(*sys.argv[1:]))
