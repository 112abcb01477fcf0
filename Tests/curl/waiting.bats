#!/usr/bin/env bats
# Waiting: a client asks once, and is answered as soon as enough results match, or told why not.
# Invariant: no test measures time; what must be at once has seconds, and what must take its time is
# known by what it answers.
# Left out: how fast a waiter wakes, which `make bench` measures.

# bats file_tags=alone

# shellcheck disable=SC2016 # programs of jq have variables of their own
# shellcheck disable=SC2154 # bats sets status
load setup

setup_file() {
    build_failing_calls
    start_landfall "${BATS_FILE_TMPDIR}/server"
}

teardown_file() {
    stop_landfall
}

# wait_behind QUERY: asks in the background, as process ${WAITER}; its answer is in ${SCRATCH}/waited.
wait_behind() {
    "${CURL[@]}" --output "${SCRATCH}/waited" --write-out '%{http_code}' "${LANDFALL_URL}/api/v1/results/wait?$1" \
        >"${SCRATCH}/waited-status" 3>&- &
    WAITER=$!
    expect_waiters 1
}

# Takes the answer as the last one.
answered() {
    wait "${WAITER}"
    cp "${SCRATCH}/waited" "${BODY}"
    STATUS="$(<"${SCRATCH}/waited-status")"
}

# The server's sockets that belong to clients.
connections() {
    find "/proc/${SERVER_PID}/fd" -lname 'socket:*' 2>/dev/null | wc --lines
}

# expect_waiters COUNT: returns when the server knows that many waits. What comes then is later than they are.
expect_waiters() {
    local attempt metrics
    for ((attempt = 0; attempt < 1500; attempt++)); do
        metrics="$("${CURL[@]}" "${LANDFALL_URL}/metrics")"
        if [[ "${metrics}" == *$'\n'"landfall_waiters $1"$'\n'* ]]; then return; fi
        sleep 0.02
    done
    fail "there are no $1 waits within 30 s"
}

# --- What is there already --------------------------------------------------------------------------

@test "what is there already is answered at once" {
    post_form /callbacks/raw/there one
    get '/api/v1/results/wait?inbox=there&within=5m'
    expect_status 200
    expect_field Cache-Control no-store
    expect_json '(.results | length) == 1 and (.results[0].request | has("body") | not)
        and .next_cursor == (.results[0].seq | tostring)'
}

@test "count asks for several, oldest first, and fields cuts them down" {
    local text
    for text in one two three four; do post_form /callbacks/raw/several "${text}"; done
    get '/api/v1/results/wait?inbox=several&count=3&fields=request.body'
    expect_status 200
    expect_json '[.results[].request.body.data] == ["one", "two", "three"]'
}

@test "q and the simple parameters choose what is waited for" {
    get '/callbacks/welltory/chosen?stress=0.2'
    get '/callbacks/welltory/chosen?stress=0.6'
    get '/api/v1/results/wait?inbox=chosen&q=result.stress:%3E0.5&fields=result'
    expect_status 200
    expect_json '.results == [{"result":{"stress":0.6}}]'
}

# --- What comes later -------------------------------------------------------------------------------

@test "what arrives later is answered when it does" {
    wait_behind 'inbox=later&within=50s'
    post_form /callbacks/raw/later-not one
    post_form /callbacks/raw/later two
    answered
    expect_status 200
    expect_json '.results | length == 1 and .[0].inbox == "later"'
}

@test "what is there and what arrives count together" {
    post_form /callbacks/raw/together one
    wait_behind 'inbox=together&count=3&within=50s&fields=request.body'
    post_form /callbacks/raw/together two
    post_form /callbacks/raw/together three
    post_form /callbacks/raw/together four
    answered
    expect_status 200
    expect_json '[.results[].request.body.data] == ["one", "two", "three"]'
}

@test "after=now leaves out what is there" {
    post_form /callbacks/raw/now one
    wait_behind 'inbox=now&after=now&within=50s&fields=request.body'
    post_form /callbacks/raw/now two
    answered
    expect_status 200
    expect_json '[.results[].request.body.data] == ["two"]'
}

@test "after takes a seq, or the next_cursor of an earlier wait: nothing is left out or comes twice" {
    local number place
    for number in {1..5}; do post_form /callbacks/raw/places "${number}"; done
    place=0
    for number in {1..5}; do
        get "/api/v1/results/wait?inbox=places&after=${place}&fields=request.body"
        expect_status 200
        expect_json '[.results[].request.body.data] == [$number]' --arg number "${number}"
        place="$(jq --raw-output .next_cursor "${BODY}")"
    done
    get "/api/v1/results/wait?inbox=places&after=${place}&within=50ms"
    expect_problem 409
    place="$(jq --raw-output .next_cursor "${BODY}")"
    post_form /callbacks/raw/places six
    get "/api/v1/results/wait?inbox=places&after=${place}&fields=request.body"
    expect_json '[.results[].request.body.data] == ["six"]'
}

