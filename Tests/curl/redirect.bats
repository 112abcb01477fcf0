#!/usr/bin/env bats
# The way to TLS: 308 from the plain port, and Strict-Transport-Security.
# Invariant: nothing gets lost on the way: method, path, query and body arrive as they were sent; link files
# and health never redirect, nor does what this machine sends to its own address.
# Left out: handshakes (tls.bats).

# shellcheck disable=SC2153 # STATUS is the answer's, status is bats'
load setup
load tls

setup_file() {
    make_certificates "${BATS_FILE_TMPDIR}/tls" >"${BATS_FILE_TMPDIR}/made"
    configuration >"${BATS_FILE_TMPDIR}/landfall.yaml"
    start_landfall "${BATS_FILE_TMPDIR}/server" --config "${BATS_FILE_TMPDIR}/landfall.yaml"
}

teardown_file() {
    stop_landfall
}

TLS="${BATS_FILE_TMPDIR}/tls"

configuration() {
    cat <<CONFIGURATION
public: ${REPOSITORY}/public
sites: {folder: "${REPOSITORY}/Config/sites", default: www.yourapp.com}
receivers:
  - {host: www.yourapp.com, path: /dds/, vendor: welltory, inbox: links}
tls:
  port: 0
  folder: ${BATS_FILE_TMPDIR}/tls
  redirect: true
  hsts:
    - {host: www.yourapp.com, seconds: 86400}
    - {host: RZLV.co, seconds: 31536000, include_subdomains: true}
    - {host: welltory.com, seconds: 0}
CONFIGURATION
}

# plain HOST PATH [CURL OPTION]...: as get, for a host by its name; the way to its certificate is known.
plain() {
    local host="$1" path="$2"
    shift 2
    LANDFALL_URL="http://${host}:${SERVER_PORT}" get "${path}" --cacert "${TLS}/authority/ca.pem" \
        --resolve "*:${SERVER_PORT}:127.0.0.1" --resolve "*:${SERVER_TLS_PORT}:127.0.0.1" "$@"
}

# expect_redirect HOST TARGET [PORT]: the last answer leads to the target under TLS, by default at the server's
# own port.
expect_redirect() {
    expect_status 308
    expect_field Location "https://$1${3-:${SERVER_TLS_PORT}}$2"
    expect_field Cache-Control no-store
    [[ ! -s "${BODY}" && -z "$(field Strict-Transport-Security)" ]]
}

