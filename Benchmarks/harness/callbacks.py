"""Made-up callbacks of every vendor, each with what Landfall decodes it to.

Values vary with the random numbers that are given, and only with them. Outcome and value of a
callback are what the decoders make of it. `results redecode` over a store of such callbacks finds
only other diagnostics, those of made-up numbers that contradict each other.
"""

import base64
import json
from typing import NamedTuple
from urllib.parse import quote

FORM = "application/x-www-form-urlencoded"
JSON = "application/json"


class Callback(NamedTuple):
    """One callback, and what is decoded from it. Members named `…_json` are compact JSON text."""

    contract: str | None
    outcome: str | None
    verdict: str
    method: str
    query: str
    """What stands behind the path: empty, or `?` and the parameters."""
    content_type: str | None
    body: str | bytes | None
    """Bytes where it is no text."""
    result_json: str
    diagnostics_json: str


def _diagnostic(severity, layer, code, part, offset, expected, found, hint=None):
    # The members of a diagnostic in their order; none of these has a pointer.
    return _compact({
        "severity": severity, "layer": layer, "code": code, "part": part, "offset": offset,
        "pointer": None, "expected": expected, "found": found, "hint": hint})


def _compact(value):
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


# Welltory: numbers and colours in a query or a form.

_MISSING_STRESS = _diagnostic(
    "warning", "model", "missing_parameter", "target", None, "the parameter stress", "none",
    "Welltory sends stress with every result")
_NO_MEASUREMENT = _diagnostic(
    "error", "model", "no_measurement", "target", None,
    "at least one of stress, energy, productivity, rmssd, sdnn, power", "none")


def welltory(random, path):
    """A measurement: three numbers or all of them; some with a comma, a few without any number."""
    stress, energy, productivity = (
        f"{(random.random() + random.random()) / 2:.2f}" for _ in range(3))
    is_posted = random.random() < 0.3
    kind = random.random()
    if kind < 0.005:
        return _welltory(
            is_posted, f"stress_c={_colour(stress)}", "null", "undecodable",
            f"[{_MISSING_STRESS},{_NO_MEASUREMENT}]", outcome=None)
    rest = f'"energy":{energy},"productivity":{productivity}'
    parameters = f"stress={stress}&energy={energy}&productivity={productivity}"
    if kind < 0.025:
        found = stress.replace(".", ",")
        offset = len("stress=") if is_posted else len(path) + len("?stress=")
        diagnostic = _diagnostic(
            "error", "model", "not_a_number", "body" if is_posted else "target", offset,
            "stress: a decimal number such as 0.32", f'"{found}"',
            "write the decimal point as a point")
        return _welltory(
            is_posted, parameters.replace(stress, found, 1), f"{{{rest}}}",
            "decoded_with_warnings", f"[{diagnostic}]")
    value = f'{{"stress":{stress},{rest}'
    if kind < 0.25:
        rmssd, sdnn = (f"{20 + random.random() * 100:.1f}" for _ in range(2))
        power = int(random.random() * 101)
        colours = tuple(_colour(text) for text in (stress, energy, productivity))
        parameters += (
            f"&rmssd={rmssd}&sdnn={sdnn}&power={power}&stress_c={colours[0]}"
            f"&energy_c={colours[1]}&productivity_c={colours[2]}")
        value += (
            f',"rmssd":{rmssd},"sdnn":{sdnn},"power":{power},"stress_c":"{colours[0]}",'
            f'"energy_c":"{colours[1]}","productivity_c":"{colours[2]}"')
    return _welltory(is_posted, parameters, value + "}", "decoded", "[]")


def _welltory(is_posted, parameters, value, verdict, diagnostics, outcome="completed"):
    return Callback(
        "welltory-dds", outcome, verdict, "POST" if is_posted else "GET",
        "" if is_posted else "?" + parameters, FORM if is_posted else None,
        parameters if is_posted else None, value, diagnostics)


def _colour(text):
    return "green" if text < "0.40" else "yellow" if text < "0.70" else "red"


# Dimmy and Flux: an item as JSON in Base64.

_NOT_JSON = _diagnostic(
    "error", "json", "broken_json", "body", len("order=1000000&status=completed&response=b"),
    "null", '"o"')
_MISSING_ITEM = _diagnostic(
    "error", "model", "missing_parameter", "target", None, "the parameter response", "none",
    "a finished flow sends its item as Base64 in response")
_NO_REASON = _diagnostic(
    "warning", "model", "missing_error_reason", "target", None,
    "one of invalid_request, not_logged_in, flow_unavailable", "none")
_REASONS = ("invalid_request", "not_logged_in", "flow_unavailable")


