#!/usr/bin/env bats
# Flows: a link is made, callbacks come back by path, by query, by the vendor's keys, or not at all.
# Left out: states that need hours, which the unit tests know.

# bats file_tags=alone

# shellcheck disable=SC2016 # programs of jq have variables of their own
load setup

setup_file() {
    start_configured "${BATS_FILE_TMPDIR}/server" <<<'flows: {lost_after_seconds: 600}'
}

teardown_file() {
    stop_landfall
}

# mint JSON: makes a launch; its members are in ${FLOW}, ${LINK} and ${RETURN}.
mint() {
    post_json /api/v1/launches "$1"
    expect_status 201
    FLOW="$(jq --raw-output .flow "${BODY}")"
    LINK="$(jq --raw-output .url "${BODY}")"
    RETURN="$(jq --raw-output .callback "${BODY}")"
}

# state FLOW: what became of it.
state() {
    get "/api/v1/flows/$1"
    jq --raw-output .state "${BODY}"
}

# start_losing SECONDS: a server of the test's own, which takes flows for lost after so long.
start_losing() {
    start_configured "${BATS_TEST_TMPDIR}/losing" <<<"flows: {lost_after_seconds: $1}"
}

# expect_lost FLOW: returns when it is lost.
expect_lost() {
    local attempt
    for ((attempt = 0; attempt < 300; attempt++)); do
        if [[ "$(state "$1")" == lost ]]; then return; fi
        sleep 0.1
    done
    fail "the flow $1 was not lost within 30 s"
}

@test "a link without a callback gets this server's receiver, with the flow in its path" {
    mint '{"vendor":"dimmy","parameters":{"flowName":"Parcel + 1","code":42},"inbox":"minted"}'
    [[ "${RETURN}" == "${LANDFALL_URL}/callbacks/dimmy/minted/${FLOW}" ]]
    [[ "${LINK}" == "https://flux.api.optioryx.com/open?flowName=Parcel%20%2B%201&callback=${RETURN}&code=42" ]]
    expect_json '.vendor == "dimmy" and .contract == "flux" and .diagnostics == []'
    [[ "$(state "${FLOW}")" == launched ]]
    get "${RETURN#"${LANDFALL_URL}"}?status=cancelled"
    expect_json '.flow == $flow and .verdict == "decoded"' --arg flow "${FLOW}"
    get "/api/v1/flows/${FLOW}"
    expect_json '.state == "returned" and .outcome == "cancelled" and .contract == "flux" and .inbox == "minted"
        and .callbacks == 1 and .latency_ms >= 0
        and ([.messages[].kind] == ["launch", "callback"])
        and .messages[1].record.request.method == "GET"'
    get "/api/v1/results?flow=${FLOW}&contract=flux"
    expect_json '.results | length == 1'
}

@test "a partner's own callback keeps its query and fragment, and carries the flow besides" {
    mint '{"vendor":"welltory","parameters":{"source":"Partner"},"callback":"partner://done?order=7#top"}'
    [[ "${RETURN}" == "partner://done?order=7&landfall_flow=${FLOW}#top" ]]
    get "/callbacks/welltory?order=7&landfall_flow=${FLOW}&stress=0.3"
    expect_json '.flow == $flow' --arg flow "${FLOW}"
    [[ "$(state "${FLOW}")" == returned ]]
}

