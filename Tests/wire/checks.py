"""Predicates on what a server sends back; each is a function of (connection, site) that raises Violation.

Invariant: a check names the statuses that the RFC leaves open, and says what came instead.
Left out: checks that only one case needs; they stand beside it.
"""

import email.utils
import re
import time

from wire import Ended, Violation

IMF_FIXDATE = re.compile(
    r"(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} "
    r"\d\d:\d\d:\d\d GMT")
ENTITY_TAG = re.compile(r'(W/)?"[\x21\x23-\x7e\x80-\xff]*"')
TOKEN = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")
SURPLUS_SECONDS = 0.1
PROBE = b"GET {static} HTTP/1.1\r\nHost: {host}\r\n\r\n"


def require(condition, complaint):
    """Raises Violation unless the condition holds."""
    if not condition:
        raise Violation(complaint)


def among(status, allowed):
    """Whether a status is in the list; "4xx" stands for its class."""
    return status in allowed or f"{status // 100}xx" in allowed


def expect_status(response, allowed):
    """Raises unless the answer has one of these statuses."""
    if not among(response.status, allowed):
        raise Violation(f"{response} instead of {' or '.join(map(str, allowed))}")


def expect_open(connection, site):
    """A further request on the same connection is answered."""
    connection.send(site.expand(PROBE))
    try:
        response = connection.response()
    except Ended as end:
        raise Violation(f"no second answer on the connection: {end}") from end
    require(response.status == 200 and response.content == site.plain.content,
            f"the next request on the connection gets {response}")
    # An answer to something that was no request would have come first, and the right one is left over.
    require(not connection.has_bytes(SURPLUS_SECONDS), "more answers than requests")


def answers(*allowed, method="GET"):
    """A final answer with one of these statuses, whatever becomes of the connection."""
    def check(connection, _):
        expect_status(connection.response(method), allowed)
    return check


def refuses(*allowed):
    """One answer with one of these statuses, then the end: nothing behind it is processed."""
    def check(connection, _):
        expect_status(connection.response(), allowed)
        connection.expect_end()
    return check


def expect_open_or_said(connection, site, response):
    """The connection goes on where the request ended, unless the answer said that it is the last."""
    if "close" in response.members("Connection"):
        connection.expect_end()
    else:
        expect_open(connection, site)


def accepts(*allowed, method="GET"):
    """An answer with one of these statuses (2xx), and the connection goes on or is said to end."""
    def check(connection, site):
        response = connection.response(method)
        expect_status(response, allowed or ("2xx",))
        expect_open_or_said(connection, site, response)
    return check


def persists(*allowed):
    """An answer with one of these statuses (2xx), and the connection goes on."""
    def check(connection, site):
        expect_status(connection.response(), allowed or ("2xx",))
        expect_open(connection, site)
    return check


def answers_once(*allowed, method="GET"):
    """One answer with one of these statuses; then the end, or the next request is read where it begins."""
    def check(connection, site):
        expect_status(connection.response(method), allowed)
        require(not connection.has_bytes(SURPLUS_SECONDS), "a second answer: content became a request")
        if not connection.end:
            expect_open(connection, site)
    return check


def accepts_or_refuses(*refusals):
    """2xx and the connection goes on, or one of these statuses and it ends."""
    def check(connection, site):
        response = connection.response()
        expect_status(response, ("2xx", *refusals))
        if among(response.status, refusals):
            connection.expect_end()
        else:
            expect_open_or_said(connection, site, response)
    return check


def answers_then_ends(*allowed):
    """An answer with one of these statuses (2xx), then the end."""
    def check(connection, _):
        expect_status(connection.response(), allowed or ("2xx",))
        connection.expect_end()
    return check


def never_succeeds(connection, _):
    """A client error, 501 or 505, or the end without an answer; then the end."""
    try:
        response = connection.response()
    except Ended:
        return
    expect_status(response, ("4xx", 501, 505))
    connection.expect_end()


def in_order(*expected):
    """As many answers as there are (method, allowed) pairs, in that order; the connection goes on."""
    def check(connection, site):
        for place, (method, allowed) in enumerate(expected, 1):
            response = connection.response(method)
            require(among(response.status, allowed), f"answer {place} is {response}")
        expect_open_or_said(connection, site, response)
    return check


def same_file(connection, site):
    """The static file, as a plain request gets it."""
    response = connection.response()
    expect_status(response, (200,))
    require(response.content == site.plain.content, "not the file's content")


def has_date(*allowed, method="GET"):
    """An answer with one of these statuses that has one Date, in IMF-fixdate and about now."""
    def check(connection, _):
        response = connection.response(method)
        expect_status(response, allowed)
        expect_date(response)
    return check


def expect_date(response):
    """Raises unless the answer has one true Date."""
    dates = response.lines("Date")
    require(len(dates) == 1, f"{response} with {len(dates)} Date fields")
    require(IMF_FIXDATE.fullmatch(dates[0]), f"Date is no IMF-fixdate: {dates[0]}")
    drift = abs(time.time() - email.utils.parsedate_to_datetime(dates[0]).timestamp())
    require(drift < 60, f"Date is {drift:.0f} s away")


def says_close(*allowed):
    """An answer with one of these statuses that announces the end that follows."""
    def check(connection, _):
        response = connection.response()
        expect_status(response, allowed)
        require("close" in response.members("Connection"), f"{response} without Connection: close")
        connection.expect_end()
    return check


def explains(*allowed):
    """An answer with one of these statuses whose content explains it and has a type."""
    def check(connection, _):
        response = connection.response()
        expect_status(response, allowed)
        require(response.content, f"{response} without content")
        require(response.value("Content-Type"), f"{response} without Content-Type")
    return check


def ask(site, octets, method="GET"):
    """One exchange on a connection of its own."""
    with site.connect() as connection:
        connection.send(site.expand(octets))
        return connection.response(method)
