#!/usr/bin/env bats
# landfall results: the same questions to a folder and to a running server get the same answers.
# Invariant: with --json, standard output is one JSON document and nothing else; what changes results is
# done to copies of the folder, or to a server of the test's own.
# Left out: the query language (searching.bats) and how long a wait waits (waiting.bats).

# shellcheck disable=SC2016,SC2030,SC2031,SC2154 # programs of jq have variables of their own, each test is a
# subshell with a source of its own, and bats sets stderr
load setup

TOKEN=secret-of-this-test

# 120 results, seq 1 to 120: a server keeps them, and ${FOLDER} is a copy of its data.
setup_file() {
    export FOLDER="${BATS_FILE_TMPDIR}/copy"
    start_landfall "${BATS_FILE_TMPDIR}/server"
    local number path
    for number in {1..30}; do
        for path in "welltory?stress=0.${number}" 'dimmy/other?status=error&error=not_logged_in' \
            'welltory/other?stress=0,3' "raw/ci?number=${number}"; do
            printf 'url = "%s/callbacks/%s"\noutput = "/dev/null"\n' "${LANDFALL_URL}" "${path}"
        done
    done | curl --silent --show-error --max-time 30 --config -
    stop_landfall
    cp -r "${SERVER_DATA}" "${FOLDER}"
    start_landfall "${BATS_FILE_TMPDIR}/server"
}

teardown_file() {
    stop_landfall
}

# results ARGUMENT...: runs landfall results with a bound; see ${status}, ${output} and ${stderr}.
results() {
    run --separate-stderr timeout 60 "${LANDFALL_BIN}" results "$@" </dev/null
    echo "results $*: exit code ${status}, output '${output}', error output '${stderr}'"
}

# use folder|server: sets ${SOURCE}, the options that name it.
use() {
    if [[ "$1" == folder ]]; then SOURCE=(--data "${FOLDER}"); else SOURCE=(--server "${LANDFALL_URL}"); fi
}

# expect_output PROGRAM [JQ OPTION]...: the output is one JSON document, of which PROGRAM is true.
expect_output() {
    local program="$1"
    shift
    jq --exit-status --slurp "$@" "length == 1 and (.[0] | ${program})" <<<"${output}"
}

# copy: a folder of its own with the 120 results, in ${COPY}.
copy() {
    COPY="${SCRATCH}/copy-${RANDOM}"
    cp -r "${FOLDER}" "${COPY}"
}

# --- Usage ------------------------------------------------------------------------------------------

@test "every subcommand explains itself, with examples" {
    local command
    results --help
    [[ "${status}" == 0 && "${output}" == *USAGE* ]]
    for command in list get wait export import adopt erase compact reindex verify redecode; do
        [[ "${output}" == *"  ${command} "* ]]
        run --separate-stderr "${LANDFALL_BIN}" results "${command}" --help
        [[ "${status}" == 0 && "${output}" == *"USAGE: landfall results ${command}"* ]]
        results --help
    done
}

@test "bad usage ends with 2 and says how it is used" {
    local arguments
    while read -r arguments; do
        # shellcheck disable=SC2086 # the words are arguments
        results ${arguments}
        [[ "${status}" == 2 && "${stderr}" == *[Uu]sage* ]]
        # With --json, the document says it too.
        [[ "${arguments}" == *--json* || -z "${output}" ]]
    done <<'USAGES'
nonsense
list --limit -1
list --limit many
list --lines --json
list --fields id
list --since yesterday
list --since 5ms
list --data a --server http://b
list --data=
get
get wait
get ../inboxes
get latest --json --body
get latest --to http://b
wait --server http://a --within 6m
wait --server http://a --none --count 2
export --format xml
export --json
import
erase
erase latest --yes
erase 019a0000-0000-7000-8000-000000000000 --inbox b
erase --inbox UPPER --yes
reindex --server http://a
USAGES
}

@test "a folder that is not there is an error, and is not made" {
    local command
    for command in list 'get latest' export compact reindex verify redecode 'erase --inbox a --yes'; do
        # shellcheck disable=SC2086 # the words are arguments
        results ${command} --data "${SCRATCH}/nowhere"
        [[ "${status}" == 3 && -z "${output}" && "${stderr}" == *nowhere* ]]
        [[ ! -e "${SCRATCH}/nowhere" ]]
    done
    mkdir "${SCRATCH}/empty"
    results list --data "${SCRATCH}/empty"
    [[ "${status}" == 3 && "${stderr}" == *"not a data folder"* ]]
    [[ -z "$(ls -A "${SCRATCH}/empty")" ]]
}

@test "a folder that this user may not read is said to be that" {
    local folder unprivileged=()
    # An administrator without capabilities is a user like others.
    if ((EUID == 0)); then unprivileged=(setpriv --bounding-set=-all --inh-caps=-all); fi
    "${unprivileged[@]}" true || skip "capabilities can't be dropped here"
    mkdir --parents "${SCRATCH}/forbidden/results"
    for folder in "${SCRATCH}/forbidden" "${SCRATCH}/forbidden/results"; do
        chmod 0000 "${folder}"
        run --separate-stderr timeout 20 "${unprivileged[@]}" "${LANDFALL_BIN}" results list \
            --data "${SCRATCH}/forbidden"
        chmod 0700 "${folder}"
        [[ "${status}" == 3 && -z "${output}" ]]
        [[ "${stderr}" == *"forbidden/results can't be read: it is not readable for this user." ]]
    done
}

