#!/usr/bin/env bats
# `landfall certify`: the certificate of a partner's endpoint.
# Invariant: Landfall itself passes for every vendor, a good partner passes, and a bad one (partner.py) fails
# exactly where it is bad.
# Left out: what each scenario sends (vendors.bats).

# shellcheck disable=SC2016 # programs of jq have variables of their own
load setup

SECRET=whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw

setup_file() {
    start_configured "${BATS_FILE_TMPDIR}/server" <<YAML
webhooks: {secrets: [${SECRET}]}
YAML
    start_partner "${SECRET}"
}

teardown_file() {
    stop_partner
    stop_landfall
}

# start_partner [ARGUMENT]...: partner.py, at ${PARTNER}.
start_partner() {
    local folder
    folder="$(mktemp --directory "${BATS_FILE_TMPDIR}/partner.XXXXXX")"
    mkfifo "${folder}/input"
    "${BATS_TEST_DIRNAME}/partner.py" "$@" <"${folder}/input" >"${folder}/port" 2>"${folder}/errors" 3>&- &
    export PARTNER_PID=$!
    # It ends with its input, whatever becomes of this test.
    exec {PARTNER_INPUT}>"${folder}/input"
    export PARTNER_INPUT
    local attempt
    for ((attempt = 0; attempt < 1000; attempt++)); do
        [[ -s "${folder}/port" ]] && break
        sleep 0.05
    done
    PARTNER="127.0.0.1:$(<"${folder}/port")"
    export PARTNER
}

stop_partner() {
    kill "${PARTNER_PID}" 2>/dev/null || true
}

# certify STATUS URL [OPTION]...: the document is the body.
certify() {
    local expected="$1" status=0
    shift
    timeout 300 "${LANDFALL_BIN}" certify "$@" --json --seed 7 >"${BODY}" 2>"${SCRATCH}/errors" || status=$?
    ((status == expected)) || {
        echo "exit code ${status} instead of ${expected}:" >&2
        cat "${SCRATCH}/errors" "${BODY}" >&2
        return 1
    }
}

# expect_failed PROGRAM: exactly the checks of which PROGRAM is true have failed, and at least one.
expect_failed() {
    expect_json '([.checks[] | select(.result == "failed") | .name]) as $failed
        | ($failed | length) > 0 and $failed == [.checks[] | select('"$1"') | .name]'
}

@test "Landfall passes its own certificate for every vendor" {
    local vendor options
    for vendor in welltory ailet flux dimmy-2024 rezolve x-callback-url; do
        options=(--post)
        if [[ "${vendor}" == flux || "${vendor}" == dimmy-2024 ]]; then options+=(--secret "${SECRET}"); fi
        certify 0 "${LANDFALL_URL}/callbacks/${vendor%-2024}" --vendor "${vendor}" "${options[@]}"
        expect_json '.ok and .failed == 0 and .passed > 5 and .skipped == 1 and .seed == "7"'
    done
    certify 0 "${LANDFALL_URL}/callbacks/flux" --vendor flux-webhook --secret "${SECRET}"
    expect_json '[.checks[] | select(.group == "webhooks")] | length == 12 and all(.[]; .result == "passed")'
}

@test "a certificate has every status, form and broken layer of the contract" {
    certify 0 "http://${PARTNER}/good" --vendor ailet --post
    expect_json '[.checks[].name] | index("error:IR_ERROR_AUTH") and index("huge") and index("completed, as JSON")
        and index("in_progress, 2 of 2") and index("malformed:json") and index("malformed:body")
        and index("the same link, 2 of 2")'
    certify 0 "http://${PARTNER}/good" --vendor ailet
    expect_json '[.checks[] | select(.name | test("form|JSON"))] | all(.[]; .name | startswith("malformed"))'
}

@test "a partner that fails on broken messages fails exactly there" {
    certify 1 "http://${PARTNER}/crash" --vendor flux
    expect_json '.ok == false and ([.checks[] | select(.result == "failed") | .group] | unique == ["malformed"])
        and ([.checks[] | select(.result == "failed") | .name] | contains(["malformed:base64","malformed:json"]))
        and all(.checks[] | select(.result == "failed"); .status == 500 and .found == "500")'
}