@test "a callback that a back end forwards keeps its flow, as form or JSON, however it is escaped" {
    local body name
    for body in '{"landfall_flow":"FLOW","status":"cancelled"}' '{"status":"cancelled","landfall\u005fflow":"FLOW"}'; do
        mint '{"vendor":"dimmy","parameters":{"flowName":"a"},"callback":"https://partner.example/cb"}'
        post_json /callbacks/dimmy "${body/FLOW/"${FLOW}"}"
        expect_json '.flow == $flow' --arg flow "${FLOW}"
        [[ "$(state "${FLOW}")" == returned ]]
    done
    for name in landfall_flow landfall%5Fflow; do
        mint '{"vendor":"dimmy","parameters":{"flowName":"a"},"callback":"https://partner.example/cb"}'
        post_form /callbacks/dimmy "${name}=${FLOW}&status=cancelled"
        expect_json '.flow == $flow' --arg flow "${FLOW}"
        mint '{"vendor":"dimmy","parameters":{"flowName":"a"},"callback":"https://partner.example/cb"}'
        get "/callbacks/dimmy?${name}=${FLOW}&status=cancelled"
        expect_json '.flow == $flow' --arg flow "${FLOW}"
    done
    post_form /callbacks/dimmy 'landfall_flow=7&status=cancelled'
    expect_json '.flow == null'
}

@test "an item's code tells its launch, wherever the callback comes" {
    local item='{"startedAt":"2026-11-21T06:13:00Z","endedAt":"2026-11-21T06:14:00Z","code":"CODE-778"}' joined forwarded
    get '/emulate/flux/open?flowName=A&code=CODE-778&scenario=silent&callback=yourapp%3A%2F%2Fflux'
    joined="$(field Landfall-Flow)"
    get '/emulate/flux/open?flowName=A&code=CODE-779&scenario=silent&callback=https%3A%2F%2Fpartner.example%2Fcb'
    forwarded="$(field Landfall-Flow)"
    post_json /callbacks/dimmy "${item}"
    expect_json '.flow == $flow' --arg flow "${joined}"
    post_form /callbacks/dimmy "status=completed&response=$(base64 --wrap=0 <<<"${item/778/779}" | jq --raw-input --raw-output @uri)"
    expect_json '.flow == $flow' --arg flow "${forwarded}"
    get "/api/v1/flows/${joined}"
    expect_json '.state == "returned"'
    # A webhook tells of the same item, and ends no flow a second time.
    post_json /callbacks/dimmy "${item}" --header 'svix-id: msg_1'
    expect_json '.flow == null'
}

@test "Ailet's answers are joined by visit and task, and by neither where two launches fit" {
    local first second parameters
    parameters='{"method":"visit","login":"ana","password":"hush-hush","store_id":"s","visit_id":"v-1","task_id":"t-1","back_url_scheme":"partner"}'
    mint "{\"vendor\":\"ailet\",\"parameters\":${parameters},\"inbox\":\"visits\"}"
    first="${FLOW}"
    [[ "${LINK}" == *password=hush-hush* ]]
    post_json /callbacks/ailet/visits '{"status":"IR_RESULT_INPROGRESS","visit_id":"v-1","task_id":"t-1"}'
    expect_json '.flow == $flow and .outcome == "in_progress"' --arg flow "${first}"
    post_json /callbacks/ailet/visits '{"status":"IR_RESULT_OK","visit_id":"v-1","task_id":"other"}'
    expect_json '.flow == null and .diagnostics == []'
    mint "{\"vendor\":\"ailet\",\"parameters\":${parameters},\"inbox\":\"visits\"}"
    second="${FLOW}"
    post_json /callbacks/ailet/visits '{"status":"IR_RESULT_OK","visit_id":"v-1","task_id":"t-1"}'
    expect_json '.flow == null and .verdict == "decoded" and (.diagnostics | length == 1)
        and (.diagnostics[0] | .severity == "info" and .code == "several_flows_fit"
            and (.found | contains($first) and contains($second)))' --arg first "${first}" --arg second "${second}"
    expect_no_match --recursive hush-hush "${SERVER_DATA}"
}

