#!/usr/bin/env bats
# Questions about many results are worked on beside the loops that serve others.
# Invariant: what takes long takes its processor time on a thread of its own, and ends when nobody waits for it.
# Left out: how long anything takes.

# bats file_tags=alone

load setup

setup() {
    FOLDER="${BATS_TEST_TMPDIR}/server"
    start_landfall "${FOLDER}"
    local number
    for ((number = 1; number <= 1500; number++)); do
        printf 'url = "%s/callbacks/welltory?stress=0.5&number=%s"\noutput = "%s"\n' \
            "${LANDFALL_URL}" "${number}" "${SCRATCH}/reply"
    done | curl --silent --show-error --max-time 60 --config -
}

# ticks_in FILE: the processor time that a stat file of the kernel tells, in the kernel's ticks.
ticks_in() {
    local text fields
    text="$(<"$1")" || return
    read -ra fields <<<"${text##*) }"
    echo $((fields[11] + fields[12]))
}

# ticks NAME: the processor time of the threads whose name begins so. A thread that ends meanwhile counts as none.
ticks() {
    local task name ticks total=0
    for task in /proc/"${SERVER_PID}"/task/*; do
        name="$(cat "${task}/comm" 2>/dev/null)" || continue
        [[ "${name}" == "$1"* ]] || continue
        ticks="$(ticks_in "${task}/stat" 2>/dev/null)" || continue
        total=$((total + ticks))
    done
    echo "${total}"
}

# expect_little_on_loops LOOPS ALL [PARTS]: since the loops had used LOOPS ticks and the process ALL, the loops used at
# most one of PARTS parts of the time; of 4 by default.
expect_little_on_loops() {
    local loops all
    loops=$(($(ticks loop-) - $1)) all=$(($(ticks_in "/proc/${SERVER_PID}/stat") - $2))
    echo "${loops} ticks of ${all} on the loops"
    ((all >= ${3:-4} * loops && all > 0))
}

# expect_beside PATH [CURL OPTION]...: the answer is 200, and took at least three times as long on the thread for
# long work as on the loops.
expect_beside() {
    local loops work round
    loops="$(ticks loop-)" work="$(ticks work)"
    for round in 1 2 3; do
        get "$@"
        expect_status 200
    done
    loops=$(($(ticks loop-) - loops)) work=$(($(ticks work) - work))
    echo "${loops} ticks on the loops, ${work} on the other thread"
    ((work >= 3 * loops && work > 0))
}

@test "results are decoded again beside the loops" {
    expect_beside '/api/v1/store/redecode' --request POST
    expect_json '.checked == 1500'
}

@test "an export is made beside the loops" {
    expect_beside '/api/v1/export?format=csv'
}

@test "a long URL is decoded beside the loops" {
    printf '{"url":"/callbacks/welltory?a=%s"}' "$(printf '\u202e%.0s' {1..100000})" >"${SCRATCH}/order"
    expect_beside /api/v1/decode --header 'Content-Type: application/json' --data-binary "@${SCRATCH}/order"
}

@test "identical findings are counted beside the loops" {
    expect_beside '/api/v1/diagnostics'
    expect_json '.results == 1500'
}

@test "an import is read beside the loops" {
    get '/api/v1/export'
    expect_status 200
    cp "${BODY}" "${SCRATCH}/lines"
    expect_beside /api/v1/import --header 'Content-Type: application/x-ndjson' --data-binary "@${SCRATCH}/lines"
    expect_json '.known == 1500'
}

@test "a stored request with the same key is looked at beside the loops" {
    {
        printf '{"a":"'
        head --bytes=3000000 /dev/zero | tr '\0' 'a'
        printf '"}'
    } >"${SCRATCH}/large"
    post_json /callbacks/welltory "@${SCRATCH}/large" --header 'Idempotency-Key: k'
    local loops all round
    loops="$(ticks loop-)" all="$(ticks_in "/proc/${SERVER_PID}/stat")"
    for round in {1..60}; do
        post_json /callbacks/welltory '{"stress":0.5}' --header 'Idempotency-Key: k'
        expect_problem 422 '.type | endswith("idempotency-key-reused")'
    done
    expect_little_on_loops "${loops}" "${all}"
}

@test "a callback of some kilobytes that takes long to redact is read beside the loops" {
    local loops all round
    printf '[%s"end"]' "$(printf '"eyJwYXNzd29yZCI6IngifQ==",%.0s' {1..2300})" >"${SCRATCH}/encoded"
    loops="$(ticks loop-)" all="$(ticks_in "/proc/${SERVER_PID}/stat")"
    for round in {1..60}; do
        post_json /callbacks/raw "@${SCRATCH}/encoded"
        expect_status 201
    done
    expect_little_on_loops "${loops}" "${all}"
}

@test "a long launch link is handled beside the loops, and its screen has no copies of it" {
    local parameters path loops all round
    parameters="$(printf 'x=%%257B%%2522password%%2522%%253A1%%257D&%.0s' {1..2300})"
    for path in '/emulate/welltory/action/dds/measurement?source=a&callback=partner://x' '/emulate/rezolve/12/1/1?a=1'; do
        loops="$(ticks loop-)" all="$(ticks_in "/proc/${SERVER_PID}/stat")"
        for round in {1..20}; do
            get "${path}&${parameters}" --header 'Accept: text/html'
            [[ "${STATUS}" == 20[01] ]]
        done
        expect_little_on_loops "${loops}" "${all}"
        (($(stat --format %s "${BODY}") < 3 * ${#parameters}))
    done
}

@test "a launch with a long parameter is made beside the loops" {
    local loops all round
    {
        printf '{"contract":"flux","parameters":{"flowName":"'
        printf '{%%22password%%22:%%221%%22}&%.0s' {1..2000}
        printf '"}}'
    } >"${SCRATCH}/launch"
    loops="$(ticks loop-)" all="$(ticks_in "/proc/${SERVER_PID}/stat")"
    for round in {1..30}; do
        post_json /api/v1/launches "@${SCRATCH}/launch"
        expect_status 201
    done
    expect_little_on_loops "${loops}" "${all}"
}

@test "a long form of an emulated screen is read beside the loops, up to its limit" {
    local path='/emulate/welltory/action/dds/measurement?source=a&callback=partner://x' loops all round
    get "${path}" --header 'Accept: text/html'
    {
        printf 'flow=%s&scenario=cancelled' "$(field Landfall-Flow)"
        printf '&/a=%%41%.0s' {1..140000}
    } >"${SCRATCH}/form"
    loops="$(ticks loop-)" all="$(ticks_in "/proc/${SERVER_PID}/stat")"
    for round in {1..30}; do
        post_form "${path}" "@${SCRATCH}/form" --header 'Accept: application/json'
        expect_status 200
    done
    expect_little_on_loops "${loops}" "${all}"
    printf '&/a=%%41%.0s' {1..10000} >>"${SCRATCH}/form"
    post_form "${path}" "@${SCRATCH}/form"
    expect_status 413
}

@test "a large stray is adopted, and sent to this server again, beside the loops" {
    local loops all round ids=()
    {
        printf '['
        head --bytes=1300000 /dev/zero | sed 's/./"",/g'
        printf '""]'
    } >"${SCRATCH}/large"
    for round in {1..4}; do
        post_json /nowhere "@${SCRATCH}/large"
        ids+=("$(jq --raw-output .stray "${BODY}")")
    done
    loops="$(ticks loop-)" all="$(ticks_in "/proc/${SERVER_PID}/stat")"
    for round in {0..3}; do
        get "/api/v1/results/${ids[round]}/adopt?vendor=raw" --request POST
        expect_status 201
    done
    expect_little_on_loops "${loops}" "${all}"
    ids=("$(jq --raw-output .id "${BODY}")")
    loops="$(ticks loop-)" all="$(ticks_in "/proc/${SERVER_PID}/stat")"
    for round in {1..10}; do
        post_json "/api/v1/results/${ids[0]}/send" '{"to":"self"}'
        expect_status 201
    done
    # Most of the time goes into decoding and redacting.
    expect_little_on_loops "${loops}" "${all}" 40
}

@test "large callbacks are compared with those of their flow beside the loops" {
    local apart=0 joined=0 flow round
    {
        printf '{"stress":0.5,"note":"'
        head --bytes=3900000 /dev/zero | tr '\0' 'a'
        printf '"}'
    } >"${SCRATCH}/large"
    post_json /api/v1/launches '{"vendor":"welltory","inbox":"flows","parameters":{"source":"a"}}'
    flow="$(jq --raw-output .flow "${BODY}")"
    # In turn, so that both meet the same machine.
    for round in {1..40}; do
        apart=$((apart - $(ticks loop-)))
        post_json /callbacks/welltory/other "@${SCRATCH}/large"
        expect_status 201
        apart=$((apart + $(ticks loop-))) joined=$((joined - $(ticks loop-)))
        post_json "/callbacks/welltory/flows/${flow}" "@${SCRATCH}/large"
        expect_status 201
        joined=$((joined + $(ticks loop-)))
    done
    echo "${apart} ticks on the loops without a flow, ${joined} with one"
    ((2 * joined <= 3 * apart))
}

@test "a large answer of a receiver is read beside the loops" {
    local loops all round
    {
        printf '{"status":['
        printf '{},%.0s' {1..160000}
        printf '0]}'
    } >"${SCRATCH}/answer"
    loops="$(ticks loop-)" all="$(ticks_in "/proc/${SERVER_PID}/stat")"
    for round in {1..60}; do
        get /api/v1/receivers/welltory/default/answer --request PUT --data-binary "@${SCRATCH}/answer"
        expect_status 400
    done
    expect_little_on_loops "${loops}" "${all}"
}

@test "a long path is redacted for the access log beside the loops" {
    local path loops all round
    stop_landfall
    start_configured "${SCRATCH}/server" <<<'log: {access: json}'
    path="/api/v1/results/$(printf '{"password":"x"}%.0s' {1..4500} | base64 --wrap 0 | tr '+/' '-_')"
    loops="$(ticks loop-)" all="$(ticks_in "/proc/${SERVER_PID}/stat")"
    for round in {1..60}; do
        get "${path%%=*}"
        expect_status 414
    done
    expect_little_on_loops "${loops}" "${all}"
}

@test "a long message of an agent is read beside the loops" {
    local loops all round
    stop_landfall
    start_configured "${SCRATCH}/server" <<<'mcp: true'
    {
        printf '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"none","arguments":{"q":['
        awk 'BEGIN { for (number = 0; number < 1000000; number++) printf "{}," }'
        printf '0]}}}'
    } >"${SCRATCH}/message"
    loops="$(ticks loop-)" all="$(ticks_in "/proc/${SERVER_PID}/stat")"
    for round in {1..40}; do
        post_json /mcp "@${SCRATCH}/message" --header 'Accept: application/json'
        expect_json '.error.code == -32602'
    done
    expect_little_on_loops "${loops}" "${all}"
}

@test "pages that explain a link are made beside the loops" {
    local loops all round
    stop_landfall
    mkdir -p "${SCRATCH}/sites/many.example"
    jq --null-input '{applinks: {details: [{appIDs: ["Q7WERTY123.many.example"],
        components: [range(200) | {"/": "/callbacks/*", "?": {stress: "*x*0z\(.)"}}]}]}}' \
        >"${SCRATCH}/sites/many.example/apple-app-site-association"
    printf 'public: %s/public\nsites: {folder: sites}\n' "${REPOSITORY}" >"${SCRATCH}/landfall.yaml"
    start_landfall "${SCRATCH}/server" --config "${SCRATCH}/landfall.yaml"
    loops="$(ticks loop-)" all="$(ticks_in "/proc/${SERVER_PID}/stat")"
    for round in {1..20}; do
        get "/callbacks/welltory?stress=$(printf 'x1%.0s' {1..4000})" \
            --header 'Host: many.example' --header 'Accept: text/html'
        expect_status 422
        get "/favicon.ico?stress=$(printf 'x1%.0s' {1..4000})" \
            --header 'Host: many.example' --header 'Accept: text/html'
        expect_status 404
    done
    expect_little_on_loops "${loops}" "${all}"
}

# import_flows NUMBER: as many callbacks, each of a flow of its own.
import_flows() {
    awk -v count="$1" 'BEGIN {
        for (number = 1; number <= count; number++) {
            id = sprintf("%s-7000-8000-%012x", "019a9e61-7800", number)
            printf "{\"id\":\"%s\",\"kind\":\"callback\",\"received_at\":\"2025-11-19T23:09:39.200Z\",\"inbox\":\"default\",", id
            printf "\"vendor\":\"welltory\",\"contract\":\"welltory-dds\",\"outcome\":\"completed\","
            printf "\"verdict\":\"decoded\",\"flow\":\"%s\",\"request\":{\"method\":\"GET\",\"scheme\":\"http\",", id
            printf "\"host\":\"a\",\"target\":\"/callbacks/welltory?stress=0.5\",\"version\":\"1.1\","
            printf "\"peer\":\"127.0.0.1:1\",\"headers\":[],\"body\":null},\"result\":{\"stress\":0.5},"
            print "\"diagnostics\":[]}"
        }
    }' >"${SCRATCH}/flows"
    get /api/v1/import --header 'Content-Type: application/x-ndjson' --data-binary "@${SCRATCH}/flows"
    expect_json '.refused_count == 0'
}

# answered STATUS: how many lists of flows had this status.
answered() {
    get /metrics
    sed -n "s/^landfall_http_requests_total{route=\"\/api\/v1\/flows\".*status=\"$1\"} //p" "${BODY}"
}

@test "questions end when their clients have left" {
    import_flows 5000
    local client clients=() before
    before="$(ticks work)"
    for client in {1..20}; do
        curl --silent --output /dev/null "${LANDFALL_URL}/api/v1/flows?state=lost" 3>&- &
        clients+=($!)
    done
    sleep 0.5
    kill "${clients[@]}"
    local attempt
    for ((attempt = 0; attempt < 600; attempt++)); do
        if [[ "$(answered 400)" == 20 ]]; then break; fi
        sleep 0.1
    done
    [[ "$(answered 400)" == 20 && -z "$(answered 200)" ]]
    # Each of them reads 5,000 flows, so that all together would use far more.
    (($(ticks work) - before < 500))
    before="$(ticks work)"
    sleep 1
    (($(ticks work) - before <= 10))
    run ! grep --ignore-case error "${SERVER_LOG}"
}

@test "waits look beside the loops at results that were decoded again" {
    import_flows 1000
    get '/api/v1/store/redecode?apply=true' --request POST
    expect_json '.changed == 1000'
    local loops work round
    loops="$(ticks loop-)" work="$(ticks work)"
    for round in {1..100}; do
        get '/api/v1/results/wait?received_before=2026-01-01T00:00:00Z&after=0&count=1'
        expect_status 200
    done
    loops=$(($(ticks loop-) - loops)) work=$(($(ticks work) - work))
    echo "${loops} ticks on the loops, ${work} on the other thread"
    ((work > loops))
}

@test "a report reads the newest 5,000 flows" {
    import_flows 5001
    get /api/v1/flows/report
    expect_json '.flows == 5000 and .exact == false and .vendors[0].flows == 5000'
    get '/api/v1/flows/report?since=2026-01-01T00:00:00Z'
    expect_json '.flows == 0 and .exact and .vendors == []'
}
