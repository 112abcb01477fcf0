"""Host, the authority of a target, and the four forms of a target (RFC 9112 3.2, 9110 4.2, 7.2, 7.4).

Left out: what a site does with a host that it doesn't know; that is its own business.
"""

from case import must, request, should
from checks import answers, ask, expect_status, refuses, require, same_file

TWO_HOSTS = "More than one Host line gets 400."


def _hosts(*lines):
    return b"".join(b"Host: " + line + b"\r\n" for line in lines)


# 9112 3.2: exactly one Host

must("host-missing", "9112 3.2", "A 1.1 request without Host gets 400.", request(host=b""), refuses(400))

must("host-missing-absolute", "9112 3.2",
     "A 1.1 request without Host gets 400, also with an absolute target.",
     request(host=b"", path=b"{scheme}://{host}{static}"), refuses(400))

must("host-twice/different", "9112 3.2",
     TWO_HOSTS, request(host=_hosts(b"{host}", b"other.example")), refuses(400))

must("host-twice/equal", "9112 3.2", TWO_HOSTS, request(host=_hosts(b"{host}", b"{host}")), refuses(400))

must("host-twice/apart-and-case", "9112 3.2", TWO_HOSTS,
     request(b"X-Between: 1", b"hOST: {host}"), refuses(400))

must("host-twice/one-empty", "9112 3.2", TWO_HOSTS, request(host=_hosts(b"{host}", b"")), refuses(400))

must("host-twice/1.0", "9112 3.2", TWO_HOSTS,
     request(host=_hosts(b"{host}", b"{host}"), version=b"1.0"), refuses(400))

must("host-twice/absolute", "9112 3.2", TWO_HOSTS,
     request(host=_hosts(b"{host}", b"{host}"), path=b"{scheme}://{host}{static}"), refuses(400))

should("host-missing-1.0", "9112 3.2",
       "A 1.0 request needs no Host.", request(host=b"", version=b"1.0"), same_file)

# 9112 3.2, 3986 3.2.2: an invalid value

for name, value in {
    "space-inside": b"local host",
    "tab-inside": b"local\thost",
    "letters-as-port": b"{host}:abc",
    "signed-port": b"{host}:+80",
    "two-ports": b"{host}:80:80",
    "space-before-port": b"{host} :80",
    "wide-digit-port": b"{host}:\xef\xbc\x98",
    "userinfo": b"user@{host}",
    "userinfo-with-password": b"user:80@{host}",
    "path": b"{host}/",
    "query": b"{host}?x",
    "fragment": b"{host}#x",
    "url": b"http://{host}",
    "nul": b"local\x00host",
    "high-byte": b"local\xffhost",
    "bad-escape": b"local%zzhost",
    "quotes": b"\"{host}\"",
    "backslash": b"local\\host",
    "open-bracket": b"[::1",
    "close-bracket-only": b"::1]",
    "no-brackets": b"::1",
    "empty-brackets": b"[]",
    "behind-bracket": b"[::1]x",
    "letters-in-ipv6": b"[::zz]",
    "two-gaps": b"[1::2::3]",
    "nine-groups": b"[1:2:3:4:5:6:7:8:9]",
    "seven-groups": b"[1:2:3:4:5:6:7]",
    "five-digits": b"[12345::]",
    "ipv4-in-brackets": b"[127.0.0.1]",
    "bad-ipv4-tail": b"[::ffff:256.0.0.1]",
    "ipvfuture-without-version": b"[v.a]",
    "ipvfuture-without-address": b"[v1.]",
}.items():
    must(f"host-invalid/{name}", "9112 3.2", "A Host whose value is not uri-host [\":\" port] gets 400.",
         request(host=_hosts(value)), refuses(400))

must("host-invalid/in-1.0", "9112 3.2", "A Host whose value is not uri-host [\":\" port] gets 400.",
     request(host=_hosts(b"user@{host}"), version=b"1.0"), refuses(400))

must("host-cr/folded", "9112 3.2", "A Host with a fold or a bare CR in it gets 400.",
     request(host=b"Host: local\r\n host\r\n"), refuses(400))

must("host-cr/bare", "9112 3.2", "A Host with a fold or a bare CR in it gets 400.",
     request(host=b"Host: local\rhost\r\n"), refuses(400))

for name, value in {"empty": b"", "port-only": b":80"}.items():
    must(f"host-none/{name}", "9110 4.2.1", "An http URI with an empty host is rejected.",
         request(host=_hosts(value)), answers("4xx"))

# What is valid

for name, value in {
    "with-port": b"{host}:8080",
    "empty-port": b"{host}:",
    "upper-case": b"LOCALHOST",
    "ipv4": b"127.0.0.1",
    "ipv6": b"[::1]",
    "ipv6-with-port": b"[2001:db8::7]:443",
    "ipv6-full": b"[1:2:3:4:5:6:7:8]",
    "ipv6-ipv4-tail": b"[::ffff:127.0.0.1]",
    "underscore": b"my_host",
    "escape": b"my%2Dhost",
    "sub-delims": b"a!b",
}.items():
    must(f"host-valid/{name}", "3986 3.2.2", "A valid Host is not called invalid, known or not.",
         request(host=_hosts(value)), answers("2xx", 404, 421))

should("host-valid-ipvfuture", "3986 3.2.2", "An address of a future kind gets a complete answer.",
       request(host=_hosts(b"[v1.fe80::a+en1]")), answers("2xx", "3xx", "4xx"))


