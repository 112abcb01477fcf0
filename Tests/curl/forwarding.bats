#!/usr/bin/env bats
# Callbacks that are sent on: every one arrives, byte for byte, whatever happens to the server and to the
# target; and people can see and repeat what could not be delivered.

# shellcheck disable=SC2016 # programs of jq have variables of their own
load setup

setup() {
    GOT="${BATS_TEST_TMPDIR}/got"
    : >"${GOT}"
    start_backend 0
}

# start_backend PORT: a back end that keeps its requests in ${GOT}; its port is ${TARGET_PORT}.
start_backend() {
    coproc BACKEND { exec "${BATS_TEST_DIRNAME}/backend.py" "$1" "${GOT}" 3>&-; }
    read -r TARGET_PORT <&"${BACKEND[0]}"
}

stop_backend() {
    local process="${BACKEND_PID}"
    exec {BACKEND[1]}>&-
    wait "${process}" || true
}

# serve [RULE]...: starts a server with these forwarding rules, in YAML.
serve() {
    start_configured "${BATS_TEST_TMPDIR}/server" < <(printf 'forward:\n' && printf -- '  - %s\n' "$@")
}

# again: starts the server again on its folder.
again() {
    launch_landfall "${BATS_TEST_TMPDIR}/server" --config "${BATS_TEST_TMPDIR}/server/landfall.yaml" \
        --host 127.0.0.1 --port 0 --data "${BATS_TEST_TMPDIR}/server/data"
    wait_for_landfall
}

target() { printf '{url: "http://127.0.0.1:%s/%s", retry_milliseconds: 5%s}' "${TARGET_PORT}" "$1" "${2:-}"; }

# marks PATH: the marks of callbacks that this path took with 200, in order, each once.
marks() {
    jq --raw-output --arg path "/$1?" 'select(.status == 200 and (.path | startswith($path)))
        | .path | capture("mark=(?<mark>[0-9]+)").mark' "${GOT}" | awk '!seen[$0]++'
}

# wait_for COUNT PROGRAM: until PROGRAM of jq is true of COUNT requests of the back end, at least.
wait_for() {
    local deadline=$((SECONDS + 60))
    until (($(jq --slurp "map(select($2)) | length" "${GOT}") >= $1)); do
        if ((SECONDS > deadline)); then
            echo "no $1 requests with $2 within 60 s" >&2
            tail --lines 3 "${GOT}" "${SERVER_LOG}" >&2
            return 1
        fi
        sleep 0.1
    done
}

# wait_for_marks PATH COUNT
wait_for_marks() {
    local deadline=$((SECONDS + 120))
    until (($(marks "$1" | wc --lines) >= $2)); do
        if ((SECONDS > deadline)); then
            echo "only $(marks "$1" | wc --lines) of $2 arrived at $1" >&2
            return 1
        fi
        sleep 0.2
    done
}

# expect_metric_line PATTERN: returns when the metrics have such a line.
expect_metric_line() {
    local deadline=$((SECONDS + 60))
    until get /metrics && grep --quiet "$1" "${BODY}"; do
        ((SECONDS <= deadline)) || fail "no metric is $1"
        sleep 0.1
    done
}

# send_marks FROM THROUGH
send_marks() {
    curl --silent --fail --max-time 60 --output /dev/null --data x "${LANDFALL_URL}/callbacks/raw/in?mark=[$1-$2]"
}

landfall() {
    run --separate-stderr "${LANDFALL_BIN}" "$@" --data "${BATS_TEST_TMPDIR}/server/data"
}

