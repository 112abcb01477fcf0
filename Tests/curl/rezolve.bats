#!/usr/bin/env bats
# The Rezolve sandbox from outside: registration and every reason that it hides, links, acts, and from a
# scan to an order.
# Invariant: what is stored never holds a token or a key; nothing that is sent is answered with 5xx,
# unless it asked for that.
# Left out: the single rules of tokens, which the unit tests have.

# shellcheck disable=SC2016,SC2153,SC2154 # programs of jq have variables of their own, and bats sets output
load setup

KEY='bats-partner-auth-key-0123456789-0123456789-0123456789-0123456789-0123456789-0123456789-012345'
REZOLVE=/emulate/rezolve
OPTION=5f0d1c52-9a39-4c0e-8a55-3f1f6f0a2520

setup_file() {
    start_configured "${BATS_FILE_TMPDIR}/server" <<CONFIGURATION
rezolve:
  fixtures: ${REPOSITORY}/Config/rezolve
  hosts: [core.partner.example]
  partners:
    - {id: 12, name: Bats, api_key: bats-api-key, auth_key: ${KEY}}
    - {id: 13, api_key: keyless}
CONFIGURATION
}

teardown_file() {
    stop_landfall
}

# token OPTION...: a token of the partner's.
token() {
    LANDFALL_REZOLVE_KEY="${KEY}" "${LANDFALL_BIN}" token mint --partner-entity-id person-7 "$@"
}

# register TOKEN [CURL OPTION]...: tries to register ada@example.com.
register() {
    local token="$1"
    shift
    post_json "${REZOLVE}/api/v1/authentication/register" '{"email":"ada@example.com"}' \
        --header 'x-rezolve-partner-apikey: bats-api-key' --header "Authorization: Bearer ${token}" "$@"
}

# expect_refused STATUS CODE: both shapes of the vendor's errors, with the code as a string.
expect_refused() {
    expect_status "$1"
    expect_field Content-Type application/json
    expect_json '.code == $code and [.errors[] | del(.detail)] == [{type, code, message}] and (.message | length) > 0' \
        --arg code "$2"
}

# expect_reason REASON: the last registration was stored with the real reason, and without secrets.
expect_reason() {
    local location
    location="$(field Location)"
    get "${location}"
    expect_status 200
    expect_json '.vendor == "rezolve" and .kind == "registration" and .contract == null and .outcome == "error"
        and .result.reason == $reason and .diagnostics[0].code == $reason' --arg reason "$1"
    expect_json '[.request.headers[] | select(.[0] | ascii_downcase
        | . == "authorization" or . == "x-rezolve-partner-apikey") | .[1]] | all(. == "[redacted]")'
    if grep --quiet --fixed-strings "${KEY}" "${BODY}"; then fail "the key was stored"; fi
}

# expect_logged PATTERN: the log gets such a line; a thread of its own writes it.
expect_logged() {
    local left=600
    until grep --quiet "$1" "${SERVER_LOG}"; do
        ((left -= 1)) || fail "not logged: $1"
        sleep 0.1
    done
}

# log_in: sets TOKEN, ENTITY and CUSTOMER, and the options of a call in CALL.
log_in() {
    post_json "${REZOLVE}/v2/credentials/login" \
        '{"username":"ada@example.com","password":"p","deviceId":"d-1"}'
    expect_status 200
    TOKEN="$(field authorization)"
    ENTITY="$(jq --raw-output .sdkEntity "${BODY}")"
    CUSTOMER="${REZOLVE}/api/v1/partner/12/customer/${ENTITY}"
    CALL=(--header 'x-rezolve-partner-apikey: bats-api-key' --header 'x-rezolve-device-id: d-1'
        --header "Authorization: Bearer ${TOKEN}")
}

# --- Registration -----------------------------------------------------------------------------------

@test "a right token registers, and the same address gets the same entity" {
    local entity
    register "$(token)"
    expect_status 200
    expect_json '(.entity_id | type) == "string" and .partner_id == "12" and (keys | length) == 2'
    entity="$(jq .entity_id "${BODY}")"
    get "$(field Location)"
    expect_json '.outcome == "completed" and .verdict == "decoded" and .diagnostics == []
        and .result.entity_id == $entity and .result.token.kind == "registration"' \
        --argjson entity "${entity}"
    register "$(token --expires-in 5m)"
    expect_json '.entity_id == $entity' --argjson entity "${entity}"
}

@test "whatever is wrong with key or token is masked alike, and stored with its reason" {
    local good
    good="$(token)"
    register "$(token --key wrong 2>/dev/null)"
    expect_refused 403 1
    expect_reason bad_signature
    register "${good%??????}"
    expect_refused 403 1
    expect_reason wrong_signature_length
    register "$(token --entity-id e-1 --device-id d-1)"
    expect_refused 403 1
    expect_reason wrong_kind
    register "$(token --expires-in 31m)"
    expect_refused 403 1
    expect_reason expiry_too_far
    register 'eyJhbGciOiJIUzI1NiJ9.e30.AA'
    expect_refused 403 1
    expect_reason wrong_algorithm
    register "a.b"
    expect_refused 403 1
    expect_reason not_three_parts
    post_json "${REZOLVE}/api/v1/authentication/register" '{"email":"ada@example.com"}' \
        --header 'x-rezolve-partner-apikey: bats-api-key'
    expect_refused 403 1
    expect_reason token_not_found
    post_json "${REZOLVE}/api/v1/authentication/register" '{}' --header "Authorization: Bearer ${good}"
    expect_refused 403 1
    expect_reason invalid_api_key
    post_json "${REZOLVE}/api/v1/authentication/register" '{}' --header "Authorization: Bearer ${good}" \
        --header 'x-rezolve-partner-apikey: keyless'
    expect_refused 403 1
    expect_reason partner_without_auth_key
}

