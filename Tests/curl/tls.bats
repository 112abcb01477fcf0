#!/usr/bin/env bats
# TLS: what is served under it, which handshakes succeed and with whose certificate, how connections end.
# Invariant: nothing older than TLS 1.2 is spoken; no key ever reaches the log.
# Left out: where certificates come from (certificates.bats), redirects and HSTS (redirect.bats), PROXY before
# TLS (proxies.bats).

# shellcheck disable=SC2016,SC2030,SC2031,SC2153,SC2154 # tests are subshells; bats sets output and stderr
load setup
load tls

setup_file() {
    make_certificates "${BATS_FILE_TMPDIR}/tls" >"${BATS_FILE_TMPDIR}/made"
    LANDFALL_LOG_LEVEL=trace start_landfall "${BATS_FILE_TMPDIR}/server" \
        --tls-port 0 --tls-folder "${BATS_FILE_TMPDIR}/tls"
}

teardown_file() {
    stop_landfall
}

TLS="${BATS_FILE_TMPDIR}/tls"

setup() {
    FOLDER="${BATS_TEST_TMPDIR}/server"
}

# --- Serving ----------------------------------------------------------------------------------------

@test "what certs init makes is served, and the log says on which port" {
    grep --extended-regexp --quiet " listening port=${SERVER_PORT} tls_port=${SERVER_TLS_PORT}\$" "${SERVER_LOG}"
    https localhost /healthz
    expect_status 200
    expect_json '.status == "ok"'
    grep --quiet "https://127.0.0.1:${SERVER_TLS_PORT}/" "${SERVER_OUT}"
}

@test "a link file is served under TLS byte for byte, to who checks the name of its host" {
    https www.yourapp.com /.well-known/apple-app-site-association
    expect_status 200
    expect_field Content-Type application/json
    cmp "${REPOSITORY}/Config/sites/www.yourapp.com/apple-app-site-association" "${BODY}"
}

@test "a callback is stored with the scheme that it came by" {
    https localhost '/callbacks/welltory?stress=0.32&energy=0.75'
    expect_stored decoded '.request.scheme == "https" and .request.host == $host
        and (.request.peer | startswith("127.0.0.1:"))' --arg host "localhost:${SERVER_TLS_PORT}"
    get '/callbacks/welltory?stress=0.32&energy=0.75'
    expect_stored decoded '.request.scheme == "http"'
}

@test "a large body comes whole under TLS, and goes whole" {
    # Random Base64 may look like a credential, which would be redacted.
    head --bytes 1750000 /dev/urandom | od --address-radix=n --format=x1 | tr --delete ' \n' >"${SCRATCH}/large"
    https localhost /callbacks/raw --data-binary "@${SCRATCH}/large" --header 'Content-Type: text/plain'
    expect_status 201
    https localhost "$(field Location)/request"
    expect_status 200
    tail --bytes 3500000 "${BODY}" | cmp "${SCRATCH}/large"
}

@test "several requests use one connection under TLS" {
    https localhost '/callbacks/raw?[1-3]' --no-globoff --write-out '%{num_connects}'
    [[ "${STATUS}" == 100 ]]
}

# --- Handshakes -------------------------------------------------------------------------------------

@test "curl and openssl agree on http/1.1 by ALPN" {
    https localhost /healthz --verbose 2>"${SCRATCH}/verbose"
    grep --quiet 'ALPN: server accepted http/1.1' "${SCRATCH}/verbose"
    session -alpn h2,http/1.1
    expect_report '^ALPN protocol: http/1.1'
}

@test "who offers nothing by ALPN gets HTTP/1.1 without it" {
    session
    expect_report '^No ALPN negotiated' 'Verify return code: 0'
}

@test "who offers only h2 is refused with no_application_protocol" {
    session -alpn h2
    [[ "${status}" != 0 ]]
    expect_report 'alert number 120'
}

@test "TLS 1.3 and 1.2 are spoken, by AEAD with forward secrecy" {
    session -tls1_3
    expect_report 'New, TLSv1.3, Cipher is TLS_(AES_(128|256)_GCM|CHACHA20_POLY1305)_SHA(256|384)' \
        '^Server Temp Key: (X25519|ECDH, prime256v1)' 'Verify return code: 0'
    session -tls1_2
    expect_report 'New, TLSv1.2, Cipher is ECDHE-ECDSA-(AES(128|256)-GCM|CHACHA20)' \
        'Secure Renegotiation IS supported' 'Compression: NONE' 'Verify return code: 0'
}

@test "TLS 1.1 and 1.0 are refused with protocol_version" {
    local version
    for version in -tls1_1 -tls1; do
        session "${version}" -cipher DEFAULT@SECLEVEL=0
        [[ "${status}" != 0 ]]
        expect_report 'alert number 70'
    done
}

@test "a client of CBC ciphers only is refused" {
    session -tls1_2 -cipher ECDHE-ECDSA-AES128-SHA:ECDHE-ECDSA-AES128-SHA256
    [[ "${status}" != 0 ]]
    expect_report 'alert number 40'
}

@test "the named host decides whose certificate it is" {
    local host
    for host in www.yourapp.com app.welltory.com WWW.YourApp.COM localhost; do
        session -servername "${host}" -verify_hostname "${host}"
        expect_report "^subject=.*CN = ${host,,}\$" 'Verify return code: 0'
    done
}

@test "an unknown host, and none, get the default certificate" {
    session -servername unknown.example
    expect_report '^subject=.*CN = localhost$'
    session -noservername
    expect_report '^subject=.*CN = localhost$'
}

@test "plain HTTP on the port of TLS is told so, by 400" {
    LANDFALL_URL="http://127.0.0.1:${SERVER_TLS_PORT}" get /healthz
    expect_problem 400 '.detail | contains("https")'
    expect_field Connection close
}

