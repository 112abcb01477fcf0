#!/usr/bin/env bats
# The access log and traces: a line for each response that names its record, and never what is private.
# Invariant: lines are written by a thread of their own, so they are waited for.

# shellcheck disable=SC2016 # programs of jq have variables of their own
load setup

TRACE=4bf92f3577b34da6a3ce929d0e0e4736

setup() {
    FOLDER="${BATS_TEST_TMPDIR}/server"
}

# line PROGRAM [JQ OPTION]...: the line of the JSON log of which PROGRAM is true, once it is there.
line() {
    local program="$1" attempt found
    shift
    for ((attempt = 0; attempt < 600; attempt++)); do
        found="$(jq --compact-output "$@" "select(.message == \"request\") | select(${program})" "${SERVER_LOG}" 2>/dev/null)"
        if [[ -n "${found}" ]]; then
            echo "${found}"
            return
        fi
        sleep 0.1
    done
    echo "no line of the access log: ${program}" >&2
    cat "${SERVER_LOG}" >&2
    return 1
}

# serve_json: writes the access log as JSON.
serve_json() {
    start_configured "${FOLDER}" <<<'log: {format: json, access: json}'
}

@test "a callback's line has its route, vendor, status, record and trace" {
    local id
    serve_json
    post_form '/callbacks/welltory/mine' 'stress=0.4' \
        --header "traceparent: 00-${TRACE}-00f067aa0ba902b7-01"
    expect_status 201
    id="$(jq --raw-output .id "${BODY}")"
    line '.record == $id' --arg id "${id}" >"${SCRATCH}/line"
    jq --exit-status --arg trace "${TRACE}" --arg request "$(field X-Request-Id)" --argjson port "${SERVER_PORT}" \
        '.method == "POST" and .path == "/callbacks/welltory/mine" and .status == 201 and .bytes > 100
        and .duration_ms > 0 and (.peer | startswith("127.0.0.1:")) and .host == "127.0.0.1"
        and .route == "/callbacks/:vendor/:inbox" and .vendor == "welltory" and .trace_id == $trace
        and .request_id == $request and .level == "info"' "${SCRATCH}/line"
}

@test "queries, bodies, fields and credentials are in no line" {
    local token=eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJzZWNyZXQifQ.c2VjcmV0c2VjcmV0c2VjcmV0
    serve_json
    get '/callbacks/welltory?stress=0.77123' --header 'Authorization: Bearer very-secret-token' \
        --header 'Cookie: session=very-secret' --user-agent 'very-secret-agent' --referer 'http://very-secret/'
    post_form /callbacks/raw 'body=very-secret'
    get "/unknown/${token}?api_key=very-secret"
    get '/api/v1/results?q=very-secret'
    line '.route == "/api/v1/results"' >/dev/null
    line '.route == "other" and .status == 404' >"${SCRATCH}/line"
    get /unknown --header 'Host: password=very-secret.example'
    get /unknown --header 'Host: sk_live_very-secret4eC39HqLyjWDarjtT1.example'
    get /unknown --header "Host: ${token}:80"
    line '.host == "password=[redacted]"' >/dev/null
    line '.host == "[redacted].example"' >/dev/null
    line '.host == "[redacted]"' >/dev/null
    run ! grep --extended-regexp --ignore-case --quiet 'very-secret|0\.77123|eyJ' "${SERVER_LOG}"
}

@test "a credential that a receiver's path captures is in no line" {
    start_configured "${FOLDER}" <<'END'
log: {format: json, access: json}
receivers:
  - {host: shop.example.com, path: "/orders/:id/:password", vendor: welltory}
END
    get '/orders/42/very-secret?stress=0.5' --header 'Host: shop.example.com'
    expect_status 201
    line '.path == "/orders/42/[redacted]"' >/dev/null
    get /orders/43/very-secret%ff --header 'Host: shop.example.com'
    expect_status 400
    line '.path == "/orders/43/[redacted]"' >/dev/null
    run ! grep --quiet very-secret "${SERVER_LOG}"
}

