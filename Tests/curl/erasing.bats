#!/usr/bin/env bats
# Erasing: what is erased is gone from every answer at once, and from the disk after compaction.
# Invariant: what is erased is looked for in every file of the data folder, inflated where it is
# compressed; nothing else is lost.
# Left out: results that expire (keeping.bats).

# shellcheck disable=SC2016 # programs of jq have variables of their own
load setup

MARK='mark-of-somebody-4711'

setup() {
    FOLDER="${BATS_TEST_TMPDIR}/server"
    start_landfall "${FOLDER}"
}

# ids QUERY: of all results that it finds, newest first.
ids() {
    get "/api/v1/results?limit=500&fields=id&$1"
    jq --raw-output .results[].id "${BODY}"
}

# files_with TEXT: those of the data folder that hold it, as they are or inflated.
files_with() {
    local file
    find "${FOLDER}/data" -type f | while IFS= read -r file; do
        if grep --quiet --text --fixed-strings -e "$1" "${file}" \
            || { [[ "${file}" == *.gz ]] && zcat "${file}" | grep --quiet --text --fixed-strings -e "$1"; }; then
            printf '%s\n' "${file}"
        fi
    done
}

# expect_nowhere TEXT: no file and no answer has it.
expect_nowhere() {
    local found path
    found="$(files_with "$1")"
    [[ -z "${found}" ]] || fail "$1 is still in ${found}"
    for path in /api/v1/results?limit=500 /api/v1/results?fields=request,result "/api/v1/results?q=$1" /api/v1/inboxes \
        /api/v1/export '/api/v1/export?format=csv' '/api/v1/export?format=har' '/api/v1/results/wait?after=0&count=500&within=1ms'; do
        get "${path}"
        if [[ "${path}" != *"q=$1"* ]] && grep --quiet --fixed-strings -e "$1" "${BODY}"; then fail "${path} tells $1"; fi
        [[ "${path}" != *q=* ]] || expect_json '.results == []'
    done
}

compact() {
    get /api/v1/store/compact --request POST
    expect_status 200
    expect_json '.failures == []'
}

@test "an erased result is gone from every answer at once" {
    local id path
    post_form /callbacks/raw/a "${MARK}"
    id="$(jq --raw-output .id "${BODY}")"
    post_form /callbacks/raw/a other
    get "/api/v1/results/${id}" --request DELETE
    expect_status 204
    [[ ! -s "${BODY}" ]]
    for path in "/api/v1/results/${id}" "/api/v1/results/${id}/request" "/api/v1/results/${id}/curl"; do
        get "${path}"
        expect_problem 404 '.type == "urn:landfall:problem:unknown-result"'
    done
    get /api/v1/results
    expect_json '[.results[].seq] == [2]'
    get /api/v1/results/latest
    expect_json '.seq == 2'
    get /api/v1/inboxes
    expect_json '[.inboxes[] | [.name, .count]] == [["a", 1]]'
    get /api/v1/stats
    expect_json '.results == 1'
    get /api/v1/export
    [[ "$(jq .seq "${BODY}")" == 2 ]]
    get "/api/v1/results/${id}" --request DELETE
    expect_problem 404
}

@test "an erased inbox is gone at once, and can be used again" {
    local number
    for number in {1..30}; do post_form "/callbacks/raw/gone?${number}" "${MARK}"; done
    post_form /callbacks/raw/stays x
    get /api/v1/inboxes/gone --request DELETE
    expect_status 200
    expect_json '. == {"erased": 30}'
    [[ -z "$(ids inbox=gone)" ]]
    get /api/v1/inboxes
    expect_json '[.inboxes[].name] == ["stays"]'
    get /api/v1/inboxes/gone --request DELETE
    expect_status 204
    post_form /callbacks/raw/gone again
    [[ "$(ids inbox=gone | wc --lines)" == 1 ]]
}

