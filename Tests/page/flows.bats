#!/usr/bin/env bats
# The page of flows in a real browser: launches, what came back of them, and new links.
# Invariant: every test also fails on a console error, a violation of the content security policy or a
# request to another origin, as browser.py looks for those in each run.
# Left out: results (results.bats, result.bats).

load setup

FLOWS="document.querySelectorAll('#flows tbody tr').length"

# mint INBOX [NAME]: makes a launch of Flux, answers with its flow's id.
mint() {
    curl --silent --show-error --max-time 60 "${LANDFALL_URL}/api/v1/launches" --data \
        "$(jq --null-input --arg inbox "$1" --arg name "${2:-Parcel}" \
            '{vendor: "dimmy", inbox: $inbox, parameters: {flowName: $name}}')" | jq --raw-output .flow
}

# minting INBOX: the command that makes such a launch, for the step `run`.
minting() {
    printf "curl --silent --output /dev/null '%s/api/v1/launches' --data '%s'" "${LANDFALL_URL}" \
        "{\"vendor\": \"dimmy\", \"inbox\": \"$1\", \"parameters\": {\"flowName\": \"Parcel\"}}"
}

# mint_in_page INBOX: makes such a launch and answers with its flow, as JavaScript. The time after which a flow is lost
# is too short for a browser to start in it.
mint_in_page() {
    printf "fetch('/api/v1/launches', { method: 'POST', body: JSON.stringify({ vendor: 'dimmy', inbox: '%s',
        parameters: { flowName: 'Parcel' } }) }).then((answer) => answer.json()).then(({ flow }) => flow)" "$1"
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

@test "vendors can be chosen, and rows have their names, once a server that refused everything answers" {
    local inbox="${INBOX}-recovers"
    mint "${inbox}"
    browse --fail=/stats "/flows.html?inbox=${inbox}" \
        until "$(shows '#problem' 'can’t be reached')" \
        until "document.querySelector('select[name=vendor] [value=dimmy]')" \
        print "(window.isMended = true)" \
        until "${FLOWS} === 1 && $(shows '#flows tbody .col-vendor' Flux)"
    browse --fail=/vendors "/flows.html?inbox=${inbox}" \
        until "${FLOWS} === 1 && $(shows '#flows tbody .col-vendor' dimmy)" \
        print "(window.isMended = true)" \
        until "document.querySelector('select[name=vendor] [value=dimmy]')" \
        until "$(shows '#flows tbody .col-vendor' Flux)"
}

@test "a launch in an inbox beyond those that can be chosen is a row at once" {
    local inbox="${INBOX}-beyond"
    mint "${inbox}"
    browse "/flows.html" \
        until "$(shows '#refresh' Live)" \
        print "(window.former = fetch, window.fetch = async (url, ...rest) => {
            const answer = await former(url, ...rest);
            if (!url.includes('/inboxes')) return answer;
            const { inboxes } = await answer.json();
            return new Response(JSON.stringify({ next_cursor: null,
                inboxes: inboxes.filter(({ name }) => name !== '${inbox}') }), answer);
        }, document.querySelector('#refresh-now').click(), true)" \
        until "$(shows '#refresh' Live) && !document.querySelector('#list').hasAttribute('aria-busy')" \
        until "[...document.querySelectorAll('select[name=inbox] option')].every(({ value }) => value !== '${inbox}')" \
        print "window.before = document.querySelector('#flows tbody tr').dataset.id" \
        run "curl --silent --output /dev/null '${LANDFALL_URL}/api/v1/launches' \
            --data '{\"vendor\": \"dimmy\", \"inbox\": \"${inbox}\", \"parameters\": {\"flowName\": \"Parcel\"}}'" \
        until "document.querySelector('#flows tbody tr').dataset.id !== before"
}

@test "after midnight the flows of the day before say their day" {
    local inbox="${INBOX}-midnight" time="#flows tbody .col-time time"
    mint "${inbox}"
    browse "/flows.html?inbox=${inbox}" \
        until "/^[0-9:]{8}\$/.test(document.querySelector('${time}').textContent)" \
        print "(window.real = Date.now, Date.now = () => real() + 86_400_000,
            window.field = Headers.prototype.get,
            Headers.prototype.get = function (name) { return name === 'Date' ? null : field.call(this, name); }, true)" \
        until "document.querySelector('${time}').textContent.length > 'Nov 27, '.length"
}