@test "what is neither HTTP nor TLS is refused, and the server goes on" {
    head --bytes 2000 /dev/zero >"${SCRATCH}/zeros"
    run --separate-stderr "${BATS_TEST_DIRNAME}/peer.py" "${SERVER_TLS_PORT}" <"${SCRATCH}/zeros"
    [[ "${stderr}" == closed || "${stderr}" == reset ]]
    logged 'a handshake failed.*127\.0\.0\.1'
    expect_well
}

@test "sessions are resumed, in TLS 1.3 and 1.2" {
    local version
    for version in -tls1_3 -tls1_2; do
        # In TLS 1.3 the ticket follows the handshake: an answer is waited for.
        printf 'GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n' \
            | timeout 10 openssl s_client -connect "127.0.0.1:${SERVER_TLS_PORT}" -servername localhost \
                "${version}" -sess_out "${SCRATCH}/session" -ign_eof >"${SCRATCH}/first" 2>&1
        grep --quiet '^New, ' "${SCRATCH}/first"
        session -servername localhost "${version}" -sess_in "${SCRATCH}/session"
        expect_report '^Reused, '
    done
}

@test "renegotiation is refused in TLS 1.2" {
    local input
    mkfifo "${SCRATCH}/input"
    # Open for both, so that the client's input never ends: it would leave before the answer.
    exec {input}<>"${SCRATCH}/input"
    echo R >&"${input}"
    run timeout 10 openssl s_client -connect "127.0.0.1:${SERVER_TLS_PORT}" -tls1_2 <&"${input}"
    exec {input}>&-
    [[ "${status}" != 0 && "${status}" != 124 ]]
    expect_report RENEGOTIATING 'no renegotiation|alert number (40|100)'
    expect_well
}

@test "the closing alert is sent after the last answer, and when the client has finished" {
    request 'GET /healthz HTTP/1.1' 'Connection: close'
    run --separate-stderr "${BATS_TEST_DIRNAME}/peer.py" "${SERVER_TLS_PORT}" --authority "${TLS}/authority/ca.pem" \
        <"${SCRATCH}/request"
    [[ "${output}" == 'HTTP/1.1 200 '* && "${stderr}" == closed ]]
    request 'GET /healthz HTTP/9.9'
    run --separate-stderr "${BATS_TEST_DIRNAME}/peer.py" "${SERVER_TLS_PORT}" --authority "${TLS}/authority/ca.pem" \
        <"${SCRATCH}/request"
    [[ "${output}" == 'HTTP/1.1 505 '* && "${stderr}" == closed ]]
}

@test "a server that stops sends the closing alert on idle connections" {
    serve_own
    request 'GET /healthz HTTP/1.1'
    "${BATS_TEST_DIRNAME}/peer.py" "${SERVER_TLS_PORT}" --authority "${TLS}/authority/ca.pem" \
        <"${SCRATCH}/request" >"${SCRATCH}/answer" 2>"${SCRATCH}/end" 3>&- &
    local peer=$!
    wait_for_text "${SCRATCH}/answer" '"ok"'
    stop_landfall
    wait "${peer}"
    [[ "$(<"${SCRATCH}/end")" == closed ]]
}

# --- The program's own requests ---------------------------------------------------------------------

@test "health asks over https, and trusts the authority that it is told" {
    local server="https://localhost:${SERVER_TLS_PORT}"
    run "${LANDFALL_BIN}" health --server "${server}" --ca "${TLS}/authority/ca.pem"
    [[ "${status}" == 0 && "${output}" == ok ]]
    run "${LANDFALL_BIN}" health --server "https://127.0.0.1:${SERVER_TLS_PORT}" --ca "${TLS}/authority/ca.pem"
    [[ "${status}" == 0 && "${output}" == ok ]]
    run --separate-stderr "${LANDFALL_BIN}" health --server "${server}"
    [[ "${status}" == 1 && "${stderr}" == *certificate* ]]
    run --separate-stderr "${LANDFALL_BIN}" health --server "${server}" --ca "${BATS_TEST_TMPDIR}/nowhere"
    [[ "${status}" == 3 && "${stderr}" == *nowhere* ]]
}

@test "health refuses a server of another name" {
    copy_certificates
    rm "${TLS}"/localhost.*
    start_landfall "${FOLDER}" --tls-port 0 --tls-folder "${TLS}"
    run --separate-stderr "${LANDFALL_BIN}" health --server "https://localhost:${SERVER_TLS_PORT}" \
        --ca "${TLS}/authority/ca.pem"
    [[ "${status}" == 1 && "${#stderr_lines[@]}" == 1 ]]
    stop_landfall
}

@test "send posts a sample over https" {
    run "${LANDFALL_BIN}" send welltory --to "https://localhost:${SERVER_TLS_PORT}" --ca "${TLS}/authority/ca.pem"
    [[ "${status}" == 0 ]]
    get "$(jq --raw-output .links.self <<<"${output}")"
    expect_json '.verdict == "decoded" and .request.scheme == "https"'
    run --separate-stderr "${LANDFALL_BIN}" send welltory --to "https://localhost:${SERVER_TLS_PORT}"
    [[ "${status}" == 3 && -z "${output}" && "${stderr}" == *certificate* ]]
}

# --- Secrets ----------------------------------------------------------------------------------------

@test "no key is in the log, nor in what is stored" {
    local key
    for key in "${TLS}"/*.key "${TLS}/authority/ca.key"; do
        run ! grep --recursive --text --fixed-strings --file <(grep --invert-match -e ----- "${key}") \
            "${BATS_FILE_TMPDIR}/server"
    done
    run ! grep --recursive --text 'PRIVATE KEY' "${BATS_FILE_TMPDIR}/server"
}
