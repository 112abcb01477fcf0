#!/usr/bin/env bats
# The list of results over time, in a real browser: what leaves it, what is beyond it, servers that go, and clocks.
# Invariant: every test also fails on a console error, a violation of the content security policy or a
# request to another origin, as browser.py looks for those in each run.
# Left out: search and rows (results.bats), one result (result.bats).

load setup

@test "a tab that nobody looks at doesn't count as a look" {
    send "/callbacks/welltory/${INBOX}-hidden?stress=0.32&energy=0.75"
    browse "/" \
        until "${ROWS} > 0" \
        print "(window.isHidden = true, Object.defineProperty(document, 'hidden', { get: () => isHidden }),
            localStorage.removeItem('landfall-last-look'), document.dispatchEvent(new Event('visibilitychange')))" \
        until "localStorage.getItem('landfall-last-look') === null" \
        print "(window.isHidden = false, document.dispatchEvent(new Event('visibilitychange')))" \
        until "Date.now() - Date.parse(localStorage.getItem('landfall-last-look')) < 60_000"
}

@test "results that were imported are in the list by their time, and don't count as new" {
    local inbox="${INBOX}-imported"
    send_many "${inbox}" 101
    curl --silent "${LANDFALL_URL}/api/v1/export?format=ndjson&q=inbox:${inbox}" | head -1 |
        jq --compact-output 'del(.crc32) | .id = "016f5e66-e800" + .id[13:] | .received_at = "2020-01-01T00:00:00.000Z"' |
        curl --silent --fail --header 'Content-Type: application/x-ndjson' --data-binary @- "${LANDFALL_URL}/api/v1/import"
    browse "/?q=inbox:${inbox}" \
        until "$(shows '#refresh' Live) && $(shows '#total' '102 results')" \
        run "curl --silent --output /dev/null '${LANDFALL_URL}/callbacks/welltory/${inbox}?stress=0.99&energy=0.75'" \
        until "$(shows '#rows li.row .summary' 0.99)" \
        until "document.title.startsWith('(1)') && $(shows '#total' '103 results')"
}

# import_outdated INBOX COUNT: so many results that the decoder of today decodes in another way; prints their ids.
import_outdated() {
    local form="/api/v1/export?format=ndjson&q=inbox"
    send_many "$1-now" "$2"
    curl --silent "${LANDFALL_URL}${form}:$1-now" | jq --compact-output --arg inbox "$1" \
        'del(.crc32) | .result = {"stress": 99} | .inbox = $inbox | .id = (.id[:-4] + "0000")' |
        curl --silent --fail --output /dev/null --header 'Content-Type: application/x-ndjson' --data-binary @- \
            "${LANDFALL_URL}/api/v1/import"
    curl --silent "${LANDFALL_URL}${form}:$1" | jq --raw-output .id
}

@test "results that are decoded again stay where they are, as they are now, and don't count as new" {
    local inbox="${INBOX}-redecoded" id
    id="$(import_outdated "${inbox}" 1)"
    send "/callbacks/welltory/${inbox}?stress=0.5&energy=0.75"
    browse "/?q=inbox:${inbox}" \
        until "${ROWS} === 2 && $(shows "$(row "${id}")" 'stress 99') && $(shows '#refresh' Live)" \
        click "$(row "${id}")" until "$(shows '#detail .tree' 99)" \
        print "document.querySelector('$(row "${id}")').focus()" \
        run "curl --silent --fail --output /dev/null --request POST '${LANDFALL_URL}/api/v1/store/redecode?apply=true'" \
        until "$(shows "$(row "${id}")" 'stress 0.1') && $(shows '#detail .tree' 0.1)" \
        until "document.activeElement === document.querySelector('$(row "${id}")') && document.activeElement.ariaCurrent" \
        print "document.dispatchEvent(new Event('visibilitychange'))" \
        print "new Promise((resolve) => setTimeout(resolve, 500, true))" \
        until "${ROWS} === 2 && document.querySelectorAll('#rows li.row')[1].dataset.id === '${id}'" \
        until "$(shows '#total' '2 results') && document.querySelector('#pill').hidden && !document.title.startsWith('(')"
}

