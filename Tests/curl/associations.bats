#!/usr/bin/env bats
# `landfall association`: explain, lint and diff, with their JSON and exit codes, which scripts read.
# Left out: what each rule and finding means, which the unit tests know.

load setup

setup_file() {
    start_landfall "${BATS_FILE_TMPDIR}/server"
}

teardown_file() {
    stop_landfall
}

setup() {
    cd "${BATS_TEST_TMPDIR}"
    cp "${FIXTURES}/shop-links.json" apple-app-site-association
}

# explain [OPTION]... URL: with the file of the test, as JSON.
explain() {
    run --separate-stderr "${LANDFALL_BIN}" association explain --association apple-app-site-association --json "$@"
}

# said FILTER: the output is one JSON document of which the filter is true.
said() {
    # shellcheck disable=SC2154 # `run` sets it
    jq --exit-status --slurp "length == 1 and (.[0] | $1)" <<<"${output}" >/dev/null || {
        echo "not $1: ${output}" >&2
        return 1
    }
}

# --- explain ----------------------------------------------------------------------------------------

@test "a URL that opens the app: exit 0, and the entry, the rule, its pointer and line" {
    explain --app Q7WERTY123.shop.example.beta 'https://shop.example/help/1?topic=abcd'
    ((status == 0))
    said '.decision == "match" and .opens_app and .app == "Q7WERTY123.shop.example.beta"'
    said '.detail == 0 and .rule == 3 and .pointer == "/applinks/details/0/components/3" and .line == 10'
    said '[.trace[].part] == ["fragment", "path", "path", null]'
}

@test "a URL that fits no rule: exit 1, and for each rule what differs" {
    explain 'https://shop.example/help/1?topic=abc'
    ((status == 1))
    said '.decision == "no_match" and (.opens_app | not) and .rule == null and .detail == null and .pointer == null'
    said '.trace[3] | .part == "query.topic" and .pattern == "????" and .text == "abc" and .text_offset == 3'
}

@test "a URL that a rule excludes: exit 5" {
    explain 'https://shop.example/cart/1#stay'
    ((status == 5))
    said '.decision == "exclude" and .rule == 0'
}

@test "without an app all apps are told, in the order of the file, and the first opens" {
    explain 'https://shop.example/cart'
    said '.app == "Q7WERTY123.shop.example.phone" and .apps == ["Q7WERTY123.shop.example.phone", "Q7WERTY123.shop.example.beta"]'
}

@test "another host than the domain's, and an app that the file doesn't name, are told as reasons" {
    explain --domain shop.example https://www.shop.example/cart
    ((status == 1))
    said '.reason | contains("www.shop.example")'
    explain --app Q7WERTY123.other https://shop.example/cart
    ((status == 1))
    said '.reason | contains("Q7WERTY123.other")'
}

@test "a rooted host is the same host" {
    explain --domain shop.example https://SHOP.example./cart
    ((status == 0))
}

@test "a domain that is no host, and an empty app, are bad usage" {
    local domain
    for domain in https://shop.example applinks:shop.example shop.example:443 shop.example/ 'shop.example?' '*.' ''; do
        explain --domain "${domain}" https://shop.example/cart
        # shellcheck disable=SC2154 # `run` sets it
        [[ "${status}" == 2 && "${stderr}" == *'--domain must be a host'* ]]
    done
    explain --app '' https://shop.example/cart
    [[ "${status}" == 2 && "${stderr}" == *'--app must not be empty'* ]]
}

@test "a wildcard domain covers subdomains" {
    explain --domain '*.shop.example' https://a.b.shop.example/cart
    ((status == 0))
}

@test "for people, pattern and text stand below each other where they part" {
    run "${LANDFALL_BIN}" association explain --association apple-app-site-association https://shop.example/cars
    ((status == 1))
    [[ "${output}" == *$'    pattern /cart/*\n    text    /cars/\n                ^'* ]]
    [[ "${output}" != *$'\e'* ]]
}

@test "the file may come from standard input" {
    run "${LANDFALL_BIN}" association explain --association - https://shop.example/cart <apple-app-site-association
    ((status == 0))
}