@test "an expired token is the one thing that the vendor tells" {
    register "$(token --now "$(($(date +%s) - 3600))")"
    expect_refused 401 8
    expect_json '.type == "Expired Token"'
    expect_reason expired
}

@test "wrong bodies are refused with the vendor's codes" {
    local body status code reason
    while read -r status code reason body; do
        post_json "${REZOLVE}/api/v1/authentication/register" "${body}" \
            --header 'x-rezolve-partner-apikey: bats-api-key' --header "Authorization: Bearer $(token)"
        expect_refused "${status}" "${code}"
        expect_reason "${reason}"
    done <<'BODIES'
400 3 missing_email {}
400 2 invalid_email {"email":"nobody"}
400 5 broken_json {"email":
400 5 not_an_object []
BODIES
    post_form "${REZOLVE}/api/v1/authentication/register" 'email=ada' \
        --header 'x-rezolve-partner-apikey: bats-api-key' --header "Authorization: Bearer $(token)"
    expect_refused 400 5
    expect_reason wrong_content_type
}

@test "faults come by header or by query, and only those that exist" {
    local status code
    while read -r status code; do
        register "$(token)" --header "Landfall-Scenario: error:${status}"
        expect_refused "${status}" "${code}"
        expect_reason injected
    done <<<$'401 8\n403 1\n503 7'
    get "${REZOLVE}/v2/credentials/ping?scenario=error:503"
    expect_refused 503 7
    get "${REZOLVE}/12/252/7?scenario=error:503"
    expect_refused 503 7
    get "$(field Location)"
    expect_json '.contract == "rezolve-trigger" and .outcome == "error" and .result.reason == "injected"
        and .diagnostics[0].code == "injected" and .result.category_id == 7'
    get "${REZOLVE}/12/252/7" --header 'Landfall-Scenario: bogus'
    expect_problem 400 '.errors[0].detail | contains("error:503")'
    get "${REZOLVE}/v2/credentials/ping?scenario=error:418"
    expect_problem 400 '.type == "urn:landfall:problem:unknown-scenario"'
}

@test "what is planned happens to calls and to triggers, once" {
    get /api/v1/emulator/rezolve --request PUT --data-binary '{"scenarios":["error:401","error:503"]}'
    expect_status 200
    get "${REZOLVE}/12/252/7"
    expect_refused 401 8
    register "$(token)"
    expect_refused 503 7
    register "$(token)"
    expect_status 200
    get /api/v1/emulator/rezolve
    expect_json '[.possible[].choices[]]
        == ["completed", "error:400", "error:401", "error:403", "error:404", "error:503"]'
    local scenario
    for scenario in silent oops error:500; do
        get /api/v1/emulator/rezolve --request PUT --data-binary "{\"scenarios\":[\"${scenario}\"]}"
        expect_problem 400 '.errors[0].detail
            | endswith("possible: completed, error:400, error:401, error:403, error:404, error:503")'
    done
}

@test "the log names reasons, and no token, key or address" {
    local token
    token="$(token --expires-in 31m)"
    register "${token}"
    grep --quiet "reasons=expiry_too_far request_id=$(field X-Request-Id)" "${SERVER_LOG}"
    grep --quiet 'expected=.*a valid token' "${SERVER_LOG}"
    if grep --quiet --fixed-strings -e "${token##*.}" -e "${KEY}" -e bats-api-key -e ada@ "${SERVER_LOG}"; then
        fail "the log has a secret"
    fi
}

# --- Tokens -----------------------------------------------------------------------------------------

# inspect EXIT TOKEN OPTION...: what the command says of a token, in ${output}.
inspect() {
    local expected="$1"
    shift
    run "-${expected}" --separate-stderr env LANDFALL_REZOLVE_KEY="${KEY}" "${LANDFALL_BIN}" token inspect "$@"
}

@test "mint says on standard error why its token will be refused" {
    local arguments code
    while read -r code arguments; do
        # shellcheck disable=SC2086 # several arguments
        run -0 --separate-stderr token ${arguments} --json
        [[ "${stderr}" == *"${code}: "* ]]
        jq --exit-status --arg code "${code}" '(.valid | not) and .problems[0].code == $code' <<<"${output}"
    done <<'TOKENS'
expiry_too_far --expires-in 31m
expired --expires-in 0s
wrong_entity_id --entity-id none --device-id d
TOKENS
    run -2 token --entity-id :NONE: --device-id d
    run -0 --separate-stderr token --json
    [[ -z "${stderr}" ]]
    jq --exit-status '.valid and .problems == []' <<<"${output}"
}

@test "a key is read from a pipe" {
    run -0 "${LANDFALL_BIN}" token inspect "$(token)" --key-file <(echo "${KEY}")
    [[ "${output}" == valid* ]]
    run -3 "${LANDFALL_BIN}" token inspect "$(token)" --key-file "${BATS_TEST_TMPDIR}"
    run -3 "${LANDFALL_BIN}" token inspect "$(token)" --key-file "${BATS_TEST_TMPDIR}/none"
    [[ "${output}" == *'there is no file or folder of this name'* ]]
}

@test "the program's help names every vendor" {
    run -0 "${LANDFALL_BIN}" --help
    [[ "${output}" == *Dimmy*Welltory*Ailet*Rezolve* ]]
}

@test "the command says of a token what the sandbox would not" {
    inspect 0 "$(token)" --json
    jq --exit-status '.valid and .kind == "registration" and .problems == []
        and .header == {"alg":"HS512","typ":"JWT"}' <<<"${output}"
    inspect 0 "Bearer $(token --entity-id e --device-id d)" --device-id d --json
    jq --exit-status '.kind == "login" and .header.auth == "v2" and .claims.device_id == "d"' <<<"${output}"
    inspect 1 "$(token --entity-id e --device-id d)" --device-id other --json
    jq --exit-status '(.valid | not) and [.problems[].code] == ["device_id_mismatch"]' <<<"${output}"
    inspect 1 "$(token --now "$(($(date +%s) - 3600))")"
    [[ "${output}" == *"expired (byte "*"): The token expired 30 min"* ]]
}

@test "the vendor's published token is valid with its key, and is minted again" {
    local published=eyJhbGciOiJIUzUxMiIsInR5cCI6IkpXVCJ9.eyJyZXpvbHZlX2VudGl0eV9pZCI6IjpOT05FOiIsInBhcnRuZXJfZW50aXR5X2lkIjoiMTIzIiwiZXhwIjoxNTIwODY5NDcwfQ.5y2e6QpUKcqTNLTv75nO6a6iFPVxrF8YeAH5NTg2ZO9dkub31GEs0N46Hu2IJf1bQ_vC2IOO9Z2N7drmvA_AKg
    inspect 0 "${published}" --key secret --now 1520869000 --json
    inspect 1 "${published}" --key secret --now 1520869470 --json
    jq --exit-status '[.problems[].code] == ["expired"]' <<<"${output}"
    inspect 1 "${published}" --now 1520869000 --json
    jq --exit-status '[.problems[].code] == ["bad_signature"]' <<<"${output}"
    run -0 --separate-stderr "${LANDFALL_BIN}" token mint --key secret --partner-entity-id 123 --now 1520867670
    [[ "${output}" == "${published}" ]]
}

@test "the key comes from a file, and bad usage ends with 2" {
    printf '%s\n' "${KEY}" >"${SCRATCH}/key"
    run -0 --separate-stderr "${LANDFALL_BIN}" token inspect "$(token)" --key-file "${SCRATCH}/key" --json
    run -3 --separate-stderr "${LANDFALL_BIN}" token inspect a.b.c --key-file "${SCRATCH}/none"
    run -2 --separate-stderr "${LANDFALL_BIN}" token mint --partner-entity-id 7
    run -2 --separate-stderr "${LANDFALL_BIN}" token mint --key k --partner-entity-id 7 --entity-id e
    run -2 --separate-stderr "${LANDFALL_BIN}" token mint --key k --partner-entity-id 7 --expires-in soon
    run -2 --separate-stderr "${LANDFALL_BIN}" token inspect a.b.c --key k --now soon
    run -2 --separate-stderr "${LANDFALL_BIN}" token inspect
}

# --- Links ------------------------------------------------------------------------------------------

@test "a trigger is stored, and answered with what it leads to" {
    get "${REZOLVE}/12/252/7/1041?ad=3&placement=browse"
    expect_status 201
    expect_json '.verdict == "decoded" and .result == {"kind":"product","partner_id":12,
        "merchant_id":252,"category_id":7,"product_id":1041,"ad_id":"3","placement_id":"browse"}
        and .resolved.rezolveCustomPayload.product.title == "Morning blend"
        and .resolved.rezolveCustomPayload.act == null'
    get "$(field Location)"
    expect_json '.vendor == "rezolve" and .contract == "rezolve-trigger"'
    get '/api/v1/results?vendor=rezolve&result.product_id=1041&result.ad_id=3'
    expect_json '.results | length == 1'
}

