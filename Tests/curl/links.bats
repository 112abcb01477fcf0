#!/usr/bin/env bats
# Links in the server: sites are linted at the start and read again when they change, a link is explained,
# a file is linted, and a callback that an app should have caught says so.
# Left out: what each rule and finding means, which the unit tests know.

load setup

setup_file() {
    mkdir -p "${BATS_FILE_TMPDIR}/sites/shop.example" "${BATS_FILE_TMPDIR}/sites/bare.example"
    cp "${BATS_TEST_DIRNAME}/fixtures/shop-links.json" "${BATS_FILE_TMPDIR}/sites/shop.example/apple-app-site-association"
    mkdir "${BATS_FILE_TMPDIR}/sites/many.example"
    jq --null-input '{applinks: {details: [{appIDs: ["Q7WERTY123.many.example"],
        components: [range(90) | {"/": "/deep/\(.)", percentEncoded: false}]}]}}' \
        >"${BATS_FILE_TMPDIR}/sites/many.example/apple-app-site-association"
    mkdir "${BATS_FILE_TMPDIR}/sites/token.example"
    echo '{"applinks": {"details": [{"appIDs": ["Q7WERTY123.token.example"],
        "components": [{"?": {"token": "a-*"}}, {"?": {"password": "b*"}}, {"?": "token=a-*"}, {"?": {"next": "c"}}]}]}}' \
        >"${BATS_FILE_TMPDIR}/sites/token.example/apple-app-site-association"
    mkdir "${BATS_FILE_TMPDIR}/sites/signed.example"
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=signed.example \
        -keyout "${BATS_FILE_TMPDIR}/signer.key" -out "${BATS_FILE_TMPDIR}/signer.pem" 2>/dev/null
    openssl smime -sign -nodetach -binary -outform DER -in "${BATS_TEST_DIRNAME}/fixtures/shop-links.json" \
        -signer "${BATS_FILE_TMPDIR}/signer.pem" -inkey "${BATS_FILE_TMPDIR}/signer.key" \
        -out "${BATS_FILE_TMPDIR}/sites/signed.example/apple-app-site-association"
    cat >"${BATS_FILE_TMPDIR}/landfall.yaml" <<CONFIGURATION
public: ${REPOSITORY}/public
sites: {folder: sites}
receivers:
  - {host: shop.example, path: "cart/:page", vendor: raw, inbox: cart}
  - {host: shop.example, path: "help/:page", vendor: raw, inbox: help}
  - {host: many.example, path: "deep/:page", vendor: raw, inbox: many}
CONFIGURATION
    start_landfall "${BATS_FILE_TMPDIR}/server" --config "${BATS_FILE_TMPDIR}/landfall.yaml"
}

teardown_file() {
    stop_landfall
}

setup() {
    export PHONE='Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Version/19.0 Mobile/15E148 Safari/604.1'
    export PAGES='text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
}

# expect_json FILTER: of the last answer.
expect_said() {
    jq --exit-status "$1" "${BODY}" >/dev/null || {
        echo "not $1: $(head --bytes 2000 "${BODY}")" >&2
        return 1
    }
}

# --- Explaining and linting -------------------------------------------------------------------------

@test "a URL is explained by the file of its host" {
    get '/api/v1/links/explain' --get --data-urlencode 'url=https://shop.example/help/1?topic=abc'
    expect_status 200
    expect_said '.file.path == "shop.example/apple-app-site-association"
        and .decision == "no_match" and .trace[3].part == "query.topic" and .url == "https://shop.example/help/1?topic=abc"'
    get '/api/v1/links/explain' --get --data-urlencode 'url=https://SHOP.example/cart' \
        --data-urlencode 'app=Q7WERTY123.shop.example.beta'
    expect_said '.opens_app and .app == "Q7WERTY123.shop.example.beta" and .rule == 1'
    # A rooted name is the same host.
    get '/api/v1/links/explain' --get --data-urlencode 'url=https://shop.example./cart'
    expect_status 200
    expect_said '.file.path == "shop.example/apple-app-site-association" and .opens_app'
}

