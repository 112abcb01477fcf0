#!/usr/bin/env bats
# Pages of other sites: what they may do with the API through the browser of somebody who may.

load setup

configured() {
    local config="${BATS_TEST_TMPDIR}/landfall.yaml"
    {
        echo "public: ${REPOSITORY}/public"
        echo "sites: {folder: ${REPOSITORY}/Config/sites}"
        printf '%s\n' "$@"
    } >"${config}"
    launch_landfall "${BATS_TEST_TMPDIR}/server" --config "${config}" --host 127.0.0.1 --port 0 \
        --data "${BATS_TEST_TMPDIR}/server/data"
    wait_for_landfall
}

@test "no page of another site may read answers, or change anything, unless it is named" {
    configured
    get /api/v1/results --header 'Origin: https://qa.example.com'
    expect_status 200
    expect_field Access-Control-Allow-Origin ''
    get /api/v1/results --request OPTIONS --header 'Origin: https://qa.example.com' \
        --header 'Access-Control-Request-Method: GET'
    expect_field Access-Control-Allow-Origin ''
    get /api/v1/store/compact --request POST --header 'Sec-Fetch-Site: cross-site'
    expect_problem 403 '.type == "urn:landfall:problem:other-site"'
    get /api/v1/store/compact --request POST --header 'Sec-Fetch-Site: same-origin'
    expect_status 200
    stop_landfall
}

@test "a page of a site that is named may do both, and others still not" {
    configured 'api:' '  allowed_origins: [https://qa.example.com]'
    get /api/v1/results --request OPTIONS --header 'Origin: https://qa.example.com' \
        --header 'Access-Control-Request-Method: DELETE'
    expect_status 204
    expect_field Access-Control-Allow-Origin https://qa.example.com
    [[ "$(field Access-Control-Allow-Methods)" == 'GET, HEAD, POST, PUT, DELETE' ]]
    [[ "$(field Access-Control-Allow-Headers)" == *Authorization* ]]
    get /api/v1/results --header 'Origin: https://qa.example.com'
    expect_field Access-Control-Allow-Origin https://qa.example.com
    get /api/v1/store/compact --request POST --header 'Sec-Fetch-Site: cross-site' \
        --header 'Origin: https://qa.example.com'
    expect_status 200
    get /api/v1/store/compact --request POST --header 'Sec-Fetch-Site: cross-site' \
        --header 'Origin: https://evil.example'
    expect_problem 403
    expect_field Access-Control-Allow-Origin ''
    stop_landfall
}

@test "pages of an allowed origin may send every field that the server reads, and read every field that it sends" {
    configured 'api:' '  allowed_origins: [https://qa.example.com]'
    get /emulate/rezolve/api/v1/authentication/register --request OPTIONS --header 'Origin: https://qa.example.com'
    expect_status 204
    local name
    for name in Authorization Content-Type Idempotency-Key If-Match If-None-Match Landfall-Scenario Landfall-Seed \
        Last-Event-ID MCP-Protocol-Version Mcp-Method Mcp-Name traceparent X-API-KEY x-rezolve-device-id \
        x-rezolve-partner-apikey; do
        [[ ", $(field Access-Control-Allow-Headers)," == *", ${name},"* ]] || fail "${name} may not be sent"
    done
    for name in ETag Idempotent-Replayed Landfall-Delay Landfall-Flow Link Location Retry-After X-Request-Id; do
        [[ ", $(field Access-Control-Expose-Headers)," == *", ${name},"* ]] || fail "${name} can't be read"
    done
    stop_landfall
}

@test "an origin with a path is refused at the start" {
    local config="${BATS_TEST_TMPDIR}/landfall.yaml"
    printf 'api:\n  allowed_origins: [https://qa.example.com/]\n' >"${config}"
    run "${LANDFALL_BIN}" serve --config "${config}" --data "${BATS_TEST_TMPDIR}/data"
    [[ "${status}" == 3 && "${output}" == *allowed_origins* ]]
}
