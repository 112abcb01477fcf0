#!/usr/bin/env bats
# The pages of links and for trying in a real browser, and the pages that people see instead of errors.
# Invariant: every test also fails on a console error, a violation of the content security policy or a
# request to another origin, as browser.py looks for those in each run.
# Left out: results and flows.

load setup

# write SELECTOR TEXT: what a person types into a field, as JavaScript.
write() {
    local text
    text="$(jq --null-input --arg text "$2" '$text')"
    printf "(() => { const field = document.querySelector('%s'); field.value = %s;
        field.dispatchEvent(new Event('input', { bubbles: true }));
        field.dispatchEvent(new Event('change', { bubbles: true })); })()" "$1" "${text}"
}

@test "a pasted URL is explained: whether it opens the app, and which rule decides" {
    browse --allow=404 "/links.html" \
        print "$(write '#url' 'https://www.yourapp.com/dds/?stress=0.3')" \
        click "#explain button" \
        until "$(shows '#explanation' 'opens the app') && $(shows '#explanation' A1B2C3D4E5.com.yourapp.ios)" \
        until "$(shows '#explanation' '/applinks/details/0/components/0 (line 7)')" \
        until "!$(shows '#explanation' 'Compared as')" \
        until "location.search.startsWith('?url=https')" \
        print "$(write '#url' 'https://www.yourapp.com/other')" \
        click "#explain button" \
        until "$(shows '#explanation' 'opens no app') && $(shows '#explanation' 'no match')" \
        print "$(write '#url' 'https://www.yourapp.com/callbacks/raw')" \
        click "#explain button" \
        until "$(shows '#explanation' 'A rule excludes this URL.')" \
        print "$(write '#url' 'https://www.yourapp.com/dds/ä?stress=0.3')" \
        click "#explain button" \
        until "$(shows '#explanation' 'Compared as') && $(shows '#explanation' 'https://www.yourapp.com/dds/%C3%A4?')"
    browse --allow=400 --allow=404 "/links.html?url=nonsense%3Cimg%3E" \
        until "$(shows '#explanation' 'opens no app') || document.querySelector('#explanation [role=alert]')" \
        until "document.querySelectorAll('main img').length === 0"
}

@test "of an answer only the verdict and the number of findings or diagnostics are announced" {
    local said="document.querySelector('#announcer').textContent"
    browse --allow=404 "/links.html" \
        until "document.querySelector('.site-list')" \
        print "$(write '#url' 'https://www.yourapp.com/dds/?stress=0.3')" \
        click "#explain button" until "${said} === 'Opens the app A1B2C3D4E5.com.yourapp.ios'" \
        print "$(write '#url' 'https://www.yourapp.com/callbacks/raw')" \
        click "#explain button" until "${said} === 'Opens no app. A rule excludes this URL.'" \
        print "$(write '#content' '{"target":{},"relation":[]}')" \
        click "#lint button[type=submit]" until "/^has errors, \\d+ findings?\$/.test(${said})" \
        print "$(write '#content' '{"applinks":{"details":[]}}')" \
        click "#compare" until "/^\\d+ changes?\$/.test(${said})" \
        until "!document.querySelector('#explanation, #findings').closest('[aria-live]')"
    browse "/try.html" \
        print "$(write '#pasted' '?stress=0,32&energy=0.75')" \
        click "#decode button" until "/^decoded with [a-z]+, .*\\d+ diagnostics?\$/.test(${said})" \
        until "!document.querySelector('#decoded').closest('[aria-live]')"
}

# start_with_site HOST: a server with one site, whose association is the standard input.
start_with_site() {
    local folder="${BATS_TEST_TMPDIR}/server"
    mkdir -p "${folder}/sites/$1"
    cat >"${folder}/sites/$1/apple-app-site-association"
    printf 'public: %s/public\nsites: {folder: sites}\n' "${REPOSITORY}" >"${folder}/landfall.yaml"
    launch_landfall "${folder}" --config "${folder}/landfall.yaml" --host 127.0.0.1 --port 0 --data "${folder}/data"
    wait_for_landfall
}