@test "the link that is copied has no credentials of the page's address in it" {
    local url="${LANDFALL_URL}" token=token-of-this-test flow
    LANDFALL_TOKEN="${token}" start_landfall "${BATS_TEST_TMPDIR}/server"
    flow="$(curl --silent --user "qa:${token}" --max-time 60 "${LANDFALL_URL}/api/v1/launches" \
        --data '{"vendor": "dimmy", "parameters": {"flowName": "Parcel"}}' | jq --raw-output .flow)"
    LANDFALL_URL="${LANDFALL_URL/:\/\//://qa:${token}@}" browse "/flows.html?vendor=dimmy#${flow}" \
        until "document.querySelector('#detail .facts')" \
        print "(navigator.clipboard.writeText = async (text) => { window.copied = text; }, true)" \
        until "([...document.querySelectorAll('#detail button')].find((node) => node.textContent === 'Copy page link').click(), true)" \
        until "window.copied === '${LANDFALL_URL}/flows.html#${flow}'"
    stop_landfall
    export LANDFALL_URL="${url}"
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
        until "$(shows '#empty' 'No flow matches') && !$(shows '#list' 'Flows of all time')" \
        click "#empty button" \
        until "location.search === '' && ${FLOWS} > 0"
}

@test "an older flow that moves up at the end of the list isn't highlighted, and a new one is" {
    local inbox="${INBOX}-up" older first id
    older="$(mint "${inbox}")"
    for _ in {1..49}; do mint "${inbox}"; done >/dev/null
    first="$(mint "${inbox}")"
    id="$(curl --silent "${LANDFALL_URL}/api/v1/flows/${first}" | jq --raw-output '.messages[0].id')"
    browse "/flows.html?inbox=${inbox}" \
        until "${FLOWS} === 50 && document.querySelector('tr[data-id=\"${first}\"]')" \
        run "curl --silent --fail --request DELETE '${LANDFALL_URL}/api/v1/results/${id}'" \
        until "document.querySelector('tr[data-id=\"${older}\"]') && !document.querySelector('#flows .fresh')" \
        run "$(minting "${inbox}")" until "${FLOWS} === 51 && document.querySelector('#flows tr.fresh:first-child')"
}

@test "a flow that newer ones pushed down changes too, and older ones can still be loaded" {
    local inbox="${INBOX}-pushed" older last answer
    older="$(mint "${inbox}")"
    last="$(mint "${inbox}")"
    for _ in {1..49}; do mint "${inbox}"; done >/dev/null
    answer="curl --silent --output /dev/null '${LANDFALL_URL}/callbacks/dimmy/${inbox}/${last}?status=cancelled'"
    browse "/flows.html?inbox=${inbox}" \
        until "${FLOWS} === 50 && $(shows "tr[data-id=\"${last}\"] .col-state" launched)" \
        run "$(minting "${inbox}")" until "${FLOWS} === 51" \
        run "${answer}" until "$(shows "tr[data-id=\"${last}\"] .col-state" returned)" \
        until "!document.querySelector('tr[data-id=\"${older}\"]')" \
        click "#more" until "${FLOWS} === 52 && document.querySelector('tr[data-id=\"${older}\"]')"
}

@test "a flow that is erased while it is open is said to be erased, also when other records come" {
    local inbox="${INBOX}-erased" flow id
    flow="$(mint "${inbox}")"
    id="$(curl --silent "${LANDFALL_URL}/api/v1/flows/${flow}" | jq --raw-output '.messages[0].id')"
    browse --allow=404 "/flows.html?inbox=${inbox}#${flow}" \
        until "$(shows '#detail .lead' launched) && ${FLOWS} === 1" \
        run "curl --silent --fail --request DELETE '${LANDFALL_URL}/api/v1/results/${id}'" \
        until "$(shows '#detail-title' 'This flow was erased') && ${FLOWS} === 0" \
        print "(window.asked = 0, window.real = fetch, window.fetch = (url, ...rest) => {
            if (url.endsWith('/flows/${flow}')) asked += 1;
            return real(url, ...rest);
        }, true)" \
        run "$(minting "${inbox}")" until "${FLOWS} === 1" \
        print "new Promise((resolve) => setTimeout(resolve, 500, true))" \
        until "$(shows '#detail-title' 'This flow was erased') && $(shows '#detail-body' 'Somebody erased it') && asked === 0"
}

