#!/usr/bin/env bats
# A stored callback once more: to this server, or to a host that the configuration allows.

# shellcheck disable=SC2016 # programs of jq have variables of their own
load setup

setup_file() { start_landfall "${BATS_FILE_TMPDIR}/server"; }
teardown_file() { stop_landfall; }

# received PATH [CURL OPTION]...: sends a callback; its id is in ${ID}.
received() {
    get "$@"
    ID="$(jq --raw-output .id "${BODY}")"
}

# send_to TARGET
send_to() { post_json "/api/v1/results/${ID}/send" "$(jq --null-input --arg to "$1" '{to: $to}')"; }

@test "a callback sent to this server is received like the first one" {
    received '/callbacks/welltory/again?stress=0.32&energy=0.75'
    send_to self
    expect_status 201
    expect_json '.redacted == [] and (.delivery | .status == 201 and .failure == null and .duration_ms >= 0)'
    local delivery result
    read -r delivery result < <(jq --raw-output '.delivery | "\(.id) \(.result)"' "${BODY}")
    expect_field Location "/api/v1/results/${delivery}"
    get "/api/v1/results/${result}"
    expect_json '.inbox == "again" and .result == {stress: 0.32, energy: 0.75} and .verdict == "decoded"'
    get "/api/v1/results/${delivery}"
    expect_json '.kind == "delivery" and .result.status == 201 and .inbox == "again"'
    get '/api/v1/results?inbox=again'
    expect_json '.results | length == 2'
}

@test "bodies go with their type, and what can't be decoded is 422 again" {
    received /callbacks/welltory/bodies --data 'stress=0,32'
    send_to self
    expect_json '.delivery.status == 422'
    received /callbacks/ailet/bodies --header 'Content-Type: application/json' --data '{"status":"IR_RESULT_OK"}'
    send_to self
    expect_json '.delivery.status == 201'
    get '/api/v1/results/latest?inbox=bodies'
    expect_json '.outcome == "completed" and .request.body.data == "{\"status\":\"IR_RESULT_OK\"}"'
}

@test "a URL on this machine gets the request with its query, and the attempt says what came back" {
    received '/callbacks/welltory/there?stress=0.5' --header 'X-Note: kept'
    send_to "${LANDFALL_URL}/callbacks/welltory/copy?energy=0.1"
    expect_status 201
    expect_json '.delivery | .status == 201 and .result == null'
    get '/api/v1/results/latest?inbox=copy'
    expect_json '.result == {stress: 0.5, energy: 0.1} and ([.request.headers[] | select(.[0] == "X-Note")] | length) == 1'
    send_to "${LANDFALL_URL}/nowhere"
    expect_json '.delivery.status == 404'
    send_to http://127.0.0.1:1/closed
    expect_status 201
    expect_json '.delivery | .status == null and (.failure | length) > 0'
}

@test "credentials that were redacted are named, and nothing of them is sent" {
    received '/callbacks/welltory/secret?stress=0.5&api_key=SECRETSECRET' --header 'Authorization: Bearer SECRETSECRET'
    send_to self
    expect_json '.redacted | sort == ["header Authorization","query api_key"]'
    get '/api/v1/results/latest?inbox=secret'
    expect_json '(.request.target | contains("api_key") | not)
        and all(.request.headers[]; .[0] != "Authorization") and .result == {stress: 0.5}'
    received /callbacks/raw/secret --header 'Content-Type: application/json' \
        --data '{"a":1,"deep":[{"password":"SECRETSECRET","b":2}]}'
    send_to self
    expect_json '.redacted == ["body /deep/0/password"]'
    get '/api/v1/results/latest?inbox=secret'
    expect_json '.request.body.data == "{\"a\":1,\"deep\":[{\"b\":2}]}"'
}

