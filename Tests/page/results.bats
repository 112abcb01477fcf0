#!/usr/bin/env bats
# The page of results in a real browser: search, rows, what arrives while it is open.
# Invariant: every test also fails on a console error, a violation of the content security policy or a
# request to another origin, as browser.py looks for those in each run.
# Left out: the list over time (upkeep.bats), lists without a result (first-run.bats), one result (result.bats), and how
# the page looks, beyond "nothing sticks out".

load setup

@test "a callback that curl sent is a row that says when, whose, what and how it was decoded" {
    id="$(send "/callbacks/welltory/${INBOX}?stress=0.32&energy=0.75")"
    browse "/?q=inbox:${INBOX}" \
        until "$(shows "$(row "${id}" .row-vendor)" Welltory)" \
        until "$(shows "$(row "${id}" .row-vendor)" "${INBOX}")" \
        until "$(shows "$(row "${id}" .row-state)" completed)" \
        until "$(shows "$(row "${id}" .row-state)" decoded)" \
        until "$(shows "$(row "${id}" .row-what)" 0.32)" \
        until "$(shows '#total' '1 result') && $(shows '.day h2' Today)" \
        until "/ago|now/.test(document.querySelector('$(row "${id}" time)').innerText)" \
        until "/\\.[0-9]{3} UTC/.test(document.querySelector('$(row "${id}" time)').title)"
}

@test "a row with diagnostics shows the first of them, with a sign" {
    id="$(send "/callbacks/welltory/${INBOX}-finding?stress=0,32")"
    browse "/?q=inbox:${INBOX}-finding" \
        until "$(shows "$(row "${id}" .finding)" '✗') && $(shows "$(row "${id}" .finding)" '0,32')" \
        until "$(shows "$(row "${id}" .row-state)" undecodable)"
}

@test "a row whose outcome is an error says so in its colour, on small screens too" {
    local bad good
    bad="$(send "/callbacks/x-callback-url/${INBOX}-outcome?errorCode=5&errorMessage=$(printf 'long%.0s' {1..50})")"
    good="$(send "/callbacks/x-callback-url/${INBOX}-outcome?result=1")"
    local outcome="getComputedStyle(document.querySelector('$(row "${bad}" '.row-state .under')'))"
    browse "/?q=inbox:${INBOX}-outcome" \
        until "${ROWS} === 2 && $(shows "$(row "${bad}" .row-state)" error)" \
        until "${outcome}.color !== getComputedStyle(document.querySelector('$(row "${good}" '.row-state .under')')).color" \
        size 360x740 until "${outcome}.display !== 'none' && ${NOTHING_STICKS_OUT}" \
        until "(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)(document.querySelector('$(row "${bad}")'))"
}

@test "identical diagnostics of many results are one line, which grows with what arrives" {
    local place="/callbacks/welltory/${INBOX}-alike" first last
    first="$(send "${place}?stress=0,32&energy=0.75")"
    send "${place}?stress=0,32&energy=0.5"
    last="$(send "${place}?stress=0,32&energy=0.5")"
    local item="#groups li[data-severity=warning]"
    browse "/?q=inbox:${INBOX}-alike" \
        until "${ROWS} === 3 && (document.querySelector('#show-groups').click(), true)" \
        until "$(shows "${item}" '0,32') && $(shows "${item}" '3 times since')" \
        until "$(shows "${item}" 'By the contract welltory-dds, expected')" \
        until "document.querySelectorAll('${item}').length === 1" \
        until "$(shows '#groups' 'The diagnostics of 3 results')" \
        run "curl --silent --output /dev/null '${LANDFALL_URL}${place}?stress=0,32&energy=0.75'" \
        until "$(shows "${item}" '4 times since')" \
        until "(document.querySelector('${item} a[href*=\"${first}\"]').click(), true)" \
        until "location.search === '?q=inbox%3A${INBOX}-alike&result=${first}'" \
        until "$(shows '#detail .finding .how-often' 'results of this vendor have it')" \
        until "$(shows '#detail .finding' '0,32')"
}

# reads_report REPORT: JavaScript that lets the page read this value, made of `report`, as the report of diagnostics.
reads_report() {
    echo "(window.former = fetch, window.fetch = async (url, options) => {
        const answer = await former(url, options);
        if (!String(url).includes('/diagnostics')) return answer;
        const report = await answer.json();
        return new Response(JSON.stringify($1), answer);
    }, true)"
}

@test "a diagnostic of a result older than those that are read is said to be in the other one that has it" {
    local place="/callbacks/welltory/${INBOX}-old" old new
    old="$(send "${place}?stress=0,77&energy=0.75")"
    new="$(send "${place}?stress=0,77&energy=0.75")"
    browse "/?q=inbox:${INBOX}-old" \
        until "${ROWS} === 2" \
        print "$(reads_report '{ results: 5000, exact: false,
            diagnostics: report.diagnostics.map((group) => ({ ...group, results: 1, first: group.last })) }')" \
        click "$(row "${old}")" \
        until "$(shows '#detail .finding .how-often' 'One other result of this vendor has it among the newest 5,000: it came at')" \
        until "document.querySelector('#detail .how-often a').search === '?result=${new}'" \
        click "$(row "${new}")" \
        until "$(shows '#detail .finding .how-often' 'No other result of this vendor has it among the newest 5,000.')"
}