@test "a URL whose host or port can't be is refused, and one that is no web link opens nothing" {
    local url
    for url in https://shop.example:abc/cart https://shop.example:99999/cart https:///cart 'https://[::1/cart'; do
        explain "${url}"
        ((status == 2))
        said '.error.message | contains("a valid host and port")'
    done
    for url in shop.example/cart shop://shop.example/cart; do
        explain "${url}"
        ((status == 1))
        said '.reason | contains("not a web link")'
    done
}

@test "bad usage and files that can't be read end with 2, and say why" {
    explain
    ((status == 2))
    run --separate-stderr "${LANDFALL_BIN}" association explain --association nowhere --json https://shop.example/
    ((status == 2))
    said '.error.message | contains("nowhere")'
    printf '{"applinks": {"details": [],}}' >broken
    run --separate-stderr "${LANDFALL_BIN}" association explain --association broken --json https://shop.example/
    ((status == 2))
    said '.error.message | contains("line 1, column 28")'
    run --separate-stderr "${LANDFALL_BIN}" association explain --association broken https://shop.example/
    ((status == 2))
    # shellcheck disable=SC2154 # `run` sets it
    [[ -z "${output}" && "${stderr}" == *"broken, line 1"* ]]
}

@test "Android's file is neither explained nor compared: exit 2" {
    printf '[{"relation": ["delegate_permission/common.handle_all_urls"],
        "target": {"namespace": "web", "site": "https://shop.example"}}]' >assetlinks.json
    run "${LANDFALL_BIN}" association explain --association assetlinks.json --json https://shop.example/
    ((status == 2))
    said '.error.message | contains("assetlinks.json is an array") and contains("association lint")'
    echo https://shop.example/ >urls
    run "${LANDFALL_BIN}" association diff apple-app-site-association assetlinks.json --urls urls --json
    ((status == 2))
    said '.error.message | contains("assetlinks.json is an array")'
    printf '{}' >empty
    run "${LANDFALL_BIN}" association diff apple-app-site-association empty --urls urls --json
    ((status == 0))
}

@test "a blank in a URL is refused, as no rule could match it" {
    local url
    for url in 'https://shop.example/cart ' $'https://shop.example/cart\t' 'https://shop.example/a b'; do
        explain "${url}"
        ((status == 2))
        said '.error.message | contains("no blanks")'
        printf '%s,,no_match\n' "${url}" >links.csv
        explain --batch links.csv
        ((status == 2))
        said '.error.message | contains("line 1") and contains("%20")'
    done
}

@test "letters beyond ASCII are decided percent-encoded, as devices send them" {
    jq --null-input '{applinks: {details: [{appIDs: ["Q7WERTY123.shop.example"],
        components: [{"/": "/über/*"}, {"/": "/%C3%A9t%C3%A9/*"}]}]}}' >apple-app-site-association
    explain 'https://shop.example/über/1'
    ((status == 1))
    said '.url == "https://shop.example/%C3%BCber/1" and .trace[0].text == "/%C3%BCber/1/"'
    explain 'https://shop.example/été/1?q=ü'
    ((status == 0))
    said '.url == "https://shop.example/%C3%A9t%C3%A9/1?q=%C3%BC" and .rule == 1'
    run "${LANDFALL_BIN}" association explain --association apple-app-site-association https://shop.example/été/1
    [[ "${status}" == 0 && "${output}" == 'Devices compare it as https://shop.example/%C3%A9t%C3%A9/1'$'\n'* ]]
    printf 'https://shop.example/über/1,,no_match\nhttps://shop.example/été/1,,match\n' >links.csv
    explain --batch links.csv
    ((status == 0))
    said '.results[1].url == "https://shop.example/%C3%A9t%C3%A9/1"'
    jq '.applinks.details[0].components |= [.[0]]' apple-app-site-association >newer
    printf 'https://shop.example/über/1\nhttps://shop.example/été/1\n' >urls
    run "${LANDFALL_BIN}" association diff apple-app-site-association newer --urls urls --json
    ((status == 1))
    said '[.changed[] | [.url, .old.decision, .new.decision]] == [["https://shop.example/%C3%A9t%C3%A9/1", "match", "no_match"]]'
}

