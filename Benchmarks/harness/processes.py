"""What the kernel says of processes: CPU time and resident memory, summed over a server's tree."""

import os
import time

TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")


def tree(pid):
    """The process and everything that it started: nginx works in children."""
    pids = [pid]
    for parent in pids:
        try:
            threads = os.listdir(f"/proc/{parent}/task")
        except FileNotFoundError:
            continue
        for thread in threads:
            pids += map(int, _read(f"/proc/{parent}/task/{thread}/children").split())
    return pids


def cpu_seconds(pid):
    """User and system time of all threads of the tree."""
    return sum(_cpu_seconds(member) for member in tree(pid))


def settled_cpu_seconds(pid, limit_seconds=60):
    """`cpu_seconds` once the tree has gone quiet: work that was put off counts too."""
    deadline = time.monotonic() + limit_seconds
    before = cpu_seconds(pid)
    while time.monotonic() < deadline:
        time.sleep(0.1)
        now = cpu_seconds(pid)
        if now - before < 1.5 / TICKS_PER_SECOND:
            return now
        before = now
    return before


def resident_bytes(pid):
    """Resident memory of the tree; pages that several processes share count in each."""
    return sum(_kilobytes(f"/proc/{member}/status", "VmRSS:") for member in tree(pid)) * 1024


def forget_peak(pid):
    """Makes what is resident now the peak of a process without children."""
    with open(f"/proc/{pid}/clear_refs", "w", encoding="ascii") as file:
        file.write("5")


def peak_bytes(pid):
    """Most memory that was resident at once since the start, or since `forget_peak`."""
    return _kilobytes(f"/proc/{pid}/status", "VmHWM:") * 1024


def proportional_bytes(pid):
    """Resident memory of the tree in which a shared page counts once (Pss)."""
    return sum(_kilobytes(f"/proc/{member}/smaps_rollup", "Pss:") for member in tree(pid)) * 1024


def machine_busy_seconds():
    """CPU time that the whole machine spent on anything, time taken by other guests included."""
    user, nice, system, _idle, _wait, interrupt, soft, stolen = map(
        int, _read("/proc/stat").split("\n", 1)[0].split()[1:9])
    return (user + nice + system + interrupt + soft + stolen) / TICKS_PER_SECOND


def _cpu_seconds(pid):
    # The clock of clock_getcpuclockid(3). It counts nanoseconds, where /proc/PID/stat counts ticks.
    try:
        return time.clock_gettime(~pid << 3 | 2)
    except OSError:  # The process has gone.
        return 0


def _kilobytes(path, name):
    for line in _read(path).splitlines():
        if line.startswith(name):
            return int(line.split()[1])
    return 0


def _read(path):
    """A file of /proc; empty when its process has gone."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except (FileNotFoundError, ProcessLookupError):
        return ""
