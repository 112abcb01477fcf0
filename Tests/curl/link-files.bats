#!/usr/bin/env bats
# The link files of hosted domains: apple-app-site-association and assetlinks.json, by Host.
# Invariant: what is served is what is in the file, byte for byte, and nothing ever redirects: Apple's and
# Google's fetchers follow no redirect.
# Left out: what the files mean.

# shellcheck disable=SC2153 # STATUS is the answer's, status is bats'
load setup

setup_file() {
    local sites="${BATS_FILE_TMPDIR}/sites"
    mkdir -p "${sites}/one.example" "${sites}/two.example" "${sites}/Mixed.Example" "${sites}/dotted.example." \
        "${sites}/[2001:DB8::1]"
    printf '{"applinks":{"details":[]}}\r\n\t \n\n' >"${sites}/one.example/apple-app-site-association"
    printf '[]' >"${sites}/one.example/assetlinks.json"
    printf '\357\273\277{"two":"\303\244 \377 \\u0000"}' >"${sites}/two.example/apple-app-site-association"
    printf '{"mixed":true}\n' >"${sites}/Mixed.Example/apple-app-site-association"
    printf '{"dotted":true}\n' >"${sites}/dotted.example./apple-app-site-association"
    printf '{"address":true}\n' >"${sites}/[2001:DB8::1]/apple-app-site-association"
    cat >"${BATS_FILE_TMPDIR}/landfall.yaml" <<CONFIGURATION
public: ${REPOSITORY}/public
sites:
  folder: sites
  default: one.example
  allow_invalid: true
CONFIGURATION
    start_landfall "${BATS_FILE_TMPDIR}/server" --config "${BATS_FILE_TMPDIR}/landfall.yaml"
}

teardown_file() {
    stop_landfall
}

SITES="${BATS_FILE_TMPDIR}/sites"
ASSOCIATION=/.well-known/apple-app-site-association

# expect_file FILE: the last answer is this file as JSON.
expect_file() {
    expect_status 200
    expect_field Content-Type application/json
    cmp "${SITES}/$1" "${BODY}"
}

@test "the three paths serve the exact bytes of the files as JSON" {
    get /apple-app-site-association --header 'Host: one.example'
    expect_file one.example/apple-app-site-association
    get /.well-known/apple-app-site-association --header 'Host: one.example'
    expect_file one.example/apple-app-site-association
    get /.well-known/assetlinks.json --header 'Host: one.example'
    expect_file one.example/assetlinks.json
}

@test "the host decides which site's file it is" {
    get "${ASSOCIATION}" --header 'Host: two.example'
    expect_file two.example/apple-app-site-association
}

@test "the host is compared without its case and port" {
    local host
    for host in two.example:443 TWO.Example Two.Example:8080; do
        get "${ASSOCIATION}" --header "Host: ${host}"
        expect_file two.example/apple-app-site-association
    done
    get "${ASSOCIATION}" --header 'Host: mixed.example'
    expect_file Mixed.Example/apple-app-site-association
    get "${ASSOCIATION}" --header 'Host: dotted.example'
    expect_file dotted.example./apple-app-site-association
    get "${ASSOCIATION}" --header 'Host: [2001:db8::1]:8080'
    expect_file '[2001:DB8::1]/apple-app-site-association'
}

@test "the default site answers for unknown hosts" {
    local host
    for host in unknown.example sub.two.example 127.0.0.1 '[::1]:8080'; do
        get "${ASSOCIATION}" --header "Host: ${host}"
        expect_file one.example/apple-app-site-association
    done
    printf 'GET %s HTTP/1.0\r\n\r\n' "${ASSOCIATION}" >"${SCRATCH}/request"
    raw "${SCRATCH}/request"
    [[ "${STATUS}" == 200 ]]
}

@test "the default site answers for no host of a vendor" {
    local host
    for host in rzlv.co welltory.com instant.eu.rezolve.com INSTANT.sbx.rezolve.com:443 sandbox-api-tw.rzlvtest.co \
        core.sbx.eu.rezolve.com; do
        get "${ASSOCIATION}" --header "Host: ${host}"
        expect_problem 404
        get /.well-known/assetlinks.json --header "Host: ${host}"
        expect_problem 404
    done
    for host in instant.eu.rezolve.com.example a.instant.eu.rezolve.com; do
        get "${ASSOCIATION}" --header "Host: ${host}"
        expect_file one.example/apple-app-site-association
    done
}

@test "a site without the file has none, not the default site's" {
    get /.well-known/assetlinks.json --header 'Host: two.example'
    expect_problem 404
}