@test "a batch is checked line by line: exit 0 when all is as expected, else 1" {
    cat >links.csv <<'LINKS'
url,app,expected
# the cart
https://shop.example/cart/1,,match
https://shop.example/cart?a=1,2,Q7WERTY123.shop.example.beta,match
https://shop.example/help/print/1,,exclude

https://shop.example/,,no_match
LINKS
    explain --batch links.csv
    ((status == 0))
    said '.failed == 0 and [.results[].batch_line] == [3, 4, 5, 7] and .results[1].url == "https://shop.example/cart?a=1,2"'
    echo 'https://shop.example/cart,,no_match' >>links.csv
    explain --batch links.csv
    ((status == 1))
    said '.failed == 1 and (.results[4] | .passed == false and .decision == "match" and .rule == 1)'
    echo 'https://shop.example/cart,,maybe' >>links.csv
    explain --batch links.csv
    ((status == 2))
    said '.error.message | contains("line 9")'
}

@test "a batch may be written by a spreadsheet, and has nothing but links" {
    printf '\xef\xbb\xbfurl,app,expected\r\n"https://shop.example/cart?a=1,2","","match"\r\n' >links.csv
    explain --batch links.csv
    ((status == 0))
    said '.failed == 0 and (.results | length == 1)'
    echo 'cart,,no_match' >>links.csv
    explain --batch links.csv
    ((status == 2))
    said '.error.message | contains("line 3")'
    cp apple-app-site-association other
    run "${LANDFALL_BIN}" association diff apple-app-site-association other --urls links.csv
    ((status == 2))
}

# --- lint -------------------------------------------------------------------------------------------

@test "a file in order has no errors: exit 0" {
    run "${LANDFALL_BIN}" association lint apple-app-site-association --json
    ((status == 0))
    said '.files == [{"file": "apple-app-site-association", "valid": true, "findings": []}]'
}

@test "an error ends with 1, and has code, severity, pointer, line, column and message" {
    sed 's/"exclude": true }/"exlude": true }/' apple-app-site-association >wrong
    run "${LANDFALL_BIN}" association lint wrong apple-app-site-association --json
    ((status == 1))
    said '[.files[].valid] == [false, true]'
    said '.files[0].findings[0] == {"code": "misspelled_key", "severity": "error",
        "pointer": "/applinks/details/0/components/0/exlude", "line": 7, "column": 26,
        "message": .files[0].findings[0].message}'
    said '.files[0].findings[0].message | contains("\"exclude\"")'
    run "${LANDFALL_BIN}" association lint wrong
    ((status == 1))
    [[ "${output}" == *'wrong:7:26: error: '*'[misspelled_key]'* ]]
}

@test "what is no JSON is a finding with its place" {
    printf '{"applinks":\n  {"details": [“a”]}}' >curly
    run "${LANDFALL_BIN}" association lint curly --json
    ((status == 1))
    said '.files[0].findings | length == 1 and (.[0] | .code == "invalid_json" and .line == 2 and .column == 16)'
}

@test "assetlinks.json is known by its name, and --kind names it otherwise" {
    printf '[{"relation": ["delegate_permission/common.handle_all_urls"], "target": {"namespace": "web", "site": "https://shop.example/"}}]' >assetlinks.json
    run "${LANDFALL_BIN}" association lint assetlinks.json --json
    ((status == 1))
    said '.files[0].findings[0].pointer == "/0/target/site"'
    run "${LANDFALL_BIN}" association lint --kind assetlinks --json - <assetlinks.json
    ((status == 1))
    said '.files[0].findings[0].pointer == "/0/target/site"'
}

@test "a folder stands for the link files in it" {
    mkdir -p sites/shop.example sites/other.example
    cp apple-app-site-association sites/shop.example/
    printf '[]' >sites/other.example/assetlinks.json
    run "${LANDFALL_BIN}" association lint sites --json
    said '[.files[].file] == ["sites/other.example/assetlinks.json", "sites/shop.example/apple-app-site-association"]'
    mkdir empty
    run --separate-stderr "${LANDFALL_BIN}" association lint empty --json
    ((status == 2))
}

