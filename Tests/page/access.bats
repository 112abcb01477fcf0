#!/usr/bin/env bats
# The page for everybody: axe-core in every state, by keyboard alone, and what comes over the wire.
# Invariant: every test also fails on a console error, a violation of the content security policy or a
# request to another origin, as browser.py looks for those in each run.
# Left out: what the states are about (the other files).

load setup

setup_file() {
    start_server
    local inbox="${INBOX}-access"
    export INBOX="${inbox}"
    BAD="$(send "/callbacks/welltory/${inbox}?stress=0,32&energy=x")"
    GOOD="$(send "/callbacks/welltory/${inbox}?stress=0.32&energy=0.75&stress_c=green")"
    RAW="$(send "/callbacks/raw/${inbox}?a=b" --header 'Content-Type: application/json' --data '{"a":[1,null,"x"]}')"
    BOX="$("${LANDFALL_BIN}" send flux --to "${LANDFALL_URL}/callbacks/dimmy/${inbox}" --seed 42 --json |
        jq --raw-output '[.. | .id? // empty][0]')"
    VISIT="$("${LANDFALL_BIN}" send ailet --to "${LANDFALL_URL}/callbacks/ailet/${inbox}" --seed 42 --json |
        jq --raw-output '[.. | .id? // empty][0]')"
    FLOW="$(curl --silent --max-time 60 "${LANDFALL_URL}/api/v1/launches" --data \
        "{\"vendor\":\"dimmy\",\"inbox\":\"${inbox}\",\"parameters\":{\"flowName\":\"Parcel\"}}" | jq --raw-output .flow)"
    send "/callbacks/dimmy/${inbox}/${FLOW}?status=cancelled" >/dev/null
    export BAD GOOD RAW BOX VISIT FLOW
}

# judge NAME PATH UNTIL: axe on the state that PATH leads to, in every scheme and width.
judge() {
    browse --allow=400 --allow=404 "$2" until "$3" \
        axe "$1, light" colours dark axe "$1, dark" colours forced axe "$1, forced colours" \
        colours light size 360x740 until "$3" axe "$1, 360 pixels" size 320x640 until "$3" axe "$1, 320 pixels" \
        size 1440x900 text 200 until "$3" axe "$1, text of 200 per cent"
}

@test "axe finds nothing in the list, a search with a fault and an empty list" {
    judge list "/?q=inbox:${INBOX}" "${ROWS} > 0"
    judge findings "/?q=inbox:${INBOX}" "${ROWS} > 0 && (document.querySelector('#groups').hidden
        && document.querySelector('#show-groups').click(), document.querySelector('#groups li'))"
    judge fault "/?q=foo:bar" "!document.querySelector('#query-fault').hidden"
    judge "first run" "/?q=inbox:${INBOX}-nobody" "document.querySelector('.vendor-cards')"
}

@test "axe finds nothing in results" {
    judge undecodable "/?result=${BAD}" "document.querySelector('#detail .request-line')"
    judge measurement "/?result=${GOOD}" "document.querySelector('#detail .request-line')"
    judge raw "/?result=${RAW}" "document.querySelector('#detail .request-line')"
}

@test "axe finds nothing in a layer of the road that is long enough to scroll" {
    local id
    id="$(send "/callbacks/raw/${INBOX}" --header 'Content-Type: application/json' \
        --data "{\"a\":\"$(printf 'long %.0s' {1..600})\"}")"
    browse "/?result=${id}" \
        click ".road li:last-child .step" \
        until "(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight)(document.querySelector('.step-view pre'))" \
        axe "layer" \
        click ".step-view pre button" until "document.activeElement.matches('.step-view pre')" axe "whole layer"
}

@test "axe finds nothing in cards, and in a result that isn't there" {
    judge box "/?result=${BOX}" "document.querySelector('#detail .request-line')"
    judge visit "/?result=${VISIT}" "document.querySelector('#detail .request-line')"
    judge missing "/?result=019a0000-0000-7000-8000-000000000000" "document.querySelector('#detail [role=alert]')"
}

@test "axe finds nothing in flows" {
    judge flows "/flows.html?inbox=${INBOX}" "document.querySelector('#flows tbody tr')"
    judge flow "/flows.html#${FLOW}" "document.querySelector('#detail .timeline')"
    judge "new launch" "/flows.html#new" "document.querySelector('.launch-form')"
    judge forwarding "/flows.html#forwarding" "document.querySelector('#detail-body p')"
    judge drift "/flows.html#drift" "document.querySelector('#detail .finding-groups')"
}

@test "axe finds nothing in links and in what is tried" {
    judge links "/links.html?url=https%3A%2F%2Fwww.yourapp.com%2Fdds%2F" \
        "document.querySelector('#explanation .badge') && !document.querySelector('[aria-busy]')"
    judge try "/try.html" "document.querySelector('.launch-form') && document.querySelector('#plan-state').textContent"
}