@test "results that are decoded again far from what is loaded don't come as new ones" {
    local inbox="${INBOX}-far"
    import_outdated "${inbox}" 3
    sleep 0.01
    send_many "${inbox}" 650
    browse "/?q=inbox:${inbox}" \
        until "$(shows '#total' '653 results') && $(shows '#refresh' Live)" \
        run "curl --silent --fail --output /dev/null --request POST '${LANDFALL_URL}/api/v1/store/redecode?apply=true'" \
        run "curl --silent --output /dev/null '${LANDFALL_URL}/callbacks/welltory/${inbox}?stress=0.99&energy=0.75'" \
        until "$(shows '#rows li.row .summary' 0.99)" \
        until "$(shows '#total' '654 results') && document.title.startsWith('(1)')"
}

@test "a gap in the stream that is too large to be read lets the list start again" {
    send "/callbacks/welltory/${INBOX}-gap?stress=0.1&energy=0.75"
    browse "/?q=inbox:${INBOX}-gap" \
        until "${ROWS} === 1 && $(shows '#refresh' Live)" \
        print "(window.asked = [], window.gaps = 1, window.former = fetch, window.fetch = (url, options) => {
            asked.push(decodeURIComponent(url));
            return String(url).includes('/results/stream') && gaps-- > 0 ? Promise.resolve(new Response(
                'event: gap\ndata: {\"first_seq\":1,\"last_seq\":9000000}\n\n')) : former(url, options);
        }, true)" \
        key / key Enter \
        until "asked.filter((url) => url.includes('/results/stream')).length === 2" \
        until "${ROWS} === 1 && $(shows '#refresh' Live) && !asked.some((url) => url.includes('9000000'))"
}

@test "what came before a gap that can't be read is in the list" {
    send "/callbacks/welltory/${INBOX}-before?stress=0.1&energy=0.75"
    browse "/?q=inbox:${INBOX}-before" \
        until "${ROWS} === 1 && $(shows '#refresh' Live)" \
        print "(window.made = JSON.stringify({ id: 'made', seq: 1, kind: 'callback', received_at: new Date().toISOString(),
            inbox: 'made', vendor: 'raw', outcome: null, verdict: 'decoded', summary: 'made by the test' }), true)" \
        print "(window.gaps = 1, window.former = fetch, window.fetch = (url, options) => {
            const asked = decodeURIComponent(url);
            if (/seq:5..6|sort=-seq/.test(asked)) return Promise.reject(new TypeError('cut'));
            return asked.includes('/results/stream') && gaps-- > 0 ? Promise.resolve(new Response('event: result\ndata: '
                + made + '\n\nevent: gap\ndata: {\"first_seq\":5,\"last_seq\":6}\n\n')) : former(url, options);
        }, true)" \
        key / key Enter \
        until "$(shows '#rows' 'made by the test') && ${ROWS} === 2" \
        until "$(shows '#refresh' Live)"
}

@test "a stream whose events can't be taken gives its connection back, and is tried less and less often" {
    local streams="curl --silent '${LANDFALL_URL}/metrics' | grep --quiet '^landfall_streams"
    browse "/?q=inbox:${INBOX}-taken" \
        until "$(shows '#refresh' Live)" \
        print "(window.waits = [], window.former = AbortSignal.timeout, AbortSignal.timeout = (time) => {
            waits.push(time);
            return former.call(AbortSignal, time);
        }, window.parse = JSON.parse, JSON.parse = (text) => {
            if (text.includes('\"seq\"') && !window.isMended) throw new SyntaxError('made by the test');
            return parse(text);
        }, true)" \
        run "curl --silent --output /dev/null '${LANDFALL_URL}/callbacks/welltory/${INBOX}-taken?stress=0.1'" \
        until "waits.includes(1_000) && $(shows '#refresh' 'Connection lost')" \
        run "until ${streams} [01]\$'; do sleep 0.2; done" \
        print "(window.isMended = true)" until "$(shows '#refresh' Live) && ${ROWS} === 1"
}