@test "while the list is paused, a failure in the panel and the time of the last refresh stay as they are" {
    local inbox="${INBOX}-paused" time="document.querySelector('#refresh-text').lastElementChild.textContent"
    for _ in {1..51}; do mint "${inbox}"; done >/dev/null
    browse --allow=404 "/flows.html?inbox=${inbox}" \
        until "${FLOWS} === 50" click "#more" until "${FLOWS} === 51 && $(shows '#refresh' Paused)" \
        print "(location.hash = '#019a0000-0000-7000-8000-000000000000', true)" \
        until "document.querySelector('#detail [role=alert] button')" \
        print "(window.polls = 0, window.real = fetch, window.fetch = (url, ...rest) => {
            if (url.includes('/stats')) polls += 1;
            return real(url, ...rest);
        }, window.refreshed = ${time}, window.failure = document.querySelector('#detail [role=alert]'), true)" \
        run "$(minting "${inbox}")" until "$(shows '#refresh' 'New flows wait')" \
        print "(window.polls = 0)" until "polls > 1" \
        until "$(shows '#refresh' 'New flows wait') && ${time} === refreshed && failure.isConnected"
}

@test "while the list is paused, only flows that it doesn't have wait to be shown" {
    local inbox="${INBOX}-waits" flow
    for _ in {1..50}; do mint "${inbox}"; done >/dev/null
    flow="$(mint "${inbox}")"
    browse "/flows.html?inbox=${inbox}" \
        until "${FLOWS} === 50" click "#more" until "${FLOWS} === 51 && $(shows '#refresh' Paused)" \
        print "(window.polls = 0, window.real = fetch, window.fetch = (url, ...rest) => {
            if (url.includes('/stats')) polls += 1;
            return window.isLost ? Promise.reject(new TypeError('cut')) : real(url, ...rest);
        }, true)" \
        run "curl --silent --output /dev/null '${LANDFALL_URL}/callbacks/dimmy/${inbox}/${flow}?status=cancelled'" \
        print "(window.polls = 0)" until "polls > 1 && $(shows '#refresh' Paused)" \
        print "(window.isLost = true)" until "$(shows '#refresh' 'Connection lost')" \
        print "(window.isLost = false)" until "$(shows '#refresh' Paused)" \
        run "$(minting "${inbox}")" until "$(shows '#refresh' 'New flows wait')"
}

@test "a flow's timeline leads to its results, and a result back to its flow" {
    local inbox="${INBOX}-times" flow id
    flow="$(mint "${inbox}" Timeline)"
    id="$(send "/callbacks/dimmy/${inbox}/${flow}?status=cancelled")"
    send "/callbacks/dimmy/${inbox}/${flow}?status=cancelled"
    browse "/flows.html#${flow}" \
        until "document.querySelectorAll('#detail .timeline li').length === 3" \
        until "$(shows '#detail .lead' duplicate) && $(shows '#detail' 'came once more')" \
        until "$(shows '#detail-title' 'Flux flow') && document.title === 'Flux flow · Landfall'" \
        until "$(shows '#detail .timeline' 'The link is made') && $(shows '#detail .timeline' '+0 ms')" \
        until "$(shows '#detail .link' flowName=Timeline)" \
        until "$(shows '#detail .timeline' '?status=cancelled') && !$(shows '#detail .timeline' context)" \
        click "#detail .timeline a[href=\"/?result=${id}\"]" \
        until "location.pathname === '/' && $(shows '#detail .request-line' "/${flow}")" \
        click "#detail a[href=\"/flows.html#${flow}\"]" \
        until "location.pathname === '/flows.html' && document.querySelector('#detail .timeline')" \
        key Escape \
        until "document.querySelector('#detail').hidden && location.hash === '' && document.title === 'Flows · Landfall'"
    browse --allow=404 "/flows.html#019a0000-0000-7000-8000-000000000000" \
        until "document.querySelector('#detail [role=alert]')"
}

