#!/usr/bin/env bats
# Test suites that run at once against one server, with the same codes, visits and bar codes, in inboxes of
# their own.

# bats file_tags=alone

load setup

setup_file() {
    start_landfall "${BATS_FILE_TMPDIR}/server"
}

teardown_file() {
    stop_landfall
}

@test "fifty suites at once never see each other" {
    run -0 "${BATS_TEST_DIRNAME}/suites.py" "${SERVER_PORT}" 50
    [[ -z "${output}" ]]
    get '/api/v1/flows/report'
    expect_json '.orphan == [] and .duplicate == []'
}
