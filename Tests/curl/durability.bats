#!/usr/bin/env bats
# What is on disk, and that it stays there: the format of lines, kill -9, torn ends, lost and broken
# indexes, a second process.
# Invariant: what was acknowledged is found after every restart, once.
# Left out: power failures and full disks, which need another machine than this one.

# bats file_tags=alone

# shellcheck disable=SC2154 # bats sets stderr
load setup

setup() {
    FOLDER="${BATS_TEST_TMPDIR}/server"
}

# restart: the same folder, after stopping in order.
restart() {
    stop_landfall
    start_landfall "${FOLDER}"
}

kill_hard() {
    kill -KILL "${SERVER_PID}"
    wait_until_gone
}

# fill COUNT: so many callbacks, on one connection.
fill() {
    local number
    for ((number = 1; number <= $1; number++)); do
        printf 'url = "%s/callbacks/welltory?stress=0.5&number=%s"\noutput = "%s"\n' \
            "${LANDFALL_URL}" "${number}" "${SCRATCH}/reply"
    done | curl --silent --show-error --max-time 20 --config -
}

# all_seqs: the numbers of all results that the server shows, newest first, on one line.
all_seqs() {
    walk 'limit=500' .seq | paste --serial --delimiters ' '
}

last_segment() {
    printf '%s\n' "${FOLDER}"/data/results/*.jsonl | tail -n 1
}

# expect_logged TEXT...: a line of the server's log holds all of these.
expect_logged() {
    local lines text
    lines="$(<"${SERVER_LOG}")"
    for text in "$@"; do
        lines="$(grep --fixed-strings -e "${text}" <<<"${lines}")" || {
            echo "no line of the log has all of: $*" >&2
            cat "${SERVER_LOG}" >&2
            return 1
        }
    done
}

# --- The format -------------------------------------------------------------------------------------

@test "lines have the members of the design in their order, right checksums, and numbers without gaps" {
    start_landfall "${FOLDER}"
    fill 20
    post_form /callbacks/ailet/qa "@${FIXTURES}/welltory-callback.txt" --header 'Cookie: a=b'
    post_json /callbacks/ailet "@${FIXTURES}/ailet-report-with-task.json"
    get "/callbacks/dimmy?$(query_of dimmy-2024-callback.txt)"
    printf '\0\377"\\\n' >"${SCRATCH}/bytes"
    post_form /callbacks/raw "@${SCRATCH}/bytes" --header $'X-Latin: \344'
    fill 5
    restart
    fill 5
    stop_landfall
    run "${BATS_TEST_DIRNAME}/lines.py" "${FOLDER}"/data/results/*.jsonl
    [[ "${status}" == 0 && "${output}" == 34 ]]
    jq --exit-status --slurp 'length == 34' "${FOLDER}"/data/results/*.jsonl
}

@test "a segment is named after the UTC day of its results" {
    start_landfall "${FOLDER}"
    fill 1
    local day
    day="$(jq --raw-output '.received_at[:10]' "${FOLDER}"/data/results/*.jsonl)"
    [[ -f "${FOLDER}/data/results/${day}.jsonl" ]]
    [[ "$(date --utc +%F)" == "${day}" || "$(date --utc --date '-1 minute' +%F)" == "${day}" ]]
    stop_landfall
}

@test "an acknowledged result is a whole line of the file already" {
    local number id
    start_landfall "${FOLDER}"
    for number in {1..5}; do
        post_form /callbacks/raw "number=${number}"
        id="$(jq --raw-output .id "${BODY}")"
        tail -n 1 "$(last_segment)" | jq --exit-status --arg id "${id}" '.id == $id'
    done
    stop_landfall
}

@test "a restart keeps every result and goes on counting" {
    start_landfall "${FOLDER}"
    fill 3
    get '/api/v1/results'
    cp "${BODY}" "${SCRATCH}/before"
    restart
    get '/api/v1/results'
    cmp "${SCRATCH}/before" "${BODY}"
    get '/callbacks/raw?x'
    expect_json '.seq == 4'
    stop_landfall
}

# --- kill -9 ----------------------------------------------------------------------------------------

@test "after kill -9 in the middle of load, 20 times, no acknowledged result is missing or there twice" {
    local round total=0
    start_landfall "${FOLDER}"
    for round in {1..20}; do
        start_load "round-${round}"
        sleep "0.$((RANDOM % 20 + 10))"
        kill_hard
        wait "${LOAD_PID}"
        start_landfall "${FOLDER}"
        walk "inbox=round-${round}&limit=500" '"\(.id) \(.request.target)"' | sort >"${SCRATCH}/found"
        sort "${SCRATCH}/acknowledged" | comm -23 - "${SCRATCH}/found" >"${SCRATCH}/missing"
        [[ ! -s "${SCRATCH}/missing" ]] || fail "round ${round} misses $(head -n 3 "${SCRATCH}/missing")"
        cut -d ' ' -f 1 "${SCRATCH}/found" | uniq --repeated >"${SCRATCH}/twice"
        cut -d ' ' -f 2 "${SCRATCH}/found" | sort | uniq --repeated >>"${SCRATCH}/twice"
        [[ ! -s "${SCRATCH}/twice" ]] || fail "round ${round} has twice $(head -n 3 "${SCRATCH}/twice")"
        total=$((total + $(wc --lines <"${SCRATCH}/acknowledged")))
    done
    stop_landfall
    echo "${total} results were acknowledged"
    ((total >= 200))
    "${BATS_TEST_DIRNAME}/lines.py" "${FOLDER}"/data/results/*.jsonl
    [[ "$(jq --raw-output .request.target "${FOLDER}"/data/results/*.jsonl | sort | uniq --repeated)" == "" ]]
}

# --- Torn ends and damage ---------------------------------------------------------------------------

# torn NAME: the torn end in ${SCRATCH}/torn was cut off, kept and reported, and three results are there.
torn() {
    expect_logged torn "bytes=$(wc --bytes <"${SCRATCH}/torn")" "${FOLDER}/data/results/torn/"
    cat "${FOLDER}"/data/results/torn/* | cmp - "${SCRATCH}/torn"
    [[ "$(all_seqs)" == '3 2 1' ]]
    get '/callbacks/raw?next'
    expect_json '.seq == 4'
    restart
    run ! grep torn "${SERVER_LOG}"
    [[ "$(all_seqs)" == '4 3 2 1' ]]
    stop_landfall
    "${BATS_TEST_DIRNAME}/lines.py" "${FOLDER}"/data/results/*.jsonl
}

@test "half a line at the end is cut off, kept and reported" {
    start_landfall "${FOLDER}"
    fill 3
    stop_landfall
    tail -n 1 "$(last_segment)" | head --bytes 200 >"${SCRATCH}/torn"
    cat "${SCRATCH}/torn" >>"$(last_segment)"
    start_landfall "${FOLDER}"
    torn
}

@test "garbage at the end is cut off, kept and reported" {
    start_landfall "${FOLDER}"
    fill 3
    stop_landfall
    { printf 'not a line\n\0\377{"crc32":"00000000",'; head --bytes 5000 /dev/zero; } >"${SCRATCH}/torn"
    cat "${SCRATCH}/torn" >>"$(last_segment)"
    start_landfall "${FOLDER}"
    torn
}

@test "a whole last line with a wrong checksum is cut off, kept and reported" {
    start_landfall "${FOLDER}"
    fill 3
    stop_landfall
    tail -n 1 "$(last_segment)" | sed 's/"seq":3/"seq":4/' >"${SCRATCH}/torn"
    cat "${SCRATCH}/torn" >>"$(last_segment)"
    start_landfall "${FOLDER}"
    torn
}

@test "a last line that lost its end is cut off, and the others are there, if the index never had it" {
    local cut
    for cut in 1 2 100; do
        start_landfall "${FOLDER}-${cut}"
        fill 4
        stop_landfall
        truncate --size "-${cut}" "${FOLDER}-${cut}"/data/results/*.jsonl
        rm "${FOLDER}-${cut}"/data/index.sqlite*
        start_landfall "${FOLDER}-${cut}"
        expect_logged torn "${FOLDER}-${cut}/data/results/torn/"
        [[ "$(all_seqs)" == '3 2 1' ]]
        get '/callbacks/raw?next'
        expect_status 201
        stop_landfall
        "${BATS_TEST_DIRNAME}/lines.py" "${FOLDER}-${cut}"/data/results/*.jsonl
    done
}

@test "a last line that the index had is damage: nothing is cut off, and its number isn't used again" {
    local segment
    start_landfall "${FOLDER}"
    fill 3
    get "/api/v1/results/$(tail -n 1 "$(last_segment)" | jq --raw-output .id)" --request DELETE
    expect_status 204
    # By now the index has the erasure.
    [[ "$(all_seqs)" == '2 1' ]]
    kill_hard
    segment="$(last_segment)"
    [[ "$(wc --lines <"${segment}")" == 4 ]]
    sed -i '4s/seq/sEq/' "${segment}"
    cp "${segment}" "${SCRATCH}/damaged"
    start_landfall "${FOLDER}"
    expect_logged 'part of a segment holds no valid record' "$(basename "${segment}")" \
        "offset=$(head -n 3 "${segment}" | wc --bytes)"
    expect_logged 'the files end before the index did' 'last_seq=3' 'indexed_seq=4'
    get '/callbacks/raw?next'
    expect_json '.seq == 5'
    stop_landfall
    cmp "${segment}" "${SCRATCH}/damaged"
    [[ ! -e "${FOLDER}/data/results/torn" ]]
    run "${LANDFALL_BIN}" results verify --data "${FOLDER}/data"
    [[ "${status}" == 1 && "${output}" == *"$(basename "${segment}")"* ]]
}

@test "damage in the middle is reported by file and offset, and the others are readable" {
    local segment offset
    start_landfall "${FOLDER}"
    fill 5
    stop_landfall
    segment="$(last_segment)"
    offset="$(head -n 2 "${segment}" | wc --bytes)"
    printf '#' | dd of="${segment}" bs=1 seek=$((offset + 60)) conv=notrunc status=none
    rm "${FOLDER}"/data/index.sqlite*
    start_landfall "${FOLDER}"
    expect_logged "$(basename "${segment}")" "offset=${offset}"
    [[ "$(all_seqs)" == '5 4 2 1' ]]
    get '/callbacks/raw?next'
    expect_json '.seq == 6'
    stop_landfall
}

@test "damage that comes after indexing costs no other result, and is not served" {
    local segment id
    start_landfall "${FOLDER}"
    fill 5
    id="$(sed -n 3p "$(last_segment)" | jq --raw-output .id)"
    stop_landfall
    segment="$(last_segment)"
    sed -i '3s/stress/strXss/' "${segment}"
    start_landfall "${FOLDER}"
    get "/api/v1/results/${id}"
    expect_problem 500 '.detail | contains("damaged")'
    [[ "$(all_seqs)" == '5 4 2 1' ]]
    expect_logged damaged "$(basename "${segment}")"
    stop_landfall
}

# --- The index --------------------------------------------------------------------------------------

# same_after_start [SEQ]: starts, the list is what it was before in ${SCRATCH}/before, and SEQ, or 32, is next.
same_after_start() {
    start_landfall "${FOLDER}"
    get '/api/v1/results?limit=500'
    cmp "${SCRATCH}/before" "${BODY}"
    get /api/v1/inboxes
    expect_json '.inboxes | map([.name, .count]) == [["default",30],["qa",1]]'
    get '/callbacks/raw/more?x'
    expect_json '.seq == $seq' --argjson seq "${1:-32}"
    stop_landfall
}

# thirty_one: a stopped server's folder with 31 results, the list in ${SCRATCH}/before.
thirty_one() {
    start_landfall "${FOLDER}"
    fill 30
    post_form /callbacks/dimmy/qa "$(query_of flux-callback.txt)"
    get '/api/v1/results?limit=500'
    cp "${BODY}" "${SCRATCH}/before"
}

@test "a deleted index is rebuilt" {
    thirty_one
    stop_landfall
    rm "${FOLDER}"/data/index.sqlite*
    same_after_start
}

@test "an index deleted after kill -9, without its log, is rebuilt" {
    thirty_one
    kill_hard
    rm "${FOLDER}/data/index.sqlite"
    same_after_start
}

# at_once CURL-OPTION...: the different statuses of requests that come together.
at_once() {
    curl --silent --max-time 60 --parallel --parallel-max 12 --output /dev/null --write-out '%{http_code}\n' "$@" |
        sort --unique | paste --serial --delimiters ' '
}

@test "an index deleted under the running server is rebuilt, and only queries get 503 until then" {
    local statuses attempt
    start_landfall "${FOLDER}"
    # Each connection to the index is opened when a query needs it.
    rm "${FOLDER}"/data/index.sqlite*
    statuses="$(at_once --header 'Idempotency-Key: key' --data 1 "${LANDFALL_URL}/callbacks/raw/key[1-60]")"
    [[ "${statuses}" == 201 ]] || fail "${statuses}"
    rm "${FOLDER}"/data/index.sqlite*
    statuses="$(at_once "${LANDFALL_URL}/api/v1/results?limit=500&sort=received_at&q=[1-60]")"
    [[ "${statuses}" =~ ^(200|503|200 503)$ ]] || fail "${statuses}"
    post_form /callbacks/raw 61
    for ((attempt = 0; attempt < 600; attempt++)); do
        get '/api/v1/results?limit=500'
        [[ "${STATUS}" == 200 ]] && break
        sleep 0.1
    done
    expect_json '.results | length == 61'
    [[ -s "${FOLDER}/data/index.sqlite" ]]
    grep --quiet 'rebuilding the index.*removed or replaced' "${SERVER_LOG}"
    stop_landfall
}

@test "a server whose index lacks much serves at once, and then knows all results and flows" {
    local number flow attempt
    start_landfall "${FOLDER}"
    post_json /api/v1/launches '{"vendor":"ailet","parameters":{"method":"visit","login":"a","password":"b","store_id":"s","visit_id":"v-1","back_url_scheme":"partner"}}'
    flow="$(jq --raw-output .flow "${BODY}")"
    head --bytes 2500000 /dev/urandom | base64 --wrap 0 >"${SCRATCH}/large"
    for ((number = 0; number < 10; number++)); do
        curl --silent --fail --output "${SCRATCH}/reply" --data-binary "@${SCRATCH}/large" "${LANDFALL_URL}/callbacks/raw/large"
    done
    stop_landfall
    rm "${FOLDER}"/data/index.sqlite*
    printf 'torn' >>"$(last_segment)"
    start_landfall "${FOLDER}"
    get '/callbacks/raw/large?x'
    expect_status 201
    expect_json '.seq == 12'
    grep --quiet 'the index must be rebuilt.*there was no index' "${SERVER_LOG}"
    grep --quiet 'results are being indexed' "${SERVER_LOG}"
    for ((attempt = 0; attempt < 300; attempt++)); do
        get /readyz
        [[ "${STATUS}" == 200 ]] && break
        expect_json '.checks[] | select(.name == "index") | .status == "fail"'
        sleep 0.1
    done
    grep --quiet 'the index is complete.*records_read' "${SERVER_LOG}"
    post_json /callbacks/ailet '{"status":"IR_RESULT_OK","visit_id":"v-1"}'
    expect_json '.flow == $flow' --arg flow "${flow}"
    get '/api/v1/results?limit=500&fields=seq'
    expect_json '.results | map(.seq) == [range(13; 1; -1)]'
    stop_landfall
    "${LANDFALL_BIN}" results verify --data "${FOLDER}/data"
}

@test "an index of garbage is rebuilt" {
    thirty_one
    stop_landfall
    head --bytes 20000 /dev/urandom >"${FOLDER}/data/index.sqlite"
    same_after_start
}

@test "an empty index is rebuilt" {
    thirty_one
    stop_landfall
    : >"${FOLDER}/data/index.sqlite"
    same_after_start
}

@test "an index with a broken page is rebuilt or read, never wrong" {
    thirty_one
    stop_landfall
    head --bytes 4096 /dev/urandom | dd of="${FOLDER}/data/index.sqlite" bs=1 seek=4096 conv=notrunc status=none
    same_after_start
}

# other_index COUNT: the folder gets the index of a store that has so many results.
other_index() {
    thirty_one
    stop_landfall
    start_landfall "${FOLDER}-other"
    fill "$1"
    stop_landfall
    rm "${FOLDER}"/data/index.sqlite*
    cp "${FOLDER}-other"/data/index.sqlite* "${FOLDER}/data/"
}

@test "the index of another store, with more in it, is rebuilt" {
    other_index 40
    # It could be the index of files that have lost their end.
    same_after_start 41
    expect_logged 'the files end before the index did' 'last_seq=31' 'indexed_seq=40'
}

@test "the index of another store, with less in it, is rebuilt" {
    other_index 10
    same_after_start
}

# --- A second process -------------------------------------------------------------------------------

@test "a second process on the same folder refuses with exit code 3 and names the first" {
    start_landfall "${FOLDER}"
    run --separate-stderr timeout 10 "${LANDFALL_BIN}" serve --config "${REPOSITORY}/Config/landfall.yaml" \
        --port 0 --data "${FOLDER}/data"
    [[ "${status}" == 3 ]]
    [[ "${#stderr_lines[@]}" == 1 && "${stderr}" == *"${FOLDER}/data"*"${SERVER_PID}"* && -z "${output}" ]]
    fill 1
    expect_well
    kill_hard
    start_landfall "${FOLDER}"
    [[ "$(all_seqs)" == 1 ]]
    stop_landfall
}

@test "a server that starts waits for a command that uses the folder" {
    local attempt holder
    mkdir -p "${FOLDER}/data"
    flock --no-fork "${FOLDER}/data" sleep 60 3>&- &
    holder=$!
    for ((attempt = 0; attempt < 300; attempt++)); do
        flock --nonblock "${FOLDER}/data" true || break
        sleep 0.1
    done
    launch_landfall "${FOLDER}" --config Config/landfall.yaml --host 127.0.0.1 --port 0 --data "${FOLDER}/data"
    for ((attempt = 0; attempt < 300; attempt++)); do
        grep --quiet "can't be opened while a command uses it" "${SERVER_LOG}" && break
        sleep 0.1
    done
    kill -0 "${SERVER_PID}"
    kill "${holder}"
    wait_for_landfall
    fill 1
    expect_well
    [[ "$(grep --count "can't be opened while a command uses it" "${SERVER_LOG}")" == 1 ]]
    stop_landfall
}

@test "a damaged index is rebuilt while callbacks are stored, and /readyz and queries say how far it is" {
    "${BATS_TEST_DIRNAME}/segment.py" "${FOLDER}/data/results" 2026-01-02 20000
    start_configured "${FOLDER}" <<<'results: {compress: false}'
    # All pages but the first turn to noise under the running server, which has not read most of them yet.
    tail --bytes +4097 "${FOLDER}/data/index.sqlite" | tr '\0-\377' '\200-\377\0-\177' >"${SCRATCH}/noise"
    dd if="${SCRATCH}/noise" of="${FOLDER}/data/index.sqlite" bs=4096 seek=1 conv=notrunc status=none
    local word
    for word in 11 777 4242 12345 19998; do
        get "/api/v1/results?q=seq:${word}"
    done
    get /readyz
    expect_status 503
    expect_json '.status == "not ready"
        and ([.checks[] | select(.status == "fail")] | [.[].name] == ["index"]
            and (.[0].detail | test("^It is being rebuilt: [0-9]+ of [0-9]+ bytes")))'
    get '/api/v1/results?limit=1'
    expect_problem 503 '(.type | endswith(":index-rebuilding")) and .done_bytes <= .total_bytes'
    [[ "$(field Retry-After)" == 2 ]]
    post_form /callbacks/raw/new 'stored meanwhile'
    expect_status 201
    local tries
    for ((tries = 0; tries < 300; tries++)); do
        get /readyz
        [[ "${STATUS}" == 200 ]] && break
        sleep 0.2
    done
    get /readyz
    expect_status 200
    expect_json '.status == "ready" and all(.checks[]; .status == "pass" and (has("detail") | not))
        and [.checks[].name] == ["store", "disk", "index", "certificates"]'
    get '/api/v1/results?inbox=new&fields=request.body'
    expect_json '.results[0].request.body.data == "stored meanwhile"'
    get '/api/v1/results?q=seq:19999&fields=inbox'
    expect_json '.results[0].inbox == "old"'
}