@test "a result is not erased if the request requires another one" {
    local id
    get '/callbacks/raw/required?x'
    id="$(jq --raw-output .id "${BODY}")"
    get "/api/v1/results/${id}" --request DELETE --header 'If-Match: "other"'
    expect_problem 412 '.type == "urn:landfall:problem:precondition-failed"'
    get "/api/v1/results/${id}" --header 'If-Match: "other"'
    expect_problem 412
    get "/api/v1/results/${id}" --request DELETE --header 'If-Match: *'
    expect_status 204
}

@test "an inbox is not erased if the request's conditions are false (RFC 9110 §13.1)" {
    local condition
    post_form /callbacks/raw/conditional kept
    for condition in 'If-Match: "x"' 'If-Match: W/"x"' 'If-None-Match: *'; do
        get /api/v1/inboxes/conditional --request DELETE --header "${condition}"
        expect_problem 412
        get /api/v1/results?inbox=conditional
        expect_json '.results | length == 1'
    done
    get /api/v1/inboxes/conditional --request DELETE --header 'If-Match: *'
    expect_status 200
    expect_json '. == {erased: 1}'
    get /api/v1/inboxes/conditional --request DELETE --header 'If-Match: *'
    expect_status 204
}

@test "wrong names and methods are refused" {
    get /api/v1/inboxes/No --request DELETE
    expect_problem 400
    get /api/v1/inboxes/a
    expect_problem 405
    expect_field Allow 'DELETE, OPTIONS'
    get '/api/v1/results/01a1fd98-6b94-793e-9d7a-3406f8c659fb?x=1' --request DELETE
    expect_problem 400
    get /api/v1/results --request DELETE
    expect_problem 405
}

@test "after compaction no file holds what was erased, and all else is there" {
    local id before
    get "/callbacks/welltory/a?stress=0.3&token=${MARK}"
    id="$(jq --raw-output .id "${BODY}")"
    post_form /callbacks/raw/b "${MARK}-in-an-inbox"
    post_form /callbacks/raw/a stays
    get '/callbacks/welltory/a?stress=0.7'
    get "/api/v1/results/${id}" --request DELETE
    get /api/v1/inboxes/b --request DELETE
    before="$(ids '')"
    [[ -n "$(files_with "${MARK}")" ]]
    compact
    expect_json '.removed_lines == 2 and .rewritten_segments >= 1'
    expect_nowhere "${MARK}"
    [[ "$(ids '')" == "${before}" ]]
    stop_landfall
    start_landfall "${FOLDER}"
    expect_nowhere "${MARK}"
    [[ "$(ids '')" == "${before}" ]]
}

@test "a result that was sent again leaves nothing with the attempt" {
    local id
    get "/callbacks/raw/a?mark=${MARK}" --header "X-Mark: ${MARK}"
    id="$(jq --raw-output .id "${BODY}")"
    post_json "/api/v1/results/${id}/send" "{\"to\":\"${LANDFALL_URL}/healthz\"}"
    expect_status 201
    expect_json '.delivery.status == 200'
    get '/api/v1/results?kind=delivery'
    expect_json '.results | length == 1 and .[0].result.result == $id' --arg id "${id}"
    get "/api/v1/results/${id}" --request DELETE
    compact
    expect_nowhere "${MARK}"
}

@test "a result whose inbox is erased while it is sent again leaves nothing with the attempt" {
    local id sending
    get /callbacks/raw/patient-4711
    id="$(jq --raw-output .id "${BODY}")"
    # A request that this server answers after 2 s.
    "${CURL[@]}" --output /dev/null --data "{\"to\":\"${LANDFALL_URL}/api/v1/results/wait?inbox=none&within=2s\"}" \
        "${LANDFALL_URL}/api/v1/results/${id}/send" 3>&- &
    sending=$!
    sleep 0.5
    get /api/v1/inboxes/patient-4711 --request DELETE
    expect_status 200
    wait "${sending}"
    compact
    expect_nowhere patient-4711
}

