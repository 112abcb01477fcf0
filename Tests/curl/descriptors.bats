#!/usr/bin/env bats
# Few descriptors, and more connections than there are descriptors.
# Invariant: the process lives; who is connected is served; others get 503 or are closed; what was acknowledged
# is stored; when the crowd has gone, everybody is served.
# Left out: how descriptors are shared out (Tests/SocketsTests/DescriptorLimitTests).

# bats file_tags=alone

# shellcheck disable=SC2030,SC2031,SC2153,SC2154 # tests are subshells; bats sets output and stderr
load setup

setup() {
    FOLDER="${BATS_TEST_TMPDIR}/server"
    # A program that serves under ${DESCRIPTORS}.
    LIMITED="${BATS_TEST_TMPDIR}/limited"
    # What make and bats have open isn't the server's.
    printf '%s\n' '#!/usr/bin/env bash' 'for file in /proc/self/fd/*; do' \
        '    number="${file##*/}"' '    if ((number > 2)); then exec {number}>&-; fi' 'done' \
        'ulimit -n "${DESCRIPTORS}"' "exec '${LANDFALL_BIN}' \"\$@\"" >"${LIMITED}"
    chmod +x "${LIMITED}"
}

@test "a server that may not have its threads says so instead of waiting for them" {
    local nobody=(setpriv --reuid 65534 --regid 65534 --clear-groups)
    if [[ "${EUID}" != 0 ]] || ! "${nobody[@]}" test -x "${LANDFALL_BIN}"; then
        skip 'another user is needed, because the limit is none for root'
    fi
    mkdir --mode=777 "${BATS_TEST_TMPDIR}/data"
    chmod a+x "${BATS_TEST_TMPDIR}"
    run --separate-stderr timeout 10 "${nobody[@]}" prlimit --nproc=8 "${LANDFALL_BIN}" serve --port 0 \
        --data "${BATS_TEST_TMPDIR}/data"
    [[ "${status}" == 3 && "${stderr}" == *'too few threads'*'ulimit -u'* ]]
}

@test "queries are answered while other processes use up the threads" {
    # The limit counts all threads of a user, so this one has no others.
    local user=$((60000 + RANDOM % 1000)) threads=$((2 * $(nproc) + 40)) path
    local other=(setpriv --reuid "${user}" --regid "${user}" --clear-groups prlimit "--nproc=${threads}")
    if [[ "${EUID}" != 0 ]] || ! "${other[@]}" test -x "${LANDFALL_BIN}"; then
        skip 'another user is needed, because the limit is none for root'
    fi
    printf '%s\n' '#!/usr/bin/env bash' "exec ${other[*]} '${LANDFALL_BIN}' \"\$@\"" >"${LIMITED}"
    chmod a+x "${BATS_RUN_TMPDIR}" "${BATS_RUN_TMPDIR}/test" "${BATS_TEST_TMPDIR}" "${LIMITED}"
    mkdir "${FOLDER}"
    mkdir --mode=777 "${FOLDER}/data"
    LANDFALL_BIN="${LIMITED}" start_landfall "${FOLDER}"
    get '/callbacks/raw?first'
    # Threads of the system's pool end after five seconds without work.
    sleep 7
    # shellcheck disable=SC2016 # the other shell's variables
    "${other[@]}" bash -c 'for ((n = 0; n < $1; n++)); do sleep 60 & done; wait' - "${threads}" \
        2>"${SCRATCH}/full" 3>&- &
    local filling=$!
    SERVER_PIDS+=("${filling}")
    until grep --quiet 'Resource temporarily unavailable' "${SCRATCH}/full"; do
        kill -0 "${filling}"
        sleep 0.1
    done
    for path in /readyz '/api/v1/results?limit=1' /api/v1/results/latest /api/v1/stats '/callbacks/raw?next' \
        '/api/v1/results/wait?count=2&within=5s' /api/v1/export; do
        get "${path}" --max-time 5
        [[ "${STATUS}" == 20[01] ]] || fail "${path}: ${STATUS}"
    done
    pkill --uid "${user}" sleep
    stop_landfall
}

# expect_survival DESCRIPTORS
expect_survival() {
    LANDFALL_BIN="${LIMITED}" DESCRIPTORS="$1" start_landfall "${FOLDER}"
    expect_crowd_survived "$1"
}

