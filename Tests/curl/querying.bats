#!/usr/bin/env bats
# The query API: filters, pages, details, inboxes, and its errors.
# Invariant: a result is seen by every query that begins after its reply.
# Left out: which values a result holds (vendors.bats).

# shellcheck disable=SC2016 # programs of jq have variables of their own
load setup

# 120 results of every outcome and verdict: seq 1 to 120, a third of them in the inbox other.
setup_file() {
    start_landfall "${BATS_FILE_TMPDIR}/server"
    local number path
    for number in {1..20}; do
        for path in "welltory?stress=0.${number}" 'welltory/other?stress=0,3' 'dimmy?status=cancelled' \
            'dimmy/other?status=error&error=not_logged_in' 'ailet?report=%7B%22status%22%3A%22IR_RESULT_EMPTY%22%7D' \
            "raw?number=${number}"; do
            printf 'url = "%s/callbacks/%s"\noutput = "/dev/null"\n' "${LANDFALL_URL}" "${path}"
        done
    done | curl --silent --show-error --max-time 30 --config -
}

teardown_file() {
    stop_landfall
}

ALL='received_before=2099-01-01T00:00:00Z'

# expect_count NUMBER QUERY PROGRAM [JQ OPTION]...: so many of the 120 match, and PROGRAM is true of each.
expect_count() {
    local number="$1" query="$2" program="$3"
    shift 3
    get "/api/v1/results?limit=500&${query}"
    expect_status 200
    expect_json '[.results[] | select(.seq <= 120)] | length == $number and all(.[]; '"${program}"')' \
        --argjson number "${number}" "$@"
}

@test "has:host leaves out requests that name no host" {
    printf 'GET /callbacks/raw/hostless HTTP/1.0\r\n\r\n' >"${SCRATCH}/request"
    raw "${SCRATCH}/request"
    expect_status 201
    get '/callbacks/raw/hostless'
    get '/api/v1/results?inbox=hostless&q=NOT%20has:host'
    expect_json '[.results[].request.host] == [""]'
    get '/api/v1/results?inbox=hostless&q=has:host'
    expect_json '.results | length == 1 and .[0].request.host != ""'
}

# --- What lists say of each result ------------------------------------------------------------------

@test "each result of a list has its kind, a summary and its first diagnostic" {
    get '/api/v1/results?limit=500'
    expect_json 'all(.results[]; .kind == "callback" and has("summary") and has("first_diagnostic"))'
    expect_json '[.results[] | select(.seq == 1)][0] | .summary == "stress 0.1" and .first_diagnostic.severity == "info"'
    expect_json '[.results[] | select(.verdict == "undecodable")][0] | .summary == null
        and (.first_diagnostic | .severity == "error" and (.code | length) > 0 and (.message | length) > 0)'
    expect_json '[.results[] | select(.outcome == "error")][0] | .summary == "not_logged_in"'
    get '/api/v1/results?limit=500&fields=id,summary'
    expect_json 'all(.results[]; keys == ["id", "summary"])'
}

@test "a result, the newest one and the table have the summary of the list" {
    local id summary
    get '/api/v1/results?vendor=dimmy&outcome=error&limit=1'
    read -r id summary < <(jq --raw-output '.results[0] | "\(.id) \(.summary)"' "${BODY}")
    get "/api/v1/results/${id}"
    expect_json '.summary == $summary' --arg summary "${summary}"
    get '/api/v1/results/latest?vendor=dimmy&outcome=error'
    expect_json '.summary == $summary' --arg summary "${summary}"
    get '/api/v1/results?vendor=dimmy&outcome=error&limit=1' --header 'Accept: text/plain'
    [[ "$(tail -n 1 "${BODY}")" == *"${id}"*"${summary}" ]]
}

