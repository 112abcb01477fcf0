#!/usr/bin/env bats
# The web page in a real browser: what people see of a callback that landed.
# Invariant: every test also fails on a console error, a violation of the content security policy or a
# request to another origin, as browser.py looks for those in each run.
# Left out: how the page looks, beyond "nothing sticks out".

setup_file() {
    source "${BATS_TEST_DIRNAME}/setup.bash"
    start_server
}

teardown_file() {
    source "${BATS_TEST_DIRNAME}/setup.bash"
    stop_server
}

setup() {
    source "${BATS_TEST_DIRNAME}/setup.bash"
}

# JavaScript for the steps: how many rows, and whether an element's text has a part in it.
ROWS="document.querySelectorAll('#results tbody tr').length"
NOTHING_STICKS_OUT="document.documentElement.scrollWidth <= innerWidth \
    && [...document.querySelectorAll('#detail, #detail-body')]
        .every((node) => node.scrollWidth <= node.clientWidth)"
shows() {
    local text
    text="$(jq --null-input --arg text "$2" '$text')"
    printf "(document.querySelector('%s')?.innerText ?? '').includes(%s)" "$1" "${text}"
}

@test "a callback that curl sent is a row of the table" {
    id="$(send "/callbacks/welltory/${INBOX}?stress=0.32&energy=0.75")"
    browse "/?inbox=${INBOX}" \
        until "document.querySelector('tr[data-id=\"${id}\"]')" \
        until "$(shows "tr[data-id=\"${id}\"] .col-vendor" welltory)" \
        until "$(shows "tr[data-id=\"${id}\"] .col-inbox" "${INBOX}")" \
        until "$(shows "tr[data-id=\"${id}\"] .col-outcome" completed)" \
        until "$(shows "tr[data-id=\"${id}\"] .col-verdict" decoded)" \
        until "$(shows "tr[data-id=\"${id}\"] .col-summary" 0.32)"
}

@test "a callback that arrives while the page is open appears by itself and takes no focus" {
    send "/callbacks/welltory/${INBOX}-live?stress=0.11&energy=0.75"
    live="${LANDFALL_URL}/callbacks/welltory/${INBOX}-live"
    browse "/?inbox=${INBOX}-live" \
        until "${ROWS} === 1" \
        until "(document.querySelector('#results tbody a').focus(), window.row = document.activeElement)" \
        run "curl --silent --output /dev/null '${live}?stress=0.99&energy=0.75'" \
        until "${ROWS} === 2" \
        until "$(shows '#results tbody tr:first-child .col-summary' 0.99)" \
        until "document.activeElement === window.row && window.row.closest('tr').sectionRowIndex === 1" \
        until "document.querySelector('#announcer').textContent.includes('1 new')" \
        until "$(shows '#refresh' Live)"
}

@test "filters in the address narrow the table and fill the selects" {
    send "/callbacks/welltory/${INBOX}-narrow?stress=0.32&energy=0.75"
    send "/callbacks/welltory/${INBOX}-narrow?stress=0,32"
    send "/callbacks/raw/${INBOX}-narrow?any=thing"
    browse "/?inbox=${INBOX}-narrow" \
        until "${ROWS} === 3" \
        go "${LANDFALL_URL}/?vendor=welltory&inbox=${INBOX}-narrow" \
        until "${ROWS} === 2" \
        until "document.querySelector('select[name=vendor]').value === 'welltory'" \
        go "${LANDFALL_URL}/?vendor=welltory&inbox=${INBOX}-narrow&verdict=undecodable" \
        until "${ROWS} === 1" \
        until "document.querySelector('select[name=inbox]').value === '${INBOX}-narrow'" \
        until "$(shows '#results tbody' undecodable)"
}

@test "choosing a filter changes the address, and back undoes it" {
    send "/callbacks/welltory/${INBOX}-choose?stress=0.32&energy=0.75"
    send "/callbacks/raw/${INBOX}-choose?any=thing"
    browse "/?inbox=${INBOX}-choose" \
        until "${ROWS} === 2" \
        print "(() => { const select = document.querySelector('select[name=vendor]'); select.value = 'raw';
            select.dispatchEvent(new Event('change', { bubbles: true })); })()" \
        until "${ROWS} === 1 && new URLSearchParams(location.search).get('vendor') === 'raw'" \
        print "history.back()" \
        until "${ROWS} === 2 && !location.search.includes('vendor')" \
        click "#clear-filters" \
        until "location.search === ''"
}

