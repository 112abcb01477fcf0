#!/usr/bin/env bats
# What is at the other end of the log can't stop or kill the server: a reader that has gone, a full disk, a
# pipe that nobody reads, a stream that was closed; and peers can't fill it.
# Invariant: requests are answered all the while, and the server ends in order within the bounds of every stop.
# Left out: the queue and the throttle by themselves (Tests/landfallTests/Logging).

# bats file_tags=alone

# shellcheck disable=SC2030,SC2031,SC2153,SC2154 # tests are subshells; bats sets output and stderr
load setup
load tls

setup_file() {
    make_certificates "${BATS_FILE_TMPDIR}/tls"
}

setup() {
    FOLDER="${BATS_TEST_TMPDIR}/server" FILE="${BATS_TEST_TMPDIR}/landfall.yaml"
    mkdir -p "${FOLDER}" "${BATS_TEST_TMPDIR}/sites"
    configure </dev/null
}

teardown() {
    if ((${#SERVER_PIDS[@]} > 0)); then kill -KILL "${SERVER_PIDS[@]}" 2>/dev/null || true; fi
    if mountpoint --quiet "${FOLDER}/disk"; then umount --lazy "${FOLDER}/disk"; fi
}

# configure: writes the file from standard input, with the page's folder before it.
configure() {
    { echo "public: ${REPOSITORY}/public"; cat; } >"${FILE}"
}

# serve_into FILE: serves http and TLS, with its log in FILE; the ports are in its greeting.
serve_into() {
    SERVER_OUT="${FOLDER}/out" SERVER_DATA="${FOLDER}/data" SERVER_LOG="$1"
    "${LANDFALL_BIN}" serve --config "${FILE}" --port 0 --data "${SERVER_DATA}" --tls-port 0 \
        --tls-folder "${BATS_FILE_TMPDIR}/tls" >"${SERVER_OUT}" 2>"$1" 3>&- &
    SERVER_PID=$!
    SERVER_PIDS+=("${SERVER_PID}")
    local attempt
    for ((attempt = 0; attempt < 3000; attempt++)); do
        if grep --quiet '^Landfall' "${SERVER_OUT}"; then break; fi
        sleep 0.02
    done
    SERVER_PORT="$(sed -n -E '1s|.*http://127\.0\.0\.1:([0-9]+).*|\1|p' "${SERVER_OUT}")"
    SERVER_TLS_PORT="$(sed -n -E '1s|.*https://127\.0\.0\.1:([0-9]+).*|\1|p' "${SERVER_OUT}")"
    LANDFALL_URL="http://127.0.0.1:${SERVER_PORT}"
    wait_for_health
}

# make_noise [SECONDS]: peers have the server log; ${NOISE} is how often they tried.
make_noise() {
    NOISE="$("${BATS_TEST_DIRNAME}/noise.py" "${SERVER_TLS_PORT}" "${1:-1}")"
    ((NOISE > 200))
}

# expect_service: callbacks are stored and found.
expect_service() {
    kill -0 "${SERVER_PID}"
    get '/callbacks/raw?x'
    expect_status 201
    get /api/v1/results
    expect_status 200
}

# expect_stop: the server ends with 0, within the bounds of every stop.
expect_stop() {
    local code=0
    kill -TERM "${SERVER_PID}"
    wait_until_gone
    wait "${SERVER_PID}" || code=$?
    [[ "${code}" == 0 ]] || { echo "exit code ${code}" >&2; return 1; }
}

@test "a reader of the log that has gone" {
    mkfifo "${FOLDER}/pipe"
    head --lines 1 "${FOLDER}/pipe" >"${FOLDER}/first" 3>&- &
    serve_into "${FOLDER}/pipe"
    make_noise
    expect_service
    expect_stop
}

@test "a log on a disk that is always full" {
    serve_into /dev/full
    make_noise
    expect_service
    expect_stop
}

@test "a pipe that nobody reads holds nothing up; what waits is written when it is read" {
    mkfifo "${FOLDER}/pipe"
    exec {PIPE}<>"${FOLDER}/pipe"
    # Full before the server starts: not even its first line has room.
    dd if=/dev/zero bs=4096 count=1000 oflag=nonblock status=none >&"${PIPE}" 2>/dev/null || true
    serve_into "${FOLDER}/pipe"
    make_noise
    expect_service
    # Opened again, because dd has left ${PIPE} non-blocking.
    timeout 2 cat "${FOLDER}/pipe" | tr --delete '\0' >"${FOLDER}/read" || true
    grep --quiet ' listening ' "${FOLDER}/read"
    grep --quiet 'a handshake failed' "${FOLDER}/read"
    dd if=/dev/zero bs=4096 count=1000 oflag=nonblock status=none >&"${PIPE}" 2>/dev/null || true
    expect_service
    expect_stop
    exec {PIPE}>&-
}

@test "the disk of data and log is full: callbacks get 507, and the log says what it lacks when there is room" {
    local number
    mkdir "${FOLDER}/disk"
    mount -t tmpfs -o size=8m landfall "${FOLDER}/disk" 2>/dev/null || skip "mounting is not permitted here"
    mkdir "${FOLDER}/disk/data"
    ln --symbolic "${FOLDER}/disk/data" "${FOLDER}/data"
    head --bytes 100000 /dev/zero | tr '\0' x >"${SCRATCH}/large"
    serve_into "${FOLDER}/disk/log"
    expect_service
    dd if=/dev/zero of="${FOLDER}/disk/filler" bs=4096 status=none 2>/dev/null || true
    for number in {1..60}; do
        post_form /callbacks/raw/full "@${SCRATCH}/large"
        expect_problem 507
    done
    kill -0 "${SERVER_PID}"
    get /healthz
    expect_status 200
    rm "${FOLDER}/disk/filler"
    expect_service
    logged 'log lines dropped lines=[0-9]+'
    expect_stop
}

@test "closed standard streams: nothing that is meant for them gets into another file" {
    configure <<<"listen: {unix: '${BATS_TEST_TMPDIR}/s'}"
    "${LANDFALL_BIN}" serve --config "${FILE}" --port 0 --data "${FOLDER}/data" <&- >&- 2>&- 3>&- &
    SERVER_PID=$!
    SERVER_PIDS+=("${SERVER_PID}")
    local attempt
    for ((attempt = 0; attempt < 3000; attempt++)); do
        if [[ -S "${BATS_TEST_TMPDIR}/s" ]]; then break; fi
        sleep 0.02
    done
    CURL+=(--unix-socket "${BATS_TEST_TMPDIR}/s" --retry 5 --retry-connrefused)
    LANDFALL_URL=http://localhost
    expect_service
    expect_stop
    "${BATS_TEST_DIRNAME}/lines.py" "${FOLDER}"/data/results/*.jsonl
    run ! grep --recursive --quiet 'listening' "${FOLDER}/data"
}

@test "four peers can't fill the log: a burst of each message, then a line a second, and a count of the rest" {
    local lines
    serve_into "${FOLDER}/log"
    make_noise 3
    lines="$(grep --count ' info a handshake failed ' "${FOLDER}/log")"
    echo "${NOISE} failures, ${lines} lines"
    ((lines >= 20 && lines <= 100 + 10))
    expect_service
    expect_stop
    lines="$(grep --count ' info a handshake failed ' "${FOLDER}/log")"
    grep --quiet --extended-regexp 'log lines omitted lines=[0-9]+ of=a handshake failed$' "${FOLDER}/log"
    (("$(sed -n -E 's/.*log lines omitted lines=([0-9]+) of=a handshake failed$/\1/p' "${FOLDER}/log" |
        awk '{ sum += $1 } END { print sum }')" + lines <= NOISE))
    [[ "$(tail --lines 1 "${FOLDER}/log")" == *' stopped' || "$(tail --lines 2 "${FOLDER}/log")" == *' stopped'* ]]
}