@test "older results that can't be read are said at the end of the list, which stays live and where it is" {
    send_many "${INBOX}-older" 700
    browse "/?q=inbox:${INBOX}-older" \
        until "document.querySelector('#rows').offsetHeight > 600 * 40 && $(shows '#refresh' Live)" \
        print "(window.former = fetch, window.fetch = (url, options) => (String(url).includes('cursor=')
            ? Promise.reject(new TypeError('cut')) : former(url, options)), true)" \
        until "(scrollTo(0, document.body.scrollHeight), $(shows '#older-problem' 'Older results could not be read'))" \
        until "$(shows '#refresh' Live) && document.querySelector('#problem').hidden" \
        print "(window.place = scrollY, window.fetch = former, true)" \
        click "#older-problem button" \
        until "document.querySelector('#older-problem').hidden && scrollY >= place" \
        until "document.activeElement.closest('li')?.ariaPosInSet === '601'" \
        until "document.querySelector('li.row').ariaSetSize === '700'"
}

@test "an old result that arrives among new ones has the heading of its day, and each day its own above and below" {
    local inbox="${INBOX}-days" then id="${BATS_TEST_TMPDIR}/old"
    send "/callbacks/welltory/${inbox}?stress=0.1&energy=0.75"
    then="$(date --utc --date='3 days ago' +%s%3N)"
    id="$(printf '%012x' "${then}")"
    curl --silent "${LANDFALL_URL}/api/v1/export?format=ndjson&q=inbox:${inbox}" | head -1 |
        jq --compact-output --arg id "${id:0:8}-${id:8}" --arg time "$(date --utc --date="@${then%???}" +%Y-%m-%dT%H:%M:%S).${then: -3}Z" \
            'del(.crc32) | .id = $id + .id[13:] | .received_at = $time' >"${BATS_TEST_TMPDIR}/old"
    local live="curl --silent --output /dev/null '${LANDFALL_URL}/callbacks/welltory/${inbox}?stress=0.9&energy=0.75'"
    browse "/?q=inbox:${inbox}" \
        until "${ROWS} === 1 && $(shows '#refresh' Live)" \
        run "curl --silent --fail --header 'Content-Type: application/x-ndjson' \
            --data-binary @${BATS_TEST_TMPDIR}/old ${LANDFALL_URL}/api/v1/import" \
        until "${ROWS} === 2" \
        run "${live}; ${live}" until "${ROWS} === 4" \
        until "[...document.querySelectorAll('#rows > li')].map((node) => node.matches('.row') ? 'row'
            : node.innerText.startsWith('Today') ? 'today' : 'day').join(' ') === 'today row row day row today row'" \
        until "(() => { const tops = [...document.querySelectorAll('#rows > li')].map((node) => node.offsetTop);
            return tops.every((top, index) => index === 0 || top > tops[index - 1]); })()"
}

@test "results that were erased elsewhere leave the list when somebody looks at it again" {
    gone="$(send "/callbacks/welltory/${INBOX}-leave?stress=0.1&energy=0.75")"
    keep="$(send "/callbacks/welltory/${INBOX}-leave?stress=0.2&energy=0.75")"
    browse "/?q=inbox:${INBOX}-leave" \
        until "${ROWS} === 2 && $(shows '#refresh' Live)" \
        print "document.querySelector('$(row "${gone}")').focus()" \
        run "curl --silent --fail --request DELETE ${LANDFALL_URL}/api/v1/results/${gone}" \
        print "document.dispatchEvent(new Event('visibilitychange'))" \
        until "${ROWS} === 1 && document.querySelector('$(row "${keep}")') && $(shows '#total' '1 result')" \
        until "document.activeElement.closest('li.row').dataset.id === '${keep}'" \
        run "curl --silent --fail --output /dev/null '${LANDFALL_URL}/callbacks/welltory/${INBOX}-leave?stress=0.3&energy=0.75'" \
        until "${ROWS} === 2 && $(shows '#total' '2 results')"
}