last_seq() {
    cat "${SERVER_DATA}"/results/*.jsonl 2>/dev/null | wc --lines
}

# --- 308 --------------------------------------------------------------------------------------------

@test "page, API and callbacks lead to the same path and query under TLS" {
    local target
    for target in / /index.html /api/v1/results '/api/v1/results?limit=1&vendor=raw' /api/v1/inboxes \
        '/callbacks/raw?x' '/callbacks/welltory/box?stress=0.32&energy=%30.75&a=%2F%20%C3%A4+b&&=' \
        '/callbacks/raw?' '/callbacks/raw?https://other.example/?a=b'; do
        plain localhost "${target}"
        expect_redirect localhost "${target}"
    done
    plain www.yourapp.com '/dds/?stress=0.32'
    expect_redirect www.yourapp.com '/dds/?stress=0.32'
}

@test "bytes that no query may have are percent-encoded in the location" {
    plain localhost '/callbacks/raw?a="{b}>%7B&%C3%A4=[c]'
    expect_redirect localhost '/callbacks/raw?a=%22%7Bb%7D%3E%7B&%C3%A4=%5Bc%5D'
}

@test "HEAD and POST are redirected as GET is" {
    plain localhost / --head
    expect_status 308
    expect_field Location "https://localhost:${SERVER_TLS_PORT}/"
    post_form '/callbacks/raw?x' a=b --header 'Host: localhost'
    expect_redirect localhost '/callbacks/raw?x'
}

@test "nothing of a redirected callback is stored by the way" {
    local before
    before="$(last_seq)"
    plain localhost '/callbacks/raw?x' --data a=b
    expect_redirect localhost '/callbacks/raw?x'
    [[ "$(last_seq)" == "${before}" ]]
}

@test "who follows posts again: method, query and body arrive as they were sent" {
    local before
    before="$(last_seq)"
    plain www.yourapp.com '/callbacks/raw/followed?a=%20b' --location --data-binary 'body of the callback' \
        --header 'Content-Type: text/plain' --write-out '%{num_redirects}'
    [[ "${STATUS}" == 1 ]]
    grep --quiet '^HTTP/1.1 201 ' "${HEAD}"
    [[ "$(last_seq)" == $((before + 1)) ]]
    LANDFALL_URL="https://www.yourapp.com:${SERVER_TLS_PORT}" plain_result
    expect_json '.request.method == "POST" and .request.scheme == "https" and .inbox == "followed"
        and .request.target == "/callbacks/raw/followed?a=%20b" and .request.body.data == "body of the callback"'
}

# The result that the last answer tells of, which is the body from now on.
plain_result() {
    https localhost "$(jq --raw-output .links.self "${BODY}")"
    expect_status 200
}

@test "a large body is redirected, and arrives, whether or not the client waits to be told" {
    local before
    before="$(last_seq)"
    head --bytes 2000000 /dev/zero | tr '\0' x >"${SCRATCH}/large"
    plain localhost /callbacks/raw --location --data-binary "@${SCRATCH}/large" --header 'Content-Type: text/plain'
    expect_status 201
    plain localhost /callbacks/raw --location --data-binary "@${SCRATCH}/large" --header 'Content-Type: text/plain' \
        --header 'Expect:'
    expect_status 201
    plain_result
    expect_json '.request.body.data | length == 2000000'
    [[ "$(last_seq)" == $((before + 2)) ]]
}

@test "the host of the request is the host of the location: its port goes, brackets stay" {
    local host
    for host in other.example other.example:80 OTHER.example "other.example:${SERVER_PORT}"; do
        get / --header "Host: ${host}"
        expect_redirect other.example /
    done
    get / --header 'Host: [::1]:80'
    expect_redirect '[::1]' /
    get / --header 'Host: 127.0.0.2'
    expect_redirect 127.0.0.2 /
}

@test "a target in absolute form leads to its own host" {
    printf 'GET http://absolute.example/callbacks/raw?x HTTP/1.1\r\nHost: other.example\r\nConnection: close\r\n\r\n' \
        >"${SCRATCH}/request"
    raw "${SCRATCH}/request"
    [[ "${STATUS}" == 308 ]]
    grep --quiet "^Location: https://absolute.example:${SERVER_TLS_PORT}/callbacks/raw?x"$'\r$' "${BODY}"
}

@test "an escaped line end stays escaped in the location" {
    get '/callbacks/raw?a%0d%0aSet-Cookie:%20b=c' --header 'Host: localhost'
    expect_redirect localhost '/callbacks/raw?a%0d%0aSet-Cookie:%20b=c'
    [[ -z "$(field Set-Cookie)" ]]
}

@test "a connection goes on after a redirect" {
    get '/callbacks/raw?[1-3]' --no-globoff --header 'Host: localhost' --data a=b --write-out '%{num_connects}'
    # Of three answers: one connection, and no further.
    [[ "${STATUS}" == 100 ]]
}

@test "a request that names no host can't be redirected, and is answered" {
    printf 'GET /callbacks/raw?x HTTP/1.0\r\n\r\n' >"${SCRATCH}/request"
    raw "${SCRATCH}/request"
    [[ "${STATUS}" == 201 ]]
}

# --- What is answered directly ----------------------------------------------------------------------

@test "link files never redirect, whatever the host" {
    local path
    for path in /.well-known/apple-app-site-association /apple-app-site-association /.well-known/assetlinks.json; do
        plain www.yourapp.com "${path}"
        expect_status 200
        cmp "${REPOSITORY}/Config/sites/www.yourapp.com/${path##*/}" "${BODY}"
        plain unknown.example "${path}" --head
        expect_status 200
    done
}

