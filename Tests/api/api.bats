#!/usr/bin/env bats
# The server held to its own description, /openapi.json: every example is answered as described, and
# schemathesis finds no request that isn't.
# Invariant: the token is asked for, so that this is tested too.
# Left out: what answers mean (Tests/curl).

bats_require_minimum_version 1.5.0

load ../server

export LANDFALL_TOKEN=token-of-the-tests

setup_file() {
    local folder="${BATS_FILE_TMPDIR}"
    mkdir -p "${folder}/server"
    {
        printf 'mcp: true\n'
        printf 'public: %s/public\nsites: {folder: %s/Config/sites, default: www.yourapp.com}\n' "${REPOSITORY}" "${REPOSITORY}"
        # The partner that the document's examples are of.
        printf 'rezolve: {fixtures: %s/Config/rezolve, partners: [{id: 12, api_key: sandbox-api-key, auth_key: k}]}\n' \
            "${REPOSITORY}"
        printf 'dimmy: {api_keys: [landfall-development-key]}\n'
        printf 'receivers: [{host: www.yourapp.com, path: /dds/, vendor: welltory}]\n'
    } >"${folder}/landfall.yaml"
    launch_landfall "${folder}/server" --config "${folder}/landfall.yaml" --host 127.0.0.1 --port 0 \
        --data "${folder}/data"
    wait_for_landfall 127.0.0.1
}

teardown_file() {
    stop_landfall
}

@test "the document is JSON, and asks for the token like the page" {
    local field='%{http_code} %{content_type}'
    [[ "$(curl --silent --output /dev/null --write-out "${field}" "${LANDFALL_URL}/openapi.json")" == '401 '* ]]
    [[ "$(curl --silent --output "${BATS_TEST_TMPDIR}/document" --write-out "${field}" \
        --header "Authorization: Bearer ${LANDFALL_TOKEN}" "${LANDFALL_URL}/openapi.json")" == '200 application/json' ]]
    jq --exit-status '.openapi == "3.1.0"' "${BATS_TEST_TMPDIR}/document"
}

@test "every example is answered as described" {
    "${REPOSITORY}/.build-api/bin/python" "${BATS_TEST_DIRNAME}/examples.py" "${LANDFALL_URL}" "${LANDFALL_TOKEN}"
}

@test "schemathesis finds nothing" {
    cd "${BATS_TEST_DIRNAME}"
    PYTHONDONTWRITEBYTECODE=1 timeout 900 "${REPOSITORY}/.build-api/bin/schemathesis" --config-file schemathesis.toml \
        run "${REPOSITORY}/public/openapi.json" --url "${LANDFALL_URL}"
}
