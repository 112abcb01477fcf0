# Shared set-up of the page's tests: a server to look at, and a browser to look with.
# Invariant: a server started here gets a free port and a temporary data folder, and is stopped by its
# own process id; a server named by LANDFALL_URL is used as it is and never stopped.
# Left out: starting and stopping a server of our own, which Tests/server.bash does.

PAGE_TESTS="${BATS_TEST_DIRNAME}"
# shellcheck source-path=SCRIPTDIR source=../server.bash
source "${PAGE_TESTS}/../server.bash"

start_server() {
    # Tests share inboxes with nobody, so that a server with results in it can be tested too.
    export INBOX="qa-page-$$-${RANDOM}"
    if [[ -n "${LANDFALL_URL:-}" ]]; then
        export LANDFALL_URL="${LANDFALL_URL%/}"
        wait_for_health
    else
        start_landfall "${BATS_FILE_TMPDIR}/server"
    fi
}

stop_server() {
    stop_landfall
}

# Each file of tests has a server of its own.
setup_file() {
    start_server
}

teardown_file() {
    stop_server
}

# send PATH [CURL OPTION]...: sends a callback, answers with the id of its result.
send() {
    local path="$1"
    shift
    curl --silent --show-error --globoff --max-time 60 "$@" "${LANDFALL_URL}${path}" | jq --raw-output '.id'
}

# send_many INBOX COUNT: so many callbacks of Welltory, over one connection.
send_many() {
    for ((number = 1; number <= $2; number++)); do
        printf 'url = "%s/callbacks/welltory/%s?stress=0.%s&energy=0.75"\noutput = "/dev/null"\n' \
            "${LANDFALL_URL}" "$1" "$((10000 + number))"
    done | curl --silent --max-time 120 --config -
}

# browse [OPTION]... PATH [STEP ARGUMENT]...: see browser.py. Options must come as --name=value or flags.
browse() {
    local options=()
    while [[ "${1:-}" == --* ]]; do
        options+=("$1")
        shift
    done
    local path="$1"
    shift
    timeout 240 "${PAGE_TESTS}/browser.py" "${options[@]}" "${LANDFALL_URL}${path}" "$@" 3>&-
}

# JavaScript for the steps: how many rows are in the document, whether all of what is shown has a place,
# and whether an element's text has a part in it.
export ROWS="document.querySelectorAll('#rows li.row').length"
export NOTHING_STICKS_OUT="document.documentElement.scrollWidth <= document.documentElement.clientWidth \
    && [...document.querySelectorAll('#detail, #detail-body')]
        .every((node) => node.scrollWidth <= node.clientWidth)"
shows() {
    local text
    text="$(jq --null-input --arg text "$2" '$text')"
    printf "(document.querySelector('%s')?.innerText ?? '').includes(%s)" "$1" "${text}"
}

# row ID [PART]: the row of a result, or a part of it, as a selector.
row() {
    printf 'li[data-id="%s"] %s' "$1" "${2:-a}"
}

# hold_back TEXT: the next answer of an address with the text in it comes only with `await release()`, as JavaScript.
hold_back() {
    printf "(window.former = fetch, window.fetch = async (url, options) => {
        const answer = await former(url, options);
        if (!window.release && String(url).includes('%s')) await new Promise((resolve) => {
            window.release = () => (resolve(), new Promise((shown) => setTimeout(shown, 200, true)));
        });
        return answer;
    }, true)" "$1"
}

# choose NAME VALUE: what a person chooses or types in a field of the chips, as JavaScript.
choose() {
    local value
    value="$(jq --null-input --arg value "$2" '$value')"
    printf "(() => { const field = document.querySelector('#chips [name=%s]'); field.value = %s;
        field.dispatchEvent(new Event('change', { bubbles: true })); })()" "$1" "${value}"
}

# button TEXT: presses the button of this text in the panel or the dialog, as JavaScript.
button() {
    printf "([...document.querySelectorAll('#detail button, dialog button')]
        .find((node) => node.textContent === '%s').click(), true)" "$1"
}
