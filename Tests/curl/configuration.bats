#!/usr/bin/env bats
# Configuration: what is wrong is said with file, key and expectation before anything listens; environment
# over file, flags over environment.
# Invariant: a server that can't start says why in one sentence on standard error, and ends with 3.
# Left out: what the settings do, beyond showing which one was taken.

# shellcheck disable=SC2154 # bats sets stderr
load setup

setup() {
    FOLDER="${BATS_TEST_TMPDIR}/server"
    FILE="${BATS_TEST_TMPDIR}/landfall.yaml"
    mkdir "${BATS_TEST_TMPDIR}/sites"
}

# configure: writes the file from standard input, with the page's folder before it.
configure() {
    { echo "public: ${REPOSITORY}/public"; cat; } >"${FILE}"
}

# refused PART...: serving with ${OPTIONS[@]} ends with 3 and one line that has all parts.
OPTIONS=()
refused() {
    refused_at_length "$@"
    [[ "${#stderr_lines[@]}" == 1 ]]
}

# refused_at_length PART...: the same for messages that quote the file.
refused_at_length() {
    local part
    run --separate-stderr timeout 60 "${LANDFALL_BIN}" serve --config "${FILE}" --port 0 \
        --data "${FOLDER}/data" "${OPTIONS[@]}"
    echo "exit code ${status}, output '${output}', error output '${stderr}'"
    [[ "${status}" == 3 ]]
    [[ -z "${output}" && "${stderr}" != *listening* ]]
    for part in "$@"; do
        [[ "${stderr}" == *"${part}"* ]] || { echo "'${part}' is missing"; return 1; }
    done
}

# serve_file [OPTION]...: serves ${FILE} on a free port and waits.
serve_file() {
    launch_landfall "${FOLDER}" --config "${FILE}" --port 0 "$@"
    wait_for_landfall
}

# --- What is wrong with the file --------------------------------------------------------------------

@test "an unknown key is refused with the file, the key and the known ones" {
    configure <<<'listne: {port: 1}'
    refused "${FILE}" '"listne"' listen receivers
}

@test "an unknown key below another is refused with its whole place" {
    configure <<<'listen: {prot: 1}'
    refused "${FILE}" listen.prot port
    configure <<<'limits: {target_byte: 262144}'
    refused "${FILE}" limits.target_byte target_bytes
    configure <<<'receivers: [{host: a.example, path: /x, vendor: raw, boxes: a}]'
    refused "${FILE}" 'receivers[0].boxes' inbox
}

@test "a missing file is refused with its name" {
    rm --force "${FILE}"
    refused "${FILE}" 'no file or folder of this name'
}

@test "a folder in place of the file is refused" {
    mkdir "${FILE}"
    refused "${FILE}"
}

@test "what is no YAML is refused with file and line" {
    configure <<<$'listen:\n  port: [1'
    refused_at_length "${FILE}" 3
}

@test "a document that is no mapping is refused" {
    echo '- port' >"${FILE}"
    refused "${FILE}" mapping
}

@test "a key that stands there twice is refused" {
    configure <<<$'data: a\ndata: b'
    refused_at_length "${FILE}" data
}

@test "what is no YAML is refused without showing the token" {
    configure <<<$'token: s3cret\ndata: a\ndata: b'
    refused_at_length "${FILE}"
    [[ "${stderr}" != *s3cret* ]]
    configure <<<$'token: s3cret }\ntoken: ['
    refused_at_length "${FILE}"
    [[ "${stderr}" != *s3cret* ]]
}

