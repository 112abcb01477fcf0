#!/usr/bin/env bats
# What is hidden in lists, and what `privacy: mask` keeps off the disk.
# Invariant: a secret here is a text that nothing else has, so that any trace of it is found.
# Left out: every spelling in which a value may come (Tests/VendorsTests).

# shellcheck disable=SC2016 # programs of jq have variables of their own
load setup

setup_file() {
    start_landfall "${BATS_FILE_TMPDIR}/server"
}

teardown_file() {
    stop_landfall
}

# Server of this test alone, which masks.
start_masking() {
    start_configured "${BATS_TEST_TMPDIR}/masking" <<<'privacy: mask'
}

# expect_nowhere TEXT: in no file of the server that was started last.
expect_nowhere() {
    if grep --recursive --text --quiet "$1" "${SERVER_DATA}" "${SERVER_LOG}"; then
        grep --recursive --text --files-with-matches "$1" "${SERVER_DATA}" "${SERVER_LOG}" >&2
        return 1
    fi
}

# --- Tokens in lists --------------------------------------------------------------------------------

@test "lists hide the token, and the detail view shows it" {
    local id path
    get '/callbacks/welltory/token?stress=0.3&token=OPENSESAME'
    id="$(jq --raw-output .id "${BODY}")"
    for path in '/api/v1/results?inbox=token' '/api/v1/results?inbox=token&fields=result.token' \
        '/api/v1/results?inbox=token&fields=request.target,result' \
        '/api/v1/results/wait?inbox=token&within=1s'; do
        get "${path}"
        expect_status 200
        expect_json '[.. | strings | select(contains("[hidden]"))] | length > 0'
        expect_json '[.. | strings | select(contains("OPENSESAME"))] == []'
    done
    get "/api/v1/results/${id}"
    expect_json '.result.token == "OPENSESAME" and (.request.target | contains("OPENSESAME"))'
    get "/api/v1/results/${id}/request"
    grep --quiet OPENSESAME "${BODY}"
}

@test "lines, tables, CSV and HAR hide the token; exported lines are a backup and hold it" {
    get '/callbacks/welltory/forms?stress=0.3&token=OPENSESAME'
    get '/api/v1/results?inbox=forms' --header 'Accept: application/x-ndjson'
    grep --quiet --fixed-strings '[hidden]' "${BODY}"
    expect_no_match OPENSESAME "${BODY}"
    get '/api/v1/results?inbox=forms' --header 'Accept: text/plain'
    grep --quiet --fixed-strings 'stress 0.3' "${BODY}"
    expect_no_match OPENSESAME "${BODY}"
    get '/api/v1/export?inbox=forms&format=csv'
    grep --quiet --fixed-strings '[hidden]' "${BODY}"
    expect_no_match OPENSESAME "${BODY}"
    get '/api/v1/export?inbox=forms&format=har'
    expect_no_match OPENSESAME "${BODY}"
    get '/api/v1/export?inbox=forms&format=ndjson'
    expect_json '.result.token == "OPENSESAME"'
}

@test "events hide the token" {
    local stream
    get '/api/v1/stats'
    stream="$(jq .last_seq "${BODY}")"
    get '/callbacks/welltory/events?stress=0.3&token=OPENSESAME'
    curl --silent --no-buffer --max-time 5 "${LANDFALL_URL}/api/v1/results/stream?inbox=events&after=${stream}" \
        >"${BODY}" || true
    grep --quiet --fixed-strings '[hidden]' "${BODY}"
    expect_no_match OPENSESAME "${BODY}"
}

@test "a token in a body is hidden too, also where a list shows bodies" {
    post_form /callbacks/welltory/bodies 'stress=0.3&token=OPENSESAME'
    post_json /callbacks/welltory/bodies '{"stress":0.3,"token":"OPENSESAME"}'
    get '/api/v1/results?inbox=bodies&fields=request.body,result'
    expect_json '.results | length == 2'
    expect_json '[.. | strings | select(contains("OPENSESAME"))] == []'
    expect_json '[.results[].request.body.data | select(contains("[hidden]"))] | length == 2'
}

@test "results are found by their token, but not ordered by it, and near misses don't tell it" {
    get '/callbacks/welltory/asked?stress=0.3&token=OPENSESAME'
    get '/api/v1/results?inbox=asked&result.token=OPENSESAME'
    expect_json '.results | length == 1'
    get '/api/v1/results?inbox=asked&sort=result.token'
    expect_problem 400
    get '/api/v1/results/wait?inbox=asked&result.token=other&within=100ms'
    expect_problem 409 '(.nearest | length) > 0'
    expect_no_match OPENSESAME "${BODY}"
}

