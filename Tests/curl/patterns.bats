#!/usr/bin/env bats
# `landfall pattern match`: its JSON and exit codes, which scripts read.
# Left out: the language, which the unit tests know.

load setup

# matched PATTERN URL: as JSON.
matched() {
    run --separate-stderr "${LANDFALL_BIN}" pattern match "$1" "$2" --json
}

@test "a match: exit 0 and the parameters" {
    matched 'recipe/:recipeId' 'myapp://recipe/123'
    # shellcheck disable=SC2154 # `run` sets them
    ((status == 0)) && [[ "${output}" == '{"match":true,"parameters":{"recipeId":"123"}}' ]]
    matched 'recipe/:int(id)?:q&(:page)' 'https://example.com/recipe/5?page=2&q=a%20b'
    ((status == 0)) && [[ "${output}" == '{"match":true,"parameters":{"id":"5","q":"a b","page":"2"}}' ]]
    matched 'example.com/recipe/:id' 'https://example.com/recipe/5'
    ((status == 0)) && [[ "${output}" == '{"match":true,"parameters":{"id":"5"}}' ]]
    matched 'a' /a
    ((status == 0)) && [[ "${output}" == '{"match":true,"parameters":{}}' ]]
}

@test "no match: exit 1, and for people the place" {
    matched 'recipe/:int(id)' 'myapp://recipe/soup'
    ((status == 1)) && [[ "${output}" == '{"match":false,"parameters":{}}' ]]
    matched 'recipe/:id' 'myapp://recipe/%zz'
    ((status == 1)) && [[ "${output}" == '{"match":false,"parameters":{}}' ]]
    run "${LANDFALL_BIN}" pattern match 'recipe/:int(id)' 'myapp://recipe/soup'
    ((status == 1)) && [[ "${output}" == 'no match: component 2 is "soup"; expected ":int(id)"' ]]
}

@test "a bad pattern: exit 2, a message and its place" {
    matched 'recipe/(a|' 'myapp://recipe/a'
    ((status == 2))
    jq --exit-status '.error | .message != "" and .offset == 10' <<<"${output}"
    run --separate-stderr "${LANDFALL_BIN}" pattern match '*/*' /a
    # shellcheck disable=SC2154
    ((status == 2)) && [[ "${stderr}" == *$'  */*\n    ^ '* && -z "${output}" ]]
}
