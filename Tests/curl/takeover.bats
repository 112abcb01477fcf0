#!/usr/bin/env bats
# One server after another, and limits of connections: taking over the sockets of a running server, how many
# may connect, how long stopping may take.
# Invariant: whoever connects during a takeover is answered, by one server or the other; what was acknowledged
# is stored once; a takeover that can't succeed leaves the running server alone.
# Left out: stopping in order without a limit (stopping.bats).

# bats file_tags=alone

# shellcheck disable=SC2030,SC2031,SC2153,SC2154 # tests are subshells; bats sets output and stderr
load setup
load tls

setup_file() {
    build_failing_calls
}

setup() {
    FOLDER="${BATS_TEST_TMPDIR}/server"
    FILE="${BATS_TEST_TMPDIR}/landfall.yaml"
    mkdir "${BATS_TEST_TMPDIR}/sites"
    configure </dev/null
}

# configure: writes the file from standard input, with the page's folder before it.
configure() {
    { echo "public: ${REPOSITORY}/public"; cat; } >"${FILE}"
}

# serve_file [OPTION]...: serves ${FILE} on a free port and waits.
serve_file() {
    launch_landfall "${FOLDER}" --config "${FILE}" --port 0 --data "${FOLDER}/data" "$@"
    wait_for_landfall
    DATA="${FOLDER}/data"
}

# take_over NAME [OPTION]...: a server that takes over from the running one, on its port; ${FORMER} is the former's
# process, ${FORMER_LOG} its log.
take_over() {
    local name="$1" port="${SERVER_PORT}"
    shift
    FORMER="${SERVER_PID}" FORMER_LOG="${SERVER_LOG}"
    launch_landfall "${BATS_TEST_TMPDIR}/${name}" --config "${FILE}" --port "${port}" --data "${DATA}" \
        --take-over "$@"
}

# expect_gone PID LOG: the process ends with 0, within the bounds of every stop.
expect_gone() {
    local code=0
    SERVER_PID="$1" wait_until_gone
    wait "$1" || code=$?
    [[ "${code}" == 0 ]] || { echo "exit code ${code}" >&2; cat "$2" >&2; return 1; }
    tail --lines 1 "$2" | grep --quiet ' stopped$'
}

# refused PART...: a server with ${OPTIONS[@]} ends with 3 and one line that has all parts.
OPTIONS=()
refused() {
    local part
    run --separate-stderr timeout 10 "${LANDFALL_BIN}" serve --config "${FILE}" "${OPTIONS[@]}"
    echo "exit code ${status}, output '${output}', error output '${stderr}'"
    [[ "${status}" == 3 && -z "${output}" && "${stderr}" != *listening* ]]
    [[ "$(grep --count '^landfall: .*\.$' <<<"${stderr}")" == 1 ]]
    for part in "$@"; do
        [[ "${stderr}" == *"${part}"* ]] || { echo "'${part}' is missing"; return 1; }
    done
}

# expect_undisturbed: the server that was started first still takes callbacks, and does not stop.
expect_undisturbed() {
    sleep 0.3
    kill -0 "${SERVER_PID}" || { cat "${SERVER_LOG}"; return 1; }
    get '/callbacks/raw?x'
    expect_status 201
    run ! grep --extended-regexp 'stopping|stopped|takes over' "${SERVER_LOG}"
}

# --- Taking over ------------------------------------------------------------------------------------