@test "a callback moves no flow of another inbox, neither by key nor by name" {
    local team parameters='{"method":"visit","login":"a","password":"b","store_id":"s","visit_id":"v-5","back_url_scheme":"partner"}'
    local -A flows
    for team in team-a team-b; do
        mint "{\"vendor\":\"ailet\",\"parameters\":${parameters},\"inbox\":\"${team}\"}"
        flows[${team}]="${FLOW}"
    done
    post_json "/callbacks/ailet/team-b/${flows[team-a]}" '{"status":"IR_RESULT_OK","visit_id":"v-5"}'
    expect_json '.flow == null and .diagnostics[0].code == "flow_of_another_inbox"'
    post_json /callbacks/ailet/team-b '{"status":"IR_RESULT_OK","visit_id":"v-5"}'
    expect_json '.flow == $flow' --arg flow "${flows[team-b]}"
    get "/api/v1/flows/${flows[team-a]}"
    expect_json '.callbacks == 0 and .inbox == "team-a" and .outcome == null'
}

@test "what has ended takes the same once more and nothing else, and stays as it was" {
    mint '{"vendor":"dimmy","parameters":{"flowName":"a"},"inbox":"ended"}'
    get "/callbacks/dimmy/ended/${FLOW}?status=cancelled"
    expect_json '.flow == $flow' --arg flow "${FLOW}"
    get "/callbacks/dimmy/ended/${FLOW}?status=error&error=not_logged_in"
    expect_json '.flow == null and (.diagnostics | map(.code) == ["flow_has_ended"])'
    get "/api/v1/flows/${FLOW}"
    expect_json '.state == "returned" and .outcome == "cancelled" and .callbacks == 1'
    get "/callbacks/dimmy/ended/${FLOW}?status=cancelled"
    [[ "$(state "${FLOW}")" == duplicate ]]
    start_losing 1
    mint '{"vendor":"dimmy","parameters":{"flowName":"a"},"inbox":"ended"}'
    expect_lost "${FLOW}"
    get "/callbacks/dimmy/ended/${FLOW}?status=cancelled"
    expect_json '.flow == null and (.diagnostics | map(.code) == ["flow_was_lost"])'
    [[ "$(state "${FLOW}")" == lost ]]
    stop_landfall
}

@test "a callback that names an unknown flow of the future is kept without a flow, and says why" {
    local future=ffffffff-ffff-7fff-bfff-000000000001
    get "/callbacks/welltory/future/${future}?stress=0.3"
    expect_status 201
    expect_json '.flow == null and any(.diagnostics[]; .code == "flow_of_the_future" and .severity == "info"
        and .found == $flow)' --arg flow "${future}"
    get "/callbacks/welltory/future?stress=0.3&landfall_flow=${future}"
    expect_json '.flow == null'
    get "/emulate/rezolve/12/252/7/1041?landfall_flow=${future}"
    get '/api/v1/flows?inbox=future'
    expect_json '.flows == []'
    get "/api/v1/flows/${future}"
    expect_status 404
}

@test "a launch that ends on a screen of the vendor's app, or names no callback, is not lost" {
    local ailet='/emulate/ailet?login=a&password=b&visit_id=v-screen' flows=() link
    start_losing 1
    for link in "${ailet}&method=summaryReport&back_url_scheme=partner" "${ailet}&method=showVisitReport" \
        "${ailet}&method=visit&store_id=s" '/emulate/flux/open?flowName=A'; do
        get "${link}"
        flows+=("$(field Landfall-Flow)")
    done
    get "${ailet}&method=visit&store_id=s&back_url_scheme=partner&scenario=silent"
    flows+=("$(field Landfall-Flow)")
    expect_lost "${flows[4]}"
    for link in 0 1 2 3; do [[ "$(state "${flows[link]}")" == launched ]]; done
    get "/callbacks/dimmy?landfall_flow=${flows[3]}&status=cancelled"
    expect_json '.flow == $flow' --arg flow "${flows[3]}"
    stop_landfall
}

