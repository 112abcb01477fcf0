#!/usr/bin/env bats
# One result in a real browser: verdict, where it broke, the vendor's card, value and request.
# Invariant: every test also fails on a console error, a violation of the content security policy or a
# request to another origin, as browser.py looks for those in each run.
# Left out: the list (results.bats), what can be done with a result (actions.bats).

load setup

# vendor_sends VENDOR INBOX [OPTION]...: a callback of the vendor's app, answers with its result's id.
vendor_sends() {
    local vendor="$1" inbox="$2" route="${1%%-[0-9]*}"
    shift 2
    [[ "${route}" == flux* ]] && route=dimmy
    "${LANDFALL_BIN}" send "${vendor}" --to "${LANDFALL_URL}/callbacks/${route}/${inbox}" --seed 42 --json "$@" |
        jq --raw-output '[.. | .id? // empty][0]'
}

# received ID: when a result came, as the page writes it.
received() {
    curl --silent --max-time 60 "${LANDFALL_URL}/api/v1/results/$1" |
        jq --raw-output '.received_at | sub("T"; " ") | sub("Z"; " UTC")'
}

@test "a result's link shows its decoded value and the request as received" {
    id="$(send "/callbacks/welltory/${INBOX}?stress=0.32&energy=0.75" --header 'X-Trace: Page-Test')"
    browse "/?q=inbox:${INBOX}&result=${id}" \
        until "$(shows '#detail .tree' stress) && $(shows '#detail .tree' 0.32)" \
        until "$(shows '#detail-title' 'Welltory result') && $(shows '#detail .lead' completed)" \
        until "$(shows '#detail .request-line' "GET /callbacks/welltory/${INBOX}?stress=0.32&energy=0.75")" \
        until "$(shows '#detail .request-line' HTTP/1.1)" \
        until "$(shows '#detail .headers' X-Trace) && $(shows '#detail .headers' Page-Test)" \
        until "document.querySelector('#detail a[href\$=\"/api/v1/results/${id}/request\"]')" \
        until "document.querySelector('$(row "${id}")').ariaCurrent === 'true'" \
        go "${LANDFALL_URL}/#${id}" \
        until "$(shows '#detail .tree' stress) && location.search === '?result=${id}'"
    run curl --silent --max-time 60 "${LANDFALL_URL}/api/v1/results/${id}/request"
    [[ "${status}" -eq 0 && "${output}" == GET\ * ]]
}

@test "an undecodable result says what was expected, what was found and where, the next diagnostic by a button" {
    id="$(send "/callbacks/welltory/${INBOX}?stress=0,32&energy=x")"
    browse "/?result=${id}" \
        until "document.querySelectorAll('#detail .finding').length > 1" \
        until "$(shows '#detail .finding[open]' Expected) && $(shows '#detail .finding[open]' 0,32)" \
        until "$(shows '#detail .lead' undecodable)" \
        until "$(button 'Next diagnostic')" \
        until "document.activeElement.closest('.finding') === document.querySelectorAll('#detail .finding')[1]" \
        until "document.querySelectorAll('#detail .finding[open]').length === 1"
}

@test "the road of decoding opens at the layer that failed, with the faulty bytes marked" {
    id="$(send "/callbacks/ailet/${INBOX}-road" --header 'Content-Type: application/json' --data-binary '{"status": IR_OK}')"
    browse "/?result=${id}" \
        until "document.querySelectorAll('#detail .road .step').length > 1" \
        until "document.querySelector('.step[aria-expanded=true]').dataset.state === 'failed'" \
        until "document.querySelector('.fault-view .marked mark').textContent.startsWith('IR')" \
        until "document.querySelectorAll('.fault-view .marked').length === 2 && $(shows .fault-view Expected)" \
        click ".step[data-state=passed]" \
        until "document.querySelector('.step[aria-expanded=true]').dataset.state === 'passed'" \
        until "$(shows .step-view 'What went in') && document.querySelectorAll('.step[aria-expanded=true]').length === 1"
}

@test "a road that can't be read says so" {
    id="$(send "/callbacks/welltory/${INBOX}-lost?stress=0,32")"
    browse "/?q=inbox:${INBOX}-lost" \
        until "${ROWS} === 1" \
        print "(window.former = fetch, window.fetch = (url, options) => (String(url).includes('/layers')
            ? Promise.reject(new TypeError('cut')) : former(url, options)), true)" \
        click "#rows a" \
        until "$(shows '#detail .road-place [role=alert]' 'be reached')"
}

@test "a layer of the road that passed with a warning has its sign" {
    id="$(send "/callbacks/welltory/${INBOX}-warned?stress=0,32&energy=0.7")"
    browse "/?result=${id}" \
        until "document.querySelector('.step[data-state=warned][aria-expanded=true]').innerText.includes('!')" \
        until "$(shows '.step[data-state=warned]' 'passed with a warning')" \
        until "document.querySelector('.step[data-state=passed]').innerText.includes('✓')"
}

@test "the road marks bytes that are not text in hexadecimal" {
    id="$(send "/callbacks/dimmy/${INBOX}-road?response=$(printf '{"a":\377}' | base64)")"
    browse "/?result=${id}" \
        until "document.querySelector('.step[data-state=failed]') && document.querySelector('.step-view .hex, .step-view .marked')"
}

