#!/usr/bin/env bats
# `landfall launch` and `landfall launch check`: what scripts read of them.
# Left out: the contracts' rules, which the unit tests know; the server's own flows.

# shellcheck disable=SC2016,SC2154 # programs of jq have variables of their own; `run` sets some
load setup

# launch ARGUMENT...: the outputs apart.
launch() {
    run --separate-stderr "${LANDFALL_BIN}" launch "$@"
}

# checked CODE LINK [OPTION]...: as JSON, with the exit code.
checked() {
    local code="$1" link="$2"
    shift 2
    launch check "${link}" --json "$@"
    ((status == code))
}

@test "each vendor's link is printed, and nothing else" {
    launch dimmy flowName='Inbound + 1' --callback 'https://a.example/r?o=1&p=2'
    [[ "${status}" == 0 && -z "${stderr}" ]]
    [[ "${output}" == 'https://flux.api.optioryx.com/open?flowName=Inbound%20%2B%201&callback=https://a.example/r?o%3D1%26p%3D2' ]]
    launch dimmy --contract dimmy-2024 flow=default callback=app://x
    ((status == 0))
    [[ "${output}" == "https://dimmy.api.optioryx.com/open?flow=default&callback=$(printf app://x | base64)" ]]
    launch welltory source=Partner callback=com.partner.app/.Main --form android
    ((status == 0))
    [[ "${output}" == 'welltory://branch/Measurement/Start/source%3DPartner%26callback%3Dcom.partner.app%2F.Main' ]]
    launch ailet method=sync login=ana password='p&q' --callback partnerapp:
    ((status == 0))
    [[ "${output}" == 'intelligenceretail:?method=sync&login=ana&password=p%26q&back_url_scheme=partnerapp' ]]
    launch rezolve partner=2 merchant=12 category=70 ad=6
    [[ "${status}" == 0 && "${output}" == 'https://rzlv.co/2/12/70?ad=6' ]]
}

@test "what makes no link: exit 2, and a sentence that says what to do" {
    local arguments
    while IFS='|' read -r arguments words; do
        # shellcheck disable=SC2086 # several arguments
        launch ${arguments}
        [[ "${status}" == 2 && -z "${output}" && "${stderr}" == *"${words}"* ]]
    done <<'END'
flix flowName=a|Did you mean flux?
raw a=b|Vendors: dimmy, welltory, ailet, rezolve
flux|The parameter flowName is missing
flux flowname=a|Did you mean flowName?
flux flowName|is not key=value
flux flowName=a --callback app://x callback=app://y|mean the same
flux flowName=a callback=javascript:x|must be a whole URL
dimmy --contract welltory-dds flowName=a|only of dimmy-2024, flux
welltory source=a callback=a/.B --flow 7|must be a whole URL or
flux flowName=a callback=app://x --flow=7|a UUID of version 7
flux flowName=a --flow|add --callback URL
flux flowName=a --server http://127.0.0.1:1|--server needs --flow
flux flowName=a --inbox qa|--inbox needs --server
flux flowName=a --flow --token abc|--token needs --server
flux flowName=a --flow --ca /dev/null|--ca needs --server
flux flowName=a --inbox qa --flow|--inbox needs --server
rezolve partner=1 merchant=2 category=3 --callback app://x|have no callback
rezolve partner=1 merchant=2 category=3 --flow|leave out --flow
flux flowName=a --form android|leave out --form
END
    launch flux --json
    ((status == 2))
    jq --exit-status '.type == "urn:landfall:problem:usage" and (.detail | contains("flowName"))' <<<"${output}"
}

@test "the keys in the help keep their columns, and no line is broken" {
    run "${LANDFALL_BIN}" launch --help
    ((status == 0))
    grep --quiet '^  ailet         method login password' <<<"${output}"
    sed --quiet '/^Keys/,/^Exit/p' <<<"${output}" | grep --invert-match --extended-regexp '^(Keys|EXAMPLES|Exit|  |$)' \
        >"${SCRATCH}/broken" || true
    [[ ! -s "${SCRATCH}/broken" ]]
}

