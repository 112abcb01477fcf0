#!/usr/bin/env bats
# What the emulator delivers itself must not cost the server anything but its limits: receivers that are
# down, receivers that answer nothing, and more launches than there is room for.

# bats file_tags=alone

# shellcheck disable=SC2016 # programs of jq have variables of their own
load setup

setup() {
    start_landfall "${BATS_TEST_TMPDIR}/server"
}

# resources: how many descriptors and threads the server has.
resources() {
    DESCRIPTORS="$(find "/proc/${SERVER_PID}/fd" -mindepth 1 | wc --lines)"
    THREADS="$(find "/proc/${SERVER_PID}/task" -mindepth 1 -maxdepth 1 | wc --lines)"
}

# open_launches COUNT SCENARIO CALLBACK: the statuses, one a line.
open_launches() {
    curl --silent --max-time 60 --output /dev/null --write-out '%{http_code}\n' \
        "${LANDFALL_URL}/emulate/flux/open?flowName=a&scenario=$2&callback=$3&seed=[1-$1]"
}

# attempts: how many attempts to deliver are stored.
attempts() {
    cat "${SERVER_DATA}"/results/*.jsonl | grep --count '"kind":"delivery"' || true
}

@test "300 deliveries to a receiver that is down leave no thread and no descriptor" {
    local deadline=$((SECONDS + 60)) before
    # The port was free a moment ago; the first delivery starts the thread that stays.
    local down="http://127.0.0.1:1/x"
    open_launches 1 duplicate:2 "${down}"
    until (($(attempts) >= 1)); do ((SECONDS < deadline)); sleep 0.05; done
    resources
    before="${DESCRIPTORS} ${THREADS}"
    [[ "$(open_launches 10 duplicate:31 "${down}" | sort --unique)" == 302 ]]
    until (($(attempts) >= 301)); do ((SECONDS < deadline)); sleep 0.1; done
    get "/api/v1/results?kind=delivery&limit=1"
    expect_json '.results[0].result | .status == null and (.failure | contains("Connection refused"))'
    resources
    # Swift's own pool may have grown to the number of cores.
    echo "before: ${before}; after: ${DESCRIPTORS} ${THREADS}" >&2
    ((DESCRIPTORS <= ${before% *} + 8 && THREADS <= ${before#* } + 8))
    stop_landfall
}

@test "500 launches that lead to a receiver without an answer: the rest is refused, and others are served" {
    local silent statuses start
    coproc SILENT { exec "${BATS_TEST_DIRNAME}/silent.py"; }
    read -r silent <&"${SILENT[0]}"
    resources
    local threads="${THREADS}"
    statuses="$(open_launches 500 duplicate:21 "http://127.0.0.1:${silent}/x" | sort | uniq --count)"
    echo "${statuses}" >&2
    grep --quiet ' 302$' <<<"${statuses}"
    grep --quiet ' 503$' <<<"${statuses}"
    start="${SECONDS}"
    get /callbacks/dimmy/prompt --data 'status=cancelled' --max-time 3
    expect_status 201
    get "/emulate/flux/open?flowName=a&scenario=completed&callback=${LANDFALL_URL}/callbacks/dimmy" --max-time 3
    expect_status 302
    get "/emulate/flux/open?flowName=a&scenario=duplicate:21&callback=http://127.0.0.1:${silent}/x" --max-time 3
    expect_problem 503 '.type == "urn:landfall:problem:too-many-deliveries"'
    expect_field Retry-After 5
    ((SECONDS - start <= 5))
    get '/api/v1/results?kind=launch&limit=1'
    expect_json 'any(.results[0].diagnostics[]; .code == "too_many_deliveries" and .severity == "warning")'
    # The log lets a burst of a message through, then one a second.
    (($(grep --count 'too many deliveries are waiting' "${SERVER_LOG}") <= 120))
    grep --quiet 'too many deliveries are waiting' "${SERVER_LOG}"
    resources
    echo "threads before: ${threads}, after: ${THREADS}; descriptors: ${DESCRIPTORS}" >&2
    # The client's thread, and Swift's own pool.
    ((THREADS <= threads + 8))
    # What is under way ends with the server.
    stop_landfall
    exec {SILENT[1]}>&-
}

@test "the room of deliveries that have ended is there for the next ones" {
    local deadline=$((SECONDS + 60)) round
    for round in 1 2 3; do
        [[ "$(open_launches 9 duplicate:100 http://127.0.0.1:1/x | sort --unique)" == 302 ]]
        until (($(attempts) >= round * 891)); do ((SECONDS < deadline)); sleep 0.1; done
    done
    stop_landfall
}

@test "a name that leads to this machine is not called by a server that others reach" {
    unshare --mount true 2>/dev/null || skip "only root may give a process a hosts file of its own"
    stop_landfall
    local hosts="${BATS_TEST_TMPDIR}/hosts" port="${SERVER_PORT}"
    echo '127.0.0.1 rebound.example' >"${hosts}"
    printf '#!/bin/sh\nexec unshare --mount sh -c '\''mount --bind "$0" /etc/hosts && exec "$@"'\'' %q %q "$@"\n' \
        "${hosts}" "${LANDFALL_BIN}" >"${BATS_TEST_TMPDIR}/landfall"
    chmod +x "${BATS_TEST_TMPDIR}/landfall"
    LANDFALL_BIN="${BATS_TEST_TMPDIR}/landfall" LANDFALL_TOKEN=a-token-of-tests \
        start_configured "${BATS_TEST_TMPDIR}/wide" <<'END'
trusted_proxies: [127.0.0.1]
emulator: {allowed_hosts: [rebound.example]}
END
    get "/emulate/flux/open?flowName=a&scenario=duplicate:2&callback=http://rebound.example:${port}/x"
    expect_status 302
    get '/api/v1/results/wait?kind=delivery&within=50s' --header 'Authorization: Bearer a-token-of-tests'
    expect_json '.results[0].result.failure | contains("resolves to 127.0.0.1")'
    stop_landfall
}
