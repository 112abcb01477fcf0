#!/usr/bin/env bats
# The vendors' apps, played by the server: what a launch is answered with, by whom that is decided, and where
# callbacks must not lead.
# Left out: what each scenario's messages hold, which the unit tests know.

# shellcheck disable=SC2016 # programs of jq have variables of their own
load setup

setup_file() {
    start_landfall "${BATS_FILE_TMPDIR}/server"
}

teardown_file() {
    stop_landfall
}

setup() {
    export PAGES='text/html,application/xhtml+xml'
    BACK="${LANDFALL_URL}/callbacks/dimmy/emulated-${BATS_TEST_NUMBER}"
    FLUX="/emulate/flux/open?flowName=Parcel&callback=${BACK}"
}

# arrived QUESTION: waits until this test's inbox has what is asked for.
arrived() {
    get "/api/v1/results/wait?inbox=emulated-${BATS_TEST_NUMBER}&$1&within=50s"
    expect_status 200
}

@test "a launch leads back to the callback, which decodes; the same seed gives the same values" {
    get "${FLUX}&seed=42" --location
    expect_status 201
    expect_json '.verdict == "decoded" and .outcome == "completed"'
    local first
    get "${FLUX}&seed=42"
    expect_status 302
    first="$(field Location)"
    [[ "${first}" == "${BACK}/$(field Landfall-Flow)?status=completed&response="* ]]
    expect_field Referrer-Policy no-referrer
    expect_field Cache-Control no-store
    get "${FLUX}&seed=42" --header 'Accept: application/json'
    expect_status 200
    expect_json '.seed == "42" and .scenario == "completed" and (.callbacks | length == 1)'
}

@test "the callback's own query and fragment are kept" {
    get '/emulate/flux/open?flowName=a&callback=partner://x?order=7%26a=b%23top&scenario=cancelled' \
        --header 'Accept: application/json'
    expect_json '.callbacks[0].url == "partner://x?order=7&a=b&status=cancelled#top"'
}

@test "the scenario comes from the query, the header, or the plan, in this order" {
    get /api/v1/emulator/dimmy --request PUT --data '{"scenarios":["cancelled","error:not_logged_in"],"seed":5}'
    expect_json '.scenarios == ["cancelled", "error:not_logged_in"] and .seed == "5"'
    get "${FLUX}&scenario=empty" --header 'Landfall-Scenario: cancelled'
    [[ "$(field Location)" == *status=completed* ]]
    get "${FLUX}" --header 'Landfall-Scenario: error:flow_unavailable'
    [[ "$(field Location)" == *'status=error&error=flow_unavailable' ]]
    get "${FLUX}"
    [[ "$(field Location)" == *status=cancelled ]]
    get "${FLUX}"
    [[ "$(field Location)" == *'status=error&error=not_logged_in' ]]
    get "${FLUX}"
    [[ "$(field Location)" == *status=completed* ]]
    get /api/v1/emulator/dimmy --request PUT --data '{"scenarios":["silent"],"repeat":true}'
    for _ in 1 2 3; do
        get "${FLUX}"
        expect_status 204
    done
    get /api/v1/emulator/dimmy --request DELETE
    expect_json '.scenarios == []'
    get "${FLUX}"
    expect_status 302
}

@test "a plan is changed only in the state that the request requires" {
    local path=/api/v1/emulator/dimmy tag
    get "${path}"
    tag="$(field ETag)"
    [[ "${tag}" == '"'*'"' ]]
    get "${path}" --request PUT --data-binary '{"scenarios":["cancelled"]}' --header 'If-Match: "other"'
    expect_problem 412
    get "${path}" --request PUT --data-binary '{"scenarios":["cancelled"]}' --header "If-Match: ${tag}"
    expect_json '.scenarios == ["cancelled"]'
    get "${path}" --request DELETE --header "If-Match: ${tag}"
    expect_problem 412
    get "${path}" --header "If-None-Match: ${tag}"
    expect_json '.scenarios == ["cancelled"]'
    get "${path}" --request DELETE --header "If-Match: $(field ETag)"
    expect_status 200
    get "${path}" --header "If-None-Match: ${tag}"
    expect_status 304
}