@test "what was erased leaves the list of a query that has no room for one more term, and a gap begins it again" {
    local place="/callbacks/welltory/${INBOX}-full" terms="inbox:${INBOX}-full" id
    id="$(send "${place}?stress=0.1&energy=0.75")"
    send "${place}?stress=0.2&energy=0.75"
    for number in {1..63}; do terms+="+-inbox:a${number}"; done
    browse --allow=400 "/?q=${terms}" \
        until "${ROWS} === 2 && $(shows '#refresh' Live)" \
        run "curl --silent --request DELETE '${LANDFALL_URL}/api/v1/results/${id}'" \
        print "document.dispatchEvent(new Event('visibilitychange'))" \
        until "${ROWS} === 1 && $(shows '#total' '1 result')" \
        print "(window.gaps = 1, window.former = fetch, window.fetch = (url, options) =>
            String(url).includes('/results/stream') && gaps-- > 0 ? Promise.resolve(new Response(
                'event: gap\ndata: {\"first_seq\":1,\"last_seq\":2}\n\n')) : former(url, options), true)" \
        key / key Enter until "gaps < 0 && ${ROWS} === 1 && $(shows '#refresh' Live)"
}

@test "what was erased leaves a long list at once, also far from what is in view, and the number is right" {
    local inbox="${INBOX}-long" callback="curl --silent --parallel --output /dev/null ${LANDFALL_URL}/callbacks/welltory"
    send "/callbacks/welltory/${inbox}-kept?stress=0.5&energy=0.75"
    browse "/?q=inbox:${inbox}+OR+inbox:${inbox}-kept" \
        until "${ROWS} === 1 && $(shows '#refresh' Live)" \
        run "${callback}/${inbox}'?stress=0.[10001-11200]&energy=0.75'; ${callback}/${inbox}-kept'?stress=0.6&energy=0.75'" \
        until "$(shows '#total' '1,202 results')" \
        until "(scrollTo(0, document.body.scrollHeight), document.querySelector('li.row[aria-posinset=\"1199\"]'))" \
        print "fetch('/api/v1/results/' + document.querySelector('li.row[aria-posinset=\"1199\"]').dataset.id,
            { method: 'DELETE' }).then(({ ok }) => (document.dispatchEvent(new Event('visibilitychange')), ok))" \
        until "$(shows '#total' '1,201 results') && document.querySelector('li.row').ariaSetSize === '1201'" \
        run "curl --silent --fail --output /dev/null --request DELETE '${LANDFALL_URL}/api/v1/inboxes/${inbox}'" \
        print "document.dispatchEvent(new Event('visibilitychange'))" \
        until "${ROWS} === 2 && $(shows '#total' '2 results')"
}

@test "an exact number of results stays exact where the look at them counts only some" {
    gone="$(send "/callbacks/welltory/${INBOX}-exact?stress=0.1&energy=0.75")"
    send "/callbacks/welltory/${INBOX}-exact?stress=0.2&energy=0.75"
    browse "/?q=inbox:${INBOX}-exact" \
        until "$(shows '#total' '2 results') && $(shows '#refresh' Live)" \
        print "(window.former = fetch, window.looks = 0, window.fetch = async (url, options) => {
            const answer = await former(url, options);
            if (!String(url).includes('seq%3A..')) return answer;
            looks += 1;
            return new Response(JSON.stringify({ ...await answer.json(), total: { count: 1, exact: false } }), answer);
        }, true)" \
        print "document.dispatchEvent(new Event('visibilitychange'))" \
        until "looks === 1" until "$(shows '#total' '2 results')" \
        run "curl --silent --fail --request DELETE ${LANDFALL_URL}/api/v1/results/${gone}" \
        print "document.dispatchEvent(new Event('visibilitychange'))" \
        until "document.querySelector('#total').innerText === '1 result'"
}

