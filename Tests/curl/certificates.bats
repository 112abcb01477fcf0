#!/usr/bin/env bats
# Certificates: the default one, how they are changed while the server runs, what is wrong with a folder of them,
# those of clients, and OCSP responses.
# Invariant: what is wrong is said before anything listens, or leaves the former certificates in force.
# Left out: handshakes (tls.bats).

# shellcheck disable=SC2016,SC2030,SC2031,SC2153,SC2154 # tests are subshells; bats sets output and stderr
load setup
load tls

setup_file() {
    make_certificates "${BATS_FILE_TMPDIR}/tls" >"${BATS_FILE_TMPDIR}/made"
}

TLS="${BATS_FILE_TMPDIR}/tls"

setup() {
    FOLDER="${BATS_TEST_TMPDIR}/server"
    FILE="${BATS_TEST_TMPDIR}/landfall.yaml"
}

# configure: writes the file from standard input, a tls section for the folder ${TLS} without its head.
configure() {
    { printf 'public: %s/public\ntls:\n  port: 0\n  folder: %s\n' "${REPOSITORY}" "${TLS}"; cat; } >"${FILE}"
    mkdir --parents "${BATS_TEST_TMPDIR}/sites"
}

# serve_configured: serves ${FILE}.
serve_configured() {
    launch_landfall "${FOLDER}" --config "${FILE}" --port 0 --data "${FOLDER}/data"
    wait_for_landfall
}

# refused PART...: serving ${FILE} ends with 3 and one line that has all parts.
refused() {
    local part
    run --separate-stderr timeout 60 "${LANDFALL_BIN}" serve --config "${FILE}" --port 0 --data "${FOLDER}/refused"
    echo "exit code ${status}, output '${output}', error output '${stderr}'"
    [[ "${status}" == 3 && -z "${output}" && "${stderr}" != *listening* ]]
    [[ "$(grep --count '^landfall: .*\.$' <<<"${stderr}")" == 1 ]]
    for part in "$@"; do
        [[ "${stderr}" == *"${part}"* ]] || { echo "'${part}' is missing"; return 1; }
    done
}

# --- The default ------------------------------------------------------------------------------------

@test "the configuration names the default certificate" {
    configure <<<'  default: www.yourapp.com'
    serve_configured
    session -servername unknown.example
    expect_report '^subject=.*CN = www.yourapp.com$'
    stop_landfall
}

# --- Changing certificates --------------------------------------------------------------------------

@test "SIGHUP has certificates read again, and a connection that was open goes on" {
    serve_own
    local before after
    before="$(served_serial)"
    [[ "${before}" == "$(serial "${TLS}/localhost.pem")" ]]
    request 'GET /healthz HTTP/1.1'
    "${BATS_TEST_DIRNAME}/peer.py" "${SERVER_TLS_PORT}" --authority "${TLS}/authority/ca.pem" \
        --again "${SCRATCH}/go" <"${SCRATCH}/request" >"${SCRATCH}/answer" 2>"${SCRATCH}/end" 3>&- &
    local peer=$!
    wait_for_text "${SCRATCH}/answer" '"ok"'
    make_certificates "${TLS}" --force >"${SCRATCH}/made"
    kill -HUP "${SERVER_PID}"
    logged 'certificates reloaded because=SIGHUP'
    after="$(served_serial)"
    [[ "${after}" != "${before}" && "${after}" == "$(serial "${TLS}/localhost.pem")" ]]
    https localhost /healthz
    expect_status 200
    : >"${SCRATCH}/go"
    wait_for_text "${SCRATCH}/answer" $'"ok"}HTTP/1.1 200 '
    stop_landfall
    wait "${peer}"
    [[ "$(grep --count --text 'HTTP/1.1 200' "${SCRATCH}/answer")" == 2 && "$(<"${SCRATCH}/end")" == closed ]]
}