@test "letters beyond ASCII are decided percent-encoded, and the answer has that URL" {
    get '/api/v1/links/explain' --get --data-urlencode 'url=https://shop.example/cart/ü?é'
    expect_status 200
    expect_said '.url == "https://shop.example/cart/%C3%BC?%C3%A9" and .opens_app'
    get '/api/v1/links/explain' --get --data-urlencode 'url=https://shop.example/été'
    expect_said '.trace | length > 0 and any(.[]; .text == "/%C3%A9t%C3%A9/")'
}

@test "a signed file is shown with an explanation, and compared, as the JSON in it" {
    local file="${BATS_TEST_DIRNAME}/fixtures/shop-links.json"
    get '/api/v1/links/explain' --get --data-urlencode 'url=https://signed.example/cart'
    expect_status 200
    jq --join-output .file.content "${BODY}" | cmp - "${file}"
    post_json /api/v1/associations/diff \
        "$(jq --null-input --rawfile content "${file}" '{host: "signed.example", content: $content}')"
    expect_status 200
    expect_said '. == {changes: [], count: 0}'
}

@test "a URL of a host without a file, and no URL, are refused with what to do" {
    local url
    get '/api/v1/links/explain' --get --data-urlencode 'url=https://bare.example/'
    expect_problem 404 '.type == "urn:landfall:problem:not-hosted-here" and (.detail | contains("shop.example"))'
    for url in shop.example/cart 'https://[::1' 'https://shop.example\x' https://shop.example:99999/x \
        'https://shop.example/a b' $'https://shop.example/cart\x7f' 'https://shop.example/cart '; do
        get '/api/v1/links/explain' --get --data-urlencode "url=${url}"
        expect_problem 400 '.errors[0].name == "url"'
    done
    get '/api/v1/links/explain'
    expect_status 400
    expect_said '.errors[0].name == "url"'
}

@test "a file is linted as it comes, and nothing of it is stored" {
    get /api/v1/associations/lint --data-binary '{"applinks":{"details":[{"appIDs":["Q7WERTY123.a"],"components":[{"path":"/x"}]}]}}'
    expect_status 200
    expect_said '.valid == false and (.findings[] | select(.code == "misspelled_key") | .pointer == "/applinks/details/0/components/0/path")'
    get '/api/v1/associations/lint?kind=assetlinks' --data-binary '[]'
    expect_said '.findings | length > 0'
    get /api/v1/associations/lint --data-binary @"${BATS_FILE_TMPDIR}/sites/shop.example/apple-app-site-association"
    expect_said '. == {"valid": true, "findings": []}'
    # More than Android reads is a finding, and much more is refused.
    printf '[]%1048575s' '' >"${SCRATCH}/large"
    get '/api/v1/associations/lint?kind=assetlinks' --data-binary @"${SCRATCH}/large"
    expect_status 200
    expect_said '[.findings[].code] | index("too_large") != null'
    printf '%65536s' '' >>"${SCRATCH}/large"
    get '/api/v1/associations/lint?kind=assetlinks' --data-binary @"${SCRATCH}/large"
    expect_problem 413
}

# --- Fallen through ---------------------------------------------------------------------------------

@test "an internationalized host that isn't hosted is to be written in Punycode" {
    get '/api/v1/links/explain' --get --data-urlencode 'url=https://bücher.example/x'
    expect_status 404
    expect_said '.detail | test("Punycode")'
}

@test "a callback by GET that the app should have caught is marked, with the rule that says so" {
    get '/cart/7?a=1' --header 'Host: shop.example'
    expect_status 201
    expect_said '.fell_through == true and .link.decision == "match" and .link.app == "Q7WERTY123.shop.example.phone"
        and .link.pointer == "/applinks/details/0/components/1" and .link.line == 8 and .link.visitor == "program"'
    get "$(jq --raw-output .links.self "${BODY}")"
    expect_said '.fell_through == true and .link.rule == 1'
    get '/api/v1/results?inbox=cart&fields=fell_through'
    expect_said '.results[0] == {"fell_through": true}'
}