@test "without a default site an unknown host gets 404" {
    sed '/default:/d' "${BATS_FILE_TMPDIR}/landfall.yaml" >"${BATS_FILE_TMPDIR}/no-default.yaml"
    start_landfall "${SCRATCH}/server" --config "${BATS_FILE_TMPDIR}/no-default.yaml"
    get "${ASSOCIATION}" --header 'Host: unknown.example'
    expect_problem 404
    get "${ASSOCIATION}" --header 'Host: one.example'
    expect_file one.example/apple-app-site-association
    stop_landfall
}

@test "the shipped site serves its files" {
    start_landfall "${SCRATCH}/server"
    local file
    for file in apple-app-site-association assetlinks.json; do
        get "/.well-known/${file}" --header 'Host: www.yourapp.com'
        expect_status 200
        cmp "${REPOSITORY}/Config/sites/www.yourapp.com/${file}" "${BODY}"
    done
    stop_landfall
}

@test "the entity tag is strong, and another for another file" {
    local first
    get "${ASSOCIATION}" --header 'Host: one.example'
    first="$(field ETag)"
    [[ "${first}" == '"'*'"' ]]
    get "${ASSOCIATION}" --header 'Host: two.example'
    [[ "$(field ETag)" == '"'*'"' && "$(field ETag)" != "${first}" ]]
}

@test "who has the file already gets 304 without a body" {
    local tag given
    get "${ASSOCIATION}" --header 'Host: one.example'
    tag="$(field ETag)"
    for given in "${tag}" "W/${tag}" "\"other\", ${tag}" "\"a,b\",W/${tag} , \"c\"" '*'; do
        get "${ASSOCIATION}" --header 'Host: one.example' --header "If-None-Match: ${given}"
        expect_status 304
        expect_field ETag "${tag}"
        [[ ! -s "${BODY}" ]] || fail "304 with a body"
    done
}

@test "several If-None-Match lines are one list" {
    local tag
    get "${ASSOCIATION}" --header 'Host: one.example'
    tag="$(field ETag)"
    get "${ASSOCIATION}" --header 'Host: one.example' --header 'If-None-Match: "other"' \
        --header "If-None-Match: ${tag}"
    expect_status 304
}

@test "who has another file gets this one" {
    local tag given
    get "${ASSOCIATION}" --header 'Host: two.example'
    tag="$(field ETag)"
    for given in "${tag}" '"other"' "${tag//\"/}" ''; do
        get "${ASSOCIATION}" --header 'Host: one.example' --header "If-None-Match: ${given}"
        expect_file one.example/apple-app-site-association
    done
}

@test "HEAD has the fields of GET and no body" {
    local tag
    get "${ASSOCIATION}" --header 'Host: one.example'
    tag="$(field ETag)"
    get "${ASSOCIATION}" --header 'Host: one.example' --head
    expect_status 200
    expect_field ETag "${tag}"
    expect_field Content-Type application/json
    expect_field Content-Length "$(wc --bytes <"${SITES}/one.example/apple-app-site-association")"
    get "${ASSOCIATION}" --header 'Host: one.example' --head --header "If-None-Match: ${tag}"
    expect_status 304
}

@test "nothing redirects" {
    local path host
    for host in one.example two.example unknown.example; do
        for path in /apple-app-site-association /.well-known/apple-app-site-association /.well-known/assetlinks.json \
            /apple-app-site-association/ //apple-app-site-association "${ASSOCIATION}?x=1" /.well-known /.well-known/ \
            /x/../apple-app-site-association; do
            get "${path}" --header "Host: ${host}"
            [[ "${STATUS}" == 200 || "${STATUS}" == 404 ]] || fail "${path} of ${host} got ${STATUS}"
            [[ -z "$(field Location)" ]] || fail "${path} of ${host} is elsewhere"
        done
    done
}

@test "a query changes nothing" {
    get "${ASSOCIATION}?cache=1" --header 'Host: two.example'
    expect_file two.example/apple-app-site-association
}

@test "no path leads out of the site" {
    local path
    for path in /.well-known/../../landfall.yaml /.well-known/%2e%2e/%2e%2e/landfall.yaml /landfall.yaml \
        /../landfall.yaml /.well-known/..%2Flandfall.yaml; do
        get "${path}" --header 'Host: one.example'
        [[ "${STATUS}" == 404 || "${STATUS}" == 400 ]] || fail "${path} got ${STATUS}"
    done
}

@test "link files take no other method" {
    local method
    for method in POST PUT DELETE; do
        get "${ASSOCIATION}" --header 'Host: one.example' --request "${method}"
        expect_problem 405
        expect_field Allow 'GET, HEAD, OPTIONS'
    done
}