@test "changed files are read again without being told" {
    serve_own
    local before
    before="$(served_serial)"
    make_certificates "${TLS}" --force >"${SCRATCH}/made"
    logged 'certificates reloaded because=a file has changed'
    [[ "$(served_serial)" == "$(serial "${TLS}/localhost.pem")" && "$(served_serial)" != "${before}" ]]
    stop_landfall
}

@test "files that can't be read are tried again until they can" {
    serve_own
    rm "${TLS}/rzlv.co.key"
    logged 'certificates can.t be read: .*rzlv.co.key' 2
    stop_landfall
}

@test "files that change while the server opens the store are read again, and SIGHUP doesn't end it then" {
    copy_certificates
    start_landfall "${FOLDER}" --tls-port 0 --tls-folder "${TLS}"
    local before first="${SERVER_PID}"
    before="$(served_serial)"
    exec {CONNECTION}<>"/dev/tcp/127.0.0.1/${SERVER_PORT}"
    # While this request is in flight, the next server has read its files and waits for the store.
    printf 'POST /callbacks/raw HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nfirst' >&"${CONNECTION}"
    expect_well
    sleep 0.2
    launch_landfall "${BATS_TEST_TMPDIR}/second" --config Config/landfall.yaml --host 127.0.0.1 \
        --port "${SERVER_PORT}" --data "${FOLDER}/data" --tls-port "${SERVER_TLS_PORT}" --tls-folder "${TLS}" --take-over
    SERVER_LOG="${FOLDER}/log" logged 'another process takes over'
    make_certificates "${TLS}" --force >"${SCRATCH}/made"
    kill -HUP "${SERVER_PID}"
    printf 'other' >&"${CONNECTION}"
    timeout 60 cat <&"${CONNECTION}" >"${SCRATCH}/answer"
    exec {CONNECTION}>&-
    wait_for_landfall
    logged 'certificates reloaded because=a file has changed'
    [[ "$(served_serial)" == "$(serial "${TLS}/localhost.pem")" && "$(served_serial)" != "${before}" ]]
    SERVER_PID="${first}" wait_until_gone
    stop_landfall
}

@test "SIGHUP with damaged, mismatched or missing files leaves the former in force, and says so" {
    serve_own
    local before number=0
    before="$(served_serial)"
    damage() {
        kill -HUP "${SERVER_PID}"
        logged 'certificates can.t be read: the previous ones stay in use' $((++number))
        [[ "$(served_serial)" == "${before}" ]]
        kill -0 "${SERVER_PID}"
    }
    cp "${TLS}/rzlv.co.key" "${TLS}/localhost.key"
    damage
    : >"${TLS}/localhost.key"
    damage
    rm "${TLS}/localhost.key"
    damage
    # A pipe would be waited for.
    mkfifo "${TLS}/localhost.key"
    damage
    rm --recursive "${TLS}"
    damage
    stop_landfall
}

@test "a key that everybody can read is warned about, others are not" {
    copy_certificates
    chmod 644 "${TLS}/rzlv.co.key"
    start_landfall "${FOLDER}" --tls-port 0 --tls-folder "${TLS}"
    grep --quiet "warning .*chmod 600.* path=${TLS}/rzlv.co.key" "${SERVER_LOG}"
    [[ "$(grep --count warning "${SERVER_LOG}")" == 1 ]]
    https rzlv.co /healthz
    expect_status 200
    stop_landfall
}

# --- The development authority ----------------------------------------------------------------------

# forge NAME EXTENSIONS: a certificate that the authority of ${TLS} has signed, in ${FORGED}.
forge() {
    FORGED="${BATS_TEST_TMPDIR}/forged.pem"
    openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj "/CN=$1" \
        -keyout "${FORGED}.key" -out "${FORGED}.csr" 2>/dev/null
    openssl x509 -req -in "${FORGED}.csr" -CA "${TLS}/authority/ca.pem" -CAkey "${TLS}/authority/ca.key" \
        -set_serial 2 -days 2 -extfile <(echo "$2") -out "${FORGED}" 2>/dev/null
}