@test "who fetches link files is marked, and others aren't" {
    serve_json
    get /.well-known/apple-app-site-association --header 'Host: www.yourapp.com' --user-agent 'AASA-Bot/1.0.0'
    get /.well-known/assetlinks.json --header 'Host: www.yourapp.com' --user-agent 'Google-Digital-Asset-Links'
    get /.well-known/assetlinks.json --header 'Host: www.yourapp.com' --user-agent 'Mozilla/5.0'
    line '.fetcher == "apple" and .path == "/.well-known/apple-app-site-association" and .status == 200'
    line '.fetcher == "google" and .host == "www.yourapp.com"'
    line '.path == "/.well-known/assetlinks.json" and (has("fetcher") | not)'
}

@test "text is one line for each response, and without the setting there are none" {
    start_configured "${FOLDER}/text" <<<'log: {access: text}'
    get '/callbacks/raw/mine?x=1'
    local id attempt
    id="$(jq --raw-output .id "${BODY}")"
    for ((attempt = 0; attempt < 600; attempt++)); do
        grep --quiet "record=${id}" "${SERVER_LOG}" && break
        sleep 0.1
    done
    grep --extended-regexp --quiet \
        "^[0-9TZ:.-]+ info request method=GET path=/callbacks/raw/mine status=201 bytes=[0-9]+ duration_ms=[0-9.]+ peer=127" \
        "${SERVER_LOG}"
    stop_landfall
    start_configured "${FOLDER}/off" </dev/null
    get '/callbacks/raw/mine?x=1'
    stop_landfall
    run ! grep --quiet ' request ' "${SERVER_LOG}"
    start_configured "${FOLDER}/default" <<<'log: {access: off}'
    get '/callbacks/raw/mine?x=1'
    stop_landfall
    run ! grep --quiet ' request ' "${SERVER_LOG}"
}

@test "an unknown format is refused" {
    mkdir -p "${FOLDER}"
    printf 'public: %s/public\nlog: {access: xml}\n' "${REPOSITORY}" >"${FOLDER}/landfall.yaml"
    run -3 "${LANDFALL_BIN}" serve --config "${FOLDER}/landfall.yaml" --port 0 --data "${FOLDER}/data"
    [[ "${output}" == *'log.access must be one of off, text, json'* ]]
}

@test "records are found by their trace, after a restart and an import too" {
    local id
    start_landfall "${FOLDER}/first"
    post_form /callbacks/welltory 'stress=0.4' --header "traceparent: 00-${TRACE}-00f067aa0ba902b7-01"
    id="$(jq --raw-output .id "${BODY}")"
    post_form /callbacks/welltory 'stress=0.5' --header "traceparent: 00-${TRACE}-0000000000000000-01"
    post_form /callbacks/welltory 'stress=0.6'
    get "/api/v1/results?trace=${TRACE}"
    expect_json '[.results[].id] == [$id] and .results[0].request.trace == $trace' --arg id "${id}" --arg trace "${TRACE}"
    get "/api/v1/results?q=trace:${TRACE^^}"
    expect_json '[.results[].id] == [$id]' --arg id "${id}"
    get '/api/v1/results?q=NOT+has:trace'
    expect_json '.results | length == 2'
    get "/api/v1/results/wait?trace=${TRACE}&within=60s"
    expect_json '[.results[].id] == [$id]' --arg id "${id}"
    get /api/v1/export
    cp "${BODY}" "${SCRATCH}/export"
    stop_landfall
    start_landfall "${FOLDER}/first"
    get "/api/v1/results?trace=${TRACE}"
    expect_json '[.results[].id] == [$id]' --arg id "${id}"
    stop_landfall
    start_landfall "${FOLDER}/second"
    get /api/v1/import --header 'Content-Type: application/x-ndjson' --data-binary "@${SCRATCH}/export"
    expect_status 200
    get "/api/v1/results?trace=${TRACE}"
    expect_json '[.results[].id] == [$id]' --arg id "${id}"
}

@test "problems name the trace of their request" {
    start_landfall "${FOLDER}"
    local field="traceparent: 00-${TRACE}-00f067aa0ba902b7-01"
    get '/api/v1/results?unknown=1' --header "${field}"
    expect_problem 400 '.trace_id == "'"${TRACE}"'"'
    get /nowhere --header "${field}"
    expect_problem 404 '.trace_id == "'"${TRACE}"'"'
    get /api/v1/nowhere --header "${field}"
    expect_problem 404 '.trace_id == "'"${TRACE}"'"'
    get /nowhere --header 'traceparent: 00-x'
    expect_problem 404 'has("trace_id") | not'
}