@test "ids that don't belong together lead nowhere, and the stored finding names them" {
    get "${REZOLVE}/12/252/8/1041"
    expect_status 201
    expect_json '.resolved == null and .verdict == "decoded" and .diagnostics[0].code == "unknown_product"
        and .diagnostics[0].pointer == "/product_id"'
    get "$(field Location)"
    expect_json '.result.reason == "unknown_product" and .diagnostics[0].found == "1041"'
    get "${REZOLVE}/99/252/7/1041"
    expect_json '.resolved == null and .diagnostics[0].code == "unknown_partner"'
    get "${REZOLVE}/12/252/7/abc"
    expect_json '.resolved == null and .result.kind == "bad_trigger"'
}

@test "the custom URL of an act is classified" {
    get "${REZOLVE}/resolve?engagementid=e-recipes"
    expect_json '.resolved.custom_url.kind == "custom_url" and .resolved.rezolveCustomPayload.act.id == "act-recipes"'
}

@test "instant and engagement links are triggers too" {
    get "${REZOLVE}/instant?path=12/252/8"
    expect_json '.result.kind == "category" and .resolved.rezolveCustomPayload.category.name == "Bread"'
    get "${REZOLVE}/resolve?engagementid=e-tasting"
    expect_json '.result == {"kind":"engagement","engagement_id":"e-tasting"}
        and .resolved.engagementId == "e-tasting"
        and .resolved.rezolveCustomPayload.act.act.questions[0].id == "q-name"'
}

