#!/usr/bin/env bats
# Other sockets than a port of IPv4's loopback: Unix-domain sockets, those of a service manager, IPv6.
# Invariant: a socket speaks what it is for, or the server says why not and ends with 3.
# Left out: sockets of a former server (takeover.bats).

# bats file_tags=alone

# shellcheck disable=SC2016,SC2030,SC2031,SC2153,SC2154 # tests are subshells; bats sets output and stderr
load setup
load tls
load network

# refused PART...: serving ${FILE} ends with 3 and one line that has all parts.
refused() {
    local part
    run --separate-stderr timeout 60 "${LANDFALL_BIN}" serve --config "${FILE}" --port 0 \
        --data "${BATS_TEST_TMPDIR}/refused"
    echo "exit code ${status}, output '${output}', error output '${stderr}'"
    [[ "${status}" == 3 && -z "${output}" && "${#stderr_lines[@]}" == 1 ]]
    for part in "$@"; do
        [[ "${stderr}" == *"${part}"* ]] || { echo "'${part}' is missing"; return 1; }
    done
}

# expect_origin PEER SCHEME HOST: of the callback that the last answer is about; PEER is a pattern.
expect_origin() {
    expect_stored unmatched '(.request.peer | test($peer)) and .request.scheme == $scheme
        and .request.host == $host' --arg peer "^$1\$" --arg scheme "$2" --arg host "$3"
}

# --- Unix-domain sockets ----------------------------------------------------------------------------

# get_unix PATH [CURL OPTION]...: as get, on the Unix-domain socket.
get_unix() {
    LANDFALL_URL=http://localhost get "$@" --unix-socket "${BATS_TEST_TMPDIR}/s"
}

@test "a Unix-domain socket is served beside the port, for its owner and his group" {
    configure <<<'listen: {unix: s}'
    serve_file
    grep --quiet --extended-regexp " listening port=${SERVER_PORT} unix=${BATS_TEST_TMPDIR}/s\$" "${SERVER_LOG}"
    [[ -S "${BATS_TEST_TMPDIR}/s" && "$(stat --format %a "${BATS_TEST_TMPDIR}/s")" == 660 ]]
    get_unix '/callbacks/raw?x'
    expect_origin 'unix:' http localhost
    expect_well
    stop_landfall
}

@test "a Unix-domain socket is served until the stop, also where takeovers are unavailable" {
    configure <<<'listen: {unix: s}'
    FOLDER="${BATS_TEST_TMPDIR}/$(printf '%100s' '' | tr ' ' x)"
    serve_file
    logged 'takeovers are unavailable'
    get_unix '/callbacks/raw?x'
    expect_origin 'unix:' http localhost
    stop_landfall
    [[ ! -e "${BATS_TEST_TMPDIR}/s" ]]
}

@test "a server that is still stopping leaves the Unix-domain socket of another one" {
    configure <<<'listen: {unix: s}'
    serve_file
    local former="${SERVER_PID}"
    exec 7<>"/dev/tcp/127.0.0.1/${SERVER_PORT}"
    printf 'POST /callbacks/raw HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nfirst' >&7
    # Whatever the server has read of it by now, it has begun: an answer on another connection is later.
    expect_well
    sleep 0.2
    kill "${former}"
    for _ in {1..100}; do
        run get_unix /healthz
        ((status == 0)) || break
        sleep 0.1
    done
    ((status != 0))
    FOLDER="${BATS_TEST_TMPDIR}/other"
    # Otherwise this server would keep the connection open too.
    serve_file 7>&-
    get_unix /healthz
    expect_status 200
    kill -0 "${former}"
    printf 'other' >&7
    timeout 60 cat <&7 | grep --quiet '^HTTP/1.1 201 '
    exec 7>&-
    SERVER_PID="${former}" wait_until_gone
    get_unix /healthz
    expect_status 200
    stop_landfall
    [[ ! -e "${BATS_TEST_TMPDIR}/s" ]]
}