@test "a partner that redirects fails everywhere, and nothing secret is repeated" {
    certify 1 "http://${PARTNER}/redirect?key=Zq7SECRETkey" --vendor welltory --scenarios completed
    expect_json '.passed == 0 and all(.checks[1:][]; .found | test("redirect, 302 to http://127.0.0.1/good$"))'
    expect_no_match Zq7SECRET "${BODY}" "${SCRATCH}/errors"
}

@test "a partner that is late, forgets or takes no form or JSON fails exactly there" {
    certify 1 "http://${PARTNER}/slow" --vendor welltory --within 1s
    expect_json '([.checks[] | select(.result == "failed")]) as $failed | all($failed[]; .found == "none in time")
        and ([$failed[].name] | index("the same link, 2 of 2")) and .checks[1].result == "passed"'
    certify 1 "http://${PARTNER}/formless" --vendor welltory --post
    expect_failed '(.name | endswith("as a form")) and .group == "variants" and .name != "empty, as a form"
        or (.name | startswith("the same form"))'
    certify 1 "http://${PARTNER}/jsonless" --vendor welltory --post
    expect_failed '.name | endswith("as JSON")'
    certify 1 "http://${PARTNER}/once" --vendor flux
    expect_json '[.checks[] | select(.result == "failed") | .status] | unique == [409]'
    expect_json '[.checks[] | select(.result == "failed") | .name] | contains(["the same link, 2 of 2"])'
}

@test "a partner that believes every signature fails exactly at the bad ones" {
    certify 0 "http://${PARTNER}/good/hooks" --vendor flux-webhook --secret "${SECRET}"
    certify 1 "http://${PARTNER}/naive/hooks" --vendor flux-webhook --secret "${SECRET}"
    expect_failed '.name | test("another key|changed|minutes|empty signature|without a signature")'
    certify 1 "http://${PARTNER}/strict/hooks" --vendor flux-webhook --secret "${SECRET}"
    expect_failed '.name | test("after another one")'
    LANDFALL_WEBHOOK_SECRETS="${SECRET}" certify 0 "http://${PARTNER}/good/hooks" --vendor flux-webhook
}

@test "TLS must be what phones accept, unless --insecure" {
    local plain="${PARTNER_PID}" host
    for host in localhost other.example; do
        openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj "/CN=${host}" -addext "subjectAltName=DNS:${host}" \
            -keyout "${SCRATCH}/${host}.key" -out "${SCRATCH}/${host}.pem" 2>/dev/null
        start_partner "${SECRET}" "${SCRATCH}/${host}.pem" "${SCRATCH}/${host}.key"
        certify 1 "https://localhost:${PARTNER##*:}/good" --vendor welltory
        expect_json '.checks[0].group == "transport" and .checks[0].result == "failed" and .failed == 1
            and all(.checks[1:][]; .result == "skipped" and (.reason | startswith("TLS failed")))'
        certify 0 "https://localhost:${PARTNER##*:}/good" --vendor welltory --insecure
        expect_json '.checks[0].result == "skipped" and .skipped == 1'
        if [[ "${host}" == localhost ]]; then
            certify 0 "https://localhost:${PARTNER##*:}/good" --vendor welltory --ca "${SCRATCH}/${host}.pem"
            expect_json '.checks[0].result == "passed" and .skipped == 0'
        else
            certify 1 "https://localhost:${PARTNER##*:}/good" --vendor welltory --ca "${SCRATCH}/${host}.pem"
        fi
        stop_partner
    done
    PARTNER_PID="${plain}"
}

