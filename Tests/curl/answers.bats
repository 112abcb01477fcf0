#!/usr/bin/env bats
# Answers of receivers' own: failures, delays, statuses, fields and bodies, with which partners test retries.
# Invariant: every callback is stored and durable, whatever is answered, and its record says what was.
# Left out: what decoders find, and the rules of an answer's members (Tests/landfallTests/Answers).

load setup

setup_file() {
    start_configured "${BATS_FILE_TMPDIR}/server" <<'END'
receivers:
  - host: partner.example.com
    path: /late
    vendor: welltory
    inbox: configured
    answer: {fail_first: 1, status: 202, headers: {X-Partner: test}, body: thanks}
webhooks: {secrets: [whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw]}
END
}

teardown_file() {
    stop_landfall
}

# set_answer VENDOR/INBOX JSON
set_answer() {
    get "/api/v1/receivers/$1/answer" --request PUT --data-binary "$2"
    expect_status 200
}

# counts VENDOR/INBOX: answered/failed/undelayed.
counts() {
    get "/api/v1/receivers/$1/answer"
    jq --raw-output '"\(.answered)/\(.failed)/\(.undelayed)"' "${BODY}"
}

# expect_newest INBOX PROGRAM: of the newest record of the inbox.
expect_newest() {
    get "/api/v1/results/latest?inbox=$1"
    expect_status 200
    expect_json "$2"
}

@test "a receiver of the configuration fails, then answers its own, and stores everything" {
    get '/late?stress=0.5' --header 'Host: partner.example.com'
    expect_status 503
    expect_field Content-Type 'application/problem+json'
    expect_newest configured '.answer == {"status": 503, "failed": true, "number": 1, "delay_milliseconds": 0}
        and .verdict == "decoded"'
    get '/late?stress=0.5' --header 'Host: partner.example.com'
    expect_status 202
    expect_field X-Partner test
    expect_field Content-Type 'text/plain; charset=utf-8'
    [[ "$(<"${BODY}")" == thanks ]] || fail "not the body"
    expect_newest configured '.answer == {"status": 202, "failed": false, "number": 2, "delay_milliseconds": 0}'
    # The inbox is the receiver's alone: another road to it answers as usual.
    get '/callbacks/welltory/configured?stress=0.5'
    expect_status 201
    expect_newest configured 'has("answer") | not'
    get /api/v1/receivers
    expect_json '.receivers[0] | .host == "partner.example.com" and .source == "configuration"
        and .answered == 2 and .failed == 1 and .answer.fail_first == 1'
}

@test "a failure with a status that has no phrase has a title" {
    set_answer welltory/unnamed '{"fail_every":1,"fail_status":499}'
    get '/callbacks/welltory/unnamed?stress=0.5'
    expect_problem 499 '.title == "Programmed Failure"'
    get /api/v1/receivers/welltory/unnamed/answer --request DELETE
    expect_status 200
}

@test "an answer of the API precedes the configuration's until it is removed" {
    set_answer welltory/configured '{"fail_every":1,"fail_status":500,"fail_retry_after_seconds":7}'
    get '/late?stress=0.5' --header 'Host: partner.example.com'
    expect_status 500
    expect_field Retry-After 7
    get /api/v1/receivers
    expect_json '[.receivers[] | select(.inbox == "configured") | .source] == ["api", "api"]'
    get /api/v1/receivers/welltory/configured/answer --request DELETE
    expect_status 200
    expect_json '.answer == null and .source == null'
    get '/late?stress=0.5' --header 'Host: partner.example.com'
    expect_status 202
}

@test "an answer is changed only in the state that the request requires" {
    local path=/api/v1/receivers/welltory/conditional/answer tag condition
    get "${path}"
    tag="$(field ETag)"
    [[ "${tag}" == '"'*'"' ]]
    get "${path}" --header "If-None-Match: ${tag}"
    expect_status 304
    for condition in 'If-Match: "other"' 'If-None-Match: *' "If-None-Match: ${tag}"; do
        get "${path}" --request PUT --data-binary '{"fail_first":1}' --header "${condition}"
        expect_problem 412
    done
    get "${path}" --header "If-Match: ${tag}"
    expect_json '.answer == null'
    get "${path}" --request PUT --data-binary '{"fail_first":1}' --header "If-Match: ${tag}"
    expect_json '.answer.fail_first == 1'
    [[ -z "$(field ETag)" ]]
    get "${path}" --request DELETE --header "If-Match: ${tag}"
    expect_problem 412
    get "${path}"
    expect_json '.answer.fail_first == 1'
    get "${path}" --request DELETE --header "If-Match: $(field ETag)"
    expect_json '.answer == null'
}

