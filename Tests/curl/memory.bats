#!/usr/bin/env bats
# How much memory the server takes while peers stall, send what grows, and read nothing: fewer of them
# than in Tests/soak/attacks_memory.py, and the same bound.
# Invariant: the resident set of the process stays below its bound, and others are served meanwhile.
# Left out: attacks on anything but memory.

# bats file_tags=alone

load setup

# MiB that may be resident; Documentation/Security.md promises it.
MOST=256

setup() {
    start_landfall "${BATS_TEST_TMPDIR}/server"
}

# attack NAME[=COUNT]...: one after the other; fails when more was resident. What became of the
# requests is on standard output.
attack() {
    timeout 110 "${REPOSITORY}/Tests/soak/attacks_memory.py" --most "${MOST}" \
        127.0.0.1 "${SERVER_PORT}" "${SERVER_PID}" "$@" 3>&-
}

@test "300 bodies of 4 MB whose last bytes never come are bounded together, and a callback is taken meanwhile" {
    attack stalled_bodies >"${SCRATCH}/outcome" &
    local attacker=$!
    sleep 3
    get '/callbacks/welltory/honest?stress=0.5'
    expect_status 201
    post_form /callbacks/raw/honest 'a small body'
    expect_status 201
    wait "${attacker}"
    cat "${SCRATCH}/outcome"
    grep --quiet "'503'" "${SCRATCH}/outcome"
    grep --quiet "'408'" "${SCRATCH}/outcome"
    # No connection is left that holds memory.
    expect_no_match "'open'" "${SCRATCH}/outcome"
    head --bytes 4000000 /dev/zero | tr '\0' x >"${SCRATCH}/large"
    post_form /callbacks/raw/honest "@${SCRATCH}/large"
    expect_status 201
    expect_well
}

@test "stalled heads, inflated bodies and small bodies are bounded together" {
    attack stalled_heads=50 inflated_bodies=100 small_stalled_bodies=600
    expect_well
}

@test "bodies that drip in are ended, however much came before" {
    attack dripped_bodies=40 | tee "${SCRATCH}/outcome"
    expect_no_match "'open'" "${SCRATCH}/outcome"
}

@test "lists of 8 results of 4 MiB of control characters are bounded, and complete" {
    attack large_results=8 some_lists=4
    get '/api/v1/results?limit=50&fields=id,request.body'
    expect_status 200
    expect_json '(.results | length) >= 1 and (.results | length) < 8 and (.next_cursor | type) == "string"'
    [[ "$(field Link)" == *'rel="next"'* ]]
    walk 'limit=50&fields=id,request.body' '.request.body.data | length' >"${SCRATCH}/sizes"
    [[ "$(wc --lines <"${SCRATCH}/sizes")" == 8 ]]
    # Base64: JSON would write each octet with six.
    [[ "$(sort --unique <"${SCRATCH}/sizes")" == 5592408 ]]
    get '/api/v1/results/wait?count=3&fields=seq'
    expect_status 200
    expect_json '.results | map(.seq) == [1, 2, 3]'
}

@test "clients that read nothing of lists, pipelines and streams are bounded together" {
    attack large_results=6 unread_lists=60 unread_pipelines=300 unread_streams=100
    expect_well
}

@test "an event of a stream leaves nothing in memory" {
    MOST=80 attack read_streams
    expect_well
}

@test "bodies that are much larger once they are read are bounded together" {
    attack numbers=16
    expect_well
}

@test "inboxes come in pages" {
    local name
    for name in c a b d; do
        get "/callbacks/raw/${name}"
        expect_status 201
    done
    get '/api/v1/inboxes?limit=3'
    expect_status 200
    expect_json '[.inboxes[].name] == ["a", "b", "c"] and .next_cursor == "c"'
    expect_field Link '</api/v1/inboxes?limit=3&cursor=c>; rel="next"'
    get '/api/v1/inboxes?limit=3&cursor=c'
    expect_json '[.inboxes[].name] == ["d"] and .next_cursor == null'
    [[ -z "$(field Link)" ]]
    # A name may be percent-encoded, too.
    get '/api/v1/inboxes?%63ursor=a&limit=1'
    expect_field Link '</api/v1/inboxes?limit=1&cursor=b>; rel="next"'
    get '/api/v1/inboxes?limit=501'
    expect_problem 400 '.errors[0].name == "limit"'
    get '/api/v1/inboxes?cursor=NONE'
    expect_problem 400 '.errors[0].name == "cursor"'
}