@test "older results are loaded by cursor, without repeating or losing one" {
    for number in {1..57}; do
        printf 'url = "%s/callbacks/welltory/%s-many?stress=0.%s&energy=0.75"\noutput = "/dev/null"\n' \
            "${LANDFALL_URL}" "${INBOX}" "$((100 + number))"
    done | curl --silent --max-time 30 --config -
    browse "/?inbox=${INBOX}-many" \
        until "${ROWS} === 50" \
        click "#more" \
        until "${ROWS} === 57" \
        until "new Set([...document.querySelectorAll('#results tbody tr')]
            .map((row) => row.dataset.id)).size === 57" \
        until "document.querySelector('#more').hidden" \
        until "$(shows '#refresh' Paused)"
}

@test "a result's link shows its decoded value and the request as received" {
    id="$(send "/callbacks/welltory/${INBOX}?stress=0.32&energy=0.75" --header 'X-Trace: Page-Test')"
    browse "/?inbox=${INBOX}#${id}" \
        until "$(shows '#detail .tree' stress) && $(shows '#detail .tree' 0.32)" \
        until "$(shows '#detail .request-line' "GET /callbacks/welltory/${INBOX}?stress=0.32&energy=0.75")" \
        until "$(shows '#detail .request-line' HTTP/1.1)" \
        until "$(shows '#detail .headers' X-Trace) && $(shows '#detail .headers' Page-Test)" \
        until "document.querySelector('#detail a[href=\"/api/v1/results/${id}/request\"]')" \
        until "document.querySelector('tr[data-id=\"${id}\"]').ariaCurrent === 'true'"
    run curl --silent --max-time 60 "${LANDFALL_URL}/api/v1/results/${id}/request"
    [[ "${status}" -eq 0 && "${output}" == GET\ * ]]
}

@test "an undecodable result says what was expected, what was found and where" {
    id="$(send "/callbacks/welltory/${INBOX}?stress=0,32")"
    browse "/#${id}" \
        until "document.querySelector('#detail .diagnostic[data-severity=error]')" \
        until "$(shows '#detail .diagnostic' Expected) && $(shows '#detail .diagnostic' Found)" \
        until "$(shows '#detail .diagnostic' 0,32)" \
        until "$(shows '#detail .diagnostic' stress)" \
        until "$(shows '#detail .lead' undecodable)"
}

@test "hostile text is shown as text, in the table and in the detail" {
    hostile='<img src=x onerror=document.title=1>'
    encoded='%3Cimg%20src%3Dx%20onerror%3Ddocument.title%3D1%3E'
    send "/callbacks/welltory/${INBOX}-hostile?stress=${encoded}&energy=0.75"
    id="$(send "/callbacks/raw/${INBOX}-hostile?value=${encoded}&${encoded}=name" \
        --header "X-Name: ${hostile}" --header 'Content-Type: text/plain' --data "${hostile}")"
    parameters="[...document.querySelectorAll('#detail section')].at(-1)"
    browse "/?inbox=${INBOX}-hostile#${id}" \
        until "${ROWS} === 2" \
        until "$(shows '#detail .headers' "${hostile}")" \
        until "$(shows '#detail .body' "${hostile}")" \
        until "${parameters}.querySelector('dd').innerText === '${hostile}'" \
        until "[...${parameters}.querySelectorAll('dt')].at(-1).innerText === '${hostile}'" \
        until "document.querySelectorAll('img').length === 1 && document.title !== '1'"
}

@test "a hostile fragment or filter in the address is harmless" {
    browse --allow=400 "/?vendor=%3Cimg%20src%3Dx%3E#%3Cimg%20src%3Dx%3E" \
        until "!document.querySelector('#problem').hidden" \
        until "$(shows '#detail' '<img src=x>')" \
        until "document.querySelectorAll('img').length === 1"
}

