#!/usr/bin/env bats
# Stopping in order: no new connections, requests in flight are answered, the journal is closed, exit
# code 0.
# Invariant: what was answered while stopping is there after the next start.
# Left out: stopping by force (durability.bats).

# bats file_tags=alone

load setup

setup() {
    FOLDER="${BATS_TEST_TMPDIR}/server"
    start_landfall "${FOLDER}"
}

# expect_end CODE SECONDS: the server ends with this code within so many seconds.
expect_end() {
    local started=${EPOCHREALTIME/./} code=0
    wait_until_gone
    wait "${SERVER_PID}" || code=$?
    [[ "${code}" == "$1" ]] || { echo "exit code ${code}" >&2; cat "${SERVER_LOG}" >&2; return 1; }
    ((${EPOCHREALTIME/./} - started < $2 * 1000000)) || { echo "that took longer than $2 s" >&2; return 1; }
}

# open_half NAME: a connection in ${CONNECTION} whose callback has half of its body.
open_half() {
    exec {CONNECTION}<>"/dev/tcp/127.0.0.1/${SERVER_PORT}"
    printf 'POST /callbacks/raw/%s HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nfirst' "$1" >&"${CONNECTION}"
    # Whatever the server has read of it by now, it has begun: an answer on another connection is later.
    expect_well
    sleep 0.2
}

# Until no new connection is taken.
expect_closed() {
    for _ in {1..100}; do
        run curl --silent --max-time 2 "${LANDFALL_URL}/healthz"
        [[ "${status}" != 7 ]] || return 0
        sleep 0.1
    done
    fail "a connection is still taken"
}

# Reads the rest of ${CONNECTION} until the server closes it.
read_rest() {
    timeout 60 cat <&"${CONNECTION}" >"${BODY}"
    exec {CONNECTION}>&-
    STATUS="$(head -n 1 "${BODY}" | cut -d ' ' -f 2)"
}

@test "SIGTERM ends the server with 0" {
    get '/callbacks/raw?x'
    kill -TERM "${SERVER_PID}"
    expect_end 0 8
}

@test "SIGINT ends the server with 0" {
    get '/callbacks/raw?x'
    kill -INT "${SERVER_PID}"
    expect_end 0 8
}

@test "SIGHUP during the start stops no server that runs beside a terminal" {
    local pipe="${BATS_TEST_TMPDIR}/configuration" writer
    mkfifo "${pipe}"
    launch_landfall "${BATS_TEST_TMPDIR}/starting" --config "${pipe}" --host 127.0.0.1 --port 0 \
        --data "${BATS_TEST_TMPDIR}/starting/data"
    # Returns once the server reads its configuration.
    exec {writer}>"${pipe}"
    kill -HUP "${SERVER_PID}"
    echo 'log: {level: info}' >&"${writer}"
    exec {writer}>&-
    wait_for_landfall
    expect_well
    stop_landfall
}

@test "SIGHUP without TLS stops no server that runs beside a terminal" {
    kill -HUP "${SERVER_PID}"
    sleep 0.3
    get '/callbacks/raw?x'
    expect_status 201
    kill -TERM "${SERVER_PID}"
    expect_end 0 8
}

@test "a server that nobody asked anything ends with 0" {
    kill -TERM "${SERVER_PID}"
    expect_end 0 8
}

@test "the journal is closed: nothing is torn and nothing must be indexed at the next start" {
    get "/callbacks/raw?[1-20]" --no-globoff
    kill -TERM "${SERVER_PID}"
    expect_end 0 8
    start_landfall "${FOLDER}"
    run ! grep --extended-regexp 'torn|indexed|damaged|rebuilt|valid record' "${SERVER_LOG}"
    get '/api/v1/results'
    expect_json '[.results[].seq] == [range(20; 0; -1)]'
    stop_landfall
}

@test "a request in flight is answered while no new connection is taken, and is there after the next start" {
    local signal
    for signal in TERM INT; do
        open_half "in-flight-${signal,,}"
        kill "-${signal}" "${SERVER_PID}"
        expect_closed
        kill -0 "${SERVER_PID}"
        printf 'other' >&"${CONNECTION}"
        read_rest
        [[ "${STATUS}" == 201 ]]
        grep --ignore-case --quiet '^Connection: close' "${BODY}"
        expect_end 0 8
        start_landfall "${FOLDER}"
        get "/api/v1/results?inbox=in-flight-${signal,,}"
        expect_json '.results | length == 1'
        get "/api/v1/results/$(jq --raw-output .results[0].id "${BODY}")"
        expect_json '.request.body.data == "firstother"'
    done
    stop_landfall
}

@test "a request whose head is half there is answered" {
    exec {CONNECTION}<>"/dev/tcp/127.0.0.1/${SERVER_PORT}"
    printf 'GET /callbacks/raw/half-head HTTP/1.1\r\nHo' >&"${CONNECTION}"
    expect_well
    sleep 0.2
    kill -TERM "${SERVER_PID}"
    sleep 0.2
    printf 'st: a\r\n\r\n' >&"${CONNECTION}"
    read_rest
    [[ "${STATUS}" == 201 ]]
    expect_end 0 8
}

@test "idle connections hold nothing up" {
    local number connection
    for number in {1..5}; do
        exec {connection}<>"/dev/tcp/127.0.0.1/${SERVER_PORT}"
        if ((number % 2)); then
            printf 'GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n' >&"${connection}"
        fi
    done
    expect_well
    sleep 0.2
    kill -TERM "${SERVER_PID}"
    expect_end 0 8
}

@test "load that goes on until the end loses nothing that was answered" {
    start_load load
    sleep 0.3
    kill -TERM "${SERVER_PID}"
    expect_end 0 8
    wait "${LOAD_PID}"
    start_landfall "${FOLDER}"
    walk 'inbox=load&limit=500' '"\(.id) \(.request.target)"' | sort >"${SCRATCH}/found"
    stop_landfall
    sort "${SCRATCH}/acknowledged" | diff - "${SCRATCH}/found"
    [[ -s "${SCRATCH}/found" ]]
}

@test "the port and the folder are free at once for the next server" {
    get '/callbacks/raw?x'
    kill -TERM "${SERVER_PID}"
    expect_end 0 8
    start_landfall "${FOLDER}" --port "${SERVER_PORT}"
    get '/callbacks/raw?y'
    expect_json '.seq == 2'
    stop_landfall
}