@test "the folder is the configured one, unless it is named" {
    mkdir -p "${SCRATCH}/Config"
    echo "data: ${FOLDER}" >"${SCRATCH}/Config/landfall.yaml"
    results list --config "${SCRATCH}/Config/landfall.yaml" seq:1
    [[ "${status}" == 0 ]]
    results list --config "${SCRATCH}/nowhere.yaml"
    [[ "${status}" == 3 && "${stderr}" == *nowhere.yaml* ]]
    run --separate-stderr env --chdir="${SCRATCH}/Config" "${LANDFALL_BIN}" results list seq:1
    [[ "${status}" == 0 ]]
    mkdir "${SCRATCH}/bare"
    run --separate-stderr env --chdir="${SCRATCH}/bare" "${LANDFALL_BIN}" results list
    [[ "${status}" == 3 && "${stderr}" == *landfall-data*"landfall serve"*"--data"*"--server"* ]]
    [[ -z "$(ls -A "${SCRATCH}/bare")" ]]
    run --separate-stderr env --chdir="${SCRATCH}" LANDFALL_DATA="${FOLDER}" "${LANDFALL_BIN}" results list seq:1
    [[ "${status}" == 0 ]]
}

@test "a folder that a server holds is asked through the server" {
    results list --data "${SERVER_DATA}" --json --limit 0
    [[ "${status}" == 0 && -z "${stderr}" ]]
    expect_output '.results | length == 120'
    results wait --data "${SERVER_DATA}" seq:1
    [[ "${status}" == 0 ]]
    results reindex --data "${SERVER_DATA}"
    [[ "${status}" == 3 && "${stderr}" == *"process ${SERVER_PID}"* && "${stderr}" == *"${LANDFALL_URL}"* ]]
}

@test "a folder that another process holds, and that names no server, is refused with its process" {
    copy
    exec {held}<"${COPY}"
    flock --exclusive --nonblock "${held}"
    printf '4711\nno address\n' >"${COPY}/LOCK"
    results list --data "${COPY}"
    exec {held}<&-
    [[ "${status}" == 3 && "${stderr}" == *"process 4711"* && "${stderr}" == *--server* ]]
}

@test "waiting needs a server" {
    results wait --data "${FOLDER}" seq:1
    [[ "${status}" == 3 && -z "${output}" && "${stderr}" == *"landfall serve"* ]]
}

@test "a server that is not there, or asks for a token, ends with 3 and a sentence" {
    results list --server http://127.0.0.1:1
    [[ "${status}" == 3 && -z "${output}" && "${#stderr_lines[@]}" == 1 && "${stderr}" == *127.0.0.1:1* ]]
    export LANDFALL_TOKEN="${TOKEN}"
    launch_landfall "${SCRATCH}/guarded" --config Config/landfall.yaml --host 0.0.0.0 --port 0 \
        --data "${SCRATCH}/guarded/data"
    wait_for_landfall 127.0.0.1
    results list --server "${LANDFALL_URL}" --token wrong
    [[ "${status}" == 3 && -z "${output}" && "${stderr}" == *--token* && "${stderr}" != *Bearer* ]]
    run -3 --separate-stderr "${LANDFALL_BIN}" trip welltory --server "${LANDFALL_URL}" --token wrong
    [[ "${stderr}" == *--token* && "${stderr}" != *Bearer* ]]
    results list --server "${LANDFALL_URL}" --token "${TOKEN}"
    [[ "${status}" == 1 ]]
    # From the environment.
    results list --server "${LANDFALL_URL}"
    [[ "${status}" == 1 ]]
    stop_landfall
}