@test "a long value wraps, and is written out only when asked for" {
    # A body of 101 kB without a space: the worst that the contracts are known to send.
    head -c 101000 /dev/zero | tr '\0' 'x' >"${BATS_TEST_TMPDIR}/long"
    id="$(send "/callbacks/raw/${INBOX}-long" --header 'Content-Type: text/plain' \
        --data-binary "@${BATS_TEST_TMPDIR}/long")"
    browse --width=360 "/#${id}" \
        until "document.querySelector('#detail .body')" \
        until "document.querySelector('#detail .body').innerText.length < 4000" \
        until "${NOTHING_STICKS_OUT}" \
        click "#detail .body .wire button" \
        until "document.querySelector('#detail .body .wire').textContent.length === 101000" \
        until "${NOTHING_STICKS_OUT}"
}

@test "the keyboard opens a result, moves along the rows, and Escape closes" {
    send "/callbacks/welltory/${INBOX}-keys?stress=0.1&energy=0.75"
    send "/callbacks/welltory/${INBOX}-keys?stress=0.2&energy=0.75"
    focused="document.activeElement?.closest('tr')?.sectionRowIndex"
    browse "/?inbox=${INBOX}-keys" \
        until "${ROWS} === 2" \
        print "document.querySelector('#clear-filters').focus()" \
        key Tab until "${focused} === 0" \
        key ArrowDown until "${focused} === 1" \
        key Enter \
        until "location.hash.length > 1 && !document.querySelector('#detail').hidden" \
        until "document.querySelector('#detail').contains(document.activeElement)" \
        until "$(shows '#detail .tree' 0.1)" \
        key Escape \
        until "document.querySelector('#detail').hidden && location.hash === ''" \
        until "${focused} === 1"
}

@test "a click opens a result, the arrows go to its neighbours, and back closes" {
    send "/callbacks/welltory/${INBOX}-click?stress=0.1&energy=0.75"
    send "/callbacks/welltory/${INBOX}-click?stress=0.2&energy=0.75"
    for width in 360 1280; do
        browse --width=${width} "/?inbox=${INBOX}-click" \
            until "${ROWS} === 2" \
            click "#results tbody tr:first-child .col-summary" \
            until "$(shows '#detail .tree' 0.2)" \
            click "#older" \
            until "$(shows '#detail .tree' 0.1) && document.querySelector('#older').disabled" \
            print "history.back()" \
            until "document.querySelector('#detail').hidden && ${ROWS} === 2"
    done
}

@test "nothing sticks out at 360 pixels, in light and in dark" {
    id="$(send "/callbacks/welltory/${INBOX}-small?stress=0,32&$(printf 'long%.0s' {1..200})=1")"
    for scheme in "" --dark; do
        browse --width=360 ${scheme} "/?inbox=${INBOX}-small" \
            until "${ROWS} > 0 && matchMedia('(prefers-color-scheme: dark)').matches === ('${scheme}' !== '')" \
            until "${NOTHING_STICKS_OUT}" \
            go "${LANDFALL_URL}/?inbox=${INBOX}-small#${id}" \
            until "document.querySelector('#detail .diagnostic')" \
            until "${NOTHING_STICKS_OUT}" \
            go "${LANDFALL_URL}/?inbox=${INBOX}-nobody" \
            until "document.querySelector('#empty code')" \
            until "${NOTHING_STICKS_OUT}"
    done
}

@test "the colour schemes differ" {
    ground="getComputedStyle(document.body).backgroundColor"
    light="$(browse / print "${ground}")"
    dark="$(browse --dark / print "${ground}")"
    [[ -n "${light}" && "${light}" != "${dark}" ]]
}

@test "an empty inbox offers a curl line that works" {
    browse "/?inbox=${INBOX}-first" \
        until "document.querySelector('#empty code')" \
        until "document.querySelector('#empty button').textContent === 'Copy'" \
        print "document.querySelector('#empty code').textContent" >"${BATS_TEST_TMPDIR}/command"
    command="$(cat "${BATS_TEST_TMPDIR}/command")"
    [[ "${command}" == "curl \"${LANDFALL_URL}/callbacks/welltory/${INBOX}-first?"* ]]
    timeout 10 bash "${BATS_TEST_TMPDIR}/command" >/dev/null 2>&1
    browse "/?inbox=${INBOX}-first" until "${ROWS} === 1 && document.querySelector('#empty').hidden"
}

@test "a filter that the server refuses is explained" {
    browse --allow=400 "/?verdict=nonsense" \
        until "!document.querySelector('#problem').hidden" \
        until "document.querySelector('#problem .notice-title').innerText.length > 5" \
        until "document.querySelector('#empty').hidden && ${ROWS} === 0" \
        click "#clear-filters" \
        until "document.querySelector('#problem').hidden"
}