@test "a person's time on the emulated screen is apart, and the first opening is when it was launched" {
    local target opened seed
    mint '{"vendor":"dimmy","parameters":{"flowName":"a"},"inbox":"person"}'
    target="$(jq --raw-output .emulator_url "${BODY}")"
    target="${target#"${LANDFALL_URL}"}"
    get "${target}" --header 'Accept: text/html'
    expect_status 200
    seed="$(grep --only-matching --perl-regexp 'name="seed" value="\K[0-9]+' "${BODY}" | head -1)"
    get "/api/v1/flows/${FLOW}"
    opened="$(jq --raw-output .launched_at "${BODY}")"
    sleep 0.3
    post_form "${target}" "flow=${FLOW}&seed=${seed}&scenario=cancelled" --header 'Accept: text/html' --max-redirs 0
    expect_status 302
    local back
    back="$(field Location)"
    get "${back#"${LANDFALL_URL}"}"
    expect_json '.flow == $flow' --arg flow "${FLOW}"
    get "/api/v1/flows/${FLOW}"
    expect_json '.launched_at == $opened and .person_ms >= 300 and .latency_ms >= .person_ms' --arg opened "${opened}"
}

@test "what came twice, what came unasked, and what never came are told apart, and reported" {
    local orphan=019a8000-0000-7000-8000-000000000001
    # Both callbacks of the flow that is answered twice come in this time.
    start_losing 8
    get "/callbacks/dimmy/odd/${orphan}?status=cancelled"
    expect_json '.flow == $flow' --arg flow "${orphan}"
    [[ "$(state "${orphan}")" == orphan ]]
    mint '{"contract":"dimmy-2024","parameters":{"flow":"default"},"inbox":"odd"}'
    local twice="${FLOW}"
    for _ in 1 2; do
        get "/callbacks/dimmy/odd/${twice}?response=e30="
        expect_status 201
    done
    [[ "$(state "${twice}")" == duplicate ]]
    mint '{"vendor":"dimmy","parameters":{"flowName":"a"},"inbox":"odd"}'
    local lost="${FLOW}"
    expect_lost "${lost}"
    get /api/v1/flows/report
    expect_json '(.lost | index($lost)) != null and (.orphan | index($orphan)) != null
        and (.duplicate | index($twice)) != null
        and (.vendors[] | select(.vendor == "dimmy") | .duplicate >= 1 and .latency_p50_ms >= 0)' \
        --arg lost "${lost}" --arg orphan "${orphan}" --arg twice "${twice}"
    get '/api/v1/flows/report?inbox=odd&vendor=dimmy'
    expect_json '[.vendors[] | [.vendor, .flows, .lost, .orphan, .duplicate]] == [["dimmy", 3, 1, 1, 1]]'
    get '/api/v1/flows/report?inbox=odd&state=lost'
    expect_json '.lost == [$lost] and .orphan == [] and .vendors[0].flows == 1' --arg lost "${lost}"
    get '/api/v1/flows/report?inbox=elsewhere'
    expect_json '.vendors == [] and .lost == []'
    local since
    for since in 1h -1d "$(date --utc --date yesterday +%F)" 2026-01-01T01:00:00+01:00; do
        get "/api/v1/flows/report?inbox=odd&state=lost&since=${since}"
        expect_json '.lost == [$lost]' --arg lost "${lost}"
    done
    get '/api/v1/flows/report?inbox=odd&since=0s'
    expect_json '.flows == 0 and .lost == []'
    get '/api/v1/flows/report?since=soon'
    expect_problem 400 '.errors[0].name == "since"'
    get '/api/v1/flows/report?inbox=no%20name'
    expect_problem 400 '.errors[0].name == "inbox"'
    get '/api/v1/flows?state=lost,orphan&inbox=odd&vendor=dimmy'
    expect_json '[.flows[].state] | sort == ["lost", "orphan"]'
    stop_landfall
}