@test "a browser gets a page that says what a trigger leads to" {
    get "${REZOLVE}/12/252/7/1041" --header 'Accept: text/html'
    expect_status 201
    expect_field Content-Type 'text/html; charset=utf-8'
    grep --quiet 'It leads to the product: Morning blend' "${BODY}"
    grep --quiet 'of the link file of rzlv.co, matches this URL' "${BODY}"
    # A rooted name in any case is the same host.
    get "${REZOLVE}?url=$(escaped 'https://RZLV.co./12/252/7')" --header 'Accept: text/html'
    grep --quiet 'have <code>applinks:rzlv.co</code>' "${BODY}"
    grep --quiet 'of the link file of rzlv.co, matches this URL' "${BODY}"
    get "${REZOLVE}?url=$(escaped 'javascript:alert(1)')" --header 'Accept: text/html'
    grep --quiet 'A link that isn’t a trigger was followed' "${BODY}"
}

@test "a link may be longer than other targets, and HEAD, which would store a callback, is refused" {
    local url newest
    url="https://rzlv.co/12/252/7?ad=$(printf 'a%.0s' {1..9000})"
    get "${REZOLVE}?url=$(escaped "${url}")"
    expect_status 201
    newest="$(jq --raw-output .id "${BODY}")"
    get "${REZOLVE}/12/252/7" --head
    expect_status 405
    expect_field Allow 'GET, OPTIONS'
    get /api/v1/results/latest
    expect_json '.id == $id' --arg id "${newest}"
}

@test "bad triggers are stored with what is wrong, and other links are for the browser" {
    for path in /12/252 /12//7/1041 /12/252/7/1041/5; do
        get "${REZOLVE}${path}"
        expect_status 201
        expect_json '.outcome == "error" and .verdict == "decoded_with_warnings" and .resolved == null
            and .result.kind == "bad_trigger"'
    done
    get "${REZOLVE}/12/shop/7"
    expect_status 201
    expect_json '.outcome == "error" and .result.kind == "bad_trigger" and .result.category_id == 7'
    get "${REZOLVE}?url=$(escaped 'https://rzlv.co.evil.example/12/252/7')"
    expect_json '.result.kind == "custom_url" and .result.action == "open_in_browser"
        and .diagnostics[0].code == "lookalike_host" and .resolved == null'
    get "${REZOLVE}?url=$(escaped 'http://rzlv.co/12/252/7')"
    expect_json '.result.kind == "category"'
}

@test "the vendor's own host has its links, and no other host that looks like it" {
    get '/12/252/7?ad=1' --header 'Host: rzlv.co'
    expect_status 201
    expect_json '.result.kind == "category" and .result.ad_id == "1"'
    get /12/252 --header 'Host: RZLV.CO.:8080'
    expect_status 201
    expect_json '.result.kind == "bad_trigger"'
    get /shop/252/7 --header 'Host: rzlv.co'
    expect_status 201
    expect_json '.result.kind == "bad_trigger"'
    get /99999999999999999999/1/2 --header 'Host: rzlv.co'
    expect_json '.result.kind == "bad_trigger"'
    get /instant/x --header 'Host: rzlv.co'
    expect_json '.outcome == "error" and .result.kind == "bad_trigger"'
    get '/?engagementid=e-bread' --header 'Host: rzlv.co'
    expect_json '.resolved.rezolveCustomPayload.category.id == 8'
    get '/resolve?engagementid=e-bread' --header 'Host: instant.eu.rezolve.com'
    expect_json '.resolved.engagementId == "e-bread"'
    get /healthz --header 'Host: rzlv.co'
    expect_status 200
    get /12/252/7 --header 'Host: rzlv.co.evil.example'
    expect_problem 404
    # Requests for link files are not triggers.
    get /apple-app-site-association --header 'Host: rzlv.co'
    [[ "${STATUS}" != 201 && "${STATUS}" != 422 ]] || fail "a link file was taken for a trigger"
}

# --- Acts -------------------------------------------------------------------------------------------