@test "a list says how many results there are, on every page" {
    local cursor
    get '/api/v1/results?limit=500&inbox=other'
    expect_json '.total == {count: 40, exact: true}'
    get '/api/v1/results?limit=7&vendor=welltory'
    expect_json '.total == {count: 40, exact: true} and (.results | length) == 7'
    cursor="$(jq --raw-output .next_cursor "${BODY}")"
    get "/api/v1/results?limit=7&vendor=welltory&cursor=${cursor}"
    expect_json '.total == {count: 40, exact: true}'
    get '/api/v1/results?limit=3&q=result.stress:%3C0.15&sort=result.stress'
    expect_json '.total.exact and .total.count >= 3'
    get '/api/v1/results?inbox=never-used'
    expect_json '.total == {count: 0, exact: true}'
}

@test "the fields of queries are listed, and each is one that a query may name" {
    local name
    get /api/v1/fields
    expect_status 200
    expect_json '[.fields[].name] | . == sort and (map(select(. == "result.stress" or . == "seq")) | length) == 2'
    expect_json '.fields[] | select(.name == "result.stress") | .type == "number" and .vendors == ["welltory"]
        and (.operators | index("gte")) != null and (.description | contains("from 0 to 1"))'
    expect_json '.fields[] | select(.name == "outcome") | (.values | index("completed")) != null and .operators == ["eq","has"]'
    for name in $(jq --raw-output '.fields[].name' "${BODY}"); do
        get "/api/v1/results?limit=1&q=has:${name}"
        expect_status 200
    done
    get '/api/v1/fields?q=1'
    expect_status 400
}

# --- Filters ----------------------------------------------------------------------------------------

@test "the filter vendor gives that vendor's results" {
    expect_count 40 vendor=welltory '.vendor == "welltory"'
    expect_count 40 vendor=dimmy '.vendor == "dimmy"'
    expect_count 20 vendor=ailet '.vendor == "ailet"'
    expect_count 20 vendor=raw '.vendor == "raw"'
}

@test "the filter inbox gives that inbox's results" {
    expect_count 40 inbox=other '.inbox == "other"'
    expect_count 80 inbox=default '.inbox == "default"'
    expect_count 0 inbox=never-used false
}

@test "the filter outcome gives results of that outcome" {
    expect_count 20 outcome=completed '.outcome == "completed"'
    expect_count 20 outcome=cancelled '.outcome == "cancelled"'
    expect_count 20 outcome=error '.outcome == "error"'
    expect_count 20 outcome=empty '.outcome == "empty"'
    expect_count 0 outcome=in_progress false
}

@test "the filter verdict gives results of that verdict" {
    expect_count 20 verdict=undecodable '.verdict == "undecodable"'
    expect_count 20 verdict=unmatched '.verdict == "unmatched"'
    expect_count 20 verdict=decoded_with_warnings '.verdict == "decoded_with_warnings"'
    expect_count 60 verdict=decoded '.verdict == "decoded"'
}

@test "several filters must all hold" {
    expect_count 20 'vendor=welltory&inbox=other' '.verdict == "undecodable"'
    expect_count 0 'vendor=welltory&inbox=other&verdict=decoded' false
    expect_count 20 'vendor=dimmy&outcome=error&inbox=other&verdict=decoded' '.vendor == "dimmy"'
}

