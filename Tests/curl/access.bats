#!/usr/bin/env bats
# Who is let in: by token, by host name, by what browsers say of the page that asks. Servers without a token
# are open to this machine, and to nothing that leads here from elsewhere.
# Invariant: callbacks and link files are taken and given whatever a request says of its way here.
# Left out: the whole table of methods and fields, which the unit tests have; CORS (sites.bats).

# shellcheck disable=SC2030,SC2031,SC2153 # tests are subshells
load setup

setup_file() {
    start_landfall "${BATS_FILE_TMPDIR}/server"
}

teardown_file() {
    stop_landfall
}

TOKEN=a-token-of-the-tests
BEARER=(--header "Authorization: Bearer ${TOKEN}")
# How a browser asks for an image of a page of another site, and for a link of it that a person follows.
IMAGE=(--header 'Sec-Fetch-Site: cross-site' --header 'Sec-Fetch-Mode: no-cors' --header 'Sec-Fetch-Dest: image')
LINK=(--header 'Sec-Fetch-Site: cross-site' --header 'Sec-Fetch-Mode: navigate' --header 'Sec-Fetch-Dest: document'
    --header 'Sec-Fetch-User: ?1')

# What shows or changes something, by GET.
protected() {
    printf '%s\n' /api/v1/results /api/v1/inboxes /api/v1/stats /api/v1/export /api/v1/emulator/dimmy \
        '/api/v1/links/explain?url=https%3A%2F%2Fwww.yourapp.com%2F' / /results.js /openapi.json \
        '/emulate/rezolve/v1/submissions?entityId=e'
}

# --- The token --------------------------------------------------------------------------------------

@test "a token that is configured is asked for, on loopback and on a Unix-domain socket too" {
    local path
    LANDFALL_TOKEN="${TOKEN}" start_configured "${SCRATCH}/guarded" <<<"listen: {unix: ${SCRATCH}/s}"
    while read -r path; do
        get "${path}"
        expect_problem 401
        get "${path}" --unix-socket "${SCRATCH}/s"
        expect_problem 401
        get "${path}" "${BEARER[@]}"
        expect_status 200
        get "${path}" --unix-socket "${SCRATCH}/s" --user "anybody:${TOKEN}"
        expect_status 200
    done < <(protected)
    get /api/v1/emulator/dimmy --request PUT --data '{"scenarios":["cancelled"]}'
    expect_problem 401
    post_json /api/v1/decode '{}'
    expect_problem 401
    get '/callbacks/raw?x'
    expect_status 201
    get /.well-known/apple-app-site-association --header 'Host: www.yourapp.com'
    expect_status 200
    stop_landfall
}

@test "a token of the file is asked for on loopback, and the greeting shows the way" {
    start_configured "${SCRATCH}/guarded" <<<"token: ${TOKEN}"
    get /api/v1/results
    expect_problem 401
    get /api/v1/results "${BEARER[@]}"
    expect_status 200
    grep --quiet --fixed-strings -e "-u landfall:" "${SERVER_OUT}"
    run ! grep --quiet --fixed-strings "${TOKEN}" "${SERVER_OUT}" "${SERVER_LOG}"
    stop_landfall
}

@test "any number of spaces may come before the token" {
    LANDFALL_TOKEN="${TOKEN}" start_landfall "${SCRATCH}/guarded"
    get /api/v1/results --header "Authorization: Bearer  ${TOKEN}"
    expect_status 200
    get /api/v1/results --header "Authorization: Basic   $(printf 'anybody:%s' "${TOKEN}" | base64 --wrap 0)"
    expect_status 200
    get /api/v1/results --header "Authorization: Bearer  ${TOKEN}s"
    expect_problem 401
    stop_landfall
}

# --- Host names -------------------------------------------------------------------------------------