@test "peers of the Unix-domain socket are believed where they are trusted" {
    configure <<'CONFIGURATION'
listen: {unix: s}
trusted_proxies: [unix]
CONFIGURATION
    serve_file
    get_unix '/callbacks/raw?x' --header 'Forwarded: for=192.0.2.60;proto=https;host=api.example'
    expect_origin '192\.0\.2\.60:0' https api.example
    get '/callbacks/raw?x' --header 'Forwarded: for=192.0.2.60;proto=https;host=api.example'
    expect_origin '127\.0\.0\.1:[0-9]+' http "127.0.0.1:${SERVER_PORT}"
    stop_landfall
}

@test "the socket of a server that was killed is replaced" {
    configure <<<'listen: {unix: s}'
    serve_file
    kill -KILL "${SERVER_PID}"
    wait_until_gone
    [[ -S "${BATS_TEST_TMPDIR}/s" ]]
    run ! get_unix /healthz
    serve_file
    get_unix /healthz
    expect_status 200
    stop_landfall
    serve_file
    get_unix /healthz
    expect_status 200
    stop_landfall
}

@test "a socket that another server has, and a file that is none, are refused and left alone" {
    configure <<<'listen: {unix: s}'
    serve_file
    refused "${BATS_TEST_TMPDIR}/s" 'in use'
    get_unix /healthz
    expect_status 200
    stop_landfall
    rm --force "${BATS_TEST_TMPDIR}/s"
    echo kept >"${BATS_TEST_TMPDIR}/s"
    refused "${BATS_TEST_TMPDIR}/s" "isn't a socket"
    [[ "$(<"${BATS_TEST_TMPDIR}/s")" == kept ]]
}

@test "a path that is too long, or in no folder, is refused" {
    configure <<<"listen: {unix: $(printf '%120s' '' | tr ' ' x)}"
    refused xxx
    configure <<<'listen: {unix: nowhere/s}'
    refused nowhere/s
}

# --- Sockets of a service manager -------------------------------------------------------------------

# serve_activated SOCKETS [OPTION]...: serves ${FILE} with sockets as activate.py opens them.
serve_activated() {
    local sockets="$1" program="${LANDFALL_BIN}"
    shift
    ACTIVATED="${program}" LANDFALL_BIN="${BATS_TEST_DIRNAME}/activate.py" SOCKETS="${sockets}" \
        ACTIVATED_PORTS="${BATS_TEST_TMPDIR}/ports" \
        launch_landfall "${FOLDER}" --config "${FILE}" --data "${FOLDER}/data" "$@"
}

# opened NUMBER: the port of a socket that activate.py has opened.
opened() {
    sed --quiet "$1p" "${BATS_TEST_TMPDIR}/ports"
}

@test "a service manager's socket takes the place of the configured port" {
    configure <<<'listen: {port: 1}'
    serve_activated http=0
    wait_for_landfall
    [[ "${SERVER_PORT}" == "$(opened 1)" ]]
    get /api/v1/results
    expect_status 200
    get '/callbacks/raw?x'
    expect_origin '127\.0\.0\.1:[0-9]+' http "127.0.0.1:${SERVER_PORT}"
    stop_landfall
}

@test "a service manager's socket of the name tls speaks TLS, others don't, whatever their order" {
    TLS="${BATS_TEST_TMPDIR}/tls"
    make_certificates "${TLS}" >"${SCRATCH}/made"
    configure <<<'tls: {folder: tls, port: 1}'
    serve_activated 'tls=0 =0'
    wait_for_landfall
    [[ "${SERVER_TLS_PORT}" == "$(opened 1)" && "${SERVER_PORT}" == "$(opened 2)" ]]
    https localhost '/callbacks/raw?x'
    expect_origin '127\.0\.0\.1:[0-9]+' https "localhost:${SERVER_TLS_PORT}"
    expect_well
    stop_landfall
}

@test "a service manager's Unix-domain socket is served" {
    configure <<<'trusted_proxies: [unix]'
    serve_activated "http=0 local=${BATS_TEST_TMPDIR}/s"
    wait_for_landfall
    grep --quiet " listening port=${SERVER_PORT} unix=inherited" "${SERVER_LOG}"
    get_unix '/callbacks/raw?x' --header 'X-Forwarded-For: 192.0.2.60'
    expect_origin '192\.0\.2\.60:0' http localhost
    stop_landfall
}

