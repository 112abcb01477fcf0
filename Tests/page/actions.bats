#!/usr/bin/env bats
# What can be done with a result, in a real browser: copying, comparing, sending again, waiting for its like, erasing.
# Invariant: every test also fails on a console error, a violation of the content security policy or a
# request to another origin, as browser.py looks for those in each run.
# Left out: what is shown of it (result.bats).

load setup

@test "copying gives curl, a link and a bug report in Markdown" {
    id="$(send "/callbacks/welltory/${INBOX}-copy?stress=0,32")"
    browse "/?result=${id}" \
        until "document.querySelector('#detail .result-actions')" \
        print "(window.copied = [], navigator.clipboard.writeText = async (text) => { copied.push(text); }, true)" \
        until "$(button 'Copy as curl')" until "copied.length === 1" \
        until "copied[0].startsWith('curl') && copied[0].includes('stress=0,32')" \
        until "$(button 'Copy link')" until "copied[1] === '${LANDFALL_URL}/?result=${id}'" \
        until "$(button 'Copy as bug report')" until "copied.length === 3" \
        until "copied[2].startsWith('## welltory: undecodable') && copied[2].includes('- **error**')" \
        until "copied[2].includes('curl') && copied[2].includes('${id}')"
}

@test "a bug report marks the faulty bytes, and leaves out a token that still works" {
    id="$(send "/callbacks/welltory/${INBOX}-report?stress=0,32&token=live-token-0123456789")"
    browse "/?result=${id}" \
        until "document.querySelector('#detail .result-actions')" \
        print "(navigator.clipboard.writeText = async (text) => { window.copied = text; }, true)" \
        until "$(button 'Copy as bug report')" until "window.copied" \
        until "(() => { const lines = copied.split('\\n'), index = lines.findIndex((line) => /^ +\\^+$/.test(line));
            return lines[index - 1].slice(lines[index].indexOf('^'), lines[index].length) === '0,32'; })()" \
        until "copied.includes('curl ') && !copied.includes('live-token')"
}

@test "a bug report hides a token in what was found, too" {
    id="$(send "/callbacks/welltory/${INBOX}-found?stress=0.32%26token%3Dlive-token-0123456789")"
    browse "/?result=${id}" \
        until "document.querySelector('#detail .result-actions')" \
        print "(navigator.clipboard.writeText = async (text) => { window.copied = text; }, true)" \
        until "$(button 'Copy as bug report')" \
        until "window.copied?.includes('found \`\"0.32&token=[hidden]\"\`') && !copied.includes('live-token')"
}

@test "what a peer sent can't be Markdown in a bug report" {
    local evil='``![x](https://evil.example/p.png)@channel`' id
    id="$(send "/callbacks/welltory/${INBOX}-markdown" --get --data-urlencode "stress=${evil}")"
    browse "/?result=${id}" \
        until "document.querySelector('#detail .result-actions')" \
        print "(navigator.clipboard.writeText = async (text) => { window.copied = text; }, true)" \
        until "$(button 'Copy as bug report')" \
        until "window.copied?.includes(', found \`\`\`\"${evil}\"\`\`\`') && !copied.includes('expected stress')"
}

@test "erasing asks what will be gone, and takes the row away, whose next one gets the focus" {
    keep="$(send "/callbacks/welltory/${INBOX}-erase?stress=0.4")"
    id="$(send "/callbacks/welltory/${INBOX}-erase?stress=0.5")"
    send "/callbacks/welltory/${INBOX}-erase?stress=0.6"
    browse --allow=404 "/?q=inbox:${INBOX}-erase&result=${id}" \
        until "${ROWS} === 3 && document.querySelector('#detail .danger')" \
        until "$(button 'Erase…')" \
        until "$(shows dialog 'value and diagnostics will be removed') && !$(shows dialog findings)" \
        until "$(shows dialog 'Erase this result?') && document.activeElement.textContent === 'Keep it'" \
        key Escape until "!document.querySelector('dialog') && ${ROWS} === 3" \
        until "$(button 'Erase…')" until "$(button Erase)" \
        until "${ROWS} === 2 && document.querySelector('#detail').hidden" \
        until "document.activeElement === document.querySelector('$(row "${keep}")')"
    [[ "$(curl --silent --output /dev/null --write-out '%{http_code}' "${LANDFALL_URL}/api/v1/results/${id}")" == 404 ]]
}