@test "results of all contracts that have the same diagnostic are counted together" {
    local place="/callbacks/welltory/${INBOX}-contracts" first last
    first="$(send "${place}?stress=0,88&energy=0.75")"
    last="$(send "${place}?stress=0,88&energy=0.75")"
    browse "/?q=inbox:${INBOX}-contracts" \
        until "${ROWS} === 2" \
        print "$(reads_report "{ ...report, diagnostics: report.diagnostics.flatMap((group) => [
            { ...group, results: 3, first: group.last },
            { ...group, contract: 'other', results: 4, last: group.first }]) }")" \
        click "$(row "${first}")" \
        until "$(shows '#detail .finding .how-often' '7 results of this vendor have it: the first came at')" \
        until "[...document.querySelectorAll('#detail .finding[open] .how-often a')].map((link) => link.search).join()
            === '?result=${first},?result=${last}'"
}

@test "diagnostics of the former search go when another is sent, and can be closed where it finds nothing" {
    send "/callbacks/welltory/${INBOX}-former?stress=0,32&energy=0.75"
    browse "/?q=inbox:${INBOX}-former" \
        until "${ROWS} === 1" \
        click "#show-groups" until "$(shows '#groups' '0,32')" \
        print "$(hold_back /diagnostics)" \
        key / type "inbox:${INBOX}-nobody" key Escape key Enter \
        until "window.release && ${ROWS} === 0 && !$(shows '#groups' '0,32')" \
        print "release()" until "$(shows '#groups' 'No diagnostics in 0 results.')" \
        click "#show-groups" until "document.querySelector('#groups').hidden"
}

@test "diagnostics that somebody goes through by keyboard stay while results arrive, and are read again later" {
    local place="/callbacks/welltory/${INBOX}-reads"
    send "${place}?stress=0,32&energy=0.75"
    browse "/?q=inbox:${INBOX}-reads" \
        until "${ROWS} === 1 && $(shows '#refresh' Live)" \
        print "(window.asked = 0, window.former = fetch, window.fetch = async (url, options) => {
                const answer = await former(url, options);
                asked += String(url).includes('/diagnostics');
                return answer;
            }, window.wait = setTimeout, window.setTimeout = (act, time) => wait(act, time / 10),
            document.querySelector('#show-groups').click(), true)" \
        until "(document.querySelector('#groups a').focus(), window.link = document.activeElement, link.matches('a'))" \
        run "curl --silent --output /dev/null '${LANDFALL_URL}${place}?stress=0,32&energy=0.75'" \
        print "(window.asked = 0)" until "asked > 2 && document.activeElement === link && link.isConnected" \
        print "link.blur()" until "$(shows '#groups' '2 times since')"
}

@test "diagnostics are not counted for a tab that nobody looks at" {
    send "/callbacks/welltory/${INBOX}-unseen?stress=0,32&energy=0.75"
    browse "/?q=inbox:${INBOX}-unseen" \
        until "${ROWS} === 1 && (document.querySelector('#show-groups').click(), true)" \
        until "document.querySelector('#groups li')" \
        print "(window.isHidden = true, Object.defineProperty(document, 'hidden', { get: () => isHidden }),
            window.asked = 0, window.former = fetch, window.fetch = (url, options) => {
                asked += String(url).includes('/diagnostics');
                return former(url, options);
            }, new Promise((resolve) => setTimeout(resolve, 7_000, true)))" \
        until "asked === 0" \
        print "(window.isHidden = false, document.dispatchEvent(new Event('visibilitychange')))" \
        until "asked > 0"
}

@test "a callback that arrives while the page is open appears by itself and takes no focus" {
    send "/callbacks/welltory/${INBOX}-live?stress=0.11&energy=0.75"
    live="${LANDFALL_URL}/callbacks/welltory/${INBOX}-live"
    browse "/?q=inbox:${INBOX}-live" \
        until "${ROWS} === 1 && $(shows '#refresh' Live)" \
        until "(document.querySelector('#rows a').focus(), window.row = document.activeElement)" \
        run "curl --silent --output /dev/null '${live}?stress=0.99&energy=0.75'" \
        until "${ROWS} === 2 && document.title.startsWith('(1)')" \
        until "document.querySelectorAll('#rows .row')[0].innerText.includes('0.99')" \
        until "document.activeElement === window.row && window.row.isConnected" \
        until "document.querySelector('#announcer').textContent === '1 new result'" \
        until "$(shows '#total' '2 results')"
}

@test "while results keep coming, their number is said now and then, with those that somebody has seen" {
    local live="curl --silent --output /dev/null '${LANDFALL_URL}/callbacks/welltory/${INBOX}-said?stress=0.5&energy=0.75'"
    browse "/?q=inbox:${INBOX}-said" \
        until "$(shows '#refresh' Live)" \
        print "(window.wait = setTimeout, performance.now = () => 0,
            window.setTimeout = (act, time) => (time === 10_000 ? (window.say = act, 1) : wait(act, time)), true)" \
        run "${live}" until "document.querySelector('#announcer').textContent === '1 new result'" \
        run "${live}; ${live}" until "${ROWS} === 3" \
        print "dispatchEvent(new Event('pointermove'))" until "!document.title.startsWith('(')" \
        run "${live}; ${live}; ${live}" until "document.title.startsWith('(3)')" \
        until "document.querySelector('#announcer').textContent === '1 new result'" \
        print "say()" until "document.querySelector('#announcer').textContent === '5 new results'"
}