@test "an endpoint that never ends the TLS handshake fails the first check, and the others are skipped" {
    coproc SILENT { exec python3 -c '
import socket
s = socket.socket()
s.bind(("127.0.0.1", 0))
s.listen()
print(s.getsockname()[1], flush=True)
input()'; } 3>&-
    local silent="${SILENT_PID}" port
    read -r -t 10 port <&"${SILENT[0]}"
    certify 1 "https://127.0.0.1:${port}/" --vendor welltory --within 1s
    expect_json '.checks[0].result == "failed" and .checks[0].found == "no handshake in time" and .failed == 1
        and all(.checks[1:][]; .result == "skipped" and .reason == "TLS failed: no handshake in time")'
    certify 1 "http://127.0.0.1:${port}/" --vendor welltory --scenarios completed --within 1s
    expect_json '.checks[0].result == "skipped" and all(.checks[1:][]; .found == "none in time")'
    kill "${silent}"
}

@test "the table, JUnit's XML and the page say the same" {
    local status=0
    "${LANDFALL_BIN}" certify "http://${PARTNER}/jsonless?a=%3Cb%3E" --vendor welltory --post --seed 7 \
        --junit "${SCRATCH}/junit.xml" --html "${SCRATCH}/page.html" >"${SCRATCH}/table" || status=$?
    ((status == 1))
    python3 - "${SCRATCH}" <<'PYTHON'
import html.parser, re, sys, xml.etree.ElementTree as tree
folder = sys.argv[1]
suites = tree.parse(f"{folder}/junit.xml").getroot()
table = open(f"{folder}/table").read()
failed = int(suites.get("failures"))
assert failed > 0 and failed == len(suites.findall(".//failure"))
assert int(suites.get("tests")) == len(suites.findall(".//testcase"))
assert len(re.findall("^FAILED ", table, re.M)) == failed, table
assert f"{failed} failed" in table.splitlines()[-1] and "<b>" not in table
page = open(f"{folder}/page.html").read()
assert page.count('<tr class="failed">') == failed and "<b>" not in page and "http-equiv" not in page
html.parser.HTMLParser().feed(page)
PYTHON
}

@test "bad usage is 2, and an endpoint that can't be reached 3; neither repeats a secret" {
    local arguments
    for arguments in 'http://a:Zq7SECRET@127.0.0.1/ --vendor welltory' \
        'https://u:Zq7SECRET?x@127.0.0.1/ --vendor welltory' 'ftp://127.0.0.1/?k=Zq7SECRET --vendor welltory' \
        "http://${PARTNER}/good --vendor nobody" "http://${PARTNER}/good --vendor welltory --scenarios nothing" \
        "http://${PARTNER}/good --vendor rezolve --scenarios completed" \
        "http://${PARTNER}/good --vendor flux-webhook" "http://${PARTNER}/good --vendor welltory --within 0s" \
        "http://${PARTNER}/good --vendor flux --secret Zq7SECRET" "http://${PARTNER}/good"; do
        # shellcheck disable=SC2086 # several arguments
        certify 2 ${arguments}
        expect_no_match Zq7SECRET "${SCRATCH}/errors" "${BODY}"
    done
    LANDFALL_WEBHOOK_SECRETS="${SECRET},Zq7SECRET" certify 2 "http://${PARTNER}/good" --vendor flux-webhook
    grep --quiet 'LANDFALL_WEBHOOK_SECRETS: expected ' "${SCRATCH}/errors"
    expect_no_match Zq7SECRET "${SCRATCH}/errors" "${BODY}"
    certify 3 'http://127.0.0.1:1/?key=Zq7SECRET' --vendor welltory
    expect_no_match Zq7SECRET "${SCRATCH}/errors" "${BODY}"
    certify 3 "http://${PARTNER}/good" --vendor welltory --ca /nowhere
    certify 3 "http://${PARTNER}/good" --vendor welltory --junit /nowhere/junit.xml
    [[ "$(<"${SCRATCH}/errors")" == *"/nowhere/junit.xml can't be written."* ]]
    expect_json 'length == 1 and (.[0].checks | length > 0)' --slurp
}

@test "a link and a pipe stay what they are, and one file that can't be written doesn't cost the other" {
    local reader
    ln --symbolic junit.xml "${SCRATCH}/link"
    mkfifo "${SCRATCH}/pipe"
    timeout 60 cat "${SCRATCH}/pipe" >"${SCRATCH}/page.html" 3>&- &
    reader=$!
    certify 0 "http://${PARTNER}/good" --vendor welltory --scenarios completed --junit "${SCRATCH}/link" \
        --html "${SCRATCH}/pipe"
    [[ -L "${SCRATCH}/link" && -p "${SCRATCH}/pipe" ]]
    wait "${reader}"
    grep --quiet '</testsuites>' "${SCRATCH}/junit.xml"
    grep --quiet '</html>' "${SCRATCH}/page.html"
    certify 3 "http://${PARTNER}/good" --vendor welltory --scenarios completed --junit /nowhere/junit.xml \
        --html "${SCRATCH}/other.html"
    [[ -s "${SCRATCH}/other.html" ]]
}
