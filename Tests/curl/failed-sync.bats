#!/usr/bin/env bats
# A disk that says that it has lost data: nothing is acknowledged, and the process ends with a code of its
# own, because what the disk holds is unknown. And an index that can't be written: the server says so, and goes on.

# bats file_tags=alone

load setup

EIO=5
EDQUOT=122

setup_file() {
    build_failing_calls
}

setup() {
    with_failing_calls start_landfall "${BATS_TEST_TMPDIR}/server"
}

@test "a failed sync acknowledges nothing and ends the process with exit code 4" {
    local code=0 before
    post_form /callbacks/welltory stress=0.25
    expect_status 201
    before="$(cat "${SERVER_DATA}"/results/*.jsonl)"
    : >"${BODY}"
    let_fail "fdatasync / ${EIO}"
    curl --silent --max-time 60 --output "${BODY}" --data stress=0.5 "${LANDFALL_URL}/callbacks/welltory" || code=$?
    # 52: the server closed without an answer.
    [[ "${code}" == 52 || "${code}" == 56 ]] || fail "curl ended with ${code}"
    [[ ! -s "${BODY}" ]]
    code=0
    wait "${SERVER_PID}" || code=$?
    [[ "${code}" == 4 ]] || fail "the server ended with ${code}"
    grep --quiet "can't be trusted" "${SERVER_LOG}"
    let_fail
    start_landfall "${BATS_TEST_TMPDIR}/server"
    get '/api/v1/results'
    expect_status 200
    expect_json '[.results[] | select(.result.stress == 0.25)] | length == 1'
    [[ "$(head --bytes "${#before}" "${SERVER_DATA}"/results/*.jsonl)" == "${before}" ]]
    stop_landfall
}

# expect_end CURL-CODE: the server closed without an answer, and ended with exit code 4.
expect_end() {
    local code=0
    [[ "$1" == 52 || "$1" == 56 ]] || fail "curl ended with $1"
    wait "${SERVER_PID}" || code=$?
    [[ "${code}" == 4 ]] || fail "the server ended with ${code}"
    grep --quiet "can't be trusted" "${SERVER_LOG}"
}

# fail_at CURL-OPTION...: what a request comes to when the disk fails.
fail_at() {
    local code=0
    let_fail "fdatasync / ${EIO}"
    curl --silent --max-time 60 --output "${BODY}" "$@" || code=$?
    expect_end "${code}"
}

@test "an import whose sync fails ends the process too" {
    post_form /callbacks/welltory stress=0.25
    get /api/v1/export
    cp "${BODY}" "${SCRATCH}/lines"
    get "/api/v1/results/$(jq --raw-output .id "${SCRATCH}/lines")" --request DELETE
    expect_status 204
    fail_at --header 'Content-Type: application/x-ndjson' --data-binary "@${SCRATCH}/lines" \
        "${LANDFALL_URL}/api/v1/import"
}

@test "an erasure whose sync fails ends the process too" {
    post_form /callbacks/welltory stress=0.25
    fail_at --request DELETE "${LANDFALL_URL}/api/v1/results/$(jq --raw-output .id "${BODY}")"
}

@test "a compaction whose sync fails ends the process too" {
    post_form /callbacks/welltory stress=0.25
    local id
    id="$(jq --raw-output .id "${BODY}")"
    post_form /callbacks/welltory stress=0.5
    get "/api/v1/results/${id}" --request DELETE
    expect_status 204
    fail_at --request POST "${LANDFALL_URL}/api/v1/store/compact"
}

@test "an index that can't be written makes the server unready, and callbacks that it refuses are counted" {
    post_form /callbacks/raw first
    get /api/v1/results
    expect_status 200
    let_fail "write /index.sqlite ${EIO}"
    post_form /callbacks/raw second
    expect_status 201
    post_form /callbacks/raw third --header 'Idempotency-Key: key'
    expect_problem 500
    get /readyz
    expect_status 503
    expect_json '[.checks[] | select(.status == "fail") | .name] == ["index"]'
    get /metrics
    grep --quiet '^landfall_store_failures_total{reason="index"} 1$' "${BODY}"
    let_fail
    post_form /callbacks/raw third --header 'Idempotency-Key: key'
    expect_status 201
    get /api/v1/results
    expect_json '.results | length == 3'
    get /readyz
    expect_status 200
    stop_landfall
}

@test "after a passing failure, the server is ready again without a callback" {
    post_form /callbacks/raw first
    let_fail "write .jsonl ${EIO}"
    post_form /callbacks/raw second
    expect_problem 500
    get /readyz
    expect_status 503
    expect_json '[.checks[] | select(.status == "fail") | .name] == ["store"]'
    let_fail
    for ((number = 0; number < 600; number++)); do
        get /readyz
        [[ "${STATUS}" == 200 ]] && break
        sleep 0.1
    done
    expect_status 200
    post_form /callbacks/raw third
    expect_status 201
    stop_landfall
}

@test "the key of pseudonyms is durable before a record is masked with it" {
    stop_landfall
    let_fail 'rename / note' 'fsync / note'
    with_failing_calls start_configured "${BATS_TEST_TMPDIR}/masked" <<<'privacy: mask'
    post_form /callbacks/welltory stress=0.25
    expect_status 201
    grep --after-context 1 "^rename ${SERVER_DATA}/privacy.key " "${SCRATCH}/failed-calls" >"${SCRATCH}/key"
    [[ "$(tail --lines 1 "${SCRATCH}/key")" =~ ^"fsync ${SERVER_DATA}/ " ]] || fail "$(<"${SCRATCH}/key")"
    stop_landfall
}

@test "an index whose write-ahead log couldn't be set up is made again" {
    stop_landfall
    rm "${SERVER_DATA}"/index.sqlite*
    # SQLite writes the journal's header, then, in one of the next two calls, the mode.
    for skip in 0 1 2; do
        let_fail "write /index.sqlite ${EIO} ${skip} 1"
        with_failing_calls start_landfall "${BATS_TEST_TMPDIR}/server"
        [[ -s "${SERVER_DATA}/index.sqlite-wal" ]] || fail "without a log after ${skip} calls"
        stop_landfall
        rm "${SERVER_DATA}"/index.sqlite*
    done
}

@test "a quota that is used up is a full disk to the index: the reserve is released, and queries get 507" {
    post_form /callbacks/raw first
    get /api/v1/results
    expect_status 200
    [[ -s "${SERVER_DATA}/reserve" ]]
    let_fail "write /index.sqlite ${EDQUOT}" "write /room.unfinished ${EDQUOT}" "write /reserve ${EDQUOT}"
    post_form /callbacks/raw second
    expect_status 201
    get /api/v1/results
    expect_problem 507 '.type == "urn:landfall:problem:disk-full"'
    [[ -e "${SERVER_DATA}/reserve" && ! -s "${SERVER_DATA}/reserve" ]]
    let_fail
    get /api/v1/results
    expect_json '.results | length == 2'
    post_form /callbacks/raw third
    expect_status 201
    stop_landfall
}
