#!/usr/bin/env bats
# /metrics: what Prometheus scrapes. promtool judges the format; the dashboard names only what is there.
# Invariant: the index learns of records later than their senders, so what it counts is waited for.
# Left out: the registry by itself (Tests/TelemetryTests).

# shellcheck disable=SC2016 # programs of jq have variables of their own
load setup
load tls

setup_file() {
    make_certificates "${BATS_FILE_TMPDIR}/tls"
}

setup() {
    FOLDER="${BATS_TEST_TMPDIR}/server"
}

# scrape [CURL OPTION]...
scrape() {
    get /metrics "$@"
    expect_status 200
    expect_field Content-Type 'text/plain; version=0.0.4; charset=utf-8'
}

# metric SERIES: its value in the last scrape; nothing if it is not there.
metric() {
    awk -v series="$1" 'substr($0, 1, length(series) + 1) == series " " { print $NF }' "${BODY}"
}

# expect_metric SERIES VALUE
expect_metric() {
    local value
    value="$(metric "$1")"
    [[ "${value}" == "$2" ]] || {
        echo "expected $1 $2, got '${value}'; there are:" >&2
        grep "^${1%%\{*}" "${BODY}" >&2
        return 1
    }
}

# expect_metric_soon SERIES VALUE: scrapes until it is so.
expect_metric_soon() {
    local attempt
    for ((attempt = 0; attempt < 600; attempt++)); do
        scrape
        [[ "$(metric "$1")" == "$2" ]] && return
        sleep 0.1
    done
    expect_metric "$1" "$2"
}

@test "requests are counted by route, vendor, method and status, and nothing that peers choose is a label" {
    start_landfall "${FOLDER}"
    post_form /callbacks/welltory 'stress=0.4'
    post_form /callbacks/welltory/secret-inbox 'stress=0.4'
    get '/callbacks/ailet?result=%7B'
    get /callbacks/secret-vendor
    get /secret-path
    get /secret-path --header 'Host: secret.example'
    get /api/v1/results --request DELETE
    scrape
    expect_metric 'landfall_http_requests_total{route="/callbacks/:vendor",vendor="welltory",method="POST",status="201"}' 1
    expect_metric 'landfall_http_requests_total{route="/callbacks/:vendor/:inbox",vendor="welltory",method="POST",status="201"}' 1
    expect_metric 'landfall_http_requests_total{route="/callbacks/:vendor",vendor="ailet",method="GET",status="422"}' 1
    expect_metric 'landfall_http_requests_total{route="/callbacks/:vendor",vendor="other",method="GET",status="404"}' 1
    expect_metric 'landfall_http_requests_total{route="other",vendor="",method="GET",status="404"}' 2
    expect_metric 'landfall_http_requests_total{route="/api/v1/results",vendor="",method="DELETE",status="405"}' 1
    expect_metric 'landfall_http_request_duration_seconds_count{route="/callbacks/:vendor",vendor="welltory"}' 1
    run ! grep --quiet secret "${BODY}"
}

@test "what the store does is counted" {
    local number
    start_landfall "${FOLDER}"
    for number in {1..5}; do post_form /callbacks/welltory "stress=0.${number}"; done
    get '/callbacks/ailet?result=%7B'
    scrape
    expect_metric 'landfall_store_records_stored_total{kind="callback",vendor="welltory",verdict="decoded"}' 5
    expect_metric 'landfall_store_records_stored_total{kind="callback",vendor="ailet",verdict="undecodable"}' 1
    expect_metric landfall_store_batch_records_sum 6
    [[ "$(metric landfall_store_commit_duration_seconds_count)" == "$(metric landfall_store_batch_records_count)" ]]
    [[ "$(metric landfall_store_written_bytes_total)" == "$(cat "${SERVER_DATA}"/results/*.jsonl | wc --bytes)" ]]
    [[ "$(metric landfall_store_segment_bytes)" == "$(cat "${SERVER_DATA}"/results/*.jsonl | wc --bytes)" ]]
    expect_metric landfall_store_disk_full 0
    expect_metric 'landfall_store_failures_total{reason="disk_full"}' 0
    expect_metric 'landfall_store_failures_total{reason="other"}' 0
    expect_metric landfall_index_rebuilding 0
    expect_metric_soon 'landfall_store_records{kind="callback"}' 6
    expect_metric_soon landfall_index_lag_records 0
}

@test "clients that wait or follow, and connections, are counted while they last" {
    start_landfall "${FOLDER}"
    scrape
    expect_metric landfall_waiters 0
    curl --silent --max-time 120 --output /dev/null "${LANDFALL_URL}/api/v1/results/wait?within=100s" 3>&- &
    WAITER=$!
    curl --silent --max-time 120 --output /dev/null "${LANDFALL_URL}/api/v1/results/stream" 3>&- &
    FOLLOWER=$!
    expect_metric_soon landfall_waiters 1
    expect_metric_soon landfall_streams 1
    (($(metric landfall_http_connections) >= 3))
    (($(metric landfall_http_connections_accepted_total) > $(metric landfall_http_connections)))
    kill "${WAITER}" "${FOLLOWER}"
    expect_metric_soon landfall_waiters 0
    expect_metric_soon landfall_streams 0
}

