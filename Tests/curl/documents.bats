#!/usr/bin/env bats
# The commands of README.md and Documentation run as they are written, and print what the documents show.
# Invariant: each document has a folder with a copy of Config and a server of its own; a block that can't be
# run has a comment with the reason before it: <!-- not run: … -->.
# Left out: commands within sentences, and whether the prose is true.

# shellcheck disable=SC2154 # bats sets output
load setup

setup() {
    HERE="${BATS_TEST_TMPDIR}/here"
    mkdir -p "${HERE}/bin"
    cp -r "${REPOSITORY}/Config" "${HERE}/Config"
    ln -s "${REPOSITORY}/public" "${HERE}/public"
    ln -s "${LANDFALL_BIN}" "${HERE}/bin/landfall"
    # Agents are served only where the configuration says so.
    if [[ "${BATS_TEST_DESCRIPTION}" == *Agents.md ]]; then printf '\nmcp: true\n' >>"${HERE}/Config/landfall.yaml"; fi
    export PATH="${HERE}/bin:${PATH}" HOME="${HERE}"
    export SERVER_DATA="${HERE}/data" SERVER_LOG="${HERE}/log" SERVER_OUT="${HERE}/out"
    : >"${SERVER_LOG}"
    (cd "${HERE}" && exec landfall serve --port 0) >"${SERVER_OUT}" 2>"${SERVER_LOG}" 3>&- &
    export SERVER_PID=$!
    SERVER_PIDS+=("${SERVER_PID}")
    wait_for_landfall
}

# run_document FILE: runs its commands in ${HERE}.
run_document() {
    (cd "${HERE}" && timeout 330 "${BATS_TEST_DIRNAME}/documents.py" "${REPOSITORY}/$1" "${SERVER_PORT}")
    stop_landfall
}

@test "README.md" {
    # The result that its second story waits for.
    curl --silent --output /dev/null "${LANDFALL_URL}/callbacks/welltory/test-42?stress=0.28&energy=1"
    run_document README.md
}

@test "Documentation/GettingStarted.md" {
    run_document Documentation/GettingStarted.md
}

@test "Documentation/API.md" {
    run_document Documentation/API.md
}

@test "Documentation/Queries.md" {
    local number
    for number in 1 2; do
        curl --silent --output /dev/null "${LANDFALL_URL}/callbacks/welltory/test-42?stress=0.3&energy=${number}"
    done
    run_document Documentation/Queries.md
}

@test "Documentation/LinkFiles.md" {
    cp "${HERE}/Config/sites/www.yourapp.com/apple-app-site-association" "${HERE}/old.json"
    cp "${HERE}/old.json" "${HERE}/new.json"
    echo 'https://www.yourapp.com/dds/?stress=0.3' >"${HERE}/links.txt"
    curl --silent --output /dev/null "${LANDFALL_URL}/dds/?stress=0.3" --header 'Host: www.yourapp.com'
    run_document Documentation/LinkFiles.md
}

@test "Documentation/Vendors.md" {
    run_document Documentation/Vendors.md
}

@test "Documentation/Rezolve.md" {
    run_document Documentation/Rezolve.md
}

@test "Documentation/Certificate.md" {
    run_document Documentation/Certificate.md
}

@test "Documentation/Agents.md" {
    run_document Documentation/Agents.md
}

@test "Documentation/Operations.md" {
    curl --silent --output /dev/null "${LANDFALL_URL}/callbacks/welltory?stress=0.3"
    run_document Documentation/Operations.md
}

@test "every document with commands is run" {
    stop_landfall
    local document
    cd "${REPOSITORY}"
    for document in README.md Documentation/*.md; do
        # shellcheck disable=SC2016 # these are a document's own backquotes
        if grep --quiet --extended-regexp '^```(sh|console)$' "${document}"; then
            grep --quiet --fixed-strings "@test \"${document}\"" "${BATS_TEST_FILENAME}"
        fi
    done
}