@test "the vendors' cards say in figures what they draw" {
    box="$(vendor_sends flux "${INBOX}-card")"
    measured="$(vendor_sends welltory "${INBOX}-card")"
    visit="$(vendor_sends ailet "${INBOX}-card")"
    act="$(vendor_sends rezolve "${INBOX}-card")"
    callback="$(vendor_sends x-callback-url "${INBOX}-card")"
    trigger="$(send "/callbacks/rezolve/${INBOX}-card?url=https%3A%2F%2Frzlv.co%2F12%2F34%2F56")"
    browse "/?result=${box}" \
        until "document.querySelectorAll('#detail .box-drawing .face').length === 3" \
        until "/[\\d.]+ × [\\d.]+ × [\\d.]+ m/.test(document.querySelector('#detail .card').innerText)" \
        until "$(shows '#detail .card' ' l')" \
        until "document.querySelector('#detail .card a[rel]').href.startsWith('https://')" \
        until "document.querySelector('#detail .code button').getAttribute('aria-label').startsWith('Copy ')" \
        go "${LANDFALL_URL}/?result=${measured}" \
        until "document.querySelectorAll('#detail .gauge').length === 3 && $(shows '#detail .card' ' ms')" \
        go "${LANDFALL_URL}/?result=${visit}" \
        until "$(shows '#detail .card' 'Share of shelf') && document.querySelector('#detail .card .bar')" \
        until "$(shows '#detail .card' ' found') && $(shows '#detail .card' 'Perfect store')" \
        go "${LANDFALL_URL}/?result=${act}" \
        until "$(shows '#detail .answers' 'Question 1')" \
        go "${LANDFALL_URL}/?result=${trigger}" \
        until "document.querySelectorAll('#detail .crumbs li').length === 3 && $(shows '#detail .crumbs' 34)" \
        go "${LANDFALL_URL}/?result=${callback}" \
        until "$(shows '#detail .card' result)"
}

@test "a box's card draws links only for http and https" {
    item='{"startedAt":"2026-03-09T13:02:11Z","endedAt":"2026-03-09T13:03:47Z","dimensioning":[{"dimensions":{"width":1.085,"height":0.33,"depth":0.69,"unit":"m"}}],"photographing":[{"photos":[{"date":"2026-03-09T13:02:11Z","url":"javascript:document.title=1"},{"date":"2026-03-09T13:02:11Z","url":"https://images.example.com/a.jpg"}]}],"barcodeScanning":[{"barcodes":[{"value":"<b>4006381333931"}]}],"weighing":[{"weight":12.5,"unit":"kg"}],"customInputs":[{"name":"Price","value":12.50}]}'
    id="$(send "/callbacks/dimmy/${INBOX}-links?status=completed&response=$(printf '%s' "${item}" | base64 -w0 | tr '+/' '-_')")"
    browse "/?result=${id}" \
        until "$(shows '#detail .card' '1.085 × 0.33 × 0.69 m') && $(shows '#detail .card' '247.1 l')" \
        until "$(shows '#detail .card' 'javascript:document.title=1') && $(shows '#detail .card' '<b>4006381333931')" \
        until "document.querySelectorAll('#detail .card a').length === 1" \
        until "document.querySelector('.box-drawing text').textContent === '1.085 m'" \
        until "$(shows '#detail .card' '12.5 kg') && $(shows '#detail .card' 'Price: 12.50')"
}

@test "a link of a peer leads where it says, also where it looks like one of the page" {
    local other photo id
    other="$(send "/callbacks/welltory/${INBOX}-peer?stress=0.5&energy=0.5")"
    photo='{"photographing":[{"photos":[{"date":"2026-03-09T13:02:11Z","url":"https://images.example.com/?result=%s&size=large"}]}]}'
    # shellcheck disable=SC2059 # the result's place
    photo="$(printf "${photo}" "${other}" | base64 -w0 | tr '+/' '-_' | tr -d =)"
    id="$(send "/callbacks/dimmy/${INBOX}-peer?status=completed&response=${photo}")"
    browse "/?result=${id}" \
        until "document.querySelector('#detail .card a[rel]')" \
        print "(addEventListener('click', (event) => {
                window.opensTab = !event.defaultPrevented;
                event.preventDefault();
            }), document.querySelector('#detail .card a[rel]').click(), true)" \
        until "opensTab && location.search === '?result=${id}'"
}

@test "a box or weight that came without a unit is shown without one" {
    local item='{"dimensioning":[{"dimensions":{"width":400,"height":300,"depth":200}}],"weighing":[{"weight":850}]}'
    id="$(send "/callbacks/dimmy/${INBOX}-unitless?status=completed&response=$(base64 -w0 <<<"${item}" | tr '+/' '-_' | tr -d =)")"
    browse "/?result=${id}" \
        until "[...document.querySelectorAll('#detail .figures dd')].map((node) => node.innerText).join()
            === '400 × 300 × 200,24000000'" \
        until "document.querySelector('.box-drawing text').textContent === '400'" \
        until "[...document.querySelectorAll('#detail .card li')].at(-1).innerText === '850'"
}