@test "a callback arrives as it came: method, query, fields and body, but no credentials" {
    serve "{name: all, targets: [$(target ok)]}"
    printf 'a\0b\377\r\n\033' >"${SCRATCH}/binary"
    get '/callbacks/raw/in?a=%41+b&api_key=Zq7SECRET&c=%zz' --data-binary "@${SCRATCH}/binary" \
        --header 'Content-Type: application/octet-stream' --header 'X-Twice: 1' --header 'x-twice: 2' \
        --header 'X-Empty;' --header 'Authorization: Bearer Zq7SECRET' --header 'Cookie: a=Zq7SECRET' \
        --header 'User-Agent: partner/1' --header 'Idempotency-Key: theirs'
    expect_status 201
    local id
    id="$(jq --raw-output .id "${BODY}")"
    wait_for 1 true
    get '/callbacks/welltory/in?stress=0.32'
    wait_for 2 true
    expect_no_match Zq7SECRET "${GOT}"
    head --lines 1 "${GOT}" >"${BODY}"
    expect_json '.method == "POST" and .path == "/ok?a=%41+b&c=%zz"'
    jq --raw-output .body "${BODY}" | base64 --decode | cmp - "${SCRATCH}/binary"
    expect_json '[.fields[] | select(.[0] | ascii_downcase | IN("host", "connection", "content-length") | not)]
        == [["Accept", "*/*"], ["Content-Type", "application/octet-stream"], ["X-Twice", "1"], ["x-twice", "2"],
            ["X-Empty", ""], ["User-Agent", "partner/1"], ["Idempotency-Key", $id], ["Landfall-Attempt", "1"]]' \
        --arg id "${id}"
    tail --lines 1 "${GOT}" >"${BODY}"
    expect_json '.method == "GET" and .path == "/ok?stress=0.32" and .body == ""'
    get '/api/v1/results?kind=delivery'
    expect_json '.results | length == 2 and all(.[]; .result.rule == "all" and .result.outcome == "delivered"
        and .result.attempt == 1) and any(.[]; .result.result == $id)' --arg id "${id}"
    stop_landfall
    stop_backend
}

@test "fields that Connection names are for the first connection, and not sent on" {
    serve "{name: all, targets: [$(target ok)]}"
    post_form /callbacks/raw/in body --header 'Connection: keep-alive, X-Hop' \
        --header 'connection: x-other ,HTTP2-Settings' --header 'X-HOP: 1' --header 'X-Other: 2' \
        --header 'HTTP2-Settings: AAMAAABk' --header 'X-Kept: 3'
    expect_status 201
    wait_for 1 true
    head --lines 1 "${GOT}" >"${BODY}"
    expect_json '[.fields[][0] | ascii_downcase] | contains(["x-kept"])
        and (map(select(IN("x-hop", "x-other", "http2-settings"))) == [])'
    stop_landfall
    stop_backend
}

@test "a form arrives with bytes that are no UTF-8" {
    serve "{name: all, targets: [$(target ok)]}"
    printf 'a=\377\376&password=Zq7SECRET&b=\303' >"${SCRATCH}/form"
    post_form /callbacks/raw/in "@${SCRATCH}/form"
    expect_status 201
    wait_for 1 true
    head --lines 1 "${GOT}" >"${BODY}"
    jq --raw-output .body "${BODY}" | base64 --decode | cmp - <(printf 'a=\377\376&b=\303')
    stop_landfall
    stop_backend
}

@test "a success whose content is cut off is a success" {
    serve "{name: cut, targets: [$(target cut)]}"
    get '/callbacks/raw/in?mark=1'
    wait_for 1 true
    local deadline=$((SECONDS + 30))
    until get '/api/v1/results?kind=delivery' && jq --exit-status '.results | length > 0' "${BODY}" >/dev/null; do
        ((SECONDS <= deadline)) || fail "no attempt was stored"
        sleep 0.1
    done
    expect_json '.results | length == 1 and .[0].result.outcome == "delivered" and .[0].result.status == 200'
    (($(wc --lines <"${GOT}") == 1))
    stop_landfall
    stop_backend
}

@test "an adopted stray is sent with its method" {
    serve "{name: all, targets: [$(target ok)]}"
    local method stray
    for method in PUT PATCH DELETE; do
        get '/callback/raw/in?a=1' --request "${method}" --data x
        expect_status 404
        stray="$(jq --raw-output .stray "${BODY}")"
        get "/api/v1/results/${stray}/adopt?vendor=raw" --request POST
        expect_status 201
        wait_for 1 ".method == \"${method}\" and .body == \"eA==\""
    done
    (($(wc --lines <"${GOT}") == 3))
    stop_landfall
    stop_backend
}

