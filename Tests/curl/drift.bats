#!/usr/bin/env bats
# How stored results differ from the vendors' contracts: by the API, and on the command line.
# Invariant: every test has an inbox's worth of results in a store of its own.
# Left out: what each difference looks like (Tests/VendorsTests).

# shellcheck disable=SC2016 # programs of jq have variables of their own
load setup

WHOLE='stress=0.3&energy=0.5&productivity=0.6&rmssd=60&sdnn=50&power=100'

setup_file() {
    start_landfall "${BATS_FILE_TMPDIR}/server"
    local extra
    for extra in '' '&mood=good' '&stress_c=purple' '' '&mood=7'; do
        get "/callbacks/welltory?${WHOLE}${extra}"
    done
    get "/callbacks/welltory?${WHOLE/power=100/power=high}"
    get "/callbacks/welltory?${WHOLE/&sdnn=50/}"
    get "/callbacks/ailet?result=$(escaped '{"status":"IR_RESULT_NEW","photosCounter":"2"}')"
    get '/callbacks/ailet?result=%7B'
    get '/callbacks/raw?mood=good'
}

teardown_file() {
    stop_landfall
}

landfall() {
    cd "${REPOSITORY}" && run --separate-stderr "${LANDFALL_BIN}" "$@"
}

@test "tells what is new, missing, of another type and not in the list, with the first result" {
    local first
    get /api/v1/vendors/welltory/drift
    expect_status 200
    expect_json '.vendor == "welltory" and .checked == 7 and .skipped == 0
        and (.contracts | length) == 1 and .contracts[0].contract == "welltory-dds"
        and .contracts[0].results == 7 and .contracts[0].unreadable == 0'
    expect_json '[.contracts[0].findings[] | "\(.kind) \(.path) \(.results)/\(.of)"] == [
        "missing sdnn 1/7", "type power 1/7", "enum stress_c 1/1", "context mood 2/7"]'
    expect_json '.contracts[0].findings[3].found == [{"value":"string","count":1},{"value":"integer","count":1}]'
    expect_json '.contracts[0].findings[3].share == 0.2857'
    first="$(jq --raw-output '.contracts[0].findings[3].first.id' "${BODY}")"
    get "/api/v1/results/${first}"
    expect_json '.request.target | endswith("mood=good")'
}

@test "a payload that can't be read is counted, and others are compared all the same" {
    get /api/v1/vendors/ailet/drift
    expect_json '.contracts[0].results == 1 and .contracts[0].unreadable == 1'
    expect_json '[.contracts[0].findings[] | select(.kind == "enum" or .kind == "type") | .path]
        == ["result.photosCounter", "result.status"]'
    expect_json '.contracts[0].findings[] | select(.kind == "enum") | .found[0].value == "IR_RESULT_NEW"'
}

@test "a vendor has an entry for each contract, and raw has none" {
    get /api/v1/vendors/dimmy/drift
    expect_json '[.contracts[].contract] == ["dimmy-2024","flux","flux-webhook"]
        and [.contracts[].findings[]] == []'
    get /api/v1/vendors/raw/drift
    expect_json '.contracts == [] and .checked == 1 and .skipped == 1'
}

@test "since leaves out what is older" {
    local moment
    sleep 0.01
    moment="$(date --utc +%Y-%m-%dT%H:%M:%S.%3NZ)"
    get "/api/v1/vendors/welltory/drift?since=${moment}"
    expect_json '.checked == 0'
    get '/api/v1/vendors/welltory/drift?since=1h'
    expect_json '.checked == 7'
    get '/api/v1/vendors/welltory/drift?since=-1d'
    expect_json '.checked == 7'
    get "/api/v1/vendors/welltory/drift?since=$(date --utc +%F)"
    expect_json '.checked == 7'
}

@test "what is wrong with the question is told" {
    get '/api/v1/vendors/welltory/drift?since=soon'
    expect_problem 400 '.errors[0].name == "since"'
    get '/api/v1/vendors/welltory/drift?until=1h'
    expect_problem 400
    get /api/v1/vendors/apple/drift
    expect_problem 404 '.type == "urn:landfall:problem:unknown-vendor"'
    get /api/v1/vendors/welltory/drift --request POST
    expect_problem 405
}

@test "a token that is none of the contract's values is not told" {
    local store="${BATS_TEST_TMPDIR}/tokens"
    start_landfall "${store}"
    get "/callbacks/welltory?${WHOLE}&token=OPENSESAME"
    get /api/v1/vendors/welltory/drift
    expect_json '.contracts[0].findings == []'
    expect_no_match OPENSESAME "${BODY}"
    stop_landfall
}

@test "the command prints a table, fails on what it is told to, and asks a server or a folder" {
    landfall vendors drift --vendor welltory --server "${LANDFALL_URL}"
    [[ "${status}" == 0 && "${output}" == *CONTRACT* && "${output}" == *mood* && "${output}" == *'2 of 7'* ]]
    [[ "${lines[-1]}" == '7 results compared; 4 differences, 0 can'"'"'t be read, 0 left out.' ]]
    landfall vendors drift --vendor welltory --server "${LANDFALL_URL}" --fail-on new,missing
    [[ "${status}" == 1 ]]
    # A parameter of the partner's own is no failure, unless it is asked for.
    landfall vendors drift --vendor welltory --server "${LANDFALL_URL}" --fail-on new
    [[ "${status}" == 0 ]]
    landfall vendors drift --vendor welltory --server "${LANDFALL_URL}" --fail-on context
    [[ "${status}" == 1 ]]
    landfall vendors drift --vendor dimmy --server "${LANDFALL_URL}" --fail-on new,missing,type,enum
    [[ "${status}" == 0 ]]
    landfall vendors drift --vendor ailet --server "${LANDFALL_URL}" --fail-on new
    [[ "${status}" == 0 ]]
    landfall vendors drift --server "${LANDFALL_URL}" --since 1h --json
    [[ "${status}" == 0 ]]
    jq --exit-status '[.vendors[].vendor] == ["dimmy","welltory","ailet","rezolve","x-callback-url"]' <<<"${output}"
    landfall vendors drift --fail-on some
    [[ "${status}" == 2 && "${stderr}" == *--fail-on* ]]
    landfall vendors drift --since soon
    [[ "${status}" == 2 && "${stderr}" == *--since* ]]
    landfall vendors drift --data "${BATS_TEST_TMPDIR}/nothing"
    [[ "${status}" == 3 ]]
}

@test "a folder gives the same report as the server that ran on it" {
    local folder="${BATS_TEST_TMPDIR}/folder" answer
    start_landfall "${folder}"
    get "/callbacks/welltory?${WHOLE}&mood=1"
    get "/callbacks/ailet?result=$(escaped '{"status":"IR_RESULT_OK","new":{"a":1}}')"
    landfall vendors drift --server "${LANDFALL_URL}" --json
    answer="${output}"
    stop_landfall
    landfall vendors drift --data "${folder}/data" --json --fail-on new
    [[ "${status}" == 1 && "${output}" == "${answer}" ]]
}

@test "Landfall's own mark in links of x-callback-url is no difference" {
    get '/callbacks/x-callback-url?landfall_outcome=cancelled&mood=good'
    expect_status 201
    landfall vendors drift --vendor x-callback-url --json --server "${LANDFALL_URL}"
    [[ "${status}" == 0 ]]
    jq --exit-status '[.vendors[].contracts[].findings[] | "\(.kind) \(.path)"] == ["context mood"]' <<<"${output}"
}