@test "refusals, failed handshakes and the expiry of certificates" {
    local expiry
    start_landfall "${FOLDER}" --tls-port 0 --tls-folder "${BATS_FILE_TMPDIR}/tls"
    printf 'GARBAGE\r\n\r\n' >"${SCRATCH}/request"
    raw "${SCRATCH}/request"
    curl --silent --output /dev/null "http://127.0.0.1:${SERVER_TLS_PORT}/" || true
    scrape
    expect_metric 'landfall_http_refusals_total{reason="bad-request"}' 2
    expect_metric landfall_tls_handshake_failures_total 1
    expiry="$(date --date "$(openssl x509 -noout -enddate -in "${BATS_FILE_TMPDIR}/tls/localhost.pem" |
        cut -d = -f 2)" +%s)"
    expect_metric 'landfall_certificate_expiry_timestamp_seconds{name="localhost"}' "${expiry}"
}

@test "fetches by Apple's and Google's systems, and when the last one was" {
    local before after series
    start_landfall "${FOLDER}"
    before="$(date +%s)"
    get /.well-known/apple-app-site-association --header 'Host: www.yourapp.com' --user-agent 'AASA-Bot/1.0.0'
    expect_status 200
    get /.well-known/apple-app-site-association --header 'Host: secret.example' --user-agent 'aasa-bot'
    get /.well-known/assetlinks.json --header 'Host: www.yourapp.com' --user-agent 'Google-Digital-Asset-Links'
    get /.well-known/assetlinks.json --header 'Host: www.yourapp.com' --user-agent 'curl/8'
    after="$(($(date +%s) + 1))"
    scrape
    series='{site="www.yourapp.com",file="apple-app-site-association",fetcher="apple"}'
    expect_metric "landfall_link_file_fetches_total${series}" 1
    (($(metric "landfall_link_file_last_fetch_timestamp_seconds${series}" | cut -d . -f 1) >= before))
    (($(metric "landfall_link_file_last_fetch_timestamp_seconds${series}" | cut -d . -f 1) <= after))
    expect_metric 'landfall_link_file_fetches_total{site="other",file="apple-app-site-association",fetcher="apple"}' 1
    expect_metric 'landfall_link_file_fetches_total{site="www.yourapp.com",file="assetlinks.json",fetcher="google"}' 1
    run ! grep --quiet 'secret' "${BODY}"
}

@test "fetches of hosted files begin with 0, and one that gets no file isn't the last fetch" {
    local series
    start_landfall "${FOLDER}"
    scrape
    series='{site="www.yourapp.com",file="apple-app-site-association",fetcher="apple"}'
    expect_metric "landfall_link_file_fetches_total${series}" 0
    expect_metric 'landfall_link_file_fetches_total{site="www.yourapp.com",file="assetlinks.json",fetcher="google"}' 0
    expect_metric 'landfall_link_file_fetches_total{site="rzlv.co",file="apple-app-site-association",fetcher="apple"}' 0
    expect_metric 'landfall_link_file_fetches_total{site="rzlv.co",file="assetlinks.json",fetcher="google"}' ''
    series='{site="rzlv.co",file="assetlinks.json",fetcher="google"}'
    get /.well-known/assetlinks.json --header 'Host: rzlv.co' --user-agent 'Google-Digital-Asset-Links'
    expect_status 404
    scrape
    expect_metric "landfall_link_file_fetches_total${series}" 1
    expect_metric "landfall_link_file_last_fetch_timestamp_seconds${series}" ''
}

@test "a server with a token shows its metrics for it only" {
    LANDFALL_TOKEN=token-of-the-metrics start_landfall "${FOLDER}"
    get /metrics
    expect_problem 401
    scrape --header 'Authorization: Bearer token-of-the-metrics'
    scrape --header 'Authorization: Bearer token-of-the-metrics' --compressed
    get '/metrics?name=x' --header 'Authorization: Bearer token-of-the-metrics'
    expect_problem 400
}

@test "promtool finds nothing wrong with names, types and format" {
    command -v promtool >/dev/null || skip "promtool is missing: apt-get install prometheus"
    start_landfall "${FOLDER}" --tls-port 0 --tls-folder "${BATS_FILE_TMPDIR}/tls"
    post_form /callbacks/welltory 'stress=0.4'
    get /.well-known/assetlinks.json --header 'Host: www.yourapp.com' --user-agent 'Google-Digital-Asset-Links'
    scrape
    run promtool check metrics <"${BODY}"
    echo "${output}"
    [[ "${status}" == 0 && -z "${output}" ]]
}

@test "the dashboard shows only metrics that there are, and all of them are explained" {
    local name
    start_landfall "${FOLDER}"
    scrape
    sed -n -E 's/^# TYPE ([a-z_]+) .*/\1/p' "${BODY}" | sort >"${SCRATCH}/names"
    jq --raw-output '.panels[].targets[].expr, .templating.list[].query.query?' \
        "${REPOSITORY}/Config/grafana/landfall.json" | grep --only-matching --extended-regexp \
        '(landfall|process)_[a-z_]+' | sed -E 's/_(bucket|sum|count)$//' | sort --unique >"${SCRATCH}/shown"
    (($(wc --lines <"${SCRATCH}/shown") > 20))
    [[ -z "$(comm -13 "${SCRATCH}/names" "${SCRATCH}/shown")" ]]
    while read -r name; do
        grep --quiet --fixed-strings "\`${name}\`" "${REPOSITORY}/Documentation/Operations.md" ||
            fail "Documentation/Operations.md doesn't explain ${name}"
    done <"${SCRATCH}/names"
}
