#!/usr/bin/env bats
# Behind proxies: Forwarded fields, request ids, PROXY headers.
# Invariant: who asked is told by the socket, unless the configuration trusts whoever says otherwise.
# Left out: every form of these fields and headers, which the unit tests have; other sockets (sockets.bats).

# shellcheck disable=SC2016,SC2030,SC2031,SC2153,SC2154 # tests are subshells; bats sets output and stderr
load setup
load tls

setup_file() {
    mkdir "${BATS_FILE_TMPDIR}/sites"
    cat >"${BATS_FILE_TMPDIR}/landfall.yaml" <<CONFIGURATION
public: ${REPOSITORY}/public
sites: {folder: "${REPOSITORY}/Config/sites"}
trusted_proxies: [127.0.0.2, 10.0.0.0/8, "2001:db8::/32"]
receivers:
  - {host: hooks.example, path: /in, vendor: raw, inbox: hooks}
server_timing: true
CONFIGURATION
    start_landfall "${BATS_FILE_TMPDIR}/server" --config "${BATS_FILE_TMPDIR}/landfall.yaml"
}

teardown_file() {
    stop_landfall
}

load network

# The address of a trusted proxy: one of loopback's that nobody else here uses.
PROXY=(--interface 127.0.0.2)

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

# --- Forwarded --------------------------------------------------------------------------------------

@test "a trusted proxy's Forwarded tells client, scheme and host" {
    get '/callbacks/raw?x' "${PROXY[@]}" --header 'Forwarded: for=192.0.2.60;proto=https;host=api.example'
    expect_origin '192\.0\.2\.60:0' https api.example
    get '/callbacks/raw?x' "${PROXY[@]}" \
        --header 'Forwarded: For="[2001:db9:cafe::17]:4711";Proto=HTTP;Host="api.example:8080"'
    expect_origin '\[2001:db9:cafe::17\]:4711' http api.example:8080
}

@test "a trusted proxy's X-Forwarded fields tell client, scheme and host" {
    get '/callbacks/raw?x' "${PROXY[@]}" --header 'X-Forwarded-For: 192.0.2.60' \
        --header 'X-Forwarded-Proto: https' --header 'X-Forwarded-Host: api.example'
    expect_origin '192\.0\.2\.60:0' https api.example
    get '/callbacks/raw?x' "${PROXY[@]}" --header 'X-Forwarded-For: 2001:db9::1'
    expect_origin '\[2001:db9::1\]:0' http "127.0.0.1:${SERVER_PORT}"
}

@test "the fields themselves are stored as they came" {
    get '/callbacks/raw?x' "${PROXY[@]}" --header 'Forwarded: for=192.0.2.60;host=api.example'
    expect_stored unmatched '.request.headers | any(.[]; . == ["Forwarded", "for=192.0.2.60;host=api.example"])
        and any(.[]; .[0] == "Host" and .[1] == $host)' --arg host "127.0.0.1:${SERVER_PORT}"
}

@test "of a chain of trusted proxies, the client before them counts, and no further" {
    get '/callbacks/raw?x' "${PROXY[@]}" --header 'X-Forwarded-For: 198.51.100.9, 192.0.2.60, 10.1.2.3, 2001:db8::5'
    expect_origin '192\.0\.2\.60:0' http "127.0.0.1:${SERVER_PORT}"
    get '/callbacks/raw?x' "${PROXY[@]}" --header 'Forwarded: for=198.51.100.9;proto=https;host=false.example' \
        --header 'Forwarded: for=192.0.2.60;host=api.example, for=10.1.2.3;host=inner.example'
    expect_origin '192\.0\.2\.60:0' http api.example
}

@test "Forwarded counts alone where both kinds are there" {
    get '/callbacks/raw?x' "${PROXY[@]}" --header 'X-Forwarded-For: 198.51.100.9' \
        --header 'X-Forwarded-Proto: https' --header 'X-Forwarded-Host: false.example' \
        --header 'Forwarded: for=192.0.2.60'
    expect_origin '192\.0\.2\.60:0' http "127.0.0.1:${SERVER_PORT}"
}

@test "what can't be read is left out, and the request is answered" {
    local value
    for value in 'for=_hidden;proto=gopher' 'for="192.0.2.60' 'host="not a host"' 'for=192.0.2.1;for=192.0.2.2'; do
        get '/callbacks/raw?x' "${PROXY[@]}" --header "Forwarded: ${value}"
        expect_origin '127\.0\.0\.2:[0-9]+' http "127.0.0.1:${SERVER_PORT}"
    done
}