@test "an act is fetched, answered, stored, and found again" {
    local date
    get "${REZOLVE}/v1/act/act-tasting"
    expect_status 200
    expect_json '.act.pageBuildingBlocks | map(select(.required).id) == ["q-name","q-drink","q-when"]'
    for date in '24/12/2026 18:30' '2026-12-24T18:30:00+0100'; do
        post_json "${REZOLVE}/v1/submissions/act/act-tasting/answers" \
            "{\"entityId\":\"e-acts\",\"email\":null,\"answers\":[{\"question_id\":\"q-name\",\"answer\":\"Ada\"},
            {\"question_id\":\"q-drink\",\"answer\":\"2\"},{\"question_id\":\"q-when\",\"answer\":\"${date}\"}]}"
        expect_status 201
        get "$(field Location)"
        expect_json '.contract == "rezolve-act" and .outcome == "completed" and .verdict == "decoded"
            and .result.act_id == "act-tasting"
            and (.result.answers[2].date | startswith("2026-12-24T18:30:00"))'
    done
    get "${REZOLVE}/v1/submissions?entityId=e-acts"
    expect_json '.total == 2 and .count == 2 and .items[0].answers[2].date == "2026-12-24T18:30:00+01:00"'
    get "${REZOLVE}/v1/submissions?entityId=e-acts&limit=1&offset=1"
    expect_json '.total == 2 and .count == 1 and .items[0].answers[2].date == "2026-12-24T18:30:00"
        and .links == {"next":null,"prev":"?entityId=e-acts&offset=0&limit=1"}'
    get "${REZOLVE}/v1/submissions?entityId=e-acts&limit=101"
    expect_refused 400 5
    post_json "${REZOLVE}/v1/submissions/act/act-tasting/answers" '{"act_id":"act-other","reason":"bad_signature",
        "answers":[{"question_id":"q-name","answer":"Ada"},{"question_id":"q-drink","answer":"2"},
        {"question_id":"q-when","answer":"24/12/2026 18:30"}]}'
    expect_status 201
    get "$(field Location)"
    expect_json '.outcome == "completed" and .result.act_id == "act-tasting" and (.result | has("reason") | not)
        and any(.diagnostics[]; .code == "act_id_mismatch" and .severity == "warning")'
    get "${REZOLVE}/v1/submissions"
    expect_refused 400 3
    expect_logged "call=submissions .*reasons=missing_parameters request_id=$(field X-Request-Id)"
}

@test "an entity sees its own submissions with its token, and nobody else's" {
    log_in
    get "${REZOLVE}/v1/submissions?entityId=${ENTITY}" "${CALL[@]}"
    expect_status 200
    expect_json '.total == 0'
    get "${REZOLVE}/v1/submissions?entityId=e-acts" "${CALL[@]}"
    expect_refused 403 1
    get "${REZOLVE}/v1/submissions?entityId=e-acts" --header 'Authorization: Bearer x'
    expect_refused 403 1
}

@test "where results ask for the token, submissions ask for it, and take no entity's" {
    start_configured "${SCRATCH}/closed" <<CONFIGURATION
token: secret-of-the-server
rezolve:
  fixtures: ${REPOSITORY}/Config/rezolve
  partners: [{id: 12, api_key: bats-api-key, auth_key: ${KEY}}]
CONFIGURATION
    log_in
    get "${REZOLVE}/v1/submissions?entityId=${ENTITY}" "${CALL[@]}"
    expect_problem 401
    get "${REZOLVE}/v1/submissions?entityId=${ENTITY}" --header 'Authorization: Bearer secret-of-the-server'
    expect_status 200
    get "${REZOLVE}/v1/submissions?entityId=${ENTITY}"
    expect_problem 401
    stop_landfall
}

@test "the sandbox's own keys, which everybody can read, count on an open server only" {
    local login='{"username":"ada@example.com","password":"p","deviceId":"d-1"}' call
    start_landfall "${SCRATCH}/open"
    post_json "${REZOLVE}/v2/credentials/login" "${login}" --header 'x-rezolve-partner-apikey: sandbox-api-key'
    expect_status 200
    stop_landfall
    LANDFALL_TOKEN=secret-of-the-server start_landfall "${SCRATCH}/guarded"
    for call in v2/credentials/login api/v1/authentication/register v1/submissions/act/act-tasting/answers; do
        post_json "${REZOLVE}/${call}" "${login}" --header 'x-rezolve-partner-apikey: sandbox-api-key'
        expect_problem 403 '.type == "urn:landfall:problem:no-partners" and (.detail | contains("rezolve.partners"))'
    done
    # Its links need no key.
    get "${REZOLVE}/12/252/7/1041"
    expect_status 201
    stop_landfall
}

@test "answers that don't fit the act are refused, and stored with what is wrong" {
    post_json "${REZOLVE}/v1/submissions/act/act-tasting/answers" \
        '{"entityId":"e-bad","answers":[{"question_id":"q-name","answer":"Ada"}]}'
    expect_refused 400 3
    expect_json '.message | contains("q-drink") and contains("q-when")'
    get "$(field Location)"
    expect_json '.contract == "rezolve-act" and .outcome == "error"
        and .result.reason == "required_question_unanswered"
        and .diagnostics[0].code == "required_question_unanswered"'
    get '/api/v1/results?result.reason=required_question_unanswered'
    expect_json '.results | length == 1'
    post_json "${REZOLVE}/v1/submissions/act/act-opening-hours/answers" '{"answers":[]}'
    expect_refused 400 6
    post_json "${REZOLVE}/v1/submissions/act/nothing/answers" '{"answers":[]}'
    expect_refused 404 4
    get "${REZOLVE}/v1/submissions?entityId=e-bad"
    expect_json '.total == 0 and .items == []'
}

