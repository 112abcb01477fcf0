"""The programs that are measured: release builds of Landfall and of its peer, and the tools."""

import os
import shutil
import subprocess
import sys

from harness.failure import Failure, MissingTool

BENCHMARKS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ROOT = os.path.dirname(BENCHMARKS)
CONFIGURATION = os.path.join(ROOT, "Config", "landfall.yaml")
SITES = os.path.join(ROOT, "Config", "sites")
PAGE = os.path.join(ROOT, "public")
ASSOCIATION = os.path.join(SITES, "www.yourapp.com", "apple-app-site-association")
SCRATCH = os.path.join(BENCHMARKS, ".build")
ROOT_SCRATCH = os.path.join(ROOT, ".build-release")
"""Where `make build` builds."""

# Debian's packages by command. nginx is in /usr/sbin, which not every user's PATH has.
PACKAGES = {"nginx": "nginx-light", "openssl": "openssl", "strip": "binutils", "wrk": "wrk"}


def require_tools():
    """Fails with the names of the packages to install."""
    os.environ["PATH"] += ":/usr/sbin"
    missing = [package for tool, package in PACKAGES.items() if not shutil.which(tool)]
    if missing:
        raise MissingTool(
            "nginx, openssl, strip and wrk are needed: apt-get install --no-install-recommends "
            + " ".join(missing))


def programs(names):
    """Paths of the binaries of these servers by name; what is not given is built now."""
    return {name: BUILDERS[name]() for name in names if name in BUILDERS}


def landfall():
    """Path of Landfall's release binary: `LANDFALL_BIN`, or built now."""
    given = os.environ.get("LANDFALL_BIN")
    if given:
        if not os.access(given, os.X_OK):
            raise MissingTool(f"LANDFALL_BIN names no program: {given}")
        return given
    return _build_own("landfall")


def landfall_counter():
    """Path of the release binary of Landfall's server with a counting endpoint, built now."""
    return _build_own("landfall-counter")


def library_bench():
    """Path of the release binary that measures the libraries by themselves, built now."""
    return _build_own("landfall-library-bench")


def store_bench():
    """Path of the release binary that stores records in batches, built now."""
    return _build_own("landfall-store-bench")


def hummingbird_peer():
    """Path of the peer's release binary, built now."""
    return _build_peer("hummingbird-peer")


def hummingbird_store_peer():
    """Path of the release binary of the peer that stores, built now."""
    return _build_peer("hummingbird-store-peer")


BUILDERS = {
    "landfall": landfall,
    "landfall-counter": landfall_counter,
    "landfall-library-bench": library_bench,
    "landfall-store-bench": store_bench,
    "hummingbird": hummingbird_peer,
    "hummingbird-store": hummingbird_store_peer,
}


def _build_own(product):
    # With the options of the program that users run.
    return _build(product, ROOT_SCRATCH, ["make", "--directory", ROOT, "build", f"PRODUCT={product}"])


def _build_peer(product):
    return _build(product, SCRATCH, [
        "swift", "build", "-c", "release", "--static-swift-stdlib", "--package-path", BENCHMARKS,
        "--scratch-path", SCRATCH, "--product", product,
    ])


def _build(product, scratch, command):
    if not shutil.which("swift"):
        raise MissingTool("swift is needed, at least 6.3: see https://www.swift.org/install/")
    print(f"building {product} (the first time takes minutes)", file=sys.stderr)
    # The manifest has targets that only developers build.
    environment = {**os.environ, "LANDFALL_DEVELOPER_TARGETS": "1"}
    outcome = subprocess.run(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        check=False)
    if outcome.returncode != 0:
        raise Failure(f"{product} does not build:\n{outcome.stdout[-4000:]}")
    return os.path.join(scratch, "release", product)
