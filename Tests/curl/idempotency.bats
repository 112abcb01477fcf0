#!/usr/bin/env bats
# Idempotency-Key: a callback that is sent again is stored once
# (draft-ietf-httpapi-idempotency-key-header-07).
# Invariant: a key belongs to a vendor and an inbox, and counts as long as its result is kept.
# Left out: what callbacks say (vendors.bats).

# shellcheck disable=SC2016 # programs of jq have variables of their own
load setup

setup_file() {
    start_landfall "${BATS_FILE_TMPDIR}/server"
}

teardown_file() {
    stop_landfall
}

# send INBOX KEY BODY [CURL OPTION]...
send() {
    local inbox="$1" key="$2" body="$3"
    shift 3
    post_form "/callbacks/raw/${inbox}" "${body}" --header "Idempotency-Key: ${key}" "$@"
}

# expect_stored_count NUMBER INBOX
expect_stored_count() {
    get "/api/v1/results?inbox=$2&limit=500"
    expect_json '.results | length == $number' --argjson number "$1"
}

@test "the same key and request is answered like the first, and stored once" {
    local first
    send same key-1 body
    expect_status 201
    [[ -z "$(field Idempotent-Replayed)" ]]
    first="$(<"${BODY}")"
    send same key-1 body
    expect_status 201
    expect_field Idempotent-Replayed true
    [[ "$(<"${BODY}")" == "${first}" ]]
    expect_field Location "/api/v1/results/$(jq --raw-output .id "${BODY}")"
    expect_stored_count 1 same
}

@test "what could not be decoded is answered again with 422 and its diagnostics" {
    local first
    post_form /callbacks/welltory/broken stress=0,3 --header 'Idempotency-Key: broken'
    expect_status 422
    first="$(<"${BODY}")"
    post_form /callbacks/welltory/broken stress=0,3 --header 'Idempotency-Key: broken'
    expect_status 422
    expect_field Idempotent-Replayed true
    [[ "$(<"${BODY}")" == "${first}" ]]
    expect_stored_count 1 broken
}

@test "the same key with another body or query is refused" {
    send other key-1 body
    send other key-1 'another body'
    expect_problem 422 '.type == "urn:landfall:problem:idempotency-key-reused"'
    post_form '/callbacks/raw/other?x=1' body --header 'Idempotency-Key: key-1'
    expect_problem 422
    send other key-2 'another body'
    expect_status 201
    expect_stored_count 2 other
}

@test "a key belongs to its inbox and vendor" {
    send one key-1 body
    send two key-1 body
    expect_status 201
    [[ -z "$(field Idempotent-Replayed)" ]]
    post_form /callbacks/welltory/one stress=0.3 --header 'Idempotency-Key: key-1'
    expect_status 201
    [[ -z "$(field Idempotent-Replayed)" ]]
    expect_stored_count 2 one
    expect_stored_count 1 two
}

@test "without a key, and with GET, everything is stored" {
    post_form /callbacks/raw/none body
    post_form /callbacks/raw/none body
    get '/callbacks/raw/none?x' --header 'Idempotency-Key: key-1'
    get '/callbacks/raw/none?x' --header 'Idempotency-Key: key-1'
    expect_status 201
    expect_stored_count 4 none
}

@test "the key of a GET stands in the way of no POST" {
    local first
    send shadow key-1 body
    first="$(<"${BODY}")"
    get '/callbacks/raw/shadow?x' --header 'Idempotency-Key: key-1'
    get '/callbacks/raw/shadow?x' --header 'Idempotency-Key: key-2'
    send shadow key-1 body
    expect_status 201
    [[ "$(<"${BODY}")" == "${first}" ]]
    send shadow key-2 body
    expect_status 201
    [[ -z "$(field Idempotent-Replayed)" ]]
    expect_stored_count 4 shadow
}

@test "a key that is none is refused" {
    local key
    for key in 'a b' '' "$(printf 'k%.0s' {1..256})" $'\xc3\xa9'; do
        post_form /callbacks/raw/refused body --header "Idempotency-Key${key:+: ${key}}${key:-;}"
        expect_problem 400 '.type == "urn:landfall:problem:invalid-idempotency-key"' || fail "'${key}'"
    done
    post_form /callbacks/raw/refused body --header 'Idempotency-Key: a' --header 'Idempotency-Key: a'
    expect_problem 400
    send refused "$(printf 'k%.0s' {1..255})" body
    expect_status 201
    expect_stored_count 1 refused
}

@test "20 at once become one result; each is answered with it, or told to try again" {
    local number
    for number in {1..20}; do
        printf 'url = "%s/callbacks/raw/at-once"\ndata = "body"\nheader = "Idempotency-Key: at-once"\n' "${LANDFALL_URL}"
        printf 'output = "%s/at-once-%s"\nnext\n' "${SCRATCH}" "${number}"
    done | sed '$d' | curl --silent --show-error --max-time 30 --parallel --parallel-immediate --config - \
        --write-out '%{http_code}\n' >"${SCRATCH}/statuses"
    expect_stored_count 1 at-once
    local id
    id="$(jq --raw-output .results[0].id "${BODY}")"
    for number in {1..20}; do
        jq --exit-status --arg id "${id}" '.id == $id or .type == "urn:landfall:problem:idempotency-key-in-flight"' \
            "${SCRATCH}/at-once-${number}"
    done
    send at-once at-once body
    expect_status 201
    expect_json '.id == $id' --arg id "${id}"
}

@test "keys count after a restart and after kill -9, until the result is erased" {
    local folder="${BATS_TEST_TMPDIR}/server" url="${LANDFALL_URL}" id
    start_landfall "${folder}"
    send kept key-1 body
    id="$(jq --raw-output .id "${BODY}")"
    kill -KILL "${SERVER_PID}"
    wait_until_gone
    start_landfall "${folder}"
    send kept key-1 body
    expect_json '.id == $id' --arg id "${id}"
    send kept key-1 other
    expect_problem 422
    stop_landfall
    rm "${folder}"/data/index.sqlite*
    start_landfall "${folder}"
    send kept key-1 body
    expect_json '.id == $id' --arg id "${id}"
    get "/api/v1/results/${id}" --request DELETE
    send kept key-1 other
    expect_status 201
    stop_landfall
    LANDFALL_URL="${url}"
}