# expect_crowd_survived DESCRIPTORS: of the server that runs.
expect_crowd_survived() {
    grep --quiet --extended-regexp " connections=[0-9]+ connections_per_address=[0-9]+ descriptors=$1\$" "${SERVER_LOG}"
    "${BATS_TEST_DIRNAME}/crowd.py" "${SERVER_PORT}" $(($1 + 100)) >"${SCRATCH}/acknowledged"
    kill -0 "${SERVER_PID}"
    walk 'inbox=crowd&limit=500' '"\(.id) \(.request.target)"' | sort >"${SCRATCH}/found"
    sort "${SCRATCH}/acknowledged" | diff - "${SCRATCH}/found"
    (($(wc --lines <"${SCRATCH}/found") > 20))
    run ! grep --quiet 'could not be accepted' "${SERVER_LOG}"
    stop_landfall
}

@test "64 descriptors" { expect_survival 64; }

@test "128 descriptors" { expect_survival 128; }

@test "256 descriptors" { expect_survival 256; }

@test "1,024 descriptors" { expect_survival 1024; }

@test "slow targets of forwarding take no descriptor that callbacks need" {
    local got="${BATS_TEST_TMPDIR}/got" port number targets="" deadline=$((SECONDS + 30))
    coproc BACKEND { exec "${BATS_TEST_DIRNAME}/backend.py" 0 "${got}" 3>&-; }
    local backend="${BACKEND_PID}"
    read -r port <&"${BACKEND[0]}"
    for number in {1..8}; do targets+="{url: \"http://127.0.0.1:${port}/slow/${number}\"}, "; done
    LANDFALL_BIN="${LIMITED}" DESCRIPTORS=256 start_configured "${FOLDER}" \
        <<<"forward: [{name: slow, targets: [${targets%, }]}]"
    curl --silent --fail --max-time 60 --output /dev/null --data x "${LANDFALL_URL}/callbacks/raw/in?[1-20]"
    # Four attempts to each target.
    until (($(wc --lines <"${got}") >= 32)); do
        ((SECONDS <= deadline)) || fail 'the targets got fewer than 32 requests within 30 s'
        sleep 0.1
    done
    expect_crowd_survived 256
    exec {BACKEND[1]}>&-
    wait "${backend}" || true
}

@test "without a free descriptor the index stays, and what is erased leaves the disk once there is one" {
    local id
    "${BATS_TEST_DIRNAME}/segment.py" "${FOLDER}/data/results" 2026-01-02 10
    "${BATS_TEST_DIRNAME}/segment.py" "${FOLDER}/data/results" 2026-01-03 10
    start_configured "${FOLDER}" <<<'results: {compress: false}'
    post_form /callbacks/raw/kept one
    post_form /callbacks/raw/erased 'to be gone'
    id="$(jq --raw-output .id "${BODY}")"
    "${BATS_TEST_DIRNAME}/starved.py" "${SERVER_PORT}" "${SERVER_PID}" \
        'GET /api/v1/results?q=received_at:2026-01-02&limit=50&fields=request.body' \
        "DELETE /api/v1/results/${id}" 'POST /api/v1/store/compact' | tee "${SCRATCH}/statuses"
    [[ "$(cut --delimiter ' ' --fields 1 "${SCRATCH}/statuses")" == 503 ]]
    sleep 1
    run ! grep --quiet 'rebuilding the index\|was removed' "${SERVER_LOG}"
    get /api/v1/store/compact --request POST
    expect_status 200
    expect_json '.failures == []'
    run ! grep --quiet --recursive 'to be gone' "${FOLDER}/data/results"
    get '/api/v1/results?q=received_at:2026-01-02&limit=50'
    expect_json '.results | length == 10'
    expect_well
}

@test "with fewer than 64 descriptors the server does not start, and says why" {
    local limit
    for limit in 32 63; do
        run --separate-stderr env DESCRIPTORS="${limit}" timeout 10 "${LIMITED}" serve \
            --config "${REPOSITORY}/Config/landfall.yaml" --port 0 --data "${FOLDER}/data"
        [[ "${status}" == 3 && -z "${output}" && "${#stderr_lines[@]}" == 1 ]]
        [[ "${stderr}" == "landfall: The process may have only ${limit} files and connections open"* ]]
    done
}
