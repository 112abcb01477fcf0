#!/usr/bin/env bats
# Callbacks as partners' back ends send them: under other labels, in parts, as a URL in JSON, in lists.
# Invariant: every callback of a list is a record with its own element as the body, in the list's order.
# Left out: each fault of a form in parts, which the unit tests have.

# shellcheck disable=SC2016 # programs of jq have variables of their own
load setup

setup_file() {
    start_landfall "${BATS_FILE_TMPDIR}/server"
}

teardown_file() {
    stop_landfall
}

# expect_list STATUS COUNT: the last answer is that of a list of callbacks.
expect_list() {
    expect_status "$1"
    expect_field Content-Type application/json
    expect_json '.results | length == $count and all(.[]; (.id | type) == "string" and has("verdict")
        and (.diagnostics | type) == "array" and .links.self == "/api/v1/results/" + .id)' --argjson count "$2"
}

@test "JSON under the labels of text and bytes is decoded, with a warning" {
    local type
    for type in text/plain text/json application/octet-stream; do
        get /callbacks/welltory --header "Content-Type: ${type}" --data-binary '{"stress":0.3,"energy":1}'
        expect_stored decoded_with_warnings '.result.stress == 0.3
            and .diagnostics[0].code == "mislabelled_body"'
    done
}

@test "curl's form in parts is decoded, redecoded and repeated as it came" {
    get /callbacks/welltory/parts --form stress=0.32 --form energy=0.5 --form 'note=a+b & c'
    expect_stored decoded '.result.stress == 0.32 and .result.parameters.note == "a+b & c"'
    get "/api/v1/results/$(jq --raw-output .id "${BODY}")/request"
    grep --quiet '^Content-Type: multipart/form-data; boundary=' "${BODY}"
    grep --quiet 'name="note"' "${BODY}"
    printf '{"status":"IR_RESULT_OK"}' >"${SCRATCH}/report.json"
    get /callbacks/ailet --form "result=@${SCRATCH}/report.json;type=application/json"
    expect_stored decoded '.outcome == "completed" and .result.status_code == 1'
}

@test "a password in a part is not stored" {
    get /callbacks/raw/secret --form login=a --form password=Zq7SECRETx --form note=b
    expect_status 201
    expect_no_match --recursive Zq7SECRETx "${SERVER_DATA}/results"
}

@test "a broken form in parts is stored with the byte that breaks it" {
    get /callbacks/welltory --header 'Content-Type: multipart/form-data; boundary=b' --data-binary $'--b\r\nX'
    expect_stored undecodable '.diagnostics[0].code == "broken_multipart" and .diagnostics[0].offset == 5'
    get /callbacks/welltory --header 'Content-Type: multipart/form-data' --data-binary 'stress=1'
    expect_stored undecodable '.diagnostics[0].code == "missing_boundary" and .diagnostics[0].part == "head"'
}

@test "the URL that an app was opened with may come in JSON" {
    post_json /callbacks/welltory '{"url":"https:\/\/www.yourapp.com\/dds\/?stress=0.3\u0026energy=1"}'
    expect_stored decoded '.result == {"stress":0.3,"energy":1} and .diagnostics[0].code == "wrapped_url"'
    post_json /api/v1/decode '{"vendor":"welltory","content_type":"application/json",
        "body":"{\"url\":\"https://a/?stress=1&energy=0\"}"}'
    expect_json '.result.stress == 1'
}

@test "a program that takes JSON at all gets JSON, a browser its page" {
    local pages='text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
    get '/callbacks/welltory?stress=0.3&energy=1' --header "Accept: ${pages}"
    expect_field Content-Type application/json
    get '/callbacks/welltory?stress=0.3&energy=1' --header "Accept: ${pages}" --user-agent 'Mozilla/5.0 (X11)'
    expect_field Content-Type 'text/html; charset=utf-8'
    get '/callbacks/welltory?stress=0.3&energy=1' --header 'Accept: text/html'
    expect_field Content-Type 'text/html; charset=utf-8'
    get '/callbacks/welltory?stress=0.3&energy=1' --header 'Accept: text/html;q=0.9,application/json;q=0.1' \
        --user-agent 'okhttp/4.12.0'
    expect_field Content-Type application/json
}

