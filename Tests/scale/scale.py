#!/usr/bin/env python3
"""Several Landfalls on one PostgreSQL: what is promised of them, and what it costs.

Each part starts its own servers in a folder of its own, on Unix sockets and 127.0.0.1. Exit code 1 says that something
was lost, doubled or out of order; then the folder is kept. Left out: what one server does alone, see Tests/crash.

    scale.py [--quick] [--seed N] [--kills N] [--rows N] [--folder FOLDER] [PART]...
"""

import argparse
import dataclasses
import faulthandler
import os
import random
import shutil
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.dont_write_bytecode = True

# pylint: disable=wrong-import-position
import progress
from balancer import balancer
from costs import cost, pages
from kills import full_disk, kill_database, kill_instance, standby
from orders import order, wait
from program import Fault, leave_nothing_running


@dataclasses.dataclass(frozen=True)
class Size:
    """How much of everything."""

    seed: int
    seconds: float = 20
    kills: int = 100
    promotions: int = 10
    fillings: int = 10
    # Longer than an instance waits for a commit.
    stall_seconds: int = 75
    replacements: int = 20
    waits: int = 500
    rounds: int = 3
    load_seconds: int = 5
    rows: int = 1_000_000
    # A part that lasts longer hangs.
    most_seconds: int = 3600


QUICK = {"seconds": 2, "kills": 3, "promotions": 1, "fillings": 1, "stall_seconds": 0, "replacements": 2, "waits": 100,
         "rounds": 1, "load_seconds": 2, "rows": 20_000, "most_seconds": 240}
PARTS = {"order": order, "kill-database": kill_database, "kill-instance": kill_instance, "full-disk": full_disk,
         "standby": standby, "balancer": balancer, "wait": wait, "cost": cost, "pages": pages}


def run(name, root, size):
    """One part; returns whether it held."""
    folder, began = os.path.join(root, name), time.monotonic()
    os.makedirs(folder)
    os.chmod(folder, 0o711)
    progress.begin(name)
    # Every wait is bounded already; this is for the one that was forgotten.
    faulthandler.dump_traceback_later(size.most_seconds, exit=True)
    try:
        told = PARTS[name](folder, size)
    except Fault as fault:
        progress.end()
        print(f"FAULT: {name}, seed {size.seed}: {fault}\nThe folder is kept: {folder}", file=sys.stderr, flush=True)
        return False
    finally:
        faulthandler.cancel_dump_traceback_later()
    progress.end()
    shutil.rmtree(folder)
    print(f"{name}, {time.monotonic() - began:.0f} s:\n    {told}", flush=True)
    return True


def main():
    leave_nothing_running()
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PARTS))
    parser.add_argument("--quick", action="store_true", help="seconds a part")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1_000_000_000))
    parser.add_argument("--kills", type=int, help="of each part that kills")
    parser.add_argument("--rows", type=int, help="of `pages`")
    parser.add_argument("--folder", help="where the parts' folders are made (a new temporary one)")
    arguments = parser.parse_args()
    if unknown := [part for part in arguments.parts if part not in PARTS]:
        parser.error(f"no such part: {unknown[0]}; there are {', '.join(PARTS)}")
    root = arguments.folder or tempfile.mkdtemp(prefix="landfall-scale-")
    os.makedirs(root, exist_ok=True)
    # PostgreSQL's user has to reach its folder.
    os.chmod(root, 0o711)
    chosen = {name: value for name in ("kills", "rows") if (value := getattr(arguments, name))}
    size = Size(arguments.seed, **((QUICK if arguments.quick else {}) | chosen))
    print(f"seed {size.seed}, in {root}", flush=True)
    held = [run(name, root, size) for name in arguments.parts or PARTS]
    if all(held) and not arguments.folder:
        shutil.rmtree(root)
    return 0 if all(held) else 1


if __name__ == "__main__":
    sys.exit(main())