# A program that answers everything with a page, as a proxy does that asks for a login; below /json, with {}, and below
# /json/empty with an empty list.
@test "what another program answers is not taken for a server's answer" {
    python3 - "${SCRATCH}/port" <<'SERVER' 3>&- &
import http.server, os, sys

class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        is_json = self.path.startswith("/json")
        body = b"{}" if is_json else b"<html>Log in</html>\n"
        if self.path.startswith("/json/empty"):
            body = b'{"results":[],"next_cursor":"7"}'
        self.send_response(200)
        self.send_header("Content-Type", "application/json" if is_json else "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_POST = do_DELETE = do_GET

    def log_message(self, *arguments):
        pass

server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
open(sys.argv[1] + ".new", "w").write(str(server.server_port))
os.rename(sys.argv[1] + ".new", sys.argv[1])
server.serve_forever()
SERVER
    local page=$! attempt url command id=019a8f6e-4b1c-7c3e-9d56-0242ac120002
    SERVER_PIDS+=("${page}")
    for ((attempt = 0; attempt < 3000; attempt++)); do
        [[ -e "${SCRATCH}/port" ]] && break
        sleep 0.02
    done
    url="http://127.0.0.1:$(<"${SCRATCH}/port")"
    while read -r command; do
        # shellcheck disable=SC2086 # the words of a command
        results ${command} --server "${url}"
        [[ "${status}" == 3 && -z "${output}" && "${stderr}" == *"isn't Landfall's"* ]] || fail "${command}"
        [[ ! -e "${SCRATCH}/backup" ]]
    done <<COMMANDS
list
list --lines
get latest
get ${id} --request
get ${id} --curl
erase ${id} --yes
erase --inbox a --yes
export
export --output ${SCRATCH}/backup
wait
verify
compact
adopt ${id} --vendor welltory
COMMANDS
    results erase "${id}" --yes --server "${url}/json"
    [[ "${status}" == 3 && -z "${output}" && "${stderr}" == *"isn't Landfall's"* ]]
    results erase --inbox a --yes --server "${url}/json"
    [[ "${status}" == 3 && -z "${output}" && "${stderr}" == *"isn't Landfall's"* ]]
    results wait --server "${url}/json"
    [[ "${status}" == 3 && -z "${output}" && "${stderr}" == *'not a list of results'* ]]
    # A list whose results were all erased while it was sent is still one.
    results wait --server "${url}/json/empty"
    [[ "${status}" == 0 && -z "${output}${stderr}" ]]
    for url in "${url}" "${url}/json"; do
        run --separate-stderr timeout 20 "${LANDFALL_BIN}" health --server "${url}"
        [[ "${status}" == 1 && -z "${output}" && "${stderr}" == *"isn't Landfall's"* ]]
    done
    kill "${page}"
}

# --- list -------------------------------------------------------------------------------------------

@test "list prints a table, newest first, 20 unless --limit says otherwise" {
    local where
    for where in folder server; do
        use "${where}"
        results list "${SOURCE[@]}"
        [[ "${status}" == 0 && -z "${stderr}" && "${#lines[@]}" == 21 ]]
        [[ "${lines[0]}" == RECEIVED*SUMMARY && "${lines[1]}" == *" ci "*" raw "* ]]
        results list "${SOURCE[@]}" --limit 3 vendor:welltory verdict:decoded
        [[ "${#lines[@]}" == 4 && "${lines[1]}" == *"stress 0.3"* ]]
        results list "${SOURCE[@]}" --limit 0
        [[ "${#lines[@]}" == 121 ]]
    done
}

@test "list --json is one document, and the same from both" {
    local where
    for where in folder server; do
        use "${where}"
        results list "${SOURCE[@]}" --json --limit 0 --sort seq
        [[ "${status}" == 0 && -z "${stderr}" ]]
        expect_output '[.results[].seq] == [range(1; 121)] and .next_cursor == null'
        printf '%s' "${output}" >"${SCRATCH}/${where}"
        results list "${SOURCE[@]}" --json --limit 7
        expect_output '(.results | length) == 7 and (.next_cursor | type) == "string"'
        results list "${SOURCE[@]}" --json --limit 2 --fields id,request.method
        expect_output 'all(.results[]; keys == ["id", "request"] and .request == {"method": "GET"})'
    done
    cmp "${SCRATCH}/folder" "${SCRATCH}/server"
}

@test "list --lines prints an object a line" {
    local where
    for where in folder server; do
        use "${where}"
        results list "${SOURCE[@]}" --lines --limit 0 inbox:other --sort=-seq
        [[ "${#lines[@]}" == 60 ]]
        jq --exit-status --slurp '[.[].seq] == ([.[].seq] | sort | reverse) and all(.[]; .inbox == "other")' \
            <<<"${output}"
    done
}

@test "list puts more than a page together again" {
    local folder="${SCRATCH}/many"
    jq --compact-output --slurp '.[0] | del(.crc32) | .id[:32] as $start
        | range(1203) as $number | .id = $start + "\(1000 + $number)"' "${FOLDER}"/results/*.jsonl \
        >"${SCRATCH}/many.ndjson"
    results import "${SCRATCH}/many.ndjson" --data "${folder}"
    [[ "${status}" == 0 ]]
    results list --data "${folder}" --json --limit 0 --sort seq
    expect_output '[.results[].seq] == [range(1; 1204)] and .next_cursor == null'
    results list --data "${folder}" --json --limit 1100 --sort seq
    expect_output '(.results | length) == 1100 and (.next_cursor | type) == "string"'
    results list --data "${folder}" --limit 0
    [[ "${#lines[@]}" == 1204 && "$(grep --count RECEIVED <<<"${output}")" == 1 ]]
    results list --data "${folder}" --lines --limit 0
    [[ "${#lines[@]}" == 1203 ]]
}

@test "list goes on after pages that end early because their results are large" {
    local folder="${SCRATCH}/large" form
    jq --compact-output --slurp '.[0] | del(.crc32) | .id[:32] as $start
        | .request.body = {encoding: "utf8", data: ("x" * 4000000)}
        | range(12) as $number | .id = $start + "\(1000 + $number)"' "${FOLDER}"/results/*.jsonl \
        >"${SCRATCH}/large.ndjson"
    results import "${SCRATCH}/large.ndjson" --data "${folder}"
    [[ "${status}" == 0 ]]
    for form in --json --lines; do
        results list --data "${folder}" --limit 11 --sort seq --fields seq "${form}"
        jq --exit-status --slurp '[.[] | (.results[]?, .) | .seq? // empty] == [range(1; 12)]' <<<"${output}"
    done
    results list --data "${folder}" --limit 11
    [[ "${#lines[@]}" == 12 ]]
}

@test "list finds nothing: exit code 1" {
    local where
    for where in folder server; do
        use "${where}"
        results list "${SOURCE[@]}" inbox:nowhere
        [[ "${status}" == 1 && -z "${output}" && "${#stderr_lines[@]}" == 1 ]]
        results list "${SOURCE[@]}" inbox:nowhere --json
        [[ "${status}" == 1 && -z "${stderr}" ]]
        expect_output '. == {"results": [], "next_cursor": null}'
        results list "${SOURCE[@]}" inbox:nowhere --lines
        [[ "${status}" == 1 && -z "${output}" ]]
    done
}

@test "list --since looks back so far only" {
    local where
    for where in folder server; do
        use "${where}"
        results list "${SOURCE[@]}" --since 2h --limit 0 --lines
        [[ "${#lines[@]}" == 120 ]]
        results list "${SOURCE[@]}" --since 2020-11-20 --limit 0 --lines
        [[ "${#lines[@]}" == 120 ]]
        results list "${SOURCE[@]}" --since 2020-11-20T06:13:00+02:00 --limit 0 --lines
        [[ "${#lines[@]}" == 120 ]]
        results list "${SOURCE[@]}" --since 0s
        [[ "${status}" == 1 ]]
    done
}

@test "a wrong query ends with 2, with a caret under the place" {
    local where
    for where in folder server; do
        use "${where}"
        results list "${SOURCE[@]}" inbox:ci vendro:dimmy
        [[ "${status}" == 2 && -z "${output}" ]]
        [[ "${stderr_lines[0]}" == *"did you mean vendor"* ]]
        [[ "${stderr_lines[1]}" == '  inbox:ci vendro:dimmy' ]]
        [[ "${stderr_lines[2]}" == '           ^' ]]
        results list "${SOURCE[@]}" --json --sort nonsense
        [[ "${status}" == 2 && "${stderr}" == *"sort: "* ]]
        expect_output '.status == 400 and .errors[0].name == "sort"'
    done
    # Too long for the request.
    results list --server "${LANDFALL_URL}" "$(printf 'я%.0s' {1..3000})"
    [[ "${status}" == 2 && "${stderr}" == *"at most 16384 bytes"* ]]
}

# --- get --------------------------------------------------------------------------------------------

@test "get shows a result, its request, its body, and a curl command" {
    local where id
    id="$(jq --raw-output 'select(.seq == 2) | .id' "${FOLDER}"/results/*.jsonl)"
    for where in folder server; do
        use "${where}"
        results get "${id}" "${SOURCE[@]}" --json
        [[ "${status}" == 0 && "${#lines[@]}" == 1 ]]
        expect_output '.id == $id and .seq == 2' --arg id "${id}"
        results get "${id}" "${SOURCE[@]}"
        [[ "${status}" == 0 && "${output}" == *"${id}"*"inbox     other"*dimmy*error*"not_logged_in"* ]]
        [[ "${output}" == *"GET /callbacks/dimmy/other?status=error&error=not_logged_in"* ]]
        results get "${id}" "${SOURCE[@]}" --request
        [[ "${lines[0]}" == 'GET /callbacks/dimmy/other?status=error&error=not_logged_in HTTP/1.1'* ]]
        results get "${id}" "${SOURCE[@]}" --curl --to http://127.0.0.1:9
        [[ "${output}" == *"'http://127.0.0.1:9/callbacks/dimmy/other?"* ]]
        results get "${id}" "${SOURCE[@]}" --curl
        [[ "${output}" == *"/callbacks/dimmy/other?"* ]]
        results get latest "${SOURCE[@]}" --json
        expect_output '.seq == 120'
        results get latest "${SOURCE[@]}" --request
        [[ "${lines[0]}" == 'GET /callbacks/raw/ci?number=30 HTTP/1.1'* ]]
    done
}

@test "get --body prints the exact bytes" {
    start_landfall "${SCRATCH}/own"
    printf 'a\0b\r\n\377' >"${SCRATCH}/sent"
    get /callbacks/raw --data-binary "@${SCRATCH}/sent" --header 'Content-Type: application/octet-stream'
    expect_status 201
    timeout 20 "${LANDFALL_BIN}" results get latest --server "${LANDFALL_URL}" --body >"${SCRATCH}/server"
    stop_landfall
    timeout 20 "${LANDFALL_BIN}" results get latest --data "${SERVER_DATA}" --body >"${SCRATCH}/folder"
    cmp "${SCRATCH}/sent" "${SCRATCH}/server"
    cmp "${SCRATCH}/sent" "${SCRATCH}/folder"
}

@test "get of what is not there ends with 1" {
    local where
    for where in folder server; do
        use "${where}"
        results get "${SOURCE[@]}" --json 019a0000-0000-7000-8000-000000000000
        [[ "${status}" == 1 && -n "${stderr}" ]]
        expect_output '.status == 404'
        [[ "${stderr}" == *'landfall results list'* && "${stderr}" != *GET* ]]
    done
}

# --- wait -------------------------------------------------------------------------------------------

@test "wait ends with 0 when they came, and with 1 and the nearest when not" {
    results wait --server "${LANDFALL_URL}" inbox:ci --count 30 --within 5s
    [[ "${status}" == 0 && "${#lines[@]}" == 31 ]]
    results wait --server "${LANDFALL_URL}" inbox:ci --count 2 --json
    [[ "${status}" == 0 ]]
    expect_output '(.results | length) == 2 and (.next_cursor | type) == "string"'
    results wait --server "${LANDFALL_URL}" inbox:ci vendor:dimmy --within 50ms
    [[ "${status}" == 1 && -z "${output}" && "${stderr}" == *"The nearest ones, and what they lack:"* ]]
    [[ "${stderr}" == *": vendor is "*", not dimmy"* ]]
    results wait --server "${LANDFALL_URL}" inbox:ci vendor:dimmy --within 50ms --json
    [[ "${status}" == 1 ]]
    expect_output '.type == "urn:landfall:problem:wait-timed-out" and (.nearest | length) > 0'
    results wait --server "${LANDFALL_URL}" inbox:new --none --within 50ms
    [[ "${status}" == 0 && -z "${output}" ]]
    results wait --server "${LANDFALL_URL}" inbox:ci --none --within 5s
    [[ "${status}" == 1 && "${output}" == *" ci "* && "${stderr}" != *nearest* ]]
    results wait --server "${LANDFALL_URL}" inbox:ci --count 500 --within 50ms
    [[ "${status}" == 1 && "${#lines[@]}" -gt 30 ]]
    results wait --server "${LANDFALL_URL}" inbox:ci --after now --within 50ms
    [[ "${status}" == 1 && "${stderr}" == *"arrived in time; no record came while waiting."* ]]
}

# --- export and import ------------------------------------------------------------------------------

@test "an export is the same from both, in every format" {
    local where format
    for format in ndjson csv har; do
        for where in folder server; do
            use "${where}"
            results export "${SOURCE[@]}" --format "${format}" inbox:ci
            [[ "${status}" == 0 && -z "${stderr}" ]]
            printf '%s' "${output}" >"${SCRATCH}/${where}"
            results export "${SOURCE[@]}" --format "${format}" inbox:ci --output "${SCRATCH}/file" --json
            [[ "${status}" == 0 ]]
            expect_output '[.format, .bytes, .file, .left_out] == [$format, $size, $file, 0]' --arg format "${format}" \
                --arg file "${SCRATCH}/file" --argjson size "$(stat --format %s "${SCRATCH}/file")"
            [[ "$(<"${SCRATCH}/file")" == "${output:+$(<"${SCRATCH}/${where}")}" ]]
            [[ ! -e "${SCRATCH}/file.unfinished" && "$(stat --format %a "${SCRATCH}/file")" == 600 ]]
        done
        cmp "${SCRATCH}/folder" "${SCRATCH}/server"
        (($(stat --format %s "${SCRATCH}/file") > 1000))
    done
}

# A proxy that passes the content on, and drops the trailer fields.
@test "an export without the number of damaged records says that it is unknown, and ends with 1" {
    python3 - "${SCRATCH}/port" "${LANDFALL_URL}" <<'PROXY' 3>&- &
import http.server, os, sys, urllib.request

class Proxy(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        with urllib.request.urlopen(sys.argv[2] + self.path) as answer:
            kind, content = answer.headers["Content-Type"], answer.read()
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *arguments):
        pass

server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Proxy)
open(sys.argv[1] + ".new", "w").write(str(server.server_port))
os.rename(sys.argv[1] + ".new", sys.argv[1])
server.serve_forever()
PROXY
    local proxy=$! attempt
    SERVER_PIDS+=("${proxy}")
    for ((attempt = 0; attempt < 500; attempt++)); do
        [[ -e "${SCRATCH}/port" ]] && break
        sleep 0.02
    done
    results export --server "http://127.0.0.1:$(<"${SCRATCH}/port")" inbox:ci --output "${SCRATCH}/file" --json
    [[ "${status}" == 1 && "${stderr}" == *Unknown*Landfall-Left-Out* ]]
    expect_output 'has("left_out") and .left_out == null and .bytes > 1000'
    results export --server "${LANDFALL_URL}" inbox:ci --output "${SCRATCH}/direct"
    [[ "${status}" == 0 && -z "${stderr}" ]]
    cmp "${SCRATCH}/file" "${SCRATCH}/direct"
    kill -KILL "${proxy}"
}