@test "a retry with the same key sees failure, failure, success, and is stored once" {
    set_answer welltory/retries '{"fail_first":2}'
    local status statuses=""
    for status in 1 2 3 4; do
        post_form /callbacks/welltory/retries 'stress=0.5' --header 'Idempotency-Key: once'
        statuses+="${STATUS} "
    done
    [[ "${statuses}" == "503 503 201 201 " ]] || fail "got ${statuses}"
    expect_field Idempotent-Replayed true
    get '/api/v1/results?inbox=retries'
    expect_json '.results | length == 1 and .[0].answer.number == 1'
    [[ "$(counts welltory/retries)" == 4/2/0 ]] || fail "other counts"
    # Other partners aren't disturbed, and setting it again restarts the count.
    post_form /callbacks/welltory/others 'stress=0.5'
    expect_status 201
    post_form /callbacks/ailet/retries 'a=1'
    [[ "${STATUS}" != 503 ]] || fail "the other vendor failed"
    set_answer welltory/retries '{"fail_first":2}'
    [[ "$(counts welltory/retries)" == 0/0/0 ]] || fail "other counts"
}

@test "identical callbacks without a key are attempts too, and the undecodable gets the answer" {
    set_answer welltory/plain '{"fail_first":1}'
    get '/callbacks/welltory/plain?stress=x'
    expect_status 503
    get '/callbacks/welltory/plain?stress=x'
    expect_status 422
    expect_newest plain '.answer == {"status": 422, "failed": false, "number": 2, "delay_milliseconds": 0}'
    set_answer welltory/plain '{"status":204}'
    get '/callbacks/welltory/plain?stress=x'
    expect_status 204
    expect_newest plain '.answer.status == 204 and .verdict == "undecodable"'
}

@test "a list is one attempt, and each of its callbacks says what was answered" {
    set_answer welltory/lists '{"fail_first":1}'
    local list='[{"stress":0.1},{"stress":"x"}]'
    post_json /callbacks/welltory/lists "${list}" --header 'Idempotency-Key: list'
    expect_status 503
    post_json /callbacks/welltory/lists "${list}" --header 'Idempotency-Key: list'
    expect_status 207
    get '/api/v1/results?inbox=lists'
    expect_json '.results | length == 2 and all(.[]; .answer.status == 503 and .answer.number == 1)'
    post_json /callbacks/welltory/lists "${list}"
    expect_newest lists '.answer == {"status": 207, "failed": false, "number": 3, "delay_milliseconds": 0}'
}

@test "what is refused is answered as always and counts for nothing" {
    set_answer dimmy/hooks '{"fail_first":9}'
    post_json /callbacks/dimmy/hooks '{"type":"item.created","data":{}}' \
        --header 'svix-id: msg_1' --header 'svix-timestamp: 1' --header 'svix-signature: v1,AAAA'
    expect_status 401
    post_form /callbacks/dimmy/hooks 'a=1' --header 'Idempotency-Key: é'
    expect_status 400
    get /callbacks/dimmy/hooks --head
    expect_status 405
    get /callbacks/dimmy/hooks --request OPTIONS
    expect_status 204
    get /api/v1/receivers/dimmy/hooks/answer
    expect_json '.answered == 0 and .failed == 0'
    expect_newest hooks '.verdict == "decoded_with_warnings" and (has("answer") | not)'
}

@test "a browser gets the answer in place of the page, and no script in it has this origin" {
    set_answer welltory/pages '{"body":"<script>alert(1)</script>","headers":{"Content-Type":"text/html"}}'
    get '/callbacks/welltory/pages?stress=0.5' --header 'Accept: text/html'
    expect_status 200
    expect_field Content-Security-Policy sandbox
    expect_field X-Content-Type-Options nosniff
    expect_field Cache-Control no-store
    set_answer welltory/pages '{"fail_first":1}'
    get '/callbacks/welltory/pages?stress=0.5' --header 'Accept: text/html'
    expect_status 503
    get '/callbacks/welltory/pages?stress=0.5' --header 'Accept: text/html'
    expect_status 201
    expect_field Content-Type 'text/html; charset=utf-8'
}

@test "64 connections at once: exactly the first three fail, and exactly each third" {
    local settings failures=0
    for settings in 'first:3:3' 'every:3:64'; do
        IFS=: read -r kind number failures <<<"${settings}"
        set_answer "welltory/crowd-${kind}" "{\"fail_${kind}\":${number}}"
        # shellcheck disable=SC2034
        seq 192 | xargs --max-procs 64 --max-args 3 bash -c '
            curl --silent --output /dev/null --output /dev/null --output /dev/null --write-out "%{http_code}\n" \
                "$0?stress=0.1" "$0?stress=0.2" "$0?stress=0.3"' \
            "${LANDFALL_URL}/callbacks/welltory/crowd-${kind}" | sort | uniq --count >"${SCRATCH}/statuses"
        [[ "$(awk '$2 == 503 {print $1}' "${SCRATCH}/statuses")" == "${failures}" ]] || fail "$(cat "${SCRATCH}/statuses")"
        [[ "$(counts "welltory/crowd-${kind}")" == "192/${failures}/0" ]] || fail "other counts"
        get '/api/v1/results' --get --data-urlencode "q=inbox:crowd-${kind} answered:>=500" --data 'limit=500'
        expect_json '(.results | length) == $count and (.results | all(.[]; .answer.failed))
            and ([.results[].answer.number] | unique | length) == $count' --argjson count "${failures}"
    done
}