@test "plans and scenarios that don't exist are refused with those that do" {
    local body
    for body in '{"scenarios":["sleepy"]}' '{"scenarios":"completed"}' '{"scenario":[]}' '{"scenarios":["in_progress"]}' \
        '{"scenarios":["malformed:json"]}' '{"scenarios":["completed","error:nope"]}'; do
        get /api/v1/emulator/welltory --request PUT --data "${body}"
        expect_status 400
    done
    get /api/v1/emulator/dimmy --request PUT --data '{"scenarios":["error:nope"]}'
    expect_problem 400 '.errors[0].detail | contains("flux has no error code")'
    get /api/v1/emulator/ailet --request PUT --data '{"scenarios":["malformed:base64"]}'
    expect_problem 400 '.errors[0].detail | contains("malformed:json")'
    get /api/v1/emulator/raw
    expect_status 404
    get "${FLUX}&scenario=sleepy"
    expect_status 400
    grep --quiet out_of_order "${BODY}"
    get "${FLUX}&scenario=error:not_loged_in"
    expect_status 400
    grep --quiet 'did you mean not_logged_in' "${BODY}"
    get "${FLUX}&seed=minus"
    expect_status 400
}

@test "further answers are brought by the server itself" {
    get "${FLUX}&scenario=duplicate:3" --location
    expect_status 201
    arrived 'contract=flux&count=3'
    local flow
    flow="$(jq --raw-output '.results[0].flow' "${BODY}")"
    get "/api/v1/flows/${flow}"
    expect_json '.state == "duplicate" and .callbacks == 3
        and ([.messages[] | select(.kind == "delivery")] | length == 2)'
    get "${FLUX}&scenario=malformed:body"
    expect_status 202
    arrived 'verdict=undecodable'
    expect_json '.results[0].request.method == "POST"'
}

@test "a stale answer is no answer: not of this flow, nor of another inbox's" {
    local other back="${BACK}-x" flow
    get "${FLUX}&scenario=silent"
    other="$(field Landfall-Flow)"
    get "/emulate/flux/open?flowName=A&scenario=stale&callback=${back}" --location
    expect_status 201
    expect_json '.flow != null and .flow != $other' --arg other "${other}"
    flow="$(jq --raw-output .flow "${BODY}")"
    get '/api/v1/results?kind=launch&contract=flux&limit=1'
    expect_json '.results[0].flow != $flow' --arg flow "${flow}"
    get "/api/v1/flows/$(jq --raw-output '.results[0].flow' "${BODY}")"
    expect_json '.state == "launched" and .callbacks == 0'
    get "/api/v1/flows/${other}"
    expect_json '.state == "launched"'
    get "/emulate/flux/open?flowName=A&scenario=out_of_order&callback=${BACK}-y"
    flow="$(field Landfall-Flow)"
    get "$(field Location | sed "s|^${LANDFALL_URL}||")"
    get "/api/v1/results/wait?inbox=emulated-${BATS_TEST_NUMBER}-y&contract=flux&count=2&within=50s"
    expect_status 200
    get "/api/v1/flows/${flow}"
    expect_json '.state == "returned" and .callbacks == 1'
}

@test "a report of a visit that nobody began is refused as in Ailet's app, and of another is the visit's own" {
    local ailet='/emulate/ailet?login=a&password=b&back_url_scheme=partner&store_id=s&visit_id='
    # answer VISIT METHOD [PARAMETERS]: the JSON of the callback.
    answer() {
        get "${ailet}$1&method=$2${3:+&$3}" --header 'Accept: application/json'
        expect_status 200
        jq --raw-output '.callbacks[0].url' "${BODY}" | python3 -c '
import sys, urllib.parse
print(urllib.parse.parse_qs(sys.stdin.read().strip().split("?", 1)[1])["result"][0])'
    }
    [[ "$(answer v-none report | jq --raw-output .status)" == IR_ERROR_NOVISIT ]]
    [[ "$(answer v-none report scenario=completed | jq --raw-output .status)" == IR_RESULT_OK ]]
    answer v-failed visit scenario=error:IR_ERROR_AUTH
    [[ "$(answer v-failed report | jq --raw-output .status)" == IR_ERROR_NOVISIT ]]
    local visit
    visit="$(answer v-begun visit | jq .report)"
    [[ "${visit}" == *assortment_achievement* ]]
    [[ "$(answer v-begun report | jq .report)" == "${visit}" ]]
    [[ "$(answer v-begun report seed=7 | jq .report)" != "${visit}" ]]
    local scenario
    for scenario in empty huge; do
        visit="$(answer "v-${scenario}" visit "scenario=${scenario}" | jq '.status, .report')"
        [[ "$(answer "v-${scenario}" report | jq '.status, .report')" == "${visit}" ]]
    done
    [[ "$(answer v-empty report | jq --raw-output .status)" == IR_RESULT_EMPTY ]]
    [[ "$(answer v-empty report scenario=completed | jq --raw-output .status)" == IR_RESULT_OK ]]
    [[ "$(answer '' sync | jq --raw-output .status)" == IR_RESULT_OK ]]
}