@test "a list is stored as its callbacks, in its order, each with its own body" {
    local number list
    list="$(for number in {1..40}; do printf '{"stress":0.%02d,"energy":1},' "${number}"; done)"
    post_json /callbacks/welltory/list "[${list%,}]"
    expect_list 201 40
    expect_json '[.results[].seq] | . == sort and .[-1] - .[0] == 39'
    get "/api/v1/results?inbox=list&sort=seq&limit=500&fields=seq,result,request"
    expect_json '[.results[].result.stress] == [range(1; 41) | . / 100]
        and .results[6].request.body.data == "{\"stress\":0.07,\"energy\":1}"
        and .results[6].request.batch == {"index":6,"count":40}'
}

@test "a list of which a part can't be decoded is 207, and of which nothing can 422" {
    post_json /callbacks/welltory/mixed '[{"stress":0.3,"energy":1},{"status":"x"}]'
    expect_list 207 2
    expect_json '[.results[].verdict] == ["decoded","undecodable"]'
    post_json /callbacks/welltory/mixed '[{"status":"x"},{}]'
    expect_list 422 2
    post_json /callbacks/welltory/mixed '[{"stress":0.3},7]'
    expect_stored undecodable '.diagnostics[0].code == "not_an_object"'
    post_json /callbacks/raw/mixed '[{},{}]'
    expect_stored unmatched '.request.batch == null'
}

@test "a list is bounded" {
    local list
    list="$(printf '{},%.0s' {1..101})"
    post_json /callbacks/welltory/bounded "[${list%,}]"
    expect_problem 413 '.type == "urn:landfall:problem:batch-too-large" and (.detail | contains("101"))'
    get '/api/v1/results?inbox=bounded'
    expect_json '.results == []'
}

@test "an Idempotency-Key belongs to the whole list" {
    local first list='[{"stress":0.1,"energy":1},{"stress":0.2,"energy":1},{"x":1}]'
    post_json /callbacks/welltory/repeated "${list}" --header 'Idempotency-Key: k1'
    expect_list 207 3
    first="$(<"${BODY}")"
    post_json /callbacks/welltory/repeated "${list}" --header 'Idempotency-Key: k1'
    expect_list 207 3
    expect_field Idempotent-Replayed true
    [[ "$(<"${BODY}")" == "${first}" ]]
    get '/api/v1/results?inbox=repeated'
    expect_json '.results | length == 3'
    for list in '[{"stress":0.1,"energy":1}]' '[{"stress":0.1,"energy":1},{"stress":0.3,"energy":1},{"x":1}]' \
        '{"stress":0.1,"energy":1}'; do
        post_json /callbacks/welltory/repeated "${list}" --header 'Idempotency-Key: k1'
        expect_problem 422 '.type == "urn:landfall:problem:idempotency-key-reused"'
    done
}

@test "a list of which only a part was stored is completed by its repetition" {
    local list='[{"stress":0.1,"energy":1},{"stress":0.2,"energy":1}]' second
    post_json /callbacks/welltory/partial "${list}" --header 'Idempotency-Key: k2'
    second="$(jq --raw-output '.results[1].id' "${BODY}")"
    get "/api/v1/results/${second}" --request DELETE
    post_json /callbacks/welltory/partial "${list}" --header 'Idempotency-Key: k2'
    expect_list 201 2
    [[ "$(jq --raw-output '.results[1].id' "${BODY}")" != "${second}" ]]
    get '/api/v1/results?inbox=partial'
    expect_json '[.results[].result.stress] | sort == [0.1,0.2]'
}
