#!/usr/bin/env bats
# The road of decoding: what went into each layer, what came out, where it broke, and the bytes there.
# Left out: which mistakes the decoders find (vendors.bats).

# shellcheck disable=SC2016 # programs of jq have variables of their own
load setup

setup_file() { start_landfall "${BATS_FILE_TMPDIR}/server"; }
teardown_file() { stop_landfall; }

# layers PATH [CURL OPTION]...: sends a callback; its road is the body.
layers() {
    get "$@"
    get "/api/v1/results/$(jq --raw-output .id "${BODY}")/layers"
    expect_status 200
}

@test "the broken layer is open, with its bytes there and in the request" {
    layers '/callbacks/ailet?result=%7B%22status%22%3A%22IR_RESULT_OK%22%2C%7D'
    expect_json '[.steps[] | "\(.layer) \(.state)"] == ["url passed","percent passed","json failed","model skipped"]'
    expect_json '.steps[2].fault | .offset == 24 and .length == 1 and .marked.data == ","
        and .before.data == "{\"status\":\"IR_RESULT_OK\"" and .after.data == "}" and (.hint | length) > 0'
    expect_json '.steps[2].fault.raw | .part == "target" and .marked.data == "%2C" and .length == 3
        and (.after.data == "%7D")'
    expect_json '.steps[2].input.data == .steps[1].output.data and .steps[3].fault == null'
}

@test "Base64 has a layer of its own, and a place in it" {
    layers '/callbacks/dimmy?status=completed&response=eyJzdGFy*GVkQXQi'
    expect_json '.steps[] | select(.layer == "base64") | .state == "failed" and .fault.offset == 8
        and .fault.marked.data == "*" and .fault.raw.marked.data == "*"'
    layers '/callbacks/dimmy?status=completed&response=%ZZ'
    expect_json '.steps[] | select(.layer == "percent") | .state == "failed" and .fault.marked.data == "%ZZ"'
}

@test "a wrong value of a parameter is marked, though the callback could be decoded" {
    layers '/callbacks/welltory?stress=0%2C32&energy=0.75'
    expect_json '[.steps[].layer] == ["url","percent","model"] and all(.steps[]; .state == "passed")'
    expect_json '.steps[2].fault | .severity == "warning" and .marked.data == "0,32" and .before.data == "stress="'
    expect_json '.steps[2].fault.raw.marked.data == "0%2C32"'
}

@test "bodies, also those that are no text, have their layers" {
    layers /callbacks/ailet --header 'Content-Type: application/json' --data '{"status":"IR_RESULT_OK",,}'
    expect_json '[.steps[] | "\(.layer) \(.state)"] == ["body passed","json failed","model skipped"]
        and .steps[1].fault.raw.part == "body"'
    layers /callbacks/welltory --data 'stress=0,3'
    expect_json '.steps[0].layer == "form" and .steps[2].fault.marked.data == "0,3"'
    printf '{"status":"\xff\xfe"}' >"${BATS_TEST_TMPDIR}/bytes"
    layers /callbacks/ailet --header 'Content-Type: application/json' --data-binary "@${BATS_TEST_TMPDIR}/bytes"
    expect_json '.steps[1] | .state == "failed" and .input.encoding == "base64" and .fault.marked.encoding == "base64"
        and .fault.code == "invalid_utf8"'
}

@test "long texts are cut, and say so" {
    head -c 100000 /dev/zero | tr '\0' 'x' >"${BATS_TEST_TMPDIR}/long"
    { printf '{"status":"'; cat "${BATS_TEST_TMPDIR}/long"; printf '",,}'; } >"${BATS_TEST_TMPDIR}/long.json"
    layers /callbacks/ailet --header 'Content-Type: application/json' --data-binary "@${BATS_TEST_TMPDIR}/long.json"
    expect_json '.steps[1] | .input.truncated and .input.bytes == 100015 and (.input.data | length) == 4096
        and (.fault.before.data | length) == 40 and .fault.offset == 100013
        and (.fault.before | .truncated and .bytes == 100013) and (.fault.after | .truncated == false and .bytes == 1)'
}

@test "no credential is in a road, and what is pasted is not kept" {
    post_json /api/v1/decode '{"url":"https://x.example/callbacks/welltory?stress=0,3&api_key=SECRETSECRET","vendor":"welltory"}'
    expect_status 200
    expect_json '.layers[2].fault.marked.data == "0,3"'
    expect_no_match SECRETSECRET "${BODY}"
    layers '/callbacks/welltory?stress=0,3&api_key=SECRETSECRET'
    expect_no_match SECRETSECRET "${BODY}"
}

@test "for a report that is shared, credentials can be hidden in the road and in the command" {
    local id
    get '/callbacks/welltory/shared?stress=0,3&token=abcdefghijkl12345'
    id="$(jq --raw-output .id "${BODY}")"
    for route in curl layers; do
        get "/api/v1/results/${id}/${route}"
        grep --quiet abcdefghijkl12345 "${BODY}"
        get "/api/v1/results/${id}/${route}?credentials=hidden"
        expect_status 200
        expect_no_match abcdefghijkl12345 "${BODY}"
        grep --quiet hidden "${BODY}"
    done
    get "/api/v1/results/${id}/curl?credentials=no"
    expect_problem 400 '.errors[0].name == "credentials"'
}

@test "only callbacks have a road" {
    get /api/v1/results/01a20bd0-ab03-7848-ba83-2070fa9903b8/layers
    expect_problem 404 '.type == "urn:landfall:problem:unknown-result"'
    get '/emulate/welltory/action/dds/measurement?callback=http%3A%2F%2F127.0.0.1%2Fcb&scenario=silent'
    get '/api/v1/results?kind=launch&limit=1'
    get "/api/v1/results/$(jq --raw-output '.results[0].id' "${BODY}")/layers"
    expect_problem 409 '.type == "urn:landfall:problem:not-a-callback"'
    get '/api/v1/results/latest'
    get "/api/v1/results/$(jq --raw-output .id "${BODY}")/layers?deep=1"
    expect_status 400
}

@test "the command line prints the road with a caret" {
    run -1 "${LANDFALL_BIN}" decode --vendor ailet '{"status":"IR_RESULT_OK",,}'
    [[ "${output}" == *'json      failed at byte 25: broken_json'* ]]
    [[ "${lines[-2]}" == *'^' ]]
    run -0 "${LANDFALL_BIN}" decode --json 'https://x.example/cb?stress=0,3&energy=0.5'
    [[ "$(jq --raw-output '.layers[-1].fault.marked.data' <<<"${output}")" == 0,3 ]]
}
