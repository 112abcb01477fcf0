#!/usr/bin/env bats
# Requests that no route takes are kept, say what they were near to, and become callbacks.

# shellcheck disable=SC2016 # programs of jq have variables of their own
load setup

setup_file() {
    start_configured "${BATS_FILE_TMPDIR}/server" <<'END'
receivers:
  - {host: www.yourapp.com, path: /dds/, vendor: welltory, inbox: prod}
  - {host: flux.example, path: /back, vendor: flux}
results: {retention: {inbox_results: 3}}
END
}

teardown_file() {
    stop_landfall
}

# stray ID: its record is the last answer.
stray() {
    get "/api/v1/results/$1"
    expect_status 200
}

@test "a browser gets a page, which names near receivers, for addresses of callbacks that are mistyped" {
    local path
    for path in /callbacks/weltory /callbacks/welltory/BAD /callback/welltory /callbacks/welltory/a/b; do
        get "${path}?stress=0.5" --header 'Accept: text/html'
        expect_field Content-Type 'text/html; charset=utf-8'
        grep --extended-regexp '<code>/callbacks/welltory(/[ab][a-z]*)?</code>' "${BODY}" || fail "$(<"${BODY}")"
        grep --quiet 'kept as <a href="/#0' "${BODY}"
    done
    get /callbacks/weltory
    expect_problem 404 '.nearest | length == 1'
}

@test "a wrong host, path, vendor or inbox is kept with its answer, and the answer names what was near" {
    local host path status differs
    while IFS='|' read -r host path status differs; do
        get "${path}" --header "Host: ${host}"
        expect_problem "${status}"
        expect_json '.nearest[0].differs[0] == $differs' --arg differs "${differs}"
        stray "$(jq --raw-output .stray "${BODY}")"
        expect_json '.kind == "stray" and .vendor == "raw" and .verdict == "unmatched" and .contract == null
            and .request.target == $path and .request.host == $host and .result.status == ($status | tonumber)
            and .result.nearest[0].differs[0] == $differs' \
            --arg path "${path}" --arg host "${host}" --arg status "${status}" --arg differs "${differs}"
    done <<'END'
yourapp.com|/dds/?stress=0.3|404|host lacks www.
www.yourapp.com|/ddz/?stress=0.3|404|path is /ddz, the receiver's is /dds/
localhost|/callbacks/welltori?stress=0.3|404|did you mean welltory
localhost|/callback/welltory?stress=0.3|404|path begins with /callback, not with /callbacks
localhost|/callbacks/welltory/CI?stress=0.3|400|inbox CI is not valid: it needs 1 to 63 of a-z, 0-9, dot, underscore and hyphen, beginning with a letter or digit
END
}

@test "a list shows where strays went, without their query" {
    get '/callbacks/welltori/listed?stress=0.3'
    get '/api/v1/results?kind=stray&inbox=listed&fields=summary'
    expect_json '.results == [{"summary": "GET /callbacks/welltori/listed"}]'
    run -0 "${LANDFALL_BIN}" results list --kind stray inbox:listed --server "${LANDFALL_URL}"
    [[ "${output}" == *'GET /callbacks/welltori/listed'* ]]
}

@test "results are not mixed with strays, and what browsers ask for unbidden is not kept" {
    local before path
    get '/api/v1/stats?kind=stray'
    before="$(jq .results "${BODY}")"
    for path in /favicon.ico /robots.txt /apple-touch-icon-120x120.png /.well-known/security.txt /api/v1/nothing / ; do
        get "${path}" --header 'Host: unknown.example'
    done
    get /nothing --head
    get /nothing --request OPTIONS
    get '/api/v1/stats?kind=stray'
    expect_json '.results == $before' --argjson before "${before}"
    get /api/v1/results
    expect_json '.results == []'
    get /api/v1/inboxes
    expect_json '.inboxes == []'
}

@test "a target that is too long for other routes is kept too, and its page doesn't explain the link" {
    local path length
    for length in 8000 9000 100000; do
        path="/$(head --bytes "${length}" /dev/zero | tr '\0' x)"
        get "${path}" --header 'Host: www.yourapp.com'
        expect_problem 404 '.stray != null'
        stray "$(jq --raw-output .stray "${BODY}")"
        expect_json '.request.target == $path' --arg path "${path}"
        get "${path}" --header 'Host: www.yourapp.com' --header 'Accept: text/html'
        expect_status 404
        grep --quiet 'The request is kept as' "${BODY}"
        grep --quiet 'Why no app opened' "${BODY}"
        if ((length > 8192)); then
            grep --quiet 'too long to be explained' "${BODY}"
        else
            run -1 grep 'too long to be explained' "${BODY}"
        fi
        (($(wc --bytes <"${BODY}") < 16384))
    done
}

@test "a stray is redacted as a callback is" {
    post_form /wrong 'password=hush-hush&stress=0.3' --header 'Authorization: Bearer hush-hush'
    expect_problem 404 '.stray != null'
    stray "$(jq --raw-output .stray "${BODY}")"
    expect_json '.request.body.data | contains("stress=0.3")'
    expect_no_match --recursive hush-hush "${SERVER_DATA}"
}