@test "a page whose name was made to lead here reads nothing and changes nothing" {
    local path host
    while read -r path; do
        get "${path}" --header "Host: rebound.example:${SERVER_PORT}" --header 'Sec-Fetch-Site: same-origin'
        expect_problem 421 '.type == "urn:landfall:problem:unknown-host" and (.detail | contains("LANDFALL_TOKEN"))'
    done < <(protected; echo '/emulate/flux/open?flowName=a&callback=partner://x'; echo /emulate/rezolve/12/252/7)
    get /api/v1/emulator/dimmy --request PUT --data '{"scenarios":["cancelled"]}' --header 'Host: rebound.example'
    expect_problem 421
    post_json /api/v1/launches '{"vendor":"flux"}' --header 'Host: rebound.example'
    expect_problem 421
    printf 'GET /api/v1/results HTTP/1.0\r\n\r\n' >"${SCRATCH}/request"
    # Programs of HTTP/1.0 name no host, and browsers always do.
    raw "${SCRATCH}/request"
    [[ "${STATUS}" == 200 ]]
    get '/callbacks/raw?x' --header 'Host: rebound.example'
    expect_status 201
    get /apple-app-site-association --header 'Host: rebound.example'
    expect_status 200
    get /healthz --header 'Host: rebound.example'
    expect_status 200
    for host in localhost a.localhost:1 127.0.0.1 127.1.2.3 '[::1]:8080' www.yourapp.com welltory.com; do
        get /api/v1/results --header "Host: ${host}"
        expect_status 200
    done
}

@test "with a token, every host name is answered" {
    LANDFALL_TOKEN="${TOKEN}" start_configured "${SCRATCH}/guarded" </dev/null
    get /api/v1/results "${BEARER[@]}" --header 'Host: team.example'
    expect_status 200
    get '/emulate/flux/open?flowName=a&callback=partner://x' --header 'Host: team.example'
    expect_status 200
    stop_landfall
}

# --- Proxies and tunnels ----------------------------------------------------------------------------

@test "an open server answers nothing that a proxy or tunnel passes on, but callbacks and link files" {
    local field path
    for field in 'X-Forwarded-For: 192.0.2.1' 'Forwarded: for=192.0.2.1' 'Via: 1.1 proxy' 'X-Real-IP: 192.0.2.1' \
        'CF-Connecting-IP: 192.0.2.1' 'ngrok-auth-user-email: a@b.example'; do
        for path in /api/v1/results / '/emulate/flux/open?flowName=a&callback=partner://x'; do
            get "${path}" --header "${field}"
            expect_problem 403 '.type == "urn:landfall:problem:proxied" and (.detail | contains("set a token"))'
        done
        get '/callbacks/raw?x' --header "${field}"
        expect_status 201
        get /apple-app-site-association --header "${field}"
        expect_status 200
    done
    LANDFALL_TOKEN="${TOKEN}" start_configured "${SCRATCH}/guarded" </dev/null
    get /api/v1/results "${BEARER[@]}" --header 'X-Forwarded-For: 192.0.2.1'
    expect_status 200
    stop_landfall
}

# --- Pages of other sites ---------------------------------------------------------------------------

@test "a login that a browser remembers changes nothing for a page of another site" {
    local origin
    LANDFALL_TOKEN="${TOKEN}" start_configured "${SCRATCH}/guarded" </dev/null
    for origin in https://evil.example null "http://localhost:${SERVER_PORT}" "https://127.0.0.1:${SERVER_PORT}" \
        http://127.0.0.1; do
        get /api/v1/store/compact --request POST --user "qa:${TOKEN}" --header "Origin: ${origin}"
        expect_problem 403 '.type == "urn:landfall:problem:other-site"'
        get /api/v1/inboxes/default --request DELETE "${BEARER[@]}" --header "Origin: ${origin}"
        expect_problem 403
    done
    get /api/v1/store/compact --request POST --user "qa:${TOKEN}" --header "Origin: ${LANDFALL_URL}"
    expect_status 200
    get /api/v1/store/compact --request POST --user "qa:${TOKEN}"
    expect_status 200
    stop_landfall
}

@test "a page of another site can't measure what a wait finds; a link that a person follows is answered" {
    local path
    while read -r path; do
        get "${path}" "${IMAGE[@]}"
        expect_problem 403 '.type == "urn:landfall:problem:other-site"'
        get "${path}" "${LINK[@]}"
        expect_status 200
    done < <(protected)
    get '/api/v1/results/wait?within=50s&result.stress=gte:0.5' "${IMAGE[@]/image/empty}"
    expect_problem 403
    get '/api/v1/results/wait?within=50s&result.stress=gte:0.5' "${IMAGE[@]/cross-site/same-site}"
    expect_problem 403
    get /api/v1/results "${IMAGE[@]/cross-site/same-origin}"
    expect_status 200
}

