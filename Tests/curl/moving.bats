#!/usr/bin/env bats
# Out and in again: exports in each format, and imports into another server.
# Invariant: ids, times and requests are the same after an import; `seq` is the new store's own.
# Left out: which members a line must have, which the unit tests of imports ask one by one.

# shellcheck disable=SC2016 # programs of jq have variables of their own
load setup

setup_file() {
    start_landfall "${BATS_FILE_TMPDIR}/server"
    local number
    for number in {1..40}; do
        get "/callbacks/welltory?stress=0.${number}"
        get "/callbacks/welltory/broken?stress=0,${number}"
    done
    post_form '/callbacks/dimmy/boxes?x=%41' "@${FIXTURES}/dimmy-2024-callback.txt"
    post_json /callbacks/ailet "@${FIXTURES}/ailet-report-with-task.json"
    printf 'a\0b\377\r\n"=cmd,;' >"${BATS_FILE_TMPDIR}/binary"
    get /callbacks/raw/binary --data-binary "@${BATS_FILE_TMPDIR}/binary" --header 'X-Twice: 1' --header 'x-twice: 2'
    post_form /callbacks/raw/formulas '=1+1' --header 'Referer: =cmd|calc'
    post_json /callbacks/welltory/list '[{"stress": 0.1}, {"stress": 0.2}]' --header 'Idempotency-Key: list' \
        --header 'traceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
    export FIRST_URL="${LANDFALL_URL}" FIRST_PID="${SERVER_PID}"
    "${CURL[@]}" --output "${BATS_FILE_TMPDIR}/export.ndjson" "${LANDFALL_URL}/api/v1/export"
}

teardown_file() {
    stop_landfall
}

setup() {
    EXPORT="${BATS_FILE_TMPDIR}/export.ndjson"
    LANDFALL_URL="${FIRST_URL}"
}

# start_second: another server, which get and the like ask from now on.
start_second() {
    start_landfall "${BATS_TEST_TMPDIR}/second"
}

# import FILE [CURL OPTION]...
import() {
    local file="$1"
    shift
    get /api/v1/import --header 'Content-Type: application/x-ndjson' --data-binary "@${file}" "$@"
}

# contents FILE: what must not change on the way.
contents() {
    jq --compact-output --sort-keys 'del(.crc32, .seq)' "$1"
}