@test "beyond the rows that are loaded, the keys and arrows find results in the store, and say where there are no more" {
    local inbox="${INBOX}-beyond" first bad
    first="$(send "/callbacks/welltory/${inbox}?stress=0.1&energy=0.75")"
    bad="$(send "/callbacks/welltory/${inbox}?stress=0,1")"
    send_many "${inbox}" 650
    browse "/?q=inbox:${inbox}" \
        until "document.querySelector('#rows').offsetHeight > 600 * 40" \
        key n until "location.search.includes('${bad}') && $(shows '#detail' undecodable)" \
        key n until "$(shows '#panel-note' 'There are no more')" \
        until "document.querySelector('#announcer').textContent === 'There are no more'" \
        key j until "location.search.includes('${first}') && document.querySelector('#panel-note').textContent === ''" \
        key k until "location.search.includes('${bad}')" \
        key p until "$(shows '#panel-note' 'There are no more')" \
        key k until "!location.search.includes('${bad}') && $(shows '#detail .lead' completed)" \
        go "${LANDFALL_URL}/?q=inbox:${inbox}&result=${bad}" \
        until "$(shows '#detail' undecodable)" \
        click "#older" until "location.search.includes('${first}') && $(shows '#detail' 0.1)" \
        click "#older" until "$(shows '#panel-note' 'There are no more')"
}

@test "beyond the rows that are loaded, results that were imported are next to others by their time" {
    local inbox="${INBOX}-beside" oldest
    oldest="$(send "/callbacks/welltory/${inbox}?stress=0.1&energy=0.75")"
    send_many "${inbox}" 650
    # Three of the same millisecond: the greater the id, the earlier it was imported. The second didn't fail.
    id() { echo "016f5e66-e800-7000-8000-00000000000$1"; }
    for number in 3 2 1; do
        curl --silent "${LANDFALL_URL}/api/v1/results/${oldest}" | jq --compact-output --arg id "$(id "${number}")" \
            'del(.crc32) | .id = $id | .received_at = "2020-01-01T00:00:00.000Z"
                | if $id[-1:] == "2" then . else .outcome = "error" end'
    done | curl --silent --fail --output /dev/null --header 'Content-Type: application/x-ndjson' --data-binary @- \
        "${LANDFALL_URL}/api/v1/import"
    browse "/?q=inbox:${inbox}&result=$(id 2)" \
        until "$(shows '#detail' 2020) && document.querySelector('#rows').offsetHeight > 590 * 40" \
        key k until "location.search.includes('$(id 1)')" \
        key k until "location.search.includes('${oldest}')" \
        key j until "location.search.includes('$(id 1)')" \
        key j until "location.search.includes('$(id 2)')" \
        key n until "location.search.includes('$(id 3)')" \
        key j until "$(shows '#panel-note' 'There are no more')" \
        go "${LANDFALL_URL}/?q=inbox:${inbox}&result=$(id 2)" \
        until "$(shows '#detail' 2020)" \
        key p until "location.search.includes('$(id 1)')"
}