@test "received_after and received_before leave out their own moment" {
    local moment later earlier
    get '/api/v1/results?limit=500'
    moment="$(jq --raw-output '.results[] | select(.seq == 60) | .received_at' "${BODY}")"
    read -r later earlier < <(jq --raw-output --arg moment "${moment}" '[.results[] | select(.seq <= 120)]
        | "\(map(select(.received_at > $moment)) | length) \(map(select(.received_at < $moment)) | length)"' \
        "${BODY}")
    expect_count "${later}" "received_after=${moment}" '.received_at > $moment' --arg moment "${moment}"
    expect_count "${earlier}" "received_before=${moment}" '.received_at < $moment' --arg moment "${moment}"
}

@test "received_after takes a time of any zone, and none that is no time" {
    expect_count 120 'received_after=2020-01-01T00:00:00Z' true
    expect_count 120 'received_after=2020-01-01T00:00:00.123456%2B02:00' true
    expect_count 0 'received_after=2099-01-01T00:00:00Z' true
    expect_count 0 'received_before=2020-01-01T00:00:00Z' true
    local time
    for time in yesterday 2026-11-21 2026-13-01T00:00:00Z 2026-02-30T00:00:00Z 2026-11-21T00:00:00 1700000000 ''; do
        get "/api/v1/results?received_after=${time}"
        expect_problem 400 '.errors[0].name == "received_after"'
    done
}

# --- Pages ------------------------------------------------------------------------------------------

@test "results come newest first" {
    get '/api/v1/results?limit=500'
    expect_status 200
    expect_json '[.results[].seq] == ([.results[].seq] | sort | reverse) and (.results | length) >= 120'
    expect_json '[.results[].received_at] == ([.results[].received_at] | sort | reverse)'
}

@test "a page has 50 results unless limit says otherwise" {
    get /api/v1/results
    expect_json '(.results | length) == 50 and (.next_cursor | type) == "string"'
    get '/api/v1/results?limit=1'
    expect_json '(.results | length) == 1 and (.next_cursor | type) == "string"'
    get '/api/v1/results?limit=500'
    expect_json '(.results | length) >= 120 and .next_cursor == null'
}

@test "the cursor walks all results once, by 7" {
    run walk "limit=7&${ALL}" 'select(.seq <= 120) | .seq'
    [[ "${status}" == 0 ]]
    [[ "${output}" == "$(seq 120 -1 1)" ]]
}

@test "the cursor walks the results of a filter once" {
    run walk 'limit=7&vendor=welltory&inbox=other' .seq
    [[ "${output}" == "$(seq 116 -6 2)" ]]
}

@test "the last page has no cursor, also when it is full" {
    get '/api/v1/results?inbox=other&limit=20'
    expect_json '(.results | length) == 20 and .next_cursor != null'
    get "/api/v1/results?inbox=other&limit=20&cursor=$(jq --raw-output .next_cursor "${BODY}")"
    expect_json '(.results | length) == 20 and .next_cursor == null'
}

@test "the page's size may change on the way" {
    local first
    get '/api/v1/results?inbox=other&limit=3'
    first="$(jq .results[].seq "${BODY}")"
    get "/api/v1/results?inbox=other&limit=37&cursor=$(jq --raw-output .next_cursor "${BODY}")"
    expect_json '.next_cursor == null and (.results | length) == 37'
    [[ "$(printf '%s\n' "${first}" "$(jq .results[].seq "${BODY}")" | sort --unique | wc --lines)" == 40 ]]
}

@test "results that arrive on the way move no page" {
    local cursor
    post_form /callbacks/raw/moving one
    post_form /callbacks/raw/moving two
    get '/api/v1/results?inbox=moving&limit=1'
    cursor="$(jq --raw-output .next_cursor "${BODY}")"
    post_form /callbacks/raw/moving three
    get "/api/v1/results?inbox=moving&limit=1&cursor=${cursor}"
    expect_json '(.results | length) == 1 and .next_cursor == null'
    get "/api/v1/results/$(jq --raw-output .results[0].id "${BODY}")"
    expect_json '.request.body.data == "one"'
}

@test "a cursor of another filter is refused" {
    local cursor query
    get '/api/v1/results?inbox=other&limit=7'
    cursor="$(jq --raw-output .next_cursor "${BODY}")"
    for query in limit=7 'inbox=default&limit=7' 'inbox=other&vendor=welltory&limit=7' \
        "inbox=other&limit=7&${ALL}"; do
        get "/api/v1/results?${query}&cursor=${cursor}"
        expect_problem 400 '.errors[0].name == "cursor"'
    done
}

@test "what is no cursor is refused" {
    local cursor
    for cursor in '' x 1.2.3 ..  99999999999999999999.1.1 -1.-1.0 %FF; do
        get "/api/v1/results?cursor=${cursor}"
        expect_problem 400 '(.errors | length) > 0'
    done
}

# --- Wrong queries ----------------------------------------------------------------------------------

@test "an unknown parameter is refused by its name" {
    local path
    for path in /api/v1/results /api/v1/inboxes /api/v1/results/01a1fd98-6b94-793e-9d7a-3406f8c659fb; do
        get "${path}?vendro=welltory"
        expect_problem 400 '.errors == [.errors[] | select(.name == "vendro" and (.detail | length) > 0)]
            and (.errors | length) == 1 and (.detail | contains("vendro"))'
    done
}

@test "an unknown value is refused by its parameter's name, and said what is expected" {
    local parameter
    for parameter in vendor=acme outcome=done verdict=good inbox=Team limit=0 limit=501 limit=-1 limit=ten \
        limit= limit=1.5 limit=%2B5 limit=05 vendor= result.stress_c=eq:; do
        get "/api/v1/results?${parameter}"
        expect_problem 400 '(.errors | length) == 1 and (.errors[0].detail | length) > 10'
        [[ "$(jq --raw-output .errors[0].name "${BODY}")" == "${parameter%%=*}" ]]
    done
}

@test "all that is wrong with a query is said at once" {
    get '/api/v1/results?vendor=acme&limit=0&colour=red'
    expect_problem 400 '[.errors[].name] | sort == ["colour", "limit", "vendor"]'
}

@test "a parameter that comes twice is refused" {
    get '/api/v1/results?vendor=raw&vendor=raw'
    expect_problem 400 '.errors[0].name == "vendor"'
}

@test "every error of the API is a problem" {
    local path
    for path in /api/v1/results/nonsense /api/v1/results/01a1fd98-6b94-793e-9d7a-3406f8c659fb \
        /api/v1/results/01a1fd98-6b94-793e-9d7a-3406f8c659fb/request /api/v1/nothing /nothing; do
        get "${path}"
        expect_problem 404
    done
    get /api/v1/results/%FF
    expect_problem 400
    for path in /api/v1/results /api/v1/inboxes /api/v1/results/01a1fd98-6b94-793e-9d7a-3406f8c659fb/request; do
        get "${path}" --request PUT
        expect_problem 405
        expect_field Allow 'GET, HEAD, OPTIONS'
    done
}

# --- One result -------------------------------------------------------------------------------------

@test "a list has no request bodies, a detail has" {
    post_form /callbacks/welltory/bodies 'stress=0.32'
    get '/api/v1/results?inbox=bodies'
    expect_json '.results | length == 1 and (.[0].request | has("body") | not)
        and (.[0] | .result == {"stress":0.32} and .request.method == "POST" and has("diagnostics"))'
    get "/api/v1/results/$(jq --raw-output .results[0].id "${BODY}")"
    expect_json '.request.body == {"encoding":"utf8","data":"stress=0.32"}'
}

@test "a result has the members of the design in their order" {
    get '/callbacks/welltory?stress=0.32'
    expect_stored decoded '(keys_unsorted - ["crc32"]) == ["id","seq","kind","received_at","inbox","vendor","contract",
        "outcome","verdict","flow","request","result","diagnostics","summary","first_diagnostic"] and .flow == null
        and (.received_at | test("^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}[.][0-9]{3}Z$"))'
}

