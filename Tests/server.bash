# shellcheck shell=bash
# What all tests against the real binary share: starting it, waiting for it, stopping it.
# Invariant: every server gets a port of the kernel's choice and a folder that nobody else has, is
# stopped by its own process id, and every wait is bounded.
# Left out: building. LANDFALL_BIN names the binary, from the repository's root; else it is what `make build` builds.

REPOSITORY="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
LANDFALL_BIN="${LANDFALL_BIN:-.build-release/release/landfall}"
[[ "${LANDFALL_BIN}" == /* ]] || LANDFALL_BIN="${REPOSITORY}/${LANDFALL_BIN}"
export REPOSITORY LANDFALL_BIN

START_SECONDS=60
STOP_SECONDS=30

# Every server that this shell has launched.
SERVER_PIDS=()

# What whoever runs the tests has set for their own server must not reach ours.
unset LANDFALL_HOST LANDFALL_PORT LANDFALL_DATA LANDFALL_TOKEN LANDFALL_LOG_LEVEL LANDFALL_LOG_FORMAT \
    LANDFALL_PRIVACY_KEY LANDFALL_WEBHOOK_SECRETS LANDFALL_CONFIG LANDFALL_SERVER LANDFALL_TOKEN_FILE \
    LANDFALL_PUBLIC_URL LANDFALL_STORE NOTIFY_SOCKET WATCHDOG_USEC WATCHDOG_PID

# start_landfall FOLDER [OPTION]...: a server of the shipped configuration, with FOLDER/data.
start_landfall() {
    local folder="$1"
    shift
    launch_landfall "${folder}" --config Config/landfall.yaml --host 127.0.0.1 --port 0 \
        --data "${folder}/data" "$@"
    wait_for_landfall 127.0.0.1
}

# start_configured FOLDER: serves the page and the sites that are shipped, and what standard input configures.
start_configured() {
    mkdir -p "$1"
    {
        printf 'public: %s/public\nsites: {folder: %s/Config/sites}\n' "${REPOSITORY}" "${REPOSITORY}"
        cat
    } >"$1/landfall.yaml"
    launch_landfall "$1" --config "$1/landfall.yaml" --host 127.0.0.1 --port 0 --data "$1/data"
    wait_for_landfall
}

# launch_landfall FOLDER [OPTION]...: serves with these options only, and returns at once. Its output is
# in FOLDER/out, its log in FOLDER/log. Not every start succeeds; see wait_for_landfall.
launch_landfall() {
    local folder="$1"
    shift
    mkdir -p "${folder}"
    export SERVER_DATA="${folder}/data" SERVER_LOG="${folder}/log" SERVER_OUT="${folder}/out"
    : >"${SERVER_LOG}"
    # A shell ignores SIGINT on behalf of what it runs in the background; a terminal does not.
    (cd "${REPOSITORY}" && exec env --default-signal=INT "${LANDFALL_BIN}" serve "$@") \
        >"${SERVER_OUT}" 2>"${SERVER_LOG}" 3>&- &
    export SERVER_PID=$!
    SERVER_PIDS+=("${SERVER_PID}")
}

# wait_for_landfall [HOST]: returns when the server says where it listens, and answers there.
wait_for_landfall() {
    local host="${1:-127.0.0.1}" deadline=$((SECONDS + START_SECONDS)) port=""
    until [[ -n "${port}" ]]; do
        if ((SECONDS > deadline)) || ! kill -0 "${SERVER_PID}" 2>/dev/null; then
            echo "the server did not start within ${START_SECONDS} s:" >&2
            tail -n 20 "${SERVER_LOG}" >&2
            return 1
        fi
        sleep 0.02
        port="$(sed -n -E 's/.*listening.*[ ,"]port"?[=:]"?([0-9]+).*/\1/p' "${SERVER_LOG}" | head -n 1)"
    done
    # Empty without TLS.
    SERVER_TLS_PORT="$(sed -n -E 's/.*listening.*tls_port"?[=:]"?([0-9]+).*/\1/p' "${SERVER_LOG}" | head -n 1)"
    export SERVER_PORT="${port}" SERVER_TLS_PORT LANDFALL_URL="http://${host}:${port}"
    wait_for_health
}

# Returns when LANDFALL_URL answers.
wait_for_health() {
    local deadline=$((SECONDS + START_SECONDS))
    until curl --silent --fail --max-time 2 --output /dev/null "${LANDFALL_URL}/healthz"; do
        if ((SECONDS > deadline)); then
            echo "${LANDFALL_URL}/healthz did not answer within ${START_SECONDS} s" >&2
            return 1
        fi
        sleep 0.1
    done
}

# stop_landfall: ends the server in order; one that does not end in time is killed, and that is a failure.
stop_landfall() {
    [[ -n "${SERVER_PID:-}" ]] || return 0
    kill "${SERVER_PID}" 2>/dev/null || return 0
    wait_until_gone
}

# Returns when the server's process has ended.
wait_until_gone() {
    local deadline=$((SECONDS + STOP_SECONDS))
    while kill -0 "${SERVER_PID}" 2>/dev/null; do
        if ((SECONDS > deadline)); then
            echo "the server did not end within ${STOP_SECONDS} s" >&2
            kill -KILL "${SERVER_PID}" 2>/dev/null || true
            return 1
        fi
        sleep 0.02
    done
}
