#!/usr/bin/env bats
# The page where a connection is slow, text is large, a page is printed, and the browser forbids to notify.
# Invariant: every test also fails on a console error, a violation of the content security policy or a
# request to another origin, as browser.py looks for those in each run.
# Left out: axe (access.bats), a server that goes (upkeep.bats).

load setup

# slow_down ADDRESS: the text of an answer comes in eight pieces, one every 900 ms, but no more than the variable
# `pieces` says; the page's deadlines are a third as long, so 15 seconds are 5. As JavaScript.
slow_down() {
    printf "(window.pieces = 8, window.former = fetch, window.timer = setTimeout, window.limit = AbortSignal.timeout,
        window.setTimeout = (act, time, ...rest) => timer(act, time / 3, ...rest),
        AbortSignal.timeout = (time) => limit.call(AbortSignal, time / 3),
        window.fetch = async (url, options) => {
            const answer = await former(url, options);
            if (!String(url).endsWith('%s')) return answer;
            const bytes = new Uint8Array(await answer.arrayBuffer());
            const size = Math.ceil(bytes.length / 8);
            let sent = 0;
            return new Response(new ReadableStream({
                start: (body) => options.signal.addEventListener('abort', () => body.error(options.signal.reason)),
                pull: (body) => new Promise((resolve) => sent < pieces && timer(() => {
                    body.enqueue(bytes.slice(sent * size, (sent + 1) * size));
                    sent += 1;
                    if (sent === 8) body.close();
                    resolve();
                }, 900)),
            }), answer);
        }, true)" "$1"
}

@test "an answer that keeps coming is awaited however long it takes, and one that stops is not" {
    local id
    id="$(send "/callbacks/welltory/${INBOX}-slow?stress=0.32")"
    browse "/?q=inbox:${INBOX}-slow" \
        until "${ROWS} === 1" \
        print "$(slow_down "/results/${id}")" \
        click "#rows a" until "$(shows '#detail .tree' 0.32)" key Escape \
        print "pieces = 3" \
        click "#rows a" until "$(shows '#detail [role=alert]' 'hasn’t answered in time')"
}

@test "while the list or a result is awaited, its place says so" {
    local id said="getComputedStyle(document.querySelector('%s'), '::before').content"
    id="$(send "/callbacks/welltory/${INBOX}-awaited?stress=0.32")"
    # shellcheck disable=SC2059
    browse --width=360 --allow=detail.js "/?q=inbox:${INBOX}-awaited" \
        until "${ROWS} === 1" \
        print "$(hold_back '/results?')" print "$(choose vendor welltory)" \
        until "window.release && $(printf "${said}" '#total').includes('Loading')" \
        print "release()" until "${ROWS} === 1 && $(printf "${said}" '#total') === 'none'" \
        block /result-detail.js go "${LANDFALL_URL}/?result=${id}" \
        until "${ROWS} > 0 && $(printf "${said}" '#detail-body').includes('Loading')"
}

@test "printed, an opened result takes its own pages, black on white, and the list its rows" {
    local id
    id="$(send "/callbacks/raw/${INBOX}-paper" --header 'Content-Type: application/json' \
        --data "$(jq --null-input --compact-output '[range(200) | {key: "name\(.)", value: .}] | from_entries')")"
    send_many "${INBOX}-paper" 20
    local colours="getComputedStyle(document.body).color === 'rgb(22, 33, 42)'
        && getComputedStyle(document.body).backgroundColor === 'rgb(255, 255, 255)'"
    browse --dark "/?q=inbox:${INBOX}-paper" \
        until "${ROWS} > 10" paper 1-3 media print \
        until "${colours} && document.querySelector('.search button').offsetHeight === 0" \
        until "document.querySelector('.search input').offsetHeight > 0 && document.querySelector('.day').offsetTop < 150" \
        until "(([time, exact]) => time.offsetHeight === 0 && exact.offsetHeight > 0)(
            document.querySelector('.row-time').children)" \
        until "/^Today · .*\\d{4}/.test(document.querySelector('.day').innerText)" \
        until "(() => { const tops = [...document.querySelectorAll('#rows > li')].map((node) => node.offsetTop);
            return tops.every((top, index) => index === 0 || top > tops[index - 1]); })()" \
        media screen until "document.querySelector('.search button').offsetHeight > 0" \
        go "${LANDFALL_URL}/?q=inbox:${INBOX}-paper&result=${id}" \
        until "document.querySelectorAll('#detail .tree li').length > 100 && $(shows '#detail .road' json)" \
        paper 2-5 media print \
        until "${colours} && document.querySelector('#list').offsetHeight === 0" \
        until "document.querySelector('#detail').offsetHeight === document.querySelector('#detail').scrollHeight" \
        until "document.querySelector('#older').offsetHeight + document.querySelector('.result-actions').offsetHeight < 10"
}