@test "a server is asked as devices ask it: without TLS and content are errors" {
    run "${LANDFALL_BIN}" association lint --url "${LANDFALL_URL}" --json
    ((status == 1))
    said '.files[0].file | endswith("/.well-known/apple-app-site-association")'
    said '[.files[0].findings[].code] | index("insecure_url") != null and index("bad_status") == null'
    run "${LANDFALL_BIN}" association lint --url "${LANDFALL_URL}?utm=1" --url "${LANDFALL_URL}/?utm=1#top" --json
    ((status == 1))
    said ".files | length == 2 and all(.[]; .file == \"${LANDFALL_URL}/.well-known/apple-app-site-association\")"
    run "${LANDFALL_BIN}" association lint --url "${LANDFALL_URL}/nowhere" --json
    ((status == 1))
    said '[.files[0].findings[].code] == ["insecure_url", "bad_status", "wrong_path"]'
    run "${LANDFALL_BIN}" association lint --url "${LANDFALL_URL}/page.css" --json
    ((status == 1))
    said '[.files[0].findings[].code] == ["insecure_url", "content_type", "wrong_path", "invalid_json"]'
    run --separate-stderr "${LANDFALL_BIN}" association lint --url http://127.0.0.1:9 --json
    ((status == 2))
}

# start_hosting [WAY]: hosting.py, at ${HOSTING}; it ends with this test.
start_hosting() {
    local port
    coproc SITES { exec "${BATS_TEST_DIRNAME}/hosting.py" "$@" 3>&-; }
    read -r port <&"${SITES[0]}"
    HOSTING="http://127.0.0.1:${port}"
}

@test "a file that is served with a content coding is read decoded, and no more of it than of others" {
    start_hosting
    run "${LANDFALL_BIN}" association lint --url "${HOSTING}/gzip/apple-app-site-association" --json
    ((status == 1))
    said '[.files[0].findings[].code] == ["insecure_url", "wrong_path"]'
    run --separate-stderr "${LANDFALL_BIN}" association lint --url "${HOSTING}/huge/assetlinks.json"
    [[ "${status}" == 2 && "${stderr}" == *'The content is too large when it is inflated.' ]]
    run --separate-stderr "${LANDFALL_BIN}" association lint --url "${HOSTING}/broken/assetlinks.json"
    [[ "${status}" == 2 && "${stderr}" == *"The content isn't valid gzip, as its Content-Encoding says." ]]
    run "${LANDFALL_BIN}" association lint --url "${HOSTING}/missing/assetlinks.json" --json
    ((status == 1))
    said '[.files[0].findings[].code] | contains(["bad_status"])'
}

@test "a file at the root only is an error, and one that devices get too is none" {
    start_hosting
    run "${LANDFALL_BIN}" association lint --url "${HOSTING}/apple-app-site-association" --json
    ((status == 1))
    said '[.files[0].findings[] | .severity + " " + .code] == ["error insecure_url", "error only_at_root"]'
    run "${LANDFALL_BIN}" association lint --url "${LANDFALL_URL}/apple-app-site-association" --json
    ((status == 1))
    said '[.files[0].findings[].code] | index("insecure_url") != null and index("bad_status") == null
        and index("only_at_root") == null'
}

@test "a file at the root isn't judged while the place that devices ask doesn't respond" {
    start_hosting drip
    run --separate-stderr timeout 60 "${LANDFALL_BIN}" association lint --json \
        --url "${HOSTING}/apple-app-site-association"
    ((status == 2))
    said '.files == [] and (.error.message | endswith("did not respond in time."))'
}