@test "a masked callback is sent as it is stored, and its delivery has no copy of it" {
    local id
    start_configured "${BATS_TEST_TMPDIR}/server" < <(printf 'privacy: mask\nforward:\n  - %s\n' \
        "{name: all, targets: [$(target ok)]}")
    get '/callbacks/welltory/in?stress=0.32'
    expect_status 201
    id="$(jq --raw-output .id "${BODY}")"
    wait_for 1 true
    get "/api/v1/results/${id}"
    jq --raw-output '.request.target | split("?")[1]' "${BODY}" >"${SCRATCH}/query"
    expect_no_match 'stress=0.32$' "${SCRATCH}/query"
    [[ "$(head --lines 1 "${GOT}" | jq --raw-output '.path | split("?")[1]')" == "$(<"${SCRATCH}/query")" ]]
    get '/api/v1/results?kind=delivery'
    expect_json '.results[0] | .result.result == $id and (.request | .target == "/ok" and .body == null
        and (.headers | map(.[0]) == ["Host", "Idempotency-Key", "Landfall-Attempt"]))' --arg id "${id}"
    stop_landfall
    stop_backend
}

@test "a rule takes what it names, from its start on, and no delivery, erased or forwarded callback" {
    serve "{name: first, targets: [$(target ok)]}"
    get '/callbacks/raw/in?mark=1'
    wait_for_marks ok 1
    stop_landfall
    serve "{name: some, vendor: welltory, inbox: in, q: 'result.stress:>=0.5', targets: [$(target ok/some)]}" \
        "{name: down, inbox: down, targets: [$(target switch)]}" \
        "{name: self, inbox: loop, targets: [{url: \"http://127.0.0.1:1/\"}]}"
    get '/callbacks/welltory/in?stress=0.4'
    get '/callbacks/welltory/other?stress=0.6'
    get '/callbacks/raw/in?stress=0.6'
    touch "${GOT}.off"
    get '/callbacks/raw/down?mark=8'
    local erased
    erased="$(jq --raw-output .id "${BODY}")"
    wait_for 1 '.path | startswith("/switch")'
    get "/api/v1/results/${erased}" --request DELETE
    rm "${GOT}.off"
    get '/callbacks/raw/down?mark=9' --header 'Landfall-Attempt: 1'
    get '/callbacks/welltory/in?stress=0.7'
    get '/callbacks/raw/down?mark=10'
    wait_for 1 '.path == "/ok/some?stress=0.7"'
    wait_for 1 '.path == "/switch?mark=10"'
    sleep 1
    diff <(jq --raw-output 'select(.status == 200) | .path' "${GOT}" | sort) \
        <(printf '%s\n' '/ok/some?stress=0.7' '/ok?mark=1' '/switch?mark=10' | sort)
    stop_landfall
    stop_backend
}

@test "a delivery whose signature is wrong is stored, and not forwarded" {
    start_configured "${BATS_TEST_TMPDIR}/server" <<END
webhooks:
  secrets: [whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw]
forward:
  - {name: all, targets: [$(target ok ', ordered: true')]}
END
    post_json /callbacks/dimmy/in '{"item_ids":["66f1a2b3c4d5e6f708192a3b"]}' --header 'svix-id: msg_1' \
        --header "svix-timestamp: $(date +%s)" --header 'svix-signature: v1,AAAA'
    expect_problem 401 '.type == "urn:landfall:problem:webhook-not-verified"'
    get '/callbacks/raw/in?mark=1'
    wait_for 1 '.path == "/ok?mark=1"'
    diff <(jq --raw-output .path "${GOT}") <(echo '/ok?mark=1')
    stop_landfall
    stop_backend
}

@test "a webhook's signature goes on only with the body that was signed" {
    serve "{name: all, targets: [$(target ok ', ordered: true')]}"
    local item='{"item_ids":["66f1a2b3c4d5e6f708192a3b"]}' body
    for body in "${item}" "[${item},${item}]"; do
        post_json /callbacks/flux/in "${body}" --header "svix-id: msg_${#body}" --header 'svix-timestamp: 1' \
            --header 'svix-signature: v1,AAAA'
    done
    wait_for 3 true
    diff <(jq --raw-output '[.fields[][0] | select(startswith("svix"))] | join(" ")' "${GOT}") \
        <(printf '%s\n' 'svix-id svix-timestamp svix-signature' '' '')
    stop_landfall
    stop_backend
}

