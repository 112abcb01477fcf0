#!/usr/bin/env bats
# The tools for agents, called by the official Python SDK of the Model Context Protocol.
# Left out: messages that no SDK sends (Tests/curl/agents.bats).

bats_require_minimum_version 1.5.0

load ../server

export LANDFALL_TOKEN=token-of-the-tests

setup_file() {
    local folder="${BATS_FILE_TMPDIR}"
    mkdir -p "${folder}/server"
    printf 'mcp: true\npublic: %s/public\nsites: {folder: %s/Config/sites}\n' "${REPOSITORY}" "${REPOSITORY}" \
        >"${folder}/landfall.yaml"
    launch_landfall "${folder}/server" --config "${folder}/landfall.yaml" --host 127.0.0.1 --port 0 \
        --data "${folder}/data"
    wait_for_landfall 127.0.0.1
}

teardown_file() {
    stop_landfall
}

@test "every tool works in both revisions, and captured orders arrive as data" {
    run -0 timeout 120 "${REPOSITORY}/.build-api/bin/python" "${BATS_TEST_DIRNAME}/agents.py" "${LANDFALL_URL}" \
        "${LANDFALL_TOKEN}"
    [[ "${output}" == *'all tools, in both revisions'* ]]
}