@test "a question about a result opens once, and only as long as the result is shown" {
    local place="/callbacks/welltory/${INBOX}-once" id
    local settled="import('/result-dialogs.js').then(() => new Promise((resolve) => setTimeout(resolve, 200, true)))"
    local press="new KeyboardEvent('keydown', { key: 'j', bubbles: true })"
    send "${place}?stress=0.41"
    id="$(send "${place}?stress=0.52")"
    browse "/?q=inbox:${INBOX}-once&result=${id}" \
        until "${ROWS} === 2 && document.querySelector('#detail .danger')" \
        print "($(button 'Erase…'), document.body.dispatchEvent(${press}), true)" \
        until "${settled}" until "!document.querySelector('dialog')" \
        until "$(shows '#detail' 0.41) && document.querySelector('#detail .danger')" \
        print "($(button 'Erase…'), $(button 'Erase…'))" \
        until "${settled}" until "document.querySelectorAll('dialog').length === 1" \
        key Escape until "!document.querySelector('dialog')" \
        print "($(button 'Wait for one like this…'), $(button 'Send again…'))" \
        until "document.querySelector('dialog')" \
        until "new Promise((resolve) => setTimeout(resolve, 500, true))" \
        until "document.querySelectorAll('dialog').length === 1"
}

@test "comparing shows side by side only what differs, with the last good one first" {
    send "/callbacks/welltory/${INBOX}-compare?stress=0.41&energy=0.75"
    id="$(send "/callbacks/welltory/${INBOX}-compare?stress=0.42&energy=0.75")"
    bad="$(send "/callbacks/welltory/${INBOX}-compare?stress=0,4")"
    browse "/?result=${bad}" \
        until "document.querySelector('#detail .result-actions')" \
        until "$(button 'Compare…')" \
        until "document.querySelector('#detail .differences')" \
        until "document.querySelector('.compare-choice option').textContent.startsWith('last good one')" \
        until "$(shows '.differences' undecodable) && $(shows '.differences' 0.42)" \
        until "!$(shows '.differences' inbox)" \
        until "/^\\d+ differences?\$/.test(document.querySelector('#announcer').textContent)" \
        until "!document.querySelector('.differences').closest('[aria-live]')" \
        until "$(button 'Close the comparison')" until "!document.querySelector('.differences')" \
        until "document.activeElement.textContent === 'Compare…'"
}

@test "what a result with warnings was sent is compared too, as its value may lack it" {
    local place="/callbacks/welltory/${INBOX}-warned" id
    send "${place}?stress=0.41&energy=0.75"
    id="$(send "${place}?stress=0,41&energy=0.75")"
    browse "/?result=${id}" \
        until "document.querySelector('#detail .result-actions')" \
        until "$(button 'Compare…')" until "$(shows '.differences' 'query stress')" \
        until "$(shows '.differences' 0,41) && $(shows '.differences' 0.41) && !$(shows '.differences' 'query energy')"
}

@test "the results to compare with have their milliseconds, and their request where nothing sums them up" {
    local place="/callbacks/raw/${INBOX}-labels" one other
    one="$(send "${place}?event=paid")"
    other="$(send "${place}?event=lost")"
    local label="document.querySelector('.compare-choice option[value=\"%s\"]').textContent"
    # shellcheck disable=SC2059
    browse "/?result=$(send "${place}?event=open")" \
        until "document.querySelector('#detail .result-actions')" \
        until "$(button 'Compare…')" until "document.querySelector('#detail .differences')" \
        until "/:\\d\\d\\.\\d{3} .*event=paid\$/.test($(printf "${label}" "${one}"))" \
        until "/:\\d\\d\\.\\d{3} .*event=lost\$/.test($(printf "${label}" "${other}"))"
}