@test "a card shows only figures that were sent: others as text, small ones not as 0, absent ones as a dash" {
    local place="${INBOX}-figures" json="Content-Type: application/json" item visit order
    item='{"weighing":[{"weight":"1,5","unit":"kg"},{"weight":"12 or 13","unit":"kg"},{"weight":0.0004,"unit":"t"},
        {"weight":"2.50","unit":"kg"},{"unit":"kg"}]}'
    item="$(send "/callbacks/dimmy/${place}?status=completed&response=$(base64 -w0 <<<"${item}" | tr '+/' '-_' | tr -d =)")"
    visit="$(send "/callbacks/ailet/${place}" --header "${json}" --data-binary '{"status":"IR_RESULT_OK","report":{
        "share_shelf":{"share_shelf_by_visit":[{"value":"12,9","plan":"40"},{"value":"1 250"},{"value":0.04}]},
        "assortment_achievement":[{"name":"Tea","facing_fact":"12 or 13"},{"name":"Milk","facing_fact":0}],
        "perfectstore":{"total_visit_score":"87,5","tasks":[{"name":"Shelf"},{"name":"Price","percentage":"50.0"}]}}}')"
    order="$(send "/callbacks/rezolve/${place}" --header "${json}" --data-binary '{"userId":"1","entityId":"3","answers":[],
        "order_lines":[{"name":"Tea","price":"12,50"},{"name":"Milk","quantity":2,"price":1.5}],"total":"14,00"}')"
    local texts="[...document.querySelectorAll('#detail .card %s')].map((node) => node.innerText).join('|')"
    # shellcheck disable=SC2059 # the selector's place
    browse "/?result=${item}" \
        until "$(printf "${texts}" li) === '1,5 kg|12 or 13 kg|0.0004 t|2.5 kg'" \
        go "${LANDFALL_URL}/?result=${visit}" \
        until "$(printf "${texts}" .share-value) === '12,9 · plan 40 %|1 250|0.04 %|–|50 %'" \
        until "[...document.querySelectorAll('#detail .card .bar-value')].map((node) => node.getAttribute('width')).join()
            === '0,0,0.04,0,50'" \
        until "$(shows '#detail .card' '12 or 13 facings') && $(shows '#detail .card' 'Assortment: 1 of 2 found')" \
        until "$(shows '#detail .card' 'score 87,5')" \
        go "${LANDFALL_URL}/?result=${order}" \
        until "$(printf "${texts}" td) === 'Tea||12,50|Milk|2|1.50|14,00'"
}

@test "a card says how many parameters and order lines it leaves out" {
    local place="${INBOX}-many" query callback order
    query="$(printf 'p%d=1&' {1..60})"
    callback="$(send "/callbacks/x-callback-url/${place}?${query%&}")"
    order="$(jq --null-input '{userId: "1", entityId: "3", answers: [], total: "60.00",
        order_lines: [range(60) | {name: "Tea \(.)", price: 1}]}')"
    order="$(send "/callbacks/rezolve/${place}" --header 'Content-Type: application/json' --data-binary "${order}")"
    browse "/?result=${callback}" \
        until "document.querySelectorAll('#detail .card dt').length === 50" \
        until "$(shows '#detail .card' 'and 10 more, in the decoded value below')" \
        go "${LANDFALL_URL}/?result=${order}" \
        until "document.querySelectorAll('#detail .receipt tbody tr').length === 51" \
        until "document.querySelector('#detail .receipt tbody tr:last-child').innerText
            === 'and 10 more, in the decoded value below'"
}

@test "a card shows objects and lists as JSON, whatever their members are called" {
    local place="${INBOX}-objects" json="Content-Type: application/json" act visit item
    act="$(send "/callbacks/rezolve/${place}" --header "${json}" --data-binary '{"userId":"1","entityId":"3","answers":[
        {"question_id":"1","answer":{"toString":1}},{"question_id":"2","answer":{"text":"T"}},
        {"question_id":"3","answer":1.50}]}')"
    visit="$(send "/callbacks/ailet/${place}" --header "${json}" --data-binary '{"status":"IR_RESULT_OK",
        "photosCounter":{"valueOf":1,"toString":1},"report":{"share_shelf":{"share_shelf_by_visit":[
            {"value":{"toString":1}},{"value":32,"plan":{"text":"40"}}]},
            "assortment_achievement":[{"name":{"toString":1},"facing_fact":1}]}}')"
    item='{"barcodeScanning":[{"barcodes":[{"value":{"toString":1}}]}],"weighing":[{"weight":2,"unit":{"toString":1}}],
        "customInputs":[{"name":"Colours","value":["red",1.50]}]}'
    item="$(send "/callbacks/dimmy/${place}?status=completed&response=$(base64 -w0 <<<"${item}" | tr '+/' '-_' | tr -d =)")"
    browse "/?result=${act}" \
        until "$(shows '#detail .answers' '"toString": 1') && $(shows '#detail .answers' '"text": "T"')" \
        until "$(shows '#detail .answers' 1.50) && !$(shows '#detail .card' '[object')" \
        until "document.querySelector('#detail .request-line') && !document.querySelector('#detail [aria-busy]')" \
        go "${LANDFALL_URL}/?result=${visit}" \
        until "$(shows '#detail .figures' '"valueOf": 1') && $(shows '#detail .product' '"toString": 1')" \
        until "$(shows '#detail .share' '32 %') && !$(shows '#detail .card' plan)" \
        go "${LANDFALL_URL}/?result=${item}" \
        until "$(shows '#detail .card' 'Colours: [') && $(shows '#detail .card' 1.50) && $(shows '#detail .card' '2 {')"
}