@test "a delayed answer is waited for" {
    local before after
    before="$(date +%s%3N)"
    get "${FLUX}&scenario=delayed:700ms"
    after="$(date +%s%3N)"
    expect_status 302
    ((after - before >= 700))
}

@test "a custom scheme becomes a link on a page, and nothing that could run becomes one" {
    get '/emulate/ailet?method=visit&login=a&password=hush-hush&store_id=s&visit_id=v&back_url_scheme=partner&scenario=completed' \
        --header "Accept: ${PAGES}"
    expect_status 200
    grep --quiet 'href="partner:?result=%7B' "${BODY}"
    expect_no_match --recursive hush-hush "${SERVER_DATA}" "${BODY}"
    local callback
    for callback in javascript:alert%281%29 'data:text/html,x' 'file:///etc/passwd'; do
        get "/emulate/flux/open?flowName=a&callback=${callback}"
        expect_status 422
        expect_json '.diagnostics[0].code == "refused_callback" and (.detail | contains("of the scheme"))
            and .errors == [{"name": "callback", "detail": "Refused by the rule scheme."}]'
        get "/emulate/flux/open?flowName=a&callback=${callback}" --header "Accept: ${PAGES}"
        expect_status 422
        expect_no_match 'href=' "${BODY}"
    done
}

@test "a wrong launch gets what the vendor's app does, and its record says why" {
    get "/emulate/flux/open?callback=${BACK}"
    expect_status 302
    [[ "$(field Location)" == "${BACK}/$(field Landfall-Flow)?status=error&error=invalid_request" ]]
    get "/api/v1/flows/$(field Landfall-Flow)"
    expect_json '.messages[0].contract == "flux" and .messages[0].verdict == "undecodable"
        and (.messages[0].record.diagnostics[0].expected | length > 0)'
    get '/emulate/dimmy/open?flow=a&callback=https://partner.example/x'
    expect_status 422
    expect_json '.type == "urn:landfall:problem:launch-refused" and .reaction == "nothing"
        and (.diagnostics | length > 0)'
    get '/emulate/welltory/action/dds/measurement' --header "Accept: ${PAGES}"
    expect_status 422
    grep --quiet '<h2>Diagnostics</h2>' "${BODY}"
}

@test "a planned scenario that a launch doesn't support stays for the next launch" {
    get /api/v1/emulator/dimmy --request PUT --data '{"scenarios":["malformed:body"]}'
    expect_status 200
    get '/emulate/flux/open?flowName=a&callback=partner://x'
    expect_problem 400 '.type == "urn:landfall:problem:scenario-not-possible"'
    get "${FLUX}"
    expect_status 202
    get /api/v1/emulator/dimmy
    expect_json '.scenarios == []'
}

@test "an error of Flux in a plan is one of Dimmy of 2024 too, which sends nothing" {
    get /api/v1/emulator/dimmy --request PUT --data '{"scenarios":["error:not_logged_in"],"repeat":true}'
    expect_status 200
    get "/emulate/dimmy/open?flow=a&callback=$(printf %s "${BACK}" | base64 --wrap 0)"
    expect_status 204
    get "${FLUX}"
    [[ "$(field Location)" == *'status=error&error=not_logged_in' ]]
    get /api/v1/emulator/dimmy --request DELETE
}

@test "a vendor's own host takes its own path only, and keeps every parameter" {
    local host path
    while read -r host path; do
        get "${path}" --header "Host: ${host}"
        expect_problem 422 '.reaction == "error_page" and .diagnostics[0].code == "wrong_path"
            and .diagnostics[0].offset == 0'
        get "/api/v1/flows/$(field Landfall-Flow)"
        expect_json '.messages[0].record.diagnostics[0].code == "wrong_path"'
        get "${path}" --header "Host: ${host}" --header "Accept: ${PAGES}"
        expect_status 422
        grep --quiet 'This link is wrong' "${BODY}"
    done <<'END'
flux.api.optioryx.com //open?flowName=a&callback=partner://x
flux-dev.api.optioryx.com /o%70en?flowName=a&callback=partner://x
dimmy.api.optioryx.com /OPEN?flow=a
welltory.com /action/dds/measurments?source=a&callback=partner://x
END
    get '/open/?flowName=a&callback=partner://x' --header 'Host: flux.api.optioryx.com' \
        --header 'Accept: application/json'
    expect_json '.callbacks[0].url | startswith("partner://x?status=completed&response=")'
    get /favicon.ico --header 'Host: welltory.com'
    expect_problem 404 '.type == "urn:landfall:problem:not-found"'
    get '/action/dds/measurement?source=a&callback=partner://x&mode=dark&seed=x' --header 'Host: welltory.com' \
        --header 'Accept: application/json' --header 'Landfall-Seed: 7'
    expect_json '.seed == "7" and (.callbacks[0].url | contains("mode=dark&") and contains("seed=x"))'
}