# import_outdated FROM INTO: a callback of stress 0.2 to one inbox, and the same in another one with a value of 99 that
# the decoder of today doesn't give.
import_outdated() {
    get "/callbacks/welltory/$1?stress=0.2"
    get "/api/v1/export?inbox=$1"
    jq --compact-output --arg inbox "$2" \
        'del(.crc32) | .result = {"stress": 99} | .inbox = $inbox | .id = (.id[:-4] + "0000")' "${BODY}" \
        >"${SCRATCH}/outdated"
    get /api/v1/import --header 'Content-Type: application/x-ndjson' --data-binary "@${SCRATCH}/outdated"
    expect_json '.imported == 1'
}

# redecode: decodes the outdated result again.
redecode() {
    sleep 0.3
    get '/api/v1/store/redecode?vendor=welltory&apply=true' --request POST
    expect_json '.changed == 1'
}

@test "a result that is only decoded again is not a later one" {
    local place
    import_outdated again again
    get '/api/v1/results/wait?inbox=again&q=result.stress:99'
    place="$(jq --raw-output .next_cursor "${BODY}")"
    wait_behind 'inbox=again&after=now&within=50s&fields=result'
    redecode
    get '/callbacks/welltory/again?stress=0.6'
    answered
    expect_json '.results == [{"result":{"stress":0.6}}]'
    get "/api/v1/results/wait?inbox=again&after=${place}&fields=result"
    expect_json '.results == [{"result":{"stress":0.6}}]'
    # A stream tells of changes too.
    get "/api/v1/results/stream?inbox=again&after=${place}&fields=result" --max-time 4 || true
    [[ "$(grep --count '^event: result' "${BODY}")" == 2 ]]
}

@test "a result that is decoded again between two waits comes in its turn, once" {
    local stress place
    get '/callbacks/welltory/turn?stress=0.1'
    import_outdated turn-of turn
    get '/callbacks/welltory/turn?stress=0.3'
    place=0
    for stress in 0.1 0.2 0.3; do
        get "/api/v1/results/wait?inbox=turn&fields=result&after=${place}"
        expect_status 200
        expect_json '.results == [{result: {stress: $stress}}]' --argjson stress "${stress}"
        place="$(jq --raw-output .next_cursor "${BODY}")"
        if [[ "${stress}" == 0.1 ]]; then redecode; fi
    done
    get "/api/v1/results/wait?inbox=turn&after=${place}&within=50ms"
    expect_problem 409 '.results == []'
}

@test "an earlier result that is decoded again while a client waits still counts" {
    import_outdated counted counts
    wait_behind 'inbox=counts&count=2&within=60s&fields=result'
    redecode
    get '/callbacks/welltory/counts?stress=0.6'
    SECONDS=0
    answered
    ((SECONDS < 20))
    expect_json '[.results[].result.stress] | sort == [0.2, 0.6]'
}

@test "waits that follow each other under load leave nothing out, also those in vain" {
    local place=0 number vain=0
    start_load followed
    for ((number = 0; number < 150; number++)); do
        # More than come in so short a time: most end in vain, in the middle of what arrives.
        get "/api/v1/results/wait?inbox=followed&after=${place}&count=500&within=10ms&fields=seq"
        [[ "${STATUS}" == 200 || "${STATUS}" == 409 ]] || fail "a wait went wrong"
        if [[ "${STATUS}" == 409 ]]; then vain=$((vain + 1)); fi
        jq '.results[].seq' "${BODY}" >>"${SCRATCH}/followed"
        place="$(jq --raw-output .next_cursor "${BODY}")"
    done
    kill "${LOAD_PID}" 2>/dev/null || true
    wait "${LOAD_PID}" 2>/dev/null || true
    ((vain > 0))
    get "/api/v1/results?inbox=followed&fields=seq&sort=seq&q=$(escaped "seq:<=${place}")" \
        --header 'Accept: application/x-ndjson'
    expect_status 200
    [[ "$(wc --lines <"${SCRATCH}/followed")" -gt 100 ]]
    diff "${SCRATCH}/followed" <(jq .seq "${BODY}")
}