@test "a rule that excludes a URL for some apps is said to, where another app opens" {
    local url="${LANDFALL_URL}"
    start_with_site shop.example <<'END'
{"applinks": {"details": [
{"appIDs": ["A1B2C3D4E5.one"], "components": [
{"/": "/x/*", "exclude": true},
{"/": "*"}]},
{"appIDs": ["A1B2C3D4E5.two"], "components": [
{"/": "/x/*"}]}]}}
END
    browse "/links.html?url=https%3A%2F%2Fshop.example%2Fx%2F1" \
        until "$(shows '#explanation .verdict' A1B2C3D4E5.two)" \
        until "$(shows '#explanation li:nth-child(3) .line-note' 'excludes this URL for its apps')" \
        until "$(shows '#explanation li:nth-child(6) .line-note' 'decides: this URL opens the app')"
    stop_landfall
    export LANDFALL_URL="${url}"
}

@test "of several apps that a URL would open, all are named, in the order in which they are tried" {
    local url="${LANDFALL_URL}" order="Opens the first of these apps that is installed: A1B2C3D4E5.two, A1B2C3D4E5.one"
    start_with_site shop.example <<'END'
{"applinks": {"details": [
{"appIDs": ["A1B2C3D4E5.two", "A1B2C3D4E5.one"], "components": [{"/": "/x/*"}]}]}}
END
    browse "/links.html" \
        until "document.querySelector('.site-list')" \
        print "$(write '#url' 'https://shop.example/x/1')" click "#explain button" \
        until "$(shows '#explanation' "${order}")" \
        until "document.querySelector('#announcer').textContent === '${order}'"
    stop_landfall
    export LANDFALL_URL="${url}"
}

@test "the answer about the URL that was asked for last is shown, whatever answer comes last" {
    browse --allow=404 "/links.html" \
        until "document.querySelector('.site-list')" \
        print "$(hold_back /links/explain)" \
        print "$(write '#url' 'https://www.yourapp.com/dds/?stress=0.3')" \
        click "#explain button" until "window.release" \
        print "$(write '#url' 'https://www.yourapp.com/other')" \
        click "#explain button" until "$(shows '#explanation' 'opens no app')" \
        print "release()" until "$(shows '#explanation' 'opens no app')" \
        until "!document.querySelector('#explanation').hasAttribute('aria-busy')"
}

@test "the decision is shown beside the file's own lines, and each site with its files and fetches" {
    curl --silent --output /dev/null --max-time 60 --header 'Host: www.yourapp.com' --header 'User-Agent: AASA-Bot/1.0.0' \
        "${LANDFALL_URL}/.well-known/apple-app-site-association"
    browse "/links.html?url=https%3A%2F%2Fwww.yourapp.com%2Fdds%2F%3Fstress%3D0.3" \
        until "$(shows '#explanation .file-lines' applinks)" \
        until "$(shows '#explanation li[data-state=deciding]' 'decides: this URL opens the app')" \
        until "$(shows '#sites' www.yourapp.com) && $(shows '#sites' assetlinks.json)" \
        until "$(shows '#sites' '✓ no errors or warnings') && !$(shows '#sites' 'no findings')" \
        until "$(shows '#sites' 'apple fetched it') && $(shows '#sites' 'got 200')" \
        until "$(shows '#sites' '/dds/ for welltory')" \
        print "$(write '#content' '{"applinks":{"details":[]}}')" \
        click "#compare" \
        until "$(shows '#findings .changes' '/applinks/details')" \
        until "!$(shows '#findings caption' 'the first')" \
        print "$(write '#content' "$(jq --null-input --compact-output '{applinks: {}} + ([range(700) | {"a\(.)": .}] | add)')")" \
        click "#compare" \
        until "$(shows '#findings caption' 'apple-app-site-association: the first 500 of 70')"
}

@test "fetches of a link file's second path, and of files that a site doesn't have, are shown" {
    local url="${LANDFALL_URL}"
    start_with_site shop.example <<<'{"applinks": {"details": [{"appIDs": ["A1B2C3D4E5.one"], "components": [{"/": "/x"}]}]}}'
    curl --silent --output /dev/null --max-time 60 --header 'Host: shop.example' \
        --header 'User-Agent: AASA-Bot/1.0.0' "${LANDFALL_URL}/apple-app-site-association" \
        --next --silent --output /dev/null --max-time 60 --header 'Host: shop.example' \
        --header 'User-Agent: Google-Digital-Asset-Links' "${LANDFALL_URL}/.well-known/assetlinks.json"
    browse "/links.html" \
        until "$(shows '#sites li li' 'apple fetched /apple-app-site-association')" \
        until "$(shows '#sites li li' 'got 200') && !$(shows '#sites' 'has not fetched it')" \
        until "$(shows '#sites li li:nth-child(2)' '/.well-known/assetlinks.json')" \
        until "$(shows '#sites li li:nth-child(2)' 'no such file')" \
        until "$(shows '#sites li li:nth-child(2)' 'google fetched it') && $(shows '#sites li li:nth-child(2)' 'got 404')"
    stop_landfall
    export LANDFALL_URL="${url}"
}