@test "what the file leaves to the browser, POST, and hosts without a file are not marked" {
    get /help/print --header 'Host: shop.example'
    expect_status 201
    expect_said 'has("fell_through") or has("link") | not'
    get /cart/8 --header 'Host: shop.example' --data-binary 'a=1'
    expect_said 'has("fell_through") | not'
    get /callbacks/raw --header 'Host: bare.example'
    expect_said 'has("fell_through") | not'
}

@test "fetchers, previews and crawlers are told apart from those whose app should have opened" {
    local agent visitor
    while IFS='|' read -r agent visitor; do
        get /cart/9 --header 'Host: shop.example' --user-agent "${agent}" --header "Accept: */*"
        expect_said ".fell_through == false and .link.visitor == \"${visitor}\""
    done <<'AGENTS'
AASA-Bot/1.0.0|apple_fetcher
swcd (unknown version) CFNetwork/1410.0.3 Darwin/22.6.0|apple_fetcher
facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)|preview
Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)|preview
Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)|crawler
AGENTS
    get /cart/9 --header 'Host: shop.example' --user-agent "${PHONE}" --header "Accept: ${PAGES}" --header 'Sec-Purpose: prefetch;prerender'
    get '/api/v1/results/latest?inbox=cart'
    expect_said '.fell_through == false and .link.visitor == "preview"'
}

@test "a browser gets a page with the result and why no app opened, and nothing in it can run" {
    get '/cart/1?name=%3Cscript%3Ealert(1)%3C/script%3E' --header 'Host: shop.example' --user-agent "${PHONE}" --header "Accept: ${PAGES}"
    expect_status 201
    expect_field Content-Type 'text/html; charset=utf-8'
    expect_field Cache-Control no-store
    grep --quiet 'Q7WERTY123.shop.example.phone' "${BODY}"
    grep --quiet '/applinks/details/0/components/1' "${BODY}"
    expect_no_match '<script' "${BODY}"
    grep --quiet --ignore-case "content-security-policy: default-src 'none'" "${HEAD}"
    get '/help/other?topic=abc' --header 'Host: shop.example' --user-agent "${PHONE}" --header "Accept: ${PAGES}"
    grep --quiet 'No rule in the link file' "${BODY}"
    get '/callbacks/welltory?stress=0,3' --header 'Host: bare.example' --user-agent "${PHONE}" --header "Accept: ${PAGES}"
    expect_status 422
    grep --quiet 'No link file is served' "${BODY}"
}

@test "a page shows of a long URL what is near the mismatch, for 50 rules" {
    get "/deep/x$(printf '%%C3%%A4%.0s' {1..1300})" --header 'Host: many.example' --header 'Accept: text/html'
    expect_status 201
    (($(wc --bytes <"${BODY}") < 100000)) || fail "the page has $(wc --bytes <"${BODY}") bytes"
    (($(grep --count --fixed-strings "<mark>x$(printf 'ä%.0s' {1..49})…</mark></pre>" "${BODY}") == 50))
    grep --quiet '40 more rules' "${BODY}"
}

@test "a page hides tokens and passwords in what the rules were compared with" {
    get '/x?token=OPENSESAME&password=OPENSESAME&next=y%3Ftoken%3DOPENSESAME' --header 'Host: token.example' \
        --user-agent "${PHONE}" --header "Accept: ${PAGES}"
    expect_status 404
    (($(grep --count --fixed-strings 'text    <mark>[hidden]</mark></pre>' "${BODY}") == 2))
    grep --quiet --fixed-strings 'text    token=<mark>[hidden]&amp;password=' "${BODY}"
    grep --quiet --fixed-strings 'text    <mark>y%3Ftoken%3D' "${BODY}"
    expect_no_match OPENSESAME "${BODY}"
}