@test "an answer waits after its callback is stored, and holds neither the client nor the key" {
    set_answer welltory/slow '{"delay_milliseconds":10000}'
    local began ended
    began="$(date +%s%N)"
    HEAD="${SCRATCH}/slow-head" BODY="${SCRATCH}/slow-body" \
        post_form /callbacks/welltory/slow 'stress=0.5' --header 'Idempotency-Key: slow' &
    local posting=$!
    get '/api/v1/results/wait?inbox=slow&count=1&within=10s'
    expect_status 200
    (($(date +%s%N) - began < 10000000000)) || fail "the record came after the answer"
    # Whoever gives up and tries again is no second request in flight.
    post_form /callbacks/welltory/slow 'stress=0.5' --header 'Idempotency-Key: slow' --max-time 2 || true
    get '/api/v1/results?inbox=slow'
    expect_json '.results | length == 1 and .[0].answer.delay_milliseconds == 10000'
    wait "${posting}"
    ended="$(date +%s%N)"
    ((ended - began >= 10000000000)) || fail "the answer did not wait"
    [[ "$(counts welltory/slow)" == 2/0/0 ]] || fail "other counts"
}

@test "large callbacks whose answers wait keep no others out" {
    local clients=() number
    set_answer raw/slow '{"delay_milliseconds":20000}'
    head --bytes 4000000 /dev/zero >"${SCRATCH}/large"
    for number in {1..9}; do
        curl --silent --output "${SCRATCH}/${number}" --header 'Content-Type: application/octet-stream' \
            --data-binary "@${SCRATCH}/large" "${LANDFALL_URL}/callbacks/raw/slow" 3>&- &
        clients+=($!)
    done
    get '/api/v1/results/wait?inbox=slow&count=9&within=15s&fields=id'
    expect_status 200
    get /callbacks/raw/quick --header 'Content-Type: application/octet-stream' --data-binary "@${SCRATCH}/large"
    kill "${clients[@]}"
    expect_status 201
}

@test "no more than 250 answers of one receiver wait; the others are sent at once, and say so" {
    set_answer welltory/flood '{"delay_milliseconds":60000,"fail_every":1}'
    "${BATS_TEST_DIRNAME}/waiting.py" "${SERVER_PORT}" 300 /callbacks/welltory/flood >"${SCRATCH}/flood"
    [[ "$(<"${SCRATCH}/flood")" == "50 skipped, 250 waiting" ]] || fail "$(cat "${SCRATCH}/flood")"
    [[ "$(counts welltory/flood)" == 300/300/50 ]] || fail "other counts"
    get '/api/v1/results?inbox=flood&limit=500'
    expect_json '([.results[] | select(.answer.delay_skipped)] | length) == 50'
    # Those clients are gone, and hold no place any more.
    "${BATS_TEST_DIRNAME}/waiting.py" "${SERVER_PORT}" 250 /callbacks/welltory/flood >"${SCRATCH}/flood"
    [[ "$(<"${SCRATCH}/flood")" == "0 skipped, 250 waiting" ]] || fail "$(cat "${SCRATCH}/flood")"
}