@test "the reason of a refusal is stored before what the decoder says of a broken body" {
    post_json "${REZOLVE}/v1/submissions/act/act-tasting/answers" '{"answers":[}' \
        --header 'Authorization: Bearer x'
    expect_refused 403 1
    get "$(field Location)"
    expect_json '.verdict == "undecodable" and .outcome == "error" and .result == {"reason":"invalid_api_key"}
        and .diagnostics[0].code == "invalid_api_key" and .diagnostics[0].part == "head"
        and ([.diagnostics[].code] | index("broken_json") != null)'
    post_form "${REZOLVE}/v1/submissions/act/act-tasting/answers" 'a=b'
    expect_refused 400 5
    get "$(field Location)"
    expect_json '.diagnostics[0].code == "wrong_content_type" and .result.reason == "wrong_content_type"'
    post_json "${REZOLVE}/v1/submissions/act/act-tasting/answers" '{"answers":[}'
    get "$(field Location)"
    expect_json '[.diagnostics[] | select(.code == "broken_json")] == [.diagnostics[0]]
        and .diagnostics[0].layer == "json" and .diagnostics[0].offset == 12'
}

@test "decoding again leaves alone what the sandbox has said" {
    get /api/v1/store/redecode --request POST
    expect_status 200
    expect_json '.changed == 0 and .unreadable == 0'
}

# --- Buying -----------------------------------------------------------------------------------------

@test "from a scan to an order for one product" {
    local order
    log_in
    get "${REZOLVE}/12/252/7/1041?ad=3"
    expect_json '.result.product_id == 1041'
    get "${CUSTOMER}/merchant/252/product/1041?ad_id=3" "${CALL[@]}"
    expect_json '.title == "Morning blend" and .placement.ad_id == "3"'
    get "${CUSTOMER/v1/v4}/merchant/252/product/1041/options" "${CALL[@]}"
    expect_json '.[0].id == $option and (.[0].supported_shipping_methods[1].execute
        | .extension_attributes[0].value == "2" and .method_code == "storepickup")' --arg option "${OPTION}"
    post_json "${CUSTOMER/v1/v3}/merchant/252/checkout/${OPTION}" \
        '{"product_id":1041,"quantity":2,"options":[{"code":"grind","value":"beans"}]}' "${CALL[@]}"
    expect_status 200
    expect_json '.final_price == 15 and ([.breakdowns[].amount] | add) == 15'
    order="$(jq --raw-output .id "${BODY}")"
    get "${CUSTOMER/v1/v3}/merchant/252/buy/${order}" --request POST "${CALL[@]}"
    expect_status 200
    expect_json '.order_id == $order and .partner_id == "12" and .partner_name == "Bats"' --arg order "${order}"
    get "${CUSTOMER/v1/v3}/order?from=2020-01-01T00:00:00Z" "${CALL[@]}"
    expect_json '[.items[].order_id] | index($order) != null' --arg order "${order}"
}

@test "from a category to an order for a cart" {
    local cart order product
    log_in
    get "${CUSTOMER}/merchant/252/category" "${CALL[@]}"
    expect_json '[.categories.items[].id] == [7, 8]'
    get "${CUSTOMER}/merchant/252/category/8" "${CALL[@]}"
    product="$(jq '.products.items[0].id' "${BODY}")"
    get "${CUSTOMER}/search?q=sourdough" "${CALL[@]}"
    expect_json '[.items[].id] == [$product] and .total == 1' --argjson product "${product}"
    post_json "${CUSTOMER}/merchant/252/cart" "{\"product_id\":${product},\"quantity\":2}" "${CALL[@]}"
    expect_status 201
    cart="$(jq --raw-output .id "${BODY}")"
    get "${CUSTOMER/v1/v4}/merchant/252/cart/${cart}/options" "${CALL[@]}"
    expect_json 'length == 1'
    post_json "${CUSTOMER/v1/v3}/merchant/252/checkout/${OPTION}" "{\"cart_id\":\"${cart}\"}" "${CALL[@]}"
    expect_json '.final_price == 8.1'
    order="$(jq --raw-output .id "${BODY}")"
    get "${CUSTOMER/v1/v3}/merchant/252/buy/${order}" --request POST "${CALL[@]}"
    expect_status 200
    get "${CUSTOMER}/merchant/252/cart/${cart}" "${CALL[@]}"
    expect_refused 404 4
}

@test "the vendor's API has hosts of its own, and each call its versions" {
    log_in
    post_json /v2/credentials/login '{"username":"ada@example.com","password":"p","deviceId":"d-1"}' \
        --header 'Host: core.partner.example'
    expect_status 200
    get "${CUSTOMER#"${REZOLVE}"}/merchant" "${CALL[@]}" --header 'Host: core.partner.example:443'
    expect_json '.total == 4'
    get "${CUSTOMER/v1/bananas}/merchant" "${CALL[@]}"
    expect_refused 404 4
    get "${CUSTOMER}/merchant" "${CALL[@]}" --request DELETE
    expect_refused 405 5
    expect_field Allow 'GET, HEAD, OPTIONS'
    expect_logged "call=merchants .*reasons=method_not_allowed request_id=$(field X-Request-Id)"
    post_json /v1/submissions/act/act-tasting/answers '{"answers":[]}' --header 'Host: core.partner.example'
    expect_refused 400 3
    get "$(field Location)" --header 'Host: core.partner.example'
    expect_status 200
    expect_json '.result.reason == "required_question_unanswered"'
}