@test "a person's choice on the emulated screen is said to be one, and ends the time that it took" {
    local launch flow target page='Accept: text/html' seed back
    launch="$(curl --silent --max-time 60 "${LANDFALL_URL}/api/v1/launches" \
        --data "{\"vendor\": \"dimmy\", \"inbox\": \"${INBOX}-person\", \"parameters\": {\"flowName\": \"Parcel\"}}")"
    flow="$(jq --raw-output .flow <<<"${launch}")"
    target="$(jq --raw-output .emulator_url <<<"${launch}")"
    curl --silent --output /dev/null --header "${page}" "${target}"
    sleep 0.3
    seed="$(curl --silent --header "${page}" "${target}" | grep --only-matching --perl-regexp 'name="seed" value="\K[0-9]+' | head -1)"
    sleep 0.3
    back="$(curl --silent --output /dev/null --write-out '%{redirect_url}' --header "${page}" "${target}" \
        --data "flow=${flow}&seed=${seed}&scenario=cancelled")"
    send "${back#"${LANDFALL_URL}"}"
    browse "/flows.html#${flow}" \
        until "[...document.querySelectorAll('#detail .event a')].map((node) => node.textContent).join('|') ===
            'The link is made|The vendor’s app is opened|The vendor’s app is opened|A person decides|The callback comes'" \
        until "(({ x, width }, [asked, decided]) => Math.abs(x - asked) < 0.3 && Math.abs(x + width - decided) < 0.3)(
            document.querySelector('.scale-person').getBBox(),
            [...document.querySelectorAll('.scale circle')].slice(2, 4).map((node) => Number(node.getAttribute('cx'))))"
}

@test "the report counts what came twice by vendor, and leads to it" {
    local inbox="${INBOX}-report" flow
    send "/callbacks/dimmy/${inbox}-other/$(mint "${inbox}-other")?status=cancelled"
    flow="$(mint "${inbox}")"
    send "/callbacks/dimmy/${inbox}/${flow}?status=cancelled"
    send "/callbacks/dimmy/${inbox}/${flow}?status=cancelled"
    local twice='#report a[aria-label$="duplicate, Flux"]'
    browse "/flows.html?inbox=${inbox}" \
        until "Number(document.querySelector('${twice}').textContent) === 1" \
        until "document.querySelector('#report tbody tr td').textContent === '1'" \
        until "$(shows '#flows tbody tr' Flux) && !$(shows '#flows tbody tr' dimmy)" \
        until "document.querySelector('select[name=vendor] [value=dimmy]').textContent === 'Flux'" \
        until "[...document.querySelectorAll('#report tbody tr')].find((row) => row.innerText.startsWith('Flux'))
            .querySelector('[data-label=p90]').innerText.endsWith('s')" \
        click "${twice}" \
        until "location.search === '?vendor=dimmy&inbox=${inbox}&state=duplicate' && ${FLOWS} === 1" \
        until "$(shows '#list' 'Flows of all time')" \
        print "(() => { const select = document.querySelector('select[name=since]'); select.value = '7d';
            select.dispatchEvent(new Event('change', { bubbles: true })); })()" \
        until "location.search.endsWith('&since=7d') && !document.querySelector('#report table').hidden"
    browse --allow=400 "/flows.html?since=tomorrow" until "$(shows '#problem' since)"
}

@test "a number of the report that somebody has come to by keyboard stays in focus when it grows" {
    local inbox="${INBOX}-focus" flow again
    flow="$(mint "${inbox}")"
    send "/callbacks/dimmy/${inbox}/${flow}?status=cancelled"
    send "/callbacks/dimmy/${inbox}/${flow}?status=cancelled"
    flow="$(mint "${inbox}")"
    send "/callbacks/dimmy/${inbox}/${flow}?status=cancelled"
    again="curl --silent --output /dev/null '${LANDFALL_URL}/callbacks/dimmy/${inbox}/${flow}?status=cancelled'"
    local twice='#report a[data-state=duplicate]'
    browse "/flows.html?inbox=${inbox}" \
        until "document.querySelector('${twice}').textContent === '1'" \
        until "(document.querySelector('${twice}').focus(), window.former = document.activeElement)" \
        run "${again}" \
        until "document.querySelector('${twice}').textContent === '2' && !former.isConnected" \
        until "document.activeElement === document.querySelector('${twice}')"
}

@test "a report that takes long is read again ten times as long after it, while the list goes on" {
    local inbox="${INBOX}-slow"
    mint "${inbox}"
    browse "/flows.html?inbox=${inbox}" \
        until "${FLOWS} === 1 && $(shows '#refresh' Live)" \
        print "(window.reports = 0, window.clock = performance.now() + 3_600_000, performance.now = () => clock,
            window.real = fetch, window.fetch = async (url, ...rest) => {
                if (url.includes('/flows/report')) {
                    reports += 1;
                    clock += 2_000;
                }
                return real(url, ...rest);
            }, true)" \
        run "$(minting "${inbox}")" until "${FLOWS} === 2 && reports === 1" \
        run "$(minting "${inbox}")" until "${FLOWS} === 3" \
        print "(clock += 19_999)" \
        run "$(minting "${inbox}")" until "${FLOWS} === 4" \
        run "$(minting "${inbox}")" until "${FLOWS} === 5 && reports === 1" \
        print "(clock += 1)" \
        until "reports === 2 && document.querySelector('#report tbody tr td').textContent === '5'"
}

