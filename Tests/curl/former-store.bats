#!/usr/bin/env bats
# A data folder of an older program: it opens, its records are found, and new ones follow them.
# fixtures/former-store was written before records had a kind: five callbacks and two launches.

load setup

setup_file() {
    mkdir -p "${BATS_FILE_TMPDIR}/server"
    cp -R "${REPOSITORY}/Tests/curl/fixtures/former-store" "${BATS_FILE_TMPDIR}/server/data"
    start_landfall "${BATS_FILE_TMPDIR}/server"
}

teardown_file() {
    stop_landfall
}

@test "records get their kind from the contract" {
    get '/api/v1/results?sort=seq&kind=any'
    expect_json '.results | map(.kind)
        == ["callback", "callback", "callback", "callback", "launch", "launch", "callback"]'
    get '/api/v1/results?kind=launch'
    expect_json '.results | map(.contract) == ["flux", "flux"]'
}

@test "values, words and undecodable callbacks are found" {
    get '/api/v1/results?q=result.stress:0.32'
    expect_json '.results | map(.seq) == [1]'
    get '/api/v1/results?verdict=undecodable'
    expect_json '.results | map(.seq) == [2]'
    get '/api/v1/results?inbox=team'
    expect_json '.results | map(.seq) == [3]'
}

@test "a flow is the one that it was" {
    get '/api/v1/flows'
    expect_json '.flows | length == 1'
    expect_json '.flows[0].state == "returned"'
}

@test "every record is intact, and new ones get the next numbers" {
    post_json /api/v1/store/verify ''
    expect_status 200
    expect_json '.findings == []'
    get '/callbacks/welltory?stress=0.5'
    expect_json '.seq == 8'
    get '/api/v1/results/latest'
    expect_json '.seq == 8'
}
