#!/usr/bin/env bats
# The stream of results as server-sent events: what is sent, where it resumes, how it ends.
# Invariant: a client that comes back with the last id that it saw gets everything after it, once.
# Left out: what a browser makes of the events (Tests/page).

# bats file_tags=alone

# shellcheck disable=SC2016 # programs of jq have variables of their own
load setup

setup() {
    STREAMS=()
    FOLDER="${BATS_TEST_TMPDIR}/server"
    start_landfall "${FOLDER}"
}

teardown() {
    ((${#STREAMS[@]} == 0)) || kill -KILL "${STREAMS[@]}" 2>/dev/null || true
    if ((${#SERVER_PIDS[@]} > 0)); then kill -KILL "${SERVER_PIDS[@]}" 2>/dev/null || true; fi
}

# follow FILE QUERY [CURL OPTION]...: reads a stream into FILE in the background, as process ${READER};
# returns when it has begun.
follow() {
    local file="$1" query="$2"
    shift 2
    : >"${file}"
    curl --silent --no-buffer --max-time 60 --dump-header "${HEAD}" --output "${file}" "$@" \
        "${LANDFALL_URL}/api/v1/results/stream?${query}" 3>&- &
    READER=$!
    STREAMS+=("${READER}")
    expect_content "${file}" 'results as they arrive'
}

# expect_content FILE TEXT: returns when it is there.
expect_content() {
    local attempt
    for ((attempt = 0; attempt < 3000; attempt++)); do
        if grep --quiet --fixed-strings -e "$2" "$1"; then return; fi
        sleep 0.02
    done
    cp "$1" "${BODY}"
    fail "$1 did not have '$2' within 60 s"
}

# Ends the reader at whatever point it is.
stop_reading() {
    kill -KILL "${READER}" 2>/dev/null || true
    wait "${READER}" 2>/dev/null || true
}

events() {
    "${BATS_TEST_DIRNAME}/events.py" "$1"
}

# all_seqs QUERY: the numbers of all results, oldest first.
all_seqs() {
    get "/api/v1/results?$1&fields=seq&sort=seq" --header 'Accept: application/x-ndjson'
    jq .seq "${BODY}"
}

@test "results are sent as they arrive, with their number as id" {
    post_form /callbacks/raw/before x
    follow "${SCRATCH}/events" ''
    post_form /callbacks/raw/one 'a body'
    get '/callbacks/welltory?stress=0.3'
    expect_content "${SCRATCH}/events" 'id: 3'
    expect_content "${SCRATCH}/events" '"stress":0.3'
    stop_reading

    events "${SCRATCH}/events" | jq --slurp --exit-status 'map(.event) == ["result", "result"]
        and map(.id) == ["2", "3"] and map(.data.seq) == [2, 3]
        and all(.[]; .data.request | has("body") | not) and .[1].data.result == {"stress":0.3}'
}

@test "the stream is said not to be stored or gathered on the way" {
    follow "${SCRATCH}/events" ''
    expect_field Content-Type text/event-stream
    expect_field Cache-Control no-store
    expect_field X-Accel-Buffering no
    [[ "$(head -n 1 "${SCRATCH}/events")" == 'retry: '* ]]
}

@test "filters and fields choose what is sent" {
    follow "${SCRATCH}/events" 'vendor=welltory&q=result.stress:%3E0.5&fields=seq,result'
    get '/callbacks/welltory?stress=0.3'
    post_form /callbacks/raw x
    get '/callbacks/welltory?stress=0.6'
    expect_content "${SCRATCH}/events" 'id: 3'
    [[ "$(events "${SCRATCH}/events" | jq --compact-output .data)" == '{"seq":3,"result":{"stress":0.6}}' ]]
}

@test "after begins behind a place, Last-Event-ID wins over it, and what is no place of here means now" {
    local number
    for number in {1..5}; do post_form /callbacks/raw "${number}"; done
    follow "${SCRATCH}/after" after=3
    expect_content "${SCRATCH}/after" 'id: 5'
    [[ "$(events "${SCRATCH}/after" | jq --slurp --compact-output 'map(.data.seq)')" == '[4,5]' ]]
    follow "${SCRATCH}/last" after=0 --header 'Last-Event-ID: 4'
    expect_content "${SCRATCH}/last" 'id: 5'
    [[ "$(events "${SCRATCH}/last" | jq --slurp --compact-output 'map(.data.seq)')" == '[5]' ]]
    follow "${SCRATCH}/unknown" '' --header 'Last-Event-ID: 999999'
    post_form /callbacks/raw six
    expect_content "${SCRATCH}/unknown" 'id: 6'
    [[ "$(events "${SCRATCH}/unknown" | jq --slurp --compact-output 'map(.data.seq)')" == '[6]' ]]
}

@test "wrong parameters are refused before the stream begins" {
    local parameter
    for parameter in after=x after=-1 after=7 limit=3 sort=seq q=colour:x vendor=acme; do
        get "/api/v1/results/stream?${parameter}"
        expect_problem 400 '(.errors | length) == 1'
    done
}

@test "Last-Event-ID resumes under load: nothing is left out, nothing comes twice" {
    local number last=0 ids=()
    start_load streamed
    for number in 1 2 3 4 5; do
        follow "${SCRATCH}/events" 'inbox=streamed' --header "Last-Event-ID: ${last}"
        expect_content "${SCRATCH}/events" 'event: result'
        sleep 0.3
        stop_reading
        mapfile -t -O "${#ids[@]}" ids < <(events "${SCRATCH}/events" | jq --raw-output 'if .event == "gap" then "gap" else .id end')
        last="${ids[-1]}"
    done
    kill "${LOAD_PID}" 2>/dev/null || true
    wait "${LOAD_PID}" 2>/dev/null || true
    number="$(all_seqs inbox=streamed | tail -n 1)"
    follow "${SCRATCH}/events" 'inbox=streamed' --header "Last-Event-ID: ${last}"
    if ((last < number)); then expect_content "${SCRATCH}/events" "id: ${number}"; fi
    stop_reading
    mapfile -t -O "${#ids[@]}" ids < <(events "${SCRATCH}/events" | jq --raw-output .id)
    ((${#ids[@]} > 20))
    diff <(printf '%s\n' "${ids[@]}") <(all_seqs inbox=streamed)
}

# Together 26 MB: more than the kernel's buffers and what is kept for a slow client, several times over.
MANY=1300

@test "a reader that stops reading is told of a gap, and the rest follows without one" {
    local number
    follow "${SCRATCH}/events" 'fields=seq,request.body'
    kill -STOP "${READER}"
    head --bytes 20000 /dev/zero | tr '\0' x >"${SCRATCH}/large"
    for ((number = 1; number <= MANY; number++)); do
        printf 'url = "%s/callbacks/raw/large"\ndata-binary = "@%s"\noutput = "/dev/null"\nnext\n' \
            "${LANDFALL_URL}" "${SCRATCH}/large"
    done | sed '$d' | curl --silent --show-error --max-time 25 --parallel --parallel-max 4 --config -
    # Who takes everything within a second isn't slow.
    sleep 1.2
    kill -CONT "${READER}"
    post_form /callbacks/raw/last x
    expect_content "${SCRATCH}/events" "id: $((MANY + 1))"
    expect_content "${SCRATCH}/events" '"data":"x"}'
    stop_reading
    events "${SCRATCH}/events" | jq --slurp --exit-status --argjson last "$((MANY + 1))" '
        map(select(.event == "result").data.seq) as $seen
        | [.[] | select(.event == "gap").data | range(.first_seq; .last_seq + 1)] as $lost
        | ($lost | length) > 0 and (($seen + $lost) | sort) == [range(1; $last + 1)]'
}

@test "a reader that goes away costs nothing: its descriptor comes back, 30 of them" {
    local number attempt idle
    sockets() { find "/proc/${SERVER_PID}/fd" -lname 'socket:*' 2>/dev/null | wc --lines; }
    idle="$(sockets)"
    for number in {1..30}; do follow "${SCRATCH}/events-${number}" ''; done
    (($(sockets) >= 30))
    for number in "${STREAMS[@]}"; do
        kill -KILL "${number}"
        wait "${number}" 2>/dev/null || true
    done
    for ((attempt = 0; attempt < 3000; attempt++)); do
        if (($(sockets) <= idle)); then break; fi
        sleep 0.02
    done
    (($(sockets) <= idle)) || fail "$(sockets) sockets are open, ${idle} were before"
}

@test "a comment comes every 15 seconds while nothing else does" {
    follow "${SCRATCH}/events" ''
    local attempt
    for ((attempt = 0; attempt < 500; attempt++)); do
        if grep --quiet 'still here' "${SCRATCH}/events"; then break; fi
        sleep 0.1
    done
    stop_reading
    [[ "$(grep --count '^: still here$' "${SCRATCH}/events")" == 1 ]]
    [[ -z "$(events "${SCRATCH}/events")" ]]
}

@test "a stopping server ends its streams in order, and at once" {
    follow "${SCRATCH}/events" ''
    post_form /callbacks/raw x
    expect_content "${SCRATCH}/events" 'id: 1'
    stop_landfall
    local code=0
    wait "${READER}" || code=$?
    # 18 would be a stream that was cut.
    [[ "${code}" == 0 ]]
}

@test "an erased result is not sent from what was there before" {
    post_form /callbacks/raw/gone secret-mark
    post_form /callbacks/raw/stays x
    get /api/v1/inboxes/gone --request DELETE
    expect_status 200
    follow "${SCRATCH}/events" 'after=0&fields=seq,request.body'
    expect_content "${SCRATCH}/events" 'id: 2'
    [[ "$(events "${SCRATCH}/events" | jq --slurp --compact-output 'map(.data.seq)')" == '[2]' ]]
    [[ "$(<"${SCRATCH}/events")" != *secret-mark* ]]
}
