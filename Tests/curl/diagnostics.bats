#!/usr/bin/env bats
# GET /api/v1/diagnostics: identical diagnostics of many results, counted together.
# Invariant: each count is the number of matching results that have the diagnostic.

# shellcheck disable=SC2016 # programs of jq have variables of their own
load setup

setup_file() {
    start_landfall "${BATS_FILE_TMPDIR}/server"
}

teardown_file() {
    stop_landfall
}

# callback INBOX PARAMETERS: sends one; its id.
callback() {
    get "/callbacks/welltory/$1?$2"
    jq --raw-output .id "${BODY}"
}

@test "identical diagnostics are counted once a result, with the first and the last result" {
    local first last
    first="$(callback alike 'stress=0,32&energy=0.75')"
    callback alike 'stress=0.32&energy=0.75'
    callback alike 'stress=0,33&energy=0.75'
    last="$(callback alike 'stress=0,32&energy=0.75')"
    get '/api/v1/diagnostics?inbox=alike'
    expect_status 200
    expect_json '.results == 4 and .exact'
    expect_json '[.diagnostics[] | select(.found | test("0,33"))] | map(.results) == [1]'
    expect_json '.diagnostics[0] | (.found | test("0,32")) and .results == 2 and .first.id == $first
        and .last.id == $last' --arg first "${first}" --arg last "${last}"
    expect_json '.diagnostics[0] | .severity == "warning" and .contract == "welltory-dds" and .code != null'
    # The most severe come first.
    expect_json '[.diagnostics[].severity] | length > 1 and . == (sort_by({error: 0, warning: 1, info: 2}[.]))'
}

@test "what one result has, equally severe, is ordered by its text" {
    callback ordered 'stress=a&energy=b&productivity=c&rmssd=d&sdnn=e&power=f&measurement_quality=g'
    get '/api/v1/diagnostics?inbox=ordered'
    expect_json '[.diagnostics[] | [.contract, .severity, .layer, .code, .pointer, .expected, .found, .hint]
        | map(. // "")] | length > 5 and (group_by(.[1]) | length) == 1 and . == sort'
}

@test "filters and limit apply, and a list that is cut is not exact" {
    callback some 'stress=0,32&energy=0.75'
    callback some 'stress=0.3&energy=0.75'
    get '/api/v1/diagnostics?inbox=some&verdict=decoded_with_warnings'
    expect_json '.results == 1 and .exact and (.diagnostics | all(.results == 1))'
    get '/api/v1/diagnostics?inbox=some&limit=1'
    expect_json '(.exact | not) and (.diagnostics | length) == 1'
    get '/api/v1/diagnostics?inbox=nobody'
    expect_json '. == {results: 0, exact: true, diagnostics: []}'
    for parameters in fields=id limit=0 limit=501 sort=seq cursor=x 'q=('; do
        get "/api/v1/diagnostics?${parameters}"
        expect_problem 400
    done
}

@test "of very many results the newest are read, which the answer says" {
    curl --silent --show-error "${LANDFALL_URL}/callbacks/welltory/many?stress=0,32&n=[1-5001]" --max-time 60 \
        --output /dev/null --parallel
    get '/api/v1/diagnostics?inbox=many'
    expect_json '.results == 5000 and (.exact | not) and .diagnostics[0].results == 5000'
}