@test "the comparison is with the result that was chosen last, whatever answer comes last" {
    local place="/callbacks/welltory/${INBOX}-chosen" one other
    one="$(send "${place}?stress=0.41&energy=0.75")"
    other="$(send "${place}?stress=0.42&energy=0.75")"
    local choose="((choice) => { choice.value = '%s'; choice.dispatchEvent(new Event('change')); })(
        document.querySelector('.compare-choice select'))"
    # shellcheck disable=SC2059
    browse "/?result=$(send "${place}?stress=0,4")" \
        until "document.querySelector('#detail .result-actions')" \
        until "$(button 'Compare…')" until "$(shows '.differences' 0.42)" \
        print "$(hold_back "/results/${one}")" \
        print "$(printf "${choose}" "${one}")" until "window.release" \
        print "$(printf "${choose}" "${other}")" \
        print "release()" until "$(shows '.differences' 0.42) && !$(shows '.differences' 0.41)"
}

@test "what was erased leaves a comparison with it" {
    local path="/callbacks/welltory/${INBOX}-erased" id other unchosen
    unchosen="$(send "${path}?stress=0.4321&energy=0.75")"
    other="$(send "${path}?stress=0.4123&energy=0.75")"
    id="$(send "${path}?stress=0.4222&energy=0.75")"
    local erase="fetch('/api/v1/results/%s', { method: 'DELETE' }).then(({ ok }) => ok)"
    # shellcheck disable=SC2059 # the result's place
    browse "/?result=${id}" \
        until "document.querySelector('#detail .result-actions')" \
        until "$(button 'Compare…')" until "$(shows '.differences' 0.4123)" \
        print "$(printf "${erase}" "${unchosen}")" \
        until "![...document.querySelectorAll('.compare-choice option')].some((option) => option.value === '${unchosen}')" \
        until "$(shows '.differences' 0.4123)" \
        print "$(printf "${erase}" "${other}")" \
        until "$(shows '#detail .result-actions' 'The other result was erased') && !$(shows '#detail' 0.4123)" \
        until "$(shows '#detail' 0.4222) && document.querySelector('.compare-choice select').selectedIndex === -1"
}

@test "results that aren't decoded differ in what they were asked with and in their bodies" {
    local id other
    send "/callbacks/raw/${INBOX}-raw?event=paid&order=7"
    id="$(send "/callbacks/raw/${INBOX}-raw?event=lost&order=7")"
    other="$(send "/callbacks/raw/${INBOX}-raw?event=lost&order=7" --data-binary '{"a":1}')"
    browse "/?result=${id}" \
        until "document.querySelector('#detail .result-actions')" \
        until "$(button 'Compare…')" \
        until "document.querySelector('.compare-choice option[value=\"${other}\"]')" \
        until "$(shows '.differences' body) && $(shows '.differences' '{"a":1}') && !$(shows '.differences' order)" \
        until "(() => { const choice = document.querySelector('.compare-choice select');
            choice.selectedIndex = 1; choice.dispatchEvent(new Event('change')); return true; })()" \
        until "$(shows '.differences' 'query event') && $(shows '.differences' paid) && !$(shows '.differences' order)" \
        until "document.querySelector('.differences caption').innerText === '1 difference'"
}

@test "a header that came more than once is compared with all its values" {
    local place="/callbacks/raw/${INBOX}-repeated" id
    send "${place}" --header 'X-Part: one' --header 'X-Part: two'
    id="$(send "${place}" --header 'X-Part: other' --header 'X-Part: two')"
    browse "/?result=${id}" \
        until "document.querySelector('#detail .result-actions')" \
        until "$(button 'Compare…')" \
        until "$(shows '.differences' 'header x-part') && $(shows '.differences' 'other & two') && $(shows '.differences' 'one & two')"
}

@test "long values are compared where they begin to differ" {
    local place="/callbacks/raw/${INBOX}-long-values" id long
    long="$(printf 'x%.0s' {1..2000})"
    send "${place}" --data-binary "${long}-first-end"
    id="$(send "${place}" --data-binary "${long}-second-end")"
    browse "/?result=${id}" \
        until "document.querySelector('#detail .result-actions')" \
        until "$(button 'Compare…')" \
        until "$(shows '.differences' '-first-end') && $(shows '.differences' '-second-end')" \
        until "document.querySelector('.differences').innerText.length < 1000"
}