@test "a pasted link file is checked, with the findings at their lines" {
    local file='{"applinks":
{"details":[{"appIDs":["A1B2C3D4E5.com.yourapp.ios"],"components":[
{"/":"/dds/*","exlude":true}]}]}}'
    browse --allow=404 "/links.html" \
        print "$(write '#content' "${file}")" \
        click "#lint button[type=submit]" \
        until "$(shows '#findings .file-lines li:nth-child(3)' exlude)" \
        until "document.querySelector('#findings li:nth-child(3) .line-note')" \
        print "$(write '#content' '[{"relation":["delegate_permission/common.handle_all_urls"],
            "target":{"namespace":"web","site":"https://a.example"}}]')" \
        click "#lint button[type=submit]" \
        until "$(shows '#findings' '✓ usable')" \
        print "$(write '#content' '{"target":{},"relation":[]}')" \
        click "#lint button[type=submit]" \
        until "$(shows '#findings' 'has errors') && $(shows '#findings' root_not_array)" \
        print "$(write '#content' '{"include":"https://a.example",}')" \
        click "#lint button[type=submit]" \
        until "$(shows '#findings' include) && $(shows '#findings' 'has errors') && !$(shows '#findings' applinks)" \
        print "$(write '#content' '{"applinks": <img src=x>')" \
        click "#lint button[type=submit]" \
        until "$(shows '#findings' 'has errors') && $(shows '#findings' '<img src=x>')"
}

@test "a finding far down in a pasted link file is at its line" {
    browse --allow=404 "/links.html" \
        print "$(write '#content' "{\"applinks\":{\"details\":[]}$(printf '\n%.0s' {1..3500}; printf x)")" \
        click "#lint button[type=submit]" \
        until "document.querySelector('#findings .file-lines li:last-child').value === 3501" \
        until "document.querySelector('#findings .file-lines li:last-child .line-note')" \
        until "$(shows '#findings' '500 more lines are not shown')"
}

@test "a pasted URL or body is decoded with its diagnostics and card, and nothing is stored" {
    before="$(curl --silent --max-time 60 "${LANDFALL_URL}/api/v1/stats" | jq .last_seq)"
    browse "/try.html" \
        until "document.querySelector('#decode [name=vendor]').options.length > 3" \
        print "$(write '#pasted' 'https://www.yourapp.com/dds/?stress=0.32&energy=0.75')" \
        click "#decode button" \
        until "$(shows '#decoded' completed) && document.querySelectorAll('#decoded .gauge').length === 2" \
        print "$(write '#pasted' 'https://www.yourapp.com/dds/?stress=0,32')" \
        click "#decode button" \
        until "$(shows '#decoded' undecodable) && document.querySelector('#decoded .finding[open]')" \
        until "document.querySelector('#decoded .step[data-state=failed][aria-expanded=true]')" \
        until "document.querySelector('#decoded .fault-view .marked mark').textContent === '0,32'" \
        print "$(write '#pasted' '?stress=0.25&energy=0.75')" \
        click "#decode button" \
        until "$(shows '#decoded' completed) && $(shows '#decoded .road' percent) && $(shows '#decoded' 0.25)" \
        print "$(write '#pasted' '{"answers":[{"question_id":1,"answer":"<img src=x>"}]}')" \
        print "$(write '#decode [name=vendor]' rezolve)" \
        click "#decode button" \
        until "$(shows '#decoded .answers' '<img src=x>')" \
        print "$(write '#pasted' '{"status":"IR_RESULT_OK","report":{"assortment_achievement":[{"name":"A","facing_fact":1}]}}')" \
        print "$(write '#decode [name=vendor]' ailet)" \
        click "#decode button" \
        until "document.querySelector('#decoded .product').innerText.endsWith('1 facing')"
    [[ "$(curl --silent --max-time 60 "${LANDFALL_URL}/api/v1/stats" | jq .last_seq)" == "${before}" ]]
}

