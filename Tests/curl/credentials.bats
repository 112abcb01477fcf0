#!/usr/bin/env bats
# Credentials never reach the disk: each is sent in some way, then the whole data folder, the index and the
# log are searched for it.
# Invariant: what hides a credential leaves everything else of the request as it came.
# Left out: answers to whoever sent the credential.

load setup

setup_file() {
    start_landfall "${BATS_FILE_TMPDIR}/server"
}

teardown_file() {
    stop_landfall
}

# expect_hidden SECRET...: neither in the data folder, with the index and its log, nor in the server's log.
expect_hidden() {
    local secret found
    expect_well
    for secret in "$@"; do
        found="$(grep --recursive --text --files-with-matches --fixed-strings "${secret}" \
            "${SERVER_DATA}" "${SERVER_LOG}" "${SERVER_OUT}")" || true
        [[ -z "${found}" ]] || fail "${secret} is in ${found}"
    done
}

REPORT='{"status":"IR_RESULT_OK","photosCounter":1}'

@test "what is not a credential is found by the search that finds none" {
    get '/callbacks/raw?visit_id=find-me-0'
    run ! expect_hidden find-me-0
}

@test "login and password of a GET query are hidden" {
    get "/callbacks/ailet?login=s3cret-a1&result=$(escaped "${REPORT}")&password=s3cret-a2&visit_id=7"
    expect_stored decoded '.result.status == "IR_RESULT_OK" and (.request.target
        | contains("login=[redacted]") and contains("password=[redacted]") and contains("visit_id=7"))'
    expect_hidden s3cret-a1 s3cret-a2
}

@test "login and password of a form are hidden" {
    post_form /callbacks/ailet "login=s3cret-b1&password=s3cret-b2&result=$(escaped "${REPORT}")"
    expect_stored decoded '.result.photosCounter == 1
        and (.request.body.data | contains("login=[redacted]") and contains("result=%7B"))'
    expect_hidden s3cret-b1 s3cret-b2
}

@test "login and password of a JSON body are hidden, at any depth" {
    post_json /callbacks/ailet '{"status":"IR_RESULT_OK","login":"s3cret-c1","password":"s3cret-c2",
        "report":{"result":{"password":["s3cret-c3",{"x":"s3cret-c4"}],"login" : 5318008}}}'
    expect_stored decoded '.result.status == "IR_RESULT_OK"
        and .result.report.result.password == "[redacted]"
        and (.request.body.data | fromjson | .login == "[redacted]" and .status == "IR_RESULT_OK")'
    expect_hidden s3cret-c1 s3cret-c2 s3cret-c3 s3cret-c4 5318008
}

@test "login and password are hidden from vendors that decode nothing" {
    post_form '/callbacks/raw?password=s3cret-d1' 'login=s3cret-d2'
    post_json /callbacks/raw '{"password":"s3cret-d3"}'
    expect_hidden s3cret-d1 s3cret-d2 s3cret-d3
}

@test "the names of credentials are known in any case and escaping" {
    get '/callbacks/raw?PASSWORD=s3cret-e1&pass%77ord=s3cret-e2&Lo%67in=s3cret-e3'
    post_form /callbacks/raw 'x=1&Password=s3cret-e4&%6Cogin=s3cret-e5'
    post_json /callbacks/raw '{"pass\u0077ord":"s3cret-e6","Login":"s3cret-e7"}'
    expect_hidden s3cret-e1 s3cret-e2 s3cret-e3 s3cret-e4 s3cret-e5 s3cret-e6 s3cret-e7
}

@test "credentials of requests that can't be decoded are hidden" {
    get '/callbacks/ailet?password=s3cret-f1&result=%7B%ZZ'
    expect_stored undecodable
    post_json /callbacks/ailet '{"password":"s3cret-f2","status":'
    expect_stored undecodable
    expect_hidden s3cret-f1 s3cret-f2
}

@test "credentials of a form that is called something else are hidden" {
    get /callbacks/ailet --header 'Content-Type: text/plain' --data-binary 'x=1&password=s3cret-k1'
    expect_stored undecodable
    post_json /callbacks/ailet 'x=1&password=s3cret-k2'
    expect_stored undecodable
    expect_hidden s3cret-k1 s3cret-k2
}

@test "credentials of JSON that is called a form are hidden" {
    post_form /callbacks/ailet '{"status":"IR_RESULT_OK","password":"s3cret-l1"}'
    expect_stored decoded_with_warnings
    expect_hidden s3cret-l1
}

@test "credentials of a report that result carries are hidden" {
    get "/callbacks/ailet?result=$(escaped '{"status":"IR_RESULT_OK","password":"s3cret-g1"}')"
    expect_stored decoded
    post_form /callbacks/ailet \
        "result=$(escaped '{"status":"IR_RESULT_OK","report":{"login":"s3cret-g2"}}')"
    expect_stored decoded
    expect_hidden s3cret-g1 s3cret-g2
}

