#!/usr/bin/env bats
# The whole round trip without a phone: every vendor and every scenario, against one server, and one that
# the command starts itself.

# bats file_tags=alone

# shellcheck disable=SC2154 # `run` sets some
load setup

setup_file() {
    start_landfall "${BATS_FILE_TMPDIR}/server"
}

teardown_file() {
    stop_landfall
}

# trips CONTRACT SCENARIO...: each ends as it says.
trips() {
    local contract="$1" scenario
    shift
    for scenario in "$@"; do
        run --separate-stderr "${LANDFALL_BIN}" trip "${contract}" --scenario "${scenario}" --seed 42 \
            --server "${LANDFALL_URL}" --json
        if ((status != 0)); then
            echo "${contract} ${scenario}: ${status} ${output:0:500} ${stderr}" >&2
            return 1
        fi
        [[ "$(jq --raw-output '"\(.ok) \(.scenario) \(.contract)"' <<<"${output}")" == "true ${scenario} ${contract}" ]]
    done
}

COMMON=(completed silent delayed:200ms duplicate:2 stale empty huge malformed:url malformed:form malformed:body
    malformed:percent malformed:utf8 malformed:model)

@test "Flux walks every scenario" {
    trips flux "${COMMON[@]}" out_of_order cancelled error:invalid_request error:not_logged_in \
        error:flow_unavailable malformed:base64 malformed:json
}

@test "Dimmy of 2024 walks every scenario" {
    trips dimmy-2024 "${COMMON[@]}" out_of_order cancelled error error:not_logged_in malformed:base64 malformed:json
}

@test "Welltory walks every scenario" {
    trips welltory-dds "${COMMON[@]}" out_of_order cancelled
}

@test "Ailet walks every scenario" {
    trips ailet-deeplink "${COMMON[@]}" out_of_order error:IR_ERROR_NO_INET error:IR_ERROR_AUTH malformed:json
}

@test "Rezolve's link is opened and stored, and nothing comes back" {
    trips rezolve-trigger completed
    [[ "$(jq --raw-output '.flow | "\(.state) \(.callbacks)"' <<<"${output}")" == "returned 1" ]]
    jq --exit-status '.flow.messages[-1].record.result
        == {"kind":"product","partner_id":12,"merchant_id":252,"category_id":7,"product_id":1041}' <<<"${output}"
    run -0 --separate-stderr "${LANDFALL_BIN}" trip rezolve --server "${LANDFALL_URL}"
    [[ "${output}" == *'the link is opened · decoded'* && "${output}" == *'✓ opened'* ]]
    [[ "${output}" != *callback* ]]
    run -2 "${LANDFALL_BIN}" trip rezolve --scenario silent --server "${LANDFALL_URL}"
}

@test "a trip makes every kind of the vendor's links, and its callback is found without a key of the vendor's" {
    local arguments
    while read -r -a arguments; do
        run -0 --separate-stderr "${LANDFALL_BIN}" trip "${arguments[@]}" --server "${LANDFALL_URL}" --json
        jq --exit-status '.ok' <<<"${output}"
    done <<'END'
rezolve engagementid=e-tasting region=eu
rezolve path=12/252/7
ailet method=report
ailet method=showVisitReport
ailet method=sync
ailet method=sync --scenario stale
END
    run -0 --separate-stderr "${LANDFALL_BIN}" trip rezolve partner=12 merchant=252 category=7 \
        --server "${LANDFALL_URL}" --json
    jq --exit-status '.flow.messages[-1].record.result.kind == "category"' <<<"${output}"
}

@test "a report in progress is followed by the ready one" {
    trips ailet-deeplink in_progress
}

@test "a trip starts a server of its own, and leaves nothing behind" {
    TMPDIR="${BATS_TEST_TMPDIR}" run --separate-stderr "${LANDFALL_BIN}" trip welltory
    ((status == 0))
    [[ "${output}" == *'the callback arrives · completed · decoded'* && "${output}" == *'as the scenario says'* ]]
    [[ -z "$(compgen -G "${BATS_TEST_TMPDIR}/landfall-trip-*")" ]]
}

@test "a trip that a signal ends takes its server with it" {
    local signal expected trip server folder outcome
    while read -r signal expected; do
        folder="${BATS_TEST_TMPDIR}/${signal}"
        mkdir "${folder}"
        TMPDIR="${folder}" env --default-signal=INT "${LANDFALL_BIN}" trip flux --scenario delayed:30s \
            >"${SCRATCH}/trip" 2>&1 3>&- &
        trip=$!
        for _ in {1..500}; do
            server="$(pgrep --parent "${trip}" || true)"
            if [[ -n "${server}" ]] && grep --quiet --recursive '"kind":"launch"' "${folder}" 2>/dev/null; then break; fi
            sleep 0.02
        done
        [[ -n "${server}" ]]
        kill -"${signal}" "${trip}"
        outcome=0
        wait "${trip}" || outcome=$?
        ((outcome == expected))
        for _ in {1..500}; do
            kill -0 "${server}" 2>/dev/null || break
            sleep 0.02
        done
        if kill -0 "${server}" 2>/dev/null; then false; fi
        [[ "${signal}" == KILL || -z "$(compgen -G "${folder}/landfall-trip-*")" ]]
    done <<'END'
TERM 143
INT 130
KILL 137
END
}

