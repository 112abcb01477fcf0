#!/usr/bin/env bats
# What is kept, and how: results that expire by age, size and number, and compressed days.
# Invariant: what is kept is found by every question; what has expired is in no file.
# Left out: erasing on request (erasing.bats).

# shellcheck disable=SC2016 # programs of jq have variables of their own
load setup

setup() {
    FOLDER="${BATS_TEST_TMPDIR}/server"
    RESULTS="${FOLDER}/data/results"
}

# old_day DAY COUNT: a segment of the past.
old_day() {
    "${BATS_TEST_DIRNAME}/segment.py" "${RESULTS}" "$@"
}

compact() {
    get /api/v1/store/compact --request POST
    expect_status 200
    expect_json '.failures == []'
}

seqs() {
    get "/api/v1/results?limit=500&fields=seq&sort=seq&$1"
    jq .results[].seq "${BODY}"
}

@test "days that are over are compressed; zcat, jq and every question read them" {
    old_day 2026-01-02 300
    start_landfall "${FOLDER}"
    post_form /callbacks/raw/new today
    compact
    [[ ! -e "${RESULTS}/2026-01-02.jsonl" ]]
    expect_json '.compressed_segments <= 1'
    zcat "${RESULTS}/2026-01-02.jsonl.gz" >"${SCRATCH}/inflated"
    "${BATS_TEST_DIRNAME}/lines.py" "${SCRATCH}/inflated"
    [[ "$(jq --raw-output .request.body.data "${SCRATCH}/inflated" | tail -n 1)" == 'old 300' ]]
    (($(wc --bytes <"${RESULTS}/2026-01-02.jsonl.gz") * 3 < $(wc --bytes <"${SCRATCH}/inflated")))
    [[ "$(seqs inbox=old)" == "$(seq 1 300)" ]]
    get '/api/v1/results?q=seq:123&fields=id,request.body'
    expect_json '.results[0].request.body.data == "old 123"'
    get "/api/v1/results/$(jq --raw-output .results[0].id "${BODY}")/request"
    [[ "$(tail -n 1 "${BODY}")" == 'old 123' ]]
    get '/api/v1/results?received_before=2026-01-03T00:00:00Z&q=received_at:2026-01-02&limit=1'
    expect_json '.results[0].seq == 300'
    get /api/v1/export
    [[ "$(wc --lines <"${BODY}")" == 301 ]]
    stop_landfall
    rm "${FOLDER}"/data/index.sqlite*
    start_landfall "${FOLDER}"
    [[ "$(seqs inbox=old)" == "$(seq 1 300)" ]]
}

@test "a compressed day that was cut short is noticed at the next start, and the rest is there" {
    local left
    old_day 2026-01-02 2000
    start_landfall "${FOLDER}"
    compact
    stop_landfall
    truncate --size -30 "${RESULTS}/2026-01-02.jsonl.gz"
    left="$({ zcat "${RESULTS}/2026-01-02.jsonl.gz" 2>/dev/null || true; } | wc --lines)"
    start_landfall "${FOLDER}"
    get /api/v1/results/latest
    expect_status 200
    get '/api/v1/results?limit=1'
    expect_json '(.results | length) == 1 and .total.exact and .total.count > 0 and .total.count <= $left' \
        --argjson left "${left}"
}

@test "compression can be left off" {
    old_day 2026-01-02 10
    start_configured "${FOLDER}" <<<'results: {compress: false}'
    compact
    [[ -f "${RESULTS}/2026-01-02.jsonl" && ! -e "${RESULTS}/2026-01-02.jsonl.gz" ]]
}

@test "results of more than so many days expire" {
    old_day "$(date --utc --date '60 days ago' +%F)" 20
    start_configured "${FOLDER}" <<<'results: {retention: {days: 30}}'
    post_form /callbacks/raw/new today
    compact
    get /api/v1/stats
    expect_json '.results == 1'
    get /api/v1/inboxes
    expect_json '[.inboxes[].name] == ["new"]'
    compact
    [[ -z "$(cat "${RESULTS}"/* | gzip --decompress --stdout --force | grep 'old 7')" ]]
    grep --quiet 'expired results erased.*results=20' "${SERVER_LOG}"
}

@test "an inbox keeps its newest so many results" {
    start_configured "${FOLDER}" <<<'results: {retention: {inbox_results: 3}}'
    local number
    for number in {1..8}; do post_form /callbacks/raw/full "full ${number}"; done
    post_form /callbacks/raw/other other
    compact
    [[ "$(seqs inbox=full)" == "$(seq 6 8)" ]]
    [[ "$(seqs inbox=other)" == 9 ]]
    compact
    [[ "$(grep --count 'full [1-5]"' "${RESULTS}"/*.jsonl)" == 0 ]]
}

@test "the oldest results expire when all together are too large" {
    old_day 2026-01-02 3000
    start_configured "${FOLDER}" <<<'results: {compress: false, retention: {bytes: 1048576}}'
    get '/callbacks/welltory/new?stress=0.3'
    compact
    compact
    (($(cat "${RESULTS}"/* | wc --bytes) <= 1048576))
    local left
    left="$(seqs inbox=new | wc --lines)"
    [[ "${left}" == 1 ]]
    get '/api/v1/results?inbox=old&limit=1'
    expect_json '.results == [] or .results[0].seq == 3000'
}

@test "a segment that is full is followed by the next part of its day" {
    start_configured "${FOLDER}" <<<'results: {segment_bytes: 1048576}'
    head --bytes 400000 /dev/zero | tr '\0' x >"${SCRATCH}/large"
    local number
    for number in 1 2 3 4 5; do post_form /callbacks/raw/large "@${SCRATCH}/large"; done
    [[ "$(find "${RESULTS}" -name '*.jsonl*' | wc --lines)" -ge 2 ]]
    [[ "$(seqs inbox=large)" == "$(seq 1 5)" ]]
    stop_landfall
    start_configured "${FOLDER}" <<<'results: {segment_bytes: 1048576}'
    [[ "$(seqs inbox=large)" == "$(seq 1 5)" ]]
}