@test "a report says that it counts only the newest flows" {
    local inbox="${INBOX}-newest"
    mint "${inbox}"
    browse "/flows.html?inbox=${inbox}" \
        until "${FLOWS} === 1 && document.querySelector('#report-note').hidden" \
        print "(window.real = fetch, window.fetch = async (url, ...rest) => {
            const answer = await real(url, ...rest);
            if (!url.includes('/flows/report')) return answer;
            return new Response(JSON.stringify({ ...await answer.json(), flows: 5000, exact: false }), answer);
        }, true)" \
        print "(() => { const select = document.querySelector('select[name=since]'); select.value = '7d';
            select.dispatchEvent(new Event('change', { bubbles: true })); })()" \
        until "$(shows '#report-note' 'Only the newest 5,000 flows.')"
}

@test "a new launch is refused with the reason, or ends in its flow with link and QR code" {
    local inbox="${INBOX}-new" qr="document.querySelector('#detail .qr-code')"
    browse --allow=400 "/flows.html?inbox=${inbox}" \
        until "$(shows '#empty' 'Nothing') || $(shows '#empty' 'No flow')" \
        click "#views a[href=\"#new\"]" \
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

@test "what somebody types or selects in the panel stays while flows arrive" {
    local inbox="${INBOX}-typing" url mint
    url="${LANDFALL_URL}/api/v1/launches"
    mint="curl --silent --output /dev/null '${url}' \
        --data '{\"vendor\": \"dimmy\", \"inbox\": \"${inbox}\", \"parameters\": {\"flowName\": \"Parcel\"}}'"
    browse "/flows.html?inbox=${inbox}#new" \
        until "$(shows '#refresh' Live) && document.querySelector('.launch-form [name=flowName]')" \
        print "$(fill kind 2)" until "(document.querySelector('[name=source]').focus(), true)" \
        type "Par" \
        run "${mint}" until "${FLOWS} === 1" \
        print "new Promise((resolve) => setTimeout(resolve, 500, true))" \
        type "cel" \
        until "document.activeElement.name === 'source' && document.activeElement.value === 'Parcel'"
    send "/callbacks/welltory/${inbox}?stress=0.5&energy=0.5&mood_of_day=1"
    browse "/flows.html?inbox=${inbox}#drift" \
        until "${FLOWS} === 1 && $(shows '#detail .finding-groups' mood_of_day)" \
        print "getSelection().selectAllChildren(document.querySelector('#detail .finding-groups'))" \
        run "${mint}" until "${FLOWS} === 2" \
        print "new Promise((resolve) => setTimeout(resolve, 500, true))" \
        until "getSelection().toString().includes('mood_of_day')"
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
            print "(document.body.style.minHeight = '2000px')" \
            until "(([tab, dot]) => dot.left - tab.right >= 4)(['.views a:last-child', '.refresh-dot']
                .map((part) => document.querySelector(part).getBoundingClientRect()))" \
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

@test "flows with long answers don't stick out from 320 to 390 pixels" {
    local inbox="${INBOX}-long-answers" flow
    flow="$(mint "${inbox}")"
    for _ in 1 2 3; do send "/callbacks/dimmy/${inbox}/${flow}?data=nonsense"; done
    for _ in 1 2; do send "/callbacks/dimmy/${inbox}/${flow}?status=in_progress"; done
    send "/callbacks/dimmy/${inbox}/019a0000-0000-7000-8000-00000000abcd?status=cancelled"
    browse --width=320 "/flows.html?inbox=${inbox}&since=all" \
        until "${FLOWS} === 2 && $(shows '#flows tbody' orphan)" until "${NOTHING_STICKS_OUT}" \
        size 360x740 until "${NOTHING_STICKS_OUT}" size 390x740 until "${NOTHING_STICKS_OUT}"
}

@test "a flow whose launch isn't known began when its link was made, not when it came back" {
    local inbox="${INBOX}-began"
    send "/callbacks/dimmy/${inbox}/019a0000-0000-7000-8000-00000000beef?status=cancelled"
    browse "/flows.html?inbox=${inbox}" \
        until "$(shows '#flows tbody' orphan)" \
        until "document.querySelector('#flows tbody time').dateTime === '2025-10-20T05:03:11.360Z'"
}

@test "lost and duplicate flows stand above the others, and bars show how long flows took" {
    local inbox="${INBOX}-first" late twice
    late="$(mint "${inbox}")"
    twice="$(mint "${inbox}")"
    for _ in 1 2; do send "/callbacks/dimmy/${inbox}/${twice}?status=cancelled"; done
    for _ in 1 2 3; do send "/callbacks/dimmy/${inbox}/$(mint "${inbox}")?status=cancelled"; done
    browse "/flows.html?inbox=${inbox}" \
        until "${FLOWS} === 5" \
        until "[...document.querySelectorAll('#first-flows tbody tr')].map((row) => row.dataset.id).join() === '${twice}'" \
        until "document.querySelector('#first').compareDocumentPosition(document.querySelector('#flows'))
            === Node.DOCUMENT_POSITION_FOLLOWING" \
        until "[...document.querySelectorAll('.histogram dd span')].reduce((sum, node) => sum + Number(node.textContent), 0) === 3" \
        axe flows-first \
        click "#first-flows a" \
        until "location.hash === '#${twice}' && $(shows '#detail .lead' duplicate)" \
        go "${LANDFALL_URL}/flows.html?inbox=${inbox}&state=launched" \
        until "${FLOWS} === 1 && document.querySelector('#first').hidden \
            && document.querySelector('#flows tbody tr').dataset.id === '${late}'"
}

@test "where more flows are lost or duplicate than are shown above the others, the page says so" {
    local inbox="${INBOX}-many" flow note="document.querySelector('#first-note:not([hidden])')"
    twice() {
        flow="$(mint "${inbox}")"
        for _ in 1 2; do send "/callbacks/dimmy/${inbox}/${flow}?status=cancelled"; done
    }
    for _ in {1..5}; do twice; done
    browse "/flows.html?inbox=${inbox}" \
        until "document.querySelectorAll('#first-flows tbody tr').length === 5 && !${note}"
    twice
    browse "/flows.html?inbox=${inbox}" \
        until "document.querySelectorAll('#first-flows tbody tr').length === 5" \
        until "$(shows '#first-note' 'The latest 5 duplicate flows are shown; the numbers above link to all of them.')" \
        until "document.querySelector('#first-flows tbody tr').dataset.id === '${flow}'"
}

@test "an open flow that is lost by time alone says so, also where the list is paused" {
    local url="${LANDFALL_URL}"
    start_configured "${BATS_TEST_TMPDIR}/server" <<<'flows: {lost_after_seconds: 20}'
    for _ in {1..51}; do mint "${INBOX}-late"; done >/dev/null
    browse "/flows.html?inbox=${INBOX}-none" \
        until "$(shows '#refresh' Live)" \
        print "$(mint_in_page "${INBOX}-late").then(() => { location.search = '?inbox=${INBOX}-late'; })" \
        until "${FLOWS} === 50" click "#more" until "${FLOWS} === 52 && $(shows '#refresh' Paused)" \
        until "(document.querySelector('#flows tbody a').click(), true)" \
        until "$(shows '#detail .lead' launched)" \
        until "$(shows '#detail .lead' lost) && $(shows '#refresh' Paused)" \
        go "${LANDFALL_URL}/flows.html?inbox=${INBOX}-late" \
        until "$(shows '#refresh' Live)" \
        print "$(mint_in_page "${INBOX}-late").then((flow) => { location.hash = flow; })" \
        until "$(shows '#detail .lead' launched)" \
        until "$(shows '#flows tr[aria-current] .col-state' lost) && $(shows '#detail .lead' lost)"
    stop_landfall
    export LANDFALL_URL="${url}"
}

@test "a flow that the list doesn't have is lost by time alone in the panel and in the report, too" {
    local url="${LANDFALL_URL}"
    start_configured "${BATS_TEST_TMPDIR}/server" <<<'flows: {lost_after_seconds: 30}'
    browse "/flows.html?inbox=${INBOX}-other" \
        until "$(shows '#refresh' Live)" \
        print "$(mint_in_page "${INBOX}-one").then((flow) => { location.hash = flow; })" \
        until "$(shows '#detail .lead' launched)" \
        until "$(shows '#detail .lead' lost)"
    browse "/flows.html?inbox=${INBOX}-two&state=returned" \
        until "$(shows '#refresh' Live)" run "$(minting "${INBOX}-two")" \
        until "document.querySelector('#report tbody tr') && !document.querySelector('#report a')" \
        until "$(shows '#report a[data-state=lost]' 1)"
    stop_landfall
    export LANDFALL_URL="${url}"
}

@test "the list of flows follows those that are opened one after the other, and closing finds the last in view" {
    local inbox="${INBOX}-follows" keys=() twice
    for _ in {1..40}; do keys+=(key j); done
    for _ in {1..4}; do mint "${inbox}"; done >/dev/null
    # It is above the list, too.
    twice="$(mint "${inbox}")"
    for _ in 1 2; do send "/callbacks/dimmy/${inbox}/${twice}?status=cancelled"; done
    for _ in {1..40}; do mint "${inbox}"; done >/dev/null
    # A page scrolls by whole pixels, and rows have parts of them.
    local inView="(({ top, bottom }) => top > -1 && bottom < innerHeight + 1)(document.querySelector('%s').getBoundingClientRect())"
    # shellcheck disable=SC2059
    browse "/flows.html?inbox=${inbox}" \
        until "${FLOWS} === 45" \
        click "#flows tbody a" until "document.querySelector('#detail .timeline')" \
        "${keys[@]}" \
        until "[...document.querySelectorAll('#flows tbody tr')].findIndex((row) => row.ariaCurrent) === 40" \
        until "location.hash === '#${twice}'" \
        until "$(printf "${inView}" '#flows [aria-current]')" \
        key Escape until "document.querySelector('#detail').hidden" \
        print "new Promise((resolve) => setTimeout(resolve, 300, true))" \
        until "$(printf "${inView}" '#flows a:focus')"
}

@test "the bars are of the report's period, which is by the server's clock" {
    local inbox="${INBOX}-period" since
    local sum="[...document.querySelectorAll('.histogram dd span')].reduce((sum, node) => sum + Number(node.textContent), 0)"
    for _ in 1 2 3; do send "/callbacks/dimmy/${inbox}/$(mint "${inbox}")?status=cancelled"; done
    sleep 0.1
    since="$(date --utc +%Y-%m-%dT%H:%M:%S.%3NZ)"
    for _ in 1 2; do send "/callbacks/dimmy/${inbox}/$(mint "${inbox}")?status=cancelled"; done
    browse --clock=259200 "/flows.html?inbox=${inbox}" \
        until "${sum} === 5 && $(shows '#report tbody' Flux)" \
        go "${LANDFALL_URL}/flows.html?inbox=${inbox}&since=${since}" \
        until "${sum} === 2 && ${FLOWS} === 5"
}

# --- What only some look at -------------------------------------------------------------------------

@test "forwarding is shown by target: what waits or was given up, and the last attempts; and is tried again" {
    local url="${LANDFALL_URL}" id attempts="[...document.querySelectorAll('#detail section')].at(-1)"
    browse "/flows.html#forwarding" until "$(shows '#detail' 'No callback is forwarded')"
    start_configured "${BATS_TEST_TMPDIR}/server" <<'END'
forward:
  - name: partner
    targets: [{url: "http://127.0.0.1:1/back?key=k", retry_milliseconds: 10, give_up_seconds: 1}]
END
    browse "/flows.html" \
        until "$(shows '#refresh' Live)" \
        click '#views a[href="#forwarding"]' \
        until "location.hash === '#forwarding' && $(shows '#detail h3' 'partner → http://127.0.0.1:1/back')" \
        until "$(shows '#detail .badge' 'nothing waits') && document.activeElement.id === 'detail-title'" \
        run "curl --silent --output /dev/null '${LANDFALL_URL}/callbacks/welltory?stress=0.5&energy=0.5'" \
        until "$(shows '#detail .badge' failing) && $(shows '#detail' 'in a row')" \
        until "document.querySelector('#detail section button') && $(shows '#detail h4' 'Given up')" \
        until "${attempts}.innerText.includes('failed and given up') && ${attempts}.innerText.includes('reached')" \
        axe forwarding until "${NOTHING_STICKS_OUT}" \
        print "window.former = ${attempts}.querySelectorAll('li').length" \
        click "#detail section button" \
        until "${attempts}.querySelectorAll('li').length > former" \
        key Escape until "document.activeElement.matches('#views a[href=\"#forwarding\"]')" \
        print "(addEventListener('click', (event) => {
                window.opensTab = !event.defaultPrevented;
                event.preventDefault();
            }), document.querySelector('#views a').dispatchEvent(new MouseEvent('click',
                { bubbles: true, cancelable: true, ctrlKey: true })))" \
        until "opensTab && document.querySelector('#detail').hidden"
    stop_landfall
    export LANDFALL_URL="${url}"
}