@test "an Android activity gets an intent with the result, and its flow comes back" {
    local start='/emulate/welltory/action/dds/measurement?source=a&callback=com.a.b/.Main$In&ctx=77&scenario=completed' flow
    get "${start}" --header 'Accept: application/json'
    expect_json '.callbacks[0].url | test("^intent:#Intent;component=com.a.b/.Main\\$In;f.stress=[01](\\.[0-9]+)?;.*S.ctx=77;end$")'
    get "${start}" --header "Accept: ${PAGES}"
    expect_status 200
    grep --quiet --fixed-strings 'am start &quot;intent:#Intent;component=com.a.b/.Main\$In;f.stress' "${BODY}"
    expect_no_match 'href=' "${BODY}"
    post_json /api/v1/launches '{"vendor":"welltory","parameters":{"source":"a","callback":"com.a.b/.Main"}}'
    flow="$(jq --raw-output .flow "${BODY}")"
    get "$(jq --raw-output .emulator_url "${BODY}" | sed "s|^${LANDFALL_URL}||")&scenario=completed" --header 'Accept: application/json'
    expect_json '.flow == $flow and (.callbacks[0].url | contains("S.landfall_flow=\($flow);"))' --arg flow "${flow}"
    get "/callbacks/welltory?stress=0.3&landfall_flow=${flow}"
    get "/api/v1/flows/${flow}"
    expect_json '.state == "returned" and [.messages[].kind] == ["launch", "launch", "callback"]'
}

@test "the vendors' own hosts are answered for, whole names only" {
    local host path
    while read -r host path; do
        get "${path}" --header "Host: ${host}" --header 'Accept: application/json'
        expect_status 200
        expect_json '.callbacks | length == 1'
        get "${path}" --header "Host: ${host}.evil.example" --header 'Accept: application/json'
        expect_status 404
    done <<'END'
flux.api.optioryx.com /open?flowName=a&callback=partner://x
dimmy.api.optioryx.com /open?flow=a&callback=cGFydG5lcjovL3g=
welltory.com /action/dds/measurement?source=a&callback=partner://x
welltory.onelink.me /first?pid=b&source=a&callback=partner://x
welltory.onelink.me /2180424117/bf497b9?source=DemoApp&callback=https%3A%2F%2Fwww.demoapp.com%2Fdds%2F
END
    get /.well-known/apple-app-site-association --header "Host: app.welltory.com"
    expect_status 404
    for host in flux.api.optioryx.com flux-dev.api.optioryx.com dimmy.api.optioryx.com welltory.com \
        welltory.onelink.me rzlv.co; do
        get /.well-known/apple-app-site-association --header "Host: ${host}"
        expect_status 200
        expect_json '.applinks.details | length == 1 and (.[0].appIDs[0] | contains(".emulated."))'
    done
}

@test "a person decides on the vendor's screen, and changes the values" {
    get "${FLUX}" --header "Accept: ${PAGES}"
    expect_status 200
    grep --quiet '<textarea' "${BODY}"
    local flow
    flow="$(field Landfall-Flow)"
    get "${FLUX}" --data-urlencode "flow=${flow}" --data-urlencode 'value={"startedAt":"x","note":"ä + ö"}'
    expect_status 302
    get "$(field Location | sed "s|^${LANDFALL_URL}||")"
    expect_status 201
    get "/api/v1/results/$(jq --raw-output .id "${BODY}")"
    expect_json '.result.item.note == "ä + ö"'
    get "${FLUX}" --data-urlencode "flow=${flow}" --data scenario=cancelled
    [[ "$(field Location)" == *status=cancelled ]]
    get "/api/v1/flows/${flow}"
    expect_json '[.messages[].kind] == ["launch", "launch", "callback", "launch"]
        and ([.messages[] | select(.kind == "launch") | .record.result.scenario] == [null, "completed", "cancelled"])'
    get "${FLUX}" --data scenario=cancelled
    expect_status 400
}

@test "the screen says how an edited answer ends" {
    local start='/emulate/welltory/action/dds/measurement?source=a&callback=partner://x' flow value
    get "${start}" --header "Accept: ${PAGES}"
    flow="$(field Landfall-Flow)"
    for value in 0.5:completed high:null; do
        get "${start}" --data-urlencode "flow=${flow}" --header 'Accept: application/json' \
            --data-urlencode "value={\"stress\":\"${value%:*}\"}"
        expect_json '.callbacks[0] | "\(.outcome)" == $outcome and (.url | endswith("stress=\($stress)"))' \
            --arg outcome "${value#*:}" --arg stress "${value%:*}"
    done
}