@test "a result whose card can't be made is shown without it" {
    id="$(send "/callbacks/rezolve/${INBOX}-cardless?url=https%3A%2F%2Frzlv.co%2F12%2F34%2F56")"
    browse --allow=card-rezolve.js "/?q=inbox:${INBOX}-cardless" \
        until "${ROWS} === 1" block /card-rezolve.js \
        click "#rows a" \
        until "document.querySelector('#detail .request-line') && !document.querySelector('#detail .card')"
}

@test "a result that the page can't show for a defect of its own says so, and blames nobody else" {
    id="$(send "/callbacks/welltory/${INBOX}-defect?stress=0.32")"
    browse --allow='odd one' "/?q=inbox:${INBOX}-defect" \
        until "${ROWS} === 1" \
        print "(window.former = Object.fromEntries, Object.fromEntries = () => { throw new Error('odd one'); }, true)" \
        click "#rows a" \
        until "$(shows '#detail [role=alert]' 'The result could not be shown') && $(shows '#detail' 'odd one')" \
        until "!$(shows '#detail' JSON) && !document.querySelector('#detail [aria-busy]')" \
        print "(Object.fromEntries = former, true)" \
        until "$(button 'Try again')" until "document.querySelector('#detail .request-line')"
}

@test "hostile text is shown as text everywhere in the panel" {
    hostile='<img src=x onerror=document.title=1>'
    encoded='%3Cimg%20src%3Dx%20onerror%3Ddocument.title%3D1%3E'
    id="$(send "/callbacks/raw/${INBOX}-hostile?value=${encoded}&${encoded}=name" \
        --header "X-Name: ${hostile}" --header 'Content-Type: text/plain' --data "${hostile}")"
    json="$(jq --null-input --compact-output --arg text "${hostile}" \
        '{($text): $text, url: "javascript:alert(1)", bidi: "\u202eabc", nul: "a\u0000b", bell: "\u0007",
          hyphen: "4006\u00ad381", tags: "a\udb40\udc62c"}')"
    tree="$(send "/callbacks/raw/${INBOX}-hostile" --header 'Content-Type: application/json' --data-binary "${json}")"
    parameters="[...document.querySelectorAll('#detail section')].find((node) => node.innerText.startsWith('Query'))"
    browse "/?q=inbox:${INBOX}-hostile&result=${id}" \
        until "${ROWS} === 2" \
        until "$(shows '#detail .headers' "${hostile}")" \
        until "$(shows '#detail .body' "${hostile}")" \
        until "${parameters}.querySelector('dd').innerText === '${hostile}'" \
        until "[...${parameters}.querySelectorAll('dt')].at(-1).innerText === '${hostile}'" \
        go "${LANDFALL_URL}/?result=${tree}" \
        until "$(shows '#detail .body .tree' "${hostile}") && $(shows '#detail .body .tree' '[U+202E]abc')" \
        until "$(shows '#detail .body .tree' 'a␀b') && $(shows '#detail .body .tree' '␇')" \
        until "$(shows '#detail .body .tree' '4006[U+00AD]381') && $(shows '#detail .body .tree' 'a[U+E0062]c')" \
        until "$(button Exact)" \
        until "document.querySelector('#detail .body pre').innerText.startsWith('{')" \
        until "document.querySelectorAll('img').length === 1 && document.title !== '1'" \
        until "document.querySelectorAll('#detail a[href^=javascript]').length === 0"
}

@test "a megabyte of text and 10,000 members are written out only when asked for" {
    head -c 1000000 /dev/zero | tr '\0' 'x' >"${BATS_TEST_TMPDIR}/long"
    long="$(send "/callbacks/raw/${INBOX}-long" --header 'Content-Type: text/plain' \
        --data-binary "@${BATS_TEST_TMPDIR}/long")"
    jq --null-input --compact-output '[range(10000) | {key: "name\(.)", value: .}] | from_entries' \
        >"${BATS_TEST_TMPDIR}/members"
    many="$(send "/callbacks/raw/${INBOX}-long" --header 'Content-Type: application/json' \
        --data-binary "@${BATS_TEST_TMPDIR}/members")"
    browse --width=360 "/?result=${long}" \
        until "document.querySelector('#detail .body')" \
        until "document.querySelector('#detail .body').innerText.length < 4000" \
        until "${NOTHING_STICKS_OUT}" \
        click "#detail .body .wire button" \
        until "document.querySelector('#detail .body .wire').textContent.length > 100000" \
        until "${NOTHING_STICKS_OUT}" \
        go "${LANDFALL_URL}/?result=${many}" \
        until "document.querySelectorAll('#detail .body .tree li').length === 101" \
        until "[...document.querySelectorAll('#detail .body .tree button')].at(-1).click() ?? true" \
        until "document.querySelectorAll('#detail .body .tree li').length >= 201"
}

@test "a body of millions of quotation marks is shown" {
    head -c 4000000 /dev/zero | tr '\0' '"' >"${BATS_TEST_TMPDIR}/quotes"
    id="$(send "/callbacks/raw/${INBOX}-quotes" --header 'Content-Type: text/plain' \
        --data-binary "@${BATS_TEST_TMPDIR}/quotes")"
    browse "/?result=${id}" until "$(shows '#detail .body' 'Body, 4.0 MB') && $(shows '#detail .body' '""')"
}

