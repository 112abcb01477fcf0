#!/usr/bin/env bats
# The curl command of a result: run by a shell, it sends the same request again.
# Invariant: the new result's request equals the old one's but for the peer; what vendors' decoders make
# of it is the same too.
# Left out: single rules of the command, which unit tests ask one by one.

# shellcheck disable=SC2016 # programs of jq have variables of their own
load setup

setup_file() {
    start_landfall "${BATS_FILE_TMPDIR}/server"
}

teardown_file() {
    stop_landfall
}

# expect_the_same: the result of the last reply is sent again by its own command, and compared.
expect_the_same() {
    local id new
    id="$(jq --raw-output .id "${BODY}")"
    get "/api/v1/results/${id}/curl"
    expect_status 200
    [[ "$(field Content-Type)" == text/plain* ]]
    # In an empty folder and environment: the command needs nothing of ours.
    mkdir -p "${SCRATCH}/empty"
    (cd "${SCRATCH}/empty" && env -i PATH="${PATH}" timeout 10 sh -e "${BODY}") >"${SCRATCH}/reply" 2>"${SCRATCH}/error" \
        || { cat "${BODY}" "${SCRATCH}/error" >&2; return 1; }
    new="$(jq --raw-output .id "${SCRATCH}/reply")"
    [[ "${new}" != "${id}" ]]
    get "/api/v1/results/${id}"
    cp "${BODY}" "${SCRATCH}/old"
    get "/api/v1/results/${new}"
    local kept='del(.crc32, .id, .seq, .received_at, .request.peer)
        | .request.headers |= (map(select(.[0] | ascii_downcase == "host")) + map(select(.[0] | ascii_downcase != "host")))'
    diff <(jq "${kept}" "${SCRATCH}/old") <(jq "${kept}" "${BODY}")
}

@test "a GET with a query" {
    get '/callbacks/welltory?stress=0.32&energy=0.75'
    expect_the_same
}

@test "a GET without anything, and one that could not be decoded" {
    get /callbacks/raw
    expect_the_same
    get '/callbacks/welltory?stress=0,3'
    expect_status 422
    expect_the_same
}

@test "a target that shells and curl would change" {
    get '/callbacks/raw/a/../b?x=%41%zz+&&=;$(id)`id`'"'"'"{a,b}[1-3]*~!' --globoff
    expect_status 201
    expect_the_same
}

@test "forms and JSON of every vendor" {
    post_form /callbacks/dimmy "@${FIXTURES}/dimmy-2024-callback.txt"
    expect_the_same
    get "/callbacks/dimmy?$(query_of flux-callback.txt)"
    expect_the_same
    get "/callbacks/welltory?$(query_of welltory-callback.txt)"
    expect_the_same
    post_json /callbacks/ailet "@${FIXTURES}/ailet-report-with-task.json"
    expect_the_same
}

@test "bodies that are text, binary, large, and begin like the name of a file" {
    post_form /callbacks/raw '@not-a-file' --data-raw ''
    get /callbacks/raw --data-raw '@/etc/passwd'
    expect_the_same
    printf 'a\0b\377\r\n\033[31m' >"${SCRATCH}/binary"
    get /callbacks/raw --data-binary "@${SCRATCH}/binary" --header 'Content-Type: application/octet-stream'
    expect_the_same
    # Bytes of any value, and the same each time: random ones sometimes look like a credential.
    seq 200000 | gzip --no-name >"${SCRATCH}/large"
    get /callbacks/raw --data-binary "@${SCRATCH}/large"
    expect_the_same
    get /callbacks/raw --data-raw "it's \"quoted\" \$HOME \\n äöü"
    expect_the_same
}

@test "a POST without a body" {
    get /callbacks/raw --request POST
    expect_the_same
    get /callbacks/raw --data ''
    expect_the_same
}

@test "field lines: repeated, empty, without those that curl would add" {
    get /callbacks/raw --header 'X-Twice: 1' --header 'x-twice: 2' --header 'X-Empty;' --header 'User-Agent:' --header 'Accept:'
    expect_the_same
    get /callbacks/raw --http1.0
    expect_the_same
}

@test "a body that came in gzip is sent as it is kept: inflated" {
    printf 'stress=0.32' | gzip >"${SCRATCH}/form.gz"
    post_form /callbacks/welltory "@${SCRATCH}/form.gz" --header 'Content-Encoding: gzip'
    expect_status 201
    get "/api/v1/results/$(jq --raw-output .id "${BODY}")/curl"
    sh -e "${BODY}" >"${SCRATCH}/reply" 2>/dev/null
    get "/api/v1/results/$(jq --raw-output .id "${SCRATCH}/reply")"
    expect_json '.request.body == {"encoding":"utf8","data":"stress=0.32"} and .result == {"stress":0.32}'
}

@test "the command can be for another server" {
    get '/callbacks/welltory?stress=0.32'
    local id server
    id="$(jq --raw-output .id "${BODY}")"
    get "/api/v1/results/${id}/curl?to=https://example.org:8443"
    expect_status 200
    grep --quiet --fixed-strings "'https://example.org:8443/callbacks/welltory?stress=0.32'" "${BODY}"
    for server in file:///etc http:// https://a/b?c http://x%0a http://%5b::1; do
        get "/api/v1/results/${id}/curl?to=${server}"
        expect_problem 400 '.errors[0].name == "to"'
    done
}
