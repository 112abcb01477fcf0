#!/usr/bin/env bats
# What the page of links asks for: the sites with their files and fetchers, the file beside an explanation,
# and what another version of a file would change.

# shellcheck disable=SC2016 # programs of jq have variables of their own
load setup

setup_file() { start_landfall "${BATS_FILE_TMPDIR}/server"; }
teardown_file() { stop_landfall; }

FILE=/.well-known/apple-app-site-association

@test "each site has its receivers and its files with their state" {
    get /api/v1/sites
    expect_status 200
    expect_json '[.sites[].host] | . == sort and index("www.yourapp.com") != null'
    expect_json '.sites[] | select(.host == "www.yourapp.com") | (.receivers | map(.vendor) | index("welltory")) != null
        and all(.files[]; .state != "errors" and .bytes > 0) and .files[0].platform == "apple"'
    get '/api/v1/sites?host=1'
    expect_status 400
}

@test "the last fetch of Apple's and Google's fetchers is shown, and nobody else's" {
    local host='Host: www.yourapp.com'
    get "${FILE}" --header "${host}"
    get "${FILE}" --header "${host}" --header 'User-Agent: AASA-Bot/1.0.0'
    expect_status 200
    get /.well-known/assetlinks.json --header "${host}" \
        --header 'User-Agent: Mozilla/5.0 (compatible; Google-Digital-Asset-Links)'
    get "${FILE}" --header 'Host: unknown.example' --header 'User-Agent: AASA-Bot/1.0.0'
    get /api/v1/sites
    expect_json '[.sites[].fetches[]] | length == 2 and all(.[]; (.at | length) == 24)'
    expect_json '.sites[] | select(.host == "www.yourapp.com") | .fetches[0] | .by == "apple" and .status == 200
        and .path == "'"${FILE}"'"'
    get "${FILE}" --header "${host}" --header 'User-Agent: swcd (unknown version) CFNetwork/1 Darwin/1'
    get /.well-known/%61pple-app-site-association --header "${host}" --header 'User-Agent: AASA-Bot/1.0.0'
    expect_status 200
    get /x/..//.well-known/./apple-app-site-association --header "${host}" --header 'User-Agent: AASA-Bot/1.0.0'
    expect_status 200
    get /api/v1/sites
    expect_json '[.sites[].fetches[].path] == ["'"${FILE}"'", "/.well-known/assetlinks.json"]'
}

@test "an explanation has the file, in whose lines its rules are" {
    get '/api/v1/links/explain?url=https%3A%2F%2Fwww.yourapp.com%2Fdds%2F'
    expect_status 200
    expect_json '(.file.content | fromjson | has("applinks")) and .file.path == "www.yourapp.com/apple-app-site-association"'
    expect_json '(.file.content | split("\n")) as $lines | all(.trace[]; .line >= 1 and .line <= ($lines | length))'
}

# diff CONTENT [PATH]: what the file of www.yourapp.com would become.
diff_with() {
    post_json /api/v1/associations/diff "$(jq --null-input --arg content "$1" --arg path "${2:-${FILE}}" \
        '{host: "www.yourapp.com", path: $path, content: $content}')"
}

@test "another version of a file is compared place by place" {
    local served
    get "${FILE}" --header 'Host: www.yourapp.com'
    served="$(cat "${BODY}")"
    diff_with "${served}"
    expect_json '. == {changes: [], count: 0}'
    diff_with "$(jq --compact-output '.applinks.extra = 1 | del(.applinks.details)' <<<"${served}")"
    expect_json '.count == 2 and ([.changes[] | "\(.kind) \(.pointer)"] | sort) == ["added /applinks/extra","removed /applinks/details"]'
    expect_json '.changes[] | select(.kind == "added") | .before == null and .after == "1"'
}

@test "what can't be compared is refused with what to do" {
    diff_with '{"applinks":'
    expect_problem 409 '.type == "urn:landfall:problem:invalid-link-file"'
    diff_with '{}' /elsewhere
    expect_problem 400 '.errors[0].name == "path"'
    post_json /api/v1/associations/diff '{"host":"unknown.example","content":"{}"}'
    expect_problem 404 '.type == "urn:landfall:problem:not-hosted-here"'
    post_json /api/v1/associations/diff '{"content":"{}"}'
    expect_problem 400 '.errors[0].name == "host"'
    post_json /api/v1/associations/diff '{"host":"www.yourapp.com","content":"{}","more":1}'
    expect_problem 400
    get /api/v1/associations/diff
    expect_status 405
}
