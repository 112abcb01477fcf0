#!/usr/bin/env bats
# Flux's webhooks: signed as Svix signs (vendor document 1.4), stored once, and never believed unsigned.
# Invariant: signatures here are made by openssl, so that none of our own code judges itself.
# Left out: every way in which a signature can be wrong (Tests/landfallTests/Webhooks).

# shellcheck disable=SC2016 # programs of jq have variables of their own
load setup

SECRET=whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw
IDS='{"item_ids":["66f1a2b3c4d5e6f708192a3b"]}'

setup_file() {
    start_configured "${BATS_FILE_TMPDIR}/server" <<END
webhooks:
  secrets: [whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA, ${SECRET}]
END
}

teardown_file() {
    stop_landfall
}

# signature ID TIMESTAMP BODY
signature() {
    local key
    key="$(printf '%s' "${SECRET#whsec_}" | base64 --decode | od -An -v -tx1 | tr -d ' \n')"
    printf '%s.%s.%s' "$1" "$2" "$3" | openssl dgst -sha256 -mac HMAC -macopt "hexkey:${key}" -binary |
        base64 --wrap 0
}

# deliver INBOX ID TIMESTAMP BODY [PREFIX [SIGNED BODY]]: signed, under the names that begin with PREFIX.
deliver() {
    local inbox="$1" id="$2" timestamp="$3" body="$4" prefix="${5:-svix}" signed="${6:-$4}"
    post_json "/callbacks/dimmy/${inbox}" "${body}" --header "${prefix}-id: ${id}" \
        --header "${prefix}-timestamp: ${timestamp}" \
        --header "${prefix}-signature: v1,$(signature "${id}" "${timestamp}" "${signed}")"
}

# expect_refused PROGRAM: the last answer refuses a delivery, which is stored all the same.
expect_refused() {
    local id
    expect_problem 401 '.type == "urn:landfall:problem:webhook-not-verified"'
    expect_json "$1"
    expect_no_match "${SECRET#whsec_}" "${BODY}"
    id="$(jq --raw-output .id "${BODY}")"
    get "/api/v1/results/${id}"
    expect_status 200
    expect_json '.diagnostics[0].severity == "warning" and .diagnostics[0].code == "webhook_not_verified"
        and (.verdict | . == "decoded_with_warnings" or . == "undecodable")'
}

# expect_count NUMBER INBOX
expect_count() {
    get "/api/v1/results?inbox=$2"
    expect_json '.results | length == $number' --argjson number "$1"
}

@test "a signed delivery is stored, under the names of Svix and without a brand" {
    deliver signed msg_1 "$(date +%s)" "${IDS}"
    [[ "${STATUS}" == 201 || "${STATUS}" == 422 ]]
    deliver signed msg_2 "$(date +%s)" "${IDS}" webhook
    [[ "${STATUS}" == 201 || "${STATUS}" == 422 ]]
    expect_count 2 signed
    expect_json '[.results[].diagnostics[] | select(.code == "webhook_not_verified")] == []'
}

@test "the ids of scanned items are found by search and by field" {
    deliver ids msg_ids "$(date +%s)" '{"item_ids":["77f1a2b3c4d5e6f708192a3b","88f1a2b3c4d5e6f708192a3b"]}'
    expect_status 201
    local query
    for query in 88f1a2b3c4d5e6f708192a3b result.item_id:77f1a2b3c4d5e6f708192a3b; do
        get "/api/v1/results?inbox=ids&q=${query}"
        expect_json '.results | length == 1'
    done
}

@test "a delivery that can't be decoded is answered like the first when it comes again" {
    deliver lost msg_lost "$(date +%s)" '{"item_ids":7'
    expect_status 422
    local id
    id="$(jq --raw-output .id "${BODY}")"
    deliver lost msg_lost "$(date +%s)" '{"item_ids":7'
    expect_status 422
    expect_field Idempotent-Replayed true
    expect_json '.id == $id and .verdict == "undecodable"' --arg id "${id}"
    expect_count 1 lost
}

@test "a delivery that comes again is answered with 200 and stored once" {
    local id
    deliver again msg_1 "$(date +%s)" "${IDS}"
    id="$(jq --raw-output .id "${BODY}")"
    deliver again msg_1 "$(($(date +%s) + 7))" "${IDS}"
    expect_status 200
    expect_field Idempotent-Replayed true
    expect_json '.id == $id' --arg id "${id}"
    deliver again msg_1 "$(date +%s)" "${IDS}" webhook
    expect_status 200
    expect_count 1 again
    deliver again msg_2 "$(date +%s)" "${IDS}"
    [[ "${STATUS}" != 200 ]]
    expect_count 2 again
}

@test "an old, an early and a wrong signature are stored and answered with 401, and it is said why" {
    deliver refused msg_1 "$(($(date +%s) - 400))" "${IDS}"
    expect_refused '.detail | test("timestamp that is 40[0-9] s old")'
    deliver refused msg_1 "$(($(date +%s) + 400))" "${IDS}"
    expect_refused '.detail | test("lies (39[0-9]|400) s ahead")'
    deliver refused msg_1 "$(date +%s)" "${IDS}" svix 'another body'
    expect_refused '.detail | contains("match")'
    post_json /callbacks/dimmy/refused "${IDS}" --header 'svix-id: m' --header "svix-timestamp: $(date +%s)" \
        --header 'svix-signature: v2,AAAA'
    expect_refused '.detail | contains("no v1 entry")'
    post_json /callbacks/dimmy/refused "${IDS}" --header 'svix-id: m'
    expect_refused '.detail | contains("no svix-timestamp, no svix-signature")'
    expect_count 5 refused
    # Decoding them again makes none of them a delivery that is believed.
    get /api/v1/store/redecode --request POST
    expect_json '.changed == 0'
}

@test "an unsigned delivery is refused, and an app's callback needs no signature" {
    post_json /callbacks/dimmy/unsigned "${IDS}"
    expect_refused '.detail | contains("no svix-id")'
    post_json /callbacks/dimmy/unsigned '{"_id":"1","started_at":"2026-11-21T06:13:00Z"}'
    expect_refused true
    get '/callbacks/dimmy/unsigned?status=cancelled'
    expect_status 201
    post_form /callbacks/dimmy/unsigned 'status=cancelled'
    expect_status 201
    post_form /callbacks/welltory/unsigned 'stress=0.3' --header 'svix-id: m'
    expect_status 201
}

@test "a delivery that was refused is stored when it comes signed" {
    deliver mended msg_1 "$(date +%s)" "${IDS}" svix wrong
    expect_refused true
    deliver mended msg_1 "$(date +%s)" "${IDS}"
    [[ "${STATUS}" == 201 || "${STATUS}" == 422 ]]
    deliver mended msg_1 "$(date +%s)" "${IDS}"
    expect_status 200
    expect_count 2 mended
}

@test "an Idempotency-Key of a refused delivery may be used again by one that is signed" {
    local now wanted
    now="$(date +%s)"
    post_json /callbacks/dimmy/keyed "${IDS}" --header 'Idempotency-Key: k'
    expect_refused true
    # The second one repeats the first.
    for wanted in 201 200; do
        post_json /callbacks/dimmy/keyed "${IDS}" --header 'Idempotency-Key: k' --header 'svix-id: msg_1' \
            --header "svix-timestamp: ${now}" --header "svix-signature: v1,$(signature msg_1 "${now}" "${IDS}")"
        expect_status "${wanted}"
        expect_count 2 keyed
    done
}

@test "a delivery is recognised by what is signed, whatever else of it is changed" {
    local now id fields
    now="$(date +%s)"
    printf '%s' "${IDS}" | gzip >"${SCRATCH}/packed"
    for id in msg_1 'msg with spaces' "$(printf 'm%.0s' {1..300})"; do
        fields=(--header "svix-timestamp: ${now}" --header "svix-signature: v1,$(signature "${id}" "${now}" "${IDS}")")
        post_json /callbacks/dimmy/replayed "${IDS}" "${fields[@]}" --header "svix-id: ${id}" \
            --header 'Idempotency-Key: first'
        expect_status 201
        fields+=(--header "webhook-id: ${id}")
        post_json '/callbacks/dimmy/replayed?again=1' "${IDS}" "${fields[@]}" --header "svix-id: ${id}"
        expect_status 200
        post_json /callbacks/dimmy/%72eplayed "${IDS}" "${fields[@]}"
        expect_status 200
        post_json /callbacks/dimmy/replayed "${IDS}" "${fields[@]}" --header 'svix-id;' \
            --header 'Idempotency-Key: other'
        expect_status 200
        post_json /callbacks/dimmy/replayed "@${SCRATCH}/packed" "${fields[@]}" --header 'Content-Encoding: gzip'
        expect_status 200
        expect_field Idempotent-Replayed true
    done
    # The method isn't signed, and only a POST is recognised.
    get /callbacks/dimmy/replayed "${fields[@]}" --header 'Content-Type: application/json' --data "${IDS}" --request GET
    expect_status 401
    expect_count 4 replayed
    # An inbox of its own may be another endpoint, to which the sender delivers the same message.
    post_json /callbacks/dimmy/replayed-elsewhere "${IDS}" "${fields[@]}"
    expect_status 201
}

@test "however many refusals come between, a delivery is stored once" {
    local number
    deliver between msg_1 "$(date +%s)" "${IDS}"
    for number in {1..12}; do
        deliver between msg_1 "$(date +%s)" "${IDS}" svix wrong
        [[ "${STATUS}" == 401 ]]
    done
    deliver between msg_1 "$(date +%s)" "${IDS}"
    expect_status 200
    expect_field Idempotent-Replayed true
    expect_count 13 between
}

# adopt_delivery TIMESTAMP BODY [SIGNED BODY]: a delivery that came to no route is adopted; its record is the last
# answer.
adopt_delivery() {
    local timestamp="$1" body="$2" signed="${3:-$2}" id
    post_json /callbacks/dimmi/adopted "${body}" --header 'svix-id: msg_1' --header "svix-timestamp: ${timestamp}" \
        --header "svix-signature: v1,$(signature msg_1 "${timestamp}" "${signed}")"
    id="$(jq --raw-output .stray "${BODY}")"
    get "/api/v1/results/${id}/adopt?vendor=dimmy" --request POST
    expect_status 201
    get "/api/v1/results/$(jq --raw-output .id "${BODY}")"
}

@test "a stray that is adopted is believed only if its signature was right when it came" {
    local secret='{"item_ids":["99f1a2b3c4d5e6f708192a3b"],"password":"hush-hush"}'
    adopt_delivery "$(date +%s)" "${IDS}"
    expect_json '.contract == "flux-webhook" and ([.diagnostics[].code] | index("webhook_not_verified")) == null'
    adopt_delivery "$(date +%s)" "${IDS}" 'another body'
    expect_json '.diagnostics[0].code == "webhook_not_verified" and (.diagnostics[0].found | contains("match"))
        and .verdict == "decoded_with_warnings"'
    adopt_delivery "$(($(date +%s) - 400))" "${IDS}"
    expect_json '.diagnostics[0] | .code == "webhook_not_verified" and (.found | test("40[0-9] s old"))'
    # What was redacted can't be verified any more.
    adopt_delivery "$(date +%s)" "${secret}"
    expect_json '.diagnostics[0] | .code == "webhook_not_verified" and (.found | contains("redacted"))
        and (.hint | contains("send it again"))'
    post_json /callbacks/dimmi/adopted "${IDS}"
    get "/api/v1/results/$(jq --raw-output .stray "${BODY}")/adopt?vendor=dimmy" --request POST
    expect_status 201
    expect_json '.diagnostics[0].code == "webhook_not_verified" and (.diagnostics[0].found | contains("no svix-id"))'
}

@test "a delivery has to be signed by whatever method and in whatever layer it comes" {
    local body
    get /callbacks/flux/layers --request GET --header 'Content-Type: application/json' --data "${IDS}"
    expect_refused '.detail | contains("no svix-id")'
    for body in $'\xef\xbb\xbf'"${IDS}" "$(jq --null-input --compact-output --arg text "${IDS}" '$text')" \
        "$(jq --null-input --raw-output --arg text "${IDS}" '$text | @uri')"; do
        post_json /callbacks/flux/layers "${body}"
        expect_refused '.detail | contains("no svix-id")'
    done
    get '/callbacks/flux/layers?status=cancelled' --header 'svix-id: msg_1'
    expect_status 201
}

@test "without secrets nothing is asked for, and secrets may come from the environment" {
    start_landfall "${BATS_TEST_TMPDIR}/open"
    post_json /callbacks/dimmy "${IDS}"
    [[ "${STATUS}" != 401 ]]
    deliver default msg_1 1614265330 "${IDS}"
    [[ "${STATUS}" != 401 ]]
    stop_landfall
    LANDFALL_WEBHOOK_SECRETS="${SECRET}" start_landfall "${BATS_TEST_TMPDIR}/environment"
    post_json /callbacks/dimmy "${IDS}"
    expect_problem 401
    deliver default msg_1 "$(date +%s)" "${IDS}"
    [[ "${STATUS}" != 401 ]]
    stop_landfall
}

@test "a secret of another form is refused without being repeated" {
    mkdir -p "${BATS_TEST_TMPDIR}/bad"
    echo 'webhooks: {secrets: [OPENSESAMEOPENSESAME]}' >"${BATS_TEST_TMPDIR}/bad/landfall.yaml"
    run -3 "${LANDFALL_BIN}" serve --config "${BATS_TEST_TMPDIR}/bad/landfall.yaml" --port 0
    [[ "${output}" == *webhooks.secrets* && "${output}" == *whsec_* && "${output}" != *OPENSESAME* ]]
}
