#!/usr/bin/env bats
# The list where there is no result yet, or none that matches, in a real browser.
# Invariant: every test also fails on a console error, a violation of the content security policy or a
# request to another origin, as browser.py looks for those in each run.
# Left out: lists with results (results.bats).

load setup

@test "an empty inbox offers a curl line for each vendor that works, and the rows come by themselves" {
    browse "/?q=inbox:${INBOX}-first" \
        until "document.querySelectorAll('#empty .command').length >= 5" \
        until "document.querySelector('#empty .command button').textContent === 'Copy'" \
        print "[...document.querySelectorAll('#empty .command code')].map((node) => node.textContent).join('\n')" \
        >"${BATS_TEST_TMPDIR}/commands"
    grep --quiet "^curl \"${LANDFALL_URL}/callbacks/welltory/${INBOX}-first?" "${BATS_TEST_TMPDIR}/commands"
    browse "/?q=inbox:${INBOX}-first" \
        until "document.querySelector('#empty code')" \
        run "bash ${BATS_TEST_TMPDIR}/commands" \
        until "${ROWS} === $(wc --lines <"${BATS_TEST_TMPDIR}/commands") && document.querySelector('#empty').hidden"
    [[ "$(curl --silent "${LANDFALL_URL}/api/v1/results?q=inbox:${INBOX}-first" \
        | jq --compact-output '[.results[] | .verdict] | unique')" == '["decoded"]' ]]
}

@test "from one empty inbox to the other, the addresses are those of the inbox that is asked for" {
    browse "/?q=inbox:${INBOX}-one" \
        until "$(shows '#empty' "/callbacks/welltory/${INBOX}-one")" \
        print "(window.requestAnimationFrame = (act) => setTimeout(act, 500), true)" \
        print "$(choose inbox "${INBOX}-two")" \
        until "$(shows '#empty' "/callbacks/welltory/${INBOX}-two") && !$(shows '#empty' "${INBOX}-one")"
}

@test "an empty inbox tells of requests that no receiver took" {
    curl --silent --output /dev/null "${LANDFALL_URL}/callback/welltory/${INBOX}-typo?stress=0.5"
    browse "/?q=inbox:${INBOX}-typo" \
        until "$(shows '#empty' 'to addresses that no receiver has')" \
        click "#empty p a" \
        until "$(shows '#rows' "/callback/welltory/${INBOX}-typo")"
}

@test "an empty inbox offers a sample of each vendor" {
    for vendor in Flux Welltory Ailet Rezolve x-callback-url; do
        browse "/?q=inbox:${INBOX}-sample-${vendor,,}" \
            until "$(shows '#empty' "/callbacks/ailet/${INBOX}-sample")" \
            click "#empty [aria-label='Send a sample of ${vendor}']" \
            until "${ROWS} === 1 && $(shows '#rows' "${vendor}")"
    done
    # Also at an address with credentials in it, which can be no base of a request.
    LANDFALL_URL="${LANDFALL_URL/:\/\//://qa:secret@}" browse "/?q=inbox:${INBOX}-sample-credentials" \
        click "#empty [aria-label='Send a sample of Flux']" \
        until "${ROWS} === 1"
}

@test "an empty store shows a phone the server's address, and warns where only this machine reaches it" {
    local url="${LANDFALL_URL}"
    start_landfall "${BATS_TEST_TMPDIR}/server"
    browse / \
        until "$(shows '#empty .phone' "${LANDFALL_URL}")" \
        until "document.querySelector('#empty .phone .qr-code')?.getBoundingClientRect().width > 100" \
        until "$(shows '#empty .phone' 'from this machine only')" \
        axe first-run colours dark axe first-run-dark size 320x700 until "${NOTHING_STICKS_OUT}"
    stop_landfall
    export LANDFALL_URL="${url}"
}

@test "a query that matches nothing says so, and clearing shows everything" {
    browse "/?q=inbox:${INBOX}-none+vendor:raw" \
        until "$(shows '#empty' 'No result matches')" \
        click "#empty button" \
        until "location.search === '' && document.querySelector('[name=q]').value === '' && document.activeElement.name === 'q'"
}