@test "the list follows the results that are opened one after the other, and closing finds the last of them in view" {
    local inbox="${INBOX}-follows" keys=()
    for _ in {1..60}; do keys+=(key j); done
    send_many "${inbox}" 80
    local inView="(({ top, bottom }) => top >= 0 && bottom <= innerHeight)(document.querySelector('%s').getBoundingClientRect())"
    # shellcheck disable=SC2059
    browse "/?q=inbox:${inbox}" \
        until "document.querySelector('#rows').offsetHeight > 70 * 40 && $(shows '#refresh' Live)" \
        click "#rows a" until "document.querySelector('#detail .request-line')" \
        "${keys[@]}" \
        until "document.querySelector('#rows [aria-current]')?.closest('li').ariaPosInSet === '61'" \
        until "$(printf "${inView}" '#rows [aria-current]')" \
        key Escape until "document.querySelector('#detail').hidden" \
        until "document.activeElement.closest('li').ariaPosInSet === '61'" \
        print "new Promise((resolve) => setTimeout(resolve, 300, true))" \
        until "$(printf "${inView}" '#rows a:focus')"
}

@test "the next result of one that was erased while it was open is found" {
    local inbox="${INBOX}-after" older id
    older="$(send "/callbacks/welltory/${inbox}?stress=0.1&energy=0.75")"
    id="$(send "/callbacks/welltory/${inbox}?stress=0.2&energy=0.75")"
    send "/callbacks/welltory/${inbox}?stress=0.3&energy=0.75"
    browse --allow=404 "/?q=inbox:${inbox}&result=${id}" \
        until "${ROWS} === 3 && $(shows '#detail .tree' 0.2)" \
        run "curl --silent --fail --request DELETE ${LANDFALL_URL}/api/v1/results/${id}" \
        until "$(shows '#detail-title' 'was erased') && ${ROWS} === 2" \
        key j until "location.search.includes('${older}') && $(shows '#detail .tree' 0.1)"
}

@test "rows leave a time span that is relative to now" {
    local live="curl --silent --fail --output /dev/null '${LANDFALL_URL}/callbacks/welltory/${INBOX}-span?stress=0.1&energy=0.75'"
    # The browser has started before the first one is sent, as its time runs from then on.
    browse "/?q=inbox:${INBOX}-span+received_at:-15s" \
        until "$(shows '#refresh' Live) && $(shows '#empty' 'No result matches')" \
        run "${live}" until "${ROWS} === 1" \
        until "${ROWS} === 0 && $(shows '#empty' 'No result matches')" \
        run "${live}" until "${ROWS} === 1"
}

@test "sending the same query once more reads the list again" {
    send "/callbacks/welltory/${INBOX}-again?stress=0.1&energy=0.75"
    browse "/?q=inbox:${INBOX}-again" \
        until "${ROWS} === 1" \
        print "(window.asked = 0, window.former = fetch, window.steps = history.length,
            window.fetch = (url, options) => (asked += String(url).includes('/results?q='), former(url, options)), true)" \
        key / key Enter until "asked === 1 && ${ROWS} === 1 && steps === history.length"
}

# --- A server that goes, and clocks -----------------------------------------------------------------

# prepare_server FOLDER: scripts FOLDER/start and FOLDER/stop for a server on a port of its own, which a second process
# takes over; sets `url`, which is the same for both.
prepare_server() {
    local folder="$1" port
    port="$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')"
    local serve="cd ${REPOSITORY} && exec ${LANDFALL_BIN} serve --config Config/landfall.yaml \
        --host 127.0.0.1 --port ${port} --data ${folder}/data"
    url="http://127.0.0.1:${port}"
    mkdir -p "${folder}"
    cat >"${folder}/start" <<END
(${serve}) >>${folder}/log 2>&1 3>&- &
echo \$! >${folder}/pid
for _ in {1..600}; do curl --silent --output /dev/null ${url}/healthz && exit; sleep 0.1; done
exit 1
END
    cat >"${folder}/stop" <<END
kill \$(cat ${folder}/pid)
for _ in {1..600}; do kill -0 \$(cat ${folder}/pid) 2>/dev/null || exit 0; sleep 0.1; done
exit 1
END
}