@test "what is unwise is said on standard error" {
    launch flux flowName=a callback=http://a.example/
    [[ "${status}" == 0 && "${output}" == https://flux* && "${stderr}" == *'expected callback: https'* ]]
}

@test "a flow's id is put into the callback, and survives what is appended" {
    local id=019a9a3c-1d2e-7f30-8a4b-5c6d7e8f9a0b
    launch flux flowName=a 'callback=https://a.example/r?o=1#top' --flow "${id}" --json
    ((status == 0))
    jq --exit-status --arg id "${id}" '.flow == $id and .contract == "flux" and .links == {}
        and .callback == "https://a.example/r?o=1&landfall_flow=\($id)#top"' <<<"${output}"
    launch check "$(jq --raw-output .url <<<"${output}")" --json
    jq --exit-status --arg id "${id}" '.ok and (.callback | contains($id))' <<<"${output}"
    launch flux --flow flowName=a callback=http://127.0.0.1:8080/callbacks/dimmy/qa --json
    ((status == 0))
    jq --exit-status '(.flow | test("^[0-9a-f]{8}-[0-9a-f]{4}-7")) and (.flow as $id
        | .callback == "http://127.0.0.1:8080/callbacks/dimmy/qa/\($id)")' <<<"${output}"
}

@test "a check: exit 0 or 1, and the document" {
    checked 0 'https://flux.api.optioryx.com/open?flowName=a&callback=app://x'
    jq --exit-status '. == {vendor: "dimmy", contract: "flux", ok: true,
        parameters: {flowName: "a", callback: "app://x"}, callback: "app://x", diagnostics: [],
        reaction: {kind: "starts", query: null, rule: .reaction.rule, inferred: false}}' <<<"${output}"
    checked 1 'https://flux.api.optioryx.com/open?flow=a&callback=app://x'
    jq --exit-status '(.ok | not) and (.diagnostics | map([.code, .offset])) == [["older_contract", 35]]
        and .reaction.query == "status=error&error=invalid_request"' <<<"${output}"
    checked 0 '/emulate/rezolve/2/12/70' --contract rezolve
    checked 1 'https://rzlv.co.evil.example/2/12/70'
    jq --exit-status '.vendor == null and .contract == null and .reaction.kind == "browser"' <<<"${output}"
    run --separate-stderr "${LANDFALL_BIN}" launch check - --json <<<'https://rzlv.co/2/12'
    [[ "${status}" == 1 ]]
    jq --exit-status '.diagnostics[0].code == "bad_trigger"' <<<"${output}"
}

@test "a check shows the decoded callback, and knows the configured partners of Welltory" {
    launch check "https://dimmy.api.optioryx.com/open?flow=default&callback=$(printf 'app://x?a=1&password=hush' | base64)"
    ((status == 0))
    [[ "${output}" == *'leads back to app://x?a=1&password='* && "${output}" != *hush* ]]
    launch check 'https://flux.api.optioryx.com/open?flowName=a&callback=app://x'
    [[ "${output}" != *'leads back'* ]]
    local first='https://welltory.onelink.me/2180424117/bf497b9?source=DemoApp&callback=https%3A%2F%2Fwww.demoapp.com%2Fdds%2F'
    checked 0 "${first}"
    jq --exit-status '.contract == "welltory-dds" and .callback == "https://www.demoapp.com/dds/"' <<<"${output}"
    printf "welltory: {partners: [{source: DemoApp, callbacks: ['https://other.example/']}]}\n" >"${BATS_TEST_TMPDIR}/partners.yaml"
    checked 1 "${first}" --config "${BATS_TEST_TMPDIR}/partners.yaml"
    jq --exit-status '.diagnostics[0].code == "unregistered_callback" and .reaction.kind == "nothing"' <<<"${output}"
    run --separate-stderr "${LANDFALL_BIN}" decode --vendor welltory "${first}"
    [[ "${output}" == *launch_link* ]]
    launch check "${first}" --config /nowhere.yaml
    ((status == 3))
}