@test "HEAD is GET without the body" {
    local path length
    post_form /callbacks/raw/head x
    for path in '/api/v1/results?inbox=head' "/api/v1/results/$(jq --raw-output .id "${BODY}")"; do
        get "${path}"
        length="$(wc --bytes <"${BODY}")"
        get "${path}" --head
        expect_status 200
        expect_field Content-Length "${length}"
    done
}

@test "the request is given back in its exact bytes" {
    {
        printf 'POST /callbacks/raw/exact?q=%%41%%zz+&&=; HTTP/1.1\r\nhOsT: example.com:1\r\n'
        printf 'X-Twice: 1\r\nx-twice: 2\r\nX-Empty: \r\nConnection: close\r\n'
        printf 'Content-Type: application/octet-stream\r\nContent-Length: 8\r\n\r\n\0\1\377\r\n"\\&'
    } >"${SCRATCH}/request"
    raw "${SCRATCH}/request"
    get "$(tr --delete '\r' <"${BODY}" | sed -n 's/^Location: //p')/request"
    expect_status 200
    cmp "${SCRATCH}/request" "${BODY}"
}

@test "the request of a text is given back in its exact bytes" {
    printf '{ "status" : "IR_RESULT_OK",\r\n "x":"\303\244\\u0041\\/",\t"y":1.0}' >"${SCRATCH}/json"
    {
        printf 'POST /callbacks/ailet/exact HTTP/1.1\r\nHost: a\r\nConnection: close\r\n'
        printf 'Content-Type: application/json\r\nContent-Length: %s\r\n\r\n' \
            "$(wc --bytes <"${SCRATCH}/json")"
        cat "${SCRATCH}/json"
    } >"${SCRATCH}/request"
    raw "${SCRATCH}/request"
    get "$(tr --delete '\r' <"${BODY}" | sed -n 's/^Location: //p')/request"
    expect_status 200
    cmp "${SCRATCH}/request" "${BODY}"
}