@test "several lines that are too large to be kept for a waiting client are told all the same" {
    local number
    head --bytes 3000000 /dev/zero | tr '\0' x >"${SCRATCH}/large"
    "${CURL[@]}" --output "${SCRATCH}/told" \
        "${LANDFALL_URL}/api/v1/results/wait?inbox=heavy&count=3&within=50s&fields=seq,inbox" 3>&- &
    local waiting=$!
    sleep 0.3
    for number in 1 2 3; do post_form /callbacks/raw/heavy "@${SCRATCH}/large"; done
    wait "${waiting}"
    jq --exit-status '[.results[].inbox] == ["heavy", "heavy", "heavy"] and (.next_cursor | tonumber) == .results[2].seq' \
        "${SCRATCH}/told"
}

@test "clients with inboxes of their own get their own, 20 at once" {
    local number pids=()
    for number in {1..20}; do
        "${CURL[@]}" --output "${SCRATCH}/own-${number}" \
            "${LANDFALL_URL}/api/v1/results/wait?inbox=own-${number}&within=50s" 3>&- &
        pids+=($!)
    done
    expect_waiters 20
    for number in {1..20}; do get "/callbacks/raw/own-${number}?mark=${number}"; done
    wait "${pids[@]}"
    for number in {1..20}; do
        jq --exit-status --arg number "${number}" \
            '[.results[] | [.inbox, .request.target]] == [["own-" + $number, "/callbacks/raw/own-\($number)?mark=\($number)"]]' \
            "${SCRATCH}/own-${number}"
    done
}

@test "what is erased while a client waits neither counts nor is told" {
    post_form /callbacks/raw/erased one
    wait_behind 'inbox=erased&count=2&within=50s&fields=request.body'
    sleep 0.3
    get "/api/v1/inboxes/erased" --request DELETE
    expect_status 200
    post_form /callbacks/raw/erased two
    post_form /callbacks/raw/erased three
    answered
    expect_status 200
    expect_json '[.results[].request.body.data] == ["two", "three"]'
}