@test "a marked result goes out and in again as it is" {
    get /cart/out --header 'Host: shop.example'
    get '/api/v1/export?inbox=cart'
    cp "${BODY}" "${SCRATCH}/lines"
    get '/api/v1/inboxes/cart' --request DELETE
    get /api/v1/import --header 'Content-Type: application/x-ndjson' --data-binary @"${SCRATCH}/lines"
    expect_status 200
    get '/api/v1/results/latest?inbox=cart'
    expect_said '.fell_through == true and .link.rule == 1'
    get /api/v1/store/verify --request POST
    expect_said '.sound'
    get /api/v1/store/redecode --request POST
    get '/api/v1/results/latest?inbox=cart'
    expect_said '.fell_through == true and .link.rule == 1'
}

# --- Sites ------------------------------------------------------------------------------------------

# answered TEXT: the file of reload.example has it, within 60 s.
answered() {
    local attempt
    for ((attempt = 0; attempt < 1200; attempt++)); do
        get /.well-known/apple-app-site-association --header 'Host: shop.example'
        if grep --quiet "$1" "${BODY}"; then return; fi
        sleep 0.05
    done
    fail "the file did not change"
}

@test "a changed file is served soon, and one with errors is told and ignored" {
    local file="${BATS_FILE_TMPDIR}/sites/shop.example/apple-app-site-association"
    cp "${file}" "${SCRATCH}/former"
    sed 's:/cart/:/basket/:' "${SCRATCH}/former" >"${file}"
    answered basket
    get '/api/v1/links/explain' --get --data-urlencode 'url=https://shop.example/basket'
    expect_said '.decision == "match"'
    head --bytes 100 "${SCRATCH}/former" >"${file}"
    expect_log 'a link file has errors'
    answered basket
    cp "${SCRATCH}/former" "${file}"
    answered cart
}

@test "a changed file that can't be read is tried again until it can" {
    local file="${BATS_FILE_TMPDIR}/sites/shop.example/apple-app-site-association" attempt
    mv "${file}" "${SCRATCH}/former"
    mkdir "${file}"
    for ((attempt = 0; attempt < 600; attempt++)); do
        if (($(grep --count "previous version stays in use.*can't be read" "${SERVER_LOG}") > 1)); then break; fi
        sleep 0.1
    done
    ((attempt < 600)) || fail "it was tried once"
    rmdir "${file}"
    mv "${SCRATCH}/former" "${file}"
    answered cart
}

# expect_log TEXT: the log has it within 60 s.
expect_log() {
    local attempt
    for ((attempt = 0; attempt < 1200; attempt++)); do
        if grep --quiet "$1" "${SERVER_LOG}"; then return; fi
        sleep 0.05
    done
    fail "the log doesn't have $1"
}

# wait_for_site HOST FILE: until a host is served this file.
wait_for_site() {
    for _ in {1..1200}; do
        get /apple-app-site-association --header "Host: $1"
        if cmp --silent "${BODY}" "$2"; then return; fi
        sleep 0.05
    done
    fail "$1 is not served"
}