# called STATUS METHOD PATH [BODY]: a call of a client with the fields ${CLIENT}.
called() {
    local body=()
    if (($# > 3)); then body=(--data-binary "$4"); fi
    get "${REZOLVE}$3" --request "$2" --header 'Content-Type: application/json' "${CLIENT[@]}" "${body[@]}"
    expect_status "$1"
}

# The sequence of the load test that Documentation/Rezolve.md names: it sends the login's field back as it is, and
# no device.
@test "a real client walks from its account to its order, and from an engagement to its answers" {
    local CLIENT=(--header 'x-rezolve-partner-apikey: bats-api-key') user at address phone merchant option engagement act
    called 201 POST /v2/credentials/register '{"password":"test1234","phone":"+2331000000007"}'
    expect_json '(.id | type) == "number" and .username == "+2331000000007" and .partnerId == "12"'
    user="$(jq .id "${BODY}")" ENTITY="$(jq --raw-output .sdkEntity "${BODY}")"
    called 200 GET "/v1/credentials/confirm/000000/${user}"
    called 200 POST /v2/credentials/login '{"password":"p","username":"+2331000000007","deviceId":"30d7f38d"}'
    expect_json '.id == $user and .sdkEntity == $entity' --argjson user "${user}" --arg entity "${ENTITY}"
    CLIENT+=(--header "Authorization: $(field authorization)")
    called 200 GET /v2/credentials/ping
    called 200 POST /api/v1/device/appversion \
        '{"platform":"android","package_name":"a.b","manufacturer_code":"google play","device_id":"2cd1d840"}'
    grep --quiet "accepted an incomplete request.*reasons=\"*token_without_bearer missing_device_id" "${SERVER_LOG}"
    at="/partner/12/customer/${ENTITY}"
    called 200 GET "/api/v1${at}/publickey"
    grep --quiet 'call=profile(publickey) ' "${SERVER_LOG}"
    called 200 GET "/api/v1${at}/addressbook"
    address="$(jq --raw-output '.[0].id' "${BODY}")"
    called 200 GET "/api/v1${at}/phonebook"
    phone="$(jq --raw-output '.phones[0].id' "${BODY}")"
    called 200 GET "/api/v1${at}/profile"
    called 200 GET "/api/v1${at}/wallet"
    called 201 POST "/api/v1${at}/addressbook" '{"short_name":"kd82","line_1":"57 abcd","line_2":"abcd","city":"c",
        "state":"AH","zip":"abcd","country":"CN","full_name":"ab cd","phone_id":"'"${phone}"'"}'
    called 204 DELETE "/api/v1${at}/addressbook/$(jq --raw-output .id "${BODY}")"
    called 200 POST "/api/v1/search/merchants/12/${ENTITY}?page=1&limit=50" '{"order_by":"location","order":"asc",
        "device_info":"x","location":{"longitude":74.528209,"latitude":15.843883}}'
    for merchant in $(jq '.merchants[].id' "${BODY}"); do
        called 200 GET "/api/v2${at}/merchant/${merchant}/category?category_items_per_page=30&category_page_number=1"
        called 200 GET "/api/v2${at}/merchant/${merchant}/category/2?category_sort_direction=ASC&product_page_number=1"
    done
    called 200 GET "/api/v1${at}/merchant/252/category/8/product/1050?ad_id=browse&placement_id=browse"
    called 201 POST "/api/v1${at}/merchant/252/cart" \
        '{"product":{"id":"1050","qty":1,"configurable_options":[],"custom_options":[]}}'
    called 200 GET "/api/v1${at}/cart"
    expect_json 'length == 1 and .[0].products[0].id == 1050'
    called 200 POST "/api/v4${at}/merchant/252/cart/252/options" \
        '{"id":"1050","qty":1,"configurable_options":[],"custom_options":[]}'
    option="$(jq --raw-output '.[0].id' "${BODY}")"
    called 200 POST "/api/v3${at}/merchant/252/cart/252/checkout/${option}" '{"payment_method":{"type":"free"},
        "shipping_method":{"type":"flatrate","address_id":"'"${address}"'"}}'
    called 200 POST "/api/v3${at}/merchant/252/buy/$(jq --raw-output .id "${BODY}")" '{"payment_method":
        {"type":"free","phone_id":"'"${phone}"'"},"location":{"longitude":74.528209,"latitude":15.843883}}'
    called 200 GET "/api/v3${at}/order?from=2021-09-01&to=2021-10-30"
    expect_json '.total == 0'
    called 200 GET "/api/v3${at}/order?from=$(date --utc +%F)"
    expect_json '.items[0].shipping_method == "flatrate" and .items[0].address_id == $address' --arg address "${address}"
    called 200 POST /v1/user/logout

    CLIENT=(--header 'Authorization: TheKeyForTheEnvironment')
    called 200 POST /v1/OAuthProxy/token '{"clientId":"c","clientSecret":"s","apiAudience":"a"}'
    CLIENT=(--header "Authorization: Bearer $(jq --raw-output .bearerToken "${BODY}")")
    called 200 GET '/v1/Engagements/geolocation/triggered?area.center.latitude=15.843883&area.center.longitude=74.528209&area.coordinatestype=BD09&area.radiusinmeters=20000&limit=100'
    for engagement in $(jq --raw-output '.engagements.data[].id' "${BODY}"); do
        called 200 POST "/v1/resolver/400/api/v2/payoffcpm/${engagement}" '{"userId":"Guest","entityId":"","os":"Android"}'
    done
    called 200 POST /v1/resolver/400/api/v2/payoffcpm/e-tasting '{"userId":"Guest","entityId":"","os":"Android"}'
    act="$(jq --raw-output .rezolveCustomPayload.act.id "${BODY}")"
    called 201 POST "/v1/submissions/act/${act}/answers" "$(jq --arg entity "${ENTITY}" --argjson user "${user}" '
        {userId: $user, userName: "u", entityId: $entity, personTitle: "Mr", firstName: "L", lastName: "T", email: "e@x",
            phone: "p", latitude: 15.8, longitude: 74.5, answers: [.rezolveCustomPayload.act.act.pageBuildingBlocks[]
            | {question_id: .id, answer: {TextField: "text", DateField: "01/04/2023 16:00", Select: "1"}[.type]}
            | select(.answer)]}' "${BODY}")"
    called 200 GET "/v1/submissions?entityId=${ENTITY}"
    expect_json '.total == 1'
}