@test "a service manager's Unix-domain socket alone is enough, and a stop leaves its file" {
    configure <<<'listen: {unix: s}'
    serve_activated "local=${BATS_TEST_TMPDIR}/s"
    logged "listening unix=${BATS_TEST_TMPDIR}/s"
    get_unix /healthz
    expect_status 200
    stop_landfall
    [[ -S "${BATS_TEST_TMPDIR}/s" ]]
}

@test "a service manager's socket can be taken over, but not dropped" {
    configure <<<'listen: {unix: s}'
    serve_activated "http=0 local=${BATS_TEST_TMPDIR}/s"
    wait_for_landfall
    local port="${SERVER_PORT}" former="${SERVER_PID}"
    run --separate-stderr timeout 60 "${LANDFALL_BIN}" serve --config "${FILE}" --port 0 \
        --data "${FOLDER}/data" --take-over
    echo "${stderr}"
    [[ "${status}" == 3 && "${stderr}" == *"127.0.0.1:${port} for its service manager"* ]]
    expect_well
    launch_landfall "${BATS_TEST_TMPDIR}/second" --config "${FILE}" --port "${port}" \
        --data "${FOLDER}/data" --take-over
    wait_for_landfall
    SERVER_PID="${former}" wait_until_gone
    get_unix /healthz
    expect_status 200
    stop_landfall
    [[ -S "${BATS_TEST_TMPDIR}/s" ]]
}

@test "a service manager's socket that others can reach asks for the token" {
    configure <<<'listen: {host: 127.0.0.1}'
    serve_activated http=any
    wait_for_landfall
    get /api/v1/results
    expect_status 200
    get_as_stranger /api/v1/results
    expect_problem 401
    stop_landfall
}

@test "sockets that are meant for another process are not touched" {
    configure </dev/null
    LISTEN_PID=1 serve_activated http=0 --port 0
    wait_for_landfall
    [[ "${SERVER_PORT}" != "$(opened 1)" ]]
    stop_landfall
}

# refused_activated SOCKETS: the server ends with 3, a sentence, and without listening.
refused_activated() {
    local code=0
    serve_activated "$1" --port 0
    wait_until_gone
    wait "${SERVER_PID}" || code=$?
    cat "${SERVER_LOG}"
    [[ "${code}" == 3 && ! -s "${SERVER_OUT}" ]]
    [[ "$(grep --count '^landfall: .*\.$' "${SERVER_LOG}")" == 1 ]]
    run ! grep listening "${SERVER_LOG}"
}

@test "a socket that does not listen is refused" {
    configure </dev/null
    refused_activated http=none
}

@test "a socket of the name tls without certificates is refused: nobody expects plain HTTP there" {
    configure </dev/null
    refused_activated 'http=0 tls=0'
}

# --- Addresses ---------------------------------------------------------------------------------------

@test "a host that is no address is refused with what may be named" {
    for host in foo '[::1]' 127.0.0.256; do
        run "${LANDFALL_BIN}" serve --host "${host}" --port 0 --data "${FOLDER}/data"
        [[ "${status}" == 3 ]]
        [[ "${output}" == *"--host: listen.host must be an IPv4 or IPv6 address of this machine, or localhost, not ${host}."* ]]
    done
}

# --- IPv6 -------------------------------------------------------------------------------------------

@test "an IPv6 address is listened on, and told" {
    configure </dev/null
    if ! grep --quiet ' lo$' /proc/net/if_inet6; then skip "this machine has no IPv6"; fi
    launch_landfall "${FOLDER}" --config "${FILE}" --port 0 --host ::1 --data "${FOLDER}/data"
    wait_for_landfall '[::1]'
    get '/callbacks/raw?x'
    expect_origin '\[::1\]:[0-9]+' http "[::1]:${SERVER_PORT}"
    grep --quiet --fixed-strings "http://[::1]:${SERVER_PORT}/" "${SERVER_OUT}"
    get /api/v1/results
    expect_status 200
    run ! curl --silent --max-time 2 "http://127.0.0.1:${SERVER_PORT}/healthz"
    run "${LANDFALL_BIN}" health --server "http://[::1]:${SERVER_PORT}"
    [[ "${status}" == 0 ]]
    stop_landfall
}