@test "sites that are removed are told, and without the default site all of them stay" {
    local folder="${BATS_TEST_TMPDIR}/gone" site
    for site in a b c; do
        mkdir -p "${folder}/sites/${site}.example"
        cp "${FIXTURES}/shop-links.json" "${folder}/sites/${site}.example/apple-app-site-association"
    done
    printf 'public: %s/public\nsites: {folder: sites, default: a.example}\n' "${REPOSITORY}" >"${folder}/landfall.yaml"
    launch_landfall "${folder}" --config "${folder}/landfall.yaml" --host 127.0.0.1 --port 0 --data "${folder}/data"
    wait_for_landfall
    rm -r "${folder}/sites/b.example" "${folder}/sites/c.example/apple-app-site-association"
    expect_log 'gone.*b.example'
    expect_log 'gone.*c.example/apple-app-site-association'
    get /apple-app-site-association --header 'Host: c.example'
    expect_status 404
    mv "${folder}/sites/a.example" "${folder}/former"
    expect_log 'previous ones stay in use.*sites.default'
    get /apple-app-site-association --header 'Host: unknown.example'
    expect_status 200
    mv "${folder}/former" "${folder}/sites/a.example"
    ln -s missing "${folder}/sites/a.example/assetlinks.json"
    expect_log 'previous version stays in use.*a.example/assetlinks.json'
    ln -s missing "${folder}/sites/d.example"
    expect_log 'previous version stays in use.*d.example'
    # The others are read all the same.
    mkdir "${folder}/sites/e.example"
    sed 's|/cart/|/new/|' "${FIXTURES}/shop-links.json" >"${folder}/sites/e.example/apple-app-site-association"
    wait_for_site e.example "${folder}/sites/e.example/apple-app-site-association"
    run "${LANDFALL_BIN}" doctor --config "${folder}/landfall.yaml" --offline
    [[ "${output}" == *'d.example can'?'t be read: it is a symbolic link to nothing'* ]]
    [[ "${output}" == *'e.example'*' is right'* ]]
    stop_landfall
}

@test "a site that can't be read refuses the start, and doctor says so" {
    local unprivileged=()
    mkdir -p "${SCRATCH}/sites"
    printf 'public: %s/public\nsites: {folder: sites}\n' "${REPOSITORY}" >"${SCRATCH}/landfall.yaml"
    ln -s missing "${SCRATCH}/sites/one.example"
    run timeout 20 "${LANDFALL_BIN}" serve --config "${SCRATCH}/landfall.yaml" --port 0 --data "${SCRATCH}/data"
    ((status == 3))
    [[ "${output}" == *'one.example can'?'t be read: it is a symbolic link to nothing'* ]]
    run "${LANDFALL_BIN}" doctor --config "${SCRATCH}/landfall.yaml" --offline
    ((status != 0))
    [[ "${output}" == *'one.example can'?'t be read: it is a symbolic link to nothing'* ]]
    rm "${SCRATCH}/sites/one.example"
    mkdir "${SCRATCH}/sites/one.example"
    cp "${FIXTURES}/shop-links.json" "${SCRATCH}/sites/one.example/apple-app-site-association"
    chmod 000 "${SCRATCH}/sites/one.example"
    # Root may search every folder.
    if ((EUID == 0)); then unprivileged=(setpriv --bounding-set=-all --inh-caps=-all); fi
    run "${unprivileged[@]}" "${LANDFALL_BIN}" config check --config "${SCRATCH}/landfall.yaml"
    chmod 755 "${SCRATCH}/sites/one.example"
    ((status == 1))
    [[ "${output}" == *'one.example/apple-app-site-association can'?'t be read: it is not readable for this user'* ]]
    # Its name is no host's.
    mkdir --mode=000 "${SCRATCH}/sites/lost+found"
    run "${unprivileged[@]}" "${LANDFALL_BIN}" config check --config "${SCRATCH}/landfall.yaml"
    rmdir "${SCRATCH}/sites/lost+found"
    ((status == 0))
}