@test "a stray is adopted as the callback that it was meant to be" {
    local id new
    get '/callbacks/welltori/team?stress=0.32'
    id="$(jq --raw-output .stray "${BODY}")"
    get "/api/v1/results/${id}/adopt" --request POST
    expect_problem 400 '.errors[0].name == "vendor"'
    get "/api/v1/results/${id}/adopt?vendor=welltory" --request POST
    expect_status 201
    expect_json '.verdict == "decoded" and .outcome == "completed"'
    new="$(jq --raw-output .id "${BODY}")"
    stray "${new}"
    expect_json '.kind == "callback" and .inbox == "team" and .result.stress == 0.32 and .contract == "welltory-dds"'
    get "/api/v1/results/${id}"
    expect_status 404
    get "/api/v1/results/${new}/adopt?vendor=welltory" --request POST
    expect_problem 409 '.type == "urn:landfall:problem:not-a-stray"'
    run -1 "${LANDFALL_BIN}" results adopt "${new}" --vendor welltory --server "${LANDFALL_URL}"
    get '/wrong?status=cancelled'
    id="$(jq --raw-output .stray "${BODY}")"
    run -0 "${LANDFALL_BIN}" results adopt "${id}" --vendor flux --inbox cli --server "${LANDFALL_URL}"
    [[ "${output}" == 'Adopted as '*': decoded.' ]]
    run -1 "${LANDFALL_BIN}" results adopt "${id}" --vendor flux --server "${LANDFALL_URL}"
    get '/api/v1/results?inbox=cli'
    expect_json '.results | map([.vendor, .outcome]) == [["dimmy", "cancelled"]]'
}

# adopt VENDOR: the stray that the last answer names; it is gone then.
adopt() {
    local id
    id="$(jq --raw-output .stray "${BODY}")"
    get "/api/v1/results/${id}/adopt?vendor=$1" --request POST
    expect_status 201
    [[ "$("${CURL[@]}" --output /dev/null --write-out '%{http_code}' "${LANDFALL_URL}/api/v1/results/${id}")" == 404 ]]
}