@test "health never redirects, and ignores a query" {
    local path
    for path in /healthz /readyz '/healthz?x=1' '/readyz?x=%'; do
        plain localhost "${path}"
        expect_status 200
        expect_json '.status == "ok" or .status == "ready"'
    done
}

@test "what a machine sends to its own address is answered: commands need no certificate for it" {
    local id
    run -0 --separate-stderr "${LANDFALL_BIN}" send welltory --to "${LANDFALL_URL}"
    id="$(jq --raw-output .id <<<"${output}")"
    run -0 --separate-stderr "${LANDFALL_BIN}" results list --data "${SERVER_DATA}" --json
    jq --exit-status --arg id "${id}" 'any(.results[]; .id == $id)' <<<"${output}"
    run -0 "${LANDFALL_BIN}" results erase "${id}" --yes --data "${SERVER_DATA}"
    run -0 "${LANDFALL_BIN}" trip welltory --server "${LANDFALL_URL}"
    # Not a host by its name, and not another address.
    get /api/v1/results --header 'Host: localhost'
    expect_redirect localhost /api/v1/results
    get /api/v1/results --header 'Host: 127.0.0.2'
    expect_redirect 127.0.0.2 /api/v1/results
}

@test "the commands of the greeting work as they are printed, for a server on localhost too" {
    local command
    launch_landfall "${BATS_TEST_TMPDIR}/server" --config "${BATS_FILE_TMPDIR}/landfall.yaml" --host localhost \
        --port 0 --data "${BATS_TEST_TMPDIR}/data"
    wait_for_landfall
    command="$(sed --quiet --regexp-extended 's/^  send a callback +(curl .*)/\1/p' "${SERVER_OUT}")"
    run -0 --separate-stderr bash -c "${command}"
    jq --exit-status '.verdict == "decoded"' <<<"${lines[-1]}"
    stop_landfall
}

@test "a command that is redirected says where to, and what to name" {
    run -3 --separate-stderr "${LANDFALL_BIN}" results list --server "http://localhost:${SERVER_PORT}"
    [[ "${stderr}" == *"redirects to https://localhost:${SERVER_TLS_PORT}/api/v1/results: name "*"--server"*"--ca."* ]]
    run -0 "${LANDFALL_BIN}" send welltory --to "https://localhost:${SERVER_TLS_PORT}" --ca "${TLS}/authority/ca.pem"
    run -0 "${LANDFALL_BIN}" results list --server "https://localhost:${SERVER_TLS_PORT}" --ca "${TLS}/authority/ca.pem"
}

@test "what no route takes is redirected too, and stored under TLS only" {
    local before target
    before="$(last_seq)"
    for target in /nothing/here '/nothing/here?x=1' /%FF/x; do
        plain localhost "${target}" --data a=b
        expect_redirect localhost "${target}"
    done
    [[ "$(last_seq)" == "${before}" ]]
    https localhost /nothing/here
    expect_problem 404
    https localhost /%FF/x
    expect_problem 400
    [[ "$(last_seq)" == $((before + 2)) ]]
    # This machine's own address is exempt here as well.
    get /nothing/here
    expect_problem 404
}

@test "nothing redirects under TLS" {
    https localhost /
    expect_status 200
    https localhost '/callbacks/raw?x'
    expect_status 201
}