@test "a bad value is refused with file, key and what was expected" {
    local key value expected
    while IFS='|' read -r key value expected; do
        configure <<<"${value}"
        refused "${FILE}" "${key}" "${expected}"
    done <<'VALUES'
listen.port|listen: {port: 70000}|a number from 0 to 65535
listen.port|listen: {port: -1}|a number from 0 to 65535
listen.port|listen: {port: eighty}|a number from 0 to 65535
listen.port|listen: {port: 80.5}|a number from 0 to 65535
listen.port|listen: {port: }|a number from 0 to 65535
listen.port|listen: {port: 80:80}|a number from 0 to 65535, in decimal digits without leading zeros
results.retention.days|results: {retention: {days: 030}}|a number from 1 to 36500, in decimal digits
listen.host|listen: {host: ""}|a string
listen|listen: 8080|a mapping
data|data: [a]|a string
data|data: ""|a string
receivers|receivers: {host: a}|a list
receivers[0]|receivers: [a]|a mapping
receivers[0].vendor|receivers: [{host: a, path: /x, vendor: acme}]|welltory
receivers[0].vendor|receivers: [{host: a, path: /x}]|welltory
receivers[0].host|receivers: [{path: /x, vendor: raw}]|host
receivers[0].path|receivers: [{host: a, vendor: raw}]|path
receivers[0].path|receivers: [{host: a, path: "/(x", vendor: raw}]|pattern
receivers[1].inbox|receivers: [{host: a, path: /x, vendor: raw}, {host: a, path: /y, vendor: raw, inbox: No}]|a-z
receivers[1].path|receivers: [{host: a, path: /x, vendor: raw}, {host: a, path: /x/, vendor: ailet}]|receivers[0]
limits.callback_body_bytes|limits: {callback_body_bytes: 0}|a number from
limits.target_bytes|limits: {target_bytes: 100 kB}|a number from
log.level|log: {level: loud}|debug
log.format|log: {format: xml}|json
token|token: ""|a string of 16 characters or more
token|token: fifteen-letters|a string of 16 characters or more
VALUES
}

@test "one port for both protocols is refused, by its place, and so is a host that can't be listened on" {
    config_check() {
        run --separate-stderr timeout 60 "${LANDFALL_BIN}" config check --config "${FILE}" "$@"
        echo "exit code ${status}, output '${output}', error output '${stderr}'"
        [[ "${status}" == 1 && -z "${output}" && "${#stderr_lines[@]}" == 1 ]]
    }
    configure <<<$'listen: {port: 9}\ntls:\n  port: 9'
    config_check
    [[ "${stderr}" == *"${FILE}:4: tls.port must be another port than listen.port, which is 9 too." ]]
    config_check --tls-port 8 --port 8
    [[ "${stderr}" == *": --tls-port: tls.port must be another port than listen.port, which is 8 too." ]]
    config_check --port 0
    [[ "${stderr}" != *tls.port* ]]
    configure <<<'listen: {host: foo}'
    config_check
    [[ "${stderr}" == *"${FILE}:2: listen.host must be"*'not foo.' ]]
    configure <<<'data: landfall.yaml'
    config_check
    [[ "${stderr}" == *"${FILE} can't be read: it is not a folder." ]]
    local below
    for below in / /data /data/; do
        configure <<<"data: landfall.yaml${below}"
        config_check
        [[ "${stderr}" == *"${FILE} can't be read: it is not a folder." ]]
    done
}

@test "a folder of sites that is missing is refused with its name" {
    configure <<<'sites: {folder: nowhere}'
    refused "${BATS_TEST_TMPDIR}/nowhere"
}

@test "a default site that is no site is refused with file, key and the sites that are there" {
    mkdir "${BATS_TEST_TMPDIR}/sites/one.example"
    configure <<<'sites: {default: two.example}'
    refused "${FILE}" sites.default one.example
}

@test "a folder of the page that is missing is refused with its name" {
    echo "public: nowhere" >"${FILE}"
    refused "${BATS_TEST_TMPDIR}/nowhere"
}

@test "a data folder that is a file is refused" {
    configure </dev/null
    mkdir --parents "${FOLDER}"
    : >"${FOLDER}/data"
    refused "${FOLDER}/data"
}

@test "a bad variable is refused by its name with what was expected" {
    configure </dev/null
    LANDFALL_LOG_LEVEL=loud refused environment LANDFALL_LOG_LEVEL debug
    LANDFALL_LOG_FORMAT=xml refused environment LANDFALL_LOG_FORMAT json
    LANDFALL_PORT=eighty refused environment LANDFALL_PORT 'a number from 0 to 65535'
}

@test "an empty host of the environment is refused by its name" {
    configure </dev/null
    LANDFALL_HOST='' refused environment LANDFALL_HOST
}