# damage FOLDER BODY: restarts its server after the lines with this body, of seven letters, were changed.
damage() {
    stop_landfall
    sed -i "s/\"data\":\"$2\"/\"data\":\"damaged\"/" "$1"/data/results/*.jsonl
    start_landfall "$1"
}

@test "a result whose line is damaged doesn't count, and the next one takes its place" {
    local folder="${BATS_TEST_TMPDIR}/damaged"
    start_landfall "${folder}"
    post_form /callbacks/raw/alone correct
    post_form /callbacks/raw/torn correct
    post_form /callbacks/raw/torn third
    damage "${folder}" correct
    get '/api/v1/results/wait?inbox=torn&fields=request.body'
    expect_status 200
    expect_json '[.results[].request.body.data] == ["third"]'
    get '/api/v1/results/wait?inbox=torn&count=2&within=100ms&fields=request.body'
    expect_problem 409 '[.results[].request.body.data] == ["third"] and (.detail | startswith("1 of 2 "))'
    get '/api/v1/results/wait?inbox=alone&none=true&within=100ms'
    expect_status 200
    expect_json '.results == []'
    wait_behind 'inbox=torn&count=2&within=50s&fields=request.body'
    post_form /callbacks/raw/torn fourth
    answered
    expect_status 200
    expect_json '[.results[].request.body.data] == ["third", "fourth"]'
    stop_landfall
}

@test "a store that can't be read for a moment ends a wait with 500, not as if its time were over" {
    with_failing_calls start_landfall "${BATS_TEST_TMPDIR}/failing"
    post_form /callbacks/raw/failing one
    wait_behind 'inbox=failing&count=2&within=60s'
    # By then the first result has been read, most likely; it is read again.
    sleep 0.3
    let_fail 'read .jsonl 5 0 1'
    post_form /callbacks/raw/failing two
    expect_status 201
    answered
    expect_status 500
    expect_json '.type == "urn:landfall:problem:store-failed"'
    grep --quiet '^read .*\.jsonl 5$' "${SCRATCH}/failed-calls"
    stop_landfall
}

@test "a wait that meets more than 500 damaged lines says so, unless after leaves them out" {
    local folder="${BATS_TEST_TMPDIR}/ruined" last
    start_landfall "${folder}"
    "${CURL[@]}" --no-globoff --output /dev/null --data-binary correct \
        "${LANDFALL_URL}/callbacks/raw/ruined?[1-501]"
    post_form /callbacks/raw/ruined whole
    damage "${folder}" correct
    get '/api/v1/results/wait?inbox=ruined'
    expect_problem 500 '.type == "urn:landfall:problem:damaged-record" and (.detail | contains("give after"))'
    get '/api/v1/results?inbox=ruined&fields=seq'
    expect_json '.results | length == 1'
    last="$(jq .results[0].seq "${BODY}")"
    get "/api/v1/results/wait?inbox=ruined&after=$((last - 501))&fields=request.body"
    expect_status 200
    expect_json '[.results[].request.body.data] == ["whole"]'
    stop_landfall
}

@test "after 4 MiB of results, a wait counts the others without reading them" {
    local folder="${BATS_TEST_TMPDIR}/unread" number
    head --bytes 3000000 /dev/zero | tr '\0' x >"${SCRATCH}/large"
    start_landfall "${folder}"
    for number in 1 2; do post_form /callbacks/raw/unread "@${SCRATCH}/large"; done
    post_form /callbacks/raw/unread correct
    post_form /callbacks/raw/unread fourth
    damage "${folder}" correct
    get '/api/v1/results/wait?inbox=unread&count=5&within=100ms&fields=seq'
    expect_problem 409 '(.detail | startswith("4 of 5 ")) and (.results | length) == 3'
    stop_landfall
}

# --- In vain ----------------------------------------------------------------------------------------

@test "the end of the time is 409, with what did match" {
    post_form /callbacks/raw/few one
    get '/api/v1/results/wait?inbox=few&count=2&within=100ms'
    expect_problem 409 '.type == "urn:landfall:problem:wait-timed-out" and (.results | length) == 1
        and .results[0].inbox == "few" and (.next_cursor | test("^[0-9]+$")) and .arrived == 0'
}

@test "results that are too large together for one problem come with its next_cursor" {
    local number place=0 found=''
    head --bytes 60000 /dev/zero | tr '\0' x >"${SCRATCH}/large"
    for number in {1..40}; do post_form /callbacks/raw/much "@${SCRATCH}/large"; done
    get '/api/v1/results?inbox=much&limit=40&sort=seq&fields=seq'
    jq .results[].seq "${BODY}" >"${SCRATCH}/all"
    for number in {1..5}; do
        get "/api/v1/results/wait?inbox=much&count=500&within=10ms&fields=seq,request.body&after=${place}"
        expect_problem 409
        found+="$(jq .results[].seq "${BODY}")"$'\n'
        place="$(jq --raw-output .next_cursor "${BODY}")"
        if ((number == 1)); then
            expect_json '(.results | length) as $count | $count < 40 and .next_cursor == "\(.results[-1].seq)"
                and (.detail | startswith("40 of 500 ") and contains("Listed are the first \($count);"))'
        fi
        if jq --exit-status '.results == []' "${BODY}"; then break; fi
    done
    ((number > 2))
    expect_json '.detail | contains("Listed") | not'
    diff <(grep . <<<"${found}") "${SCRATCH}/all"
}

@test "curl --retry does not take it for a failure that passes" {
    run curl --no-progress-meter --max-time 60 --retry 3 --retry-delay 1 \
        "${LANDFALL_URL}/api/v1/results/wait?inbox=nobody&within=50ms"
    [[ "${status}" == 0 ]]
    [[ "${output}" == *wait-timed-out* && "${output}" != *"Will retry"* ]]
}

@test "the nearest misses are told with each condition that failed and what was found instead" {
    wait_behind 'inbox=near&vendor=welltory&result.stress=gte:0.5&after=now&within=10s'
    get '/callbacks/dimmy/near?status=cancelled'
    get '/callbacks/welltory/near?stress=0.3'
    get '/callbacks/welltory/near-not?stress=0.3'
    answered
    expect_status 409
    expect_json '.arrived == 3 and (.nearest | length) >= 2 and (.nearest[0] | .inbox == "near" and .vendor == "welltory"
        and .misses == [{"condition":"result.stress:>=0.5","found":"0.3"}])'
    expect_json '.nearest | map(select(.vendor == "dimmy"))[0].misses
        == [{"condition":"vendor:welltory","found":"dimmy"},{"condition":"result.stress:>=0.5","found":null}]'
    expect_json '.nearest | map(.misses | length) | . == sort'
}

@test "near misses that are too large together are not all compared" {
    local number
    head --bytes 3000000 /dev/zero | tr '\0' x >"${SCRATCH}/large"
    for number in 1 2 3; do post_form /callbacks/raw/elsewhere "@${SCRATCH}/large"; done
    get '/api/v1/results/wait?inbox=nothing-there&within=50ms'
    expect_problem 409 '.nearest | length == 1 and .[0].inbox == "elsewhere"'
}

@test "of what is equally near, the newest is told first" {
    local number
    for number in {1..8}; do post_form "/callbacks/raw/equal?${number}" x; done
    get '/api/v1/results/wait?inbox=equal&vendor=ailet&within=50ms'
    expect_problem 409 '[.nearest[].seq] as $seen | ($seen | length) == 5 and $seen == ($seen | sort | reverse)
        and all(.nearest[]; .misses == [{"condition":"vendor:ailet","found":"raw"}])'
    local last
    last="$(jq .nearest[0].seq "${BODY}")"
    get '/api/v1/results?inbox=equal&limit=1'
    expect_json '.results[0].seq == $last' --argjson last "${last}"
}

@test "what came before the place is told as the reason" {
    post_form /callbacks/raw/too-early one
    get '/api/v1/results/wait?inbox=too-early&after=now&within=50ms'
    expect_problem 409 '.nearest | length == 1 and (.[0].misses[0].condition | startswith("seq:>"))'
}

@test "none=true: 200 when nothing comes, 409 as soon as something does" {
    get '/api/v1/results/wait?inbox=silence&none=true&within=100ms'
    expect_status 200
    expect_json '.results == [] and (.next_cursor | test("^[0-9]+$"))'
    wait_behind 'inbox=silence&none=true&within=5m'
    post_form /callbacks/raw/silence one
    answered
    expect_status 409
    expect_json '.type == "urn:landfall:problem:result-came" and (.results | length) == 1'
}

@test "wrong parameters are refused at once" {
    local parameter
    for parameter in count=0 count=501 count=x within=6m within=301s within=-1s within=1 within= after=x after=-1 \
        after=999999999 none=yes none= limit=3 sort=seq cursor=x q=colour:x; do
        get "/api/v1/results/wait?inbox=wrong&${parameter}"
        expect_problem 400 '(.errors | length) == 1'
        [[ "$(jq --raw-output .errors[0].name "${BODY}")" == "${parameter%%=*}" ]] || fail "${parameter}"
    done
    get '/api/v1/results/wait?none=true&count=2'
    expect_problem 400 '.errors[0].name == "count"'
    get /api/v1/results/wait --head
    expect_status 405
}

# --- Ends -------------------------------------------------------------------------------------------

@test "a client that goes away costs nothing: its descriptor comes back, 50 of them" {
    local number pids=() attempt idle
    idle="$(connections)"
    for number in {1..50}; do
        "${CURL[@]}" --output /dev/null "${LANDFALL_URL}/api/v1/results/wait?inbox=gone&within=5m" 3>&- &
        pids+=($!)
    done
    expect_waiters 50
    kill -KILL "${pids[@]}"
    wait "${pids[@]}" 2>/dev/null || true
    for ((attempt = 0; attempt < 1500; attempt++)); do
        if (($(connections) <= idle)); then break; fi
        sleep 0.02
    done
    (($(connections) <= idle)) || fail "$(connections) sockets are open, ${idle} were before"
    expect_well
}

# half_close WHAT: asks for results, says that nothing more is sent, and prints the answer (RFC 9112 §9.6).
half_close() {
    python3 - "${SERVER_PORT}" "$1" <<'PYTHON'
import socket, sys
with socket.create_connection(("127.0.0.1", int(sys.argv[1])), 10) as peer:
    head = f"GET /api/v1/results/wait?inbox=half&{sys.argv[2]} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    peer.sendall(head.encode())
    peer.shutdown(socket.SHUT_WR)
    answer = b""
    while part := peer.recv(65536):
        answer += part
    print(answer.decode())
PYTHON
}

@test "a client that half-closes gets neither a timeout nor the answer that nothing came" {
    local what
    for what in within=5s 'none=true&within=5s'; do
        half_close "${what}" >"${BODY}"
        grep --quiet 'HTTP/1.1 400' "${BODY}" || fail "${what}: $(head -1 "${BODY}")"
        grep --quiet client-left "${BODY}" || fail "${what}: $(cat "${BODY}")"
    done
}

@test "a stopping server answers those who wait: 503, with the time to come back" {
    local folder="${BATS_TEST_TMPDIR}/stopping" url="${LANDFALL_URL}"
    start_landfall "${folder}"
    "${CURL[@]}" --dump-header "${HEAD}" --output "${BODY}" --write-out '%{http_code}' \
        "${LANDFALL_URL}/api/v1/results/wait?inbox=stopping&within=5m" >"${SCRATCH}/waited-status" 3>&- &
    WAITER=$!
    expect_waiters 1
    stop_landfall
    wait "${WAITER}"
    STATUS="$(<"${SCRATCH}/waited-status")"
    LANDFALL_URL="${url}"
    expect_problem 503 '.type == "urn:landfall:problem:stopping"'
    [[ "$(field Retry-After)" =~ ^[0-9]+$ ]]
}