@test "nothing redirects what a trusted proxy received under TLS, and what it received without, does" {
    { configuration; echo 'trusted_proxies: [127.0.0.1]'; } >"${BATS_TEST_TMPDIR}/landfall.yaml"
    LANDFALL_TOKEN=token-behind-proxies start_landfall "${BATS_TEST_TMPDIR}/server" \
        --config "${BATS_TEST_TMPDIR}/landfall.yaml"
    plain localhost '/callbacks/raw?x' --header 'X-Forwarded-Proto: https'
    expect_status 201
    # The proxy's port is the usual one.
    plain localhost '/callbacks/raw?x' --header 'X-Forwarded-Proto: http'
    expect_redirect localhost '/callbacks/raw?x' ''
    plain localhost '/callbacks/raw?x' --header 'Forwarded: for=192.0.2.1;proto=http;host=front.example'
    expect_redirect front.example '/callbacks/raw?x' ''
    # This came directly.
    plain localhost '/callbacks/raw?x'
    expect_redirect localhost '/callbacks/raw?x'
    plain localhost / --header 'Forwarded: for=192.0.2.1;proto=https;host=www.yourapp.com' --user any:token-behind-proxies
    expect_status 200
    expect_field Strict-Transport-Security 'max-age=86400'
    stop_landfall
}

@test "nothing redirects what comes by the Unix-domain socket, unless a trusted proxy there received it without TLS" {
    { configuration; printf '%s\n' 'listen: {unix: s}' 'trusted_proxies: [unix]'; } >"${BATS_TEST_TMPDIR}/landfall.yaml"
    LANDFALL_TOKEN=token-behind-proxies start_landfall "${BATS_TEST_TMPDIR}/server" \
        --config "${BATS_TEST_TMPDIR}/landfall.yaml"
    local_request() { LANDFALL_URL=http://localhost get '/callbacks/raw?x' --unix-socket "${BATS_TEST_TMPDIR}/s" "$@"; }
    local_request
    expect_status 201
    local_request --header 'X-Forwarded-For: 192.0.2.1'
    expect_status 201
    local_request --header 'X-Forwarded-Proto: http'
    expect_redirect localhost '/callbacks/raw?x' ''
    stop_landfall
}

@test "a redirect leads to the port of the URL by which others reach the server" {
    configuration >"${BATS_TEST_TMPDIR}/landfall.yaml"
    LANDFALL_PUBLIC_URL=https://www.yourapp.com start_landfall "${BATS_TEST_TMPDIR}/server" \
        --config "${BATS_TEST_TMPDIR}/landfall.yaml"
    plain www.yourapp.com '/callbacks/raw?x'
    expect_redirect www.yourapp.com '/callbacks/raw?x' ''
    stop_landfall
}

# --- Strict-Transport-Security ----------------------------------------------------------------------

@test "under TLS the configured hosts are strict, each as long as configured" {
    https www.yourapp.com /
    expect_field Strict-Transport-Security 'max-age=86400'
    https rzlv.co /healthz
    expect_field Strict-Transport-Security 'max-age=31536000; includeSubDomains'
    https welltory.com /healthz
    expect_field Strict-Transport-Security 'max-age=0'
    https localhost / --header 'Host: WWW.YourApp.com:8443'
    expect_field Strict-Transport-Security 'max-age=86400'
}

@test "every answer to a strict host says so, once" {
    local path
    for path in / /nothing /healthz '/callbacks/raw?x' /.well-known/assetlinks.json '/api/v1/results?limit=none'; do
        https www.yourapp.com "${path}"
        expect_field Strict-Transport-Security 'max-age=86400'
        [[ "$(grep --ignore-case --count '^Strict-Transport-Security:' "${HEAD}")" == 1 ]]
    done
    https www.yourapp.com / --header 'If-None-Match: *'
    expect_status 304
    expect_field Strict-Transport-Security 'max-age=86400'
}

@test "other hosts are not strict" {
    local host
    for host in localhost app.welltory.com sub.rzlv.co; do
        https localhost /healthz --header "Host: ${host}"
        expect_status 200
        [[ -z "$(field Strict-Transport-Security)" ]]
    done
}

@test "nothing is strict without TLS" {
    plain www.yourapp.com /.well-known/assetlinks.json
    expect_status 200
    [[ -z "$(field Strict-Transport-Security)" ]]
    plain www.yourapp.com /
    expect_redirect www.yourapp.com /
}