@test "nobody else is believed" {
    get '/callbacks/raw?x' --header 'Forwarded: for=192.0.2.60;proto=https;host=api.example'
    expect_origin '127\.0\.0\.1:[0-9]+' http "127.0.0.1:${SERVER_PORT}"
    get '/callbacks/raw?x' --header 'X-Forwarded-For: 10.1.2.3, 127.0.0.2' --header 'X-Forwarded-Proto: https' \
        --header 'X-Forwarded-Host: api.example'
    expect_origin '127\.0\.0\.1:[0-9]+' http "127.0.0.1:${SERVER_PORT}"
}

@test "the forwarded host decides about receivers and link files" {
    get /in "${PROXY[@]}" --header 'X-Forwarded-Host: hooks.example'
    expect_stored unmatched '.inbox == "hooks"'
    get /in --header 'X-Forwarded-Host: hooks.example'
    expect_problem 404
    get /apple-app-site-association "${PROXY[@]}" --header 'Forwarded: host=www.yourapp.com'
    expect_status 200
    get /apple-app-site-association --header 'Forwarded: host=www.yourapp.com'
    expect_problem 404
}

@test "without trusted proxies nobody is believed, not even on a Unix-domain socket" {
    configure <<<"listen: {unix: '${BATS_TEST_TMPDIR}/s'}"
    serve_file
    get '/callbacks/raw?x' --header 'Forwarded: for=192.0.2.60;proto=https;host=api.example'
    expect_origin '127\.0\.0\.1:[0-9]+' http "127.0.0.1:${SERVER_PORT}"
    get '/callbacks/raw?x' --unix-socket "${BATS_TEST_TMPDIR}/s" --header 'X-Forwarded-For: 192.0.2.60'
    expect_origin 'unix:' http "127.0.0.1:${SERVER_PORT}"
    stop_landfall
}

@test "what is no address is refused in the list" {
    local value
    for value in '[10.0.0.0/33]' '[proxy.example]' '10.0.0.1' '[[10.0.0.1]]' '["10.0.0.1/"]'; do
        configure <<<"trusted_proxies: ${value}"
        refused "${FILE}" trusted_proxies 'a list of addresses'
    done
}

@test "where proxies pass requests on, results are not shown without the token" {
    local settings
    for settings in 'trusted_proxies: [192.0.2.1]' 'trusted_proxies: [unix]'; do
        configure <<<"${settings}"
        serve_file
        get /api/v1/results
        expect_status 200
        get_as_stranger /api/v1/results
        expect_problem 401
        get_as_stranger '/callbacks/raw?x'
        expect_status 201
        stop_landfall
    done
    unset LANDFALL_TOKEN
    configure </dev/null
    serve_file
    get_as_stranger /api/v1/results
    expect_status 200
    stop_landfall
}

# --- X-Request-Id and Server-Timing -----------------------------------------------------------------

@test "the id of a trusted proxy's request is taken over, nobody else's is" {
    get /healthz "${PROXY[@]}" --header 'X-Request-Id: from-the-proxy/1'
    expect_field X-Request-Id from-the-proxy/1
    get /nothing "${PROXY[@]}" --header 'X-Request-Id: from-the-proxy/2'
    expect_problem 404
    expect_field X-Request-Id from-the-proxy/2
    get /healthz --header 'X-Request-Id: from-a-stranger'
    [[ "$(field X-Request-Id)" =~ ^[0-9a-f]{16}$ ]]
}

@test "an id that is none is not taken over, and none lasts longer than its request" {
    local value
    for value in 'two words' "$(printf '%129s' '' | tr ' ' x)" $'\303\244'; do
        get /healthz "${PROXY[@]}" --header "X-Request-Id: ${value}"
        [[ "$(field X-Request-Id)" =~ ^[0-9a-f]{16}$ ]]
    done
    get /healthz "${PROXY[@]}" --header 'X-Request-Id: one' --header 'X-Request-Id: two'
    [[ "$(field X-Request-Id)" =~ ^[0-9a-f]{16}$ ]]
    get /healthz "${PROXY[@]}" --header 'X-Request-Id: mine' "${LANDFALL_URL}/healthz" \
        --next --silent "${PROXY[@]}" --dump-header "${SCRATCH}/second" --output "${SCRATCH}/body" \
        --write-out '%{num_connects}'
    [[ "${STATUS}" == 2000 ]]
    expect_field X-Request-Id mine
    grep --quiet --extended-regexp $'^X-Request-Id: [0-9a-f]{16}\r$' "${SCRATCH}/second"
}

