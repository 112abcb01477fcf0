#!/usr/bin/env bats
# Searching: the query language, the simple parameters that are sugar for it, order, selection, and
# the forms of lists.
# Invariant: what a query finds is told by the numbers of eight callbacks that are known one by one.
# Left out: the older parameters and pages without a query (querying.bats).

# shellcheck disable=SC2016 # programs of jq have variables of their own
load setup

# seq 1 to 8; every test that adds more does so in an inbox of its own.
setup_file() {
    start_landfall "${BATS_FILE_TMPDIR}/server"
    local milk choc
    milk="$(escaped '{"status":"IR_RESULT_OK","visit_id":"visit 7 (a)","store_id":"s..1","report":{"assortment_achievement":[{"name":"Sour Milk 3.2%","external_id":"4011"}]}}')"
    choc="$(escaped '{"status":"IR_ERROR_NO_INET","visit_id":"x*","report":{"assortment_achievement":[{"name":"Crème Chocolate","external_id":"77"}]}}')"
    get '/callbacks/welltory?stress=0.1&energy=0.9&token=alpha'
    get '/callbacks/welltory?stress=0.3&energy=0.5&is_stage_server=true'
    get '/callbacks/welltory/field?stress=0.5'
    get '/callbacks/welltory/field?stress=0,3'
    get "/callbacks/ailet?result=${milk}"
    get "/callbacks/ailet/field?result=${choc}"
    get '/callbacks/dimmy?status=cancelled' --header 'Host: WWW.Example.org:8080'
    post_form '/callbacks/raw/notes?x=1' 'a body'
    [[ "$(field Location)" == /api/v1/results/* ]]
}

teardown_file() {
    stop_landfall
}

# search QUERY [PARAMETERS]: the numbers that it finds, newest first, on one line.
search() {
    get "/api/v1/results?limit=500&fields=seq&q=$(escaped "seq:1..8 AND ($1)")${2:+&$2}"
    expect_status 200 || return 1
    jq --raw-output '[.results[].seq] | map(tostring) | join(" ")' "${BODY}"
}

# expect_found QUERY NUMBERS
expect_found() {
    local found
    found="$(search "$1")" || return 1
    [[ "${found}" == "$2" ]] || fail "$1 found '${found}', not '$2'"
}

# --- The language -----------------------------------------------------------------------------------

@test "q finds by words, in any case, in names, codes and diagnostics" {
    expect_found milk 5
    expect_found 'MILK 4011' 5
    expect_found 'milk chocolate' ''
    expect_found 'crème' 6
    expect_found 'CRÈME' 6
    expect_found 77 6
    expect_found alpha 1
    expect_found not_a_number 4
}

@test "q finds phrases and beginnings of words" {
    expect_found '"sour milk"' 5
    expect_found '"milk sour"' ''
    expect_found 'choco*' 6
    expect_found '"sour mi"*' 5
    expect_found '"sour mi"' ''
}

@test "q compares every field of records" {
    expect_found vendor:welltory '4 3 2 1'
    expect_found contract:ailet-deeplink '6 5'
    expect_found inbox:field '6 4 3'
    expect_found outcome:error 6
    expect_found verdict:undecodable 4
    expect_found method:post 8
    expect_found host:www.example.ORG 7
    expect_found 'path:/callbacks/welltory' '2 1'
    expect_found 'seq:3' 3
    get /api/v1/results?q=seq:3
    expect_found "id:$(jq --raw-output .results[0].id "${BODY}")" 3
}

@test "q combines terms: NOT before AND before OR, and parentheses" {
    expect_found 'vendor:welltory inbox:field' '4 3'
    expect_found 'vendor:welltory AND inbox:field' '4 3'
    expect_found 'vendor:dimmy OR vendor:raw' '8 7'
    expect_found 'vendor:dimmy OR vendor:welltory inbox:field' '7 4 3'
    expect_found '(vendor:dimmy OR vendor:welltory) inbox:field' '4 3'
    expect_found 'vendor:welltory NOT inbox:field' '2 1'
    expect_found 'vendor:welltory -inbox:field' '2 1'
    expect_found 'NOT (vendor:welltory OR vendor:ailet)' '8 7'
    expect_found 'outcome:(cancelled OR error)' '7 6'
    expect_found '*' '8 7 6 5 4 3 2 1'
}

@test "a comparison with what is missing is false, and its NOT is true" {
    expect_found 'outcome:completed' '5 3 2 1'
    expect_found 'NOT outcome:completed' '8 7 6 4'
    expect_found 'result.stress:>0' '3 2 1'
    expect_found 'NOT result.stress:>0' '8 7 6 5 4'
}

@test "q compares numbers, ranges, texts and flags of results" {
    expect_found 'result.stress:0.3' 2
    expect_found 'result.stress:>=0.3' '3 2'
    expect_found 'result.stress:>0.3' 3
    expect_found 'result.stress:<0.3' 1
    expect_found 'result.stress:<=0.3' '2 1'
    expect_found 'result.stress:0.1..0.3' '2 1'
    expect_found 'result.stress:0.3..' '3 2'
    expect_found 'result.stress:..0.1' 1
    expect_found 'result.token:alpha' 1
    expect_found 'result.is_stage_server:true' 2
    expect_found 'seq:>=3 seq:<5' '4 3'
    expect_found 'seq:7..' '8 7'
}

@test "q asks for existence" {
    expect_found 'has:result.token' 1
    expect_found 'has:outcome vendor:welltory' '3 2 1'
    expect_found 'NOT has:outcome' '8 4'
    expect_found 'has:(result.token OR result.visit_id)' '6 5 1'
}

@test "values in quotes stand for themselves" {
    expect_found 'result.visit_id:"visit 7 (a)"' 5
    expect_found 'result.visit_id:"x*"' 6
    expect_found 'result.store_id:"s..1"' 5
}

@test "q knows days, moments and distances from now" {
    local day
    day="$(date --utc +%F)"
    expect_found "received_at:${day}..$(date --utc --date tomorrow +%F)" '8 7 6 5 4 3 2 1'
    expect_found 'received_at:-15m' '8 7 6 5 4 3 2 1'
    expect_found 'received_at:-2h..-1h' ''
    expect_found 'received_at:<2020-01-01' ''
    get '/api/v1/results?q=seq:3'
    expect_found "received_at:$(jq --raw-output '.results[0].received_at' "${BODY}") seq:3" 3
}

@test "simple parameters mean the same as q" {
    local query pair
    while IFS='|' read -r pair query; do
        [[ "$(search '*' "${pair}")" == "$(search "${query}")" ]] || fail "${pair} is not ${query}"
        [[ -n "$(search "${query}")" ]] || fail "${query} finds nothing"
    done <<'PAIRS'
vendor=welltory|vendor:welltory
contract=welltory-dds|contract:welltory-dds
inbox=field|inbox:field
outcome=error|outcome:error
verdict=unmatched|verdict:unmatched
method=POST|method:POST
host=www.example.org|host:www.example.org
path=/callbacks/dimmy|path:/callbacks/dimmy
result.stress=0.3|result.stress:0.3
result.stress=gte:0.3|result.stress:>=0.3
result.stress=gt:0.3|result.stress:>0.3
result.stress=lt:0.3|result.stress:<0.3
result.stress=lte:0.3|result.stress:<=0.3
result.stress=0.1..0.3|result.stress:0.1..0.3
result.visit_id=x*|result.visit_id:"x*"
result.is_stage_server=true|result.is_stage_server:true
received_after=-15m|received_at:-15m
vendor=welltory&inbox=field|vendor:welltory inbox:field
PAIRS
}

@test "simple parameters and q must all hold" {
    [[ "$(search 'result.stress:>0' inbox=field)" == 3 ]]
}

# --- Wrong queries ----------------------------------------------------------------------------------

@test "a wrong query is refused with the position and what was expected there" {
    local position expected query
    while IFS='|' read -r position expected query; do
        get "/api/v1/results?q=$(escaped "${query}")"
        expect_status 400 || fail "${query}"
        jq --exit-status --argjson position "${position}" --arg expected "${expected}" \
            '.errors | length == 1 and .[0].name == "q" and .[0].position == $position
            and (.[0].detail | contains($expected))' "${BODY}" >/dev/null \
            || fail "${query}: not ${position}, ${expected}"
    done <<'QUERIES'
14|a word|vendor:raw AND
0|a word|OR milk
5|) to close the ( of character 0|(milk
4|before this|milk)
7|one of dimmy|vendor:acme
8|did you mean NOT welltory|vendor:(-welltory)
20|a number|seq:1 result.stress:high
0|did you mean vendor|vendro:raw
0|did you mean result.stress|stress:1
0|the name of a field|colour:red
4|the name of a field|has:colour
12|time|received_at:yesterday
8|" to close the one of character 6|inbox:"x
6|1 to 63 of a-z|inbox:CI
0|letter or digit|"!"
1|end of a word|a*b
QUERIES
}

@test "a query has at most 4096 bytes, 64 terms and 32 open parentheses" {
    local text
    text="$(printf 'a%.0s' {1..4096})"
    get "/api/v1/results?q=${text}"
    expect_status 200
    get "/api/v1/results?q=${text}a"
    expect_problem 400 '.errors[0].detail | contains("4096 bytes")'
    text="$(printf 'a+%.0s' {1..64})"
    get "/api/v1/results?q=${text}"
    expect_status 200
    get "/api/v1/results?q=${text}a"
    expect_problem 400 '.errors[0].detail | contains("64")'
    text="$(printf '(%.0s' {1..32})"
    get "/api/v1/results?q=${text}a${text//(/)}"
    expect_status 200
    get "/api/v1/results?q=(${text}a${text//(/)})"
    expect_problem 400 '.errors[0].detail | contains("32")'
}

@test "a wrong simple parameter is refused by its name" {
    local parameter
    for parameter in result.stress=high result.stress=gte: result.colour=red result.is_stage_server=yes \
        received_after=-15x contract=flux2 host= sort=colour sort=--seq sort= fields= fields=colour \
        fields=id,,seq fields=request.colour; do
        get "/api/v1/results?${parameter}"
        expect_problem 400 '(.errors | length) == 1'
        [[ "$(jq --raw-output .errors[0].name "${BODY}")" == "${parameter%%=*}" ]] || fail "${parameter}"
    done
}

# --- Order and selection ----------------------------------------------------------------------------

@test "sort orders by time, number and declared fields, both ways; by a field, those that have it" {
    [[ "$(search '*' sort=seq)" == '1 2 3 4 5 6 7 8' ]]
    [[ "$(search '*' sort=-seq)" == '8 7 6 5 4 3 2 1' ]]
    [[ "$(search '*' sort=received_at)" == '1 2 3 4 5 6 7 8' ]]
    [[ "$(search '*' sort=result.stress)" == '1 2 3' ]]
    [[ "$(search '*' sort=-result.stress)" == '3 2 1' ]]
    [[ "$(search '*' sort=result.visit_id)" == '5 6' ]]
    [[ "$(search '*' sort=-result.visit_id)" == '6 5' ]]
}

@test "cursors walk every order once" {
    local order
    for order in seq -seq received_at -received_at result.stress -result.stress result.visit_id; do
        run walk "limit=1&q=$(escaped seq:1..8)&sort=${order}" .seq
        [[ "${status}" == 0 ]]
        [[ "$(paste --serial --delimiters ' ' <<<"${output}")" == "$(search '*' "sort=${order}")" ]] \
            || fail "${order}: another order on pages: ${output}"
    done
}

@test "fields cuts results down to the members that are named" {
    get '/api/v1/results?q=seq:2&fields=seq,result.stress,request.method,request.body'
    expect_json '.results == [{"seq":2,"request":{"method":"GET","body":null},"result":{"stress":0.3}}]'
    get '/api/v1/results?q=seq:8&fields=request.body'
    expect_json '.results == [{"request":{"body":{"encoding":"utf8","data":"a body"}}}]'
    get '/api/v1/results/latest?q=seq:2&fields=seq'
    expect_json '. == {"seq":2}'
}

# --- Pages ------------------------------------------------------------------------------------------

@test "a cursor of another question or order is refused" {
    local cursor query
    get '/api/v1/results?q=vendor:welltory&limit=2&sort=-result.stress'
    cursor="$(jq --raw-output .next_cursor "${BODY}")"
    for query in q=vendor:welltory 'q=vendor:welltory&sort=result.stress' 'q=vendor:welltory&sort=-result.energy' \
        'q=vendor:raw&sort=-result.stress' 'vendor=welltory&sort=-result.stress' sort=-result.stress; do
        get "/api/v1/results?${query}&limit=2&cursor=${cursor}"
        expect_problem 400 '.errors[0].name == "cursor"'
    done
    get "/api/v1/results?q=vendor:welltory&limit=2&sort=-result.stress&cursor=${cursor}&fields=seq"
    expect_json '[.results[].seq] == [1] and .next_cursor == null'
}

@test "pages are stable while results arrive: none twice, none left out" {
    local before
    for _ in {1..40}; do post_form /callbacks/raw/stable x; done
    get '/api/v1/results?inbox=stable&limit=500'
    before="$(jq '.results[].seq' "${BODY}")"
    start_load stable
    run walk 'inbox=stable&limit=7' .seq
    kill "${LOAD_PID}" 2>/dev/null || true
    [[ "${status}" == 0 ]]
    [[ -z "$(sort <<<"${output}" | uniq --repeated)" ]] || fail "there are results twice"
    # Those that were there before are all there.
    [[ "$(comm -23 <(sort <<<"${before}") <(sort <<<"${output}"))" == '' ]]
}

@test "Link names the next page, and following it walks all results (RFC 8288 §3)" {
    local path='/api/v1/results?limit=3&q=seq:1..8%20OR%20"milk"&fields=seq' found='' page
    for page in 1 2 3; do
        get "${path}"
        found+="$(jq --raw-output '.results[].seq' "${BODY}") "
        path="$(field Link | sed -n -E 's/^<(.*)>; rel="next"$/\1/p')"
        if ((page < 3)); then [[ "${path}" == *'%20OR%20%22milk%22&'* ]]; fi
    done
    [[ -z "${path}" ]]
    [[ "$(xargs <<<"${found}")" == '8 7 6 5 4 3 2 1' ]]
}

# --- Forms ------------------------------------------------------------------------------------------

@test "Accept chooses among JSON, lines and a table (RFC 9110 §12.5.1)" {
    local accept type
    while IFS='|' read -r accept type; do
        get '/api/v1/results?q=seq:1..8&limit=3' --header "Accept: ${accept}"
        expect_status 200
        expect_field Content-Type "${type}"
        expect_field Vary Accept
    done <<'FORMS'
*/*|application/json
application/json|application/json
application/x-ndjson|application/x-ndjson
text/plain|text/plain; charset=utf-8
text/*|text/plain; charset=utf-8
application/json;q=0.5, application/x-ndjson|application/x-ndjson
text/plain;q=0, */*|application/json
image/png|application/json
text/html, */*;q=0.1|application/json
FORMS
}

@test "lines are whole without limit, a page with it, one result a line" {
    get '/api/v1/results?q=seq:1..8' --header 'Accept: application/x-ndjson'
    [[ "$(jq --slurp --compact-output 'map(.seq)' "${BODY}")" == '[8,7,6,5,4,3,2,1]' ]]
    [[ "$(wc --lines <"${BODY}")" == 8 ]]
    jq --slurp --exit-status 'all(.[]; .request | has("body") | not)' "${BODY}"
    get '/api/v1/results?q=seq:1..8&limit=2' --header 'Accept: application/x-ndjson'
    [[ "$(jq --slurp --compact-output 'map(.seq)' "${BODY}")" == '[8,7]' ]]
    [[ "$(field Link)" == *'rel="next"' ]]
}

@test "a table has a head, and columns that begin below each other" {
    get '/api/v1/results?q=seq:1..8' --header 'Accept: text/plain'
    [[ "$(wc --lines <"${BODY}")" == 9 ]]
    local column
    column="$(head -n 1 "${BODY}" | grep --byte-offset --only-matching VENDOR | cut -d : -f 1)"
    [[ "$(tail -n +2 "${BODY}" | cut --bytes "$((column + 1))-$((column + 3))" | sort --unique | xargs)" \
        == 'ail dim raw wel' ]]
    get '/api/v1/results?fields=id' --header 'Accept: text/plain'
    expect_problem 400 '.errors[0].name == "fields"'
}

@test "an answer is named, and not sent again to who has it (RFC 9110 §13.1.2)" {
    local path tag
    get '/api/v1/results?q=seq:3'
    for path in '/api/v1/results?q=seq:3' "/api/v1/results/$(jq --raw-output .results[0].id "${BODY}")" \
        '/api/v1/results/latest?q=seq:3' /api/v1/vendors '/api/v1/results?q=seq:1..8&limit=2'; do
        get "${path}"
        tag="$(field ETag)"
        [[ "${tag}" == W/\"*\" ]]
        get "${path}" --header "If-None-Match: ${tag}"
        expect_status 304
        expect_field ETag "${tag}"
        [[ ! -s "${BODY}" ]]
        get "${path}" --header "If-None-Match: \"other\", ${tag#W/}"
        expect_status 304
        get "${path}" --header 'If-None-Match: "other"'
        expect_status 200
    done
}

@test "a list that has changed has another tag" {
    local tag path
    post_form /callbacks/raw/tagged one
    for path in '/api/v1/results?inbox=tagged' /api/v1/inboxes /api/v1/stats; do
        get "${path}"
        tag="$(field ETag)"
        post_form /callbacks/raw/tagged more
        get "${path}" --header "If-None-Match: ${tag}"
        expect_status 200
        [[ "$(field ETag)" != "${tag}" ]]
    done
}

@test "no other site's page is let in unless that is configured (CORS)" {
    get /api/v1/results --header 'Origin: https://example.org'
    expect_status 200
    [[ -z "$(field Access-Control-Allow-Origin)" ]]
    get /api/v1/inboxes/nothing --request DELETE --header 'Sec-Fetch-Site: cross-site'
    expect_problem 403
}