@test "sliders send a measurement, and its result is linked" {
    browse "/try.html" \
        print "$(write '#sliders [name=stress]' 0.91)" \
        until "$(shows '#sliders output' 0.91)" \
        click "#sliders button" \
        until "document.querySelector('#sent a')" \
        click "#sent a" \
        until "location.pathname === '/' && $(shows '#detail .tree' 0.91)"
}

@test "a measurement for a receiver with an answer of its own is sent, and the answer is shown" {
    local answer="${LANDFALL_URL}/api/v1/receivers/welltory/default/answer" body text
    while IFS='|' read -r body text; do
        curl --silent --fail --output /dev/null --max-time 60 --request PUT "${answer}" \
            --header 'Content-Type: application/json' --data-binary "${body}"
        browse --allow=404 "/try.html" click "#sliders button" \
            until "document.querySelector('#sent').innerText.trim() === '${text}'" \
            until "!document.querySelector('#sent a')"
    done <<'END'
{"status":200,"body":"OK"}|Sent. The receiver answered 200: OK
{"status":200,"body":"{\"ok\":true}"}|Sent. The receiver answered 200: {"ok":true}
{"status":204}|Sent. The receiver answered 204
{"status":404,"body":"nope"}|Sent. The receiver answered 404: nope
{"status":303,"headers":{"Location":"/"}}|Sent. The receiver answered a redirect
END
    curl --silent --fail --output /dev/null --max-time 60 --request DELETE "${answer}"
}

@test "a measurement whose answer breaks off is said to have failed" {
    browse "/try.html" \
        until "document.querySelector('#sliders button')" \
        print "(window.former = fetch, window.fetch = (url, options) => (String(url).includes('/callbacks/welltory')
            ? Promise.resolve(new Response(new ReadableStream({
                pull: (controller) => controller.error(new TypeError('cut')) }))) : former(url, options)), true)" \
        click "#sliders button" \
        until "document.querySelector('#sent [role=alert]')" \
        until "!document.querySelector('#sent').hasAttribute('aria-busy')"
}

@test "a launch shows its link and QR code, and what the emulator does next is set and reset" {
    browse --allow=400 "/try.html" \
        until "document.querySelector('.launch-form [name=flowName]')" \
        print "$(write '.launch-form [name=flowName]' Parcel)" \
        click ".launch-form [type=submit]" \
        until "$(shows '#made' 'flowName=Parcel') && document.querySelector('#made .qr-code')" \
        until "document.activeElement.id === 'made'" \
        until "$(shows '#plan-state' completed)" \
        until "document.querySelectorAll('#plan optgroup').length === 2" \
        print "$(write '#plan [name=scenario]' cancelled)" \
        until "$(shows '#plan-meaning' 'The operator leaves the flow.')" \
        click "#plan [type=submit]" \
        until "$(shows '#plan-state' 'Next: cancelled.')" \
        print "$(write '#plan [name=scenario]' duplicate:2)" \
        print "[1, 2].forEach(() => document.querySelector('#plan [type=submit]').click())" \
        until "$(shows '#plan-state' 'Next: cancelled, duplicate:2, duplicate:2.')" \
        click "#plan [name=repeat]" \
        until "$(shows '#plan-state' 'Next: cancelled, duplicate:2, duplicate:2, again and again')" \
        print "$(write '#plan [name=vendor]' ailet)" \
        until "[...document.querySelectorAll('#plan option')].some((node) => node.text === 'error:IR_ERROR_NOVISIT')" \
        print "$(write '#plan [name=vendor]' dimmy)" \
        until "$(shows '#plan-state' 'duplicate:2')" \
        click "#reset" \
        until "$(shows '#plan-state' 'answers each launch')"
}