@test "a command that waits for one like this is offered, and exports of this result alone" {
    id="$(send "/callbacks/welltory/${INBOX}-wait?stress=0.5&energy=0.5")"
    browse "/?result=${id}" \
        until "document.querySelector('#detail .result-actions')" \
        until "$(button 'Wait for one like this…')" \
        until "$(shows dialog 'q=vendor:welltory outcome:completed') && $(shows dialog 'landfall results wait')" \
        until "[...document.querySelectorAll('dialog code')].every(({ textContent: command }) =>
            /after[= ]now/.test(command))" \
        print "(Object.defineProperty(navigator, 'clipboard', { value: undefined }),
            addEventListener('copy', () => { window.copied = document.activeElement.value; }), true)" \
        click "dialog .command button" \
        until "window.copied === document.querySelector('dialog code').textContent && $(shows dialog Copied)" \
        until "document.activeElement.matches('dialog .command button')" \
        key Escape \
        print "document.querySelector('.exports a').href" >"${BATS_TEST_TMPDIR}/export"
    [[ "$(curl --silent "$(tail -n 1 "${BATS_TEST_TMPDIR}/export")" | jq --raw-output .id)" == "${id}" ]]
}

@test "what waits for its like has the query of the search box, sent or not, quoted for a shell" {
    local inbox="${INBOX}-waits" id commands live="${LANDFALL_URL}/callbacks/welltory/${INBOX}-waits?stress=0.5"
    id="$(send "/callbacks/welltory/${inbox}?stress=0.5")"
    browse "/?q=inbox:${inbox}" \
        until "${ROWS} === 1" \
        key / key End type " has:result.stress NOT \"it's\"" \
        until "(document.querySelector('#rows a').click(), true)" \
        until "document.querySelector('#detail .result-actions')" \
        until "$(button 'Wait for one like this…')" \
        until "document.querySelector('dialog input').value === 'inbox:${inbox} has:result.stress NOT \"it\\'s\"'" \
        print "[...document.querySelectorAll('dialog code')].map((node) => node.textContent).join('\n')" \
        until "document.querySelector('dialog input').select() || true" type "inbox:none" \
        until "$(shows dialog "'q=inbox:none'") && $(shows dialog "-- 'inbox:none'")" \
        >"${BATS_TEST_TMPDIR}/commands"
    mapfile -t commands <"${BATS_TEST_TMPDIR}/commands"
    [[ "${#commands[@]}" -eq 2 ]]
    PATH="${LANDFALL_BIN%/*}:${PATH}"
    for command in "${commands[@]}"; do
        # It begins to wait at a time that nobody knows.
        while sleep 0.2; do curl --silent --output /dev/null "${live}"; done 3>&- &
        run timeout 60 bash -c "${command}"
        kill "$!"
        [[ "${status}" -eq 0 && "${output}" == *"${inbox}"* ]]
    done
}

@test "a request that no route takes can't be sent again, and what waits for its like names its kind" {
    local target="/no/such/place/${INBOX}" id
    curl --silent --output /dev/null "${LANDFALL_URL}${target}"
    id="$(curl --silent "${LANDFALL_URL}/api/v1/results?kind=stray&path=${target}" | jq --raw-output '.results[0].id')"
    browse "/?result=${id}" \
        until "document.querySelector('#detail .result-actions')" \
        until "!$(shows '#detail .result-actions' 'Send again')" \
        until "$(shows '#detail .lead-block' 'No receiver has this address. It is kept as it came.')" \
        until "!$(shows '#detail' 'not decoded') && !document.querySelector('#detail .badge')" \
        until "$(shows '#detail .command' "landfall results adopt ${id} --vendor VENDOR --server ${LANDFALL_URL}")" \
        print "(navigator.clipboard.writeText = async (text) => { window.copied = text; }, true)" \
        until "$(button 'Copy as bug report')" until "window.copied?.includes('curl ') && copied.includes('${target}')" \
        until "$(button 'Wait for one like this…')" \
        until "$(shows dialog 'q=kind:stray ') && !$(shows dialog Authorization) && !$(shows dialog null)"
}