@test "a target that fails half of the time and a server that is killed: all arrives, in order where asked" {
    local none_left='^landfall_forward_pending{rule="half",target="http://127.0.0.1:[0-9]*/half/any"} 0$'
    serve "{name: half, targets: [$(target half/ordered ', ordered: true'), $(target half/any)]}"
    send_marks 1 100 &
    local load=$!
    wait_for 20 '.status == 200'
    wait "${load}"
    send_marks 101 150
    kill -KILL "${SERVER_PID}"
    wait_until_gone
    again
    send_marks 151 200
    wait_for_marks half/ordered 200
    wait_for_marks half/any 200
    diff <(marks half/ordered) <(seq 1 200)
    diff <(marks half/any | sort --numeric-sort) <(seq 1 200)
    # What a record was sent as is the same each time, so that the target can tell it.
    jq --exit-status --slurp 'group_by(.path)
        | all(.[]; [.[].fields[] | select(.[0] == "Idempotency-Key")[1]] | unique | length == 1)' "${GOT}" >/dev/null
    # The last answers are on their way.
    for _ in $(seq 100); do
        get /metrics
        if grep --quiet "${none_left}" "${BODY}"; then break; fi
        sleep 0.1
    done
    grep --quiet "${none_left}" "${BODY}"
    grep --quiet '^landfall_forward_attempts_total{rule="half",.*outcome="failed"} [1-9]' "${BODY}"
    get '/api/v1/deliveries?rule=other'
    expect_problem 404 '.detail == "There is no such rule in forward; there are half."'
    stop_landfall
    stop_backend
}

@test "a target that was down for a while gets everything afterwards, in order" {
    serve "{name: late, targets: [$(target ok ', ordered: true'), $(target ok/any)]}"
    local port="${TARGET_PORT}"
    stop_backend
    send_marks 1 60
    expect_metric_line '^landfall_forward_pending.* 60$'
    stop_landfall
    again
    expect_metric_line '^landfall_forward_oldest_pending_seconds.* [1-9]'
    start_backend "${port}"
    wait_for_marks ok 60
    wait_for_marks ok/any 60
    diff <(marks ok) <(seq 1 60)
    stop_landfall
    stop_backend
}

@test "a full inbox loses the attempts of a target that is down first; callbacks that it then loses are counted" {
    start_configured "${BATS_TEST_TMPDIR}/server" < <(printf '%s\nforward:\n  - %s\n' \
        'results: {retention: {inbox_results: 20}}' "{name: kept, targets: [$(target switch)]}")
    touch "${GOT}.off"
    send_marks 1 15
    wait_for 23 '.status == 500'
    get /api/v1/store/compact --request POST
    expect_status 200
    rm "${GOT}.off"
    wait_for_marks switch 15
    touch "${GOT}.off"
    send_marks 16 40
    wait_for 48 '.status == 500'
    # With those that were delivered there are twice as many as are kept, and one more goes.
    get /api/v1/store/compact --request POST
    rm "${GOT}.off"
    wait_for_marks switch 34
    diff <(marks switch | sort --numeric-sort) <(seq 1 15 && seq 22 40)
    local deadline=$((SECONDS + 60))
    until get /metrics && grep --quiet '^landfall_forward_dropped_total{rule="kept",.*} 6$' "${BODY}"; do
        ((SECONDS <= deadline)) || fail "not 6 callbacks were counted as dropped"
        sleep 0.2
    done
    (($(grep --count 'a callback is not forwarded: it was erased' "${SERVER_LOG}") == 6))
    stop_landfall
    stop_backend
}

