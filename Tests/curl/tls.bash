# shellcheck shell=bash disable=SC2153 # tests set FOLDER
# What the tests of TLS share: certificates of an authority that curl trusts, requests over https, and
# openssl as a client.
# Invariant: names are resolved to the server of the test, wherever they lead in the world.
# Left out: what is expected of a handshake.

# make_certificates FOLDER [OPTION]...: certificates for localhost, for the shipped sites and the vendors' hosts.
make_certificates() {
    local folder="$1"
    shift
    "${LANDFALL_BIN}" certs init --config "${REPOSITORY}/Config/landfall.yaml" --folder "${folder}" "$@"
}

# https HOST PATH [CURL OPTION]...: as get, under TLS, trusting ${TLS}'s authority.
https() {
    local host="$1" path="$2"
    shift 2
    LANDFALL_URL="https://${host}:${SERVER_TLS_PORT}" get "${path}" \
        --cacert "${TLS}/authority/ca.pem" --resolve "*:${SERVER_TLS_PORT}:127.0.0.1" "$@"
}

# session [OPTION]...: a handshake by openssl, whose report is ${output}; a client that waits is ended.
session() {
    run timeout 10 openssl s_client -connect "127.0.0.1:${SERVER_TLS_PORT}" \
        -CAfile "${TLS}/authority/ca.pem" "$@" </dev/null
}

# expect_report PATTERN...: each is found in a line of the last session's report.
expect_report() {
    local pattern
    # shellcheck disable=SC2154 # bats sets output
    for pattern in "$@"; do
        grep --extended-regexp --quiet -e "${pattern}" <<<"${output}" || {
            echo "not in the report: ${pattern}"
            echo "${output}"
            return 1
        }
    done
}

# served_serial: the serial number of the certificate that a new connection gets for localhost.
served_serial() {
    timeout 10 openssl s_client -connect "127.0.0.1:${SERVER_TLS_PORT}" -servername localhost </dev/null \
        2>/dev/null | openssl x509 -noout -serial
}

# serial FILE
serial() {
    openssl x509 -noout -serial -in "$1"
}

# logged PATTERN [COUNT]: returns when so many lines of the log match.
logged() {
    local attempt
    for ((attempt = 0; attempt < 3000; attempt++)); do
        if (($(grep --extended-regexp --count -e "$1" "${SERVER_LOG}") >= ${2:-1})); then return; fi
        sleep 0.02
    done
    echo "not logged within 60 s: $1" >&2
    cat "${SERVER_LOG}" >&2
    return 1
}

# serve_own: a server of this test's own in ${FOLDER}, with a copy of the certificates, in ${TLS} from now on.
serve_own() {
    copy_certificates
    start_landfall "${FOLDER}" --tls-port 0 --tls-folder "${TLS}"
}

# copy_certificates: those of the file's set-up, for a test that changes them.
copy_certificates() {
    cp --recursive "${BATS_FILE_TMPDIR}/tls" "${BATS_TEST_TMPDIR}/tls"
    TLS="${BATS_TEST_TMPDIR}/tls"
}

# request LINE [FIELD]...: a request in ${SCRATCH}/request.
request() {
    printf '%s\r\n' "$@" 'Host: localhost' '' >"${SCRATCH}/request"
}

# wait_for_text FILE TEXT
wait_for_text() {
    local attempt
    for ((attempt = 0; attempt < 3000; attempt++)); do
        if grep --quiet --fixed-strings -e "$2" "$1"; then return; fi
        sleep 0.02
    done
    echo "$1 has no $2 within 60 s" >&2
    return 1
}