@test "the lines of a body don't overlap, and those of a form begin where those of the headers do" {
    tree="$(send "/callbacks/raw/${INBOX}-body" --header 'Content-Type: application/json' --data-binary '{"a":"b","c":"d","e":"f"}')"
    form="$(send "/callbacks/raw/${INBOX}-body" --data 'a=b&c=d')"
    browse "/?result=${tree}" \
        until "document.querySelectorAll('#detail .body .tree .string').length === 3" \
        until "(() => { const boxes = [...document.querySelectorAll('#detail .body .tree .string')]
            .map((node) => node.getBoundingClientRect());
            return boxes.every(({ top }, index) => index === 0 || top >= boxes[index - 1].bottom); })()" \
        go "${LANDFALL_URL}/?result=${form}" \
        until "document.querySelectorAll('#detail .headers dt .wire').length > 2" \
        until "new Set([...document.querySelectorAll('#detail .headers')].map((list) =>
            getComputedStyle(list.querySelector('dt .wire')).paddingLeft)).size === 1"
}

@test "of very many parameters the first are shown, and more when asked for" {
    local pairs
    pairs="$(printf 'n%.0s&' {1..450})"
    id="$(send "/callbacks/raw/${INBOX}-pairs?${pairs}" --data "${pairs}")"
    local query="[...document.querySelectorAll('#detail section')].find((node) => node.innerText.startsWith('Query'))"
    browse "/?result=${id}" \
        until "document.querySelectorAll('#detail .body dt').length === 200 && ${query}.querySelectorAll('dt').length === 200" \
        until "(${query}.querySelector('.actions button').click(), $(shows '#detail' 'Show 50 more of 50'))" \
        until "document.activeElement === ${query}.querySelectorAll('dl > div')[200]" \
        until "(${query}.querySelector('.actions button').click(), ${query}.querySelectorAll('dt').length === 450)" \
        until "${query}.querySelector('.actions button').hidden"
}

@test "the numbers of a body are shown as they were sent" {
    id="$(send "/callbacks/raw/${INBOX}-numbers" --header 'Content-Type: application/json' \
        --data-binary '{"price":1.50,"code":40063813339310000001}')"
    browse "/?result=${id}" \
        until "$(shows '#detail .body .tree' '1.50') && $(shows '#detail .body .tree' 40063813339310000001)"
}

@test "a form's values are shown as they were sent, a plus as the space that it stands for" {
    id="$(send "/callbacks/raw/${INBOX}-form" --data 'name=50%+off&a%2Bb=c+d')"
    browse "/?result=${id}" \
        until "[...document.querySelectorAll('#detail .body :is(dt, dd)')].map((node) => node.innerText).join('|')
            === 'name|50% off|a+b|c d'"
}

@test "a long text is cut between characters, however often more of it is asked for" {
    { printf 'x%.0s' {1..998} && printf '🙂%.0s' {1..60000}; } >"${BATS_TEST_TMPDIR}/emoji"
    id="$(send "/callbacks/raw/${INBOX}-emoji" --header 'Content-Type: text/plain' --data-binary "@${BATS_TEST_TMPDIR}/emoji")"
    local wire="document.querySelector('#detail .body .wire')" whole="/^x+🙂*$/u"
    browse "/?result=${id}" \
        until "${wire} && ${whole}.test(${wire}.firstChild.data)" \
        click "#detail .body .wire button" \
        until "((parts) => parts.length === 1 && parts.every((part) => /^(🙂)+$/u.test(part.data)))(
            [...${wire}.querySelector('span').childNodes])"
}

@test "a result of a list that was sent says which one it is; with its trace, and what its path says" {
    local ids id
    ids="$(curl --silent --show-error "${LANDFALL_URL}/callbacks/dimmy/${INBOX}-list" \
        --header 'Content-Type: application/json' --data '[{"status":"cancelled"},{"status":"cancelled"}]' \
        --header 'traceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01')"
    id="$(jq --raw-output '.results[1].id' <<<"${ids}")"
    browse "/?result=${id}" \
        until "$(shows '#detail .body' 'Body, 22 bytes: callback 2 of the 2 in the list that was sent')" \
        until "$(shows '#detail' '4bf92f3577b34da6a3ce929d0e0e4736') && !$(shows '#detail' 'From the path')"
    local url="${LANDFALL_URL}"
    start_configured "${BATS_TEST_TMPDIR}/server" \
        <<<'receivers: [{host: shop.example, path: "/orders/:int(id)", vendor: dimmy, contract: flux}]'
    id="$(send "/orders/17?status=cancelled" --header 'Host: shop.example')"
    browse "/?result=${id}" \
        until "$(shows '#detail .pairs' 'id 17') && $(shows '#detail .pairs' 'flux, as the receiver is configured')"
    stop_landfall
    export LANDFALL_URL="${url}"
}

@test "a name from right to left stands before its value" {
    local id
    id="$(send "/callbacks/raw/${INBOX}-names" --header 'Content-Type: application/json' --data '{"שם":12}')"
    browse "/?result=${id}" \
        until "(([name, value]) => name.getBoundingClientRect().right <= value.getBoundingClientRect().left)(
            document.querySelectorAll('#detail .body .tree li > span'))"
}