@test "while a result is open or the list is scrolled, arrivals wait behind a pill" {
    id="$(send "/callbacks/welltory/${INBOX}-pill?stress=0.11&energy=0.75")"
    live="${LANDFALL_URL}/callbacks/welltory/${INBOX}-pill"
    browse "/?q=inbox:${INBOX}-pill&result=${id}" \
        until "$(shows '#detail .tree' 0.11)" \
        run "for number in 1 2 3; do curl --silent --output /dev/null '${live}?stress=0.9&energy=0.75'; done" \
        until "$(shows '#pill' '3 new') && ${ROWS} === 1" \
        until "$(shows '#total' '4 results')" \
        key k until "$(shows '#detail .tree' 0.9)" key j until "$(shows '#detail .tree' 0.11)" \
        click "#pill" \
        until "${ROWS} === 4 && document.querySelector('#pill').hidden" \
        until "$(shows '#detail .tree' 0.11)"
}

@test "an empty list takes what arrives at once, also while a result is open" {
    local opened place="/callbacks/welltory/${INBOX}-bare"
    opened="$(send "/callbacks/welltory/${INBOX}-beside?stress=0.11")"
    browse "/?q=inbox:${INBOX}-bare&result=${opened}" \
        until "$(shows '#detail .request-line' stress) && $(shows '#empty' curl)" \
        run "curl --silent --output /dev/null '${LANDFALL_URL}${place}?stress=0.22'" \
        until "${ROWS} === 1 && document.querySelector('#pill').hidden && document.querySelector('#empty').hidden" \
        run "curl --silent --output /dev/null '${LANDFALL_URL}${place}?stress=0.33'" \
        until "$(shows '#pill' '1 new')" \
        print "fetch('/api/v1/results/' + document.querySelector('#rows li.row').dataset.id, { method: 'DELETE' })
            .then(({ status }) => (document.dispatchEvent(new Event('visibilitychange')), status))" \
        until "$(shows '#rows' 0.33) && ${ROWS} === 1 && document.querySelector('#pill').hidden"
}

@test "a query in the address fills the box and the chips, and narrows the list" {
    send "/callbacks/welltory/${INBOX}-narrow?stress=0.32&energy=0.75"
    send "/callbacks/welltory/${INBOX}-narrow?stress=0,32"
    send "/callbacks/raw/${INBOX}-narrow?any=thing"
    browse "/?q=inbox:${INBOX}-narrow" \
        until "${ROWS} === 3 && document.querySelector('[name=inbox]').value === '${INBOX}-narrow'" \
        until "$(shows '#rows' 'not decoded') && document.querySelector('[name=verdict] [value=unmatched]').text === 'not decoded'" \
        go "${LANDFALL_URL}/?q=vendor:welltory+inbox:${INBOX}-narrow+verdict:undecodable" \
        until "${ROWS} === 1 && $(shows '#rows' undecodable)" \
        until "document.querySelector('[name=vendor]').value === 'welltory'" \
        until "document.querySelector('[name=q]').value === 'vendor:welltory inbox:${INBOX}-narrow verdict:undecodable'" \
        go "${LANDFALL_URL}/?vendor=raw&inbox=${INBOX}-narrow" \
        until "${ROWS} === 1 && document.querySelector('[name=q]').value === 'vendor:raw inbox:${INBOX}-narrow'"
}

@test "choosing a chip changes the query and the address, and back undoes it" {
    send "/callbacks/welltory/${INBOX}-choose?stress=0.32&energy=0.75"
    send "/callbacks/raw/${INBOX}-choose?any=thing"
    browse "/?q=inbox:${INBOX}-choose" \
        until "${ROWS} === 2" \
        print "$(choose vendor raw)" \
        until "${ROWS} === 1 && new URLSearchParams(location.search).get('q') === 'inbox:${INBOX}-choose vendor:raw'" \
        print "$(choose received_at -15m)" \
        until "${ROWS} === 1 && document.querySelector('[name=q]').value.endsWith('received_at:-15m')" \
        print "history.back()" \
        until "!location.search.includes('received_at')" \
        print "history.back()" \
        until "${ROWS} === 2 && document.querySelector('[name=vendor]').value === ''" \
        print "$(choose kind launch)" \
        until "!document.querySelector('#empty').hidden && ${ROWS} === 0" \
        click "#clear" \
        until "location.search === '' && document.activeElement.name === 'q'"
}