def dimmy(random, _path):
    """A box that was measured: most in Flux's words, the others in those of before."""
    if random.random() < 0.15:
        return _dimmy_2024(random)
    order = 1_000_000 + int(random.random() * 9_000_000)
    context = f'"context":{{"order":"{order}"}}'
    kind = random.random()
    if kind < 0.15:
        return _flux(f"order={order}&status=cancelled", "cancelled", f"{{{context}}}")
    if kind < 0.22:
        reason = _REASONS[int(random.random() * 3)]
        return _flux(
            f"order={order}&status=error&error={reason}", "error",
            f'{{"error":"{reason}",{context}}}')
    if kind < 0.23:
        return _flux(
            f"order={order}&status=error", "error", f'{{"error":"unknown",{context}}}',
            "decoded_with_warnings", _NO_REASON)
    if kind < 0.24:
        return _flux(
            f"order={order}&status=completed", None, "null", "undecodable", _MISSING_ITEM)
    if kind < 0.25:
        return _flux(
            f"order={order}&status=completed&response=bm90anNvbg%3D%3D", None, "null",
            "undecodable", _NOT_JSON)
    item, box, found = _flux_item(random)
    coded = base64.urlsafe_b64encode(item.encode()).decode().replace("=", "%3D")
    return _flux(
        f"order={order}&status=completed&response={coded}", "completed",
        f'{{"item":{item},"first_box":{box},{found},{context}}}')


def _flux(form, outcome, value, verdict="decoded", diagnostics=""):
    return Callback(
        "flux", outcome, verdict, "POST", "", FORM, form, value, f"[{diagnostics}]")


def _flux_item(random):
    box = _sides(random) + ',"unit":"m"}'
    minute, second, length = _moment(random)
    barcodes = weight = photos = code = photo = ""
    if (extent := random.random()) < 0.4:
        code = f'"{barcode(random)}"'
        barcodes = f'{{"flowStepId":"label","barcodes":[{{"value":{code}}}]}}'
    if extent < 0.15:
        weight = (
            '{"flowStepId":"scale","weight":{"value":'
            f'{random.random() * 30:.2f},"unit":"kg"}}}}')
    started = f'"2026-03-09T13:{minute:02}:{second:02}Z"'
    ended = f'"2026-03-09T13:{minute + length:02}:{second:02}Z"'
    if extent < 0.06:
        photo = f'"https://images.example.com/{random.getrandbits(64):016x}.jpg"'
        photos = f'{{"flowStepId":"photo","photos":[{{"date":{started},"url":{photo}}}]}}'
    item = (
        f'{{"startedAt":{started},"endedAt":{ended},'
        f'"dimensioning":[{{"flowStepId":"box","dimensions":{box}}}],"photographing":[{photos}],'
        f'"barcodeScanning":[{barcodes}],"weighing":[{weight}],"customInputs":[]}}')
    return item, box, _found_in_item(code, photo, started, ended)


def _found_in_item(code, photo, started, ended):
    """The members that the decoder takes out of an item."""
    return (
        f'"barcodes":[{code}],"photo_urls":[{photo}],"started_at":{started},"ended_at":{ended}')


def barcode(random):
    """The 20 digits of a parcel's label."""
    return f"00340434{random.getrandbits(39):012}"


def _dimmy_2024(random):
    box = _sides(random)
    minute, second, length = _moment(random)
    number = random.getrandbits(96)
    started = f'"2024-09-23T08:{minute:02}:{second:02}Z"'
    ended = f'"2024-09-23T08:{minute + length:02}:{second:02}Z"'
    item = (
        f'{{"_id":"{number:024x}","flow_id":"66f1a2b3c4d5e6f708192a00",'
        f'"started_at":{started},"ended_at":{ended},'
        f'"dimensioning":[{{"flow_step_id":"box","dimensions":{box}}}}}]}}')
    coded = base64.b64encode(item.encode()).decode()
    for octet, escape in (("+", "%2B"), ("/", "%2F"), ("=", "%3D")):
        coded = coded.replace(octet, escape)
    return Callback(
        "dimmy-2024", "completed", "decoded", "POST", "", FORM, "response=" + coded,
        f'{{"item":{item},"first_box":{box},"unit":null}},'
        f'{_found_in_item("", "", started, ended)},"context":{{}}}}', "[]")


def _sides(random):
    """A box without its end."""
    width, height, depth = (5 + random.getrandbits(7) for _ in range(3))
    return f'{{"width":{width / 100},"height":{height / 100},"depth":{depth / 100}'


def _moment(random):
    return random.getrandbits(5), random.getrandbits(5), 1 + random.getrandbits(3)


# Ailet: a report as JSON, in a form or as the body itself.

_STATUSES = (
    # Share of the whole up to here, name, code, outcome.
    (0.28, "IR_RESULT_OK", 1, "completed"), (0.62, "IR_RESULT_INPROGRESS", 16, "in_progress"),
    (0.80, "IR_RESULT_EMPTY", 2, "empty"), (0.86, "IR_ERROR_NO_INET", 6, "error"),
    (0.91, "IR_ERROR_TOKEN", 7, "error"), (0.97, "IR_ERROR_NOVISIT", 17, "error"),
    (1.00, "IR_ERROR_STORE_ID_INCORRECT", 10, "error"))
_MISSING_REPORT = _diagnostic(
    "error", "model", "missing_parameter", "target", None, "the parameter result", "none",
    "the report is JSON text in result, or the JSON body itself")