@test "the members of a body are shown in their order, and as often as they were sent" {
    local sent id
    sent='{"b":1,"10":[{"c":1.50,"c":2}],"2":":","a\"":"\\\":{","0:x" :{},"__proto__":{"y":["#1","\u0023#2",-0]}}'
    id="$(send "/callbacks/raw/${INBOX}-members" --header 'Content-Type: application/json' --data-binary "${sent}")"
    local tree="[...document.querySelectorAll('#detail .body .tree .key')].map((node) => node.innerText).join(' ')"
    browse "/?result=${id}" \
        until "document.querySelector('#detail .body .tree')" \
        until "document.querySelectorAll('#detail .body details').forEach((node) => { node.open = true; }) || ${tree} === 'b 10 c c 2 a\" 0:x __proto__ y'" \
        until "$(shows '#detail .body .tree' 1.50) && $(shows '#detail .body .tree' '“#1”')" \
        until "$(shows '#detail .body .tree' '“##2”') && $(shows '#detail .body .tree' '2 -0')"
}

@test "a body that is not text is shown in hexadecimal, with the text beside it" {
    printf '\377\376\000PNG' >"${BATS_TEST_TMPDIR}/binary"
    id="$(send "/callbacks/raw/${INBOX}-binary" --header 'Content-Type: application/octet-stream' \
        --data-binary "@${BATS_TEST_TMPDIR}/binary")"
    browse "/?result=${id}" \
        click "#detail .body summary" \
        until "$(shows '#detail .hex' 'ff fe 00 50 4e 47') && $(shows '#detail .hex' '···PNG')"
}

@test "a body that came compressed is said to be shown decompressed" {
    local place="/callbacks/raw/${INBOX}-gzip" text binary
    text="$(printf '{"a":1}' | gzip | send "${place}" --header 'Content-Type: application/json' \
        --header 'Content-Encoding: gzip' --data-binary @-)"
    binary="$(printf '\377\376\000PNG' | gzip | send "${place}" --header 'Content-Encoding: gzip' --data-binary @-)"
    browse "/?result=${text}" \
        until "$(shows '#detail .body' 'Body, 7 bytes decompressed')" \
        go "${LANDFALL_URL}/?result=${binary}" \
        until "$(shows '#detail .body' 'Body, 6 bytes decompressed, not text')"
}

@test "while another result is awaited, nothing can be done with the former one, and the question names what is erased" {
    local place="/callbacks/welltory/${INBOX}-awaited" former other
    former="$(send "${place}?stress=0.11&energy=0.75")"
    other="$(send "${place}?stress=0.22&energy=0.75")"
    browse "/?q=inbox:${INBOX}-awaited&result=${former}" \
        until "$(shows '#detail .tree' 0.11) && document.querySelector('#detail .danger')" \
        print "$(hold_back "/results/${other}")" \
        until "(document.querySelector('#detail .danger').focus(), document.querySelector('$(row "${other}")').click(), true)" \
        until "document.querySelector('#detail-body').inert && document.activeElement.id === 'detail-title'" \
        until "$(shows '#detail-title' Result) && document.querySelector('#detail-body:empty')" \
        until "!document.querySelector('#detail .danger') && window.release" \
        print "release()" until "$(shows '#detail .tree' 0.22)" \
        until "$(button 'Erase…')" \
        until "$(shows dialog "Welltory, $(received "${other}")")" \
        key Escape until "!document.querySelector('dialog')"
}

@test "the question whether a result is still there ends, whether or not the network does" {
    id="$(send "/callbacks/welltory/${INBOX}-still?stress=0.123")"
    browse "/?result=${id}" \
        until "document.querySelector('#detail .result-actions')" \
        print "(window.asked = [], window.former = fetch, window.fetch = (url, options) => {
            if (options.method === 'HEAD') asked.push(options.signal);
            return former(url, options);
        }, true)" \
        until "asked.length > 0 && asked.every((signal) => signal instanceof AbortSignal)"
}

@test "what a reader has opened in a result stays when the tab is left for a while" {
    local inbox="${INBOX}-stays" id
    send "/callbacks/raw/${inbox}?a=1" --header 'Content-Type: application/json' --data-binary '{"a":{"b":{"c":1}}}'
    id="$(send "/callbacks/raw/${inbox}?a=2" --header 'Content-Type: application/json' --data-binary '{"a":{"b":{"c":2}}}')"
    browse "/?result=${id}" \
        until "document.querySelector('#detail .step') && $(shows '#refresh' Live)" \
        until "$(button 'Compare…')" until "document.querySelector('.differences')" \
        print "(document.querySelectorAll('#detail-body .body summary').forEach((node) => node.parentNode.open || node.click()),
            $(button Exact), document.querySelector('#detail .step').click(),
            document.querySelector('.compare-choice select').focus(),
            window.state = () => [document.querySelector('#detail-body').innerHTML, document.activeElement.outerHTML,
                document.querySelector('#detail').scrollTop].join(' '), true)" \
        until "document.querySelector('#detail .step-view') && !document.querySelector('#detail [aria-busy]')" \
        print "(document.querySelector('#detail').scrollTop = 90, window.before = state(), window.loaded = [],
            new PerformanceObserver((list) => loaded.push(...list.getEntries())).observe({ type: 'resource' }),
            window.see = (sees) => {
                Object.defineProperty(document, 'hidden', { configurable: true, get: () => !sees });
                document.dispatchEvent(new Event('visibilitychange'));
            }, see(false))" \
        print "see(true)" \
        until "loaded.some(({ name }) => name.endsWith('/results/${id}'))" \
        print "new Promise((resolve) => setTimeout(resolve, 500, true))" \
        until "window.before === state() && $(shows '.body button[aria-pressed=true]' Exact)" \
        until "document.querySelector('.differences') && document.querySelector('.step[aria-expanded=true]')"
}