@test "a server that comes back with another store gets a new list, without rows of the former one" {
    local folder="${BATS_TEST_TMPDIR}/stores" url callback="curl --silent --output /dev/null --data ''"
    prepare_server "${folder}"
    bash "${folder}/start"
    ${callback} "${url}/callbacks/raw?former=1"
    ${callback} "${url}/callbacks/raw?former=2"
    LANDFALL_URL="${url}" browse --allow=ERR_ --allow=400 "/" \
        until "${ROWS} === 2 && $(shows '#refresh' Live)" \
        run "bash ${folder}/stop && mv ${folder}/data ${folder}/former" \
        until "$(shows '#refresh' 'Connection lost')" \
        run "bash ${folder}/start && for number in 1 2 3; do ${callback} ${url}/callbacks/raw?other=\$number; done" \
        until "${ROWS} === 3 && $(shows '#refresh' Live) && !$(shows '#rows' former)" \
        until "$(shows '#total' '3 results')"
    bash "${folder}/stop"
}

@test "the server goes and comes back: the page says so, keeps its rows, and shows what came meanwhile" {
    local folder="${BATS_TEST_TMPDIR}/other" url
    prepare_server "${folder}"
    bash "${folder}/start"
    local callback="curl --silent --output /dev/null --data '' ${url}/callbacks/welltory"
    eval "${callback}?stress=0.11"
    # The icon isn't among what fails.
    LANDFALL_URL="${url}" browse --allow=/api/v1/ --allow=/readyz "/" \
        until "${ROWS} === 1 && $(shows '#refresh' Live)" \
        print "(window.waits = [], window.former = addEventListener, window.addEventListener = (name, act, options) => {
            if (name === 'online') waits.push(options.signal);
            former(name, act, options);
        }, true)" \
        click "#rows a" until "$(shows '#detail .tree' 0.11)" key Escape \
        run "bash ${folder}/stop" \
        until "$(shows '#refresh' 'Connection lost') && $(shows '#problem' 'Landfall can')" \
        until "${ROWS} === 1 && document.querySelector('link[rel=icon]').href.startsWith('data:')" \
        until "waits.length > 2 && waits[0].aborted" \
        click "#problem button" print "new Promise((resolve) => setTimeout(resolve, 200, true))" \
        until "${ROWS} === 1 && $(shows '#refresh' 'Connection lost')" \
        run "bash ${folder}/start && ${callback}?stress=0.22" \
        until "${ROWS} === 2 && $(shows '#refresh' Live) && document.querySelector('#problem').hidden" \
        until "document.querySelector('link[rel=icon]').href.endsWith('/favicon.svg')" \
        until "new Set([...document.querySelectorAll('#rows li.row')].map((row) => row.dataset.id)).size === 2"
    bash "${folder}/stop"
}

@test "a clock that is an hour slow changes no relative time, and the page says that it is wrong" {
    id="$(send "/callbacks/welltory/${INBOX}-clock?stress=0.32&energy=0.75")"
    browse --clock=-3600 "/?q=inbox:${INBOX}-clock" \
        until "$(shows "$(row "${id}" time)" ago) && $(shows '.day h2' Today)" \
        until "!$(shows "$(row "${id}" time)" h)" \
        until "$(shows '#refresh' 'clock is 60 min behind')" \
        until "Math.abs(Date.parse(localStorage.getItem('landfall-last-look')) - Date.now() - 3_600_000) < 600_000"
}

@test "after midnight the headings of days have their new names, and the chip of today means the new day" {
    send "/callbacks/welltory/${INBOX}-midnight?stress=0.32&energy=0.75"
    browse "/?q=inbox:${INBOX}-midnight" \
        until "${ROWS} === 1 && $(shows '.day h2' Today)" \
        print "(window.real = Date.now, Date.now = () => real() + 86_400_000,
            window.field = Headers.prototype.get,
            Headers.prototype.get = function (name) { return name === 'Date' ? null : field.call(this, name); }, true)" \
        until "$(shows '.day h2' Yesterday)" \
        print "(window.day = new Date(Date.now()), day.setHours(0, 0, 0, 0), true)" \
        print "$(choose received_at today)" \
        until "new URLSearchParams(location.search).get('q') === 'inbox:${INBOX}-midnight received_at:>=' + day.toISOString()"
}