@test "Server-Timing says how long an answer took, where that is configured" {
    get /healthz
    [[ "$(field Server-Timing)" =~ ^total\;dur=[0-9]+\.[0-9]{3}$ ]]
    get '/callbacks/raw?x'
    [[ "$(field Server-Timing)" =~ ^total\;dur=[0-9]+\.[0-9]{3}$ ]]
    configure </dev/null
    serve_file
    get /healthz
    [[ -z "$(field Server-Timing)" ]]
    stop_landfall
}

# --- PROXY headers ----------------------------------------------------------------------------------

# serve_behind_proxy [OPTION]...: a server that expects PROXY headers, on a Unix-domain socket too; all of curl's
# requests have one then.
serve_behind_proxy() {
    configure <<<'listen: {proxy_protocol: true, unix: s}'
    mkdir "${BATS_TEST_TMPDIR}/home"
    echo haproxy-protocol >"${BATS_TEST_TMPDIR}/home/.curlrc"
    export CURL_HOME="${BATS_TEST_TMPDIR}/home"
    serve_file "$@"
}

# hex TEXT
hex() {
    printf '%b' "$1" | od --address-radix=n --format=x1 | tr --delete ' \n'
}

# v2 COMMAND FAMILY ADDRESSES: a header of version 2, all in hexadecimal.
v2() {
    printf '0d0a0d0a000d0a515549540a%s%s%04x%s' "$1" "$2" $((${#3} / 2)) "$3"
}

# behind HEX [OPTION]...: a callback behind these octets; what comes back is ${output}.
behind() {
    printf 'POST /callbacks/raw HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 1\r\n\r\nx' \
        >"${SCRATCH}/request"
    run --separate-stderr "${BATS_TEST_DIRNAME}/peer.py" "${PEER_PORT:-${SERVER_PORT}}" --preface "$@" \
        <"${SCRATCH}/request"
}

# expect_peer PEER: of the callback that was stored last; PEER is a pattern.
expect_peer() {
    [[ "${output}" == 'HTTP/1.1 201 '* ]] || { echo "${output}${stderr}"; return 1; }
    local peer
    peer="$(tail --quiet --lines 1 "${SERVER_DATA}"/results/*.jsonl | jq --raw-output .request.peer)"
    [[ "${peer}" =~ ^$1$ ]] || { echo "the peer is ${peer}"; return 1; }
}

V4="c0000207 c6336401 1267 0050"
V6="20010db9000000000000000000000007 20010db8000000000000000000000001 1267 0050"

@test "PROXY headers of version 1 tell the client" {
    serve_behind_proxy
    get '/callbacks/raw?x'
    expect_origin '127\.0\.0\.1:[0-9]+' http "127.0.0.1:${SERVER_PORT}"
    behind "$(hex 'PROXY TCP4 192.0.2.7 198.51.100.1 4711 80\r\n')"
    expect_peer '192\.0\.2\.7:4711'
    behind "$(hex 'PROXY TCP6 2001:db9::7 2001:db8::1 4711 80\r\n')"
    expect_peer '\[2001:db9::7\]:4711'
    behind "$(hex 'PROXY UNKNOWN\r\n')"
    expect_peer '127\.0\.0\.1:[0-9]+'
    stop_landfall
}

@test "PROXY headers of version 2 tell the client" {
    serve_behind_proxy
    behind "$(v2 21 11 "${V4// }")"
    expect_peer '192\.0\.2\.7:4711'
    behind "$(v2 21 21 "${V6// }")"
    expect_peer '\[2001:db9::7\]:4711'
    # With an extension behind the addresses: PP2_TYPE_AUTHORITY.
    behind "$(v2 21 11 "${V4// }020003616263")"
    expect_peer '192\.0\.2\.7:4711'
    # LOCAL: the proxy itself asks.
    behind "$(v2 20 00 '')"
    expect_peer '127\.0\.0\.1:[0-9]+'
    stop_landfall
}

@test "a connection without a valid PROXY header is closed without an answer, and logged" {
    serve_behind_proxy
    local header count=0
    for header in '' "$(hex 'PROXY TCP4 192.0.2.7 198.51.100.1 4711 80\n')" \
        "$(hex 'PROXY TCP4 300.0.2.7 198.51.100.1 4711 80\r\n')" "$(v2 31 11 "${V4// }")" "$(v2 21 11 c0000207)"; do
        behind "${header}"
        [[ -z "${output}" && ("${stderr}" == closed || "${stderr}" == reset) ]]
        logged 'warning a connection has no valid PROXY header peer=127\.0\.0\.1:' $((++count))
    done
    [[ -z "$(cat "${SERVER_DATA}"/results/*.jsonl 2>/dev/null)" ]]
    expect_well
    stop_landfall
}

@test "a PROXY header where none is expected is a malformed request" {
    PEER_PORT="${SERVER_PORT}" behind "$(hex 'PROXY TCP4 192.0.2.7 198.51.100.1 4711 80\r\n')"
    [[ "${output}" == 'HTTP/1.1 '[45]* ]]
}

@test "the PROXY header comes before TLS" {
    TLS="${BATS_TEST_TMPDIR}/tls"
    make_certificates "${TLS}" >"${SCRATCH}/made"
    serve_behind_proxy --tls-port 0 --tls-folder "${TLS}"
    https localhost '/callbacks/raw?x'
    expect_origin '127\.0\.0\.1:[0-9]+' https "localhost:${SERVER_TLS_PORT}"
    PEER_PORT="${SERVER_TLS_PORT}" behind "$(v2 21 11 "${V4// }")" --authority "${TLS}/authority/ca.pem"
    expect_peer '192\.0\.2\.7:4711'
    [[ "${stderr}" == closed ]]
    PEER_PORT="${SERVER_TLS_PORT}" behind '' --authority "${TLS}/authority/ca.pem"
    [[ -z "${output}" ]]
    logged 'no valid PROXY header'
    stop_landfall
}

@test "the health check sends the PROXY header that the configured server expects" {
    serve_behind_proxy
    LANDFALL_CONFIG="${FILE}" LANDFALL_DATA="${SERVER_DATA}" run "${LANDFALL_BIN}" health
    [[ "${status}" == 0 && "${output}" == ok ]] || fail "${status}: ${output}"
    run "${LANDFALL_BIN}" health --server "http://127.0.0.1:${SERVER_PORT}"
    [[ "${status}" == 1 ]] || fail "${status}: ${output}"
    stop_landfall
}

@test "doctor and config check send the PROXY header that the configured server expects" {
    serve_behind_proxy
    LANDFALL_PORT="${SERVER_PORT}" LANDFALL_DATA="${SERVER_DATA}" \
        "${LANDFALL_BIN}" doctor --config "${FILE}" --offline --json >"${BODY}"
    expect_json '[.checks[] | select(.status == "ok" and (.text | endswith("a running Landfall"))) | .check]
        == ["port", "socket"]'
    "${LANDFALL_BIN}" config check --config "${FILE}" --data "${SERVER_DATA}"
    get /metrics
    grep --quiet --line-regexp 'landfall_proxy_headers_missing_total 0' "${BODY}"
    stop_landfall
}

@test "the commands of the greeting send the PROXY header that the server expects" {
    serve_behind_proxy
    grep --only-matching 'curl .*' "${SERVER_OUT}" >"${SCRATCH}/lines"
    env --unset=CURL_HOME timeout 10 bash "${SCRATCH}/lines" >"${BODY}"
    expect_json 'length == 3 and .[0].verdict == "decoded" and .[0].id == .[1].results[0].id and .[0].id == .[2].id' \
        --slurp
    stop_landfall
}

@test "the client that a PROXY header names is the peer that is trusted, or not" {
    configure <<'CONFIGURATION'
listen: {proxy_protocol: true}
trusted_proxies: [192.0.2.0/24]
CONFIGURATION
    mkdir "${BATS_TEST_TMPDIR}/home"
    echo haproxy-protocol >"${BATS_TEST_TMPDIR}/home/.curlrc"
    CURL_HOME="${BATS_TEST_TMPDIR}/home" serve_file
    local fields
    fields="$(hex 'GET /callbacks/raw?first HTTP/1.1\r\nHost: a\r\nForwarded: for=203.0.113.5\r\n\r\n')"
    behind "$(v2 21 11 "${V4// }")${fields}"
    jq --slurp --exit-status 'any(.[].request; .target[-5:] == "first" and .peer == "203.0.113.5:0")' \
        "${SERVER_DATA}"/results/*.jsonl
    expect_peer '192\.0\.2\.7:4711'
    behind "$(hex 'PROXY UNKNOWN\r\n')${fields//6669727374/6f74686572}"
    jq --slurp --exit-status 'any(.[].request; .target[-5:] == "other" and .peer[:10] == "127.0.0.1:")' \
        "${SERVER_DATA}"/results/*.jsonl
    stop_landfall
}
