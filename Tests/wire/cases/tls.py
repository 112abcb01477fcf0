"""TLS beneath HTTP: closing, versions, suites, ALPN, SNI, renegotiation (RFC 9112 9.8, 7301, 8446, 9325).

Left out: the certificate's names and dates; they belong to whoever set the server up.
"""

import re
import shutil
import ssl
import subprocess
import warnings

from case import must, post, request, should
from checks import ask, expect_status, require
from wire import Connection, Ended, Unsupported, Violation


def refused_handshake(site, context, server_name=None):
    """The error of a handshake that must fail."""
    try:
        with site.connect(context, server_name) as connection:
            raise Violation(f"the handshake succeeds: {connection.tls.cipher()}")
    except (ssl.SSLError, OSError) as error:
        return error


def old_context(site, version):
    """A client that speaks only this old version, with whatever it needs for that."""
    context = site.context()
    context.set_ciphers("ALL:@SECLEVEL=0")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        context.minimum_version = context.maximum_version = version
    return context


def version_context(site, version):
    """A client of just this version."""
    context = site.context()
    context.minimum_version = context.maximum_version = version
    return context


# 9112 9.8: closing

for name, octets, method in (
    ("close", request(b"Connection: close"), "GET"),
    ("1.0", request(version=b"1.0"), "GET"),
    ("refusal", request(host=b""), "GET"),
    ("bad-line", b"GET\r\n\r\n", "GET"),
    ("413", post(b"Content-Length: 1000000000000", b"Connection: close", length=False), "POST"),
):
    def _notifies(site, octets=octets, method=method):
        with site.connect() as connection:
            connection.send(site.expand(octets))
            connection.response(method)
            connection.expect_end()
            require(connection.end == "close_notify", f"the end without close_notify ({connection.end})")

    must(f"tls-close-notify/{name}", "9112 9.8",
         "A server sends close_notify before it closes.", on="tls")(_notifies)


@must("tls-close-notify-answered", "8446 6.1",
      "A client's close_notify gets one in return, then the end.", on="tls")
def _(site):
    with site.connect() as connection:
        connection.send(site.expand(request()))
        expect_status(connection.response(), (200,))
        connection.half_close()
        connection.expect_end()
        require(connection.end == "close_notify", f"the end without close_notify ({connection.end})")


@must("tls-truncated-request", "9112 9.8",
      "Content that is cut off without close_notify is no complete request.", on="tls")
def _(site):
    with site.connect() as connection:
        connection.send(site.expand(post(b"Content-Length: 10", length=False)))
        connection.cut()
        try:
            expect_status(connection.response("POST"), ("4xx",))
        except Ended:
            pass


# 8996, 9325 3.1: versions

for name, version in {"1.0": ssl.TLSVersion.TLSv1, "1.1": ssl.TLSVersion.TLSv1_1}.items():
    must(f"tls-old-version/{name}", "8996 2", "TLS 1.0 and 1.1 are not negotiated.", on="tls")(
        lambda site, version=version: refused_handshake(site, old_context(site, version)))

for level, name, version in (
    (must, "1.2", ssl.TLSVersion.TLSv1_2), (should, "1.3", ssl.TLSVersion.TLSv1_3),
):
    def _speaks(site, version=version):
        with site.connect(version_context(site, version)) as connection:
            connection.send(site.expand(request()))
            expect_status(connection.response(), (200,))

    level(f"tls-speaks-{name}", "9325 3.1.1", "TLS 1.2 and 1.3 are spoken.", on="tls")(_speaks)


@should("tls-prefers-1.3", "9325 3.1.1", "A client that has both versions gets TLS 1.3.", on="tls")
def _(site):
    with site.connect() as connection:
        require(connection.tls.version() == "TLSv1.3", f"it gets {connection.tls.version()}")


@should("tls-alert-for-old-version", "8446 6.2",
        "A version that is not spoken gets the alert protocol_version.", on="tls")
def _(site):
    error = refused_handshake(site, old_context(site, ssl.TLSVersion.TLSv1_1))
    require(re.search("protocol.version|unsupported.protocol", str(error), re.IGNORECASE), f"{error}")


# 9325 3.3, 4.1: suites

for name, suites in {
    "cbc": "ECDHE-ECDSA-AES128-SHA:ECDHE-RSA-AES128-SHA:ECDHE-RSA-AES256-SHA384:ECDHE-ECDSA-AES256-SHA384",
    "rsa-key-exchange": "AES128-GCM-SHA256:AES256-GCM-SHA384:AES128-SHA",
    "null": "NULL-SHA256:NULL-SHA:ECDHE-RSA-NULL-SHA",
    "anonymous": "AECDH-AES128-SHA:ADH-AES128-GCM-SHA256",
}.items():
    def _refuses_suites(site, suites=suites):
        context = version_context(site, ssl.TLSVersion.TLSv1_2)
        context.set_ciphers(suites + ":@SECLEVEL=0")
        refused_handshake(site, context)

    (must if name in ("null", "anonymous") else should)(
        f"tls-no-{name}", "9325 4.1",
        "Suites without forward secrecy, authentication or AEAD are not negotiated.",
        on="tls")(_refuses_suites)