@test "a form of no screen that was shown, or with a wrong seed, decides nothing" {
    local forged=01900000-0000-7000-8000-000000000001 flow
    get "${FLUX}" --data "flow=${forged}&scenario=cancelled"
    expect_problem 400 '.errors[0].name == "flow"'
    get "/api/v1/flows/${forged}"
    expect_status 404
    get "${FLUX}" --header "Accept: ${PAGES}"
    flow="$(field Landfall-Flow)"
    get "${FLUX}" --data "flow=${flow}&scenario=cancelled&seed=abc"
    expect_problem 400 '.errors[0].name == "seed"'
    get "/emulate/dimmy/open?flow=a&callback=$(printf %s "${BACK}" | base64 --wrap 0)" --data "flow=${flow}&scenario=completed"
    expect_problem 400
    get "/api/v1/flows/${flow}"
    expect_json '.messages | length == 1'
}

@test "the screen keeps the seed that was asked for" {
    get "${FLUX}&seed=42" --header "Accept: ${PAGES}"
    grep --quiet 'name="seed" value="42"' "${BODY}"
}

@test "what can't be delivered is refused before anything is sent, and its record says why" {
    local scenario callback
    while read -r scenario callback; do
        get "/emulate/flux/open?flowName=a&scenario=${scenario}&callback=${callback}"
        expect_problem 422 '.type == "urn:landfall:problem:callback-refused"
            and .errors == [{"name": "callback", "detail": "Refused by the rule host."}]'
        get "/api/v1/flows/$(field Landfall-Flow)"
        expect_json '(.messages | length == 1) and .messages[0].record.result.scenario == $scenario
            and any(.messages[0].record.diagnostics[]; .code == "callback_not_allowed" and .severity == "warning")' \
            --arg scenario "${scenario}"
    done <<'END'
duplicate:3 https://192.0.2.1/x
out_of_order https://192.0.2.1/x
malformed:form https://192.0.2.1/x
malformed:form http://www.yourapp.com:22/x
duplicate:2 https://www.yourapp.com/dds/
END
    get "/emulate/flux/open?flowName=a&scenario=completed&callback=https://www.yourapp.com/dds/"
    expect_status 302
}

@test "a name below localhost is this machine, whatever DNS says" {
    get "/emulate/flux/open?flowName=a&scenario=malformed:body&callback=${BACK/127.0.0.1/callbacks.localhost}"
    expect_status 202
    arrived 'verdict=undecodable'
    expect_json '.results[0].request.host | startswith("callbacks.localhost:")'
}

@test "a message that is posted is shown to a person, and no link pretends to carry it" {
    get "${FLUX}&scenario=malformed:body" --header "Accept: ${PAGES}"
    expect_status 202
    expect_field Content-Type 'text/html; charset=utf-8'
    grep --quiet --fixed-strings "Posted to <code>${BACK}/$(field Landfall-Flow)</code> as <code>text/plain</code>" "${BODY}"
    arrived 'verdict=undecodable'
    get '/emulate/flux/open?flowName=a&scenario=malformed:form&callback=partner://x'
    expect_problem 400 '.type == "urn:landfall:problem:scenario-not-possible"'
    get '/emulate/flux/open?flowName=a&scenario=malformed:form&callback=partner://x' --header 'Accept: application/json'
    expect_json '.callbacks[0].method == "POST"'
    get '/emulate/flux/open?flowName=a&callback=partner://x' --header "Accept: ${PAGES}"
    grep --quiet 'value="malformed:url"' "${BODY}"
    expect_no_match 'value="malformed:\(form\|body\)"' "${BODY}"
}

@test "what ends on a screen of Ailet is no silence, and synchronised catalogues are told" {
    local start='/emulate/ailet?login=a&password=b&visit_id=v&back_url_scheme=partner&scenario=completed' method
    for method in summaryReport showVisitReport; do
        get "${start}&method=${method}" --header "Accept: ${PAGES}"
        expect_status 200
        grep --quiet 'ends on a screen' "${BODY}"
        expect_no_match lost "${BODY}"
    done
    get "${start}&method=syncCatalogs" --header 'Accept: application/json'
    expect_json '.callbacks[0].url == "partner:?result=%7B%22status%22%3A%22IR_RESULT_OK%22%7D"'
}