@test "a plan that the emulated app has used up is not shown any longer to who comes back to the page" {
    local launched="curl --silent '${LANDFALL_URL}/api/v1/launches' \
        --data '{\"vendor\": \"dimmy\", \"parameters\": {\"flowName\": \"Parcel\"}}'"
    browse "/try.html" \
        until "$(shows '#plan-state' completed)" \
        print "$(write '#plan [name=scenario]' cancelled)" \
        click "#plan [type=submit]" until "$(shows '#plan-state' 'Next: cancelled.')" \
        print "$(write '#plan [name=scenario]' duplicate:2)" \
        run "curl --silent --fail --output /dev/null \"\$(${launched} | jq --raw-output .emulator_url)\"" \
        print "document.dispatchEvent(new Event('visibilitychange'))" \
        until "$(shows '#plan-state' 'answers each launch')" \
        until "document.querySelector('#plan [name=scenario]').value === 'duplicate:2'"
}

@test "what could not be read is tried again by a button, and the plan of another vendor is not shown meanwhile" {
    browse --fail=/vendors "/try.html" \
        until "$(shows '#plan-problem' 'be reached') && document.querySelector('#plan [name=vendor]').options.length === 0" \
        print "(window.isMended = true, document.querySelector('#plan-problem button').focus(), true)" \
        key Enter until "$(shows '#plan-state' completed) && document.querySelector('#answer [name=vendor]').options.length > 3" \
        until "document.activeElement.id === 'plan-problem'" \
        until "document.querySelector('#decode [name=vendor]').options.length < 10"
    browse --fail=/emulator/ailet "/try.html" \
        until "$(shows '#plan-state' completed)" \
        print "$(write '#plan [name=vendor]' ailet)" \
        until "$(shows '#plan-problem' 'be reached') && document.querySelector('#plan-state').textContent === ''" \
        until "document.querySelector('#plan [name=scenario]').options.length === 0" \
        print "(window.isMended = true)" click "#plan-problem button" \
        until "[...document.querySelectorAll('#plan option')].some((node) => node.text === 'error:IR_ERROR_NOVISIT')"
    browse --fail=/sites "/links.html" \
        until "$(shows '#sites' 'be reached')" \
        print "(window.isMended = true)" click "#sites button" \
        until "$(shows '#sites' www.yourapp.com)"
}

@test "what a receiver answers is set, counted, shown with a result, and removed" {
    local id
    browse "/try.html" \
        until "document.querySelector('#answer [name=vendor]').options.length > 3" \
        print "$(write '#answer [name=vendor]' welltory)" \
        print "$(write '#answer [name=inbox]' retries)" \
        until "$(shows '#answer-state' '/callbacks/welltory/retries answers as usual.')" \
        print "$(write '#answer [name=fail_first]' 1)" \
        print "$(write '#answer [name=status]' 202)" \
        print "$(write '#answer [name=headers]' 'X-Partner: a:b')" \
        print "$(write '#answer [name=body]' '<img src=x>')" \
        click "#answer [type=submit]" \
        until "$(shows '#answer-state' 'has an answer of its own: 0 answered, 0 of them failed.')"
    for _ in 1 2; do
        curl --silent --output /dev/null --max-time 60 "${LANDFALL_URL}/callbacks/welltory/retries?stress=0.5"
    done
    curl --silent --max-time 60 "${LANDFALL_URL}/api/v1/receivers/welltory/retries/answer" |
        jq --exit-status '.answer.headers == {"X-Partner": "a:b"} and .answer.body == "<img src=x>" and .answer.status == 202'
    id="$(curl --silent --max-time 60 "${LANDFALL_URL}/api/v1/results?q=answered:503%20inbox:retries" |
        jq --raw-output '.results[0].id')"
    browse --allow=400 "/try.html" \
        until "document.querySelector('#answer [name=vendor]').options.length > 3" \
        print "$(write '#answer [name=inbox]' retries)" \
        print "$(write '#answer [name=vendor]' welltory)" \
        until "$(shows '#answer-state' '2 answered, 1 of them failed.')" \
        until "document.querySelector('#answer [name=headers]').value === 'X-Partner: a:b'" \
        print "$(write '#answer [name=body]' 'typed, not set')" \
        run "curl --silent --fail --output /dev/null '${LANDFALL_URL}/callbacks/welltory/retries?stress=0.5'" \
        click "#answer [name=refresh]" \
        until "$(shows '#answer-state' '3 answered, 1 of them failed.')" \
        until "document.querySelector('#answer [name=body]').value === 'typed, not set'" \
        print "$(write '#answer [name=inbox]' 'no inbox!')" \
        until "document.querySelector('#answer-problem [role=alert]') && !$(shows '#answer-state' welltory)" \
        print "$(write '#answer [name=inbox]' retries)" \
        until "$(shows '#answer-state' '3 answered, 1 of them failed.')" \
        until "document.querySelector('#answer [name=body]').value === 'typed, not set'" \
        until "document.querySelector('#answer [name=headers]').value === 'X-Partner: a:b'" \
        print "$(write '#answer [name=headers]' 'Content-Length: 3')" \
        click "#answer [type=submit]" \
        until "$(shows '#answer-problem' 'the server sets this one (Content-Length)')" \
        click "#answer [name=remove_answer]" \
        until "$(shows '#answer-state' 'answers as usual.') && document.querySelector('#answer [name=status]').value === ''" \
        go "${LANDFALL_URL}/?result=${id}" \
        until "$(shows '#detail' '503, a set failure, number 1')"
}