@test "160 images of another site's page open no launch and deliver nothing; a link that a person follows does" {
    local back="${LANDFALL_URL}/callbacks/dimmy/images" launch
    launch="/emulate/flux/open?flowName=A&scenario=duplicate:3&callback=${back}"
    get "${launch}&number=[1-160]" --no-globoff "${IMAGE[@]}"
    [[ "${STATUS}" == "$(printf '403%.0s' {1..160})" ]]
    get "${launch}" --header 'Sec-Fetch-Site: cross-site' --header 'Sec-Fetch-Mode: navigate' \
        --header 'Sec-Fetch-Dest: iframe'
    expect_problem 403
    get "${launch}" --header 'Sec-Fetch-Site: cross-site' --header 'Sec-Fetch-Mode: cors' \
        --header 'Sec-Fetch-Dest: empty' --header 'Origin: https://evil.example'
    expect_problem 403
    # As Chromium fetches ahead what another site's speculation rules name.
    get "${launch}" "${LINK[@]/cross-site/none}" --header 'Sec-Purpose: prefetch'
    expect_problem 403
    post_form "${launch}" 'flow=01900000-0000-7000-8000-000000000001' "${LINK[@]}" --header 'Origin: https://evil.example'
    expect_problem 403
    get /open?flowName=A\&callback="${back}" --header 'Host: flux.api.optioryx.com' "${IMAGE[@]}"
    expect_problem 403
    get /emulate/rezolve/12/252/7 "${IMAGE[@]}"
    expect_problem 403
    get '/api/v1/results?kind=launch&contract=flux'
    expect_json '.results == []'
    get '/api/v1/results?vendor=rezolve'
    expect_json '.results == []'
    get "${launch}" "${LINK[@]}"
    expect_status 302
    get '/api/v1/results/wait?inbox=images&contract=flux&count=2&within=50s'
    expect_status 200
}

@test "the form of the emulated screen is the server's own, whatever it is reached by" {
    local launch="/emulate/flux/open?flowName=A&callback=partner://x" flow
    get "${launch}" --header 'Accept: text/html'
    expect_status 200
    # Browsers post with `Origin: null` where a page forbids all referrers.
    expect_field Referrer-Policy same-origin
    flow="$(field Landfall-Flow)"
    post_form "${launch}" "flow=${flow}&scenario=cancelled" --header "Origin: ${LANDFALL_URL}"
    expect_status 200
}

# --- What browsers make of answers ------------------------------------------------------------------

# expect_unsniffed: the last answer says once that its type is to be believed.
expect_unsniffed() {
    expect_field X-Content-Type-Options nosniff
    [[ "$(grep --ignore-case --count '^X-Content-Type-Options:' "${HEAD}")" == 1 ]] || fail "it says so twice"
}

@test "no answer is to be taken for something else" {
    local path
    for path in / /results.js /nothing /healthz /api/v1/results '/api/v1/results?limit=none' /api/v1/results/latest \
        /api/v1/export '/callbacks/raw?x' '/callbacks/welltory?stress=0,32' /apple-app-site-association \
        '/emulate/flux/open?flowName=a&callback=partner://x' '/emulate/flux/open?flowName=a&scenario=silent' \
        '/emulate/rezolve/v1/submissions?entityId=e' /emulate/rezolve/12/252/7 /emulate/rezolve/v2/nothing; do
        get "${path}"
        expect_unsniffed
        get "${path}" --header 'Accept: text/html'
        expect_unsniffed
        get "${path}" --request OPTIONS
        expect_unsniffed
    done
    get /api/v1/results --header 'Host: rebound.example'
    expect_unsniffed
    get /api/v1/store/compact --request POST --header 'Origin: null'
    expect_unsniffed
    printf 'GET / HTTP/1.1\r\n\r\n' >"${SCRATCH}/request"
    raw "${SCRATCH}/request"
    [[ "${STATUS}" == 400 ]]
    grep --quiet $'^X-Content-Type-Options: nosniff\r$' "${BODY}"
}