@test "what waits is listed of each target, whatever waits for the others" {
    local url="${LANDFALL_URL}" section="[...document.querySelectorAll('#detail section')]"
    start_configured "${BATS_TEST_TMPDIR}/server" <<'END'
forward:
  - name: partner
    targets: [{url: "http://127.0.0.1:1/a", retry_milliseconds: 60000}, {url: "http://127.0.0.1:1/b", retry_milliseconds: 60000}]
END
    # A few failures don't pause a target, and what waits can be sent at once.
    send "/callbacks/welltory/${INBOX}-backlog?stress=0.5&energy=0.5"
    browse "/flows.html#forwarding" \
        until "$(shows '#detail section' '1 attempt, no response')" \
        click "#detail section button" \
        until "$(shows '#detail section' '2 attempts, no response')"
    send_many "${INBOX}-backlog" 120
    browse "/flows.html#forwarding" \
        until "${section}.length === 3 && ${section}.slice(0, 2).every((node) => node.querySelectorAll('li').length === 10)" \
        until "${section}[1].innerText.includes('1/b') && ${section}[1].innerText.includes('and 111 more')"
    # What has not been read into the queue yet is counted, and in no list.
    browse "/flows.html" \
        until "$(shows '#refresh' Live)" \
        print "(window.real = fetch, window.fetch = async (url, ...rest) => {
            const answer = await real(url, ...rest);
            if (!url.includes('rule=')) return answer;
            return new Response(JSON.stringify({ ...await answer.json(), deliveries: [] }), answer);
        }, true)" \
        click '#views a[href="#forwarding"]' \
        until "${section}[1]?.innerText.includes('121 not listed')"
    stop_landfall
    export LANDFALL_URL="${url}"
}