@test "a result that does not exist is explained" {
    browse --allow=404 "/#019a0000-0000-7000-8000-000000000000" \
        until "document.querySelector('#detail [role=alert]')" \
        key Escape \
        until "document.querySelector('#detail').hidden"
}

@test "a lost connection is said, the rows stay, and the page recovers by itself" {
    send "/callbacks/welltory/${INBOX}-lost?stress=0.32&energy=0.75"
    browse --allow=ERR_INTERNET_DISCONNECTED "/?inbox=${INBOX}-lost" \
        until "${ROWS} === 1" \
        offline on \
        until "$(shows '#refresh' 'Connection lost') && !document.querySelector('#problem').hidden" \
        until "${ROWS} === 1" \
        offline off \
        until "$(shows '#refresh' Live) && document.querySelector('#problem').hidden"
}

@test "the page comes with a policy that allows nothing from elsewhere" {
    run curl --silent --show-error --head --max-time 60 "${LANDFALL_URL}/"
    grep --ignore-case "^content-security-policy: default-src 'none'" <<<"${output}"
    run grep --recursive --ignore-case --extended-regexp \
        'innerHTML|outerHTML|insertAdjacent|document\.write|eval\(' "${REPOSITORY}/public"
    [[ "${status}" -eq 1 ]]
}

# --- Links ------------------------------------------------------------------------------------------

@test "a link that should have opened the app says so, with the rule" {
    id="$(send "/dds/?stress=0.32&energy=0.75" --header 'Host: www.yourapp.com')"
    browse "/#${id}" \
        until "$(shows '#detail' 'should have opened the app')" \
        until "$(shows '#detail' A1B2C3D4E5.com.yourapp.ios)" \
        until "$(shows '#detail' '/applinks/details/0/components/0 (line 7)')"
}

@test "a browser that lands on a callback sees the result, laid out, and why no app opened" {
    browse "/callbacks/welltory/${INBOX}-landed?stress=0.32&note=%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E" \
        until "$(shows main 'A callback arrived')" \
        until "$(shows main '0.32')" \
        until "$(shows main 'Why no app opened')" \
        until "document.querySelector('img') === null" \
        until "getComputedStyle(document.querySelector('main')).maxWidth !== 'none'"
}

@test "an emulated vendor's screen goes back to the partner with the values as they stand, or as they were changed" {
    local launch="/emulate/flux/open?flowName=Parcel&callback=${LANDFALL_URL}/callbacks/dimmy/${INBOX}-screen&seed=42"
    browse "${launch}" \
        until "JSON.parse(document.querySelector('textarea').value).dimensioning.length > 0" \
        click 'form button' \
        until "$(shows h1 'A callback arrived')" \
        until "$(shows main completed) && $(shows main decoded)" \
        go "${LANDFALL_URL}${launch}" \
        until "document.querySelector('textarea').value = JSON.stringify({startedAt: 'ä+b\n'})" \
        click 'form button' \
        until "$(shows main 'ä+b')" \
        go "${LANDFALL_URL}${launch}" \
        click 'button[value=cancelled]' \
        until "$(shows main cancelled)"
}

# --- Flows ------------------------------------------------------------------------------------------

FLOWS="document.querySelectorAll('#flows tbody tr').length"

# mint INBOX [NAME]: makes a launch of Flux, answers with its flow's id.
mint() {
    curl --silent --show-error --max-time 60 "${LANDFALL_URL}/api/v1/launches" --data \
        "$(jq --null-input --arg inbox "$1" --arg name "${2:-Parcel}" \
            '{vendor: "dimmy", inbox: $inbox, parameters: {flowName: $name}}')" | jq --raw-output .flow
}

# fill NAME VALUE: what a person types into a field of the form, as JavaScript.
fill() {
    local value
    value="$(jq --null-input --arg value "$2" '$value')"
    printf "(() => { const field = document.querySelector('.launch-form [name=%s]'); field.value = %s;
        for (const type of ['input', 'change']) field.dispatchEvent(new Event(type, { bubbles: true })); })()" \
        "$1" "${value}"
}

