#!/usr/bin/env bats
# `landfall pattern`: its JSON and exit codes, which scripts read.
# Left out: the language, which the unit tests know.

load setup

# matched PATTERN URL: as JSON.
matched() {
    run --separate-stderr "${LANDFALL_BIN}" pattern match "$1" "$2" --json
}

@test "a match: exit 0 and the parameters" {
    matched 'recipe/:recipeId' 'myapp://recipe/123'
    # shellcheck disable=SC2154 # `run` sets them
    [[ "${status}" == 0 && "${output}" == '{"match":true,"parameters":{"recipeId":"123"}}' ]]
    matched 'recipe/:int(id)?:q&(:page)' 'https://example.com/recipe/5?page=2&q=a%20b'
    [[ "${status}" == 0 && "${output}" == '{"match":true,"parameters":{"id":"5","q":"a b","page":"2"}}' ]]
    matched 'example.com/recipe/:id' 'https://example.com/recipe/5'
    [[ "${status}" == 0 && "${output}" == '{"match":true,"parameters":{"id":"5"}}' ]]
    matched 'a' /a
    [[ "${status}" == 0 && "${output}" == '{"match":true,"parameters":{}}' ]]
}

@test "no match: exit 1, and for people the place" {
    matched 'recipe/:int(id)' 'myapp://recipe/soup'
    [[ "${status}" == 1 && "${output}" == '{"match":false,"parameters":{}}' ]]
    matched 'recipe/:id' 'myapp://recipe/%zz'
    [[ "${status}" == 1 && "${output}" == '{"match":false,"parameters":{}}' ]]
    run "${LANDFALL_BIN}" pattern match 'recipe/:int(id)' 'myapp://recipe/soup'
    [[ "${status}" == 1 && "${output}" == 'no match: component 2 is "soup"; expected ":int(id)"' ]]
}

@test "a bad pattern: exit 2, a message and its place" {
    matched 'recipe/(a|' 'myapp://recipe/a'
    ((status == 2))
    jq --exit-status '.error | .message != "" and .offset == 10' <<<"${output}"
    run --separate-stderr "${LANDFALL_BIN}" pattern match '*/*' /a
    # shellcheck disable=SC2154
    [[ "${status}" == 2 && "${stderr}" == *$'  */*\n    ^ '* && -z "${output}" ]]
}

# routed URL: as JSON, with the repository's own configuration.
routed() {
    run --separate-stderr "${LANDFALL_BIN}" pattern route "$1" --json --config "${REPOSITORY}/Config/landfall.yaml"
}

@test "a URL's receiver: the one that takes it, and why the others don't" {
    routed 'https://www.yourapp.com/dds/?stress=0.3'
    ((status == 0))
    jq --exit-status '[.receivers[] | select(.match)] == [{route: "www.yourapp.com/dds/",
        vendor: "welltory", inbox: "default", match: true, parameters: {}}]' <<<"${output}"
    routed 'http://localhost:8080/callbacks/ailet/qa'
    ((status == 0))
    jq --exit-status '.receivers | (.[0].reason | test("host is localhost")) and
        (.[-1] | .match and .parameters == {vendor: "ailet", inbox: "qa"})' <<<"${output}"
    routed 'https://www.yourapp.com/callbacks/apple'
    ((status == 1))
    jq --exit-status '.receivers[-1].reason | startswith("apple isn\u0027t a vendor: dimmy")' <<<"${output}"
    run "${LANDFALL_BIN}" pattern route 'https://www.yourapp.com/nope' --config "${REPOSITORY}/Config/landfall.yaml"
    [[ "${status}" == 1 && "${output}" == *'no match'*'www.yourapp.com/dds/'* ]]
}

@test "a URL's receiver is the server's, whatever dots are in the path and after the host" {
    local url
    for url in 'https://www.yourapp.com/x/../dds/?stress=0.3' 'https://www.yourapp.com/./dds/' \
        'https://WWW.yourapp.com./dds/' 'https://www.yourapp.com./x/%2e%2e/callbacks/raw'; do
        routed "${url}"
        [[ "${status}" == 0 ]] || fail "${url}: ${output}"
    done
}

@test "a receiver's host and path are shown with a slash between them" {
    echo 'receivers: [{host: a.example, path: done, vendor: welltory}]' >"${BATS_TEST_TMPDIR}/receivers.yaml"
    run "${LANDFALL_BIN}" pattern route https://a.example/done --config "${BATS_TEST_TMPDIR}/receivers.yaml"
    [[ "${status}" == 0 && "${output}" == *'a.example/done → welltory'* ]]
}

@test "a route needs a URL and a configuration" {
    routed 'yourapp://dds'
    [[ "${status}" == 2 && "${stderr}" == *'needs an http or https URL'*'Usage: landfall pattern route <url>'* ]]
    run --separate-stderr "${LANDFALL_BIN}" pattern route http://a/ --config "${BATS_TEST_TMPDIR}/none.yaml"
    [[ "${status}" == 3 && -n "${stderr}" && -z "${output}" ]]
}