@test "from outside, callbacks lead to known hosts only, and never into the own network" {
    LANDFALL_TOKEN=a-token-of-the-tests start_configured "${BATS_TEST_TMPDIR}/wide" <<'END'
listen: {host: 0.0.0.0}
trusted_proxies: [127.0.0.1]
emulator: {allowed_hosts: [partner.example]}
END
    local callback rule
    while read -r callback rule; do
        get "/emulate/flux/open?flowName=a&callback=${callback}"
        expect_status 422
        expect_json '.errors[0].detail == "Refused by the rule \($rule)."' --arg rule "${rule}"
        get "/api/v1/flows/$(field Landfall-Flow)" --header 'Authorization: Bearer a-token-of-the-tests'
        expect_json '.messages[0].record.diagnostics[-1].expected | contains($rule)' --arg rule "${rule}"
        get "/emulate/flux/open?flowName=a&callback=${callback}" --header "Accept: ${PAGES}"
        expect_status 422
        grep --quiet "Refused by the rule ${rule}" "${BODY}"
    done <<'END'
http://10.0.0.1/x private-address
http://127.0.0.1:9/x private-address
http://localhost:9/x private-address
https://other.example/x host
https://partner.example.evil.example/x host
END
    get '/emulate/flux/open?flowName=a&callback=https://partner.example/x'
    expect_status 302
    get '/emulate/flux/open?flowName=a&callback=partner://x'
    expect_status 200
    stop_landfall
}

# items METHOD PATH [ARGUMENT]...: Flux's REST interface, with the key for development.
items() {
    get "$2" --request "$1" --header 'X-API-KEY: landfall-development-key' "${@:3}"
}

@test "what the emulator has scanned is asked for as at Flux's own interface" {
    local first id items=/emulate/dimmy/items host codes
    get "/emulate/flux/open?flowName=A&code=REST-1&callback=${BACK}" --location
    get "/emulate/dimmy/open?flow=b&code=REST-22&callback=$(printf partner://x | base64)" --header 'Accept: application/json'
    get "/emulate/flux/open?flowName=A&code=REST-3&callback=${BACK}&scenario=cancelled"
    get "/emulate/flux/open?flowName=A&code=REST-4&callback=${BACK}&scenario=delayed:1m" --header 'Accept: application/json'
    get "${items}"
    expect_status 401
    expect_json '.detail | length > 0'
    get "${items}" --header 'X-API-KEY: landfall-development-keY'
    expect_status 401
    items GET "${items}"
    codes="$(jq --compact-output '[.[] | select(.code == "REST-1") | .barcode_scanning[].barcodes[].value]' "${BODY}")"
    items POST "${items}/barcode" --data "{\"barcodes\":$(jq '. + ["REST-1","REST-22","REST-3","REST-4"]' <<<"${codes}")}"
    expect_status 200
    expect_json '[.[].code] == ["REST-1", "REST-22"] and all(.[]; ._id | test("^[0-9a-f]{24}$"))'
    id="$(jq --raw-output '.[0]._id' "${BODY}")"
    first="$(cat "${BODY}")"
    items POST "${items}/barcode?skip=1&limit=1" --data "{\"barcodes\":$(jq '. + ["REST-"]' <<<"${codes}"),\"exact\":[false,false]}"
    expect_json '[.[].code] == ["REST-22"]'
    items POST "${items}/barcode" --data '{"barcodes":["REST-","REST-1"]}'
    expect_json '. == []'
    items POST "${items}/barcode" --data '{"barcodes":["REST-22"],"exact":null,"scanner_account_ids":["none"]}'
    expect_json '. == []'
    for host in dimmy flux; do
        items GET "/items/${id}" --header "Host: ${host}.api.optioryx.com"
        expect_status 200
        expect_json '. == $first[0]' --argjson first "${first}"
    done
    items GET "${items}/000000000000000000000000"
    expect_status 404
    items GET "${items}?limit=1"
    expect_json 'length == 1'
    items GET "${items}?start_date=2100-01-01"
    expect_json '. == []'
    items GET "${items}?start_date=2020-01-01T00:00:00%2B01:00&end_date=2100-01-01T00:00:00.5&group_by=flow_id&limit=0"
    expect_json '. == []'
    items GET "${items}?end_date=2100-01-01&group_by=flow_id"
    expect_json '([.[].code] | index("REST-1")) != null'
    local query body
    for query in skip=-1 limit=x start_date=soon end_date=; do
        items GET "${items}?${query}"
        expect_status 422
        expect_json '.detail[0].loc == ["query", $name]' --arg name "${query%%=*}"
    done
    for body in '' '[]' '{' '{"barcodes":[]}' '{"barcodes":"a"}' '{"barcodes":[1]}' '{"barcodes":["a"],"exact":["x"]}'; do
        items POST "${items}/barcode" --data "${body}"
        expect_status 422
        expect_json '.detail[0].loc[0] == "body"'
    done
    items GET "${items}/barcode"
    expect_status 405
}