@test "what a search finds can be exported, callbacks alone unless it names kinds" {
    local inbox="${INBOX}-exported" name
    send "/callbacks/welltory/${inbox}?stress=0.32&energy=0.75"
    send "/callbacks/raw/${inbox}?any=thing"
    curl --silent --output /dev/null "${LANDFALL_URL}/api/v1/launches" \
        --data "{\"vendor\":\"dimmy\",\"inbox\":\"${inbox}\",\"parameters\":{\"flowName\":\"Parcel\"}}"
    # exported FORMAT: what the link to this format leads to.
    exported() {
        curl --silent --fail --max-time 60 "$(grep "format=$1\$" "${BATS_TEST_TMPDIR}/links")"
    }
    local links="[...document.querySelectorAll('#exports a')].map((node) => node.href).join('\n')"
    browse "/?q=inbox:${inbox}" until "${ROWS} === 2" print "${links}" >"${BATS_TEST_TMPDIR}/links"
    [[ "$(exported ndjson | jq --raw-output .vendor | sort | tr '\n' ' ')" == "raw welltory " ]]
    [[ "$(exported har | jq '.log.entries | length')" == 2 && "$(exported csv | wc -l)" == 3 ]]
    browse "/?q=inbox:${inbox}" until "${ROWS} === 2" print "$(choose kind any)" \
        until "${ROWS} === 3" print "${links}" >"${BATS_TEST_TMPDIR}/links"
    [[ "$(exported ndjson | wc -l)" == 3 ]]
    browse "/?q=inbox:${inbox}+has:(kind+OR+flow)" until "${ROWS} === 3" until "$(shows '#total' '3 records')" \
        print "${links}" >"${BATS_TEST_TMPDIR}/links"
    [[ "$(exported ndjson | wc -l)" == 3 ]]
    # Words with "kind:" in them that name no kind, and as many terms as a query may have.
    local query
    query="$(jq --null-input --raw-output --arg inbox "${inbox}" \
        '"inbox:\($inbox) NOT parameter.kind:a NOT \"kind:b\"\([range(60)] | map(" NOT none\(.)") | add)" | @uri')"
    browse "/?q=${query}" until "${ROWS} === 2" until "$(shows '#total' '2 results')" \
        print "${links}" >"${BATS_TEST_TMPDIR}/links"
    [[ "$(exported ndjson | wc -l)" == 2 ]]
    browse "/?q=inbox:${inbox}-none" until "!document.querySelector('#empty').hidden" \
        until "!document.querySelector('#exports').checkVisibility()"
}

@test "an inbox with two dots in its name is chosen, linked and waited for" {
    local inbox="${INBOX}-a..b" id
    id="$(send "/callbacks/welltory/${inbox}?stress=0.5&energy=0.5")"
    browse "/" \
        until "${ROWS} > 0" print "$(choose inbox "${inbox}")" \
        until "${ROWS} === 1 && document.querySelector('#search input').value === 'inbox:\"${inbox}\"'" \
        until "document.querySelector('#chips [name=inbox]').value === '${inbox}'" \
        go "${LANDFALL_URL}/?inbox=${inbox}" until "${ROWS} === 1 && document.querySelector('#query-fault').hidden" \
        go "${LANDFALL_URL}/?result=${id}" \
        until "document.querySelector('#detail .result-actions')" \
        until "$(button 'Wait for one like this…')" until "$(shows dialog "inbox:\"${inbox}\"")" \
        go "${LANDFALL_URL}/?inbox=${INBOX}..none" \
        until "$(shows '#empty' "Nothing has landed in ${INBOX}..none yet")"
}

@test "a chip stands only for a term that everything found has to match, and leaves others as they are" {
    send "/callbacks/welltory/${INBOX}-terms?stress=0.32&energy=0.75"
    local place="inbox:${INBOX}-terms" sees="=== 'see search'"
    browse "/?q=${place}+NOT+outcome:error" \
        until "${ROWS} === 1 && document.querySelector('[name=outcome]').value ${sees}" \
        until "document.querySelector('[name=outcome]').disabled && document.querySelector('[name=vendor]').value === ''" \
        print "$(choose vendor welltory)" \
        until "document.querySelector('[name=q]').value === '${place} NOT outcome:error vendor:welltory'" \
        go "${LANDFALL_URL}/?q=${place}+has:result.stress+vendor:welltory" \
        until "${ROWS} === 1" print "$(choose kind any)" \
        until "document.querySelector('[name=q]').value === '${place} has:result.stress vendor:welltory has:kind'" \
        print "$(choose kind '')" \
        until "document.querySelector('[name=q]').value === '${place} has:result.stress vendor:welltory'" \
        go "${LANDFALL_URL}/?q=${place}+OR+vendor:raw" \
        until "${ROWS} > 0 && document.querySelector('[name=vendor]').value ${sees}" \
        until "document.querySelector('[name=inbox]').placeholder ${sees} && document.querySelector('[name=inbox]').disabled" \
        go "${LANDFALL_URL}/?q=vendor:welltory+AND+${place}" \
        until "${ROWS} === 1" print "$(choose vendor '')" \
        until "document.querySelector('[name=q]').value === '${place}'"
}

@test "a chip adds to what is typed and not sent yet, also where that has a fault" {
    send "/callbacks/raw/${INBOX}-unsent?any=thing"
    send "/callbacks/welltory/${INBOX}-unsent?stress=0.32&energy=0.75"
    browse --allow=400 "/" \
        until "${ROWS} > 0" \
        key / type "inbox:${INBOX}-unsent" \
        print "$(choose vendor raw)" \
        until "${ROWS} === 1 && document.querySelector('[name=q]').value === 'inbox:${INBOX}-unsent vendor:raw'" \
        print "(document.querySelector('[name=q]').select(), true)" type 'foo:bar' print "$(choose vendor welltory)" \
        until "$(shows '#query-fault' foo) && document.querySelector('[name=q]').value === 'foo:bar vendor:welltory'"
}