@test "what is compressed is erased from the compressed file" {
    local id
    stop_landfall
    "${BATS_TEST_DIRNAME}/segment.py" "${FOLDER}/data/results" 2026-01-02 200 "${MARK}"
    start_landfall "${FOLDER}"
    compact
    [[ -f "${FOLDER}/data/results/2026-01-02.jsonl.gz" ]]
    [[ "$(files_with "${MARK}")" == *.gz* ]]
    get "/api/v1/results?limit=500&fields=id,request.body"
    id="$(jq --raw-output --arg mark "${MARK}" '[.results[] | select(.request.body.data == $mark)][0].id' "${BODY}")"
    get "/api/v1/results/${id}" --request DELETE
    expect_status 204
    compact
    expect_nowhere "${MARK}"
    [[ "$(zcat "${FOLDER}/data/results/2026-01-02.jsonl.gz" | jq 'select(.id).seq' | wc --lines)" == 199 ]]
    [[ "$(ids '' | wc --lines)" == 199 ]]
}

@test "erasure survives kill -9 before compaction, and after it" {
    local id
    post_form /callbacks/raw/a "${MARK}"
    id="$(jq --raw-output .id "${BODY}")"
    post_form /callbacks/raw/b "${MARK}-b"
    post_form /callbacks/raw/a stays
    get "/api/v1/results/${id}" --request DELETE
    expect_status 204
    get /api/v1/inboxes/b --request DELETE
    kill -KILL "${SERVER_PID}"
    wait_until_gone
    start_landfall "${FOLDER}"
    [[ "$(ids '' | wc --lines)" == 1 ]]
    get "/api/v1/results/${id}"
    expect_problem 404
    compact
    expect_nowhere "${MARK}"
    kill -KILL "${SERVER_PID}"
    wait_until_gone
    start_landfall "${FOLDER}"
    [[ "$(ids '' | wc --lines)" == 1 ]]
    expect_nowhere "${MARK}"
}

@test "kill -9 amid compaction neither revives nor loses a result" {
    local round number before
    for round in 1 2 3; do
        for number in {1..40}; do post_form "/callbacks/raw/round-${round}?${number}" "${MARK}"; done
        post_form "/callbacks/raw/kept" "${round}"
        before="$(ids inbox=kept)"
        get "/api/v1/inboxes/round-${round}" --request DELETE
        expect_status 200
        "${CURL[@]}" --output /dev/null --request POST "${LANDFALL_URL}/api/v1/store/compact" 2>/dev/null 3>&- &
        sleep "0.0${round}"
        kill -KILL "${SERVER_PID}"
        wait_until_gone
        start_landfall "${FOLDER}"
        [[ "$(ids '')" == "${before}" ]]
    done
    compact
    expect_nowhere "${MARK}"
    [[ "$(ids '')" == "${before}" ]]
}

@test "the index may be deleted: what was erased does not come back" {
    post_form /callbacks/raw/a "${MARK}"
    get "/api/v1/results/$(jq --raw-output .id "${BODY}")" --request DELETE
    post_form /callbacks/raw/a stays
    stop_landfall
    rm "${FOLDER}"/data/index.sqlite*
    start_landfall "${FOLDER}"
    get /api/v1/results?fields=request.body
    expect_json '[.results[].request.body.data] == ["stays"]'
}

@test "erased results are compacted by themselves" {
    stop_landfall
    start_configured "${FOLDER}" <<<'results: {compaction_milliseconds: 0}'
    post_form /callbacks/raw/a "${MARK}"
    get "/api/v1/results/$(jq --raw-output .id "${BODY}")" --request DELETE
    local attempt
    for ((attempt = 0; attempt < 1500; attempt++)); do
        if [[ -z "$(files_with "${MARK}")" ]]; then return; fi
        sleep 0.04
    done
    fail "$(files_with "${MARK}") still has it after 60 s"
}
