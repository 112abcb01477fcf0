# shellcheck shell=bash
# What the tests of proxies and sockets share: a server of a file of their own, and a token.
# Invariant: each test has a folder of its own; requests carry the token unless a stranger makes them.

# Behind proxies, and beyond loopback, nobody sees results without it.
export LANDFALL_TOKEN=token-behind-proxies
STRANGER=("${CURL[@]}")
CURL+=(--header "Authorization: Bearer ${LANDFALL_TOKEN}")

setup() {
    FOLDER="${BATS_TEST_TMPDIR}/server"
    FILE="${BATS_TEST_TMPDIR}/landfall.yaml"
    mkdir "${BATS_TEST_TMPDIR}/sites"
}

# get_as_stranger PATH [CURL OPTION]...: as get, without the token.
get_as_stranger() {
    local CURL=("${STRANGER[@]}")
    get "$@"
}

# configure: writes the file from standard input, with the page's folder before it.
configure() {
    { echo "public: ${REPOSITORY}/public"; cat; } >"${FILE}"
}

# serve_file [OPTION]...: serves ${FILE} on a free port and waits.
serve_file() {
    launch_landfall "${FOLDER}" --config "${FILE}" --port 0 --data "${FOLDER}/data" "$@"
    wait_for_landfall
}
