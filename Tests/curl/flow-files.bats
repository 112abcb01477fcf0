#!/usr/bin/env bats
# `landfall test`: files of flows with what must arrive.
# Invariant: an error in a file has its line, and no flow of such a file is run.

# shellcheck disable=SC2016 # programs of jq have variables of their own
load setup

# run_file STATUS [OPTION]...: the file is standard input; the output is the body.
run_file() {
    local expected="$1" status=0
    shift
    cat >"${SCRATCH}/flows.yaml"
    timeout 300 "${LANDFALL_BIN}" test "${SCRATCH}/flows.yaml" "$@" >"${BODY}" 2>"${SCRATCH}/errors" || status=$?
    ((status == expected)) || {
        echo "exit code ${status} instead of ${expected}:" >&2
        cat "${SCRATCH}/errors" "${BODY}" >&2
        return 1
    }
}

@test "flows of every vendor are run on a server of their own" {
    run_file 0 --json <<'YAML'
inbox: checkout
flows:
  - launch: welltory
    name: a measurement
    seed: 7
    expect: {outcome: completed, verdict: decoded, state: returned, callbacks: 1}
  - {launch: flux, scenario: "error:not_logged_in", expect: {outcome: error, result: {error: not_logged_in}}}
  - {launch: flux, scenario: cancelled, expect: {outcome: cancelled}}
  - {launch: dimmy-2024, scenario: silent, expect: {state: launched, outcome: null, callbacks: 0}}
  - {launch: ailet, scenario: "duplicate:2", expect: {state: duplicate, callbacks: 2, result: {status: IR_RESULT_OK}}}
  - {launch: x-callback-url, scenario: completed}
  - {launch: welltory, scenario: "malformed:model", name: broken, expect: {verdict: decoded_with_warnings}}
YAML
    expect_json '.ok and (.flows | length) == 7 and .flows[0].name == "a measurement" and .flows[0].line == 3
        and all(.flows[]; .ok and .problems == [])'
}

@test "the examples of the help and of the documents are as expected" {
    "${LANDFALL_BIN}" test --help | sed -n '/^  inbox:/,/^$/s/^  //p' | run_file 0
    sed -n '/^inbox: checkout/,/^```$/p' "${REPOSITORY}/Documentation/Certificate.md" | sed '$d' | run_file 0
}

@test "a flow that isn't as expected fails with the line of what isn't" {
    run_file 1 <<'YAML'
flows:
  - name: wrong in three places
    launch: flux
    scenario: error:not_logged_in
    expect:
      outcome: completed
      result:
        error: flow_unavailable
        item: null
        nothing.here: 7
  - name: right
    launch: welltory
YAML
    grep --quiet 'FAILED  wrong in three places' "${BODY}"
    grep --quiet 'line 6: outcome is error; expected completed' "${BODY}"
    grep --quiet 'line 8: result.error is not_logged_in; expected flow_unavailable' "${BODY}"
    grep --quiet 'line 10: result.nothing.here is null; expected 7' "${BODY}"
    [[ "$(grep --count 'line ' "${BODY}")" == 3 ]]
    grep --quiet 'passed  right' "${BODY}"
    [[ "$(tail -n 1 "${BODY}")" == '1 passed, 1 failed' ]]
}

@test "an error in the file has its line, and nothing is run" {
    local line text
    while IFS='|' read -r line text; do
        printf '%b' "${text}" | run_file 2
        grep --quiet --fixed-strings "flows.yaml:${line}" "${SCRATCH}/errors" || fail "${text}: $(<"${SCRATCH}/errors")"
        [[ ! -s "${BODY}" ]]
    done <<'CASES'
1|
1|[]
1|inbox: a
1|inbox: "No Inbox"\nflows: [{launch: flux}]
2|inbox: a\nport: 70000\nflows: [{launch: flux}]
2|inbox: a\nflows: {launch: flux}
1|flows: []
1|flows: [{scenario: completed}]
2|flows:\n  - launch: nobody
3|flows:\n  - launch: flux\n    scenario: empty:x
3|flows:\n  - launch: flux\n    expected: 1
4|flows:\n  - launch: flux\n    expect:\n      outcome: done
4|flows:\n  - launch: flux\n    expect:\n      callbacks: many
4|flows:\n  - launch: flux\n    expect:\n      result: [1]
3|flows:\n  - launch: flux\n    seed: -1
3|flows:\n  - launch: flux\n    parameters: {flowName: [1]}
3|flows:\n  - launch: flux\n  - launch: flux
CASES
    status=0
    "${LANDFALL_BIN}" test "${SCRATCH}/missing.yaml" 2>"${SCRATCH}/errors" || status=$?
    ((status == 3))
}

@test "a flow that the server refuses fails with its line, and the others are run" {
    cat >"${SCRATCH}/refused" <<'YAML'
flows:
  - launch: welltory
  - launch: flux
    name: refused
    parameters: {nonsense: a}
  - launch: ailet
YAML
    run_file 1 <"${SCRATCH}/refused"
    grep --quiet 'FAILED  refused' "${BODY}"
    grep --quiet 'line 3: .*400: Invalid value in the body: parameters' "${BODY}"
    grep --quiet 'There is no parameter "nonsense"' "${BODY}"
    [[ "$(grep --count '^passed' "${BODY}")" == 2 && "$(tail -n 1 "${BODY}")" == '2 passed, 1 failed' ]]
    run_file 1 --json <"${SCRATCH}/refused"
    expect_json '(.ok | not) and [.flows[].ok] == [true, false, true] and .flows[1].flow == null
        and (.flows[1].problems[0] | startswith("line 3: "))'
}

@test "a running server is used where one is named, and its own parameters are sent" {
    start_landfall "${BATS_TEST_TMPDIR}/server"
    run_file 0 --server "${LANDFALL_URL}" <<'YAML'
inbox: named
flows:
  - launch: ailet
    parameters: {store_id: "4711", visit_id: visit-9}
    expect: {outcome: completed, result: {visit_id: visit-9}}
YAML
    get '/api/v1/results?inbox=named'
    expect_json '.results | length == 1'
    stop_landfall
    run_file 3 --server "${LANDFALL_URL}" <<<'flows: [{launch: welltory}]'
}

@test "a reader that goes leaves no server and no folder behind" {
    mkdir "${SCRATCH}/temporary"
    echo 'flows: [{launch: welltory}, {launch: flux}]' >"${SCRATCH}/flows.yaml"
    export TMPDIR="${SCRATCH}/temporary"
    run timeout 60 bash -c '"$0" test "$1" | true; exit "${PIPESTATUS[0]}"' "${LANDFALL_BIN}" "${SCRATCH}/flows.yaml"
    [[ "${status}" == 3 && "${output}" == *"can't be written to"* ]]
    [[ -z "$(ls "${SCRATCH}/temporary")" ]]
}
