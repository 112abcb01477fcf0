#!/usr/bin/env python3
"""Sends every example of /openapi.json and holds the answers to the document.

Invariant: each operation is asked once with all of its examples together, once with each of them alone, and once
without any that may be left out; the status must be described and no error, and fields and content must agree with
their schemas. The callbacks come first, so that there is something to ask for; erasing comes last.
Left out: requests that are wrong, which schemathesis makes.

    examples.py URL TOKEN
"""

import http.client
import json
import sys
import urllib.parse

from jsonschema import Draft202012Validator, FormatChecker

METHODS = ["get", "head", "post", "put", "delete"]
# What an answer may be although the example is right: a callback that says too little or is of a type that its
# vendor doesn't send; a wait in vain.
CALLBACK = {201, 422}
EXPECTED = {"receive": CALLBACK, "receiveInto": CALLBACK, "receiveLink": CALLBACK, "receiveLinkInto": CALLBACK,
            "receiveOfFlow": CALLBACK, "receiveLinkOfFlow": CALLBACK, "waitForResults": {200, 409},
            # The id of the examples is a callback's.
            "adoptStray": {409}}
# A link without its vendor's parameters, which no example can name: what the app does then.
# A decision needs a screen that was shown, and the examples have none.
for app in ("Dimmy", "Flux", "Welltory", "Ailet", "XCallbackURL"):
    EXPECTED |= {"open" + app: {200, 204, 302, 422}, "answer" + app: {400}}
# The id and the token of the examples are of nothing that was emulated.
EXPECTED |= {"getItem": {404}, "showSharedMeasurement": {404}}
# Rezolve's sandbox refuses who has no token of an entity, which no example can hold.
SANDBOX = {200, 201, 204, 400, 403, 404, 422}


class Document:
    def __init__(self, root):
        self.root = root

    def resolve(self, node):
        while "$ref" in node:
            pointer = node["$ref"].removeprefix("#/").split("/")
            node = self.root
            for name in pointer:
                node = node[name]
        return node

    def faults(self, schema, value):
        validator = Draft202012Validator(
            {**schema, "components": self.root["components"]}, format_checker=FormatChecker())
        return [f"{error.json_path}: {error.message}" for error in validator.iter_errors(value)]

    def operations(self):
        found = []
        for path, item in self.root["paths"].items():
            for method in METHODS:
                if method in item:
                    operation = item[method]
                    parameters = item.get("parameters", []) + operation.get("parameters", [])
                    found.append((path, method, operation, [self.resolve(each) for each in parameters]))
        return sorted(found, key=lambda each: ("Receiving" not in each[2]["tags"], each[1] == "delete"))


def encoded(parameter):
    """The pairs that a parameter's example becomes."""
    value = parameter["example"]
    if isinstance(value, dict):
        return [(name, str(inner)) for name, inner in value.items()]
    return [(parameter["name"], str(value))]


def choices(parameters):
    """The sets of optional parameters that an operation is asked with."""
    optional = [each for each in parameters if not each.get("required") and "example" in each]
    chosen = [[]] + [[each] for each in optional]
    if len(optional) > 1:
        chosen.append(optional)
    return chosen


def bodies(document, operation):
    if "requestBody" not in operation:
        yield None, None
        return
    for media, content in document.resolve(operation["requestBody"])["content"].items():
        example = content["example"]
        if media == "application/x-www-form-urlencoded":
            example = urllib.parse.urlencode(example)
        elif not isinstance(example, str):
            example = json.dumps(example)
        yield media, example.encode()


def ask(url, token, method, target, fields, media, body):
    place = urllib.parse.urlsplit(url)
    connection = http.client.HTTPConnection(place.hostname, place.port, timeout=60)
    fields = dict(fields)
    if token:
        fields["Authorization"] = f"Bearer {token}"
    if media:
        fields["Content-Type"] = media
    connection.request(method.upper(), target, body=body, headers=fields)
    answer = connection.getresponse()
    kind = (answer.getheader("Content-Type") or "").partition(";")[0]
    # A stream of events has no end: its beginning must do.
    content = answer.read1(1000) if kind == "text/event-stream" else answer.read()
    connection.close()
    return answer, kind, content


def faults(document, operation, method, answer, kind, content):
    described = operation["responses"].get(str(answer.status))
    if described is None:
        return [f"{answer.status} is not described"]
    described = document.resolve(described)
    expected = EXPECTED.get(operation["operationId"])
    if "Rezolve's sandbox" in operation["tags"]:
        expected = SANDBOX
    if answer.status not in expected if expected else answer.status >= 300:
        return [f"{answer.status}: {content[:300]!r}"]
    found = []
    for name, field in described.get("headers", {}).items():
        field, value = document.resolve(field), answer.getheader(name)
        if value is None:
            if field.get("required"):
                found.append(f"{name} is missing")
        else:
            found += [f"{name} {fault}" for fault in document.faults(field["schema"], value)]
    if method == "head" or "content" not in described:
        return found + (["there is content"] if content else [])
    if kind not in described["content"]:
        return found + [f"{kind} is not described"]
    # A part of a file has no schema.
    schema = described["content"][kind].get("schema")
    if schema and kind in ("application/json", "application/problem+json"):
        found += document.faults(schema, json.loads(content))
    return found


def check(document, url, token, path, method, operation, parameters, known):
    count, found = 0, []
    for chosen in choices(parameters):
        target, fields, query = path, {}, []
        for parameter in [each for each in parameters if each.get("required")] + chosen:
            name, place = parameter["name"], parameter["in"]
            if place == "path":
                value = parameter["example"] if path.startswith("/api/v1/flows/") else known.get(name, parameter["example"])
                target = target.replace("{" + name + "}", urllib.parse.quote(value, safe=""))
            elif place == "header":
                fields[name] = str(parameter["example"])
            else:
                query += encoded(parameter)
        # Waits are kept short where the examples don't do so.
        if path.endswith("/wait") and not any(name == "within" for name, _ in query):
            query.append(("within", "20ms"))
        if query:
            target += "?" + urllib.parse.urlencode(query)
        for media, body in bodies(document, operation):
            # A key may be used again for the same request only.
            if "Idempotency-Key" in fields:
                fields["Idempotency-Key"] = f"key-{count}"
            answer, kind, content = ask(url, token, method, target, fields, media, body)
            count += 1
            if answer.status == 201 and "Receiving" in operation["tags"]:
                known["id"] = json.loads(content)["id"]
            for fault in faults(document, operation, method, answer, kind, content):
                found.append(f"{method.upper()} {target} {media or ''}: {fault}")
        # What has been erased can't be erased again.
        if method == "delete":
            break
    return count, found


def main():
    url, token = sys.argv[1], sys.argv[2]
    answer, kind, content = ask(url, token, "get", "/openapi.json", {}, None, None)
    if answer.status != 200 or kind != "application/json":
        sys.exit(f"/openapi.json: {answer.status} {kind}")
    document = Document(json.loads(content))
    # What the examples of filters ask for, at a receiver of the shipped configuration.
    fields = {
        "Host": "www.yourapp.com",
        "traceparent": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
    }
    answer, _, content = ask(url, token, "get", "/dds/?stress=0.32&energy=0.75", fields, None, None)
    if answer.status != 201:
        sys.exit(f"the receiver answers {answer.status}: {content[:300]!r}")
    total, found, known = 0, [], {}
    for path, method, operation, parameters in document.operations():
        count, new = check(document, url, token, path, method, operation, parameters, known)
        total += count
        found += new
    print("\n".join(found))
    print(f"{total} requests, {len(found)} findings")
    sys.exit(1 if found else 0)


main()