_CATEGORIES = ("Dairy", "Baby food", "Beverages", "Confectionery", "Молочные продукты")
_BRANDS = ("Agusha", "Domik", "Prostokvashino", "Valio", "Чудо")
_PRODUCTS = ("puree apple-raspberry", "yoghurt plain", "kefir", "juice orange", "cottage cheese")
_LARGE_SHARE = 0.02
"""Of the completed visits; they have reports of up to 60 kB."""


def ailet(random, _path):
    """A visit: most without a report or with a short one, a few with many products."""
    if random.random() < 0.006:
        body = f'{{"visit":"visit-{random.getrandbits(20)}"}}'
        return Callback(
            "ailet-deeplink", None, "undecodable", "POST", "", JSON, body, "null",
            f"[{_MISSING_REPORT}]")
    kind = random.random()
    name, code, outcome = next(
        (name, code, outcome) for share, name, code, outcome in _STATUSES if kind < share)
    visit, scenes = f"visit-{random.getrandbits(24)}", 1 + random.getrandbits(2)
    value = (
        f'{{"status":"{name}","scenesCounter":{scenes},"photosCounter":{scenes * 2},'
        '"notDetectedPhotosCounter":0,"notDetectedScenesCounter":0')
    if outcome == "completed":
        value += f',"report":{_report(random, visit, scenes * 2)}}}'
        result = f'{value[:-1]},"status_code":{code},"visit_id":"{visit}"}}'
    else:
        value += f',"visit_id":"{visit}"}}'
        result = f'{value[:-1]},"status_code":{code}}}'
    is_form = random.random() < 0.4
    return Callback(
        "ailet-deeplink", outcome, "decoded", "POST", "", FORM if is_form else JSON,
        "result=" + quote(value, safe="") if is_form else value, result, "[]")


def report(random, size):
    """A visit as JSON with a report of so many products that the text has about `size` bytes."""
    visit = f"visit-{random.getrandbits(24)}"

    def text(products):
        return (
            '{"status":"IR_RESULT_OK","scenesCounter":1,"photosCounter":1,'
            '"notDetectedPhotosCounter":0,"notDetectedScenesCounter":0,'
            f'"report":{_report(random, visit, 1, products)}}}')

    least, sample = (len(text(products).encode()) for products in (0, 100))
    return text(max(0, round((size - least) / (sample - least) * 100)))


def _report(random, visit, photos, products=None):
    internal = f"{random.getrandbits(32):08x}-{random.getrandbits(12)}"
    if products is None:
        is_large = random.random() < _LARGE_SHARE
        products = int(12 / (0.08 + random.random())) if is_large else 0
    shelf = "".join(
        f',{{"facing":{1 + random.getrandbits(3)},"price":"{random.getrandbits(9)}",'
        f'"name":"{_pick(random, _BRANDS)} {_pick(random, _PRODUCTS)}, .{random.getrandbits(9)}",'
        f'"external_id":"{random.getrandbits(64):016X}","category_name":'
        f'"{_pick(random, _CATEGORIES)}","facing_group":{random.getrandbits(3)},'
        f'"category_id":"{random.getrandbits(64):016x}","price_type":0,'
        f'"width":{{"cm":{5 + random.getrandbits(5)}}}}}'
        for _ in range(products))[1:]
    achieved = "".join(
        f',{{"id":"{random.getrandbits(64):016X}","facing_plan":{random.getrandbits(3)},'
        f'"brand_name":"{_pick(random, _BRANDS)}","facing_fact":{random.getrandbits(3)},'
        f'"price":"{random.getrandbits(9)}","brand_id":"{random.getrandbits(64):016x}",'
        f'"category_name":"{_pick(random, _CATEGORIES)}","name":"{_pick(random, _PRODUCTS)}"}}'
        for _ in range(products))[1:]
    scene = f'"{internal}":{{"products":[{shelf}]}}' if products else ""
    value, before = random.getrandbits(6), random.getrandbits(6)
    return (
        '{"result":{"code":1,"message":"Successfully processed",'
        f'"total_photos":{photos},"visit_id":"{visit}","internal_visit_id":"{internal}"}},'
        f'"photos":{{{scene}}},"assortment_achievement":[{achieved}],"share_shelf":'
        f'{{"share_shelf_by_visit":[{{"value":{value},"value_previous":{before}}}]}}}}')


def _pick(random, texts):
    return texts[int(random.random() * len(texts))]


# Raw: whatever was posted.

def raw(random, _path):
    """A small body that nobody decodes: JSON, text or octets."""
    kind = random.random()
    if kind < 0.6:
        content_type, body = JSON, f'{{"event":"opened","device":"{random.getrandbits(64):x}"}}'
    elif kind < 0.9:
        content_type, body = "text/plain", f"opened {random.getrandbits(48):x}\n"
    else:
        content_type, body = "application/octet-stream", b"\xff" + random.randbytes(63)
    return Callback(
        None, None, "unmatched", "POST", "", content_type, body, "null", "[]")


VENDORS = {"welltory": (0.55, welltory), "dimmy": (0.25, dimmy), "ailet": (0.18, ailet),
           "raw": (0.02, raw)}
"""Share of each vendor, and what makes its callbacks: called with random numbers and a path."""