@test "a token that changed is said, with a way to try again, and credentials in the address do no harm" {
    local port url folder="${BATS_TEST_TMPDIR}/token" first=first-token-of-the-test second=second-token-of-the-test
    port="$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')"
    url="http://127.0.0.1:${port}"
    mkdir -p "${folder}"
    local serve="cd ${REPOSITORY} && exec ${LANDFALL_BIN} serve --config Config/landfall.yaml \
        --host 127.0.0.1 --port ${port} --data ${folder}/data"
    printf '(export LANDFALL_TOKEN="$1"; %s) >>%s/log 2>&1 3>&- &\necho $! >%s/pid\n%s\n' "${serve}" "${folder}" "${folder}" \
        "for _ in {1..600}; do curl --silent --output /dev/null ${url}/healthz && exit; sleep 0.1; done; exit 1" >"${folder}/start"
    local stop="kill \$(cat ${folder}/pid); while kill -0 \$(cat ${folder}/pid) 2>/dev/null; do sleep 0.1; done"
    for path in / /flows.html; do
        bash "${folder}/start" "${first}"
        timeout 240 "${PAGE_TESTS}/browser.py" --allow=ERR_ --allow=401 --allow=/api/v1/addresses \
            "http://landfall:${first}@127.0.0.1:${port}${path}" \
            until "$(shows '#refresh' Live)" \
            run "${stop}; bash ${folder}/start ${second}" \
            until "$(shows '#problem' Unauthorized) && $(shows '#problem' 'Try again')" \
            until "$(shows '#refresh' 'Not ')" \
            print "(window.isOld = true, addEventListener('beforeunload', () => { window.isOld = false; }), true)" \
            click "#problem button" until "window.isOld !== true" 3>&-
        bash -c "${stop}"
    done
}

@test "a browser that keeps nothing, as with all cookies blocked, shows results, and its keys work" {
    local id
    id="$(send "/callbacks/welltory/${INBOX}-forgetful?stress=0.5&energy=0.5")"
    browse --forgetful "/?q=inbox:${INBOX}-forgetful" \
        until "document.querySelector('$(row "${id}")')" \
        key '?' until "$(shows 'dialog.keys' 'Single keys do something')" \
        click 'dialog.keys input' until "!document.querySelector('dialog.keys input').checked" \
        key Escape until "!document.querySelector('dialog.keys')" \
        key / until "document.activeElement.matches('#query, [type=search]')"
}

@test "a connected server that can't store what comes is said not to, until it can" {
    local ready='{"status":"ready","checks":[{"name":"store","status":"pass"}]}'
    local full='{"status":"not ready","checks":[{"name":"index","status":"pass"},
        {"name":"disk","status":"fail","detail":"The disk is full."}]}'
    browse "/?q=inbox:${INBOX}-unready" \
        until "$(shows '#refresh' Live)" \
        print "(window.answer = ${full}, window.former = fetch, window.fetch = (url, options) => (
                String(url).endsWith('/readyz') ? Promise.resolve(new Response(JSON.stringify(answer), { status: 503 }))
                    : former(url, options)),
            window.wait = setTimeout, window.setTimeout = (act, time) => wait(act, time / 20), true)" \
        until "$(shows '#problem' 'The server can’t do all of its work') && $(shows '#problem' 'disk: The disk is full.')" \
        until "document.querySelector('#announcer').textContent === 'The server can’t do all of its work'" \
        axe "not ready" \
        print "(window.answer = ${ready})" until "!document.querySelector('#problem').checkVisibility()"
}