@test "a time that was chosen is shown for people, and stays exact in the query" {
    send "/callbacks/welltory/${INBOX}-since?stress=0.32&energy=0.75"
    browse "/?q=inbox:${INBOX}-since" \
        until "${ROWS} === 1" \
        print "$(choose received_at since)" until "document.activeElement.name === 'since'" \
        print "$(choose since 0002-02-03T04:05:06)" \
        print "$(choose since 2024-02-03T04:05:06)" \
        until "document.querySelector('[name=q]').value === 'inbox:${INBOX}-since'" \
        key Enter until "document.querySelector('[name=q]').value.includes('received_at:>=2024-02-03T')" \
        until "document.activeElement.name === 'since' && document.activeElement.checkVisibility()" \
        print "$(choose since 2024-02-03T04:05:07)" \
        click "[name=q]" until "document.querySelector('[name=q]').value.includes(':07.000Z')" \
        until "!document.querySelector('[name=since]').checkVisibility()" \
        print "$(choose received_at since)" click "[name=q]" \
        until "!document.querySelector('[name=since]').checkVisibility()" \
        until "/^since Feb 3, 2024, 04:05:07$/.test(document.querySelector('[name=received_at]').selectedOptions[0].text)" \
        until "${ROWS} === 1"
}

@test "typing a query and Enter searches, and a fault is shown with its place and what was expected" {
    send "/callbacks/welltory/${INBOX}-type?stress=0.32&energy=0.75"
    browse --allow=400 "/" \
        until "${ROWS} > 0" \
        key / until "document.activeElement.name === 'q'" \
        type "inbox:${INBOX}-type  foo:bar" key Escape key Enter \
        until "$(shows '#query-fault' 'name of a field')" \
        until "document.activeElement.ariaInvalid === 'true'" \
        until "document.querySelector('.fault-text').textContent === 'inbox:${INBOX}-type  foo:bar'" \
        until "document.querySelector('.fault-text mark').textContent === 'f'" \
        until "getComputedStyle(document.querySelector('.fault-text mark'), '::after').content.includes('▲')" \
        until "document.querySelector('#query-fault p:last-child').textContent.match(/at character \\d+/gi).join()
            === 'at character ' + (document.querySelector('.fault-text').textContent.indexOf('foo') + 1)" \
        until "document.querySelector('#empty').hidden && ${ROWS} === 0" \
        until "document.querySelector('#total').textContent === ''" \
        print "document.activeElement.select()" \
        type "inbox:${INBOX}-type" key Escape key Enter \
        until "${ROWS} === 1 && document.querySelector('#query-fault').hidden" \
        until "document.activeElement.ariaInvalid === null" \
        print "document.activeElement.select()" \
        type "((vendor:raw" key Escape key Enter \
        until "$(shows '#query-fault' 'Expected a ) to close the ( of character 2 at character 13, but found the end.')" \
        print "document.activeElement.select()" \
        type "a🙂 foo:bar" key Escape key Enter \
        until "document.querySelector('.fault-text').textContent === 'a🙂 foo:bar'" \
        until "document.querySelector('.fault-text mark').textContent === 'f'"
}

@test "a long query with a fault is shown as a whole, with nothing to scroll" {
    browse --width=360 --allow=400 "/?q=foo:bar+$(printf 'long%.0s' {1..200})" \
        until "document.querySelector('.fault-text mark')?.textContent === 'f' && ${NOTHING_STICKS_OUT}" \
        until "[...document.querySelectorAll('#query-fault p')].every((node) => node.scrollWidth <= node.clientWidth)"
}

@test "a fault that names a long value is shown as a whole, with nothing to scroll" {
    browse --width=360 --allow=400 "/?q=vendor:$(printf 'W%.0s' {1..600})" \
        until "document.querySelector('.fault-text') && ${NOTHING_STICKS_OUT}" \
        until "[...document.querySelectorAll('#query-fault p')].every((node) => node.scrollWidth <= node.clientWidth)"
}

@test "what a query finds is announced, once, to those who sent it or chose a chip" {
    local said="document.querySelector('#announcer').textContent"
    send "/callbacks/welltory/${INBOX}-found?stress=0.32&energy=0.75"
    send "/callbacks/raw/${INBOX}-found"
    browse "/" \
        until "${ROWS} > 1 && $(shows '#refresh' Live) && ${said} === ''" \
        print "(window.said = [], new MutationObserver(() => said.push(${said}))
            .observe(document.querySelector('#announcer'), { childList: true }), true)" \
        key / type "inbox:${INBOX}-found" key Escape key Enter until "${said} === '2 results'" \
        print "$(choose vendor raw)" until "${said} === '1 result'" \
        print "$(choose verdict undecodable)" until "${said} === 'No result matches'" \
        click "#clear" until "${said}.endsWith(' results') && said.length === 4"
}

@test "fields and values are suggested while typing, and chosen by keys" {
    bad="$(send "/callbacks/welltory/${INBOX}-suggest?stress=0,32")"
    send "/callbacks/welltory/${INBOX}-suggest?stress=0.32&energy=0.75"
    browse "/?q=inbox:${INBOX}-suggest" \
        until "${ROWS} === 2" \
        key / until "document.activeElement.name === 'q'" \
        key End type " verd" \
        until "$(shows '#suggestions li' verdict:) && document.activeElement.ariaExpanded === 'true'" \
        key ArrowDown until "document.querySelector('#suggestions [aria-selected=true]').innerText.startsWith('verdict:')" \
        key Enter until "document.activeElement.value === 'inbox:${INBOX}-suggest verdict:'" \
        type und until "$(shows '#suggestions' verdict:undecodable)" \
        key ArrowDown key Enter \
        until "document.activeElement.value === 'inbox:${INBOX}-suggest verdict:undecodable '" \
        key Escape key Enter \
        until "${ROWS} === 1 && document.querySelector('$(row "${bad}")')"
}

@test "a suggestion that is chosen takes the place of the word at the caret, and of nothing else" {
    local box="document.querySelector('#search input')"
    browse "/?q=vendor:welltory+stress+outcome:completed" \
        until "$(shows '#refresh' Live)" \
        print "(${box}.focus(), ${box}.setSelectionRange(16, 22))" \
        type inb until "$(shows '#suggestions' inbox:)" key ArrowDown key Enter \
        until "${box}.value === 'vendor:welltory inbox: outcome:completed'" \
        print "(${box}.value = 'NOT (ven OR -stress) outcome:completed', ${box}.setSelectionRange(8, 8))" \
        type d until "$(shows '#suggestions' vendor:)" key ArrowDown key Enter \
        until "${box}.value === 'NOT (vendor: OR -stress) outcome:completed'" \
        type wel until "$(shows '#suggestions' vendor:welltory)" key ArrowDown key Enter \
        until "${box}.value === 'NOT (vendor:welltory OR -stress) outcome:completed'" \
        until "${box}.selectionStart === 21" \
        print "${box}.setSelectionRange(25, 31)" type verd until "$(shows '#suggestions' verdict:)" \
        key ArrowDown key Enter until "${box}.value === 'NOT (vendor:welltory OR -verdict:) outcome:completed'" \
        print "${box}.value = 'outcome:('" type com until "document.querySelector('#suggestions').hidden" \
        key Escape
}

@test "suggestions that come after the query was sent are not shown" {
    local list="document.querySelector('#suggestions')"
    browse "/" \
        until "$(shows '#refresh' Live)" \
        print "$(hold_back /fields)" \
        key / type "inbox:${INBOX}-late ver" until "window.release" \
        key Enter until "location.search.includes('-late')" \
        print "release()" until "${list}.hidden && document.activeElement.ariaExpanded === 'false'" \
        type d until "$(shows '#suggestions' verdict:)"
}

@test "after a long time away, a line leads to what came since" {
    send "/callbacks/welltory/${INBOX}-away?stress=0.32&energy=0.75"
    browse "/" \
        until "${ROWS} > 0" \
        print "(localStorage.setItem('landfall-last-look', new Date(Date.now() - 7200000).toISOString()), location.reload())" \
        until "$(shows '#last-look' 'You last looked 2 h ago')" \
        click "#last-look a" \
        until "location.search.startsWith('?q=received_at') && ${ROWS} > 0"
}

@test "1,200 results scroll with few rows in the document, and the last can be reached by key" {
    send_many "${INBOX}-many" 1200
    browse "/?q=inbox:${INBOX}-many" \
        until "${ROWS} > 5 && ${ROWS} < 60" \
        until "document.querySelector('#rows a').focus() || document.activeElement.closest('li.row')" \
        until "(window.seen = window.seen ?? new Set(), scrollBy(0, 600),
            document.querySelectorAll('#rows li.row').forEach((row) => window.seen.add(row.dataset.id)),
            window.seen.size === 1200)" \
        until "${ROWS} < 60" \
        print "(document.querySelector('#rows li.row a').focus())" \
        key End \
        until "document.activeElement.closest('li').ariaPosInSet === '1200'" \
        until "$(shows '#total' '1,200')"
}

