#!/usr/bin/env bats
# Large results, each of which needs much of the memory that requests and responses share.
# Invariant: a request never waits for memory that it holds itself, and what is read one after the other isn't in
# memory at once.
# Left out: many peers at once (memory.bats).

# bats file_tags=alone

# shellcheck disable=SC2016 # programs of jq have variables of their own
load setup

setup() {
    FOLDER="${BATS_TEST_TMPDIR}/server"
    start_landfall "${FOLDER}"
    head --bytes 4000000 /dev/urandom >"${SCRATCH}/large"
}

# post_large PATH
post_large() {
    get "$1" --header 'Content-Type: application/octet-stream' --data-binary "@${SCRATCH}/large"
}

# most_resident: the most MB that were resident.
most_resident() { awk '/^VmHWM/ { print int($2 / 1024) }' "/proc/${SERVER_PID}/status"; }

@test "exports and lists of several results of 4 MB are complete" {
    local number
    for number in 1 2 3; do
        post_large /callbacks/raw/large
        expect_status 201
    done
    get '/api/v1/export?inbox=large'
    [[ "$(wc --lines <"${BODY}")" == 3 ]]
    get '/api/v1/export?inbox=large&format=har'
    expect_json '.log.entries | length == 3'
    get '/api/v1/results?inbox=large&fields=id,request' --header 'Accept: application/x-ndjson'
    [[ "$(wc --lines <"${BODY}")" == 3 ]]
}

@test "a callback of 4 MB is sent again, and a stray of 4 MB is adopted" {
    post_large /callbacks/raw/large
    post_json "/api/v1/results/$(jq --raw-output .id "${BODY}")/send" '{"to":"self"}'
    expect_status 201
    expect_json '.delivery.status == 201'
    post_large /callback/raw/large
    get "/api/v1/results/$(jq --raw-output .stray "${BODY}")/adopt?vendor=raw&inbox=large" --request POST
    expect_status 201
    get '/api/v1/results?inbox=large&fields=id'
    expect_json '.results | length == 3'
}

@test "a client that doesn't read a result of 4 MB keeps no callback out" {
    local id
    post_large /callbacks/raw/large
    id="$(jq --raw-output .id "${BODY}")"
    exec 7<>"/dev/tcp/127.0.0.1/${SERVER_PORT}"
    printf 'GET /api/v1/results/%s HTTP/1.1\r\nHost: localhost\r\n\r\n' "${id}" >&7
    head --bytes 15 <&7 | grep 'HTTP/1.1 200 OK'
    post_large /callbacks/raw/large
    exec 7>&-
    expect_status 201
}

@test "a compressed result of 4 MB is the same as the plain one" {
    local id
    head --bytes 3000000 /dev/urandom | base64 --wrap 0 | jq --raw-input '{text: .}' >"${SCRATCH}/large.json"
    post_json /callbacks/raw/large "@${SCRATCH}/large.json"
    expect_status 201
    id="$(jq --raw-output .id "${BODY}")"
    curl --silent --fail --output "${SCRATCH}/plain" "${LANDFALL_URL}/api/v1/results/${id}"
    curl --silent --fail --header 'Accept-Encoding: gzip' --output "${SCRATCH}/coded" \
        "${LANDFALL_URL}/api/v1/results/${id}"
    (("$(stat --format %s "${SCRATCH}/coded")" < "$(stat --format %s "${SCRATCH}/plain")"))
    gunzip <"${SCRATCH}/coded" | cmp - "${SCRATCH}/plain"
}

@test "a start and an import have a part of what they read in memory" {
    local number most
    head --bytes 500000 "${SCRATCH}/large" >"${SCRATCH}/large.part"
    mv "${SCRATCH}/large.part" "${SCRATCH}/large"
    for number in {1..300}; do
        post_large /callbacks/raw/large/01a22198-0000-7000-8000-00000000abcd
    done
    curl --silent --fail --output "${SCRATCH}/lines" "${LANDFALL_URL}/api/v1/export"
    stop_landfall
    start_landfall "${FOLDER}"
    most="$(most_resident)"
    echo "resident after the start: ${most} MB at most"
    ((most < 150))
    stop_landfall
    start_landfall "${BATS_TEST_TMPDIR}/other"
    get /api/v1/import --max-time 240 --header 'Content-Type: application/x-ndjson' --data-binary "@${SCRATCH}/lines"
    expect_json '.imported == 300'
    most="$(most_resident)"
    echo "resident after the import: ${most} MB at most"
    ((most < 150))
}