@test "credentials of a launch link that a parameter carries are hidden" {
    get "/callbacks/raw?back=$(escaped 'intelligenceretail:?method=visit&login=s3cret-h1&password=s3cret-h2')"
    expect_hidden s3cret-h1 s3cret-h2
}

@test "Authorization, cookies and API keys are hidden, and that they came is not" {
    get '/callbacks/welltory?stress=0.32' --header 'Authorization: Bearer s3cret-i1' \
        --header 'cookie: session=s3cret-i2' --header 'Cookie: s3cret-i3' \
        --header 'Proxy-Authorization: Basic s3cret-i4' --header 'X-API-KEY: s3cret-i5' \
        --header 'X-Kept: plain'
    expect_stored decoded '[.request.headers[] | select(.[1] == "[redacted]") | .[0]]
            == ["Authorization","cookie","Cookie","Proxy-Authorization","X-API-KEY"]
        and any(.request.headers[]; . == ["X-Kept","plain"])'
    expect_hidden s3cret-i1 s3cret-i2 s3cret-i3 s3cret-i4 s3cret-i5
}

@test "a server that logs everything logs no query and no credential" {
    LANDFALL_LOG_LEVEL=trace start_landfall "${SCRATCH}/verbose"
    get '/callbacks/ailet?password=s3cret-j1'
    get '/nothing-here?password=s3cret-j2'
    get '/api/v1/results?password=s3cret-j3&stress=s3cret-j4'
    stop_landfall
    run ! grep --recursive --text --fixed-strings s3cret-j "${SCRATCH}/verbose"
}

@test "credentials in headers, in findings and before the host of a URL are hidden" {
    get '/callbacks/welltory?stress=0.5' --header 'Referer: https://p/?login=u&password=s3cret-m1' \
        --header 'X-Original-URL: /cb?api_key=s3cret-m2' --header 'X-Token: s3cret-m3'
    expect_stored decoded '[.request.headers[] | select(.[0] == "Referer")][0][1] | contains("login=[redacted]")'
    get '/callbacks/welltory?stress=0.5%26password%3Ds3cret-m4'
    expect_stored undecodable
    get '/callbacks/raw?callback=https%3A%2F%2Fbob%3As3cret-m5%40example.com%2F&password%5B%5D=s3cret-m6'
    get "/emulate/ailet?method=visit&login=u&pasword=s3cret-m7&visit_id=1&store_id=2&back_url_scheme=app"
    get "/emulate/flux/open?flowName=A&callback=https%3A%2F%2Fbob%3As3cret-m8%40127.0.0.1%2F"
    expect_hidden s3cret-m1 s3cret-m2 s3cret-m3 s3cret-m4 s3cret-m5 s3cret-m6 s3cret-m7 s3cret-m8
}

@test "credentials in the host are hidden, and its port stays" {
    local token=eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJzZWNyZXQifQ.c2VjcmV0c2VjcmV0c2VjcmV0
    get '/callbacks/raw?x' --header 'Host: password=s3cret-n1.example:8080'
    expect_stored unmatched '.request.host == "password=[redacted]:8080"
        and any(.request.headers[]; . == ["Host", "password=[redacted]:8080"])'
    get '/callbacks/raw?x' --header "Host: ${token}"
    expect_stored unmatched '.request.host == "[redacted]"'
    run -0 "${LANDFALL_BIN}" results get "$(jq --raw-output .id "${BODY}")" --curl --server "${LANDFALL_URL}"
    [[ "${output}" == *"--header 'Host: %5Bredacted%5D'"* ]]
    get '/callbacks/raw?x' --header 'Host: password:8080'
    expect_stored unmatched '.request.host == "password:8080"'
    get '/nowhere?x' --header 'Host: password=s3cret-n2.example'
    get "/api/v1/results/$(jq --raw-output .stray "${BODY}")/adopt?vendor=raw" --request POST
    expect_status 201
    expect_hidden s3cret-n1 s3cret-n2 "${token}"
}

# --- Each probe with a secret of its own, so that one search finds which came through ----------------

@test "credentials in headers of many names and looks are hidden" {
    local number=0 name
    for name in Password Login Secret apikey Client-Secret Access-Token X-Forwarded-Access-Token \
        X-Amz-Security-Token X-Auth X-Auth-Token Token Auth-Key Db-Password1 X-Csrf-Token Api-Secret; do
        number=$((number + 1))
        get '/callbacks/raw' --header "${name}: probe-h${number}-"
    done
    for name in 'Bearer ' 'see https://u:' '{"password":"' 'pwd=' 'sk_live_' 'ghp_abcdefgh' \
        'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ1In0.' '-----BEGIN PRIVATE KEY-----'; do
        number=$((number + 1))
        get '/callbacks/raw' --header "X-Other: ${name}probeh${number}x@h"
    done
    expect_hidden probe-h probeh
}