@test "with configured partners of Welltory, a server's diagnostics are printed, and a trip names one" {
    local folder="${BATS_TEST_TMPDIR}/server"
    start_landfall "${folder}"
    stop_landfall
    cat >"${folder}/landfall.yaml" <<END
welltory: {partners: [{source: YourApp, callbacks: ['${LANDFALL_URL}/callbacks/welltory/trips']}]}
END
    launch_landfall "${folder}" --config "${folder}/landfall.yaml" --host 127.0.0.1 --port "${SERVER_PORT}" \
        --data "${folder}/data"
    wait_for_landfall
    launch welltory source=Nope --flow --server "${LANDFALL_URL}"
    [[ "${status}" == 0 && "${stderr}" == *'a registered name, of YourApp'* ]]
    run --separate-stderr "${LANDFALL_BIN}" trip welltory --server "${LANDFALL_URL}"
    [[ "${status}" == 1 && "${stderr}" == *'422'*'a registered name, of YourApp'* ]]
    run --separate-stderr "${LANDFALL_BIN}" trip welltory source=YourApp --server "${LANDFALL_URL}"
    ((status == 0))
    run --separate-stderr "${LANDFALL_BIN}" trip flux bogus=1 --server "${LANDFALL_URL}"
    [[ "${status}" == 2 && "${stderr}" == *bogus* ]]
    stop_landfall
    run --separate-stderr "${LANDFALL_BIN}" trip welltory source
    [[ "${status}" == 2 && "${stderr}" == *'"source" is not key=value'* ]]
}

@test "a check for people names place, hint and reaction, and shows no credential" {
    launch check 'intelligenceretail:?method=visits&login=ana&password=hush&back_url_scheme=app'
    [[ "${status}" == 1 && -z "${stderr}" && "${output}" != *ana* && "${output}" != *hush* ]]
    [[ "${output}" == 'wrong  ailet, contract ailet-deeplink'* ]]
    [[ "${output}" == *'error at byte 27: expected method: one of visit, report,'* ]]
    [[ "${output}" == *'did you mean visit?'* && "${output}" == *'the app calls back with result=%7B'* ]]
    launch check ''
    ((status == 2))
    launch check 'https://rzlv.co/1/2/3' --contract nobody
    [[ "${status}" == 2 && "${stderr}" == *'--contract is one of dimmy-2024, flux'* ]]
}

@test "a QR code in the terminal and as SVG" {
    launch rezolve partner=2 merchant=12 category=70 --qr
    ((status == 0 && ${#lines[@]} == 1 + 17))
    [[ "${lines[0]}" == https://rzlv.co/2/12/70 ]]
    [[ "${lines[1]}" == "$(printf '█%.0s' {1..33})" ]]
    launch rezolve partner=2 merchant=12 category=70 --qr svg
    [[ "${status}" == 0 && "${output}" == '<svg '*'viewBox="0 0 33 33"'*'</svg>' ]]
    local file="${BATS_TEST_TMPDIR}/code.svg"
    launch rezolve partner=2 merchant=12 category=70 --qr -o "${file}"
    [[ "${status}" == 0 && "${output}" == https://rzlv.co/2/12/70 ]]
    python3 -c 'import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])' "${file}"
    launch flux flowName="$(printf 'a%.0s' {1..2953})" --qr
    [[ "${status}" == 2 && "${stderr}" == *'holds 2,953 bytes at most'* ]]
    launch rezolve partner=2 merchant=12 category=70 --qr -o /nowhere/code.svg
    ((status == 3))
}

@test "a server is asked for the flow, and its answer is printed" {
    start_landfall "${BATS_TEST_TMPDIR}/server"
    launch flux flowName=a --flow --inbox qa --server "${LANDFALL_URL}/" --json
    ((status == 0))
    local flow
    flow="$(jq --raw-output .flow <<<"${output}")"
    jq --exit-status --arg receiver "${LANDFALL_URL}/callbacks/dimmy/qa/${flow}" '
        .contract == "flux" and .callback == $receiver' <<<"${output}"
    get "/api/v1/flows/${flow}"
    ((STATUS == 200))
    launch ailet method=sync login=a password=b --callback partnerapp: --flow --server "${LANDFALL_URL}"
    ((status == 0))
    [[ "${output}" == 'intelligenceretail:?method=sync&login=a&password=b&back_url_scheme=partnerapp' ]]
    launch flux --flow --server "${LANDFALL_URL}"
    [[ "${status}" == 2 && -z "${output}" && "${stderr}" == *'flowName is missing'* ]]
    launch flux flowName=a --flow=019a9a3c-1d2e-7f30-8a4b-5c6d7e8f9a0b --server "${LANDFALL_URL}"
    [[ "${status}" == 2 && "${stderr}" == *"The server makes the flow's id"* ]]
    stop_landfall
    launch flux flowName=a --flow --server "${LANDFALL_URL}"
    [[ "${status}" == 3 && "${stderr}" == *"can't be reached"* ]]
}