@test "a trip that does not end as it should says so" {
    # This inbox's callbacks are answered, but another server's flows are asked for.
    run --separate-stderr "${LANDFALL_BIN}" trip welltory --server http://127.0.0.1:1
    [[ "${status}" == 3 && -n "${stderr}" ]]
    run --separate-stderr "${LANDFALL_BIN}" trip welltory --scenario sleepy
    [[ "${status}" == 2 && "${stderr}" == *completed* ]]
    run --separate-stderr "${LANDFALL_BIN}" trip acme
    [[ "${status}" == 2 && "${stderr}" == *welltory* ]]
    run --separate-stderr "${LANDFALL_BIN}" trip flux --scenarios
    [[ "${status}" == 0 && "${output}" == *'error:<code>'* ]]
}

@test "send brings one leg: every vendor, posted and as a link, good and broken" {
    local vendor contract
    while read -r vendor contract; do
        run --separate-stderr "${LANDFALL_BIN}" send "${vendor}" --seed 1 --to "${LANDFALL_URL}"
        ((status == 0))
        get "/api/v1/results/$(jq --raw-output .id <<<"${output}")"
        expect_json '.contract == $contract and .verdict == "decoded" and .request.method == "POST"' \
            --arg contract "${contract}"
        run --separate-stderr "${LANDFALL_BIN}" send "${vendor}" --seed 1 --get --to "${LANDFALL_URL}"
        ((status == 0))
        run --separate-stderr "${LANDFALL_BIN}" send "${vendor}" --scenario malformed:percent --to "${LANDFALL_URL}"
        jq --exit-status '.diagnostics[0].layer == "percent"' <<<"${output}"
    done <<'END'
dimmy flux
dimmy-2024 dimmy-2024
welltory welltory-dds
ailet ailet-deeplink
END
    for vendor in rezolve rezolve-act; do
        run --separate-stderr "${LANDFALL_BIN}" send "${vendor}" --to "${LANDFALL_URL}" --json
        ((status == 0))
        jq --exit-status '.contract == "rezolve-act"' <<<"${output}"
        get "/api/v1/results/$(jq --raw-output '.replies[0].body.id' <<<"${output}")"
        expect_json '.contract == "rezolve-act" and .verdict == "decoded"'
    done
    run --separate-stderr "${LANDFALL_BIN}" send welltory --scenario duplicate:3 --to "${LANDFALL_URL}"
    ((status == 0 && ${#lines[@]} == 3))
}

@test "send breaks the layer that it says, as one JSON document if asked" {
    local layer
    for layer in url form; do
        run --separate-stderr "${LANDFALL_BIN}" send flux --scenario "malformed:${layer}" --seed 1 --to "${LANDFALL_URL}" --json
        jq --exit-status --arg layer "${layer}" '.contract == "flux" and .seed == "1"
            and .replies[0].body.diagnostics[0].layer == $layer' <<<"${output}"
    done
    run --separate-stderr "${LANDFALL_BIN}" send welltory --scenario duplicate:2 --to "${LANDFALL_URL}" --json
    ((status == 0))
    jq --exit-status '.ok and ([.replies[].status] == [201, 201])' <<<"${output}"
    run --separate-stderr "${LANDFALL_BIN}" send welltory --to http://127.0.0.1:1 --json
    ((status == 3))
    jq --exit-status '.type == "urn:landfall:problem:environment"' <<<"${output}"
}

@test "what can't be sent, and where nothing can be: exit 2" {
    local arguments words
    while IFS='|' read -r arguments words; do
        # shellcheck disable=SC2086 # several arguments
        run --separate-stderr "${LANDFALL_BIN}" ${arguments}
        [[ "${status}" == 2 && "${stderr}" == *"${words}"* ]]
    done <<'END'
send welltory --to foo|--to: The URL doesn't begin with http
send welltory --to ftp://a.example/x|--to: The URL doesn't begin with http
trip welltory --server foo|--server: The URL doesn't begin with http
send rezolve --get|omit --get
send rezolve --scenario silent|only the scenario completed
send rezolve-trigger|rezolve-trigger is a link that nothing answers; there are
send flux --get --scenario malformed:form|omit --get
send flux-webhook --scenario cancelled|only the scenario completed
send flux-webhook --secret hush|whsec_
send flux --secret whsec_bGFuZGZhbGwtdGVzdHMtc2VjcmV0LTAx|omit --secret
END
}

@test "Flux's webhook is sent signed, and believed" {
    local secret=whsec_bGFuZGZhbGwtdGVzdHMtc2VjcmV0LTAx
    start_configured "${BATS_TEST_TMPDIR}/signed" <<END
webhooks: {secrets: [${secret}]}
END
    run --separate-stderr "${LANDFALL_BIN}" send flux-webhook --secret "${secret}" --to "${LANDFALL_URL}"
    ((status == 0 && ${#lines[@]} == 2))
    LANDFALL_WEBHOOK_SECRETS="${secret}" run --separate-stderr "${LANDFALL_BIN}" send flux-webhook --to "${LANDFALL_URL}"
    ((status == 0))
    run --separate-stderr "${LANDFALL_BIN}" send flux-webhook --to "${LANDFALL_URL}" --json
    ((status == 1))
    jq --exit-status '.replies[0].status == 401' <<<"${output}"
    get '/api/v1/results?contract=flux-webhook&verdict=decoded'
    expect_json '[.results[] | select(.diagnostics == [])] | length == 4'
    stop_landfall
}