@test "an export has every result, oldest first, as it is stored" {
    [[ "$(wc --lines <"${EXPORT}")" == 86 ]]
    cat "${BATS_FILE_TMPDIR}"/server/data/results/*.jsonl | cmp - "${EXPORT}"
    get /api/v1/export --head
    expect_status 405
    get /api/v1/export
    expect_field Content-Type application/x-ndjson
    [[ "$(field Content-Disposition)" == 'attachment; filename="landfall.ndjson"' ]]
}

@test "an export names its trailer field, unless HTTP/1.0 leaves no place for it" {
    get /api/v1/export
    expect_field Trailer Landfall-Left-Out
    cp "${BODY}" "${SCRATCH}/chunked"
    get /api/v1/export --http1.0
    expect_status 200
    cmp "${BODY}" "${SCRATCH}/chunked"
    expect_no_match --ignore-case '^Trailer:' "${HEAD}"
}

@test "filters choose what is exported" {
    get '/api/v1/export?inbox=broken&q=seq:..20'
    [[ "$(jq --slurp --compact-output 'map(.inbox) | unique' "${BODY}")" == '["broken"]' ]]
    [[ "$(wc --lines <"${BODY}")" == 10 ]]
    get '/api/v1/export?format=xml'
    expect_problem 400 '.errors[0].name == "format"'
    get '/api/v1/export?fields=id'
    expect_problem 400 '[.errors[].name] == ["fields"] and (.errors[0].detail | contains("complete results"))'
    get '/api/v1/export?field=id'
    expect_problem 400 '.errors[0].detail | contains("vendor") and contains("format") and (contains("fields") | not)'
}

@test "an import into another server keeps ids, times and requests, and importing again changes nothing" {
    start_second
    import "${EXPORT}"
    expect_status 200
    expect_json '. == {"imported": 86, "known": 0, "refused_count": 0, "refused": []}'
    get /api/v1/export
    diff <(contents "${EXPORT}") <(contents "${BODY}")
    [[ "$(jq .seq "${BODY}")" == "$(seq 1 86)" ]]
    import "${EXPORT}"
    expect_json '. == {"imported": 0, "known": 86, "refused_count": 0, "refused": []}'
    get /api/v1/export
    diff <(contents "${EXPORT}") <(contents "${BODY}")
    get '/api/v1/results?q=result.stress:0.4&fields=result'
    expect_json '.results | length == 2'
    get "/api/v1/results/$(jq --raw-output 'select(.inbox == "binary") | .id' "${EXPORT}")/request"
    tail --bytes 13 "${BODY}" | cmp - "${BATS_FILE_TMPDIR}/binary"
    get '/api/v1/results?inbox=list&sort=seq'
    expect_json '[.results[].request.batch] == [{"index": 0, "count": 2}, {"index": 1, "count": 2}]'
    stop_landfall
    "${BATS_TEST_DIRNAME}/lines.py" "${BATS_TEST_TMPDIR}"/second/data/results/*.jsonl
}

@test "a damaged line is told with its number and reason, and the others are taken" {
    {
        sed -n 1,3p "${EXPORT}"
        echo '{"id":'
        sed -n 4p "${EXPORT}" | sed 's/"inbox":"[a-z]*"/"inbox":"changed"/'
        echo
        sed -n 5p "${EXPORT}" | jq --compact-output 'del(.crc32) | .colour = 1'
        sed -n 6p "${EXPORT}"
    } >"${SCRATCH}/damaged"
    start_second
    import "${SCRATCH}/damaged"
    expect_status 200
    expect_json '.imported == 4 and .known == 0 and .refused_count == 3
        and [.refused[].line] == [4, 5, 7] and (.refused[0].reason | contains("invalid JSON"))
        and (.refused[1].reason | contains("/crc32")) and (.refused[2].reason | contains("/colour"))'
    get /api/v1/stats
    expect_json '.results == 4'
    stop_landfall
}

@test "an import in gzip and in chunks is the same" {
    start_second
    gzip --stdout "${EXPORT}" >"${SCRATCH}/export.gz"
    import "${SCRATCH}/export.gz" --header 'Content-Encoding: gzip' --header 'Transfer-Encoding: chunked'
    expect_status 200
    expect_json '.imported == 86'
    stop_landfall
}

@test "an import without its media type, or from another site's page, is refused" {
    start_second
    get /api/v1/import --data-binary "@${EXPORT}"
    expect_problem 415
    import "${EXPORT}" --header 'Sec-Fetch-Site: cross-site'
    expect_problem 403
    get '/api/v1/import?x=1' --header 'Content-Type: application/x-ndjson' --data-binary "@${EXPORT}"
    expect_problem 400
    get /api/v1/stats
    expect_json '.results == 0'
    stop_landfall
}

@test "what is decoded again can be moved too" {
    start_second
    import "${EXPORT}"
    jq --compact-output --slurp '[.[] | select(.vendor == "welltory" and .verdict == "decoded")][0]
        | del(.crc32) | .result = {"stress": 99} | .redecoded_at = "2026-11-21T08:00:00.001Z"
        | .id = (.id[:-4] + "0000")' "${EXPORT}" >"${SCRATCH}/redecoded"
    import "${SCRATCH}/redecoded"
    expect_json '.imported == 1'
    get '/api/v1/export?q=result.stress:99'
    diff <(contents "${SCRATCH}/redecoded") <(contents "${BODY}")
    stop_landfall
}

@test "CSV is a table that others read, and no cell is a formula" {
    get '/api/v1/export?format=csv'
    [[ "$(field Content-Type)" == 'text/csv; charset=utf-8'* ]]
    python3 - "${BODY}" "${EXPORT}" <<'PYTHON'
import csv, json, sys
with open(sys.argv[1], newline="", encoding="utf-8") as file:
    rows = list(csv.DictReader(file, strict=True))
with open(sys.argv[2], encoding="utf-8") as file:
    records = [json.loads(line) for line in file]
assert [row["id"] for row in rows] == [record["id"] for record in records]
for row, record in zip(rows, records):
    assert None not in row and None not in row.values(), row
    assert row["target"] == record["request"]["target"], row
    assert json.loads(row["result"]) == record["result"], row
    assert row["outcome"] == (record["outcome"] or ""), row
    if record["vendor"] == "welltory" and record["result"]:
        assert float(row["result.stress"]) == record["result"]["stress"]
    assert not any(cell[:1] in "=@+" for cell in row.values() if cell), row
PYTHON
}

@test "CSV has the first of several values as a declared field does" {
    start_second
    post_json /callbacks/dimmy/hooks '{"item_ids":["aaaabbbbccccddddeeee0001"]}'
    get '/api/v1/results?q=result.item_id:aaaabbbbccccddddeeee0001'
    expect_json '.results | length == 1'
    get '/api/v1/export?format=csv'
    python3 - "${BODY}" <<'PYTHON'
import csv, sys
with open(sys.argv[1], newline="", encoding="utf-8") as file:
    assert [row["result.item_id"] for row in csv.DictReader(file)] == ["aaaabbbbccccddddeeee0001"]
PYTHON
}

@test "HAR is what other programs read (HTTP Archive 1.2)" {
    get '/api/v1/export?format=har'
    expect_field Content-Type application/json
    python3 - "${BODY}" "${EXPORT}" <<'PYTHON'
import base64, json, sys
with open(sys.argv[1], encoding="utf-8") as file:
    log = json.load(file)["log"]
with open(sys.argv[2], encoding="utf-8") as file:
    records = [json.loads(line) for line in file]
assert log["version"] == "1.2" and log["creator"]["name"] == "landfall"
assert len(log["entries"]) == len(records)
for entry, record in zip(log["entries"], records):
    request = entry["request"]
    assert entry["startedDateTime"] == record["received_at"]
    assert request["method"] == record["request"]["method"]
    assert request["url"].endswith(record["request"]["target"])
    assert [[h["name"], h["value"]] for h in request["headers"]] == record["request"]["headers"]
    assert {"method", "url", "httpVersion", "cookies", "headers", "queryString", "headersSize", "bodySize"} <= set(request)
    assert {"status", "statusText", "httpVersion", "cookies", "headers", "content", "redirectURL"} <= set(entry["response"])
PYTHON
}

@test "an export of nothing is well-formed in each format" {
    get '/api/v1/export?inbox=nothing'
    expect_status 200
    [[ ! -s "${BODY}" ]]
    get '/api/v1/export?inbox=nothing&format=har'
    expect_json '.log.entries == []'
    get '/api/v1/export?inbox=nothing&format=csv'
    [[ "$(wc --lines <"${BODY}")" == 1 ]]
}