@test "who accepts an image gets the link as a QR code" {
    post_json /api/v1/launches '{"vendor":"dimmy","parameters":{"flowName":"a"}}' --header 'Accept: image/svg+xml'
    expect_status 201
    expect_field Content-Type image/svg+xml
    grep --quiet '^<svg' "${BODY}"
    get "/api/v1/flows/$(field Landfall-Flow)"
    expect_json '.state == "launched"'
    post_json /api/v1/launches \
        "{\"vendor\":\"dimmy\",\"parameters\":{\"flowName\":\"$(printf 'a%.0s' {1..3000})\"},\"inbox\":\"too-long\"}" \
        --header 'Accept: image/svg+xml'
    expect_problem 400 '.errors[0].name == "parameters" and (.errors[0].detail | contains("QR code"))'
    get '/api/v1/results?kind=launch&inbox=too-long'
    expect_json '.results == []'
}

@test "who accepts an image and JSON gets JSON with the QR code in it, or without where the link is too long" {
    local accept='Accept: application/json, image/svg+xml'
    post_json /api/v1/launches '{"vendor":"dimmy","parameters":{"flowName":"a"}}' --header "${accept}"
    expect_status 201
    expect_json '(.url | startswith("https://flux.")) and (.qr_code | startswith("<svg "))'
    post_json /api/v1/launches "{\"vendor\":\"dimmy\",\"parameters\":{\"flowName\":\"$(printf 'a%.0s' {1..3000})\"}}" \
        --header "${accept}"
    expect_status 201
    expect_json '.qr_code == null and has("qr_code")'
    post_json /api/v1/launches '{"vendor":"dimmy","parameters":{"flowName":"a"}}'
    expect_json 'has("qr_code") | not'
}

@test "flows are paged by cursor, each once, the newest first" {
    local ids cursor=""
    get '/api/v1/flows?limit=200'
    ids="$(jq --compact-output '[.flows[].id]' "${BODY}")"
    jq --exit-status 'length > 5 and . == (sort | reverse)' <<<"${ids}"
    while true; do
        get "/api/v1/flows?limit=2${cursor:+&cursor=${cursor}}"
        expect_status 200
        jq --raw-output '.flows[].id' "${BODY}" >>"${SCRATCH}/paged"
        cursor="$(jq --raw-output '.next_cursor // ""' "${BODY}")"
        [[ -n "${cursor}" ]] || break
    done
    [[ "$(jq --raw-input --slurp --compact-output 'split("\n")[:-1]' "${SCRATCH}/paged")" == "${ids}" ]]
}

@test "a server that starts again knows the flows of callbacks that come later" {
    local folder="${BATS_TEST_TMPDIR}/again"
    start_landfall "${folder}"
    mint '{"vendor":"ailet","parameters":{"method":"visit","login":"a","password":"b","store_id":"s","visit_id":"v-9","back_url_scheme":"partner"}}'
    stop_landfall
    start_landfall "${folder}"
    post_json /callbacks/ailet '{"status":"IR_RESULT_OK","visit_id":"v-9"}'
    expect_json '.flow == $flow' --arg flow "${FLOW}"
    stop_landfall
}

@test "a server that starts again knows a repeated callback of a flow that ended long ago" {
    start_configured "${BATS_TEST_TMPDIR}/ended" <<'END'
flows: {lost_after_seconds: 1}
END
    mint '{"vendor":"flux","parameters":{"flowName":"a"}}'
    get "/callbacks/flux/default/${FLOW}?status=cancelled"
    stop_landfall
    sleep 1.5
    start_configured "${BATS_TEST_TMPDIR}/ended" <<'END'
flows: {lost_after_seconds: 1}
END
    get "/callbacks/flux/default/${FLOW}?status=cancelled"
    expect_json '.flow == $flow and .diagnostics == []' --arg flow "${FLOW}"
    get "/callbacks/flux/default/${FLOW}?status=error&error=not_logged_in"
    expect_json '.flow == null and (.diagnostics | map(.code) == ["flow_has_ended"])'
    stop_landfall
}