@test "drift says by contract what came and isn't in it, with the first and the last result of each" {
    local url="${LANDFALL_URL}" first last item="#detail .finding-groups li[data-severity=info]"
    start_landfall "${BATS_TEST_TMPDIR}/server"
    first="$(send "/callbacks/welltory/${INBOX}-drift?stress=0.5&energy=0.5&mood_of_day=1")"
    last="$(send "/callbacks/welltory/${INBOX}-drift?stress=0,5&energy=0.5&mood_of_day=2")"
    browse "/flows.html" \
        until "$(shows '#refresh' Live)" \
        click '#views a[href="#drift"]' \
        until "location.hash === '#drift' && $(shows '#detail h3' 'Welltory welltory-dds')" \
        print "(document.querySelector('#detail [name=vendor]').value = 'welltory', true)" \
        click "#detail form button" \
        until "$(shows "${item}" 'mood_of_day') && $(shows "${item}" 'in 2 of 2 results')" \
        until "document.querySelector('${item} a').search === '?result=${first}'" \
        until "document.querySelectorAll('${item} a')[1].search === '?result=${last}'" \
        until "$(shows '#detail .finding-groups' 'of another type') && $(shows '#detail' 'Expected number. Found string (1).')" \
        until "document.querySelector('#announcer').textContent.endsWith(' differences')" \
        size 320x700 until "${NOTHING_STICKS_OUT}" size 1280x800 \
        print "(document.querySelector('#detail [name=vendor]').value = 'rezolve', true)" \
        click "#detail form button" \
        until "$(shows '#detail' 'No result of this time can be compared')" \
        print "$(hold_back /drift)" \
        click "#detail form button" \
        until "$(shows '#detail' 'Comparing…')" \
        print "(document.querySelector('#detail [name=vendor]').value = 'welltory', true)" \
        click "#detail form button" \
        until "$(shows "${item}" 'mood_of_day')" \
        until "release()" \
        until "$(shows "${item}" 'mood_of_day')"
    stop_landfall
    export LANDFALL_URL="${url}"
}
