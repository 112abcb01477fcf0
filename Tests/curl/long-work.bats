#!/usr/bin/env bats
# Questions about many results are worked on beside the loops that serve others.
# Invariant: what takes long takes its processor time on a thread of its own.
# Left out: how long anything takes.

# bats file_tags=alone

load setup

setup() {
    FOLDER="${BATS_TEST_TMPDIR}/server"
    start_landfall "${FOLDER}"
    local number
    for ((number = 1; number <= 1500; number++)); do
        printf 'url = "%s/callbacks/welltory?stress=0.5&number=%s"\noutput = "%s"\n' \
            "${LANDFALL_URL}" "${number}" "${SCRATCH}/reply"
    done | curl --silent --show-error --max-time 60 --config -
}

# ticks NAME: the processor time of the threads whose name begins so, in the kernel's ticks.
ticks() {
    local task total=0
    for task in /proc/"${SERVER_PID}"/task/*; do
        [[ "$(<"${task}/comm")" == "$1"* ]] || continue
        total=$((total + $(sed 's/.*) //' "${task}/stat" | cut -d ' ' -f 12) + $(sed 's/.*) //' "${task}/stat" | cut -d ' ' -f 13)))
    done
    echo "${total}"
}

# expect_beside PATH [CURL OPTION]...: the answer is 200, and took at least three times as long on the thread for
# long work as on the loops.
expect_beside() {
    local loops work round
    loops="$(ticks loop-)" work="$(ticks work)"
    for round in 1 2 3; do
        get "$@"
        expect_status 200
    done
    loops=$(($(ticks loop-) - loops)) work=$(($(ticks work) - work))
    echo "${loops} ticks on the loops, ${work} on the other thread"
    ((work >= 3 * loops && work > 0))
}

@test "results are decoded again beside the loops" {
    expect_beside '/api/v1/store/redecode' --request POST
    expect_json '.checked == 1500'
}

@test "an export is made beside the loops" {
    expect_beside '/api/v1/export?format=csv'
}

@test "a long URL is decoded beside the loops" {
    printf '{"url":"/callbacks/welltory?a=%s"}' "$(printf '\u202e%.0s' {1..100000})" >"${SCRATCH}/order"
    expect_beside /api/v1/decode --header 'Content-Type: application/json' --data-binary "@${SCRATCH}/order"
}

@test "identical findings are counted beside the loops" {
    expect_beside '/api/v1/diagnostics'
    expect_json '.results == 1500'
}