@test "the hosts and links of the vendor's documents answer with the shipped configuration" {
    local host trigger
    start_landfall "${SCRATCH}/shipped"
    for host in core rua oauth ssp engagement act bff; do
        get /v1/Engagements/geolocation/triggered --header "Host: ${host}.sbx.eu.rezolve.com"
        expect_status 200
    done
    post_json /v2/credentials/login '{"username":"ada@example.com","password":"p","deviceId":"d-1"}' \
        --header 'Host: sandbox-api-tw.rzlvtest.co'
    expect_status 200
    get / --header 'Host: core.sbx.eu.rezolve.com.evil.example'
    ((STATUS >= 400)) || fail "another host was served"
    for trigger in 1/2/3/8 2/3/13/169 1/2/3/4; do
        get "/${trigger}?ad=20&placement=25" --header 'Host: rzlv.co'
        expect_status 201
        expect_json '.verdict == "decoded" and .diagnostics == []
            and (.resolved.rezolveCustomPayload.product.images[0] | startswith("data:image/png;base64,"))'
    done
    get /2/2/3/8 --header 'Host: rzlv.co'
    expect_json '.resolved == null and .diagnostics[0].code == "unknown_partner"'
    get '/resolve?engagementid=e-tasting' --header 'Host: instant.eu.rezolve.com'
    expect_json '[.resolved.rezolveCustomPayload.act.act.pageBuildingBlocks[].type] | unique
        == ["DateField", "Divider", "Header", "Image", "Paragraph", "Select", "TextField", "Video"]'
    stop_landfall
}

@test "a call needs its own token, device and partner" {
    log_in
    get "${CUSTOMER}/merchant" "${CALL[@]}"
    expect_json '.count == 4 and .total == 4'
    get "${CUSTOMER}/merchant" "${CALL[@]:0:2}" --header 'x-rezolve-device-id: d-2' "${CALL[@]:4}"
    expect_refused 403 1
    get "${REZOLVE}/api/v1/partner/12/customer/another/merchant" "${CALL[@]}"
    expect_refused 403 1
    get "${REZOLVE}/v2/credentials/ping" --header "Authorization: ${TOKEN}"
    expect_json '.accessToken | split(".") | length == 3'
    get "${REZOLVE}/api/v1/partner/12/nothing"
    expect_refused 404 4
    get "${REZOLVE}/v1/user/logout" --request POST
    expect_status 200
}

@test "nothing that is sent is answered with 5xx" {
    local path body
    log_in
    for path in '' / //// '/%00' '/%ff/1/2' '/12/252/7/%' '/1/2/3?%zz=%' '/v1/act/' '/v1/submissions' \
        '/v1/submissions?entityId=' '/api/v1/partner/%2e%2e/customer//merchant' '?url=%00' '?url=' \
        '?url=http%3A%2F%2F' '?engagementid=%ff' '/99999999999999999999/1/1' '/v1/resolver/%00/api/v2/payoffcpm/%ff' \
        '/v1/Engagements/geolocation/triggered?area.center.latitude=nan&limit=99999999999999999999' \
        "${CUSTOMER#"${REZOLVE}"}/wallet/%00" "${CUSTOMER#"${REZOLVE}"}/profile" \
        "${CUSTOMER#"${REZOLVE}"}/merchant/252/category/2?category_page_number=10000&category_items_per_page=100" \
        "${CUSTOMER#"${REZOLVE}"}/merchant/252/cart/252/checkout/${OPTION}" "/api/v1/search/products/12/${ENTITY}"; do
        get "${REZOLVE}${path}" "${CALL[@]}"
        ((STATUS < 500)) || fail "GET ${path}"
        for body in '{"answers":[{}]}' '{"product":{"id":{}},"location":[]}' '{"shipping_method":[],"query":5}' '[]' ''; do
            post_json "${REZOLVE}${path}" "${body}" "${CALL[@]}"
            ((STATUS < 500)) || fail "POST ${path}"
        done
    done
    head --bytes 100000 /dev/zero | tr '\0' '[' >"${SCRATCH}/deep"
    for path in /v2/credentials/login /v1/submissions/act/act-tasting/answers /v1/OAuthProxy/token \
        /v1/resolver/400/api/v2/payoffcpm/e-tasting "${CUSTOMER#"${REZOLVE}"}/addressbook" \
        "${CUSTOMER#"${REZOLVE}"}/merchant/252/cart"; do
        post_json "${REZOLVE}${path}" "@${SCRATCH}/deep" "${CALL[@]}"
        expect_refused 400 5
    done
    expect_well
}
