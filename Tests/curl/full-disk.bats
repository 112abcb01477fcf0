#!/usr/bin/env bats
# A full disk: callbacks are refused with 507, questions are answered, and all is well when there is room.
# Invariant: what was acknowledged is found, also behind a restart; what was refused is not.
# Left out: disks that fail otherwise, which the fault-injecting tests of the store play through.

# shellcheck disable=SC2016 # programs of jq have variables of their own
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

@test "a full disk is 507, questions go on, and the server recovers by itself" {
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
    expect_json '.status == "not ready" and .missing[0].name == "disk"'
    get /healthz
    expect_status 200
    get '/api/v1/results?inbox=full&limit=500&fields=id'
    expect_status 200
    [[ "$(jq --raw-output .results[].id "${BODY}")" == "$(printf '%s\n' "${acknowledged[@]}" | tac)" ]]
    get "/api/v1/results/${acknowledged[0]}"
    expect_status 200
    mount -o remount,size=32m "${FOLDER}/data"
    post_form /callbacks/raw/full recovered
    expect_status 201
    acknowledged+=("$(jq --raw-output .id "${BODY}")")
    get /readyz
    expect_status 200
    expect_json '.status == "ready"'
    stop_landfall
    start_landfall "${FOLDER}"
    get '/api/v1/results?inbox=full&limit=500&fields=id'
    [[ "$(jq --raw-output .results[].id "${BODY}")" == "$(printf '%s\n' "${acknowledged[@]}" | tac)" ]]
    "${BATS_TEST_DIRNAME}/lines.py" "${FOLDER}"/data/results/*.jsonl
}