@test "an item of a repeated seed is that of the last flow, and listed once" {
    local code id
    for code in FIRST SECOND; do
        get "/emulate/flux/open?flowName=A&seed=77&code=${code}&callback=${BACK}"
        items GET /emulate/dimmy/items
        id="$(jq --raw-output --arg code "${code}" '.[] | select(.code == $code)._id' "${BODY}")"
        expect_json '[.[] | select(._id == $id).code] == [$code]' --arg id "${id}" --arg code "${code}"
        items GET "/emulate/dimmy/items/${id}"
        expect_json '.code == $code' --arg code "${code}"
    done
}

@test "Flux's interface has no public key where others can reach the server" {
    LANDFALL_TOKEN=a-token-of-the-tests start_configured "${BATS_TEST_TMPDIR}/keyless" <<'END'
log: {level: info}
END
    items GET /emulate/dimmy/items
    expect_problem 403 '.type == "urn:landfall:problem:no-api-keys"'
    stop_landfall
    LANDFALL_TOKEN=a-token-of-the-tests start_configured "${BATS_TEST_TMPDIR}/keyed" <<'END'
dimmy: {api_keys: [a-key-of-ours]}
END
    items GET /emulate/dimmy/items
    expect_status 401
    get /emulate/dimmy/items --header 'X-API-KEY: a-key-of-ours'
    expect_status 200
    expect_json '. == []'
    stop_landfall
}

@test "Welltory shows an emulated measurement to everyone who has its token, and no stored one" {
    local path="/emulate/welltory/action/dds/measurement?source=a&callback=${LANDFALL_URL}/callbacks/welltory/shared" token stress
    get "${path}" --location
    expect_status 201
    get "/api/v1/results/$(jq --raw-output .id "${BODY}")"
    token="$(jq --raw-output .result.token "${BODY}")"
    stress="$(jq .result.stress "${BODY}")"
    get "/share-measurement?token=${token}" --header 'Host: app.welltory.com'
    expect_status 200
    expect_field Cache-Control no-store
    grep --quiet "<dt>stress</dt><dd>${stress}</dd>" "${BODY}"
    get "/emulate/welltory/share-measurement?token=${token}"
    expect_status 200
    # A person's own token.
    get "${path}" --header "Accept: ${PAGES}"
    get "${path}" --data "flow=$(field Landfall-Flow)&seed=1" --data-urlencode '/token=my-token' \
        --data-urlencode '/stress=0.123' --max-redirs 0
    expect_status 302
    get '/emulate/welltory/share-measurement?token=my-token'
    expect_status 200
    grep --quiet '<dt>stress</dt><dd>0.123</dd>' "${BODY}"
    # The callback's own query has one, too.
    get "${path}%3Ftoken%3Dmine" --location
    expect_status 201
    get "/api/v1/results/$(jq --raw-output .id "${BODY}")"
    get "/emulate/welltory/share-measurement?token=$(jq --raw-output .result.token "${BODY}")"
    expect_status 200
    get "/callbacks/welltory?stress=0.5&token=not-emulated"
    expect_status 201
    for path in '?token=not-emulated' '?token=' '' "?Token=${token}"; do
        get "/share-measurement${path}" --header 'Host: app.welltory.com'
        expect_status 404
    done
    get "${path}&scenario=cancelled"
    get /action/dds/measurement --header 'Host: app.welltory.com'
    expect_status 404
}

@test "Welltory starts for the configured partners and their callbacks only" {
    start_configured "${BATS_TEST_TMPDIR}/partners" <<END
welltory: {partners: [{source: Partner, callbacks: ['partner://x']}]}
END
    local link='/emulate/welltory/action/dds/measurement?source=Partner&callback=partner://x' json='Accept: application/json'
    get "${link}" --header "${json}"
    expect_status 200
    get "${link}-y" --header "${json}"
    expect_problem 422 '.reaction == "nothing" and .diagnostics[0].code == "unregistered_callback"'
    get "${link/Partner/Other}" --header "${json}"
    expect_problem 422 '.diagnostics[0].code == "unregistered_source"'
    get '/2180424117/bf497b9?source=Other&callback=partner://x' --header 'Host: welltory.onelink.me' --header "${json}"
    expect_problem 422 '.diagnostics[0].code == "unregistered_source"'
    post_json /api/v1/launches '{"vendor":"welltory","parameters":{"source":"Partner"},"callback":"partner://x?order=7"}'
    expect_json '.diagnostics == []'
    post_json /api/v1/launches '{"vendor":"welltory","parameters":{"source":"Other"}}'
    expect_json '.diagnostics[0].code == "unregistered_source"'
    stop_landfall
}