# ends_within DAYS FILE
ends_within() {
    if openssl x509 -noout -checkend $(($1 * 86400)) -in "$2"; then false; fi
}

@test "the authority is good for its own hosts only, and for a year; its certificates for 90 days" {
    local authority="${TLS}/authority/ca.pem" part file
    run openssl x509 -noout -text -in "${authority}"
    for part in 'X509v3 Name Constraints: critical' Permitted: DNS:localhost DNS:www.yourapp.com DNS:rzlv.co \
        IP:127.0.0.1/255.255.255.255 IP:0:0:0:0:0:0:0:1/FFFF:FFFF:FFFF:FFFF:FFFF:FFFF:FFFF:FFFF; do
        [[ "${output}" == *"${part}"* ]] || { echo "no ${part} in ${output}"; return 1; }
    done
    ends_within 366 "${authority}"
    run ! ends_within 364 "${authority}"
    for file in "${TLS}"/*.pem; do
        openssl verify -CAfile "${authority}" "${file}"
        ends_within 91 "${file}"
        run ! ends_within 89 "${file}"
    done
    # What is signed with its key for itself, and for others.
    forge localhost 'subjectAltName = DNS:localhost, IP:127.0.0.1'
    openssl verify -CAfile "${authority}" "${FORGED}"
    for part in DNS:www.example.org DNS:xrzlv.co DNS:co IP:192.0.2.1 IP:127.0.0.2; do
        forge www.example.org "subjectAltName = ${part}"
        run ! openssl verify -CAfile "${authority}" "${FORGED}"
        [[ "${output}" == *'permitted subtree violation'* ]]
    done
    forge www.example.org 'keyUsage = digitalSignature'
    run ! openssl verify -CAfile "${authority}" "${FORGED}"
}

@test "an authority without name constraints is replaced, and the report says why and what to do" {
    local folder="${BATS_TEST_TMPDIR}/tls" name='Landfall Development CA 01234567'
    mkdir --parents "${folder}/authority"
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 3650 -subj "/CN=${name}" \
        -keyout "${folder}/authority/ca.key" -out "${folder}/authority/ca.pem" 2>/dev/null
    run "${LANDFALL_BIN}" certs init --config "${REPOSITORY}/Config/landfall.yaml" --folder "${folder}"
    [[ "${status}" == 0 && "${output}" == *"\"${name}\" was replaced, since it had no name constraints"* ]]
    [[ "${output}" == *'remove it where it was installed'* ]]
    run "${LANDFALL_BIN}" certs init --config "${REPOSITORY}/Config/landfall.yaml" --folder "${folder}" --json
    jq --exit-status '.authority.status == "kept" and .authority.replaced == null
        and (.authority.hosts | index("localhost") != null and index("www.yourapp.com") != null)
        and all(.certificates[]; .status == "kept")' <<<"${output}"
    run "${LANDFALL_BIN}" certs init --config "${REPOSITORY}/Config/landfall.yaml" --folder "${folder}" \
        --domain new.example --json
    jq --exit-status '.authority.status == "made" and .authority.reason == "it may not sign for new.example"
        and all(.certificates[]; .status == "made")' <<<"${output}"
}

# --- What is wrong from the beginning ---------------------------------------------------------------

@test "a missing folder of certificates, and an empty one, are refused" {
    TLS="${BATS_TEST_TMPDIR}/nowhere"
    configure </dev/null
    refused "${TLS}" 'landfall certs init'
    mkdir "${TLS}"
    refused "${TLS}" 'landfall certs init'
}

@test "a default certificate that is none of the folder is refused with those that are there" {
    configure <<<'  default: unknown.example'
    refused tls.default localhost www.yourapp.com
}

@test "a key of another certificate, a missing key and a damaged file are refused by name" {
    copy_certificates
    configure </dev/null
    cp "${TLS}/localhost.key" "${TLS}/rzlv.co.key"
    refused rzlv.co key
    rm "${TLS}/rzlv.co.key"
    refused rzlv.co.key
    echo damaged >"${TLS}/rzlv.co.key"
    refused rzlv.co
    cp "${BATS_FILE_TMPDIR}/tls/rzlv.co.key" "${TLS}/rzlv.co.key"
    echo damaged >"${TLS}/rzlv.co.pem"
    refused rzlv.co
    rm "${TLS}/rzlv.co.pem"
    mkfifo "${TLS}/rzlv.co.pem"
    refused rzlv.co.pem 'a pipe'
}

@test "unknown keys and bad values of the section are refused with file, key and what was expected" {
    local key value
    while IFS='|' read -r key value; do
        configure <<<"  ${value}"
        refused "${FILE}" "${key}"
    done <<'VALUES'
tls.folders|folders: a
tls.default|default: ""
tls.redirect|redirect: maybe
tls.hsts|hsts: www.example.com
tls.hsts[0].seconds|hsts: [{host: www.example.com}]
tls.hsts[0].seconds|hsts: [{host: www.example.com, seconds: -1}]
tls.hsts[0].host|hsts: [{seconds: 1}]
tls.client_certificates|client_certificates: sometimes
tls.client_authorities|client_certificates: required
VALUES
}

@test "authorities of clients that are missing or no certificates are refused" {
    configure <<<"  client_authorities: ${BATS_TEST_TMPDIR}/nowhere.pem
  client_certificates: optional"
    refused "${BATS_TEST_TMPDIR}/nowhere.pem"
    echo damaged >"${BATS_TEST_TMPDIR}/damaged.pem"
    configure <<<"  client_authorities: ${BATS_TEST_TMPDIR}/damaged.pem
  client_certificates: optional"
    refused authorities
}

@test "a port of TLS that another has is refused" {
    serve_own
    configure </dev/null
    sed --in-place "s/port: 0/port: ${SERVER_TLS_PORT}/" "${FILE}"
    refused "${SERVER_TLS_PORT}" 'in use'
    stop_landfall
}

# --- Client certificates ----------------------------------------------------------------------------

# make_client NAME: an authority, and a certificate for a client that it has signed.
make_client() {
    local base="${BATS_TEST_TMPDIR}/$1"
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj "/CN=$1 authority" \
        -keyout "${base}-ca.key" -out "${base}-ca.pem"
    openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj "/CN=$1" \
        -keyout "${base}.key" -out "${base}.csr"
    openssl x509 -req -in "${base}.csr" -CA "${base}-ca.pem" -CAkey "${base}-ca.key" -set_serial 2 -days 2 \
        -extfile <(echo 'extendedKeyUsage = clientAuth') -out "${base}.pem"
} 2>/dev/null

# shows NAME: the options of a curl with the certificate of a client.
shows() {
    CLIENT=(--cert "${BATS_TEST_TMPDIR}/$1.pem" --key "${BATS_TEST_TMPDIR}/$1.key")
}

@test "where client certificates are required, only a known authority's is let in" {
    make_client known
    make_client stranger
    configure <<<"  client_authorities: ${BATS_TEST_TMPDIR}/known-ca.pem
  client_certificates: required"
    serve_configured
    local version
    for version in --tlsv1.3 '--tls-max 1.2'; do
        shows known
        # shellcheck disable=SC2086 # two words
        https localhost /healthz "${CLIENT[@]}" ${version}
        expect_status 200
        # shellcheck disable=SC2086
        run ! https localhost /healthz ${version}
        shows stranger
        # shellcheck disable=SC2086
        run ! https localhost /healthz "${CLIENT[@]}" ${version}
    done
    logged 'a handshake failed' 4
    get /healthz
    expect_status 200
    stop_landfall
}

@test "a client without the certificate that is required gets the alert, though it was sending" {
    make_client known
    configure <<<"  client_authorities: ${BATS_TEST_TMPDIR}/known-ca.pem
  client_certificates: required"
    serve_configured
    # In TLS 1.3 the client is done before the server has seen what is missing.
    run python3 - "${SERVER_TLS_PORT}" <<'CLIENT'
import socket, ssl, sys
context = ssl._create_unverified_context()
context.minimum_version = ssl.TLSVersion.TLSv1_3
with socket.create_connection(("127.0.0.1", int(sys.argv[1])), 20) as plain:
    with context.wrap_socket(plain) as secure:
        for _ in range(64):
            secure.sendall(bytes(65536))
        secure.recv(1)
CLIENT
    [[ "${output}" == *'alert certificate required'* ]] || fail "${output}"
    stop_landfall
}

@test "where client certificates are optional, none is let in, and a stranger's is not" {
    make_client known
    make_client stranger
    configure <<<"  client_authorities: ${BATS_TEST_TMPDIR}/known-ca.pem
  client_certificates: optional"
    serve_configured
    https localhost /healthz
    expect_status 200
    shows known
    https localhost /healthz "${CLIENT[@]}"
    expect_status 200
    shows stranger
    run ! https localhost /healthz "${CLIENT[@]}"
    session
    expect_report 'CN = known authority'
    stop_landfall
}

# --- OCSP -------------------------------------------------------------------------------------------

# make_response NAME: an OCSP response for the certificate NAME, in its folder.
make_response() {
    local authority="${TLS}/authority" index="${BATS_TEST_TMPDIR}/index.txt" number
    number="$(serial "${TLS}/$1.pem")"
    printf 'V\t351231235959Z\t\t%s\tunknown\t/CN=%s\n' "${number#serial=}" "$1" >"${index}"
    openssl ocsp -index "${index}" -CA "${authority}/ca.pem" -rsigner "${authority}/ca.pem" \
        -rkey "${authority}/ca.key" -issuer "${authority}/ca.pem" -cert "${TLS}/$1.pem" -ndays 2 \
        -respout "${TLS}/$1.ocsp" 2>&1
}

@test "a response beside a certificate is stapled to it, and to no other" {
    copy_certificates
    make_response localhost
    # curl wants the issuer's certificate in the chain when it checks the response.
    cat "${TLS}/authority/ca.pem" >>"${TLS}/localhost.pem"
    start_landfall "${FOLDER}" --tls-port 0 --tls-folder "${TLS}"
    local version
    for version in -tls1_3 -tls1_2; do
        session -status -servername localhost "${version}"
        expect_report 'OCSP Response Status: successful' 'Cert Status: good'
        session -status -servername www.yourapp.com "${version}"
        expect_report 'OCSP response: no response sent'
        session -servername localhost "${version}"
        [[ "${output}" != *'Cert Status'* ]]
    done
    https localhost /healthz --cert-status
    expect_status 200
    run ! https www.yourapp.com /healthz --cert-status
    stop_landfall
}

@test "a damaged response is refused by name" {
    copy_certificates
    configure </dev/null
    echo damaged >"${TLS}/localhost.ocsp"
    refused localhost
}

@test "a response for another certificate, as a renewal leaves it, isn't stapled, and the log and doctor say so" {
    copy_certificates
    make_response www.yourapp.com
    mv "${TLS}/www.yourapp.com.ocsp" "${TLS}/localhost.ocsp"
    configure </dev/null
    serve_configured
    logged 'an OCSP response is not stapled .*name=localhost'
    session -status -servername localhost
    expect_report 'OCSP response: no response sent' 'Verify return code: 0'
    stop_landfall
    run "${LANDFALL_BIN}" doctor --config "${FILE}" --offline --ca "${TLS}/authority/ca.pem"
    [[ "${output}" == *"localhost.ocsp isn't stapled: it is for another certificate"* ]]
}