@test "an empty or short token of the environment is refused by its name: it would let everybody in" {
    configure </dev/null
    OPTIONS=(--host 0.0.0.0)
    LANDFALL_TOKEN='' refused environment LANDFALL_TOKEN
    LANDFALL_TOKEN=fifteen-letters refused environment LANDFALL_TOKEN '16 characters or more' 'openssl rand'
    [[ "${stderr}" != *fifteen-letters* ]]
}

@test "an address that is none is refused" {
    configure </dev/null
    OPTIONS=(--host not-an-address.invalid)
    refused not-an-address.invalid
    OPTIONS=(--host 192.0.2.1)
    refused 192.0.2.1
}

@test "a refused configuration leaves no folder behind" {
    configure <<<'unknown: 1'
    refused unknown
    [[ ! -e "${FOLDER}/data" ]]
}

# --- Ports ------------------------------------------------------------------------------------------

@test "a port that another Landfall has is refused in one sentence, and the other has it on" {
    configure </dev/null
    start_landfall "${BATS_TEST_TMPDIR}/first"
    OPTIONS=(--port "${SERVER_PORT}")
    refused "${SERVER_PORT}" 'in use'
    local number
    for number in {1..10}; do get "/callbacks/raw?${number}"; done
    expect_json '.seq == 10'
    stop_landfall
}

