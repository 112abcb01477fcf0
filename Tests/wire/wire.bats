#!/usr/bin/env bats
# The program judged by RFC 9110, 9112, 3986, 6585 and 7301 with raw bytes: every requirement must
# hold, plain and under TLS. `Tests/wire/run --help` says how to judge any server by hand.

bats_require_minimum_version 1.5.0

load ../server

setup_file() {
    local folder="${BATS_FILE_TMPDIR}"
    cp -r "${REPOSITORY}/Config" "${REPOSITORY}/public" "${folder}/"
    # A date is a strong validator only when it is a minute old (RFC 9110, 8.8.2.2).
    find "${folder}/Config" "${folder}/public" -type f -exec touch --date '1 hour ago' {} +
    "${LANDFALL_BIN}" certs init --config "${folder}/Config/landfall.yaml" --folder "${folder}/tls" \
        >"${folder}/certs"
    launch_landfall "${folder}/server" --config "${folder}/Config/landfall.yaml" --host 127.0.0.1 \
        --port 0 --tls-port 0 --tls-folder "${folder}/tls" --data "${folder}/data"
    wait_for_landfall 127.0.0.1
}

teardown_file() {
    stop_landfall
}

@test "every requirement holds on a plain connection" {
    python3 "${REPOSITORY}/Tests/wire/run" --port "${SERVER_PORT}"
}

@test "every requirement holds under TLS" {
    python3 "${REPOSITORY}/Tests/wire/run" --port "${SERVER_TLS_PORT}" --tls \
        --ca "${BATS_FILE_TMPDIR}/tls/authority/ca.pem"
}
