"""What servers are given for a run: a callback, one certificate for all of them, and a large file."""

import os
import subprocess

from harness import builds
from harness.failure import Failure

CALLBACK_PATH = "/callbacks/dimmy"
CALLBACK_FORM = os.path.join(builds.BENCHMARKS, "callback.form")
CERTIFICATE_NAME = "localhost"
LARGE_FILE_BYTES = 1024 * 1024


def make_certificate(folder):
    """Puts NAME.pem and NAME.key of a self-signed ECDSA P-256 certificate into a new folder."""
    os.mkdir(folder, 0o700)
    # The extensions are what strict clients ask of a certificate that vouches for itself.
    command = [
        "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
        "-nodes", "-days", "2", "-subj", f"/CN={CERTIFICATE_NAME}",
        "-addext", f"subjectAltName=DNS:{CERTIFICATE_NAME},IP:127.0.0.1",
        "-addext", "keyUsage=critical,digitalSignature,keyCertSign",
        "-out", certificate(folder), "-keyout", key(folder),
    ]
    outcome = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if outcome.returncode != 0:
        raise Failure(f"openssl makes no certificate:\n{outcome.stdout}")


def certificate(folder):
    """Path of the certificate in a folder of `make_certificate`."""
    return os.path.join(folder, CERTIFICATE_NAME + ".pem")


def key(folder):
    """Path of its private key."""
    return os.path.join(folder, CERTIFICATE_NAME + ".key")


def make_large_file(path):
    """Writes `LARGE_FILE_BYTES` that nothing can compress."""
    with open(path, "wb") as file:
        file.write(os.urandom(LARGE_FILE_BYTES))