@test "a file with errors refuses the start, unless the configuration allows it" {
    mkdir -p "${SCRATCH}/sites/one.example"
    printf '{"applinks":{"details":[{"appIDs":["x"],"components":[{"/":"/a"}]}]}}' >"${SCRATCH}/sites/one.example/apple-app-site-association"
    printf 'public: %s/public\nsites: {folder: sites}\n' "${REPOSITORY}" >"${SCRATCH}/landfall.yaml"
    run timeout 20 "${LANDFALL_BIN}" serve --config "${SCRATCH}/landfall.yaml" --port 0 --data "${SCRATCH}/data"
    # shellcheck disable=SC2154 # `run` sets it
    ((status == 3))
    # shellcheck disable=SC2154
    [[ "${output}" == *'one.example/apple-app-site-association:1:'*'[malformed_app_id]'*'sites.allow_invalid'* ]]
    printf 'public: %s/public\nsites: {folder: sites, allow_invalid: true}\n' "${REPOSITORY}" >"${SCRATCH}/landfall.yaml"
    mkdir "${SCRATCH}/sites/large.example"
    { cat "${FIXTURES}/shop-links.json" && printf '%131072s' ''; } >"${SCRATCH}/sites/large.example/apple-app-site-association"
    launch_landfall "${SCRATCH}/server" --config "${SCRATCH}/landfall.yaml" --host 127.0.0.1 --port 0 --data "${SCRATCH}/data"
    wait_for_landfall
    get /apple-app-site-association --header 'Host: one.example'
    expect_status 200
    # Apple's systems read no file of this size.
    get '/api/v1/links/explain' --get --data-urlencode 'url=https://large.example/cart'
    expect_said '.decision == "no_match" and (.reason | contains("at most 131072")) and .apps == [] and .trace == []'
    get /cart --user-agent "${PHONE}" --header 'Host: large.example' --header "Accept: ${PAGES}"
    expect_status 404
    grep --quiet 'opens no app for this URL.*at most 131072' "${BODY}"
}

@test "the page of a callback explains its link up to 8,192 bytes, and its record says what a longer one opens" {
    local count
    for count in 8000 9000 100000; do
        printf 'url = "%s/deep/200?a=%s"\n' "${LANDFALL_URL}" "$(printf '%*s' "${count}" '' | tr ' ' x)" >"${SCRATCH}/url"
        "${CURL[@]}" --config "${SCRATCH}/url" --output "${BODY}" --header 'Host: many.example' --header 'Accept: text/html'
        grep --quiet 'Why no app opened' "${BODY}"
        if ((count > 8192)); then
            grep --quiet 'too long to be explained' "${BODY}"
            run -1 grep 'No rule in the link file' "${BODY}"
        else
            grep --quiet 'No rule in the link file' "${BODY}"
        fi
    done
    printf 'url = "%s/cart/1?a=%s"\n' "${LANDFALL_URL}" "$(printf '%*s' 100000 '' | tr ' ' x)" >"${SCRATCH}/url"
    "${CURL[@]}" --config "${SCRATCH}/url" --output "${BODY}" --header 'Host: shop.example' --user-agent "${PHONE}"
    expect_said '.fell_through == true and .link.rule == 1'
}

@test "the page of a callback names all apps that would open its link" {
    local phone='<strong>Q7WERTY123.shop.example.phone</strong>' beta='<strong>Q7WERTY123.shop.example.beta</strong>'
    get /cart/1 --header 'Host: shop.example' --header 'Accept: text/html'
    grep --quiet --fixed-strings "It should have opened the first of these that is installed: ${phone}, ${beta}. For ${phone}: <code>" "${BODY}"
    grep --quiet --fixed-strings '</code>, line 8 of the link file of shop.example, matches this URL.' "${BODY}"
    get /deep/1 --header 'Host: many.example' --header 'Accept: text/html'
    grep --quiet --fixed-strings 'It should have opened <strong>Q7WERTY123.many.example</strong>: <code>' "${BODY}"
}