@should("tls-no-compression", "9325 3.3", "TLS does not compress.", on="tls")
def _(site):
    with site.connect(version_context(site, ssl.TLSVersion.TLSv1_2)) as connection:
        require(connection.tls.compression() is None, f"compression {connection.tls.compression()}")


for name in ("X25519", "prime256v1", "secp384r1"):
    def _agrees(site, curve=name):
        context = site.context()
        context.set_ecdh_curve(curve)
        with site.connect(context) as connection:
            connection.send(site.expand(request()))
            expect_status(connection.response(), (200,))

    (must if name == "prime256v1" else should)(
        f"tls-group-{name.lower()}", "8446 9.1", "Keys are agreed on over the groups that clients have.",
        on="tls")(_agrees)

# 7301: ALPN

def _negotiated(site, protocols, version=None):
    context = version_context(site, version) if version else site.context()
    if protocols:
        context.set_alpn_protocols(protocols)
    with site.connect(context) as connection:
        connection.send(site.expand(request()))
        expect_status(connection.response(), (200,))
        return connection.tls.selected_alpn_protocol()


def selects(name, protocols, allowed, requirement, level=must, version=None):
    """A handshake with these protocols, and HTTP/1.1 over what came out."""
    def test(site):
        selected = _negotiated(site, protocols, version)
        require(selected in allowed, f"ALPN selects {selected}")
    level(f"tls-alpn-{name}", "7301 3.2", requirement, on="tls")(test)


OFFERED = "A server selects a protocol that the client offers, or none."

selects("http-1.1/1.3", ["http/1.1"], ("http/1.1", None), OFFERED)
selects("http-1.1/1.2", ["http/1.1"], ("http/1.1", None), OFFERED, version=ssl.TLSVersion.TLSv1_2)
selects("http-1.1-selected", ["http/1.1"], ("http/1.1",), "http/1.1 is selected when offered.", should)
selects("among-many", ["spdy/3", "http/1.1", "foo"], ("http/1.1", None), "Only what is spoken is selected.")
selects("none-offered", None, (None,), "Nothing is selected when nothing is offered.")


@must("tls-alpn-mismatch", "7301 3.2",
      "No protocol in common: the fatal alert no_application_protocol.", on="tls")
def _(site):
    context = site.context()
    context.set_alpn_protocols(["flying/9"])
    error = refused_handshake(site, context)
    require("NO_APPLICATION_PROTOCOL" in str(error).upper().replace(" ", "_"), f"{error}")


# 6066 3: SNI

@must("tls-sni-unknown", "6066 3",
      "An unknown server name: the handshake goes on, or ends in unrecognized_name.", on="tls")
def _(site):
    try:
        with site.connect(server_name="unknown.example") as connection:
            connection.send(site.expand(request()))
            expect_status(connection.response(), (200, 421))
    except ssl.SSLError as error:
        require("UNRECOGNIZED_NAME" in str(error).upper().replace(" ", "_"), f"{error}")


@should("tls-sni-none", "6066 3", "A client without server name is served.", on="tls")
def _(site):
    context = site.context()
    with Connection(site.address, context, None) as connection:
        connection.send(site.expand(request()))
        expect_status(connection.response(), (200,))


@should("tls-sni-upper-case", "6066 3", "Server names have no case.", on="tls")
def _(site):
    with site.connect(server_name=site.server_name.upper()) as connection:
        connection.send(site.expand(request()))
        expect_status(connection.response(), (200,))


# 9325 3.5: renegotiation

@should("tls-no-renegotiation", "9325 3.5", "A client's renegotiation is not done.", on="tls")
def _(site):
    program = shutil.which("openssl")
    if not program:
        raise Unsupported("no openssl program to renegotiate with")
    address = f"{site.address[0]}:{site.address[1]}"
    result = subprocess.run([program, "s_client", "-connect", address, "-tls1_2"], input=b"R\n", timeout=60,
                            capture_output=True, check=False)
    output = result.stdout + result.stderr
    require(b"RENEGOTIATING" in output, "the program did not try")
    refused = re.search(rb"no renegotiation|handshake failure|error:", output.split(b"RENEGOTIATING", 1)[1])
    require(refused, "it was done")


# Resumption and records

@should("tls-resumes", "8446 2.2", "A session that the server offered can be resumed.", on="tls")
def _(site):
    context = version_context(site, ssl.TLSVersion.TLSv1_2)
    with site.connect(context) as connection:
        connection.send(site.expand(request(b"Connection: close")))
        connection.response()
        session = connection.tls.session
    require(session is not None, "no session")


@must("tls-tiny-records", "8446 5.1", "A request in many small records is one request.", on="tls")
def _(site):
    with site.connect() as connection:
        for octet in site.expand(request()):
            connection.send(bytes((octet,)))
        expect_status(connection.response(), (200,))


@must("tls-plain-request", "8446 6", "A request without TLS on a TLS port is not served.", on="tls")
def _(site):
    with Connection(site.address) as connection:
        connection.send(site.expand(request()))
        try:
            response = connection.response()
        except Violation:
            return
        expect_status(response, ("4xx",))


@must("tls-same-answers", "9110 4.2.2",
      "The same request gets the same content on each connection.", on="tls")
def _(site):
    require(ask(site, request()).content == site.plain.content, "another content")