@test "a port that another program has is refused in one sentence" {
    configure </dev/null
    coproc OTHER { exec python3 -c '
import socket
s = socket.socket()
s.bind(("127.0.0.1", 0))
s.listen()
print(s.getsockname()[1], flush=True)
input()'; } 3>&-
    local other="${OTHER_PID}" port
    read -r -t 10 port <&"${OTHER[0]}"
    OPTIONS=(--port "${port}")
    refused "${port}" 'in use'
    kill "${other}"
}

@test "a server that could not have its port leaves the data folder to the next" {
    configure </dev/null
    start_landfall "${BATS_TEST_TMPDIR}/first"
    OPTIONS=(--port "${SERVER_PORT}")
    refused "${SERVER_PORT}"
    stop_landfall
    serve_file --data "${FOLDER}/data"
    expect_well
    stop_landfall
}

# --- What wins over what ----------------------------------------------------------------------------

@test "paths of the file are relative to it, wherever the server is started" {
    configure <<<'data: kept/here'
    serve_file
    [[ -f "${BATS_TEST_TMPDIR}/kept/here/LOCK" ]]
    stop_landfall
}

@test "the data folder of the environment wins over the file, and the flag's over both" {
    configure <<<"data: ${BATS_TEST_TMPDIR}/file"
    LANDFALL_DATA="${BATS_TEST_TMPDIR}/environment" serve_file
    stop_landfall
    [[ -d "${BATS_TEST_TMPDIR}/environment" && ! -e "${BATS_TEST_TMPDIR}/file" ]]
    rm --recursive "${BATS_TEST_TMPDIR}/environment"
    LANDFALL_DATA="${BATS_TEST_TMPDIR}/environment" serve_file --data "${BATS_TEST_TMPDIR}/flag"
    stop_landfall
    [[ -d "${BATS_TEST_TMPDIR}/flag" ]]
    [[ ! -e "${BATS_TEST_TMPDIR}/environment" && ! -e "${BATS_TEST_TMPDIR}/file" ]]
}

@test "the address of the environment wins over the file, and the flag's over both" {
    configure <<<'listen: {host: 127.0.0.2, port: 1}'
    serve() { launch_landfall "${FOLDER}" --config "${FILE}" --data "${FOLDER}/data" "$@"; }
    LANDFALL_HOST=127.0.0.3 LANDFALL_PORT=0 serve
    wait_for_landfall 127.0.0.3
    stop_landfall
    LANDFALL_HOST=127.0.0.3 LANDFALL_PORT=1 serve --host 127.0.0.4 --port 0
    wait_for_landfall 127.0.0.4
    expect_well
    stop_landfall
}

@test "the port that Kubernetes sets for a Service called landfall counts as not set" {
    configure <<<'listen: {port: 7}'
    local value
    for value in tcp://10.96.0.12:8080 udp://10.96.0.12:8080; do
        LANDFALL_PORT="${value}" "${LANDFALL_BIN}" config show --config "${FILE}" --json >"${BODY}"
        expect_json '.settings[] | select(.key == "listen.port") | .value == 7 and .from == "file" and .line == 2'
    done
}

@test "the log's format and level of the environment win over the file" {
    configure <<<'log: {level: critical, format: text}'
    LANDFALL_LOG_LEVEL=info LANDFALL_LOG_FORMAT=json serve_file --data "${FOLDER}/data"
    stop_landfall
    jq --exit-status --slurp 'length >= 2 and all(.[]; (.time | length) == 24 and .level == "info" and has("message"))' \
        "${SERVER_LOG}"
}

@test "receivers of the file take callbacks by host and pattern into their inbox" {
    configure <<'RECEIVERS'
receivers:
  - {host: Hooks.Example, path: "/ailet/:shop", vendor: ailet, inbox: shops}
  - {host: hooks.example, path: "/any/(deep|deeper)", vendor: raw}
RECEIVERS
    serve_file --data "${FOLDER}/data"
    post_json /ailet/7 '{"status":"IR_RESULT_OK"}' --header 'Host: hooks.example'
    expect_stored decoded '.vendor == "ailet" and .inbox == "shops" and .request.target == "/ailet/7"'
    get /any/deeper --header 'Host: HOOKS.example:80'
    expect_stored unmatched '.vendor == "raw" and .inbox == "default"'
    get /any/shallow --header 'Host: hooks.example'
    expect_problem 404
    stop_landfall
}

@test "limits of the file are in force" {
    configure <<<'limits: {callback_body_bytes: 1024, target_bytes: 8192}'
    serve_file --data "${FOLDER}/data"
    post_form /callbacks/raw "$(printf '%1024s' '')"
    expect_stored unmatched '.request.body.data | length == 1024'
    post_form /callbacks/raw "$(printf '%1025s' '')"
    expect_problem 413
    get "/callbacks/raw?$(printf '%8178s' '' | tr ' ' x)"
    expect_problem 414
    stop_landfall
}

# --- Who may see results ----------------------------------------------------------------------------

@test "beyond loopback results need the token, callbacks and link files do not" {
    configure <<<'token: not-this-one-either'
    mkdir "${BATS_TEST_TMPDIR}/sites/one.example"
    echo '{}' >"${BATS_TEST_TMPDIR}/sites/one.example/apple-app-site-association"
    LANDFALL_TOKEN=open-sesame-open-sesame serve_file --host 0.0.0.0 --data "${FOLDER}/data"
    local path
    for path in /api/v1/results /api/v1/inboxes /api/v1/results/01a1fd98-6b94-793e-9d7a-3406f8c659fb/request /; do
        get "${path}"
        expect_problem 401
        [[ -n "$(field WWW-Authenticate)" ]]
        get "${path}" --header 'Authorization: Bearer not-this-one-either'
        expect_problem 401
    done
    get /api/v1/results --header 'Authorization: Bearer open-sesame-open-sesame'
    expect_status 200
    get /api/v1/results --user 'anybody:open-sesame-open-sesame'
    expect_status 200
    get '/callbacks/raw?x'
    expect_status 201
    get /apple-app-site-association --header 'Host: one.example'
    expect_status 200
    get /healthz
    expect_status 200
    stop_landfall
    run ! grep --recursive --text --fixed-strings open-sesame-open-sesame "${FOLDER}"
}

@test "beyond loopback a server without a token makes one, prints it once and says so" {
    configure </dev/null
    serve_file --host 0.0.0.0 --data "${FOLDER}/data"
    get /api/v1/results
    expect_problem 401
    local token
    token="$(sed -n -E 's/.*token ([A-Za-z0-9_-]{16,}).*/\1/p' "${SERVER_OUT}")"
    [[ -n "${token}" ]] || fail "no token in: $(<"${SERVER_OUT}")"
    get /api/v1/results --header "Authorization: Bearer ${token}"
    expect_status 200
    run ! grep --fixed-strings "${token}" "${SERVER_LOG}"
    stop_landfall
}

@test "a configuration that can't be printed is an error with a reason" {
    local command
    for command in show check; do
        run --separate-stderr bash -c '"$1" config "$2" --data "$3" >/dev/full' - "${LANDFALL_BIN}" "${command}" "${FOLDER}"
        ((status == 3))
        # shellcheck disable=SC2154 # `run` sets it
        [[ "${stderr}" == *"can't be written"* ]]
    done
}