# --- Inboxes and fresh results ----------------------------------------------------------------------

@test "inboxes are listed with their counts" {
    post_form /callbacks/raw/counted-b one
    post_form /callbacks/raw/counted-a one
    post_form /callbacks/raw/counted-b two
    get "/api/v1/results?inbox=counted-b&limit=1"
    local last
    last="$(jq --raw-output .results[0].received_at "${BODY}")"
    get /api/v1/inboxes
    expect_status 200
    expect_json '[.inboxes[] | select(.name | startswith("counted")) | [.name, .count]]
        == [["counted-a",1],["counted-b",2]]'
    expect_json '.inboxes[] | select(.name == "counted-b") | .last_received_at == $last' --arg last "${last}"
    expect_json '.inboxes[] | select(.name == "other") | .count == 40'
}

@test "a result is seen by every query after its reply, 100 times" {
    local number path
    for number in {1..100}; do
        for path in "callbacks/raw/fresh-${number}?x" "api/v1/results?inbox=fresh-${number}"; do
            printf 'url = "%s/%s"\noutput = "%s/%s"\n' "${LANDFALL_URL}" "${path}" "${SCRATCH}" \
                "$([[ "${path}" == api/* ]] && echo "seen-${number}" || echo reply)"
        done
    done >"${SCRATCH}/config"
    curl --silent --show-error --max-time 30 --header 'Connection: close' --config "${SCRATCH}/config"
    jq --slurp --exit-status '[.[] | .results | length] == [range(100) | 1]' "${SCRATCH}"/seen-*
}

@test "an unknown parameter is answered with where the fields are listed" {
    get '/api/v1/results?foo=1'
    expect_problem 400 '.errors[0].detail | contains(" result.NAME, ")'
    get '/api/v1/results?result.foo=1'
    expect_problem 400 '.errors[0].name == "result.foo" and (.errors[0].detail | contains("GET /api/v1/fields"))'
    get '/api/v1/results?sort=result.token'
    expect_problem 400 '.errors[0].detail | contains("that lists show")'
}

@test "a query of 4,096 bytes is answered though each of them is percent-encoded" {
    get "/api/v1/results?q=$(printf '%%D1%%8F%.0s' {1..2048})"
    expect_status 200
    expect_json '.results == []'
    get "/api/v1/results?q=$(printf '%%D1%%8F%.0s' {1..2048})x"
    expect_problem 400
    get "/api/v1/results?q=$(printf '%%D1%%8F%.0s' {1..3000})"
    expect_problem 414
    get "/api/v1/links/explain?url=https://a/$(printf 'a%.0s' {1..8192})"
    expect_problem 414
}
