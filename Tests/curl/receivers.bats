#!/usr/bin/env bats
# Receivers: hosts and paths of one's own that accept callbacks, and the contract that one can be given.
# Invariant: a given contract decides only where a message doesn't tell its own.
# Left out: what the decoders find in messages of each contract (Tests/VendorsTests).

load setup

# An item of which nothing tells whether Dimmy or Flux has sent it.
ITEM='{"dimensioning":[{"dimensions":{"width":0.4,"height":0.3,"depth":0.2,"unit":"m"}}]}'

setup_file() {
    start_configured "${BATS_FILE_TMPDIR}/server" <<'END'
receivers:
  - {host: scans.example.com, path: /any, vendor: dimmy}
  - {host: scans.example.com, path: /flux, vendor: dimmy, contract: flux, inbox: flux}
  - {host: scans.example.com, path: "/:site/dimmy", vendor: dimmy, contract: dimmy-2024}
  - {host: scans.example.com, path: "/orders/:int(id)/:password/(:note)", vendor: welltory, inbox: orders}
  - {host: query.example.com, path: "/s?:num(stress)", vendor: welltory, inbox: query}
  - {host: query.example.com, path: "/s", vendor: raw, inbox: query}
  - {host: all.example.com, path: "*", vendor: welltory, inbox: all}
END
}

teardown_file() {
    stop_landfall
}

# send PATH QUERY: to the host of the receivers.
send() {
    get "$1?$2" --header 'Host: scans.example.com'
}

response() {
    printf 'response=%s' "$(escaped "$(printf '%s' "${ITEM}" | base64 --wrap 0)")"
}

@test "a receiver without a contract takes what the message tells" {
    send /any "$(response)"
    expect_stored decoded '.contract == "dimmy-2024" and .inbox == "default" and (.request | has("pinned") | not)'
    send /any "status=completed&$(response)"
    expect_stored decoded_with_warnings '.contract == "flux"'
}

@test "a receiver's contract decides where the message doesn't tell" {
    send /flux "$(response)"
    expect_stored decoded_with_warnings '.contract == "flux" and .inbox == "flux"
        and .request.pinned == "flux" and .diagnostics[0].code == "missing_parameter"'
    send /berlin/dimmy "$(response)"
    expect_stored decoded '.contract == "dimmy-2024" and .request.pinned == "dimmy-2024"'
}

@test "a message of another contract is decoded by that, with a warning" {
    send /berlin/dimmy "status=cancelled"
    expect_stored decoded_with_warnings '.contract == "flux" and .outcome == "cancelled"
        and any(.diagnostics[]; .code == "other_contract" and (.expected | contains("dimmy-2024")))'
}

@test "what a path captures is kept with the result and can be asked for" {
    local id
    send /orders/42/hush/caf%C3%A9%20a 'stress=0.5'
    expect_stored decoded '.request.parameters == {"id": "42", "password": "[redacted]", "note": "café a"}'
    id="$(jq --raw-output .id "${BODY}")"
    send /orders/43/hush 'stress=0.5'
    expect_stored decoded '.request.parameters == {"id": "43", "password": "[redacted]"}'
    send /orders/44/x 'stress=0.5' --data '[{"stress":1},{"stress":0.5}]'
    local query count
    while IFS='|' read -r query count; do
        get '/api/v1/results?inbox=orders&fields=id,request.parameters' --get --data-urlencode "q=${query}"
        expect_status 200
        expect_json '.results | length == $count' --argjson count "${count}"
    done <<'END'
parameter.id:42|1
parameter.id:(42 OR 43)|2
parameter.id:4|0
parameter.note:"café a"|1
parameter.note:"café"|0
has:parameter.note|1
NOT has:parameter.note AND parameter.id:43|1
parameter.Id:42|0
has:parameter.other|0
END
    get '/api/v1/results?q=parameter.:1'
    expect_status 400
    get '/api/v1/fields'
    expect_json '.fields[] | select(.name == "parameter.NAME") | .type == "text"'
    post_json "/api/v1/results/${id}/send" '{"to":"self"}'
    expect_status 201
    get '/api/v1/results?q=parameter.id:42'
    expect_json '.results | length == 2'
    get '/api/v1/export?inbox=orders'
    cp "${BODY}" "${SCRATCH}/orders"
    get /api/v1/inboxes/orders --request DELETE
    get /api/v1/import --data-binary "@${SCRATCH}/orders" --header 'Content-Type: application/x-ndjson'
    expect_status 200
    get '/api/v1/results?q=parameter.id:43'
    expect_json '.results[0].request.parameters.id == "43"'
    send /any "$(response)"
    expect_stored decoded '.request | has("parameters") | not'
}

@test "a receiver whose pattern names a part of the query takes what has it" {
    get '/s?stress=0.5' --header 'Host: query.example.com'
    expect_stored decoded '.vendor == "welltory" and .request.parameters == {"stress": "0.5"}'
    get '/s?stress=high' --header 'Host: query.example.com'
    expect_stored unmatched '.vendor == "raw"'
    run "${LANDFALL_BIN}" pattern route 'https://query.example.com/s?stress=0.5' \
        --config "${BATS_FILE_TMPDIR}/server/landfall.yaml"
    [[ "${output}" == *'stress = 0.5'* ]]
}

@test "a receiver that takes everything leaves its host the link files" {
    local path
    for path in /.well-known/apple-app-site-association /apple-app-site-association /.well-known/assetlinks.json; do
        get "${path}" --header 'Host: all.example.com'
        expect_status 404
    done
    get '/anything?stress=0.5' --header 'Host: all.example.com'
    expect_status 201
    get '/api/v1/results?inbox=all'
    expect_json '.results | length == 1'
}

@test "what a path captures as a credential, or what looks like one, is stored nowhere" {
    send /orders/51/s3cret-p1/eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ1In0.s3cretp2x 'stress=0.5'
    expect_stored decoded '(.request.target | startswith("/orders/51/[redacted]/"))
        and .request.parameters.id == "51" and .request.parameters.password == "[redacted]"'
    # A path that can't be decoded makes a stray.
    get '/orders/52/s3cret-p3%ff?stress=0.5' --header 'Host: scans.example.com'
    expect_status 400
    get /orders/52/s3cret-p4%zz --header 'Host: scans.example.com'
    expect_status 400
    get '/api/v1/results?kind=stray'
    expect_json '[.results[].request | select(.target | startswith("/orders/52/[redacted]"))] | length == 2'
    run ! grep --recursive --text --quiet 's3cret-*p' "${SERVER_DATA}"
}

@test "decoding again goes by the contract that the receiver had" {
    send /flux "$(response)"
    get /api/v1/store/redecode --request POST
    expect_status 200
    expect_json '.checked > 0 and .changed == 0 and .unreadable == 0'
}

@test "what was received at such a receiver can be exported and imported" {
    send /flux "$(response)"
    get '/api/v1/export?inbox=flux'
    expect_status 200
    cp "${BODY}" "${SCRATCH}/lines"
    get /api/v1/inboxes/flux --request DELETE
    expect_status 200
    get /api/v1/import --data-binary "@${SCRATCH}/lines" --header 'Content-Type: application/x-ndjson'
    expect_status 200
    get '/api/v1/results?inbox=flux&fields=contract,request.pinned'
    expect_json '.results | length > 0 and all(.[]; .contract == "flux" and .request.pinned == "flux")'
}