@test "a finished flow is told by signed webhooks, which a partner's server believes" {
    local secret=whsec_bGFuZGZhbGwtdGVzdHMtc2VjcmV0LTAx
    start_configured "${BATS_TEST_TMPDIR}/partner" <<END
webhooks: {secrets: [${secret}]}
END
    local partner="${LANDFALL_URL}" folder="${BATS_TEST_TMPDIR}/emulator" flow
    start_configured "${folder}" <<END
emulator: {webhook_url: "${partner}/callbacks/dimmy/hooks?code=Zq7SECRET", webhook_secret: ${secret}}
END
    get "/emulate/flux/open?flowName=a&callback=partner://x" --header 'Accept: application/json'
    flow="$(jq --raw-output .flow "${BODY}")"
    get '/api/v1/results/wait?kind=delivery&contract=flux-webhook&count=2&within=50s'
    expect_status 200
    expect_json '[.results[].result.status] == [201, 201]'
    expect_json '[.results[].request.target] | unique == ["/callbacks/dimmy/hooks"]'
    expect_no_match --recursive Zq7SECRET "${folder}/data"
    get "/api/v1/flows/${flow}"
    expect_json '[.messages[] | select(.kind == "delivery") | .record.result.attempt] == [1, 1]'
    get '/emulate/flux/open?flowName=a&scenario=delayed:900ms' --header 'Accept: application/json'
    flow="$(jq --raw-output .flow "${BODY}")"
    get '/emulate/flux/open?flowName=a&scenario=stale' --header 'Accept: application/json'
    get "/api/v1/results/wait?flow=${flow}&kind=delivery&contract=flux-webhook&count=2&within=50s"
    get "/api/v1/flows/${flow}"
    expect_json '[.messages[] | select(.kind == "delivery") | .after_ms >= 900] == [true, true]'
    LANDFALL_URL="${partner}"
    get '/api/v1/results?inbox=hooks&sort=seq'
    expect_json '[.results[] | [.contract, .verdict]] | length == 4 and all(. == ["flux-webhook", "decoded"])'
    kill "${SERVER_PIDS[@]}"
}

@test "a flow has one item: in its callback, its webhook and Flux's interface" {
    start_configured "${BATS_TEST_TMPDIR}/partner" <<<'log: {level: info}'
    local partner="${LANDFALL_URL}" flow choice id parts expected
    start_configured "${BATS_TEST_TMPDIR}/emulator" <<END
emulator: {webhook_url: ${partner}/callbacks/dimmy/hooks}
END
    BACK="${LANDFALL_URL}/callbacks/dimmy/one"
    FLUX="/emulate/flux/open?flowName=Parcel&callback=${BACK}"
    parts='[.result | .barcodes, .photo_urls, .first_box, .started_at, .ended_at,
        (.item.customInputs // .item.custom_inputs | map(.value))]'
    for choice in scenario=completed scenario=empty scenario=huge /dimensioning/0/dimensions/width=0.123 \
        'value={"startedAt":"2026-03-09T13:02:11Z","endedAt":"2026-03-09T13:03:47Z","customInputs":[{"value":"ä"}]}'; do
        get "${FLUX}" --header "Accept: ${PAGES}"
        flow="$(field Landfall-Flow)"
        get "${FLUX}" --data "flow=${flow}" --data-urlencode "${choice}"
        expect_status 302
        get "$(field Location | sed "s|^${LANDFALL_URL}||")"
        expect_status 201
        get "/api/v1/results/$(jq --raw-output .id "${BODY}")"
        expected="$(jq --compact-output "${parts}" "${BODY}")"
        get "/api/v1/results/wait?flow=${flow}&kind=delivery&contract=flux-webhook&count=2&within=50s"
        expect_status 200
        LANDFALL_URL="${partner}" get '/api/v1/results?inbox=hooks&limit=2&fields=result'
        expect_json "[.results[] | select(.result.item) | ${parts}] == [\$callback]" --argjson callback "${expected}"
        id="$(jq --raw-output '.results[].result.item | values._id' "${BODY}")"
        jq '.results[].result.item | values' "${BODY}" >"${BATS_TEST_TMPDIR}/posted"
        items GET "/emulate/dimmy/items/${id}"
        expect_status 200
        expect_json '[.] == $posted' --slurpfile posted "${BATS_TEST_TMPDIR}/posted"
    done
    kill "${SERVER_PIDS[@]}"
}