@test "a result is sent again once, however often somebody presses, and a slow target has its time" {
    local inbox="${INBOX}-resent" id
    id="$(send "/callbacks/welltory/${inbox}?stress=0.5&energy=0.5")"
    browse "/?result=${id}" \
        until "document.querySelector('#detail .result-actions')" \
        until "$(button 'Send again…')" until "document.querySelector('dialog')" \
        print "(window.times = [], window.former = setTimeout,
            window.setTimeout = (act, milliseconds) => (times.push(milliseconds), former(act, milliseconds)), true)" \
        print "($(button Send), $(button Send))" until "$(shows dialog Answered)" \
        until "times.some((milliseconds) => milliseconds > 20_000)"
    [[ "$(curl --silent "${LANDFALL_URL}/api/v1/results?q=inbox:${inbox}" | jq '.results | length')" == 2 ]]
}

@test "Enter in the field of a URL sends a result again, and says what the server thinks of it" {
    id="$(send "/callbacks/welltory/${INBOX}-enter?stress=0.5&energy=0.5" --header 'X-Note: Bearer abcdefghijkl')"
    browse --allow=40 "/?result=${id}" \
        until "document.querySelector('#detail .result-actions')" \
        until "$(button 'Send again…')" \
        click "dialog [type=url]" type "elsewhere" key Enter \
        until "document.querySelector('dialog .notice')" \
        until "document.querySelector('dialog').open && location.search === '?result=${id}'" \
        click "dialog [value=self]" key Enter until "$(shows dialog Answered)" \
        until "$(shows dialog 'Sent with [redacted] in it: header X-Note, inside.') && !$(shows dialog 'Not sent')"
}

@test "what is sent again to a closed port says that nothing is there" {
    id="$(send "/callbacks/welltory/${INBOX}-closed?stress=0.5&energy=0.5")"
    browse "/?result=${id}" \
        until "document.querySelector('#detail .result-actions')" \
        until "$(button 'Send again…')" \
        click "dialog [type=url]" type "http://127.0.0.1:1/closed" key Enter \
        until "$(shows dialog 'Answered nothing') && $(shows dialog 'Connection refused')"
}

@test "while the server can't be reached, what would be opened says so, and opens later" {
    id="$(send "/callbacks/welltory/${INBOX}-unreached?stress=0.5&energy=0.5")"
    local label steps=() said="$(shows '#detail .result-actions [role=alert]' 'Landfall can’t be reached')"
    for label in 'Erase…' 'Send again…' 'Wait for one like this…' 'Compare…'; do
        steps+=(until "$(button "${label}")" until "${said}" print "document.querySelector('#detail [role=alert]').remove()")
    done
    browse --allow=result-dialogs.js --allow=compare.js --allow=keys-dialog.js "/?result=${id}" \
        until "document.querySelector('#detail .result-actions') && $(shows '#refresh' Live)" \
        block '.js' "${steps[@]}" \
        key '?' until "$(shows '.top .notice' 'Landfall can’t be reached')" \
        block /nothing \
        key '?' until "$(shows dialog 'This list') && !document.querySelector('.top .notice')" key Escape \
        until "$(button 'Send again…')" until "$(shows dialog 'Send this callback again')" \
        until "!document.querySelector('#detail [role=alert]')"
}

@test "where the API asks for a token, the command that waits sends it" {
    local url="${LANDFALL_URL}" token=token-of-this-test
    LANDFALL_TOKEN="${token}" start_landfall "${BATS_TEST_TMPDIR}/server"
    id="$(send "/callbacks/welltory?stress=0.5&energy=0.5")"
    LANDFALL_URL="${LANDFALL_URL/:\/\//://landfall:${token}@}" browse --allow=401 --allow=/api/v1/addresses "/?result=${id}" \
        until "document.querySelector('#detail .result-actions')" \
        until "$(button 'Wait for one like this…')" \
        until "$(shows dialog 'LANDFALL_TOKEN first') && $(shows dialog '-H "Authorization: Bearer $LANDFALL_TOKEN"')"
    stop_landfall
    export LANDFALL_URL="${url}"
}
