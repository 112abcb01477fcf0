#!/usr/bin/env bats
# x-callback-url from the link to the stored result: each end has its own callback.
# Invariant: what is expected of a callback follows from the specification, 1.0.
# Left out: what all vendors have in common; emulator.bats and trips.bats test it.

load setup

setup() {
    start_landfall "${BATS_TEST_TMPDIR}/server"
}

mint() {
    post_json /api/v1/launches \
        '{"vendor":"x-callback-url","inbox":"ci","parameters":{"scheme":"targetapp","action":"photos/edit","id":"3"}}'
    expect_status 201
    FLOW="$(jq --raw-output .flow "${BODY}")"
    EMULATED="$(jq --raw-output .emulator_url "${BODY}")"
}

@test "a made link names this server for each end, and its emulator keeps an action with a slash" {
    mint
    expect_json '.url | startswith("targetapp://x-callback-url/photos/edit?x-success=http")'
    expect_json '.url | contains("&id=3") and contains("landfall_outcome%3Dcancelled")'
    expect_json '.diagnostics == []'
    [[ "${EMULATED}" == */emulate/x-callback-url/targetapp/photos%2Fedit\?x-success=* ]]
}

@test "success, cancelling and errors come back by their own callbacks" {
    local end outcome target
    for end in completed:completed cancelled:cancelled error:error error%3A404:error; do
        mint
        outcome="${end#*:}"
        target="$(curl --silent --output /dev/null --write-out '%{redirect_url}' \
            "${EMULATED}&scenario=${end%%:*}")"
        get "${target#"${LANDFALL_URL}"}"
        expect_status 201
        get "/api/v1/flows/${FLOW}"
        expect_json '.state == "returned"'
        [[ "$(jq --raw-output .outcome "${BODY}")" == "${outcome}" ]]
    done
    get '/api/v1/results?q=result.error_code:404&fields=result'
    expect_json '.results[0].result == {errorCode: "404", errorMessage: "There is no such action"}'
}

@test "a launch may have parameters of its own that are named like the emulator's" {
    local flow url name own='"mode":"append","scenario":"cancelled","seed":"x"'
    post_json /api/v1/launches \
        "{\"vendor\":\"x-callback-url\",\"parameters\":{\"scheme\":\"targetapp\",\"action\":\"note\",${own}}}"
    expect_status 201
    flow="$(jq --raw-output .flow "${BODY}")"
    url="$(jq --raw-output .emulator_url "${BODY}")"
    url="${url#"${LANDFALL_URL}"}"
    get "${url}" --header 'Accept: application/json'
    expect_json '.flow == $flow and .scenario == "completed"' --arg flow "${flow}"
    get "${url}&landfall_scenario=error&landfall_seed=7" --header 'Accept: application/json'
    expect_json '.scenario == "error" and .seed == "7"'
    for name in scenario seed mode; do
        get "${url}&landfall_${name}=x" --header 'Accept: application/json'
        expect_problem 400 '.errors[0].name == "landfall_'"${name}"'"'
    done
    get "${url}" --header 'Accept: application/json' --header 'Landfall-Seed: x'
    expect_problem 400 '.errors[0].name == "seed"'
    get "/api/v1/flows/${flow}"
    expect_json '[.messages[].kind] == ["launch", "launch", "launch"]'

    post_json /api/v1/launches "{\"vendor\":\"welltory\",\"parameters\":{\"source\":\"a\",${own}}}"
    url="$(jq --raw-output .emulator_url "${BODY}")"
    get "${url#"${LANDFALL_URL}"}" --header 'Accept: application/json'
    expect_json '.callbacks[0].url | contains("mode=append") and contains("scenario=cancelled") and contains("seed=x")'
    "${LANDFALL_BIN}" trip x-callback-url mode=append scenario=cancelled seed=x --server "${LANDFALL_URL}"
    "${LANDFALL_BIN}" trip welltory mode=daily --server "${LANDFALL_URL}"
    get '/emulate/x-callback-url/app/do?x-success=partner%3A%2F%2Fx&scenario=empty&seed=7' \
        --header 'Accept: application/json'
    expect_json '.scenario == "empty" and .seed == "7"'
}

@test "every trip of x-callback-url ends as its scenario says" {
    local scenario
    for scenario in completed cancelled error error:400 empty silent duplicate:2 stale out_of_order \
        malformed:url malformed:form malformed:body malformed:percent malformed:utf8 malformed:model; do
        "${LANDFALL_BIN}" trip x-callback-url --server "${LANDFALL_URL}" --scenario "${scenario}"
    done
    "${LANDFALL_BIN}" vendors drift --server "${LANDFALL_URL}" --vendor x-callback-url
}

@test "none of the callbacks may lead elsewhere" {
    local name
    for name in x-success x-error x-cancel; do
        get "/emulate/x-callback-url/app/do?${name}=javascript%3Aalert(1)&scenario=completed" --globoff
        expect_status 422
    done
}

@test "what is sent of another end than success says which, as in links that Landfall makes" {
    local way
    for way in --get --json; do
        run --separate-stderr "${LANDFALL_BIN}" send x-callback-url --to "${LANDFALL_URL}" --scenario cancelled \
            --json "${way}"
        ((status == 0))
        jq --exit-status '.replies[0].body.outcome == "cancelled"' <<<"${output}"
    done
}