@test "the landing page hides the token" {
    get '/callbacks/welltory/page?stress=0.3&token=OPENSESAME' --header 'Accept: text/html'
    expect_status 201
    grep --quiet --fixed-strings '[hidden]' "${BODY}"
    expect_no_match OPENSESAME "${BODY}"
}

@test "the landing page hides a token in a diagnostic, too" {
    get '/callbacks/welltory/page?stress=0.32%26token%3DOPENSESAME' --header 'Accept: text/html'
    grep --quiet --fixed-strings '0.32&amp;token=[hidden]' "${BODY}"
    expect_no_match OPENSESAME "${BODY}"
}

@test "the command line hides the token in lists and shows it for one result" {
    get '/callbacks/welltory/cli?stress=0.3&token=OPENSESAME'
    cd "${REPOSITORY}"
    run -0 "${LANDFALL_BIN}" results list inbox:cli --server "${LANDFALL_URL}"
    [[ "${output}" == *'stress 0.3'* && "${output}" != *OPENSESAME* ]]
    run -0 "${LANDFALL_BIN}" results list inbox:cli --json --server "${LANDFALL_URL}"
    [[ "${output}" == *'[hidden]'* && "${output}" != *OPENSESAME* ]]
    run -0 "${LANDFALL_BIN}" results get latest --server "${LANDFALL_URL}"
    [[ "${output}" == *OPENSESAME* ]]
}

# --- Masking ----------------------------------------------------------------------------------------

@test "measurements are masked in request and value, and stay numbers" {
    start_masking
    get '/callbacks/welltory?stress=0.123454321&energy=0.5&rmssd=61.123454321&stress_c=green' \
        --header 'Referer: https://example.com/?stress=0.123454321'
    expect_stored decoded '.result.stress >= 0 and .result.stress <= 1 and .result.stress_c == "unknown"
        and .request.masked == "values" and (.request.target | capture("stress=(?<text>[0-9.]+)").text | tonumber) == .result.stress'
    stop_landfall
    expect_nowhere 123454321
}

@test "an adopted stray is masked as a received callback is, also where only the vendor's names tell" {
    local query='sterss=0.123454321&energy=0.5&rmssd=61.123454321' received id
    local shown='[.verdict, .result, .request.masked, (.request.target | split("?")[1]), .request.headers]'
    start_masking
    get "/callbacks/welltory/strays?${query}" --header 'X-Note: 0.123454321'
    get '/api/v1/results/latest?inbox=strays'
    received="$(jq --compact-output "${shown}" "${BODY}")"
    get "/callbacks/welltori/strays?${query}" --header 'X-Note: 0.123454321'
    id="$(jq --raw-output .stray "${BODY}")"
    get "/api/v1/results/${id}/adopt?vendor=welltory" --request POST
    expect_status 201
    get "/api/v1/results/$(jq --raw-output .id "${BODY}")"
    expect_no_match 123454321 "${BODY}"
    [[ "$(jq --compact-output "${shown}" "${BODY}")" == "${received}" ]] || fail "it is not ${received}"
    stop_landfall
}

@test "values of a stray whose question mark is missing are masked, also in what it differs by" {
    start_masking
    get '/callbacks/welltory/a&stress=0.123454321'
    expect_status 400
    stop_landfall
    expect_nowhere 123454321
}

@test "equal values stay equal, whatever carries them, and are found by a query" {
    local stress
    start_masking
    get '/callbacks/welltory/a?stress=0.33&energy=0.5'
    get /api/v1/results/latest
    stress="$(jq .result.stress "${BODY}")"
    post_json "/api/v1/results/$(jq --raw-output .id "${BODY}")/send" '{"to":"self"}'
    post_form /callbacks/welltory/b 'stress=0.330'
    post_json /callbacks/welltory/c '{"stress":0.33}'
    get /callbacks/welltory/d?stress=0.34
    get "/api/v1/results?result.stress=${stress}"
    expect_json '([.results[].inbox] | sort == ["a","a","b","c"]) and all(.results[]; .request.masked == "values")'
    get '/api/v1/results?result.stress=lte:1'
    expect_json '.results | length == 5'
    stop_landfall
}

@test "a store id that a receiver's path captures is masked, in the path too" {
    start_configured "${BATS_TEST_TMPDIR}/masking" <<'END'
privacy: mask
receivers:
  - {host: shops.example.com, path: "/:store_id/done", vendor: ailet}
END
    get "/probe-shop-4711/done?result=$(escaped '{"status":"IR_RESULT_OK","photosCounter":2}')" \
        --header 'Host: shops.example.com'
    expect_status 201
    get '/api/v1/results?kind=callback'
    expect_json '.results | length == 1 and (.[0].request | .masked == "values"
        and (.parameters.store_id | startswith("masked:")) and (.target | test("^/masked%3A[0-9a-f]{16}/done")))'
    get /probe-shop-4712%ff/done --header 'Host: shops.example.com'
    expect_status 400
    expect_nowhere probe-shop
    stop_landfall
}

