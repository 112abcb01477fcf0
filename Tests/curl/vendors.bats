#!/usr/bin/env bats
# The vendors' published callbacks, each as GET, form POST and JSON POST: what went in as text comes out of
# the query API as typed values.
# Invariant: expected values are the vendors' own, from fixtures.
# Left out: the edges of each contract, which the unit tests of the decoders have.

# shellcheck disable=SC2016 # programs of jq have variables of their own
load setup

setup_file() {
    start_landfall "${BATS_FILE_TMPDIR}/server"
}

teardown_file() {
    stop_landfall
}

WELLTORY='{"stress":0.32,"energy":0.75,"productivity":0.63,"rmssd":90.3,"sdnn":45.1,"power":100,
    "stress_c":"green","productivity_c":"red","energy_c":"yellow"}'

# welltory: the last reply is about the published Welltory result. jq's equality tells types apart.
welltory() {
    expect_stored decoded '.vendor == "welltory" and .contract == "welltory-dds"
        and .outcome == "completed" and .diagnostics == [] and .result == $expected
        and (.result.stress | type) == "number"' --argjson expected "${WELLTORY}"
}

# dimmy CONTRACT ITEM BOX CONTEXT: the last reply is about the item in a fixture.
dimmy() {
    expect_stored decoded '.vendor == "dimmy" and .contract == $contract and .outcome == "completed"
        and .result.item == $item[0] and .result.first_box == $box
        and (.result.context // {}) == $context
        and (.result.item.dimensioning[0].dimensions.width | type) == "number"' \
        --arg contract "$1" --slurpfile item "${FIXTURES}/$2" --argjson box "$3" --argjson context "$4"
}

DIMMY_BOX='{"width":0.42,"height":0.3,"depth":0.2,"unit":null}'
FLUX_BOX='{"width":1.5,"height":2,"depth":3,"unit":"m"}'

# ailet FIXTURE: the last reply is about the report in a fixture; what Landfall adds are two members.
ailet() {
    expect_stored decoded '.vendor == "ailet" and .contract == "ailet-deeplink"
        and .outcome == "completed"
        and (.result | del(.status_code, .visit_id, .normalized)) == $report[0]
        and .result.status_code == 1 and .result.visit_id == "q"
        and (.result.report.photos["602cb5b7098ee-9451"].products[0]
            | .facing == 2 and .price == "46" and .price_type == 0 and .width.cm == 16)
        and (.result.report.assortment_achievement[0] | .price_type == false and .facing_real == 2)
        and .result.report.visit_stats.photo.sent == 1 and .result.report.custom == []' \
        --slurpfile report "${FIXTURES}/$1"
}

# --- Welltory ---------------------------------------------------------------------------------------

@test "the published Welltory result arrives by GET with typed values" {
    get "/callbacks/welltory?$(query_of welltory-callback.txt)"
    welltory
}

@test "the published Welltory result arrives as a form with typed values" {
    post_form /callbacks/welltory "$(query_of welltory-callback.txt)"
    welltory
}

@test "the published Welltory result arrives as JSON with typed values" {
    post_json /callbacks/welltory "${WELLTORY}"
    welltory
}

@test "a Welltory result whose JSON has its numbers in strings has numbers all the same" {
    post_json /callbacks/welltory "$(jq 'map_values(tostring)' <<<"${WELLTORY}")"
    welltory
}

@test "of a Welltory parameter that comes twice the last value counts, and it is said" {
    get "/callbacks/welltory?stress=0.1&stress=0.9"
    expect_stored decoded_with_warnings '.result.stress == 0.9
        and any(.diagnostics[]; .severity == "warning" and .code == "duplicate_parameter")'
}

@test "a Welltory number that can't be read costs no other one" {
    get "/callbacks/welltory?stress=0,32&energy=0.75"
    expect_stored decoded_with_warnings '.outcome == "completed" and .result == {"energy":0.75}
        and all(.diagnostics[]; .severity != "error")
        and any(.diagnostics[]; .severity == "warning" and (.offset | type) == "number")'
}

@test "not a number and infinity are no Welltory numbers" {
    local value
    for value in nan NaN inf -Infinity 0x1 1e999 ''; do
        get "/callbacks/welltory?stress=${value}"
        expect_stored undecodable '.result == null and .outcome == null'
    done
}

@test "plus signs of a GET query are literal, those of a form are spaces" {
    get "/callbacks/welltory?stress=0.5&energy=0.5&note=a+b"
    expect_stored decoded '.result.parameters.note == "a+b"'
    post_form /callbacks/welltory 'stress=0.5&energy=0.5&note=a+b'
    expect_stored decoded '.result.parameters.note == "a b"'
}

# --- Dimmy and Flux ---------------------------------------------------------------------------------

@test "the Dimmy callback arrives by GET, its Base64 unescaped as the vendor sends it" {
    get "/callbacks/dimmy?$(query_of dimmy-2024-callback.txt)"
    dimmy dimmy-2024 dimmy-2024-item.json "${DIMMY_BOX}" '{}'
}

@test "the Dimmy callback arrives as a form, even with its plus signs unescaped" {
    local response
    response="$(query_of dimmy-2024-callback.txt)"
    post_form /callbacks/dimmy "response=$(escaped "${response#response=}")"
    dimmy dimmy-2024 dimmy-2024-item.json "${DIMMY_BOX}" '{}'
    post_form /callbacks/dimmy "${response}"
    dimmy dimmy-2024 dimmy-2024-item.json "${DIMMY_BOX}" '{}'
}

@test "the Dimmy callback arrives as JSON with the response in a string" {
    local response
    response="$(query_of dimmy-2024-callback.txt)"
    post_json /callbacks/dimmy "{\"response\":\"${response#response=}\"}"
    dimmy dimmy-2024 dimmy-2024-item.json "${DIMMY_BOX}" '{}'
}

@test "a Dimmy item arrives as the JSON body itself" {
    post_json /callbacks/dimmy "@${FIXTURES}/dimmy-2024-item.json"
    dimmy dimmy-2024 dimmy-2024-item.json "${DIMMY_BOX}" '{}'
}

@test "the Flux callback arrives by GET with the partner's own parameter as context" {
    get "/callbacks/dimmy?$(query_of flux-callback.txt)"
    dimmy flux flux-item.json "${FLUX_BOX}" '{"order":"4711"}'
}

@test "the Flux callback arrives as a form" {
    post_form /callbacks/dimmy "$(query_of flux-callback.txt)"
    dimmy flux flux-item.json "${FLUX_BOX}" '{"order":"4711"}'
}

@test "the Flux callback arrives as JSON" {
    local query
    query="$(query_of flux-callback.txt)"
    post_json "/callbacks/dimmy?order=4711" "{\"status\":\"completed\",\"response\":\"${query##*response=}\"}"
    dimmy flux flux-item.json "${FLUX_BOX}" '{"order":"4711"}'
}

@test "Flux says cancelled" {
    get "/callbacks/dimmy?order=4711&status=cancelled"
    expect_stored decoded '.contract == "flux" and .outcome == "cancelled"
        and .result.context.order == "4711"'
}

@test "Flux says why it could not start" {
    local reason
    for reason in invalid_request not_logged_in flow_unavailable; do
        get "/callbacks/dimmy?status=error&error=${reason}"
        expect_stored decoded '.contract == "flux" and .outcome == "error"
            and .result.error == $reason' --arg reason "${reason}"
    done
}

@test "a Flux response that is Base64 but not JSON is undecodable at its byte, and its status counts" {
    local target='/callbacks/dimmy?status=completed&response=-_8' before
    before="${target%-_8}"
    get "${target}"
    expect_stored undecodable '.contract == "flux" and .outcome == "completed" and .result == null
        and any(.diagnostics[]; .severity == "error" and (.layer | . == "utf8" or . == "json")
            and .part == "target" and .offset == $offset)' --argjson offset "${#before}"
}

# --- Ailet ------------------------------------------------------------------------------------------

@test "the published Ailet reports arrive by GET with their nested values typed" {
    local report
    for report in ailet-report-with-task.json ailet-report-without-task.json; do
        get "/callbacks/ailet?result=$(escaped "$(<"${FIXTURES}/${report}")")"
        ailet "${report}"
    done
}

@test "the published Ailet reports arrive as a form" {
    local report
    for report in ailet-report-with-task.json ailet-report-without-task.json; do
        get /callbacks/ailet --data-urlencode "result@${FIXTURES}/${report}"
        ailet "${report}"
    done
}

@test "the published Ailet reports arrive as the JSON body itself" {
    local report
    for report in ailet-report-with-task.json ailet-report-without-task.json; do
        post_json /callbacks/ailet "@${FIXTURES}/${report}"
        ailet "${report}"
    done
}

@test "the task of an Ailet report is there when it was sent, and only then" {
    post_json /callbacks/ailet "@${FIXTURES}/ailet-report-with-task.json"
    expect_stored decoded '.result.task_id == "TASKID1"'
    post_json /callbacks/ailet "@${FIXTURES}/ailet-report-without-task.json"
    expect_stored decoded '.result | has("task_id") | not'
}

@test "Ailet's misnamed parameter report is read, with a warning" {
    get "/callbacks/ailet?report=$(escaped "$(<"${FIXTURES}/ailet-report-with-task.json")")"
    expect_stored decoded_with_warnings '.outcome == "completed" and .result.scenesCounter == 1
        and any(.diagnostics[]; .severity == "warning" and (.expected | contains("result")))'
}

@test "Ailet's statuses become outcomes" {
    local status outcome
    while read -r status outcome; do
        post_json /callbacks/ailet "{\"status\":\"${status}\"}"
        expect_stored decoded '.outcome == $outcome' --arg outcome "${outcome}"
    done <<<'IR_RESULT_OK completed
        IR_RESULT_EMPTY empty
        IR_RESULT_INPROGRESS in_progress
        IR_ERROR_NO_INET error
        IR_ERROR_AUTH error
        IR_ERROR_NOVISIT error'
}

@test "a status that Ailet does not document is kept and flagged" {
    post_json /callbacks/ailet '{"status":"IR_ERROR_TOMORROW"}'
    expect_stored decoded_with_warnings '.result.status == "IR_ERROR_TOMORROW"
        and any(.diagnostics[]; .severity == "warning" and .pointer == "/status")'
}

# --- What is taken out of items ---------------------------------------------------------------------

@test "the bar codes, photos and times of an item stand beside it and can be asked for" {
    post_json /callbacks/dimmy/codes '{"startedAt":"2026-03-09T13:02:11Z","endedAt":"2026-03-09T13:03:47Z",
        "photographing":[{"photos":["https://images.example.com/1.jpg"]}],
        "barcodeScanning":[{"barcodes":[{"value":"4006381333931"},{"value":"96385074"}]}]}'
    expect_stored decoded '.result.barcodes == ["4006381333931","96385074"]
        and .result.photo_urls == ["https://images.example.com/1.jpg"]
        and .result.started_at == "2026-03-09T13:02:11Z"'
    post_json /callbacks/dimmy/codes '{"startedAt":"2026-03-10T00:00:00Z","endedAt":"2026-03-10T00:00:01Z"}'
    local question
    for question in result.barcode=4006381333931 q=96385074 result.ended_at=2026-03-09T13:03:47Z; do
        get "/api/v1/results?inbox=codes&${question}"
        expect_status 200
        expect_json '.results | length == 1 and .[0].result.barcodes[1] == "96385074"'
    done
}

@test "a member that repeats is kept by pointer, and the reply is JSON without repetitions" {
    post_json /callbacks/dimmy '{"started_at":"2026-03-09T13:02:11Z","ended_at":"2026-03-09T13:03:11Z","started_at":"2026-03-09T13:02:12Z"}'
    expect_stored decoded_with_warnings '.result.started_at == "2026-03-09T13:02:11Z"
        and .result.duplicates == {"/started_at":["2026-03-09T13:02:11Z","2026-03-09T13:02:12Z"]}
        and ([.diagnostics[].code] == ["duplicate_member"])'
}

# --- All of them ------------------------------------------------------------------------------------

@test "raw decodes nothing and keeps everything" {
    post_form '/callbacks/raw?a=1' 'b=2'
    expect_stored unmatched '.vendor == "raw" and .contract == null and .outcome == null
        and .result == null and .diagnostics == [] and .request.body == {"encoding":"utf8","data":"b=2"}'
}

@test "typed values are in lists too" {
    get "/callbacks/welltory/typed?$(query_of welltory-callback.txt)"
    get '/api/v1/results?inbox=typed'
    expect_status 200
    expect_json '.results | length == 1 and .[0].result == $expected' --argjson expected "${WELLTORY}"
}