@test "credentials in queries and paths are hidden" {
    local number=0 text
    for text in 'x-api-key=' 'auth_key=' 'api_secret=' 'secret_key=' 'new_password=' 'password1=' \
        'dbPassword=' 'user_pwd=' 'a=Bearer%20' 'a=sk_live_' 'a=%7B%22pwd%22%3A%22' 'a=h%3Fpassword%3D' \
        'a=h%3Fb%3Dh%253Fsecret%253D' 'name=password&value=' 'a=%2F%2Fu%3A' 'a=api%20key%3A%20'; do
        number=$((number + 1))
        get "/callbacks/raw?b=1&${text}probeq${number}x%40h"
        get "/callbacks/welltory?stress=0.5&${text}probeq${number}x%40h"
        get "/callbacks/ailet?${text}probeq${number}x%40h&result=$(escaped "${REPORT}")"
    done
    get '/reset/eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ1In0.probeq17x'
    get '/callbacks/raw?cb=https://u:probeq18x@127.0.0.1/'
    expect_hidden probeq
}

@test "credentials in bodies of every kind are hidden" {
    local number=0 text
    for text in '{"name":"password","value":"SECRET"}' '{"value":"SECRET","name":"api_key"}' '[["X-Api-Key","SECRET"]]' \
        'password: SECRET' 'API key: SECRET' 'export API_KEY=SECRET' "{'password':'SECRET'}" '{password: SECRET}' \
        '<a><password>SECRET</password></a>' '<u pwd="SECRET"/>' '<key>password</key><string>SECRET</string>' \
        '{"a":"{\"pwd\":\"SECRET\"}"}' '{"a":"Bearer SECRET"}' '{"a":"postgres://u:SECRET@h/"}' \
        'fields[0][name]=password&fields[0][value]=SECRET' '{"a":"-----BEGIN PRIVATE KEY-----\nSECRET\n"}'; do
        number=$((number + 1))
        get /callbacks/raw --header 'Content-Type: text/plain' --data-binary "${text//SECRET/probeb${number}x}"
        post_json /callbacks/welltory "${text//SECRET/probeb${number}x}"
        post_form /callbacks/dimmy "${text//SECRET/probeb${number}x}"
    done
    get /callbacks/raw --form 'password=probeb17x' --form 'user[api_key]=probeb18x' --form 'a={"pwd":"probeb19x"}'
    expect_hidden probeb
}

@test "credentials in UTF-16 and in Base64 are hidden, and the rest of the body stays" {
    printf '{"password":"probeu1x","kept":1}' | iconv --to-code UTF-16LE >"${SCRATCH}/wide"
    get /callbacks/raw --header 'Content-Type: application/json' --data-binary "@${SCRATCH}/wide"
    get /api/v1/results/latest
    jq --join-output .request.body.data "${BODY}" | iconv --from-code UTF-16LE >"${SCRATCH}/plain"
    [[ "$(<"${SCRATCH}/plain")" == '{"password":"[redacted]","kept":1}' ]]
    get "/callbacks/dimmy?response=$(printf '{"pwd":"probeu2x","a":12}' | base64 --wrap 0 | tr -d =)"
    get /api/v1/results/latest
    jq --raw-output '.request.target | split("response=")[1]' "${BODY}" | base64 --decode >"${SCRATCH}/plain" || true
    grep --quiet --fixed-strings '{"pwd":"[redacted]","a":12}' "${SCRATCH}/plain"
    expect_hidden probeu
}

@test "a key that is a credential is not stored, and a repetition is recognised all the same" {
    post_form /callbacks/raw/keyed 'a=1' --header 'Idempotency-Key: sk_live_probek1'
    expect_status 201
    post_form /callbacks/raw/keyed 'a=1' --header 'Idempotency-Key: sk_live_probek1'
    expect_field Idempotent-Replayed true
    post_form /callbacks/raw/keyed 'a=1' --header 'Idempotency-Key: sk_live_probek2'
    expect_status 201
    [[ -z "$(field Idempotent-Replayed)" ]]
    expect_hidden probek
}

@test "credentials in imported lines are hidden, whoever wrote them" {
    local line
    get '/callbacks/raw/moved?a=LATER' --header 'X-Note: LATER'
    get '/api/v1/export?inbox=moved&format=ndjson'
    line="$(jq --compact-output 'del(.crc32) | .id |= (.[:-4] + "0a0b") | .request.target = "/?pwd=probei1x"
        | .request.headers += [["X-Api-Key","probei2x"],["X-Note","Bearer probei3x"]]
        | .result = {"new_password":"probei4x"}
        | .diagnostics = [{"severity":"info","layer":"model","code":"x","part":"body","offset":null,
            "pointer":null,"expected":"y","found":"password=probei6x","hint":null}]' "${BODY}")"
    get /api/v1/import --header 'Content-Type: application/x-ndjson' --data-binary "${line}"
    expect_json '.imported == 1 and .refused_count == 0'
    get '/api/v1/results?inbox=moved&fields=id,result'
    expect_json '[.results[].result.new_password] | index("[redacted]") != null'
    expect_hidden probei
}