@test "a flow whose callback is erased can be ended again, and one whose launch is erased takes none" {
    local callback
    mint '{"vendor":"welltory","parameters":{"source":"me"},"inbox":"taken-back"}'
    get "/callbacks/welltory/taken-back/${FLOW}?stress=0.1&energy=0.2"
    callback="$(jq --raw-output .id "${BODY}")"
    get "/callbacks/welltory/taken-back/${FLOW}?stress=0.3&energy=0.2"
    expect_json '.flow == null'
    get "/api/v1/results/${callback}" --request DELETE
    expect_status 204
    get "/callbacks/welltory/taken-back/${FLOW}?stress=0.3&energy=0.2"
    expect_json '.flow == $flow' --arg flow "${FLOW}"
    mint '{"vendor":"ailet","parameters":{"method":"visit","login":"a","password":"b","store_id":"s","visit_id":"v-7","back_url_scheme":"partner"},"inbox":"taken-back"}'
    get "/api/v1/results?kind=launch&flow=${FLOW}"
    get "/api/v1/results/$(jq --raw-output '.results[0].id' "${BODY}")" --request DELETE
    post_json /callbacks/ailet/taken-back '{"status":"IR_RESULT_OK","visit_id":"v-7"}'
    expect_json '.flow == null'
}

@test "a flow whose only record is damaged is neither listed nor counted" {
    local folder="${BATS_TEST_TMPDIR}/damaged" damaged
    start_landfall "${folder}"
    mint '{"vendor":"dimmy","parameters":{"flowName":"a"}}'
    damaged="${FLOW}"
    mint '{"vendor":"dimmy","parameters":{"flowName":"b"}}'
    stop_landfall
    sed -i '1s/"vendor":"dimmy"/"vendor":"dummy"/' "${folder}"/data/results/*.jsonl
    start_landfall "${folder}"
    get /api/v1/flows
    expect_json '[.flows[].id] == [$flow]' --arg flow "${FLOW}"
    get /api/v1/flows/report
    expect_json '.flows == 1 and .orphan == [] and [.vendors[] | [.vendor, .flows]] == [["dimmy", 1]]'
    get "/api/v1/flows/${damaged}"
    expect_problem 404
    stop_landfall
}

# progress COUNT: as many progress reports for the visit v-8.
progress() {
    local number
    for ((number = 0; number < $1; number++)); do
        printf 'next\nurl = "%s/callbacks/ailet/long?n=%s"\noutput = "%s"\n' "${LANDFALL_URL}" "${number}" "${BODY}"
        printf 'header = "Content-Type: application/json"\n'
        printf 'data = "{\\"status\\":\\"IR_RESULT_INPROGRESS\\",\\"visit_id\\":\\"v-8\\"}"\n'
    done | tail --lines +2 | curl --silent --fail --max-time 60 --config -
}

@test "a flow of very many progress reports returns, and stays ended when one of them is erased" {
    mint '{"vendor":"ailet","parameters":{"method":"visit","login":"a","password":"b","store_id":"s","visit_id":"v-8","back_url_scheme":"partner"},"inbox":"long"}'
    progress 205
    post_json /callbacks/ailet/long '{"status":"IR_RESULT_OK","visit_id":"v-8"}'
    expect_json '.flow == $flow' --arg flow "${FLOW}"
    progress 205
    get "/api/v1/flows/${FLOW}"
    expect_json '.state == "returned" and .outcome == "completed" and .callbacks == 411 and .out_of_order
        and .latency_ms >= 0 and (.messages | length) == 401
        and ([.messages[].after_ms] | . == sort)
        and ([.messages[] | select(.kind == "launch" or .outcome == "completed")] | length) == 2'
    get '/api/v1/flows/report?inbox=long'
    expect_json '.lost == [] and .vendors[0].returned == 1'
    get "/api/v1/results?inbox=long&outcome=in_progress&limit=1"
    get "/api/v1/results/$(jq --raw-output '.results[0].id' "${BODY}")" --request DELETE
    expect_status 204
    post_json /callbacks/ailet/long '{"status":"IR_RESULT_OK","visit_id":"v-8","again":1}'
    expect_json '.flow == null'
}

@test "a server knows the flows of launches that were imported" {
    local folder="${BATS_TEST_TMPDIR}"
    start_landfall "${folder}/one"
    mint '{"vendor":"ailet","parameters":{"method":"visit","login":"a","password":"b","store_id":"s","visit_id":"v-6","back_url_scheme":"partner"}}'
    curl --silent --fail --output "${folder}/lines" "${LANDFALL_URL}/api/v1/export"
    stop_landfall
    start_landfall "${folder}/other"
    get /api/v1/import --header 'Content-Type: application/x-ndjson' --data-binary "@${folder}/lines"
    expect_json '.imported == 1'
    post_json /callbacks/ailet '{"status":"IR_RESULT_OK","visit_id":"v-6"}'
    expect_json '.flow == $flow' --arg flow "${FLOW}"
    stop_landfall
}

@test "wrong launches and questions are refused, with what to do" {
    local body words
    while IFS='|' read -r body words; do
        post_json /api/v1/launches "${body}"
        expect_status 400
        grep --quiet --fixed-strings "${words}" "${BODY}" || { cat "${BODY}" >&2 && false; }
    done <<'END'
{|invalid JSON
[]|Expected a JSON object
{"vendor":"flix"}|Expected one of
{"vendor":"dimmy","parameters":{}}|flowName is missing
{"vendor":"dimmy","parameters":{"flowname":"a"}}|Did you mean flowName
{"vendor":"dimmy","parameters":{"flowName":"a"},"callback":"javascript:alert(1)"}|callback
{"vendor":"dimmy","parameters":{"flowName":["a"]}}|Expected an object of strings
{"vendor":"dimmy","flow":1}|Unknown member
{"vendor":"welltory","contract":"flux","parameters":{"flowName":"a"}}|Expected the vendor of flux, dimmy
{"vendor":"nobody","contract":"flux","parameters":{"flowName":"a"}}|Expected the vendor of flux, dimmy
{"vendor":"ailet","parameters":{"method":"sync","login":"a","password":"b"},"callback":"https://a.example/"}|back_url_scheme
{"vendor":"rezolve","parameters":{},"callback":"https://a.example/"}|these links name no callback
{"vendor":"dimmy","vendor":"dimmy"}|Give this member once
END
    get /api/v1/flows?state=gone
    expect_status 400
    get /api/v1/flows?state=,lost,
    expect_status 400
    get /api/v1/flows/nonsense
    expect_status 404
    get /api/v1/flows/019a8000-0000-7000-8000-00000000ffff
    expect_status 404
    get /callbacks/dimmy/odd/nonsense?status=cancelled
    expect_status 404
}

@test "a restarted server knows more launches than a page has" {
    local number folder="${BATS_TEST_TMPDIR}/many"
    start_landfall "${folder}"
    for number in {1..520}; do
        printf 'next\nurl = "%s/api/v1/launches"\noutput = "/dev/null"\nheader = "Content-Type: application/json"\n' \
            "${LANDFALL_URL}"
        printf 'data = "{\\"vendor\\":\\"ailet\\",\\"inbox\\":\\"many\\",\\"parameters\\":{\\"method\\":\\"visit\\",'
        printf '\\"login\\":\\"u\\",\\"password\\":\\"p\\",\\"visit_id\\":\\"v%s\\",\\"store_id\\":\\"s\\",' "${number}"
        printf '\\"back_url_scheme\\":\\"acme\\"}}"\n'
    done | tail --lines +2 | curl --silent --fail --max-time 60 --config -
    get '/api/v1/results?inbox=many&kind=launch&limit=1&sort=seq'
    expect_json '.total.count == 520'
    local first
    first="$(jq --raw-output '.results[0].flow' "${BODY}")"
    stop_landfall
    start_landfall "${folder}"
    get '/callbacks/ailet/many?result=%7B%22status%22%3A%22IR_RESULT_OK%22%2C%22visit_id%22%3A%22v1%22%7D'
    expect_json '.flow == $first' --arg first "${first}"
    stop_landfall
}