@test "two takeovers under load: every connection is answered, every callback is stored once" {
    serve_file
    "${BATS_TEST_DIRNAME}/storm.py" "${SERVER_PORT}" storm "${SCRATCH}/end" \
        >"${SCRATCH}/acknowledged" 2>"${SCRATCH}/failures" 3>&- &
    local storm=$! port="${SERVER_PORT}" name
    sleep 0.5
    for name in second third; do
        take_over "${name}"
        wait_for_landfall
        [[ "${SERVER_PORT}" == "${port}" ]]
        expect_gone "${FORMER}" "${FORMER_LOG}"
        grep --quiet 'another process takes over' "${FORMER_LOG}"
        sleep 0.5
    done
    : >"${SCRATCH}/end"
    wait "${storm}" || { cat "${SCRATCH}/failures"; return 1; }
    walk 'inbox=storm&limit=500' '"\(.id) \(.request.target)"' | sort >"${SCRATCH}/found"
    stop_landfall
    sort "${SCRATCH}/acknowledged" | diff - "${SCRATCH}/found"
    (($(wc --lines <"${SCRATCH}/found") > 100))
    "${BATS_TEST_DIRNAME}/lines.py" "${DATA}"/results/*.jsonl
}

@test "TLS and the Unix-domain socket are taken over too" {
    TLS="${BATS_TEST_TMPDIR}/tls"
    make_certificates "${TLS}" >"${SCRATCH}/made"
    configure <<<"listen: {unix: '${BATS_TEST_TMPDIR}/s'}"
    serve_file --tls-port 0 --tls-folder "${TLS}"
    local port="${SERVER_PORT}" secure="${SERVER_TLS_PORT}"
    take_over second --tls-port "${secure}" --tls-folder "${TLS}"
    wait_for_landfall
    [[ "${SERVER_PORT}" == "${port}" && "${SERVER_TLS_PORT}" == "${secure}" ]]
    expect_gone "${FORMER}" "${FORMER_LOG}"
    https localhost /healthz
    expect_status 200
    get /healthz --unix-socket "${BATS_TEST_TMPDIR}/s"
    expect_status 200
    stop_landfall
}

@test "a request in flight is answered by the former server, and those behind it by the next" {
    serve_file
    exec {CONNECTION}<>"/dev/tcp/127.0.0.1/${SERVER_PORT}"
    printf 'POST /callbacks/raw/in-flight HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nfirst' >&"${CONNECTION}"
    expect_well
    sleep 0.2
    take_over second
    FOLDER="${BATS_TEST_TMPDIR}/second"
    SERVER_LOG="${FORMER_LOG}" logged 'another process takes over'
    get '/callbacks/raw/behind?x' &
    local behind=$!
    sleep 0.2
    kill -0 "${FORMER}"
    printf 'other' >&"${CONNECTION}"
    timeout 60 cat <&"${CONNECTION}" >"${SCRATCH}/answer"
    exec {CONNECTION}>&-
    [[ "$(head --lines 1 "${SCRATCH}/answer")" == 'HTTP/1.1 201 '* ]]
    grep --ignore-case --quiet '^Connection: close' "${SCRATCH}/answer"
    wait "${behind}"
    wait_for_landfall
    expect_gone "${FORMER}" "${FORMER_LOG}"
    get '/api/v1/inboxes'
    expect_json '[.inboxes[] | [.name, .count]] == [["behind", 1], ["in-flight", 1]]'
    stop_landfall
}

@test "a client that never finishes can't keep a takeover waiting" {
    configure <<<'limits: {stop_milliseconds: 500}'
    serve_file
    exec {CONNECTION}<>"/dev/tcp/127.0.0.1/${SERVER_PORT}"
    printf 'POST /callbacks/raw HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nfirst' >&"${CONNECTION}"
    expect_well
    sleep 0.2
    take_over second
    wait_for_landfall
    expect_gone "${FORMER}" "${FORMER_LOG}"
    exec {CONNECTION}>&-
    get '/callbacks/raw?x'
    expect_json '.seq == 1'
    stop_landfall
}

@test "a server that took over stops as any other does" {
    serve_file
    take_over second
    wait_for_landfall
    expect_gone "${FORMER}" "${FORMER_LOG}"
    kill -TERM "${SERVER_PID}"
    expect_gone "${SERVER_PID}" "${SERVER_LOG}"
    [[ ! -e "${DATA}/handover.sock" ]]
    run ! curl --silent --max-time 2 "${LANDFALL_URL}/healthz"
    [[ "${status}" == 7 ]]
}

@test "a takeover may go to another port: the former server ends, and its port is refused" {
    serve_file
    local former="${LANDFALL_URL}"
    SERVER_PORT=0 take_over second
    wait_for_landfall
    expect_gone "${FORMER}" "${FORMER_LOG}"
    expect_well
    run curl --silent --max-time 2 "${former}/healthz"
    [[ "${status}" == 7 ]]
    stop_landfall
}

# --- Takeovers that can't succeed -------------------------------------------------------------------

@test "where nobody runs there is nothing to take over" {
    OPTIONS=(--port 0 --data "${FOLDER}/data" --take-over)
    refused "${FOLDER}/data" --take-over
    # After a stop, and after a kill, which leaves the socket's file behind.
    serve_file
    stop_landfall
    refused "${FOLDER}/data" --take-over
    serve_file
    kill -KILL "${SERVER_PID}"
    wait_until_gone
    refused "${FOLDER}/data" --take-over
}

@test "a server that hangs is named, and not waited for without end" {
    serve_file
    kill -STOP "${SERVER_PID}"
    run --separate-stderr timeout 20 "${LANDFALL_BIN}" serve --config "${FILE}" --port "${SERVER_PORT}" \
        --data "${FOLDER}/data" --take-over
    kill -CONT "${SERVER_PID}"
    [[ "${status}" == 3 && "${stderr}" == *"${FOLDER}/data doesn't answer"* ]]
    get /healthz
    expect_status 200
}

@test "without being told, a second server takes nothing over" {
    serve_file
    OPTIONS=(--port "${SERVER_PORT}" --data "${BATS_TEST_TMPDIR}/other")
    refused "${SERVER_PORT}" 'in use' --take-over
    OPTIONS=(--port 0 --data "${DATA}")
    refused store
    expect_undisturbed
    stop_landfall
}

@test "a configuration that is wrong leaves the running server alone" {
    serve_file
    OPTIONS=(--port "${SERVER_PORT}" --data "${DATA}" --take-over)
    configure <<<'unknown: 1'
    refused unknown
    configure <<<'sites: {folder: nowhere}'
    refused nowhere
    configure <<<'tls: {folder: nowhere}'
    refused nowhere
    echo 'public: nowhere' >"${FILE}"
    refused nowhere
    expect_undisturbed
    stop_landfall
}

@test "a port that can't be had leaves the running server alone" {
    TLS="${BATS_TEST_TMPDIR}/tls"
    make_certificates "${TLS}" >"${SCRATCH}/made"
    serve_file --tls-port 0 --tls-folder "${TLS}"
    local taken="${SERVER_TLS_PORT}" other="${SERVER_PID}"
    FOLDER="${BATS_TEST_TMPDIR}/alone"
    serve_file
    OPTIONS=(--port "${SERVER_PORT}" --data "${DATA}" --take-over --tls-port "${taken}" --tls-folder "${TLS}")
    refused "${taken}" 'in use'
    expect_undisturbed
    stop_landfall
    kill "${other}"
}

@test "a takeover can't move to another address: the running server is left alone" {
    configure <<<"listen: {unix: '${BATS_TEST_TMPDIR}/s'}"
    serve_file
    OPTIONS=(--port "${SERVER_PORT}" --data "${DATA}" --take-over --host 127.0.0.2)
    refused "127.0.0.1:${SERVER_PORT}" "127.0.0.2:${SERVER_PORT}" 'without --take-over'
    OPTIONS=(--port "${SERVER_PORT}" --data "${DATA}" --take-over)
    configure <<<"listen: {unix: '${BATS_TEST_TMPDIR}/other'}"
    refused "${BATS_TEST_TMPDIR}/s" "${BATS_TEST_TMPDIR}/other"
    expect_undisturbed
    get /healthz --unix-socket "${BATS_TEST_TMPDIR}/s"
    expect_status 200
    stop_landfall
}

@test "a Unix-domain socket that can't be had leaves the running server alone" {
    serve_file
    OPTIONS=(--port "${SERVER_PORT}" --data "${DATA}" --take-over)
    configure <<<'listen: {unix: nowhere/s}'
    refused nowhere/s
    expect_undisturbed
    stop_landfall
}

@test "certificates, an index and segments that can't be read leave the running server alone" {
    TLS="${BATS_TEST_TMPDIR}/tls"
    make_certificates "${TLS}" >"${SCRATCH}/made"
    serve_file
    OPTIONS=(--port "${SERVER_PORT}" --data "${DATA}" --take-over --tls-port 0 --tls-folder "${TLS}")
    mv "${TLS}/localhost.pem" "${SCRATCH}/good.pem"
    head --bytes 100 "${SCRATCH}/good.pem" >"${TLS}/localhost.pem"
    refused localhost
    cp "${SCRATCH}/good.pem" "${TLS}/localhost.pem"
    mkdir "${DATA}/results/2020-01-01.jsonl"
    refused 2020-01-01.jsonl
    rmdir "${DATA}/results/2020-01-01.jsonl"
    mv "${DATA}/index.sqlite" "${DATA}/kept"
    mkdir "${DATA}/index.sqlite"
    refused index.sqlite
    rmdir "${DATA}/index.sqlite"
    mv "${DATA}/kept" "${DATA}/index.sqlite"
    expect_undisturbed
    stop_landfall
}

@test "a queue of forwarding that can't be read leaves the running server alone" {
    configure <<<'forward: [{name: all, targets: [{url: "http://127.0.0.1:1/", ordered: true}]}]'
    serve_file
    OPTIONS=(--port "${SERVER_PORT}" --data "${DATA}" --take-over)
    echo '{}' >"$(echo "${DATA}"/forward/*.json)"
    refused "${DATA}/forward" 'no queue of a target'
    run -1 "${LANDFALL_BIN}" config check --config "${FILE}" --port "${SERVER_PORT}" --data "${DATA}"
    [[ "${output}" == *'no queue of a target'* ]]
    expect_undisturbed
    stop_landfall
}

@test "a key of pseudonyms that can't be used leaves the running server alone" {
    serve_file
    OPTIONS=(--port "${SERVER_PORT}" --data "${DATA}" --take-over)
    configure <<<'privacy: mask'
    echo short >"${DATA}/privacy.key"
    refused "${DATA}/privacy.key" 'at least 16 characters'
    expect_undisturbed
    stop_landfall
}

# --- Takeovers that fail halfway --------------------------------------------------------------------

# begin_storm: callbacks all the while, as process ${STORM}.
begin_storm() {
    "${BATS_TEST_DIRNAME}/storm.py" "${SERVER_PORT}" storm "${SCRATCH}/end" \
        >"${SCRATCH}/acknowledged" 2>"${SCRATCH}/failures" 3>&- &
    STORM=$!
    # Without a segment, a successor would open one only when it serves.
    local attempt
    for ((attempt = 0; attempt < 3000; attempt++)); do
        if compgen -G "${DATA}/results/*.jsonl" >/dev/null; then break; fi
        sleep 0.02
    done
    sleep 0.3
}

# end_storm: nothing was refused, and what was acknowledged is stored once.
end_storm() {
    sleep 0.3
    : >"${SCRATCH}/end"
    wait "${STORM}" || { cat "${SCRATCH}/failures"; return 1; }
    walk 'inbox=storm&limit=500' '"\(.id) \(.request.target)"' | sort >"${SCRATCH}/found"
    sort "${SCRATCH}/acknowledged" | diff - "${SCRATCH}/found"
    (($(wc --lines <"${SCRATCH}/found") > 50))
}

# take_over_badly [PART [ACTION]]: a successor that can't open files with this part in their path, by default a segment,
# which it opens after it has locked the store; it is ${SUCCESSOR}, and the former server is the one that is tested
# again.
take_over_badly() {
    local former="${SERVER_PID}" log="${SERVER_LOG}" out="${SERVER_OUT}"
    let_fail "open-write ${1:-.jsonl} ${2:-5}"
    with_failing_calls take_over bad
    SUCCESSOR="${SERVER_PID}"
    SERVER_PID="${former}" SERVER_LOG="${log}" SERVER_OUT="${out}"
}

# take_over_and_stall [PART]: the same, but the successor hangs there instead of failing.
take_over_and_stall() {
    local attempt
    take_over_badly "${1:-.jsonl}" stall
    for ((attempt = 0; attempt < 3000; attempt++)); do
        if [[ -e "${SCRATCH}/failed-calls" ]]; then return; fi
        sleep 0.02
    done
    fail "the successor did not open the file within 60 s"
}

# expect_taken_over: another takeover succeeds.
expect_taken_over() {
    take_over good
    wait_for_landfall
    expect_gone "${FORMER}" "${FORMER_LOG}"
    get '/callbacks/raw?x'
    expect_status 201
    stop_landfall
}

@test "a successor that can't open the store: the former server goes on, and nobody is refused" {
    serve_file
    begin_storm
    local code=0
    take_over_badly
    wait "${SUCCESSOR}" || code=$?
    [[ "${code}" == 3 ]]
    logged 'gave up: serving again'
    end_storm
    expect_taken_over
}

@test "neither can open the store on a full disk: the former server goes on when there is room" {
    local code=0
    let_fail
    with_failing_calls serve_file
    get '/callbacks/raw?x'
    take_over_badly .jsonl 28
    wait "${SUCCESSOR}" || code=$?
    [[ "${code}" == 3 ]]
    logged "can't be opened again before the disk has room"
    let_fail
    logged 'gave up: serving again'
    get '/callbacks/raw?x'
    expect_json '.seq == 2'
    stop_landfall
}

@test "a queue of forwarding that can't be read again: the former server goes on with what it knew" {
    configure <<<'forward: [{name: all, targets: [{url: "http://127.0.0.1:1/"}]}]'
    serve_file
    get '/callbacks/raw?x'
    take_over_and_stall
    echo '{}' >"$(echo "${DATA}"/forward/*.json)"
    kill -KILL "${SUCCESSOR}"
    logged 'gave up: serving again'
    logged 'it goes on with what was in memory'
    get '/callbacks/raw?x'
    expect_status 201
    get /api/v1/deliveries
    expect_json '.targets[0].pending >= 1'
    expect_taken_over
}

@test "a successor that is killed while it opens the store: the former server goes on, and nobody is refused" {
    serve_file
    begin_storm
    take_over_and_stall
    kill -KILL "${SUCCESSOR}"
    logged 'gave up: serving again'
    end_storm
    expect_taken_over
}

@test "a successor that is killed while the former server finishes: that answers, and goes on" {
    serve_file
    exec {CONNECTION}<>"/dev/tcp/127.0.0.1/${SERVER_PORT}"
    printf 'POST /callbacks/raw/in-flight HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nfirst' >&"${CONNECTION}"
    expect_well
    sleep 0.2
    take_over_badly
    logged 'another process takes over'
    kill -KILL "${SUCCESSOR}"
    get '/callbacks/raw/behind?x' &
    local behind=$!
    sleep 0.2
    printf 'other' >&"${CONNECTION}"
    timeout 60 cat <&"${CONNECTION}" >"${SCRATCH}/answer"
    exec {CONNECTION}>&-
    [[ "$(head --lines 1 "${SCRATCH}/answer")" == 'HTTP/1.1 201 '* ]]
    wait "${behind}"
    logged 'gave up: serving again'
    get '/api/v1/inboxes'
    expect_json '[.inboxes[] | [.name, .count]] == [["behind", 1], ["in-flight", 1]]'
    expect_taken_over
}

@test "a successor that hangs before it has locked the store: the former server goes on after 10 s" {
    serve_file
    take_over_and_stall /LOCK
    get '/callbacks/raw?x' --max-time 30
    expect_status 201
    logged 'gave up: serving again'
    kill -0 "${SUCCESSOR}"
    kill -KILL "${SUCCESSOR}"
    expect_taken_over
}

@test "a server that waits for its successor can be stopped" {
    serve_file
    get '/callbacks/raw?x'
    take_over_and_stall
    kill -TERM "${SERVER_PID}"
    expect_gone "${SERVER_PID}" "${SERVER_LOG}"
    kill -KILL "${SUCCESSOR}"
}

# --- Limits of connections --------------------------------------------------------------------------

# hold COUNT: so many idle connections that have been answered once, in ${HELD[@]}.
hold() {
    local number connection
    HELD=()
    for ((number = 0; number < $1; number++)); do
        exec {connection}<>"/dev/tcp/127.0.0.1/${SERVER_PORT}"
        printf 'GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n' >&"${connection}"
        IFS= read -r -t 5 -u "${connection}" answer
        [[ "${answer}" == 'HTTP/1.1 200 '* ]]
        HELD+=("${connection}")
    done
}

# let_go: closes ${HELD[@]}.
let_go() {
    local connection
    for connection in "${HELD[@]}"; do exec {connection}>&-; done
    HELD=()
}

@test "a connection more than may be open gets 503 and when to come again; room that is made is used" {
    configure <<<'limits: {connections: 2}'
    serve_file
    # The connection that asked for the server's health may not have gone yet.
    wait_for_room
    hold 2
    get /healthz
    expect_problem 503
    expect_field Retry-After 5
    expect_field Connection close
    logged 'warning too many connections peer=127\.0\.0\.1:'
    get '/callbacks/raw?x'
    expect_problem 503
    let_go
    wait_for_room
    get '/callbacks/raw?x'
    expect_json '.seq == 1'
    stop_landfall
}

# Returns when a connection is served; the server learns of one that has gone a moment later.
wait_for_room() {
    local attempt
    for ((attempt = 0; attempt < 1200; attempt++)); do
        sleep 0.05
        get /healthz
        if [[ "${STATUS}" == 200 ]]; then
            sleep 0.05
            return
        fi
    done
    fail "no room within 60 s"
}

@test "beyond the limit nobody's handshake is begun" {
    TLS="${BATS_TEST_TMPDIR}/tls"
    make_certificates "${TLS}" >"${SCRATCH}/made"
    configure <<<'limits: {connections: 1}'
    serve_file --tls-port 0 --tls-folder "${TLS}"
    wait_for_room
    hold 1
    session
    [[ "${status}" != 0 && "${output}" != *'BEGIN CERTIFICATE'* ]]
    let_go
    wait_for_room
    https localhost /healthz
    expect_status 200
    stop_landfall
}

@test "limits that are none are refused" {
    local value
    OPTIONS=(--port 0 --data "${FOLDER}/data")
    for value in connections:0 connections_per_address:0 stop_milliseconds:99 handshake_milliseconds:0 \
        head_milliseconds:99 idle_milliseconds:3600001 field_count:1001; do
        configure <<<"limits: {${value%:*}: ${value#*:}}"
        refused "${FILE}" "limits.${value%:*}" 'a number from'
    done
}

# --- How long stopping may take ---------------------------------------------------------------------

@test "clients that never finish head, body or handshake can't keep the server from stopping" {
    TLS="${BATS_TEST_TMPDIR}/tls"
    make_certificates "${TLS}" >"${SCRATCH}/made"
    configure <<<'limits: {stop_milliseconds: 500}'
    serve_file --tls-port 0 --tls-folder "${TLS}"
    local head body handshake started
    exec {head}<>"/dev/tcp/127.0.0.1/${SERVER_PORT}"
    printf 'GET /healthz HTTP/1.1\r\nHo' >&"${head}"
    exec {body}<>"/dev/tcp/127.0.0.1/${SERVER_PORT}"
    printf 'POST /callbacks/raw HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nfirst' >&"${body}"
    exec {handshake}<>"/dev/tcp/127.0.0.1/${SERVER_TLS_PORT}"
    printf '\026\003\001\002\000' >&"${handshake}"
    expect_well
    sleep 0.2
    started="${SECONDS}"
    kill -TERM "${SERVER_PID}"
    expect_gone "${SERVER_PID}" "${SERVER_LOG}"
    # Without the limit, the first of them to be given up would be so after 10 s.
    ((SECONDS - started < 8))
    exec {head}>&- {body}>&- {handshake}>&-
    serve_file
    get '/callbacks/raw?x'
    expect_json '.seq == 1'
    stop_landfall
}