@test "a browser that no receiver takes gets the reason why no app opened, or a page, and programs get a problem" {
    local id
    get '/nowhere?a=1' --header 'Host: shop.example' --user-agent "${PHONE}" --header "Accept: ${PAGES}"
    expect_status 404
    expect_field Content-Type 'text/html; charset=utf-8'
    grep --quiet 'Why no app opened' "${BODY}"
    grep --quiet 'No receiver matches this URL' "${BODY}"
    id="$(sed -n -E 's:.*The request is kept as <a href="/#([-0-9a-f]+)">.*:\1:p' "${BODY}")"
    get "/api/v1/results/${id}"
    expect_said '.kind == "stray" and .request.target == "/nowhere?a=1"'
    get /apple-touch-icon-120x120.png --header 'Host: shop.example' --header 'Accept: text/html'
    expect_status 404
    grep --quiet 'No receiver matches this URL' "${BODY}"
    run -1 grep 'is kept as' "${BODY}"
    get '/nowhere?a=1' --header 'Host: shop.example'
    expect_problem 404
    get '/nowhere?a=1' --header 'Host: bare.example' --user-agent "${PHONE}" --header "Accept: ${PAGES}"
    expect_status 404
    expect_field Content-Type 'text/html; charset=utf-8'
    grep --quiet 'Nothing is served at this address' "${BODY}"
}

@test "a host that is not hosted is never explained by the file of the default site" {
    local folder="${BATS_TEST_TMPDIR}/default"
    mkdir -p "${folder}"
    cat >"${folder}/landfall.yaml" <<CONFIGURATION
public: ${REPOSITORY}/public
sites: {folder: ${BATS_FILE_TMPDIR}/sites, default: shop.example}
CONFIGURATION
    launch_landfall "${folder}" --config "${folder}/landfall.yaml" --host 127.0.0.1 --port 0 --data "${folder}/data"
    wait_for_landfall
    get /apple-app-site-association --header 'Host: unknown.example'
    expect_status 200
    get '/api/v1/links/explain' --get --data-urlencode 'url=https://unknown.example/cart'
    expect_problem 404 '.type == "urn:landfall:problem:not-hosted-here"
        and (.detail | contains("unknown.example is not hosted here: it gets the link file of the default site, shop.example."))'
    get '/callbacks/raw?a=1' --header 'Host: unknown.example'
    expect_said 'has("link") | not'
    get '/callbacks/raw?a=1' --header 'Host: unknown.example' --user-agent "${PHONE}" --header "Accept: ${PAGES}"
    grep --quiet 'gets the link file of the default site, <strong>shop.example</strong>' "${BODY}"
    run -1 grep --extended-regexp 'No link file is served|opens? no app|Q7WERTY123|No rule' "${BODY}"
    get '/callbacks/raw?a=1' --header 'Host: bare.example' --user-agent "${PHONE}" --header "Accept: ${PAGES}"
    grep --quiet 'No link file is served' "${BODY}"
    stop_landfall
}

@test "a page on a host with Android's file only says so, and one on another host that it gets that file" {
    local folder="${BATS_TEST_TMPDIR}/android"
    mkdir -p "${folder}/sites/android.example"
    echo '[{"relation": ["delegate_permission/common.handle_all_urls"],
        "target": {"namespace": "web", "site": "https://shop.example"}}]' >"${folder}/sites/android.example/assetlinks.json"
    printf 'public: %s/public\nsites: {folder: sites, default: android.example}\n' "${REPOSITORY}" >"${folder}/landfall.yaml"
    launch_landfall "${folder}" --config "${folder}/landfall.yaml" --host 127.0.0.1 --port 0 --data "${folder}/data"
    wait_for_landfall
    get '/callbacks/raw?a=1' --header 'Host: android.example' --user-agent "${PHONE}" --header "Accept: ${PAGES}"
    expect_status 201
    grep --quiet 'No apple-app-site-association is served for <strong>android.example</strong>' "${BODY}"
    grep --quiet 'Android’s file is served' "${BODY}"
    run -1 grep 'No link file is served' "${BODY}"
    get '/callbacks/raw?a=1' --header 'Host: unknown.example' --user-agent "${PHONE}" --header "Accept: ${PAGES}"
    grep --quiet 'gets the link file of the default site, <strong>android.example</strong>' "${BODY}"
    get '/api/v1/links/explain' --get --data-urlencode 'url=https://unknown.example/cart'
    expect_problem 404 '.detail | contains("it has no apple-app-site-association")'
    stop_landfall
}