@test "a flow is a row with its state, and changes by itself when the callback comes" {
    local inbox="${INBOX}-flow" flow
    flow="$(mint "${inbox}")"
    browse "/flows.html?inbox=${inbox}" \
        until "${FLOWS} === 1" \
        until "$(shows "tr[data-id=\"${flow}\"] .col-state" launched)" \
        until "$(shows '#flows tbody .col-vendor' flux)" \
        until "(document.querySelector('#flows tbody a').focus(), true)" \
        run "curl --silent --output /dev/null '${LANDFALL_URL}/callbacks/dimmy/${inbox}/${flow}?status=cancelled'" \
        until "$(shows "tr[data-id=\"${flow}\"] .col-state" returned)" \
        until "$(shows '#flows tbody .col-answer' cancelled) && $(shows '#flows tbody .col-took' s)" \
        until "document.activeElement.closest('tr')?.dataset.id === '${flow}'"
}

@test "flows are filtered by state and vendor, and older ones loaded by cursor" {
    local inbox="${INBOX}-flows" flow
    flow="$(mint "${inbox}")"
    send "/callbacks/dimmy/${inbox}/${flow}?status=cancelled"
    for _ in {1..54}; do mint "${inbox}"; done >/dev/null
    browse "/flows.html?inbox=${inbox}" \
        until "${FLOWS} === 50" \
        click "#more" \
        until "${FLOWS} === 55 && document.querySelector('#more').hidden" \
        until "new Set([...document.querySelectorAll('#flows tbody tr')].map((row) => row.dataset.id)).size === 55" \
        go "${LANDFALL_URL}/flows.html?inbox=${inbox}&state=returned" \
        until "${FLOWS} === 1 && document.querySelector('tr[data-id=\"${flow}\"]')" \
        until "document.querySelector('select[name=state]').value === 'returned'" \
        go "${LANDFALL_URL}/flows.html?inbox=${inbox}&vendor=welltory" \
        until "$(shows '#empty' 'No flow matches')" \
        click "#empty button" \
        until "location.search === '' && ${FLOWS} > 0"
}

@test "a flow's timeline leads to its results, and a result back to its flow" {
    local inbox="${INBOX}-times" flow id
    flow="$(mint "${inbox}" Timeline)"
    id="$(send "/callbacks/dimmy/${inbox}/${flow}?status=cancelled")"
    send "/callbacks/dimmy/${inbox}/${flow}?status=cancelled"
    browse "/flows.html#${flow}" \
        until "document.querySelectorAll('#detail .timeline li').length === 3" \
        until "$(shows '#detail .lead' duplicate) && $(shows '#detail' 'came once more')" \
        until "$(shows '#detail .timeline' 'The link is made') && $(shows '#detail .timeline' '+0 ms')" \
        until "$(shows '#detail .link' flowName=Timeline)" \
        click "#detail .timeline a[href=\"/#${id}\"]" \
        until "location.pathname === '/' && $(shows '#detail .request-line' "/${flow}")" \
        click "#detail a[href=\"/flows.html#${flow}\"]" \
        until "location.pathname === '/flows.html' && document.querySelector('#detail .timeline')" \
        key Escape \
        until "document.querySelector('#detail').hidden && location.hash === ''"
    browse --allow=404 "/flows.html#019a0000-0000-7000-8000-000000000000" \
        until "document.querySelector('#detail [role=alert]')"
}

@test "the report counts what came twice by vendor, and leads to it" {
    local inbox="${INBOX}-report" flow
    flow="$(mint "${inbox}")"
    send "/callbacks/dimmy/${inbox}/${flow}?status=cancelled"
    send "/callbacks/dimmy/${inbox}/${flow}?status=cancelled"
    local twice='#report a[aria-label$="duplicate, dimmy"]'
    browse "/flows.html?inbox=${inbox}" \
        until "Number(document.querySelector('${twice}').textContent) > 0" \
        until "[...document.querySelectorAll('#report tbody tr')].find((row) => row.innerText.startsWith('dimmy'))
            .querySelector('[data-label=p90]').innerText.endsWith('s')" \
        click "${twice}" \
        until "location.search === '?vendor=dimmy&inbox=${inbox}&state=duplicate' && ${FLOWS} === 1" \
        print "(() => { const select = document.querySelector('select[name=since]'); select.value = '7d';
            select.dispatchEvent(new Event('change', { bubbles: true })); })()" \
        until "location.search.endsWith('&since=7d') && !document.querySelector('#report table').hidden"
    browse --allow=400 "/flows.html?since=tomorrow" until "$(shows '#problem' since)"
}

