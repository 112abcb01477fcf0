#!/usr/bin/env bats
# The kinds of records: lists, waits, streams and counts are about callbacks, unless the question says
# otherwise.

# shellcheck disable=SC2016 # programs of jq have variables of their own
load setup

setup_file() {
    start_configured "${BATS_FILE_TMPDIR}/server" <<'END'
flows: {lost_after_seconds: 60}
END
    post_json /api/v1/launches '{"vendor":"flux","parameters":{"flowName":"Inbound"},"inbox":"kinds"}'
}

teardown_file() {
    stop_landfall
}

# callback: one arrives in the inbox, with the flow of no launch.
callback() {
    get '/callbacks/dimmy/kinds?status=cancelled'
    expect_status 201
}

@test "a wait isn't answered by the launch that it follows" {
    get '/api/v1/results/wait?inbox=kinds&within=300ms'
    expect_status 409
    expect_json '.results == [] and .nearest[0].kind == "launch"
        and (.nearest[0].misses | map(.condition) == ["kind:callback"])'
    get '/api/v1/results/latest?inbox=kinds'
    expect_status 404
}

@test "lists hold callbacks, other kinds by name, and all by any or by q" {
    callback
    get '/api/v1/results?inbox=kinds'
    expect_json '.results | map(.kind) == ["callback"]'
    get '/api/v1/results?inbox=kinds&kind=launch'
    expect_json '.results | map(.kind) == ["launch"] and .[0].contract == "flux"'
    for question in kind=any kind=launch,callback q=has:kind 'q=kind:(launch%20OR%20callback)' \
        'q=*%20OR%20has:kind' 'q=kind:launch%20OR%20*'; do
        get "/api/v1/results?inbox=kinds&${question}"
        expect_json '.results | map(.kind) == ["callback", "launch"]'
    done
    get '/api/v1/results?inbox=kinds&kind=launch,launch'
    expect_json '.results | map(.kind) == ["launch"]'
    get '/api/v1/results/wait?inbox=kinds&kind=launch'
    expect_status 200
    for wrong in 'kind=lunch' 'kind=' 'kind=launch,' 'q=kind:any' 'contract=flux-launch'; do
        get "/api/v1/results?${wrong}"
        expect_status 400
    done
}

@test "inboxes and numbers count callbacks" {
    callback
    get '/api/v1/inboxes'
    local count
    count="$(jq '.inboxes[] | select(.name == "kinds") | .count' "${BODY}")"
    get '/api/v1/inboxes?kind=any'
    expect_json '[.inboxes[] | select(.name == "kinds").count] == [$count + 1]' --argjson count "${count}"
    get '/api/v1/inboxes?kind=delivery'
    expect_json '.inboxes == []'
    get /api/v1/stats
    expect_json '.results == $count and (.by | all(.kind == "callback"))' --argjson count "${count}"
    get '/api/v1/stats?kind=launch'
    expect_json '.results == 1 and (.by | map(.kind) == ["launch"])'
}

# read_stream QUERY: the stream from its beginning, up to a callback that arrives now, is in ${SCRATCH}/events.
read_stream() {
    local reader id attempt
    : >"${SCRATCH}/events"
    curl --silent --no-buffer --max-time 60 --output "${SCRATCH}/events" \
        "${LANDFALL_URL}/api/v1/results/stream?after=0&$1" 3>&- &
    reader=$!
    callback
    id="$(jq --raw-output .id "${BODY}")"
    for ((attempt = 0; attempt < 600; attempt++)); do
        if grep --quiet --fixed-strings "${id}" "${SCRATCH}/events"; then break; fi
        sleep 0.1
    done
    kill "${reader}" 2>/dev/null || true
    wait "${reader}" || true
    grep --quiet --fixed-strings "${id}" "${SCRATCH}/events" || fail "the stream doesn't have the last callback"
}

@test "a stream sends callbacks, and launches where they are asked for" {
    callback
    read_stream 'inbox=kinds'
    grep --quiet --fixed-strings '"kind":"callback"' "${SCRATCH}/events"
    run ! grep --fixed-strings '"kind":"launch"' "${SCRATCH}/events"
    read_stream 'inbox=kinds&kind=any'
    grep --quiet --fixed-strings '"kind":"callback"' "${SCRATCH}/events"
    grep --quiet --fixed-strings '"kind":"launch"' "${SCRATCH}/events"
}

@test "an export has every kind, and a folder and its lines of before kinds come back with theirs" {
    callback
    local lines="${BATS_TEST_TMPDIR}/lines.ndjson" old="${BATS_TEST_TMPDIR}/old.ndjson" data="${BATS_TEST_TMPDIR}/data"
    get '/api/v1/export?inbox=kinds'
    cp "${BODY}" "${lines}"
    [[ "$(jq --raw-output .kind "${lines}" | sort -u | tr '\n' ' ')" == 'callback launch ' ]]
    jq --compact-output 'if .kind == "callback" then . else .contract += "-" + .kind end | del(.kind, .crc32)' \
        "${lines}" >"${old}"
    "${LANDFALL_BIN}" results import --data "${data}" "${old}"
    "${LANDFALL_BIN}" results export --data "${data}" | jq --compact-output 'del(.seq, .crc32)' >"${old}.again"
    diff <(jq --compact-output 'del(.seq, .crc32)' "${lines}") "${old}.again"
    run "${LANDFALL_BIN}" results list --data "${data}" --lines --kind launch --fields kind
    [[ "${output}" == '{"kind":"launch"}' ]]
    run "${LANDFALL_BIN}" results list --data "${data}" --lines --fields kind
    [[ "${output}" != *launch* ]]
}