@test "printed, the list has all rows that are loaded, and says so where there are more" {
    send_many "${INBOX}-printed" 700
    local seen="addEventListener('beforeprint', () => { window.printed = [${ROWS}, list.dataset.printed].join(': '); })"
    browse "/?q=inbox:${INBOX}-printed" \
        until "${ROWS} > 5 && $(shows '#total' 700)" \
        until "document.querySelector('#rows').offsetHeight > 600 * 40" \
        print "(window.list = document.querySelector('#rows'), ${seen}, true)" \
        paper 15-60 until "printed === '600: Printed here: the newest 600'" \
        until "${ROWS} < 60" \
        until "(scrollTo(0, list.offsetHeight), list.offsetHeight > 690 * 54)" \
        paper 15-60 until "printed === '700: '" until "${ROWS} < 60"
}

@test "nothing sticks out at 320 pixels for a reader whose default text is twice as large" {
    local bad
    bad="$(send "/callbacks/welltory/${INBOX}-large?stress=0,32&energy=x")"
    browse --width=320 --allow=404 "/?q=inbox:${INBOX}-large" \
        until "${ROWS} === 1" font 32 until "${ROWS} === 1 && ${NOTHING_STICKS_OUT}" \
        until "[...document.querySelectorAll('.views a, .chips select, #show-keys')].every((node) => {
            const { left, right, top, bottom } = node.getBoundingClientRect();
            return left >= 0 && right <= innerWidth && bottom > top; })" \
        axe "large text" \
        go "${LANDFALL_URL}/?result=${bad}" \
        until "document.querySelector('#detail .request-line') && $(shows '#detail .road' url) && ${NOTHING_STICKS_OUT}" \
        go "${LANDFALL_URL}/flows.html" until "$(shows '#refresh' Live) && ${NOTHING_STICKS_OUT}" \
        go "${LANDFALL_URL}/links.html" until "document.querySelector('.site-list') && ${NOTHING_STICKS_OUT}" \
        go "${LANDFALL_URL}/try.html" until "document.querySelector('.launch-form') && ${NOTHING_STICKS_OUT}"
}

@test "a verdict is not cut off where the reader spaces text out" {
    send "/callbacks/ailet/${INBOX}-spaced" --header 'Content-Type: application/json' \
        --data '{"status":"IR_RESULT_EMPTY","photosCounter":4}'
    local spaced="(() => { const sheet = new CSSStyleSheet();
        sheet.replaceSync('* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }');
        document.adoptedStyleSheets = [sheet]; })()"
    local whole="[...document.querySelectorAll('#rows .row-state > *')].every((node) => {
        const [part, row] = [node, node.closest('a')].map((one) => one.getBoundingClientRect());
        return part.right <= row.right && part.bottom <= row.bottom; })"
    browse "/?q=inbox:${INBOX}-spaced" \
        until "$(shows '#rows .badge' 'decoded with warnings')" \
        print "${spaced}" until "${whole}" size 900x700 until "${whole}" size 360x740 until "${whole}"
}

@test "a browser that forbids to notify is said to, visibly, until the reader asks again and it allows it" {
    browse "/?q=inbox:${INBOX}-forbidden" \
        until "$(shows '#refresh' Live)" \
        print "(window.Notification = class {
            static permission = 'denied';
            static async requestPermission() { return Notification.permission; }
        }, true)" \
        click "#notify" \
        until "$(shows '#top' 'doesn’t allow notifications') && !document.querySelector('#notify[aria-pressed=true]')" \
        until "document.querySelector('#announcer').textContent.includes('doesn’t allow')" \
        axe "not allowed" size 700x600 until "${NOTHING_STICKS_OUT}" \
        print "Notification.permission = 'granted'" \
        click "#notify" \
        until "document.querySelector('#notify[aria-pressed=true]') && !$(shows '#top' 'doesn’t allow')"
}

@test "with forced colours, the open layer of a road and the state on a phone are marked by lines" {
    local id width="parseFloat(getComputedStyle(document.querySelector('%s')).borderTopWidth)"
    id="$(send "/callbacks/welltory/${INBOX}-forced?stress=0,32")"
    # shellcheck disable=SC2059
    browse --width=360 "/?result=${id}" \
        until "document.querySelector('#detail .step-view')" colours forced \
        until "$(printf "${width}" '.step[aria-expanded=true]') > $(printf "${width}" '.step[aria-expanded=false]')" \
        key Escape until "$(printf "${width}" .refresh-dot) === 4"
}

@test "without scripts, each view says so and leads to the others, with nothing that does nothing" {
    local page
    for page in / /flows.html /links.html /try.html; do
        browse --scriptless "${page}" \
            until "[...document.querySelectorAll('.top, main')].every((node) => node.checkVisibility())" \
            until "$(shows main 'needs JavaScript') && !$(shows body Loading)" \
            until "document.querySelectorAll('.views a').length === 4" \
            until "[...document.querySelectorAll('button, input, select, textarea')].every((node) => !node.checkVisibility())"
    done
}