@test "the keyboard opens a result, moves along the rows, and Escape closes" {
    send "/callbacks/welltory/${INBOX}-keys?stress=0.1&energy=0.75"
    send "/callbacks/welltory/${INBOX}-keys?stress=0.2&energy=0.75"
    focused="document.activeElement?.closest('li')?.ariaPosInSet"
    browse "/?q=inbox:${INBOX}-keys" \
        until "${ROWS} === 2" \
        print "document.querySelector('#show-groups').focus()" \
        key Tab until "${focused} === '1'" \
        key ArrowDown until "${focused} === '2'" \
        key Enter \
        until "location.search.includes('result=') && !document.querySelector('#detail').hidden" \
        until "document.querySelector('#detail').contains(document.activeElement)" \
        until "$(shows '#detail .tree' 0.1)" \
        key k until "$(shows '#detail .tree' 0.2)" \
        key Escape \
        until "document.querySelector('#detail').hidden && !location.search.includes('result')" \
        until "${focused} === '1'"
}

@test "after a reload, closing a result goes back to the list, and the next step back leaves it" {
    local id
    id="$(send "/callbacks/welltory/${INBOX}-reload?stress=0.32&energy=0.75")"
    browse "/flows.html" \
        go "${LANDFALL_URL}/?q=inbox:${INBOX}-reload" \
        click "$(row "${id}")" until "$(shows '#detail .tree' 0.32)" \
        print "(window.isFormer = true, location.reload(), true)" \
        until "!window.isFormer && $(shows '#detail .tree' 0.32)" \
        click "#close" until "document.querySelector('#detail').hidden && !location.search.includes('result')" \
        print "(history.back(), true)" until "location.pathname === '/flows.html'"
}

