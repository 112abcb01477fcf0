# shellcheck shell=bash disable=SC2016 # programs of jq have variables of their own
# Shared set-up of the curl tests: requests, and what is expected of the answers.
# Invariant: the last answer is in ${STATUS}, ${HEAD} (status and field lines) and ${BODY}; a function
# that expects something says what came instead. Every wait is bounded.
# Left out: starting and stopping servers, which Tests/server.bash does.

bats_require_minimum_version 1.5.0
load ../server

FIXTURES="${BATS_TEST_DIRNAME}/fixtures"
SCRATCH="${BATS_TEST_TMPDIR:-${BATS_FILE_TMPDIR:-${TMPDIR:-/tmp}}}"
HEAD="${SCRATCH}/head"
BODY="${SCRATCH}/body"
STATUS=""
CURL=(curl --silent --show-error --globoff --path-as-is --max-time 60)

# Ends the servers of a test that failed before it could.
teardown() {
    if ((${#SERVER_PIDS[@]} > 0)); then kill -KILL "${SERVER_PIDS[@]}" 2>/dev/null || true; fi
}

# --- Calls that fail --------------------------------------------------------------------------------

# build_failing_calls: once for a file of tests, before with_failing_calls.
build_failing_calls() {
    clang -O1 -fPIC -shared "${REPOSITORY}/Tests/failing-calls.c" -o "${BATS_FILE_TMPDIR}/failing-calls.so"
}

# with_failing_calls COMMAND...: starts a server whose calls follow the rules of let_fail.
with_failing_calls() {
    FAILING_CALLS="${SCRATCH}/rules" FAILING_CALLS_LOG="${SCRATCH}/failed-calls" \
        LD_PRELOAD="${BATS_FILE_TMPDIR}/failing-calls.so" "$@"
}

# let_fail [RULE]...: which calls fail from now on, as Tests/failing-calls.c says; without a rule, none.
let_fail() {
    printf '%s\n' "$@" >"${SCRATCH}/new-rules"
    mv "${SCRATCH}/new-rules" "${SCRATCH}/rules"
}

# --- Requests ---------------------------------------------------------------------------------------

# get PATH [CURL OPTION]...: also the way to every other method, by --request or --head.
get() {
    local path="$1"
    shift
    : >"${BODY}"
    STATUS="$("${CURL[@]}" --dump-header "${HEAD}" --output "${BODY}" --write-out '%{http_code}' "$@" \
        "${LANDFALL_URL}${path}")"
}

# post_form PATH DATA [CURL OPTION]...: DATA is escaped already, or @FILE.
post_form() {
    local path="$1" data="$2"
    shift 2
    get "${path}" --data-binary "${data}" "$@"
}

# post_json PATH DATA [CURL OPTION]...: DATA is the text, or @FILE.
post_json() {
    local path="$1" data="$2"
    shift 2
    get "${path}" --header 'Content-Type: application/json' --data-binary "${data}" "$@"
}

# raw FILE: sends bytes on a connection of their own; all that comes back until the server closes, as it
# must, is the body.
raw() {
    local connection outcome=0
    exec {connection}<>"/dev/tcp/127.0.0.1/${SERVER_PORT}"
    cat "$1" 1>&"${connection}" 2>/dev/null || true
    timeout 60 cat <&"${connection}" >"${BODY}" 2>/dev/null || outcome=$?
    exec {connection}>&-
    if ((outcome == 124)); then
        echo "the connection was still open after 60 s" >&2
        return 1
    fi
    STATUS="$(head -n 1 "${BODY}" | cut -d ' ' -f 2)"
}

# start_load INBOX: load.py posts into the inbox, as process ${LOAD_PID}, and tells of what was acknowledged in
# ${SCRATCH}/acknowledged. Returns when the first callbacks are on disk.
start_load() {
    local before attempt
    before="$(cat "${SERVER_DATA}"/results/*.jsonl 2>/dev/null | wc --bytes)"
    "${BATS_TEST_DIRNAME}/load.py" "${SERVER_PORT}" "$1" >"${SCRATCH}/acknowledged" 3>&- &
    export LOAD_PID=$!
    for ((attempt = 0; attempt < 3000; attempt++)); do
        if (($(cat "${SERVER_DATA}"/results/*.jsonl 2>/dev/null | wc --bytes) > before)); then return; fi
        sleep 0.02
    done
    echo "the load did not begin within 60 s" >&2
    return 1
}

# escaped TEXT: percent-encoded for a query or a form.
escaped() {
    jq --null-input --raw-output --arg text "$1" '$text | @uri'
}

# query_of FIXTURE: the query of the URL in the file.
query_of() {
    local url
    url="$(<"${FIXTURES}/$1")"
    printf '%s' "${url#*\?}"
}

# walk QUERY PROGRAM: follows the cursors of a list to its end; prints what PROGRAM makes of each result.
walk() {
    local cursor="" page
    for ((page = 0; page < 2000; page++)); do
        get "/api/v1/results?$1${cursor}"
        expect_status 200 || return 1
        jq --raw-output "(.next_cursor // \"\" | @uri), (.results[] | $2)" "${BODY}" >"${SCRATCH}/page"
        read -r cursor <"${SCRATCH}/page"
        tail --lines +2 "${SCRATCH}/page"
        [[ -n "${cursor}" ]] || return 0
        cursor="&cursor=${cursor}"
    done
    echo "the cursors have no end" >&2
    return 1
}

# --- Expectations -----------------------------------------------------------------------------------

# fail SENTENCE: with the last answer below it.
fail() {
    echo "$1; the last answer was:" >&2
    [[ -f "${HEAD}" ]] && cat "${HEAD}" >&2
    head --bytes 2000 "${BODY}" >&2
    return 1
}

# expect_no_match GREP-ARGUMENT...: grep finds nothing in files that are there. A command after `!` never
# fails a test, unless it is the last one.
expect_no_match() {
    local result=0
    grep "$@" >"${SCRATCH}/match" 2>&1 || result=$?
    [[ "${result}" == 1 ]] || fail "grep $* ended with ${result}: $(head --bytes 500 "${SCRATCH}/match")"
}

expect_status() {
    [[ "${STATUS}" == "$1" ]] || fail "expected status $1, got ${STATUS}"
}

# expect_json PROGRAM [JQ OPTION]...: PROGRAM must be true of the body.
expect_json() {
    local program="$1"
    shift
    jq --exit-status "$@" "${program}" "${BODY}" >"${SCRATCH}/jq" 2>&1 || fail "not true: ${program}"
}

# field NAME: its value in the last answer.
field() {
    sed -n -E "/^$1: /I{s/^[^:]*: (.*)\r\$/\1/p;q}" "${HEAD}"
}

expect_field() {
    local value
    value="$(field "$1")"
    [[ "${value}" == "$2" ]] || fail "expected $1: $2, got '${value}'"
}

# expect_problem STATUS [PROGRAM]: an RFC 9457 answer of which PROGRAM is true.
expect_problem() {
    expect_status "$1"
    expect_field Content-Type application/problem+json
    [[ -n "$(field X-Request-Id)" ]] || fail "X-Request-Id is missing"
    expect_json '(.status == $status and (.type | startswith("urn:landfall:problem:"))
        and (.title | length) > 0 and (.detail | length) > 0 and (.errors | type) == "array")
        and ('"${2:-true}"')' --argjson status "$1"
}

# expect_stored VERDICT [PROGRAM [JQ OPTION]...]: the last answer is the reply to a callback of this
# verdict; PROGRAM is true of its result, which is the body from now on.
expect_stored() {
    local verdict="$1" program="${2:-true}" id
    shift $(($# > 1 ? 2 : 1))
    if [[ "${verdict}" == undecodable ]]; then expect_status 422; else expect_status 201; fi
    expect_field Content-Type application/json
    id="$(jq --raw-output --arg verdict "${verdict}" 'select(.verdict == $verdict
        and (.seq | type) == "number" and has("outcome") and (.diagnostics | type) == "array"
        and (.links | type) == "object") | .id' "${BODY}")"
    [[ -n "${id}" ]] || fail "this is no reply to a callback of verdict ${verdict}"
    expect_field Location "/api/v1/results/${id}"
    get "/api/v1/results/${id}"
    expect_status 200
    expect_json '(.id == $id and .verdict == $verdict) and ('"${program}"')' \
        --arg id "${id}" --arg verdict "${verdict}" "$@"
}

# expect_well: the server is still there and answers.
expect_well() {
    kill -0 "${SERVER_PID}"
    get /healthz
    expect_status 200
}
