#!/usr/bin/env bats
# A full disk: callbacks are refused with 507, queries are answered, and all is well when there is room.
# Invariant: what was acknowledged is found, also after a restart; what was refused is not.
# Left out: disks that fail otherwise, which the fault-injecting tests of the store play through.

# bats file_tags=alone

# shellcheck disable=SC2016,SC2154 # programs of jq have variables of their own; bats sets stderr
load setup

setup() {
    FOLDER="${BATS_TEST_TMPDIR}/server"
    mkdir -p "${FOLDER}/data"
    mount -t tmpfs -o size=6m landfall "${FOLDER}/data" 2>/dev/null || skip "mounting is not permitted here"
}

teardown() {
    if ((${#SERVER_PIDS[@]} > 0)); then kill -KILL "${SERVER_PIDS[@]}" 2>/dev/null || true; fi
    local attempt
    for ((attempt = 0; attempt < 50; attempt++)); do
        if ! mountpoint --quiet "${FOLDER}/data" || umount "${FOLDER}/data" 2>/dev/null; then return; fi
        sleep 0.1
    done
}

@test "a full disk is 507, queries go on, and the server recovers by itself" {
    local number acknowledged=()
    start_landfall "${FOLDER}"
    head --bytes 200000 /dev/urandom | base64 --wrap 0 | head --bytes 200000 >"${SCRATCH}/large"
    for number in {1..60}; do
        post_form "/callbacks/raw/full?${number}" "@${SCRATCH}/large"
        if [[ "${STATUS}" != 201 ]]; then break; fi
        acknowledged+=("$(jq --raw-output .id "${BODY}")")
    done
    expect_problem 507 '.type == "urn:landfall:problem:disk-full"'
    [[ "$(field Retry-After)" =~ ^[0-9]+$ ]]
    ((${#acknowledged[@]} > 5))
    get /readyz
    expect_status 503
    expect_json '.status == "not ready" and [.checks[] | select(.status == "fail") | .name] == ["disk"]'
    get /metrics
    grep --quiet '^landfall_store_disk_full 1$' "${BODY}"
    get /healthz
    expect_status 200
    get '/api/v1/results?inbox=full&limit=500&fields=id'
    expect_status 200
    [[ "$(jq --raw-output .results[].id "${BODY}")" == "$(printf '%s\n' "${acknowledged[@]}" | tac)" ]]
    get "/api/v1/results/${acknowledged[0]}"
    expect_status 200
    mount -o remount,size=128m "${FOLDER}/data"
    # Without a callback: a load balancer sends none to a server that isn't ready.
    for ((number = 0; number < 600; number++)); do
        get /readyz
        [[ "${STATUS}" == 200 ]] && break
        sleep 0.1
    done
    expect_json '.status == "ready"'
    get /metrics
    grep --quiet '^landfall_store_disk_full 0$' "${BODY}"
    [[ ! -e "${FOLDER}/data/results/room.unfinished" ]]
    post_form /callbacks/raw/full recovered
    expect_status 201
    acknowledged+=("$(jq --raw-output .id "${BODY}")")
    stop_landfall
    start_landfall "${FOLDER}"
    get '/api/v1/results?inbox=full&limit=500&fields=id'
    [[ "$(jq --raw-output .results[].id "${BODY}")" == "$(printf '%s\n' "${acknowledged[@]}" | tac)" ]]
    "${BATS_TEST_DIRNAME}/lines.py" "${FOLDER}"/data/results/*.jsonl
}

# fill INBOX: posts until the disk is full; ids of what was acknowledged go to ${SCRATCH}/ids.
fill() {
    local number
    : >"${SCRATCH}/ids"
    for number in {1..600}; do
        post_form "/callbacks/raw/$1?${number}" "@${SCRATCH}/large"
        if [[ "${STATUS}" != 201 ]]; then break; fi
        jq --raw-output .id "${BODY}" >>"${SCRATCH}/ids"
    done
    expect_problem 507 '.type == "urn:landfall:problem:disk-full"'
}

@test "a callback that could not be stored ends no flow" {
    local flow
    start_landfall "${FOLDER}"
    post_json /api/v1/launches '{"vendor":"welltory","parameters":{"source":"me"},"inbox":"waiting"}'
    flow="$(jq --raw-output .flow "${BODY}")"
    head --bytes 200000 /dev/urandom | base64 --wrap 0 >"${SCRATCH}/large"
    fill full
    head --bytes 500 "${SCRATCH}/large" >"${SCRATCH}/large.part"
    mv "${SCRATCH}/large.part" "${SCRATCH}/large"
    fill full
    get "/callbacks/welltory/waiting/${flow}?stress=0.1&energy=0.2"
    expect_problem 507
    grep --quiet 'a record could not be stored' "${SERVER_LOG}"
    mount -o remount,size=128m "${FOLDER}/data"
    get "/callbacks/welltory/waiting/${flow}?stress=0.3&energy=0.2"
    expect_status 201
    expect_json '.flow == $flow' --arg flow "${flow}"
    get "/api/v1/flows/${flow}"
    expect_json '.state == "returned" and .callbacks == 1'
    stop_landfall
}

@test "on a full disk results are erased and compacted, also after a restart, and make room" {
    local id count
    mount -o remount,size=24m "${FOLDER}/data"
    start_configured "${FOLDER}" <<<'results: {segment_bytes: 1048576}'
    head --bytes 50000 /dev/urandom | base64 --wrap 0 | head --bytes 50000 >"${SCRATCH}/large"
    post_form /callbacks/raw/secret "mark-of-somebody-4711&$(head --bytes 20000 "${SCRATCH}/large")"
    expect_status 201
    fill full
    # What no reserve protects: nothing is left for anybody.
    head --bytes 60000000 /dev/zero >"${FOLDER}/data/waste" 2>/dev/null || true
    count="$(wc --lines <"${SCRATCH}/ids")"
    ((count > 200))
    stop_landfall
    start_landfall_again
    get '/api/v1/results?limit=500&fields=id'
    expect_status 200
    [[ "$(jq '.results | length' "${BODY}")" == $((count + 1)) ]]
    id="$(head --lines 1 "${SCRATCH}/ids")"
    get "/api/v1/results/${id}" --request DELETE
    expect_status 204
    get "/api/v1/results/${id}"
    expect_problem 404
    get /api/v1/inboxes/secret --request DELETE
    expect_status 200
    get /api/v1/store/compact --request POST
    expect_json '.failures == [] and .removed_lines == 2'
    run ! grep --quiet --recursive --text mark-of-somebody-4711 "${FOLDER}/data"
    get '/api/v1/results?limit=500&fields=id'
    [[ "$(jq '.results | length' "${BODY}")" == $((count - 1)) ]]
    get /api/v1/inboxes/full --request DELETE
    expect_status 200
    get /api/v1/store/compact --request POST
    expect_json '.failures == []'
    post_form /callbacks/raw/full recovered
    expect_status 201
}

@test "a full disk has room again when an inbox is erased whose rows need more than the reserve" {
    local number
    mount -o remount,size=128m "${FOLDER}/data"
    start_configured "${FOLDER}" <<<'results: {compaction_milliseconds: 100}'
    # A record is compared with all others of its millisecond.
    for number in {1..20}; do post_form /callbacks/raw/many "${number}"; done
    get '/api/v1/export?format=ndjson'
    # The index has what a receiver's path captured, so that a filter finds it.
    jq --compact-output 'del(.crc32) | range(10000; 10300) as $number | .id |= .[:-5] + "\($number)"
        | .request.parameters = {name: ("p" * 3000 + "\($number)")}' "${BODY}" >"${SCRATCH}/lines"
    get /api/v1/import --header 'Content-Type: application/x-ndjson' --data-binary "@${SCRATCH}/lines"
    expect_json '.imported == 6000'
    get '/api/v1/results?inbox=many&limit=1'
    expect_status 200
    head --bytes 150000000 /dev/zero >"${FOLDER}/data/waste" 2>/dev/null || true
    get /api/v1/inboxes/many --request DELETE
    expect_json '.erased == 6020'
    get /api/v1/store/compact --request POST
    expect_json '.failures == []'
    post_form /callbacks/raw/many recovered
    expect_status 201
}

@test "a large inbox is erased in steps whose log doesn't fill the rest of a full disk" {
    local round
    mount -o remount,size=64m "${FOLDER}/data"
    start_configured "${FOLDER}" <<<'results: {compaction_milliseconds: 60000}'
    for round in {1..20}; do
        curl --silent --max-time 60 --output /dev/null \
            "${LANDFALL_URL}/callbacks/welltory/large?stress=0.5&energy=0.[1-700]"
    done
    post_form /callbacks/raw/small x
    # The log of a server that stops is empty.
    stop_landfall
    head --bytes 90000000 /dev/zero >"${FOLDER}/data/waste" 2>/dev/null || true
    truncate --size=-100K "${FOLDER}/data/waste"
    start_landfall_again
    get /api/v1/inboxes/large --request DELETE
    expect_json '.erased == 14000'
    get '/api/v1/results?fields=inbox'
    expect_json '[.results[].inbox] == ["small"]'
    stop_landfall
    start_landfall_again
    get '/api/v1/results?fields=inbox'
    expect_json '[.results[].inbox] == ["small"]'
}

@test "when the reserve is used up and the disk is full again, nothing is erased, and queries and restarts work" {
    local inbox id
    mount -o remount,size=64m "${FOLDER}/data"
    start_configured "${FOLDER}" <<<'results: {compaction_milliseconds: 60000}'
    for inbox in first second third; do post_form "/callbacks/raw/${inbox}" x; done
    id="$(jq --raw-output .id "${BODY}")"
    head --bytes 90000000 /dev/zero >"${FOLDER}/data/waste" 2>/dev/null || true
    get /api/v1/inboxes/first --request DELETE
    expect_status 200
    get '/api/v1/results?fields=inbox'
    expect_json '[.results[].inbox] == ["third", "second"]'
    head --bytes 90000000 /dev/zero >"${FOLDER}/data/more-waste" 2>/dev/null || true
    get /api/v1/inboxes/second --request DELETE
    expect_problem 507 '.type == "urn:landfall:problem:disk-full"'
    get "/api/v1/results/${id}" --request DELETE
    expect_problem 507
    get '/api/v1/results?fields=inbox'
    expect_json '[.results[].inbox] == ["third", "second"]'
    run --separate-stderr timeout 10 "${LANDFALL_BIN}" serve --config "${FOLDER}/landfall.yaml" --host 127.0.0.1 \
        --port "${SERVER_PORT}" --data "${FOLDER}/data" --take-over
    [[ "${status}" == 3 && "${stderr}" == *'the disk is full'* ]]
    stop_landfall
    start_landfall_again
    get '/api/v1/results?fields=inbox'
    expect_json '[.results[].inbox] == ["third", "second"]'
    rm "${FOLDER}/data/more-waste"
    get /api/v1/inboxes/second --request DELETE
    expect_status 200
    get '/api/v1/results?fields=inbox'
    expect_json '[.results[].inbox] == ["third"]'
}

@test "restarts on a full disk neither accept what would fill it, nor lose the room for erasing" {
    local start
    mount -o remount,size=64m "${FOLDER}/data"
    start_configured "${FOLDER}" <<<'results: {segment_bytes: 1048576}'
    head --bytes 50000 /dev/urandom | base64 --wrap 0 | head --bytes 50000 >"${SCRATCH}/large"
    post_form /callbacks/raw/first "@${SCRATCH}/large"
    expect_status 201
    # Less than the reserve needs stays free when it is released.
    head --bytes 90000000 /dev/zero >"${FOLDER}/data/waste" 2>/dev/null || true
    for start in 1 2 3; do
        stop_landfall
        start_landfall_again
        post_form /callbacks/raw/full "@${SCRATCH}/large"
        expect_problem 507 || fail "after start ${start}"
    done
    get /readyz
    expect_json '[.checks[] | select(.status == "fail") | .name] == ["disk"]'
    get /api/v1/inboxes/first --request DELETE
    expect_status 200
    get /api/v1/store/compact --request POST
    expect_json '.failures == [] and .removed_lines == 1'
    rm "${FOLDER}/data/waste"
    post_form /callbacks/raw/full recovered
    expect_status 201
}

@test "a start keeps the reserve, so that a later one opens the store though others have filled the disk" {
    local free start index
    mount -o remount,size=64m "${FOLDER}/data"
    start_configured "${FOLDER}" <<<'results: {segment_bytes: 1048576}'
    post_form /callbacks/raw/first 1
    expect_status 201
    # Room for records; even with the reserve's space, less than twice the reserve.
    free="$(df --output=avail --block-size=1 "${FOLDER}/data" | tail --lines 1)"
    head --bytes $((free - 2000000)) /dev/zero >"${FOLDER}/data/waste"
    stop_landfall
    start_landfall_again
    post_form /callbacks/raw/first 2
    expect_status 201
    get '/api/v1/results?inbox=first&fields=id'
    expect_json '.results | length == 2'
    stop_landfall
    head --bytes 90000000 /dev/zero >"${FOLDER}/data/more-waste" 2>/dev/null || true
    index="$(stat --format %i "${FOLDER}/data/index.sqlite")"
    for start in 1 2; do
        start_landfall_again
        get '/api/v1/results?inbox=first&fields=id'
        expect_json '.results | length == 2' || fail "after start ${start}"
        stop_landfall
    done
    [[ "$(stat --format %i "${FOLDER}/data/index.sqlite")" == "${index}" ]]
}

@test "a server that starts on a full disk waits for room, and SIGTERM ends it at once" {
    local round attempt
    mount -o remount,size=64m "${FOLDER}/data"
    start_configured "${FOLDER}" <<<'results: {segment_bytes: 1048576}'
    post_form /callbacks/raw/first 1
    expect_status 201
    stop_landfall
    rm -f "${FOLDER}/data/reserve" "${FOLDER}"/data/index.sqlite*
    head --bytes 90000000 /dev/zero >"${FOLDER}/data/waste" 2>/dev/null || true
    for round in stopped resumed; do
        launch_landfall "${FOLDER}" --config "${FOLDER}/landfall.yaml" --host 127.0.0.1 --port 0 \
            --data "${FOLDER}/data"
        for ((attempt = 0; attempt < 300; attempt++)); do
            grep --quiet "can't be opened before the disk has room" "${SERVER_LOG}" && break
            sleep 0.1
        done
        # Some tries later.
        sleep 3
        kill -0 "${SERVER_PID}"
        [[ "$(grep --count "can't be opened before the disk has room" "${SERVER_LOG}")" == 1 ]]
        [[ "${round}" == resumed ]] || stop_landfall
    done
    rm "${FOLDER}/data/waste"
    wait_for_landfall
    post_form /callbacks/raw/first 2
    expect_status 201
    get '/api/v1/results?inbox=first&fields=id'
    expect_json '.results | length == 2'
    stop_landfall
}

@test "config init leaves no part of a file on a full disk, and writes it when there is room" {
    local file="${FOLDER}/data/landfall.yaml"
    head --bytes 60000000 /dev/zero >"${FOLDER}/data/waste" 2>/dev/null || true
    run --separate-stderr "${LANDFALL_BIN}" config init "${file}"
    [[ "${status}" == 3 && "${stderr}" == *"can't be written: the disk is full."* && ! -e "${file}" ]]
    rm "${FOLDER}/data/waste"
    run --separate-stderr "${LANDFALL_BIN}" config init "${file}"
    [[ "${status}" == 0 && -s "${file}" ]]
}

# start_landfall_again: with the configuration that is there.
start_landfall_again() {
    launch_landfall "${FOLDER}" --config "${FOLDER}/landfall.yaml" --host 127.0.0.1 --port 0 --data "${FOLDER}/data"
    wait_for_landfall
}