@test "what can't be delivered is dead, is listed, and is tried again when asked" {
    touch "${GOT}.off"
    serve "{name: dead, targets: [$(target 'switch' ', give_up_seconds: 0')]}" \
        "{name: moved, targets: [$(target redirect ', give_up_seconds: 0')]}"
    get '/callbacks/raw/in?mark=1'
    local id
    id="$(jq --raw-output .id "${BODY}")"
    wait_for 2 true
    expect_metric_line '^landfall_forward_dead{rule="dead".* 1$'
    expect_metric_line '^landfall_forward_dead{rule="moved".* 1$'
    landfall deliveries list
    [[ "${status}" == 1 ]]
    [[ "${output}" == *"dead   dead   http://127.0.0.1:${TARGET_PORT}/switch"*"${id}"*500* ]]
    landfall deliveries list --state dead --rule dead --json
    jq --exit-status --arg id "${id}" '.targets[0].dead == 1
        and .deliveries == [{rule: "dead", url: .targets[0].url, state: "dead", result: $id, seq: .deliveries[0].seq,
            attempts: 1, status: 500, next_attempt_at: null}]' <<<"${output}"
    landfall deliveries list --rule no-such
    [[ "${status}" == 2 && "${stderr}" == *"There is no such rule in forward; there are dead, moved."* ]]
    rm "${GOT}.off"
    landfall deliveries retry --rule dead --id "${id}"
    [[ "${status}" == 0 && "${output}" == "1 callback tried again." ]]
    wait_for 1 '.status == 200'
    landfall deliveries retry --rule dead
    [[ "${status}" == 1 ]]
    # A redirect is an answer like any other that isn't 2xx: it is not followed.
    expect_no_match '"path": "/ok' "${GOT}"
    # A queue's file is written a moment after the queue changes, and a server that is killed has only the file.
    local deadline=$((SECONDS + 60)) text
    for text in '"dead":[]' '"dead":[['; do
        until grep --recursive --quiet --fixed-strings "${text}" "${SERVER_DATA}/forward"; do
            ((SECONDS <= deadline)) || fail "no queue's file has ${text}"
            sleep 0.1
        done
    done
    kill -KILL "${SERVER_PID}"
    wait_until_gone
    again
    get '/api/v1/deliveries?state=dead'
    expect_json '.deliveries | length == 1 and .[0].rule == "moved" and .[0].status == 302'
    stop_landfall
    landfall deliveries list
    [[ "${status}" == 3 && "${stderr}" == *"No server runs on"* ]]
    stop_backend
}

@test "a rule that can't work stops the start with its place" {
    local rule expected
    while IFS='|' read -r rule expected; do
        printf 'forward:\n  - %s\n' "${rule}" >"${SCRATCH}/landfall.yaml"
        run --separate-stderr "${LANDFALL_BIN}" config check --config "${SCRATCH}/landfall.yaml"
        [[ "${status}" == 1 && "${stderr}" == *"${expected}"* ]] || { echo "${rule}: ${stderr}" >&2; false; }
    done <<'END'
{targets: [{url: "http://a/"}]}|forward[0].name must be given
{name: a}|forward[0].targets must be a list of one or more URLs
{name: a, targets: []}|forward[0].targets must be a list
{name: a, targets: [{url: "ftp://a/"}]}|forward[0].targets[0].url must be a URL
{name: a, targets: [{url: "http://u:p@a/"}]}|forward[0].targets[0].url must be a URL
{name: a, targets: [{ordered: true}]}|forward[0].targets[0].url must be given
{name: a, targets: [{url: "http://a/?x=1"}, {url: "http://a/?x=2"}]}|no two differ in their query only
{name: a, targets: [{url: "http://a/", order: true}]}|the key "forward[0].targets[0].order" is unknown
{name: a, q: "outcome:=", targets: [{url: "http://a/"}]}|forward[0].q must be a query
{name: a, q: "received_at:-2s", targets: [{url: "http://a/"}]}|forward[0].q must be a query. Expected a time that isn't relative
{name: a, q: "outcome:completed kind:launch", targets: [{url: "http://a/"}]}|forward[0].q must be a query that callbacks can match
{name: a, vendor: nobody, targets: [{url: "http://a/"}]}|forward[0].vendor must be one of
{name: a, inbox: "a b", targets: [{url: "http://a/"}]}|forward[0].inbox must be
END
    printf 'forward: [{name: a, targets: [{url: "http://a/"}]}, {name: a, targets: [{url: "http://b/"}]}]\n' \
        >"${SCRATCH}/landfall.yaml"
    run --separate-stderr "${LANDFALL_BIN}" config check --config "${SCRATCH}/landfall.yaml"
    [[ "${status}" == 1 && "${stderr}" == *"a name that no other rule has"* ]]
}