@test "a site that doesn't respond is named, in bounded time, and hides nothing of the others" {
    start_hosting
    run --separate-stderr timeout 60 "${LANDFALL_BIN}" association lint apple-app-site-association \
        --url http://127.0.0.1:9 --url "${HOSTING}/gzip/assetlinks.json" --url "${HOSTING}/drip/assetlinks.json" --json
    ((status == 2))
    said ".files[0].file == \"apple-app-site-association\" and .files[1].file == \"${HOSTING}/gzip/assetlinks.json\"
        and (.files | length) == 2 and (.error.message | split(\"\\n\") | length == 2
        and (.[0] | startswith(\"http://127.0.0.1:9: 127.0.0.1:9 can't be reached\"))
        and (.[1] | startswith(\"${HOSTING}/drip/assetlinks.json: \") and endswith(\"did not respond in time.\")))"
    run --separate-stderr "${LANDFALL_BIN}" association lint apple-app-site-association --url http://127.0.0.1:9
    [[ "${status}" == 2 && "${output}" == *'1 file: '* && "${stderr}" == *'http://127.0.0.1:9: '* ]]
}

# --- diff -------------------------------------------------------------------------------------------

@test "a batch without a line to check is refused" {
    printf 'url,app,expected\n\n' >links.csv
    run --separate-stderr "${LANDFALL_BIN}" association explain --association apple-app-site-association --batch links.csv
    [[ "${status}" == 2 && "${stderr}" == *'links.csv has no line'* ]]
}

@test "diff tells which URLs of a list change their decision" {
    sed 's:"/cart/\*":"/basket/*":' apple-app-site-association >newer
    printf 'https://shop.example/cart/1\nhttps://shop.example/basket\n# none\n\nhttps://shop.example/x\n' >urls
    run "${LANDFALL_BIN}" association diff apple-app-site-association newer --urls urls --json
    ((status == 1))
    said '.compared == 3 and ([.changed[] | [.url, .old.decision, .new.decision]] ==
        [["https://shop.example/cart/1", "match", "no_match"], ["https://shop.example/basket", "no_match", "match"]])'
    run "${LANDFALL_BIN}" association diff apple-app-site-association apple-app-site-association --urls urls
    ((status == 0))
    [[ "${output}" == "0 of 3 URLs would open differently" ]]
}

@test "diff ignores blanks around the URLs of a list, and refuses them within one" {
    sed 's:"/cart/\*":"/basket/*":' apple-app-site-association >newer
    printf 'https://shop.example/cart/1 \r\n \t\r\n\thttps://shop.example/basket\t\r\n' >urls
    run "${LANDFALL_BIN}" association diff apple-app-site-association newer --urls urls --json
    ((status == 1))
    said '[.changed[].url] == ["https://shop.example/cart/1", "https://shop.example/basket"]'
    echo 'https://shop.example/cart 1' >>urls
    run "${LANDFALL_BIN}" association diff apple-app-site-association newer --urls urls --json
    ((status == 2))
    said '.error.message | contains("line 4")'
}

@test "diff takes the URLs of the newest callbacks from a server" {
    local path
    for path in 'one?stress=1' two three; do
        get "/callbacks/raw/diff/../../../callbacks/raw/diff?page=${path}" --header 'Host: shop.example'
        expect_status 201
    done
    post_form /callbacks/raw/diff 'a=1' --header 'Host: shop.example'
    printf '{"applinks":{"details":[{"appIDs":["Q7WERTY123.shop.example.phone"],"components":[{"?":{"page":"t*"}}]}]}}' >newer
    run "${LANDFALL_BIN}" association diff apple-app-site-association newer --server "${LANDFALL_URL}" --json
    ((status == 1))
    said '.compared == 3 and (.changed | length == 2) and all(.changed[]; .new.decision == "match")'
    run "${LANDFALL_BIN}" association diff apple-app-site-association newer --server "${LANDFALL_URL}" --limit 1 --json
    said '.compared == 1'
}

@test "diff takes a callback whose target is in absolute form as its URL" {
    printf 'GET http://shop.example/callbacks/raw/diff?page=t4 HTTP/1.1\r\nHost: shop.example\r\nConnection: close\r\n\r\n' \
        >"${SCRATCH}/request"
    raw "${SCRATCH}/request"
    expect_status 201
    printf '{"applinks":{"details":[{"appIDs":["Q7WERTY123.shop.example.phone"],"components":[{"?":{"page":"t*"}}]}]}}' >newer
    run "${LANDFALL_BIN}" association diff apple-app-site-association newer --server "${LANDFALL_URL}" --limit 1 --json
    ((status == 1))
    said '[.changed[].url] == ["http://shop.example/callbacks/raw/diff?page=t4"]'
}

@test "diff takes the usual results without URLs, and not both" {
    get '/callbacks/raw/usual?x' --header 'Host: shop.example'
    LANDFALL_SERVER="${LANDFALL_URL}" run "${LANDFALL_BIN}" association diff apple-app-site-association \
        apple-app-site-association --json
    ((status == 0))
    said '.compared > 0'
    LANDFALL_DATA="${SERVER_DATA}" run "${LANDFALL_BIN}" association diff apple-app-site-association \
        apple-app-site-association --json
    ((status == 0))
    said '.compared > 0'
    run "${LANDFALL_BIN}" association diff a b --urls c --server http://127.0.0.1:9
    ((status == 2))
    run --separate-stderr "${LANDFALL_BIN}" association diff apple-app-site-association apple-app-site-association \
        --server http://127.0.0.1:9
    ((status == 3))
}

@test "only the last name of a path says whose file it is" {
    mkdir -p assetlinks.example/sub
    cp apple-app-site-association assetlinks.example
    cp apple-app-site-association assetlinks.example/sub/assetlinks.json
    run "${LANDFALL_BIN}" association lint assetlinks.example/apple-app-site-association --json
    ((status == 0))
    said '.files[0].valid'
    run "${LANDFALL_BIN}" association lint assetlinks.example --json
    ((status == 1))
    said '[.files[].valid] == [true, false]'
    said '.files[1].findings[0].code == "root_not_array"'
}

# --- domains ----------------------------------------------------------------------------------------

@test "associated domains are read, with the file that they make a device fetch" {
    run "${LANDFALL_BIN}" association domains applinks:shop.example 'applinks:*.shop.example?mode=developer' --json
    ((status == 0))
    said '[.domains[] | [.valid, .host, .wildcard, .mode, .file_url]] == [
        [true, "shop.example", false, null, "https://app-site-association.cdn-apple.com/a/v1/shop.example"],
        [true, "shop.example", true, "developer", "https://shop.example/.well-known/apple-app-site-association"]]'
    run "${LANDFALL_BIN}" association domains 'applinks:*.shop.example' applinks:a.shop.example --host a.shop.example --json
    ((status == 0))
    said '.consulted == ["applinks:a.shop.example", "applinks:*.shop.example"]'
}

@test "a wrong associated domain is told with its place, and ends with 1" {
    run "${LANDFALL_BIN}" association domains applinks:https://shop.example --json
    ((status == 1))
    said '.domains[0] | .valid == false and .error.kind == "scheme" and .error.offset == 9'
    run "${LANDFALL_BIN}" association domains applinks:shop.example --host www.shop.example
    ((status == 1))
    [[ "${output}" == *'No applinks value covers www.shop.example.' ]]
}

@test "a value of another service opens no links of the host, which ends with 1" {
    run "${LANDFALL_BIN}" association domains webcredentials:shop.example --host shop.example
    ((status == 1))
    [[ "${output}" == *'No applinks value covers shop.example.' ]]
    run "${LANDFALL_BIN}" association domains webcredentials:shop.example applinks:shop.example --host shop.example
    ((status == 0))
}

@test "the host that is asked about may be rooted and in any case, and what isn't a host is bad usage" {
    local host
    run "${LANDFALL_BIN}" association domains 'applinks:*.shop.example' --host WWW.shop.example. --json
    ((status == 0))
    said '.consulted == ["applinks:*.shop.example"]'
    run "${LANDFALL_BIN}" association domains applinks:xn--mnchen-3ya.de --host münchen.de
    ((status == 1))
    [[ "${output}" == *'No applinks value covers münchen.de. Devices look up münchen.de in Punycode'* ]]
    for host in '*.shop.example' https://shop.example/ shop.example:443 shop.example/x ''; do
        run --separate-stderr "${LANDFALL_BIN}" association domains applinks:shop.example --host "${host}"
        [[ "${status}" == 2 && "${stderr}" == *'--host must be a host'* ]]
    done
}