@test "a stray whose body is a list becomes as many callbacks" {
    local id list='[{"stress":0.1},{"stress":0.2},{"stress":0.3}]'
    post_json /callbacks/welltori/many "${list}"
    adopt welltory
    expect_json '.results | length == 3 and all(.verdict == "decoded" and .links != null)'
    get '/api/v1/results?inbox=many&sort=seq'
    expect_json '[.results[] | [.result.stress, .request.batch.index, .request.batch.count]]
        == [[0.1, 0, 3], [0.2, 1, 3], [0.3, 2, 3]]'
    post_json /callbacks/welltori/many "${list}"
    id="$(jq --raw-output .stray "${BODY}")"
    run -0 "${LANDFALL_BIN}" results adopt "${id}" --vendor welltory --server "${LANDFALL_URL}"
    ((${#lines[@]} == 3))
    [[ "${lines[2]}" == 'Adopted as '*': decoded.' ]]
    # More than a receiver takes; the stray stays.
    post_json /callbacks/welltori/many "$(jq --null-input --compact-output '[range(101) | {stress: 0.5}]')"
    id="$(jq --raw-output .stray "${BODY}")"
    get "/api/v1/results/${id}/adopt?vendor=welltory" --request POST
    expect_problem 413 '.type == "urn:landfall:problem:batch-too-large"'
    stray "${id}"
}

@test "of several requests that adopt a stray at once, one succeeds" {
    local id number
    post_json /callbacks/welltori/at-once '[{"stress":0.1},{"stress":0.2}]'
    id="$(jq --raw-output .stray "${BODY}")"
    for number in {1..20}; do
        printf 'url = "%s/api/v1/results/%s/adopt?vendor=welltory"\nrequest = "POST"\n' "${LANDFALL_URL}" "${id}"
        printf 'output = "%s/at-once-%s"\nwrite-out = "%%{http_code}\\n"\nnext\n' "${SCRATCH}" "${number}"
    done | sed '$d' | curl --silent --show-error --max-time 30 --parallel --parallel-immediate --config - \
        >"${SCRATCH}/statuses"
    [[ "$(grep --count '^201$' "${SCRATCH}/statuses")" == 1 ]]
    [[ "$(grep --count --extended-regexp '^(404|409)$' "${SCRATCH}/statuses")" == 19 ]]
    get '/api/v1/results?inbox=at-once&kind=any'
    expect_json '[.results[].kind] == ["callback", "callback"]'
}

@test "strays that repeat an Idempotency-Key become one callback" {
    local first
    post_form /callbacks/welltori/keyed stress=0.5 --header 'Idempotency-Key: k'
    adopt welltory
    first="$(jq --raw-output .id "${BODY}")"
    post_form /callbacks/welltori/keyed stress=0.5 --header 'Idempotency-Key: k'
    adopt welltory
    expect_field Idempotent-Replayed true
    expect_json '.id == $first' --arg first "${first}"
    post_form /callbacks/welltori/keyed stress=0.6 --header 'Idempotency-Key: k'
    first="$(jq --raw-output .stray "${BODY}")"
    get "/api/v1/results/${first}/adopt?vendor=welltory" --request POST
    expect_problem 422 '.type == "urn:landfall:problem:idempotency-key-reused" and (.detail | contains("another inbox"))'
    run -1 "${LANDFALL_BIN}" results adopt "${first}" --vendor welltory --server "${LANDFALL_URL}"
    stray "${first}"
    get '/api/v1/results?inbox=keyed'
    expect_json '.results | length == 1'
    # Keys belong to an inbox.
    run -0 "${LANDFALL_BIN}" results adopt "${first}" --vendor welltory --inbox keyed-2 --server "${LANDFALL_URL}"
    get '/api/v1/results?inbox=keyed-2'
    expect_json '.results | map(.result.stress) == [0.6]'
    # A receiver would have refused such a key; the stray has none then.
    post_form /callbacks/welltori/keyed stress=0.6 --header 'Idempotency-Key: a b'
    adopt welltory
}

@test "a stray is adopted into the flow that its path or its values name" {
    local flow parameters='{"method":"visit","login":"a","password":"b","store_id":"s","visit_id":"v-77","back_url_scheme":"p"}'
    post_json /api/v1/launches "{\"vendor\":\"ailet\",\"inbox\":\"visits\",\"parameters\":${parameters}}"
    expect_status 201
    flow="$(jq --raw-output .flow "${BODY}")"
    post_json /callbacks/ailett/visits '{"status":"IR_RESULT_OK","visit_id":"v-77"}'
    adopt ailet
    expect_json '.flow == $flow' --arg flow "${flow}"
    post_json /api/v1/launches '{"vendor":"dimmy","inbox":"paths","parameters":{"flowName":"a"}}'
    flow="$(jq --raw-output .flow "${BODY}")"
    get "/callbacks/dimmi/paths/${flow}?status=cancelled"
    adopt dimmy
    expect_json '.flow == $flow' --arg flow "${flow}"
    get "/api/v1/flows/${flow}"
    expect_json '.state == "returned"'
}

@test "an adopted callback keeps the request as it came" {
    local before id
    get '/sk_live_0123456789/done?stress=0.5&api_key=hush' --header 'X-Note: kept' --header 'Host: WWW.Example.com:81'
    id="$(jq --raw-output .stray "${BODY}")"
    stray "${id}"
    before="$(jq --compact-output '.request | del(.target)' "${BODY}")"
    get "/api/v1/results/${id}/adopt?vendor=welltory" --request POST
    expect_status 201
    stray "$(jq --raw-output .id "${BODY}")"
    expect_json '(.request | del(.target)) == $before and .result.stress == 0.5' --argjson before "${before}"
    expect_json '.request.target == "/%5Bredacted%5D/done?stress=0.5&api_key=[redacted]"'
}

@test "a stray can only be adopted where a server runs" {
    mkdir -p "${BATS_TEST_TMPDIR}/data/results"
    run -3 "${LANDFALL_BIN}" results adopt 01a20bd0-ab03-7848-ba83-2070fa9903b8 --vendor raw \
        --data "${BATS_TEST_TMPDIR}/data"
    [[ "${output}" == *'No server runs on'* ]]
}

@test "flux is a name of dimmy everywhere" {
    get '/callbacks/flux/names?status=cancelled'
    expect_status 201
    get '/back?status=cancelled' --header 'Host: flux.example'
    expect_status 201
    local question
    for question in vendor=flux q=vendor:flux vendor=dimmy; do
        get "/api/v1/results?inbox=names&${question}"
        expect_json '.results | map(.vendor) == ["dimmy"]'
    done
    get '/api/v1/flows?vendor=flux'
    expect_status 200
    get /api/v1/vendors/flux/drift
    expect_status 200
    get /api/v1/emulator/flux
    expect_json '.vendor == "dimmy"'
    post_json /api/v1/decode '{"url":"/?status=cancelled","vendor":"flux"}'
    expect_json '.outcome == "cancelled"'
    run -0 "${LANDFALL_BIN}" decode --vendor flux 'https://x.example/?status=cancelled'
}

@test "the limit of an inbox's results takes no result away for strays" {
    local number
    for number in 1 2 3; do get "/callbacks/raw/kept?${number}"; done
    for number in {1..6}; do get "/callbacks/rawe/kept?${number}"; done
    get /api/v1/store/compact --request POST
    get '/api/v1/results?inbox=kept&kind=any'
    expect_json '[.results[].kind] | group_by(.) | map([.[0], length]) == [["callback", 3], ["stray", 6]]'
}

@test "an inbox that was never used is erased with 204" {
    get /api/v1/inboxes/never-used --request DELETE
    expect_status 204
    [[ ! -s "${BODY}" ]]
}

@test "a flood of strays is answered, and no more of them are kept than the limit" {
    # Two thousand of them on one connection take less time than the limit needs to fill again.
    curl --silent --output /dev/null "${LANDFALL_URL}/flood?[1-2000]"
    get /flood
    expect_status 404
    get '/api/v1/results?kind=stray&path=/flood&limit=500'
    expect_json '.results | length < 400'
}
