#!/usr/bin/env bats
# Receiving callbacks: routes, names, limits, and what becomes of wrong requests.
# Invariant: whatever comes, the server answers, lives on, and has stored either the callback or nothing.
# Left out: what vendors' values decode to (vendors.bats).

# shellcheck disable=SC2016,SC2153 # programs of jq have variables of their own; STATUS is the answer's
load setup

setup_file() {
    start_landfall "${BATS_FILE_TMPDIR}/server"
}

teardown_file() {
    stop_landfall
}

# The seq of the last result; 0 when there is none.
last_seq() {
    cat "${SERVER_DATA}"/results/*.jsonl 2>/dev/null | grep --invert-match --count '"kind":"stray"' || true
}

# zeros COUNT: so many bytes of text.
zeros() {
    head --bytes "$1" /dev/zero | tr '\0' 0
}

# get_long PATH: with the bytes of ${SCRATCH}/query behind a question mark; for more than fits a command line.
get_long() {
    get "$1" --get --data-binary "@${SCRATCH}/query"
}

# undecodable LAYER PART OFFSET: the last reply is about a stored callback that has an error there; only
# Flux's status gives it an outcome.
undecodable() {
    cp "${BODY}" "${SCRATCH}/reply"
    expect_stored undecodable '.result == null
        and .outcome == (if .contract == "flux" then "completed" else null end)
        and .diagnostics == $reply[0].diagnostics
        and any(.diagnostics[]; .severity == "error" and .layer == $layer and .part == $part
            and .offset == $offset and (.expected | length) > 0 and (.found | length) > 0)' \
        --slurpfile reply "${SCRATCH}/reply" --arg layer "$1" --arg part "$2" --argjson offset "$3"
}

# undecodable_at LAYER TARGET: sends the target without its mark ^, which says where the error is.
undecodable_at() {
    local before="${2%%^*}"
    get "${before}${2#*^}"
    undecodable "$1" target "${#before}"
}

# --- Routes -----------------------------------------------------------------------------------------

@test "a reply has id, seq, verdict, outcome, diagnostics, links and the result's location" {
    get '/callbacks/welltory?stress=0.32&energy=0.75'
    expect_status 201
    expect_json '(.id | test("^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$"))
        and .seq == $seq and .verdict == "decoded" and .outcome == "completed" and (.diagnostics | map(.code) == ["absent_parameters"])
        and (.links | length) > 0' --argjson seq "$(last_seq)"
    get "$(field Location)"
    expect_status 200
}

@test "every answer has a request id of its own" {
    local first
    get '/callbacks/welltory?stress=0.32'
    first="$(field X-Request-Id)"
    get /nothing-here
    [[ -n "${first}" && -n "$(field X-Request-Id)" && "$(field X-Request-Id)" != "${first}" ]]
}

@test "a callback without an inbox is in the inbox default" {
    get '/callbacks/welltory?stress=0.32'
    expect_stored decoded '.inbox == "default"'
}

@test "a callback's path names its inbox" {
    local inbox
    for inbox in a 7 team-7 0.a_b-c "$(zeros 63)"; do
        post_form "/callbacks/welltory/${inbox}" 'stress=0.32'
        expect_stored decoded '.inbox == $inbox' --arg inbox "${inbox}"
    done
}

@test "a wrong name for an inbox is refused and no callback is stored" {
    local inbox before
    before="$(last_seq)"
    for inbox in Team -a .a _a a%20b a%2Fb a:b %C3%A4 'a@b' "$(zeros 64)"; do
        get "/callbacks/welltory/${inbox}?stress=0.32"
        expect_problem 400 '(.errors | length) == 1 and .errors[0].name == "inbox"'
    done
    [[ "$(last_seq)" == "${before}" ]]
}

@test "an unknown vendor is refused with a list of the vendors, and no callback is stored" {
    local before path
    before="$(last_seq)"
    for path in /callbacks/acme /callbacks/acme/inbox /callbacks/Welltory; do
        post_form "${path}" 'stress=0.32'
        expect_problem 404 '.detail as $detail
            | ["welltory", "dimmy", "ailet", "raw"] | all(. as $vendor | $detail | contains($vendor))'
    done
    [[ "$(last_seq)" == "${before}" ]]
}

@test "a path that is no route is not found" {
    local path
    for path in /callbacks /callbacks/welltory/inbox/more /callback/welltory /api/v1 /api/v2/results; do
        get "${path}"
        expect_problem 404
    done
}

@test "the configured receiver takes the published Welltory URL on its host" {
    get "/dds/?$(query_of welltory-callback.txt)" --header 'Host: www.yourapp.com'
    expect_stored decoded '.vendor == "welltory" and .inbox == "default" and .result.stress == 0.32
        and .request.host == "www.yourapp.com" and (.request.target | startswith("/dds/?stress=0.32"))'
}

@test "the receiver's host is compared without its case and port" {
    local host
    for host in WWW.YourApp.com www.yourapp.com:8080; do
        post_form /dds/ 'stress=0.32' --header "Host: ${host}"
        expect_stored decoded '.vendor == "welltory"'
    done
}

@test "the receiver's path is nothing on other hosts" {
    get '/dds/?stress=0.32'
    expect_problem 404
    get '/dds/?stress=0.32' --header 'Host: yourapp.com.example'
    expect_problem 404
}

# --- The request as it came -------------------------------------------------------------------------

@test "the request is stored with method, target, peer, headers in their order and case, and body" {
    post_json '/callbacks/welltory?x=%41+b&&x' '{"stress":0.32}' --header 'X-Zulu: one' \
        --header 'x-Alpha: two' --header 'X-Zulu: three'
    expect_stored decoded_with_warnings '.request | .method == "POST" and .scheme == "http"
        and .version == "1.1" and .target == "/callbacks/welltory?x=%41+b&&x"
        and (.peer | test("^127[.]0[.]0[.]1:[0-9]+$"))
        and .body == {"encoding":"utf8","data":"{\"stress\":0.32}"}
        and [.headers[] | select(.[0] | ascii_downcase | startswith("x-"))]
            == [["X-Zulu","one"],["x-Alpha","two"],["X-Zulu","three"]]'
}

@test "a body that is no UTF-8 is stored in Base64" {
    printf '\0\377\r\n=&' >"${SCRATCH}/bytes"
    post_form /callbacks/raw "@${SCRATCH}/bytes"
    expect_stored unmatched '.request.body == {"encoding":"base64","data":"AP8NCj0m"}'
}

@test "a chunked body is put together" {
    post_form /callbacks/welltory 'stress=0.32' --header 'Transfer-Encoding: chunked'
    expect_stored decoded '.request.body.data == "stress=0.32"'
}

@test "a client that expects 100 Continue gets it" {
    post_form /callbacks/welltory 'stress=0.32' --header 'Expect: 100-continue' \
        --expect100-timeout 10
    head -n 1 "${HEAD}" | grep --fixed-strings 'HTTP/1.1 100'
    expect_stored decoded
}

@test "JSON is told by its media type in any case and with parameters" {
    local type
    for type in 'application/json; charset=utf-8' 'Application/JSON' 'application/problem+json'; do
        get /callbacks/welltory --header "Content-Type: ${type}" --data-binary '{"stress":0.32}'
        expect_stored decoded '.result == {"stress":0.32}'
    done
}

@test "an URL of 101 kB goes in by GET and comes back byte for byte" {
    jq '.report.photos["602cb5b7098ee-9451"].products
        |= [range(260) as $facing | .[0] | .facing = $facing]' \
        "${FIXTURES}/ailet-report-with-task.json" >"${SCRATCH}/report"
    printf '/callbacks/ailet/long?result=%s' "$(jq --raw-output '@json | @uri' "${SCRATCH}/report")" \
        >"${SCRATCH}/target"
    (($(wc --bytes <"${SCRATCH}/target") > 101000))
    get "$(<"${SCRATCH}/target")"
    expect_stored decoded '.result.report.photos["602cb5b7098ee-9451"].products
        | length == 260 and .[259].facing == 259 and .[259].price == "46"'
    jq --join-output .request.target "${BODY}" | cmp - "${SCRATCH}/target"
    get "/api/v1/results/$(jq --raw-output .id "${BODY}")/request"
    head -n 1 "${BODY}" | cut -d ' ' -f 2 | tr --delete '\n' | cmp - "${SCRATCH}/target"
}

# --- What can't be decoded --------------------------------------------------------------------------

@test "broken percent-encoding is stored with layer and offset" {
    undecodable_at percent '/callbacks/ailet?result=%7B^%ZZ%7D'
    undecodable_at percent '/callbacks/welltory?stress=0.3^%2'
    undecodable_at percent '/callbacks/dimmy?response=eyJ9^%=='
}

@test "invalid UTF-8 is stored with layer and offset" {
    undecodable_at utf8 '/callbacks/ailet?result=%7B%22status%22%3A%22^%FF%22%7D'
    undecodable_at utf8 '/callbacks/welltory?stress=^%FF'
}

@test "NUL is stored with layer and offset" {
    undecodable_at json '/callbacks/ailet?result=^%00'
    undecodable_at url '/callbacks/welltory?stress=^%00'
    undecodable_at base64 '/callbacks/dimmy?response=eyJ9^%00'
}

@test "broken Base64 is stored with layer and offset" {
    undecodable_at base64 '/callbacks/dimmy?response=eyJ^*fQ=='
    undecodable_at base64 '/callbacks/dimmy?status=completed&response=eyJ^!'
}

@test "JSON that is not an object is stored with layer and offset" {
    undecodable_at json '/callbacks/ailet?result=^%5B1%5D'
    undecodable_at json "/callbacks/dimmy?response=^$(printf 42 | base64)"
    local body
    for body in '[1]' 42 '"text"' null; do
        post_json /callbacks/welltory "${body}"
        undecodable json body 0
    done
    post_json /callbacks/ailet '[1]'
    undecodable json body 0
}

@test "broken JSON is stored with layer and offset" {
    undecodable_at json '/callbacks/ailet?result=%7B%22status%22%3A^%7D'
    post_json /callbacks/ailet '{"status":}'
    undecodable json body 10
    post_json /callbacks/welltory '{"stress":0.32'
    undecodable json body 14
}

@test "a number with a comma is stored with layer and offset" {
    undecodable_at model '/callbacks/welltory?stress=^0,32'
    post_form /callbacks/welltory 'stress=0,32'
    undecodable model body 7
}

@test "a wrong content type is stored with the layer that says so" {
    get /callbacks/welltory --header 'Content-Type: text/plain' --data-binary 'stress=0.32'
    undecodable body body 0
}

@test "what is missing is missing from the part that has the parameters" {
    get '/callbacks/welltory?energy=0.5'
    expect_json '.diagnostics | length > 0 and all(.[]; .part == "target")'
    post_form /callbacks/welltory energy=0.5
    expect_json '.diagnostics | length > 0 and all(.[]; .part == "body")'
    post_json /callbacks/welltory '{"energy":0.5}'
    expect_json '.diagnostics | length > 0 and all(.[]; .part == "body")'
}

@test "a body of nothing is stored as undecodable" {
    local type vendor
    for vendor in welltory dimmy ailet; do
        for type in application/x-www-form-urlencoded application/json; do
            get "/callbacks/${vendor}" --header "Content-Type: ${type}" --data-binary ''
            expect_stored undecodable '.request.body == null
                and any(.diagnostics[]; .severity == "error")'
        done
    done
    get /callbacks/welltory
    expect_stored undecodable
}

@test "bytes that are no text are stored exactly, whatever the body claims to be" {
    printf '{"stress":"\377\0"}' >"${SCRATCH}/bytes"
    post_json /callbacks/welltory "@${SCRATCH}/bytes"
    undecodable utf8 body 11
    jq --join-output .request.body.data "${BODY}" | base64 --decode | cmp - "${SCRATCH}/bytes"
}

# --- Limits -----------------------------------------------------------------------------------------

@test "a target of 256 KiB is taken, one byte more is refused" {
    local before path=/callbacks/raw
    before="$(last_seq)"
    zeros $((262144 - ${#path} - 1)) >"${SCRATCH}/query"
    get_long "${path}"
    expect_stored unmatched '.request.target | length == 262144'
    zeros $((262145 - ${#path} - 1)) >"${SCRATCH}/query"
    get_long "${path}"
    expect_problem 414
    [[ "$(last_seq)" == "$((before + 1))" ]]
}

@test "a target of 300 KiB is refused with 414 and nothing is stored" {
    local before
    before="$(last_seq)"
    { printf 'stress=0.32&x='; zeros 307200; } >"${SCRATCH}/query"
    get_long /callbacks/welltory
    expect_problem 414
    [[ "$(last_seq)" == "${before}" ]]
    expect_well
}

@test "a path of 1,000 segments is routed, one with more is refused with 414 and not kept as a stray" {
    local path
    path="$(printf '/s%.0s' {1..1000})"
    get "${path}"
    expect_problem 404
    for path in "${path}/s" "/callbacks/raw${path}" "/api${path}"; do
        get "${path}?x"
        expect_problem 414 '.stray == null'
    done
    post_form "${path}" 'x=1'
    expect_problem 414 '.stray == null'
}

@test "a body over the limit is refused with 413 and nothing is stored, however it is sent" {
    local before option
    before="$(last_seq)"
    zeros 4194305 >"${SCRATCH}/large"
    for option in 'Expect:' 'Expect: 100-continue' 'Transfer-Encoding: chunked'; do
        post_form /callbacks/raw "@${SCRATCH}/large" --header "${option}"
        expect_problem 413
    done
    [[ "$(last_seq)" == "${before}" ]]
}

@test "header fields over the limits are refused with 431" {
    local number
    get '/callbacks/raw?x' --header "X-Large: $(zeros 20000)"
    expect_problem 431
    for number in {1..101}; do echo "header = \"X-${number}: 1\""; done >"${SCRATCH}/fields"
    get '/callbacks/raw?x' --config "${SCRATCH}/fields"
    expect_problem 431
}

# --- Methods ----------------------------------------------------------------------------------------

@test "other methods than GET and POST are refused with Allow, and nothing is stored" {
    local method before path
    before="$(last_seq)"
    for path in /callbacks/welltory /callbacks/welltory/inbox; do
        for method in PUT PATCH DELETE; do
            get "${path}?stress=0.32" --request "${method}"
            expect_problem 405
            expect_field Allow 'GET, POST, OPTIONS'
        done
    done
    get '/callbacks/welltory?stress=0.32' --head
    expect_status 405
    expect_field Allow 'GET, POST, OPTIONS'
    get '/dds/?stress=0.32' --request DELETE --header 'Host: www.yourapp.com'
    expect_problem 405
    [[ "$(last_seq)" == "${before}" ]]
}

@test "OPTIONS says what is allowed, and stores nothing" {
    local before
    before="$(last_seq)"
    get '/callbacks/welltory?stress=0.32' --request OPTIONS
    expect_status 204
    expect_field Allow 'GET, POST, OPTIONS'
    get /api/v1/results --request OPTIONS
    expect_status 204
    expect_field Allow 'GET, HEAD, OPTIONS'
    get / --request OPTIONS --request-target '*'
    expect_status 204
    expect_field Allow 'GET, HEAD, POST, PUT, DELETE, OPTIONS'
    get / --request CONNECT --request-target 'a.example:443'
    expect_problem 405
    expect_field Allow 'GET, HEAD, POST, PUT, DELETE, OPTIONS'
    [[ "$(last_seq)" == "${before}" ]]
}

@test "a method that nobody knows is refused with 501" {
    get '/callbacks/welltory?stress=0.32' --request BREW
    expect_problem 501
}

# --- The wire ---------------------------------------------------------------------------------------

@test "garbage gets a 400 and a closed connection, and the server lives on" {
    local garbage
    while IFS= read -r garbage; do
        # shellcheck disable=SC2059 # the escapes of the corpus are meant
        printf "${garbage}" >"${SCRATCH}/request"
        raw "${SCRATCH}/request"
        [[ "${STATUS}" == 400 ]] || fail "${garbage} got ${STATUS}"
        grep --text --ignore-case --quiet '^Connection: close' "${BODY}"
        grep --text --ignore-case --quiet '^Content-Type: application/problem+json' "${BODY}"
    done <<'CORPUS'
\r\n\r\n\r\nnonsense\r\n\r\n
GET\r\n\r\n
GET /callbacks/raw\r\n\r\n
GET /callbacks/raw?a b HTTP/1.1\r\nHost: a\r\n\r\n
GET /callbacks/raw?a\001b HTTP/1.1\r\nHost: a\r\n\r\n
GET /callbacks/raw?\377 HTTP/1.1\r\nHost: a\r\n\r\n
GET callbacks/raw HTTP/1.1\r\nHost: a\r\n\r\n
GET /callbacks/raw HTTP/1.1\r\n\r\n
GET /callbacks/raw HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n
GET /callbacks/raw HTTP/1.1\r\nHost: a b\r\n\r\n
GET /callbacks/raw HTTP/1.1\r\nHost: a\r\nX : 1\r\n\r\n
GET /callbacks/raw HTTP/1.1\r\nHost: a\r\nX: 1\r\n folded\r\n\r\n
GET /callbacks/raw HTTP/1.1\r\nHost: a\r\nX: a\000b\r\n\r\n
GET /callbacks/raw HTTP/1.1\nHost: a\n\n
POST /callbacks/raw HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n
POST /callbacks/raw HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab
POST /callbacks/raw HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999\r\n\r\n
POST /callbacks/raw HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n
POST /callbacks/raw HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n
POST /callbacks/raw HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked, gzip\r\n\r\n
\026\003\001\002\000\001\000\001\374\003\003
CORPUS
    expect_well
}

@test "random bytes of any length never end the server" {
    local length
    for length in 1 7 64 512 4096 65536; do
        head --bytes "${length}" /dev/urandom >"${SCRATCH}/request"
        printf '\r\n\r\n' >>"${SCRATCH}/request"
        raw "${SCRATCH}/request"
        [[ "${STATUS}" == 4?? || -z "${STATUS}" ]]
    done
    expect_well
}

@test "a version that is not spoken is refused with 505" {
    printf 'GET /healthz HTTP/2.0\r\nHost: a\r\n\r\n' >"${SCRATCH}/request"
    raw "${SCRATCH}/request"
    [[ "${STATUS}" == 505 ]]
}

@test "HTTP/1.0 is answered and the connection closed" {
    printf 'GET /callbacks/welltory?stress=0.32 HTTP/1.0\r\n\r\n' >"${SCRATCH}/request"
    raw "${SCRATCH}/request"
    [[ "${STATUS}" == 201 ]]
}

@test "pipelined requests are answered in their order on one connection" {
    {
        printf 'GET /callbacks/raw/pipe?one HTTP/1.1\r\nHost: a\r\n\r\n'
        printf 'POST /callbacks/raw/pipe HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\ntwo'
        printf 'GET /callbacks/raw/pipe?three HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'
    } >"${SCRATCH}/request"
    raw "${SCRATCH}/request"
    [[ "$(grep --text --only-matching 'HTTP/1.1 201' "${BODY}" | wc --lines)" == 3 ]]
    run walk inbox=pipe '.request.target'
    [[ "${output}" == $'/callbacks/raw/pipe?three\n/callbacks/raw/pipe\n/callbacks/raw/pipe?one' ]]
}

@test "a client that goes away in the middle of its body leaves nothing behind" {
    local before connection
    before="$(last_seq)"
    exec {connection}<>"/dev/tcp/127.0.0.1/${SERVER_PORT}"
    printf 'POST /callbacks/raw HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nhalf' >&"${connection}"
    exec {connection}>&-
    expect_well
    sleep 0.2
    [[ "$(last_seq)" == "${before}" ]]
}