@test "a store id is masked inside of a report, and its other fields stay" {
    local report='{"status":"IR_RESULT_OK","store_id":"SECRETSTORE","visit_id":"v1","photosCounter":2}'
    start_masking
    get "/callbacks/ailet?result=$(escaped "${report}")"
    get /api/v1/results/latest
    expect_json '(.result.store_id | startswith("masked:")) and .result.visit_id == "v1"
        and .result.photosCounter == 2 and .request.masked == "values"'
    stop_landfall
    expect_nowhere SECRETSTORE
}

@test "what can't be decoded keeps its diagnosis and loses its values" {
    start_masking
    get '/callbacks/welltory?stress=0,1234554321'
    expect_stored undecodable '.request.masked == "beyond_decoding"
        and ([.diagnostics[] | select(.code == "not_a_number")] | length) == 1'
    get "/callbacks/ailet?result=$(escaped '{"store_id":"SECRETSTORE')"
    expect_stored undecodable
    get /callbacks/welltory --header 'Content-Type: text/xml' --data-binary '<stress>SECRETSTORE</stress>'
    expect_stored undecodable
    stop_landfall
    expect_nowhere 1234554321
    expect_nowhere SECRETSTORE
}

@test "decoding masked records again changes nothing" {
    start_masking
    get '/callbacks/welltory?stress=0.5&energy=2&rmssd=x&stress_c=green'
    get '/callbacks/welltory?stress=0.5&token=t'
    get '/callbacks/welltory?stress=NaN'
    get "/callbacks/ailet?result=$(escaped '{"status":"IR_RESULT_OK","store_id":"s"}')"
    get /api/v1/store/redecode --request POST
    expect_json '.checked == 4 and .changed == 0 and .unreadable == 0'
    stop_landfall
}

@test "the key is kept for its owner, another key gives other pseudonyms, and a short one is refused" {
    local first folder="${BATS_TEST_TMPDIR}/masking"
    start_masking
    [[ "$(stat --format %a "${SERVER_DATA}/privacy.key")" == 600 ]]
    get '/callbacks/welltory?stress=0.5'
    get /api/v1/results/latest
    first="$(jq .result.stress "${BODY}")"
    stop_landfall
    start_masking
    get '/callbacks/welltory?stress=0.5'
    get /api/v1/results/latest
    expect_json ".result.stress == ${first}"
    stop_landfall
    LANDFALL_PRIVACY_KEY=another-key-of-some-length start_masking
    get '/callbacks/welltory?stress=0.5'
    get /api/v1/results/latest
    expect_json ".result.stress != ${first}"
    stop_landfall
    LANDFALL_PRIVACY_KEY=short run -3 "${LANDFALL_BIN}" serve --config "${folder}/landfall.yaml" --port 0
    [[ "${output}" == *LANDFALL_PRIVACY_KEY* ]]
}

@test "a masked callback that is sent again with its key is stored once" {
    start_masking
    post_form /callbacks/welltory 'stress=0.5' --header 'Idempotency-Key: k'
    expect_status 201
    post_form /callbacks/welltory 'stress=0.5' --header 'Idempotency-Key: k'
    expect_field Idempotent-Replayed true
    stop_landfall
}

@test "values in header fields of any name and in Idempotency-Key are masked, and repetitions recognised" {
    start_masking
    post_form /callbacks/welltory 'stress=0.5' --header 'X-Stress: 0.123454321' --header 'Stress: 0.123454321' \
        --header 'X-Note: stress=0.123454321' --header 'X-Anything: 0.123454321' \
        --header 'User-Agent: app stress=0.123454321' --header 'Idempotency-Key: stress-0.123454321'
    expect_status 201
    get /api/v1/results/latest
    expect_json '[.request.headers[] | select(.[0] == "X-Stress" or .[0] == "Idempotency-Key") | .[1]]
        | length == 2 and all(startswith("masked:"))'
    post_form /callbacks/welltory 'stress=0.5' --header 'Idempotency-Key: stress-0.123454321'
    expect_field Idempotent-Replayed true
    post_form /callbacks/welltory 'stress=0.5' --header 'Idempotency-Key: stress-0.123454322'
    expect_status 201
    [[ -z "$(field Idempotent-Replayed)" ]]
    stop_landfall
    expect_nowhere 12345432
}

@test "privacy must be off or mask" {
    mkdir -p "${BATS_TEST_TMPDIR}/bad"
    echo 'privacy: some' >"${BATS_TEST_TMPDIR}/bad/landfall.yaml"
    run -3 "${LANDFALL_BIN}" serve --config "${BATS_TEST_TMPDIR}/bad/landfall.yaml" --port 0
    [[ "${output}" == *'privacy must be one of off, mask'* ]]
}