@test "a result that is erased elsewhere empties the panel, which says so, and leaves the list" {
    id="$(send "/callbacks/welltory/${INBOX}-gone?stress=0.123")"
    keep="$(send "/callbacks/welltory/${INBOX}-gone?stress=0.124")"
    browse --allow=404 "/?q=inbox:${INBOX}-gone&result=${id}" \
        until "${ROWS} === 2 && $(shows '#detail .tree' 0.123)" \
        run "curl --silent --request DELETE ${LANDFALL_URL}/api/v1/results/${id}" \
        until "$(shows '#detail-title' 'This result was erased')" \
        until "!$(shows '#detail' 0.123)" \
        until "${ROWS} === 1 && document.querySelector('$(row "${keep}")') && $(shows '#total' '1 result')"
}

@test "a stray that is received as a callback while it is shown isn't said to be erased" {
    local target="/no/such/place/${INBOX}-adopted" id
    curl --silent --output /dev/null "${LANDFALL_URL}${target}"
    id="$(curl --silent "${LANDFALL_URL}/api/v1/results?kind=stray&path=${target}" | jq --raw-output '.results[0].id')"
    browse --allow=404 "/?result=${id}" \
        until "$(shows '#detail .lead-block' 'No receiver has this address')" \
        run "curl --silent --fail --request POST '${LANDFALL_URL}/api/v1/results/${id}/adopt?vendor=raw'" \
        until "$(shows '#detail-title' 'This result is gone')" \
        until "$(shows '#detail-body' 'It was received as a callback') && !$(shows '#detail-body' Somebody)"
}

@test "a request that was refused says why, with the receivers that are near if there are any" {
    local target="/callbacks/raw/${INBOX}!" id
    curl --silent --output /dev/null "${LANDFALL_URL}${target}"
    id="$(curl --silent --get "${LANDFALL_URL}/api/v1/results" --data kind=stray --data-urlencode "path=${target}" |
        jq --raw-output '.results[0].id')"
    browse --width=320 "/?q=kind:stray" \
        until "document.querySelector('$(row "${id}")') && !document.querySelector('$(row "${id}" .badge)')" \
        go "${LANDFALL_URL}/?result=${id}" \
        until "$(shows '#detail .lead-block' 'It was refused with 400: invalid-inbox.')" \
        until "$(shows '#detail .lead-block' 'The nearest receivers') && $(shows '#detail .lead-block li' /callbacks/raw)" \
        until "$(shows '#detail .command' '--vendor raw ') && ${NOTHING_STICKS_OUT}"
}

@test "a delivery says what became of it, and where it was sent; a launch, that it begins its flow" {
    local url="${LANDFALL_URL}" id place="${BATS_TEST_TMPDIR}/sent" answer
    start_configured "${place}" <<'END'
forward:
  - name: partner
    targets: [{url: "http://127.0.0.1:1/back", retry_milliseconds: 10, give_up_seconds: 1}]
END
    answer="$(curl --silent "${LANDFALL_URL}/callbacks/welltory?stress=0.5&energy=0.5" | jq --raw-output .id)"
    until id="$(curl --silent --get "${LANDFALL_URL}/api/v1/results" --data kind=delivery |
        jq --exit-status --raw-output 'first(.results[] | select(.result.outcome == "dead")).id')"; do sleep 0.1; done
    browse "/?q=kind:delivery" \
        until "document.querySelector('$(row "${id}")') && !document.querySelector('$(row "${id}" .badge)')" \
        go "${LANDFALL_URL}/?result=${id}" \
        until "/Attempt \\d+ got no response: .*refused. It was given up\\./.test(document.querySelector('#detail .lead-block').innerText)" \
        until "$(shows '#detail .lead-block' 'was forwarded by the rule partner.') && !$(shows '#detail' 'not decoded')" \
        until "$(shows '#detail' 'Sent by http to 127.0.0.1:1') && !$(shows '#detail' 'Received by')" \
        axe delivery \
        click "#detail .lead-block a" \
        until "location.search.includes('${answer}') && $(shows '#detail .tree' 0.5)"
    id="$(curl --silent "${LANDFALL_URL}/api/v1/launches" --data '{"vendor": "dimmy", "parameters": {"flowName": "Parcel"}}' |
        jq --raw-output .flow)"
    browse "/?q=kind:launch" \
        until "/^[\\d,]+ records?$/.test(document.querySelector('#total').textContent)" \
        until "${ROWS} === 1" click "#rows a" \
        until "$(shows '#detail' "It begins the flow ${id}")"
    stop_landfall
    export LANDFALL_URL="${url}"
}

@test "a result that does not exist is explained" {
    browse --allow=404 "/?result=019a0000-0000-7000-8000-000000000000" \
        until "document.querySelector('#detail [role=alert]')" \
        key Escape \
        until "document.querySelector('#detail').hidden"
}