@test "an answer that was typed before its receiver was chosen is the one that is set" {
    browse "/try.html" \
        until "document.querySelector('#answer [name=vendor]').options.length > 3 && $(shows '#answer-state' usual)" \
        print "$(write '#answer [name=status]' 503)" \
        print "$(write '#answer [name=inbox]' typed)" \
        until "$(shows '#answer-state' '/typed answers as usual.')" \
        until "new Promise((resolve) => setTimeout(resolve, 100, true))" \
        click "#answer [type=submit]" \
        until "$(shows '#answer-state' '/typed has an answer of its own')" \
        until "document.querySelector('#answer [name=status]').value === '503'" \
        print "$(write '#answer [name=inbox]' another)" \
        until "$(shows '#answer-state' 'usual') && document.querySelector('#answer [name=status]').value === ''"
}

@test "nothing sticks out at 320 pixels on the pages of links and for trying" {
    browse --width=320 --allow=404 "/links.html?url=https%3A%2F%2Fwww.yourapp.com%2F$(printf 'long%.0s' {1..100})" \
        until "document.querySelector('#explanation .badge') && ${NOTHING_STICKS_OUT}" \
        go "${LANDFALL_URL}/try.html" \
        until "document.querySelector('.launch-form') && ${NOTHING_STICKS_OUT}"
}

@test "a question mark lists the keys on every page" {
    browse "/links.html" \
        until "!document.querySelector('#sites [aria-busy]')" \
        key '?' until "$(shows dialog 'To the URL') && !$(shows dialog 'row to row')" key Escape \
        key / until "document.activeElement.name === 'url'" \
        go "${LANDFALL_URL}/try.html" \
        until "document.querySelector('.launch-form')" \
        click "#show-keys" until "$(shows dialog 'To the text to decode')" axe keys \
        go "${LANDFALL_URL}/flows.html" \
        until "document.querySelector('#refresh').dataset.state === 'live'" \
        key '?' until "$(shows dialog 'Next flow') && $(shows dialog 'row to row')"
}

@test "an address that isn't there is a page for people, with a policy" {
    browse --allow=404 "/nothing-here" \
        until "$(shows h1 'Not found') && document.querySelector('a[href=\"/\"]')"
    run curl --silent --head --request GET --header 'Accept: text/html' --max-time 60 "${LANDFALL_URL}/nothing-here"
    grep --ignore-case "^content-security-policy: default-src 'none'" <<<"${output}"
    [[ "$(curl --silent --max-time 60 "${LANDFALL_URL}/nothing-here" | jq .status)" == 404 ]]
}

@test "without the token people get a page that says where it is, and programs the problem" {
    local page="${LANDFALL_URL}"
    LANDFALL_TOKEN=token-of-the-page-test start_landfall "${BATS_TEST_TMPDIR}/server"
    run curl --silent --include --header 'Accept: text/html' --max-time 60 "${LANDFALL_URL}/"
    grep --ignore-case '^www-authenticate: Basic' <<<"${output}"
    grep --quiet 'A token is needed' <<<"${output}"
    run curl --silent --include --header 'Sec-Fetch-Dest: empty' --max-time 60 "${LANDFALL_URL}/api/v1/results"
    grep --ignore-case '^www-authenticate: Bearer' <<<"${output}"
    grep --quiet 'urn:landfall:problem:unauthorized' <<<"${output}"
    stop_landfall
    export LANDFALL_URL="${page}"
}