@test "an answer that would break the response is refused, and the former one stays" {
    set_answer welltory/rules '{"status":202}'
    local answer
    while read -r answer; do
        get /api/v1/receivers/welltory/rules/answer --request PUT --data-binary "${answer}"
        expect_status 400
    done <<'END'
{"headers":{"X-A":"b\r\nSet-Cookie: c"}}
{"headers":{"X-A\r\nX-B":"c"}}
{"headers":{"":"a"}}
{"headers":{"Content-Length":"0"}}
{"headers":{"transfer-encoding":"chunked"}}
{"headers":{"Connection":"close"}}
{"headers":{"Date":"x"}}
{"headers":{"X-A":" a"}}
{"headers":{"X-A":"é"}}
{"headers":{"A":"1","a":"2"}}
{"headers":["X-A"]}
{"status":204,"body":"a"}
{"status":304,"body":"a"}
{"status":199}
{"status":600}
{"status":"200"}
{"status":200.5}
{"fail_status":200}
{"status":426}
{"fail_status":426,"fail_first":1}
{"fail_status":500}
{"fail_retry_after_seconds":1,"status":202}
{"fail_first":0}
{"fail_every":-1}
{"fail_first":1e300}
{"delay_milliseconds":60001}
{"body":1}
{"Status":200}
[]
{"status":200,"status":201}
END
    jq --null-input --raw-input '{body: ("a" * 65537)}' </dev/null >"${SCRATCH}/large"
    get /api/v1/receivers/welltory/rules/answer --request PUT --data-binary "@${SCRATCH}/large"
    expect_status 400
    head --bytes 600000 /dev/zero | tr '\0' ' ' >"${SCRATCH}/huge"
    get /api/v1/receivers/welltory/rules/answer --request PUT --data-binary "@${SCRATCH}/huge"
    expect_status 413
    get /api/v1/receivers/welltory/rules/answer
    expect_json '.answer.status == 202'
    get /api/v1/receivers/apple/rules/answer
    expect_status 404
    get /api/v1/receivers/welltory/RULES/answer
    expect_status 400
    get '/api/v1/receivers/welltory/rules/answer?x=1'
    expect_status 400
    get /api/v1/receivers/welltory/rules/answer --request PUT --data '{}' --header 'Origin: https://evil.example'
    expect_status 403
}

@test "what was answered stays through export, import, decoding again and verifying" {
    set_answer welltory/kept '{"fail_first":1}'
    get '/callbacks/welltory/kept?stress=0.5'
    expect_status 503
    get '/api/v1/export?inbox=kept'
    cp "${BODY}" "${SCRATCH}/kept.ndjson"
    expect_json '.answer.status == 503'
    get '/api/v1/export?inbox=kept&format=har'
    expect_json '.log.entries[0].response | .status == 503 and .statusText == "Service Unavailable"'
    "${LANDFALL_BIN}" results import "${SCRATCH}/kept.ndjson" --data "${SCRATCH}/other"
    "${LANDFALL_BIN}" results verify --data "${SCRATCH}/other"
    jq --compact-output 'del(.crc32) | .answer.status = "503"' "${SCRATCH}/kept.ndjson" >"${SCRATCH}/wrong.ndjson"
    run -1 "${LANDFALL_BIN}" results import "${SCRATCH}/wrong.ndjson" --data "${SCRATCH}/wrong"
    jq --compact-output 'del(.crc32) | .verdict = "undecodable"' "${SCRATCH}/kept.ndjson" >"${SCRATCH}/former.ndjson"
    "${LANDFALL_BIN}" results import "${SCRATCH}/former.ndjson" --data "${SCRATCH}/former"
    "${LANDFALL_BIN}" results redecode --apply --data "${SCRATCH}/former"
    tail --lines 1 "${SCRATCH}/former/results/"*.jsonl | jq --exit-status \
        'has("redecoded_at") and .verdict == "decoded" and .answer.status == 503'
    "${LANDFALL_BIN}" results verify --data "${SCRATCH}/former"
    run -0 "${LANDFALL_BIN}" results list --data "${SCRATCH}/other" --json 'answered:400..599'
    [[ "$(jq '.results | length' <<<"${output}")" == 1 ]] || fail "${output}"
    run -0 "${LANDFALL_BIN}" results get "$(jq --raw-output .id "${SCRATCH}/kept.ndjson")" --data "${SCRATCH}/other"
    [[ "${output}" == *"answer    503, a set failure, number 1"* ]] || fail "${output}"
    get /api/v1/store/verify --request POST
    expect_status 200
    expect_json '.damaged == null or (.damaged | length) == 0'
}

@test "waiting answers are sent at once when the server stops, and a new one has the configuration's" {
    local settings='receivers: [{host: a.example, path: /a, vendor: raw, answer: {status: 202}}]'
    start_configured "${SCRATCH}/server" <<<"${settings}"
    set_answer welltory/stop '{"delay_milliseconds":60000,"status":299}'
    set_answer raw/default '{"fail_every":1}'
    "${CURL[@]}" --output /dev/null --write-out '%{http_code}' "${LANDFALL_URL}/callbacks/welltory/stop?stress=0.5" \
        >"${SCRATCH}/stopped" &
    local waiting=$!
    get '/api/v1/results/wait?inbox=stop&count=1&within=10s'
    local began="${SECONDS}"
    stop_landfall
    wait "${waiting}"
    [[ "$(<"${SCRATCH}/stopped")" == 299 ]] || fail "got $(<"${SCRATCH}/stopped")"
    ((SECONDS - began < 10)) || fail "it waited for $((SECONDS - began)) s"
    start_configured "${SCRATCH}/server" <<<"${settings}"
    get /api/v1/receivers
    expect_json '.receivers | length == 1 and .[0].source == "configuration" and .[0].answered == 0'
    get /a --header 'Host: a.example'
    expect_status 202
    stop_landfall
}