@test "credentials that were not stored are said to be so" {
    id="$(send "/callbacks/raw/${INBOX}-secret" --header 'X-Api-Key: 0123456789abcdef')"
    browse "/?result=${id}" \
        until "$(shows '#detail .privacy' 'Where it says [redacted], a credential was left out: it is never stored.')" \
        until "$(shows '#detail .privacy' 'A sender may write that, too.')"
    # In a body that isn't text, and far down in a long one.
    printf 'note=\xff&api_key=0123456789abcdef' >"${BATS_TEST_TMPDIR}/bytes"
    printf 'note=%0110000d&api_key=0123456789abcdef' 1 >"${BATS_TEST_TMPDIR}/long"
    for body in bytes long; do
        id="$(send "/callbacks/raw/${INBOX}-secret" --data-binary "@${BATS_TEST_TMPDIR}/${body}")"
        browse "/?result=${id}" until "$(shows '#detail .privacy' 'Where it says [redacted], a credential was left out')"
    done
}

@test "nothing sticks out at 320 and 360 pixels or with text of 200 per cent" {
    id="$(send "/callbacks/welltory/${INBOX}-small?stress=0,32&$(printf 'long%.0s' {1..200})=1")"
    box="$(vendor_sends flux "${INBOX}-small")"
    visit="$(vendor_sends ailet "${INBOX}-small")"
    for one in "${id}" "${box}" "${visit}"; do
        browse --width=360 "/?result=${one}" \
            until "document.querySelector('#detail .request-line')" \
            until "${NOTHING_STICKS_OUT}" \
            size 320x700 until "${NOTHING_STICKS_OUT}" \
            size 1280x800 text 200 until "${NOTHING_STICKS_OUT}"
    done
}

@test "long pointers and hosts don't stick out at 320 and 360 pixels" {
    local long id
    long="$(printf 'long%.0s' {1..60})"
    id="$(send "/callbacks/ailet/${INBOX}-pointer" --header 'Content-Type: application/json' --header "Host: ${long:0:60}.example" \
        --data-binary '{"status":"IR_RESULT_OK","report":{"share_shelf":{"share_shelf_by_macrocategories":[{"macrocategory_name":0,32}]}}}')"
    other="$(send "/callbacks/raw/${INBOX}-pointer" --header "Host: ${long:0:60}.${long:0:60}.${long:0:60}.example")"
    for one in "${id}" "${other}"; do
        browse --width=360 "/?result=${one}" \
            until "document.querySelector('#detail .request-line')" \
            until "document.querySelector('#detail .road')" until "${NOTHING_STICKS_OUT}" \
            size 320x700 until "${NOTHING_STICKS_OUT}"
    done
}

# --- Links ------------------------------------------------------------------------------------------

@test "a link that should have opened the app says so, with the rule" {
    id="$(send "/dds/?stress=0.32&energy=0.75" --header 'Host: www.yourapp.com')"
    browse "/?result=${id}" \
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

@test "an emulated vendor's screen is a form, whose values go back as they stand or as they were changed" {
    local flux="/emulate/flux/open?flowName=Parcel&callback=${LANDFALL_URL}/callbacks/dimmy/${INBOX}-screen&seed=42"
    local input="(label) => [...document.querySelectorAll('.input')]
        .find((node) => node.querySelector('label').textContent === label).querySelector('input, select')"
    browse "${flux}" \
        until "JSON.parse(document.querySelector('textarea').value).dimensioning.length > 0" \
        click 'form button' \
        until "$(shows h1 'A callback arrived')" \
        until "$(shows main completed) && $(shows main decoded)" \
        go "${LANDFALL_URL}${flux}" \
        until "((${input})('Width').value = '7.25', (${input})('Bar code').value = 'ä+b', true)" \
        click 'form button' \
        until "$(shows main 7.25) && $(shows main 'ä+b') && $(shows main decoded)" \
        go "${LANDFALL_URL}${flux}" \
        until "document.querySelector('textarea').value = JSON.stringify({startedAt: 'ä+b\n'})" \
        click 'details summary' \
        click 'details form button' \
        until "$(shows main 'ä+b')" \
        go "${LANDFALL_URL}${flux}" \
        until "document.querySelector('button[value=\"malformed:base64\"]').closest('details').open === false" \
        click 'button[value=cancelled]' \
        until "$(shows main cancelled)"
}

@test "the screen of a measurement has sliders that say their value, and colours to choose or leave out" {
    local callback="${LANDFALL_URL}/callbacks/welltory/${INBOX}-sliders" id
    browse "/emulate/welltory/action/dds/measurement?source=Landfall&callback=${callback}&seed=42" \
        until "document.querySelectorAll('input[type=range]').length === 3" \
        axe screen colours dark axe screen-dark size 320x700 until "${NOTHING_STICKS_OUT}" \
        until "(() => { const slider = document.querySelector('input[type=range]'); slider.value = 0.9;
            slider.dispatchEvent(new Event('input', { bubbles: true }));
            return slider.nextElementSibling.value === '0.9'; })()" \
        until "(document.querySelector('select').value = 'red', document.querySelectorAll('select')[1].value = '', true)" \
        click 'form button' \
        until "$(shows h1 'A callback arrived')"
    id="$(curl --silent "${LANDFALL_URL}/api/v1/results?q=inbox:${INBOX}-sliders" | jq --raw-output '.results[0].id')"
    curl --silent "${LANDFALL_URL}/api/v1/results/${id}" | jq --exit-status '.result
        | .stress == 0.9 and .stress_c == "red" and (has("energy_c") and .energy_c != null | not) and .rmssd > 0'
}