@test "an opened result is announced and is the page's title, with what arrives counted, until it is closed" {
    id="$(send "/callbacks/welltory/${INBOX}-title?stress=0,1")"
    live="${LANDFALL_URL}/callbacks/welltory/${INBOX}-title"
    browse "/?q=inbox:${INBOX}-title" \
        until "${ROWS} === 1" click "#rows a" \
        until "/^Welltory result, undecodable, \\d\\d:\\d\\d:\\d\\d$/.test(document.querySelector('#announcer').textContent)" \
        until "document.title === document.querySelector('#announcer').textContent + ' · Landfall'" \
        run "curl --silent --output /dev/null '${live}?stress=0.99&energy=0.75'" \
        until "document.title.startsWith('(1) Welltory result, undecodable')" \
        key Escape until "document.title.endsWith('Results · Landfall')"
}

@test "n and p go to the failed results, and a question mark lists the keys, which can be turned off" {
    bad="$(send "/callbacks/welltory/${INBOX}-failed?stress=0,1")"
    send "/callbacks/welltory/${INBOX}-failed?stress=0.2&energy=0.75"
    send "/callbacks/welltory/${INBOX}-failed?stress=0.3&energy=0.75"
    browse "/?q=inbox:${INBOX}-failed" \
        until "${ROWS} === 3" \
        key n until "location.search.includes('${bad}') && $(shows '#detail' undecodable)" \
        key Escape until "document.querySelector('#detail').hidden" \
        key '?' until "$(shows dialog 'Next failed result')" \
        click "dialog input" click "dialog button" \
        until "!document.querySelector('dialog')" \
        key n until "document.querySelector('#detail').hidden" \
        click "#show-keys" click "dialog input" key Escape \
        until "!document.querySelector('dialog') && localStorage.getItem('landfall-keys-off') === 'no'"
}

@test "hostile text is shown as text in rows, and signs that can't be seen are named" {
    hostile='%3Cimg%20src%3Dx%20onerror%3Ddocument.title%3D1%3E'
    id="$(send "/callbacks/welltory/${INBOX}-hostile?stress=${hostile}&energy=0.75")"
    send "/callbacks/raw/${INBOX}-hostile?a=%E2%80%AEabc%00" --header $'X-Name: \xe2\x80\xaeevil'
    browse "/?q=inbox:${INBOX}-hostile" \
        until "${ROWS} === 2 && $(shows "$(row "${id}" .finding)" '<img')" \
        until "document.querySelectorAll('img').length === 1 && !document.title.startsWith('1')"
}

@test "a hostile query or result in the address is harmless" {
    browse --allow=400 "/?q=%3Cimg%20src%3Dx%3E(&result=%3Cimg%20src%3Dx%3E" \
        until "!document.querySelector('#query-fault').hidden" \
        until "$(shows '#detail' '<img src=x>')" \
        until "document.querySelectorAll('img').length === 1"
}

@test "nothing sticks out at 320 and 360 pixels or with text of 200 per cent, in light and in dark" {
    send "/callbacks/welltory/${INBOX}-small?stress=0,32&$(printf 'long%.0s' {1..200})=1"
    browse --width=360 "/?q=inbox:${INBOX}-small" \
        until "${ROWS} === 1" until "${NOTHING_STICKS_OUT}" \
        size 320x700 until "${NOTHING_STICKS_OUT}" \
        colours dark until "matchMedia('(prefers-color-scheme: dark)').matches && ${NOTHING_STICKS_OUT}" \
        size 1280x800 text 200 until "${NOTHING_STICKS_OUT}"
}

@test "a browser without idle callbacks, such as Safari, opens results too" {
    id="$(send "/callbacks/welltory/${INBOX}-idle?stress=0.32&energy=0.75")"
    browse --lacks=requestIdleCallback "/?q=inbox:${INBOX}-idle" \
        until "performance.getEntriesByName(location.origin + '/result-detail.js').length > 0" \
        click "$(row "${id}")" until "$(shows '#detail .tree' 0.32)"
}

@test "the colour schemes differ" {
    ground="getComputedStyle(document.body).backgroundColor"
    browse / until "window.light = ${ground}" colours dark until "${ground} !== window.light"
}

# `see(false)` hides the tab, which then looks every second; as JavaScript.
HIDING="(window.wait = setTimeout,
    window.setTimeout = (act, time) => wait(act, time === 20_000 ? 1_000 : time), window.see = (sees) => {
        Object.defineProperty(document, 'hidden', { configurable: true, get: () => !sees });
        document.dispatchEvent(new Event('visibilitychange'));
    })"
# streams NUMBER: the command that waits until the server has this number of streams, for the step `run`.
streams() {
    printf "until curl --silent '%s/metrics' | grep --quiet '^landfall_streams %s\$'; do sleep 0.05; done" \
        "${LANDFALL_URL}" "$1"
}

@test "a hidden page notifies those who asked for it, with the summary of what came, and holds no connection" {
    send "/callbacks/welltory/${INBOX}?stress=0.32"
    browse "/?q=inbox:${INBOX}-notified" \
        until "document.querySelector('#refresh').dataset.state === 'live'" \
        print "(() => { window.told = [];
            window.Notification = class {
                static permission = 'default';
                static async requestPermission() { return Notification.permission = 'granted'; }
                constructor(title, { body }) { told.push([title, body].join(': ')); }
            }; })()" \
        click "#notify" \
        until "document.querySelector('#notify').ariaPressed === 'true'" \
        print "(${HIDING}, see(false))" run "$(streams 0)" \
        run "curl --silent --output /dev/null '${LANDFALL_URL}/callbacks/welltory/${INBOX}-notified?stress=0.32'" \
        until "told.length === 1 && told[0].startsWith('1 new result: Welltory: ') && told[0].includes('0.32')" \
        until "document.title.startsWith('(1) ')" \
        click "#notify" \
        until "document.querySelector('#notify').ariaPressed === 'false'" \
        run "curl --silent --output /dev/null '${LANDFALL_URL}/callbacks/welltory/${INBOX}-notified?stress=0.33'" \
        until "${ROWS} === 2 && document.title.startsWith('(') && told.length === 1"
}