@test "axe finds nothing in dialogs, the comparison and the suggestions" {
    local press="[...document.querySelectorAll('#detail button')].find((node) => node.textContent === '%s').click()"
    local states=()
    for name in 'Erase…' 'Send again…' 'Wait for one like this…'; do
        # shellcheck disable=SC2059
        states+=(print "$(printf "${press}" "${name}")" until "document.querySelector('dialog[open]')"
            axe "${name} light" colours dark axe "${name} dark" colours light key Escape
            until "!document.querySelector('dialog')")
    done
    # shellcheck disable=SC2059
    browse "/?result=${GOOD}" until "document.querySelector('#detail .result-actions')" "${states[@]}" \
        print "$(printf "${press}" 'Compare…')" until "document.querySelector('.differences')" axe comparison \
        size 360x740 axe "comparison, 360 pixels" size 1280x800 \
        click "#show-keys" until "document.querySelector('dialog[open]')" axe keys key Escape
}

@test "everything on the page of results can be done by keyboard alone" {
    local tab=(key Tab)
    browse "/?q=inbox:${INBOX}" \
        until "${ROWS} > 0" \
        key / until "document.activeElement.name === 'q'" \
        key Tab until "document.activeElement.textContent === 'Search'" \
        "${tab[@]}" until "document.activeElement.name === 'kind'" \
        "${tab[@]}" until "document.activeElement.name === 'vendor'" \
        "${tab[@]}" until "document.activeElement.name === 'outcome'" \
        "${tab[@]}" until "document.activeElement.name === 'verdict'" \
        "${tab[@]}" until "document.activeElement.name === 'inbox'" \
        "${tab[@]}" until "document.activeElement.name === 'received_at'" \
        "${tab[@]}" until "document.activeElement.id === 'clear'" \
        "${tab[@]}" until "document.activeElement.textContent === 'NDJSON'" \
        "${tab[@]}" "${tab[@]}" until "document.activeElement.textContent === 'HAR'" \
        "${tab[@]}" until "document.activeElement.id === 'show-groups'" \
        key Enter until "document.activeElement.ariaExpanded === 'true' && document.querySelector('#groups p')" \
        key Enter until "document.querySelector('#groups').hidden" \
        "${tab[@]}" until "document.activeElement.closest('li.row')" \
        key End key Home key ArrowDown key Enter \
        until "document.activeElement.id === 'detail-title'" \
        until "document.querySelector('#detail .result-actions')" \
        "${tab[@]}" "${tab[@]}" until "document.activeElement.id === 'older'" \
        key Enter until "document.querySelector('#detail .result-actions') && !document.querySelector('#detail-body[aria-busy]')" \
        key Escape until "document.querySelector('#detail').hidden && document.activeElement.closest('li.row')" \
        key Enter until "document.querySelector('#detail .result-actions')" \
        until "(document.querySelector('#detail .danger').focus(), document.activeElement.matches('.danger'))" \
        key Enter until "document.activeElement.textContent === 'Keep it'" \
        key Tab until "document.activeElement.textContent === 'Erase'" \
        key Shift+Tab key Enter until "!document.querySelector('dialog')" \
        until "document.activeElement.matches('.danger')" \
        key Escape until "document.querySelector('#detail').hidden" \
        key Home key Shift+Tab until "document.activeElement.id === 'show-groups'" \
        key Shift+Tab key Shift+Tab key Shift+Tab key Shift+Tab until "document.activeElement.id === 'clear'" \
        key Enter until "location.search === ''"
}

@test "the first view takes at most 45 kB over the wire, and every view with all it loads 80 kB" {
    local quiet="until" loaded="document.readyState === 'complete'"
    browse "/?q=inbox:${INBOX}" "${quiet}" "${ROWS} > 0" until "${loaded}" bytes 80000
    local first
    first="$(browse / print "[...document.querySelectorAll('link[rel=stylesheet], link[rel=modulepreload], script[src]')]
        .map((node) => node.href || node.src).join('\\n')" | while read -r url; do
            curl --silent --max-time 60 --header 'Accept-Encoding: gzip' --write-out '%{size_download} %{size_header}\n' \
                --output /dev/null "${url}"
        done | awk '{ sum += $1 + $2 } END { print sum }')"
    echo "the first view takes ${first} bytes"
    ((first > 10000 && first <= 45000))
    for path in "/?result=${BAD}" "/?result=${BOX}" "/?result=${VISIT}" /flows.html "/flows.html#new" \
        "/flows.html#forwarding" "/flows.html#drift" \
        "/links.html?url=https%3A%2F%2Fwww.yourapp.com%2Fdds%2F" /try.html; do
        browse --allow=404 "${path}" until "${loaded}" \
            until "document.querySelector('#detail .request-line, main :not([aria-busy])')" \
            until "new Promise((resolve) => setTimeout(resolve, 1_500, true))" bytes 80000
    done
}