@test "an export that fails leaves the file that was there" {
    local where
    echo before >"${SCRATCH}/file"
    for where in folder server; do
        use "${where}"
        results export "${SOURCE[@]}" 'vendor:' --output "${SCRATCH}/file"
        [[ "${status}" == 2 && "${stderr}" == *^* && "$(<"${SCRATCH}/file")" == before ]]
        [[ ! -e "${SCRATCH}/file.unfinished" ]]
        results export "${SOURCE[@]}" --output "${SCRATCH}/nowhere/file"
        [[ "${status}" == 3 && -n "${stderr}" ]]
        results export "${SOURCE[@]}" --output /dev/null
        [[ "${status}" == 3 && "${stderr}" == *regular* && -c /dev/null ]]
    done
}

# A server that breaks off in the middle of an answer.
@test "an export that breaks off is an error, and no file" {
    python3 - "${SCRATCH}/port" <<'SERVER' 3>&- &
import socket, sys
listener = socket.create_server(("127.0.0.1", 0))
listener.settimeout(20)
open(sys.argv[1] + ".new", "w").write(str(listener.getsockname()[1]))
__import__("os").rename(sys.argv[1] + ".new", sys.argv[1])
peer, _ = listener.accept()
peer.recv(65536)
peer.sendall(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n{}\n\r\n")
peer.close()
SERVER
    local breaking=$! attempt
    for ((attempt = 0; attempt < 3000; attempt++)); do
        [[ -e "${SCRATCH}/port" ]] && break
        sleep 0.02
    done
    results export --server "http://127.0.0.1:$(<"${SCRATCH}/port")" --output "${SCRATCH}/file"
    [[ "${status}" == 3 && "${stderr}" == *"in the middle"* ]]
    [[ ! -e "${SCRATCH}/file" && ! -e "${SCRATCH}/file.unfinished" ]]
    wait "${breaking}"
}

@test "an import keeps ids and times, and a second one changes nothing" {
    local where
    results export --data "${FOLDER}" --output "${SCRATCH}/all.ndjson"
    start_landfall "${SCRATCH}/own"
    for where in folder server; do
        SOURCE=(--data "${SCRATCH}/new")
        [[ "${where}" == server ]] && SOURCE=(--server "${LANDFALL_URL}")
        results import "${SCRATCH}/all.ndjson" "${SOURCE[@]}" --json
        [[ "${status}" == 0 ]]
        expect_output '. == {"imported": 120, "known": 0, "refused_count": 0, "refused": []}'
        results import "${SCRATCH}/all.ndjson" "${SOURCE[@]}"
        [[ "${status}" == 0 && "${output}" == *"0 results; 120 were there already; 0 lines refused"* ]]
        results list "${SOURCE[@]}" --limit 0 --lines --fields id,received_at,result --sort seq
        printf '%s' "${output}" >"${SCRATCH}/${where}"
    done
    results list --data "${FOLDER}" --limit 0 --lines --fields id,received_at,result --sort seq
    [[ "${output}" == "$(<"${SCRATCH}/folder")" && "${output}" == "$(<"${SCRATCH}/server")" ]]
    stop_landfall
}

@test "an import from standard input tells of the lines that it refuses" {
    local where
    results export --data "${FOLDER}" seq:1..3 --output "${SCRATCH}/three"
    sed --in-place '2s/"inbox"/"xobni"/' "${SCRATCH}/three"
    start_landfall "${SCRATCH}/own"
    for where in folder server; do
        SOURCE=(--data "${SCRATCH}/new")
        [[ "${where}" == server ]] && SOURCE=(--server "${LANDFALL_URL}")
        run --separate-stderr timeout 20 "${LANDFALL_BIN}" results import - "${SOURCE[@]}" <"${SCRATCH}/three"
        [[ "${status}" == 1 && "${lines[0]}" == *"Imported 2 results"*"1 line refused"* ]]
        [[ "${lines[1]}" == '  line 2: '* ]]
    done
    results import "${SCRATCH}/nowhere" --data "${SCRATCH}/new"
    [[ "${status}" == 3 && "${stderr}" == *nowhere* ]]
    stop_landfall
}

@test "an import of a data folder's own file is told to import an export where results were erased" {
    copy
    results erase "$(jq --raw-output .id "${COPY}"/results/*.jsonl | head -n 1)" --yes --data "${COPY}"
    [[ "${status}" == 0 ]]
    run --separate-stderr timeout 20 "${LANDFALL_BIN}" results import - --data "${SCRATCH}/raw" \
        < <(cat "${COPY}"/results/*.jsonl)
    [[ "${status}" == 1 && "${output}" == *'1 line refused'*'results export'* ]]
    run --separate-stderr timeout 20 "${LANDFALL_BIN}" results export --data "${COPY}" --output "${SCRATCH}/119"
    results import "${SCRATCH}/119" --data "${SCRATCH}/moved"
    [[ "${status}" == 0 && "${output}" == 'Imported 119 results'* ]]
}

# --- erase, compact, reindex, verify, redecode ------------------------------------------------------

@test "erase needs --yes where nobody can be asked" {
    copy
    results erase --inbox ci --data "${COPY}"
    [[ "${status}" == 2 && "${stderr}" == *--yes* ]]
    results list --data "${COPY}" inbox:ci
    [[ "${status}" == 0 ]]
}

@test "erase asks on a terminal, with the number and the inbox" {
    copy
    command -v script >/dev/null || skip "script is not there"
    run timeout 20 script --quiet --return --command \
        "'${LANDFALL_BIN}' results erase --inbox ci --data '${COPY}'" /dev/null <<<'n'
    [[ "${status}" == 1 && "${output}" == *'Erase 30 results of inbox ci permanently? [y/N]'* ]]
    results list --data "${COPY}" inbox:ci
    [[ "${status}" == 0 ]]
    run timeout 20 script --quiet --return --command \
        "'${LANDFALL_BIN}' results erase --inbox ci --data '${COPY}'" /dev/null <<<'y'
    [[ "${status}" == 0 && "${output}" == *'Erased 30 results.'* ]]
    results list --data "${COPY}" inbox:ci
    [[ "${status}" == 1 ]]
}

@test "what is erased is gone, and compact takes it off the disk" {
    local where ids
    copy
    cp -r "${FOLDER}" "${SCRATCH}/own-data"
    mkdir -p "${SCRATCH}/own" && mv "${SCRATCH}/own-data" "${SCRATCH}/own/data"
    start_landfall "${SCRATCH}/own"
    readarray -t ids < <(jq --raw-output 'select(.seq <= 2) | .id' "${FOLDER}"/results/*.jsonl)
    for where in folder server; do
        SOURCE=(--data "${COPY}")
        [[ "${where}" == server ]] && SOURCE=(--server "${LANDFALL_URL}")
        results erase "${ids[@]}" "${SOURCE[@]}" --yes
        [[ "${status}" == 0 && "${output}" == 'Erased 2 results.' ]]
        results erase "${ids[0]}" "${SOURCE[@]}" --yes --json
        [[ "${status}" == 1 ]]
        expect_output '. == {"erased": 0, "unknown": [$id]}' --arg id "${ids[0]}"
        results erase --inbox other "${SOURCE[@]}" -y --json
        [[ "${status}" == 0 ]]
        expect_output '.erased == 59'
        results erase --inbox other "${SOURCE[@]}" --yes
        [[ "${status}" == 0 && "${output}" == "Erased 0 results." ]]
        results list "${SOURCE[@]}" --limit 0 --lines
        [[ "${#lines[@]}" == 59 ]]
        results compact "${SOURCE[@]}" --json
        [[ "${status}" == 0 ]]
        expect_output '.removed_lines >= 61 and .failures == []'
        results compact "${SOURCE[@]}"
        [[ "${status}" == 0 && "${output}" == 'Nothing to do.' ]]
    done
    stop_landfall
    run ! grep --recursive --text not_logged_in "${COPY}" "${SCRATCH}/own/data"
}

# A server that erases one result, knows no second one, and answers no third request.
@test "an erasure that fails midway says what was erased before" {
    python3 - "${SCRATCH}/port" <<'SERVER' 3>&- &
import os, socket, sys
listener = socket.create_server(("127.0.0.1", 0))
listener.settimeout(20)
open(sys.argv[1] + ".new", "w").write(str(listener.getsockname()[1]))
os.rename(sys.argv[1] + ".new", sys.argv[1])
problem = b'{"type":"urn:landfall:problem:unknown-result","detail":"There is no such result."}'
unknown = b"HTTP/1.1 404 Not Found\r\nContent-Type: application/problem+json\r\nContent-Length: %d\r\n\r\n%s"
for answer in (b"HTTP/1.1 204 No Content\r\n\r\n", unknown % (len(problem), problem), b"") * 2:
    peer, _ = listener.accept()
    peer.recv(65536)
    peer.sendall(answer)
    peer.close()
SERVER
    local server=$! attempt option id=019a8f6e-4b1c-7c3e-9d56-0242ac12000
    for ((attempt = 0; attempt < 3000; attempt++)); do
        [[ -e "${SCRATCH}/port" ]] && break
        sleep 0.02
    done
    for option in --yes --json; do
        results erase "${id}"{1,2,3,4} --yes "${option}" --server "http://127.0.0.1:$(<"${SCRATCH}/port")"
        [[ "${status}" == 3 && "${stderr}" == *"no result ${id}2."*"Erased 1 result, then failed at ${id}3:"* ]]
        [[ "${option}" == --yes && -z "${output}" ]] || expect_output 'has("erased") | not'
    done
    wait "${server}"
}

@test "reindex rebuilds the index, and says how many records" {
    copy
    rm "${COPY}"/index.sqlite*
    results reindex --data "${COPY}"
    [[ "${status}" == 0 && "${output}" == 'Indexed 120 records.' ]]
    results reindex --data "${COPY}" --json
    expect_output '. == {"indexed_records": 120, "damage": [], "torn_end": null,
        "last_seq": null, "indexed_seq": null}'
    sed --in-place '3s/"seq":3/"seq":4/' "${COPY}"/results/*.jsonl
    results reindex --data "${COPY}" --json
    [[ "${status}" == 1 && "${stderr}" == *'no valid record'*'segment='* ]]
    expect_output '.indexed_records == 119 and (.damage | length) == 1 and .last_seq == null'
    sed --in-place '$d' "${COPY}"/results/*.jsonl
    results reindex --data "${COPY}" --json
    [[ "${status}" == 1 && "${stderr}" == *'the files end before the index did'* ]]
    expect_output '.last_seq == 119 and .indexed_seq == 120'
}

@test "a command that cuts off a torn end says so, with the place where it is kept" {
    copy
    printf torn | tee --append "${COPY}"/results/*.jsonl >/dev/null
    results list --data "${COPY}" --limit 1
    [[ "${status}" == 0 && "${stderr}" == *'torn end'*"${COPY}/results/torn/"* ]]
    copy
    printf torn | tee --append "${COPY}"/results/*.jsonl >/dev/null
    results reindex --data "${COPY}" --json
    [[ "${status}" == 0 && "${stderr}" == *'torn end'* ]]
    expect_output '.torn_end | startswith($place)' --arg place "${COPY}/results/torn/"
}

@test "verify reads everything, and says where it is wrong" {
    local where
    for where in folder server; do
        use "${where}"
        results verify "${SOURCE[@]}"
        [[ "${status}" == 0 && "${output}" == *'120 records'*'All is sound.' ]]
        results verify "${SOURCE[@]}" --json
        [[ "${status}" == 0 ]]
        expect_output '.sound and .records == 120 and .findings == []'
    done
    # A server may run on it.
    results verify --data "${SERVER_DATA}"
    [[ "${status}" == 0 ]]
    copy
    sed --in-place '3s/"seq":3/"seq":4/' "${COPY}"/results/*.jsonl
    results verify --data "${COPY}" --json
    [[ "${status}" == 1 ]]
    expect_output '(.sound | not) and any(.findings[]; .offset == $offset and (.file | startswith("results/")))' \
        --argjson offset "$(head --lines 2 "${COPY}"/results/*.jsonl | wc --bytes)"
}

@test "store copy says what damage it has left out, also where the index knows it already, and ends with 1" {
    store_copy() {
        run --separate-stderr timeout 60 "${LANDFALL_BIN}" store copy "$@"
        echo "store copy $*: exit code ${status}, output '${output}', error output '${stderr}'"
    }
    copy
    store_copy "${COPY}" "${SCRATCH}/whole" --json
    [[ "${status}" == 0 && -z "${stderr}" ]]
    expect_output '. == {"copied": 120, "left_out": 0, "only_in_target": [], "damaged_files": []}'
    sed --in-place '3s/"seq":3/"seq":4/' "${COPY}"/results/*.jsonl
    results redecode --data "${COPY}" --json
    expect_output '.checked == 120 and .unreadable == 1'
    store_copy "${COPY}" "${SCRATCH}/first" --json
    [[ "${status}" == 1 && "${stderr}" == *'Left out: '*' is damaged.'* ]]
    expect_output '. == {"copied": 119, "left_out": 1, "only_in_target": [], "damaged_files": []}'
    store_copy "${COPY}" "${SCRATCH}/first" --json
    [[ "${status}" == 1 && "${stderr}" == *'Left out: the record with seq 3, as by an earlier copy.' ]]
    expect_output '. == {"copied": 0, "left_out": 1, "only_in_target": [], "damaged_files": []}'
    results reindex --data "${COPY}"
    [[ "${status}" == 1 ]]
    store_copy "${COPY}" "${SCRATCH}/second" --json
    [[ "${status}" == 1 && "${stderr}" == *"${COPY}/results/"*'landfall results verify'* ]]
    expect_output '.copied == 119 and .left_out == 0 and .damaged_files == [$file]' \
        --arg file "results/$(basename "${COPY}"/results/*.jsonl)"
    store_copy "${COPY}" "${SCRATCH}/second"
    [[ "${status}" == 1 && "${output}" == 'Copied 0 records.' ]]
}

@test "an export says how many damaged records it has left out, and ends with 1" {
    local where
    copy
    sed --in-place '3s/"seq":3/"seq":4/' "${COPY}"/results/*.jsonl
    mkdir -p "${SCRATCH}/own" && cp -r "${COPY}" "${SCRATCH}/own/data"
    start_landfall "${SCRATCH}/own"
    for where in folder server; do
        SOURCE=(--data "${COPY}")
        [[ "${where}" == server ]] && SOURCE=(--server "${LANDFALL_URL}")
        results export "${SOURCE[@]}" --output "${SCRATCH}/${where}" --json
        [[ "${status}" == 1 && "${stderr}" == *'Left out: 1 damaged record; run '*' verify".'* ]]
        expect_output '.left_out == 1'
        (($(wc --lines <"${SCRATCH}/${where}") == 119))
        results export "${SOURCE[@]}" seq:5..7
        [[ "${status}" == 0 && "${#lines[@]}" == 3 ]]
    done
    stop_landfall
}

@test "redecode finds nothing new in what these decoders have decoded" {
    local where
    for where in folder server; do
        use "${where}"
        results redecode "${SOURCE[@]}" --json
        [[ "${status}" == 0 && -z "${stderr}" ]]
        expect_output '.checked == 120 and .changed == 0'
    done
}