@must("host-case", "9110 4.2.3", "Host names are compared without regard to case.")
def _(site):
    upper = site.resources.named_host.upper().encode()
    lower = ask(site, request(path=b"{named}", host=b"Host: {named_host}\r\n"))
    expect_status(lower, (200,))
    response = ask(site, request(path=b"{named}", host=_hosts(upper)))
    require(response.status == 200 and response.content == lower.content, f"{response}, or another file")


# 9112 3.2.2: absolute-form

must("absolute-form", "9112 3.2.2", "A target in absolute-form is accepted.",
     request(path=b"{scheme}://{host}{static}"), same_file)

must("absolute-form-1.0", "9112 3.2.2", "A target in absolute-form is accepted, also without Host in 1.0.",
     request(path=b"{scheme}://{host}{static}", host=b"", version=b"1.0"), same_file)


@must("absolute-form-case", "9110 4.2.3",
      "Scheme and host of a target are compared without regard to case.")
def _(site):
    target = site.scheme.upper() + b"://LOCALHOST{static}"
    response = ask(site, request(path=target))
    expect_status(response, (200,))
    require(response.content == site.plain.content, "another file")


@must("absolute-form-beats-host", "9112 3.2.2",
      "The target's authority replaces Host: the known one is in the target.")
def _(site):
    expected = ask(site, request(path=b"{named}", host=b"Host: {named_host}\r\n"))
    response = ask(site, request(path=b"{scheme}://{named_host}{named}", host=b"Host: unknown.example\r\n"))
    expect_status(response, (expected.status,))
    require(response.content == expected.content, "the file of the other host")


@must("absolute-form-ignores-host", "9112 3.2.2",
      "The target's authority replaces Host: the known one is in Host.")
def _(site):
    expected = ask(site, request(path=b"{named}", host=b"Host: unknown.example\r\n"))
    response = ask(site, request(path=b"{scheme}://unknown.example{named}", host=b"Host: {named_host}\r\n"))
    expect_status(response, (expected.status, 421))
    require(response.status == 421 or response.content == expected.content, "the file of the other host")


@must("absolute-form-empty-path", "9110 4.2.3", "An empty path is the same as /.")
def _(site):
    expected = ask(site, request(path=b"/"))
    response = ask(site, request(path=b"{scheme}://{host}"))
    expect_status(response, (expected.status,))


@should("absolute-form-query-only", "3986 3.3", "A query may stand right behind the authority.")
def _(site):
    expected = ask(site, request(path=b"/?q=1"))
    response = ask(site, request(path=b"{scheme}://{host}?q=1"))
    expect_status(response, (expected.status,))


for name, target in {"empty": b"{scheme}://{static}", "port-only": b"{scheme}://:80{static}"}.items():
    must(f"absolute-form-no-host/{name}", "9110 4.2.1", "An http URI with an empty host is rejected.",
         request(path=target), answers("4xx"))

for name, target in {
    "bad-port": b"{scheme}://{host}:8x{static}",
    "bad-ipv6": b"{scheme}://[::zz]{static}",
    "open-bracket": b"{scheme}://[::1{static}",
    "space": b"{scheme}://local host{static}",
}.items():
    should(f"absolute-form-grammar/{name}", "9112 3.2", "An absolute target off the grammar gets 400.",
           request(path=target), refuses(400))

for name, target in {
    "userinfo": b"{scheme}://user:password@{host}{static}", "user": b"{scheme}://user@{host}{static}",
}.items():
    should(f"absolute-form-userinfo/{name}", "9110 4.2.4",
           "Userinfo in an http URI is treated as an error.",
           request(path=target), answers("4xx"))

must("absolute-form-https-on-plain", "9110 7.4", "An https target on a connection without TLS is rejected.",
     request(path=b"https://{host}{static}"), answers("4xx"), on="plain")

should("absolute-form-http-on-tls", "9110 7.4", "An http target on a connection with TLS is misdirected.",
       request(path=b"http://{host}{static}"), answers("4xx"), on="tls")

should("absolute-form-unknown-scheme", "9110 7.1", "A target of another scheme than http is refused.",
       request(path=b"ftp://{host}{static}"), answers("4xx"))

# 9112 3.2.3: authority-form

for name, target in {
    "empty-port": b"{host}:",
    "no-port": b"{host}",
    "port-0": b"{host}:0",
    "port-65536": b"{host}:65536",
    "port-letters": b"{host}:http",
    "port-wraps": b"{host}:4294967376",
}.items():
    must(f"connect/{name}", "9110 9.3.6", "CONNECT to an empty or invalid port is rejected.",
         request(method=b"CONNECT", path=target, host=_hosts(target)), answers("4xx", 501))

must("connect-opens-no-tunnel", "9110 9.3.6", "An origin server opens no tunnel to elsewhere.",
     request(method=b"CONNECT", path=b"{host}:9", host=b"Host: {host}:9\r\n"), answers("4xx", "5xx"))

should("connect-origin-form", "9112 3.2.3", "CONNECT takes authority-form only.",
       request(method=b"CONNECT", path=b"{static}"), answers(400, 405, 501))

# 9112 3.2.4: asterisk-form

should("options-star", "9110 9.3.7", "OPTIONS * is answered for the server as a whole.",
       request(method=b"OPTIONS", path=b"*"), answers("2xx"))

should("options-star-in-absolute-form", "9112 3.2.4",
       "OPTIONS of an absolute target with neither path nor query stands for *.",
       request(method=b"OPTIONS", path=b"{scheme}://{host}"), answers("2xx"))

should("star-with-post", "9112 3.2.4", "The asterisk is for OPTIONS only.",
       request(b"Content-Length: 0", method=b"POST", path=b"*"), answers(400, 405, 404))