@test "a credential that was redacted inside Base64 is named, and the rest of the value is sent" {
    local response
    response="$(printf '{"startedAt":"x","endedAt":"y","password":"SECRETSECRET"}' | base64 --wrap 0)"
    received "/callbacks/dimmy/inside" --get --data-urlencode "response=${response}"
    send_to self
    expect_json '.redacted == ["query response, inside"]'
    get '/api/v1/results/latest?inbox=inside'
    expect_no_match SECRET "${BODY}"
    expect_json '.verdict != "undecodable" and .result.item.startedAt == "x"'
}

@test "a value in which the sender wrote the mark is sent as it came, and a redacted part of a form is not" {
    received '/callbacks/raw/marks?x=the+[redacted]+part' --header 'X-Note: was [redacted] once' \
        --header 'Content-Type: application/json' --data '{ "a": "says [redacted] here" }'
    send_to self
    expect_json '.redacted | sort == ["body /a, inside", "header X-Note, inside", "query x, inside"]'
    get '/api/v1/results/latest?inbox=marks'
    expect_json '.request | (.target | endswith("?x=the+[redacted]+part"))
        and .body.data == "{ \"a\": \"says [redacted] here\" }"
        and any(.headers[]; . == ["X-Note", "was [redacted] once"])'
    received /callbacks/raw/marks --form a=1 --form password=SECRETSECRET --form b=2
    send_to self
    expect_json '.redacted == ["form password"]'
    get '/api/v1/results/latest?inbox=marks'
    expect_json '.request.body.data | contains("name=\"a\"") and contains("name=\"b\"") and (contains("password") | not)'
}

@test "a refused list becomes several callbacks when it is sent again to a server without secrets" {
    local folder="${BATS_TEST_TMPDIR}/list"
    start_configured "${folder}" <<<'webhooks: {secrets: [whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw]}'
    post_json /callbacks/dimmy/list '[{"item_ids":["66f1a2b3c4d5e6f708192a3b"]},{"item_ids":["77f1a2b3c4d5e6f708192a3b"]}]'
    expect_problem 401
    ID="$(jq --raw-output .id "${BODY}")"
    stop_landfall
    start_configured "${folder}" </dev/null
    send_to self
    expect_status 201
    expect_json '.delivery.status == 201 and .delivery.result != null'
    get '/api/v1/results?inbox=list&sort=seq'
    expect_json '[.results[].request.batch] == [null, {"index": 0, "count": 2}, {"index": 1, "count": 2}]'
    stop_landfall
}

@test "hosts that the configuration doesn't allow, and other targets, are refused" {
    received '/callbacks/welltory/refused?stress=0.5'
    send_to https://example.com/hook
    expect_problem 403 '.type == "urn:landfall:problem:target-refused" and (.detail | contains("allowed_hosts"))'
    send_to http://169.254.169.254/latest/meta-data
    expect_problem 403
    local target
    for target in '' here ftp://127.0.0.1/ javascript:alert 'http://' 'http://127.0.0.1/a b'; do
        send_to "${target}"
        expect_problem 400 '.errors[0].name == "to"'
    done
    post_json "/api/v1/results/${ID}/send" '{}'
    expect_problem 400
    post_json "/api/v1/results/${ID}/send" '{"to":"self","more":1}'
    expect_problem 400
    post_json "/api/v1/results/${ID}/send?to=self" '{"to":"self"}'
    expect_problem 400
    get "/api/v1/results/${ID}/send"
    expect_status 405
    post_json /api/v1/results/01a20bd0-ab03-7848-ba83-2070fa9903b8/send '{"to":"self"}'
    expect_problem 404
}

@test "a delivery can't be sent again, and pages of other sites can't send" {
    received '/callbacks/welltory/once?stress=0.5'
    send_to self
    ID="$(jq --raw-output .delivery.id "${BODY}")"
    send_to self
    expect_problem 409 '.type == "urn:landfall:problem:not-a-callback"'
    post_json "/api/v1/results/${ID}/send" '{"to":"self"}' --header 'Sec-Fetch-Site: cross-site'
    expect_problem 403
}