@test "pages that were left hold no connection, and the way back to one is live" {
    local place="${LANDFALL_URL}/?q=inbox:${INBOX}-way" steps=() number
    for number in {1..8}; do
        steps+=(go "${place}-${number}" until "$(shows '#refresh' Live) && performance.now() < 12_000")
    done
    browse / "${steps[@]}" \
        until "(history.back(), true)" \
        until "location.search.endsWith('-way-7') && $(shows '#refresh' Live)" \
        run "curl --silent --output /dev/null '${LANDFALL_URL}/callbacks/welltory/${INBOX}-way-7?stress=0.32'" \
        until "${ROWS} === 1"
}

@test "the way back to a list finds it where it was left, and follows again from there" {
    send_many "${INBOX}-back" 300
    browse "/?q=inbox:${INBOX}-back" \
        until "document.querySelector('#rows').offsetHeight > 200 * 40 && $(shows '#refresh' Live)" \
        until "(scrollTo(0, 4000), scrollY === 4000)" \
        print "(window.place = scrollY)" \
        go "${LANDFALL_URL}/flows.html" \
        run "curl --silent --output /dev/null '${LANDFALL_URL}/callbacks/welltory/${INBOX}-back?stress=0.32'" \
        until "(history.back(), true)" \
        until "window.place === scrollY && $(shows '#refresh' Live) && $(shows '#pill' '1 new')"
}

@test "a tab that nobody sees gives its connection back, and looks for results now and then" {
    browse "/?q=inbox:${INBOX}-hidden-tab" \
        until "$(shows '#refresh' Live)" \
        print "(${HIDING}, see(false))" \
        run "$(streams 0)" \
        run "curl --silent --output /dev/null '${LANDFALL_URL}/callbacks/welltory/${INBOX}-hidden-tab?stress=0.32'" \
        until "document.title.startsWith('(1) ')" \
        run "$(streams 0)" \
        print "see(true)" \
        run "$(streams 1)" \
        run "curl --silent --output /dev/null '${LANDFALL_URL}/callbacks/welltory/${INBOX}-hidden-tab?stress=0.33'" \
        until "${ROWS} === 2 && $(shows '#refresh' Live)"
}

@test "the first results of an empty store are counted in the title of a tab that nobody sees" {
    local url="${LANDFALL_URL}"
    start_landfall "${BATS_TEST_TMPDIR}/server"
    browse / \
        until "$(shows '#refresh' Live)" \
        print "(${HIDING}, see(false))" run "$(streams 0)" \
        run "curl --silent --output /dev/null '${LANDFALL_URL}/callbacks/welltory?stress=0.32'" \
        until "document.title.startsWith('(1) ')"
    stop_landfall
    export LANDFALL_URL="${url}"
}

@test "a page that may not notify, as on Android, says so and asks no more" {
    browse "/?q=inbox:${INBOX}-mute" \
        until "document.querySelector('#refresh').dataset.state === 'live'" \
        print "(() => {
            window.Notification = class {
                static permission = 'granted';
                static async requestPermission() { return 'granted'; }
                constructor() { throw new TypeError('Illegal constructor'); }
            };
            Object.defineProperty(document, 'hidden', { get: () => true }); })()" \
        click "#notify" \
        until "document.querySelector('#notify').ariaPressed === 'true'" \
        run "curl --silent --output /dev/null '${LANDFALL_URL}/callbacks/welltory/${INBOX}-mute?stress=0.32'" \
        until "document.querySelector('#notify').ariaPressed === 'false'" \
        until "document.querySelector('#announcer').textContent.includes('allow notifications')"
}

@test "what the server refuses is said in its words, and what doesn't come in time to be late" {
    local other
    other="$(send "/callbacks/welltory/${INBOX}-other?stress=0.32&energy=0.75")"
    send "/callbacks/welltory/${INBOX}-late?stress=0.32&energy=0.75"
    browse "/?q=inbox:${INBOX}-late&result=${other}" \
        until "${ROWS} === 1 && $(shows '#detail .tree' stress)" \
        print "(window.fetch = async () => new Response('{\"title\":\"The store is busy\"}', { status: 503 }), 0)" \
        key j \
        until "$(shows '#panel-note' 'The store is busy')" \
        print "(window.fetch = async () => { throw new DOMException('late', 'TimeoutError'); }, 0)" \
        until "(document.querySelector('#rows a').click(), true)" \
        until "$(shows '#detail' 'answered in time')"
}

@test "the page comes with a policy that allows nothing from elsewhere" {
    run curl --silent --show-error --head --max-time 60 "${LANDFALL_URL}/"
    grep --ignore-case "^content-security-policy: default-src 'none'" <<<"${output}"
    run grep --recursive --ignore-case --extended-regexp \
        'innerHTML|outerHTML|insertAdjacent|document\.write|eval\(' "${REPOSITORY}/public" --include='*.js'
    [[ "${status}" -eq 1 ]]
}