@test "a new launch is refused with the reason, or ends in its flow with link and QR code" {
    local inbox="${INBOX}-new" qr="document.querySelector('#detail .qr-code')"
    browse --allow=400 "/flows.html?inbox=${inbox}" \
        until "$(shows '#empty' 'Nothing') || $(shows '#empty' 'No flow')" \
        click "#new-launch" \
        until "location.hash === '#new' && $(shows '#detail-title' 'New launch')" \
        until "document.querySelector('.launch-form [name=flowName]').required" \
        print "$(fill flowName 'Parcel & more')" \
        print "$(fill inbox "${inbox}")" \
        print "$(fill callback 'no url')" \
        click ".launch-form [type=submit]" \
        until "$(shows '.launch-form [role=alert]' 'callback must be a whole URL')" \
        until "document.activeElement.name === 'callback' && document.activeElement.ariaInvalid === 'true'" \
        print "$(fill callback '')" \
        click ".launch-form [type=submit]" \
        until "/^#[0-9a-f-]{36}\$/.test(location.hash) && $(shows '#detail .lead' launched)" \
        until "$(shows '#detail .link' 'flowName=Parcel%20%26%20more')" \
        until "${qr}.getBoundingClientRect().width > 150 && ${qr}.querySelectorAll('path')[1].getAttribute('d').length > 500" \
        until "[...document.querySelectorAll('#detail button')].some((node) => node.textContent === 'Copy link')" \
        until "${FLOWS} === 1" \
        run "flow=\$(curl --silent '${LANDFALL_URL}/api/v1/flows?inbox=${inbox}' | jq --raw-output '.flows[0].id') &&
            curl --silent \"${LANDFALL_URL}/callbacks/dimmy/${inbox}/\${flow}?status=cancelled\"" \
        until "$(shows '#detail .lead' returned) && $(shows '#detail .timeline' cancelled) && ${qr}" \
        print "history.back()" \
        until "document.querySelector('#detail').hidden"
}

@test "a launch with credentials is shown whole to who made it, and never again" {
    browse "/flows.html#new" \
        until "document.querySelector('.launch-form')" \
        print "$(fill kind 2)" \
        until "document.querySelector('.launch-form [name=source]')" \
        print "(() => { const kind = document.querySelector('[name=kind]');
            kind.value = [...kind.options].find((option) => option.text === 'Ailet · Visit').value;
            kind.dispatchEvent(new Event('change', { bubbles: true })); })()" \
        print "$(fill login ana)" print "$(fill password hush-hush)" \
        print "$(fill store_id s)" print "$(fill visit_id v)" \
        click ".launch-form [type=submit]" \
        until "$(shows '#detail .link' password=hush-hush)" \
        until "$(shows '#detail .diagnostics' back_url_scheme)" \
        print "location.reload()" \
        until "$(shows '#detail .link' redacted) && !document.querySelector('#detail .qr-code')" \
        until "!document.body.innerText.includes('hush')"
}

@test "nothing of flows sticks out at 360 pixels, in light and in dark" {
    local inbox="${INBOX}-thin" flow
    flow="$(mint "${inbox}" "$(printf 'long%.0s' {1..60})")"
    send "/callbacks/dimmy/${inbox}/${flow}?data=nonsense"
    send "/callbacks/dimmy/${inbox}/${flow}?status=cancelled"
    for scheme in "" --dark; do
        browse --width=360 ${scheme} "/flows.html?inbox=${inbox}" \
            until "${FLOWS} === 1 && !document.querySelector('#report table').hidden" \
            until "${NOTHING_STICKS_OUT}" \
            go "${LANDFALL_URL}/flows.html?inbox=${inbox}#${flow}" \
            until "document.querySelector('#detail .timeline')" \
            until "${NOTHING_STICKS_OUT}" \
            go "${LANDFALL_URL}/flows.html?inbox=${inbox}-nobody#new" \
            until "document.querySelector('.launch-form') && !document.querySelector('#empty').hidden" \
            until "${NOTHING_STICKS_OUT}" \
            print "$(fill flowName "$(printf 'long%.0s' {1..60})")" \
            click ".launch-form [type=submit]" \
            until "document.querySelector('#detail .qr-code')" \
            until "${NOTHING_STICKS_OUT}"
    done
}
