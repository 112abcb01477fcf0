#!/usr/bin/env bats
# The command line: what each command prints, and its exit codes: 0 yes, 1 no, 2 bad usage, 3 the
# environment does not allow it.
# Invariant: with --json, standard output is one JSON document and nothing else.
# Left out: serve's configuration (configuration.bats) and its stopping (stopping.bats).

# shellcheck disable=SC2016,SC2154 # programs of jq have variables of their own, and bats sets stderr
load setup

setup_file() {
    start_landfall "${BATS_FILE_TMPDIR}/server"
}

teardown_file() {
    stop_landfall
}

# landfall ARGUMENT...: runs the program with a bound; see ${status}, ${output} and ${stderr}.
landfall() {
    run --separate-stderr timeout 20 "${LANDFALL_BIN}" "$@"
    echo "exit code ${status}, output '${output}', error output '${stderr}'"
}

# A port that nobody listens on: bound once, and let go.
closed_port() {
    python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}

GOOD='https://www.yourapp.com/dds/?stress=0.32&energy=0.75'
BAD='https://www.yourapp.com/dds/?stress=0,32'

# --- Help -------------------------------------------------------------------------------------------

@test "every command explains itself with --help" {
    local command
    landfall --help
    [[ "${status}" == 0 && "${output}" == *USAGE* && -z "${stderr}" ]]
    for command in serve send decode health association pattern; do
        landfall --help
        [[ "${output}" == *"  ${command} "* ]]
        landfall "${command}" --help
        [[ "${status}" == 0 && "${output}" == *"USAGE: landfall ${command}"* && -z "${stderr}" ]]
    done
}

@test "--help names every document" {
    local document
    landfall --help
    for document in "${BATS_TEST_DIRNAME}"/../../Documentation/*.md; do
        [[ "${output}" == *"  ${document##*/} "* ]]
    done
}

@test "help on an unknown command is bad usage, and names the likely one" {
    landfall help foo
    [[ "${status}" == 2 && -z "${output}" && "${stderr}" == *"Commands of landfall: serve, "* ]]
    landfall help results lst
    [[ "${status}" == 2 && -z "${output}" && "${stderr}" == *"Did you mean: landfall results list" ]]
    landfall help results list
    [[ "${status}" == 0 && "${output}" == *"USAGE: landfall results list"* ]]
    landfall help help
    [[ "${status}" == 0 && "${output}" == *"USAGE: landfall help"* ]]
}

@test "the version is told" {
    landfall --version
    [[ "${status}" == 0 && "${output}" =~ ^[0-9]+[.][0-9]+[.][0-9]+$ ]]
}

@test "bad usage ends with 2 and says how it is used" {
    local arguments
    while read -r arguments; do
        # shellcheck disable=SC2086 # the words are arguments
        landfall ${arguments}
        [[ "${status}" == 2 ]]
        [[ -z "${output}" && "${stderr}" == *[Uu]sage* ]]
    done <<'USAGES'
nonsense
serve --nonsense
serve --port 70000
serve --port eighty
config check --port 0080
config check --port +80
config check --tls-port 0443
send
send nonsense
send raw
decode
decode --vendor nonsense a
decode a b
health --nonsense
USAGES
}

# --- serve ------------------------------------------------------------------------------------------

@test "serve prints the page's address and three curl lines that work as they stand" {
    grep --fixed-strings "${LANDFALL_URL}/" "${SERVER_OUT}"
    grep --only-matching 'curl .*' "${SERVER_OUT}" >"${SCRATCH}/lines"
    [[ "$(wc --lines <"${SCRATCH}/lines")" == 3 ]]
    sed -n 1p "${SCRATCH}/lines" | timeout 10 bash >"${SCRATCH}/sent"
    jq --exit-status '.verdict == "decoded"' "${SCRATCH}/sent"
    sed -n 2p "${SCRATCH}/lines" | timeout 10 bash | jq --exit-status --slurpfile sent "${SCRATCH}/sent" \
        '.results[0].id == $sent[0].id'
    sed -n 3p "${SCRATCH}/lines" | timeout 10 bash | jq --exit-status --slurpfile sent "${SCRATCH}/sent" \
        '.id == $sent[0].id'
}

# --- send -------------------------------------------------------------------------------------------

@test "send posts the sample of every vendor and prints the reply" {
    local sample vendor contract
    while read -r sample vendor contract; do
        landfall send "${sample}" --to "${LANDFALL_URL}"
        [[ "${status}" == 0 && -z "${stderr}" ]]
        get "/api/v1/results/$(jq --raw-output 'select(.verdict == "decoded") | .id' <<<"${output}")"
        expect_json '.vendor == $vendor and .contract == $contract and .outcome == "completed"
            and .request.method == "POST" and .inbox == "default"' \
            --arg vendor "${vendor}" --arg contract "${contract}"
    done <<'SAMPLES'
welltory welltory welltory-dds
dimmy-2024 dimmy dimmy-2024
flux dimmy flux
ailet ailet ailet-deeplink
SAMPLES
}

@test "send posts to a server with a trailing slash, and to the whole URL of a route" {
    landfall send flux --to "${LANDFALL_URL}/"
    [[ "${status}" == 0 ]]
    landfall send flux --to "${LANDFALL_URL}/callbacks/dimmy/sent"
    [[ "${status}" == 0 ]]
    get '/api/v1/results?inbox=sent'
    expect_json '.results | length == 1 and .[0].contract == "flux"'
}

@test "send ends with 1 when the callback is not decoded or not taken" {
    landfall send flux --to "${LANDFALL_URL}/callbacks/ailet"
    [[ "${status}" == 1 ]]
    jq --exit-status '.verdict == "undecodable"' <<<"${output}"
    landfall send flux --to "${LANDFALL_URL}/callbacks/acme"
    [[ "${status}" == 1 ]]
}

@test "send takes any 2xx as a success, as partners answer" {
    get /api/v1/receivers/welltory/taken/answer --request PUT --data-binary '{"status":204}'
    expect_status 200
    landfall send welltory --to "${LANDFALL_URL}/callbacks/welltory/taken"
    [[ "${status}" == 0 ]]
}

@test "send ends with 3 and a sentence when nobody answers" {
    local port
    port="$(closed_port)"
    landfall send welltory --to "http://127.0.0.1:${port}"
    [[ "${status}" == 3 && -z "${output}" && "${#stderr_lines[@]}" == 1 && "${stderr}" == *"${port}"* ]]
    landfall send welltory --to nonsense
    [[ "${status}" != 0 && -z "${output}" && -n "${stderr}" ]]
}

# --- decode -----------------------------------------------------------------------------------------

@test "decode says what a good URL says, and ends with 0" {
    landfall decode "${GOOD}"
    [[ "${status}" == 0 && -z "${stderr}" ]]
    [[ "${output}" == *welltory-dds* && "${output}" == *completed* && "${output}" == *decoded* ]]
    [[ "${output}" == *'"stress":0.32'* ]]
}

@test "the examples in the help of decode can be decoded" {
    local example
    landfall decode --help
    grep '^  landfall decode ' <<<"${output}" >"${SCRATCH}/examples"
    (($(wc --lines <"${SCRATCH}/examples") == 2))
    while read -r example; do
        eval "${example}"
        [[ "${status}" == 0 && "${output}" == *"verdict   decoded"* ]]
    done <"${SCRATCH}/examples"
}

@test "decode says what is wrong with a bad URL and where, and ends with 1" {
    landfall decode --vendor welltory "${BAD}"
    [[ "${status}" == 1 && "${output}" == *undecodable* ]]
    [[ "${output}" == *'0,32'* && "${output}" == *36* && "${output}" == *'decimal number'* ]]
}

@test "decode --json prints one document for good and bad URLs" {
    landfall decode --json "${GOOD}"
    [[ "${status}" == 0 && -z "${stderr}" ]]
    jq --exit-status --slurp 'length == 1 and (.[0] | .verdict == "decoded" and .outcome == "completed"
        and .contract == "welltory-dds" and .result == {"stress":0.32,"energy":0.75}
        and ([.diagnostics[].severity] == ["info"]))' <<<"${output}"
    landfall decode --json --vendor welltory "${BAD}"
    [[ "${status}" == 1 && -z "${stderr}" ]]
    jq --exit-status --slurp 'length == 1 and (.[0] | .verdict == "undecodable" and .result == null
        and any(.diagnostics[]; .layer == "model" and .offset == 36))' <<<"${output}"
}

@test "decode knows whose callback it is by its parameters, also when they can't be decoded" {
    local url contract
    while read -r url contract; do
        landfall decode --json "${url}"
        [[ "${status}" == 1 ]]
        jq --exit-status --arg contract "${contract}" '.contract == $contract' <<<"${output}"
    done <<'URLS'
https://a/?stress=0,32 welltory-dds
https://a/?stress=high&energy=low&productivity=none welltory-dds
https://a/?response=*** dimmy-2024
https://a/?status=completed&response=*** flux
myapp:?result=%7B ailet-deeplink
myapp:?report=%ZZ ailet-deeplink
URLS
}

@test "decode - reads the URL from standard input" {
    landfall decode --json - <"${FIXTURES}/welltory-callback.txt"
    [[ "${status}" == 0 ]]
    jq --exit-status '.result.power == 100' <<<"${output}"
    landfall decode - <<<"${BAD}"
    [[ "${status}" == 1 ]]
}

@test "decode knows the published URLs by themselves" {
    local fixture contract
    while read -r fixture contract; do
        landfall decode --json "$(<"${FIXTURES}/${fixture}")"
        [[ "${status}" == 0 ]]
        jq --exit-status --arg contract "${contract}" '.contract == $contract and .outcome == "completed"' \
            <<<"${output}"
    done <<'URLS'
welltory-callback.txt welltory-dds
dimmy-2024-callback.txt dimmy-2024
flux-callback.txt flux
URLS
}

@test "decode takes links of an app's own scheme, in every form that vendors write" {
    local start report
    report="$(escaped "$(<"${FIXTURES}/ailet-report-with-task.json")")"
    for start in 'myapp:?' 'myapp://?' 'myapp://report?'; do
        landfall decode --json "${start}result=${report}"
        [[ "${status}" == 0 ]]
        jq --exit-status '.contract == "ailet-deeplink" and .result.task_id == "TASKID1"' <<<"${output}"
    done
}

@test "decode reads a link of 101 kB from standard input" {
    jq --raw-output '.report.custom = [range(8000) | "filler"]
        | "myapp:?result=" + (@json | @uri)' "${FIXTURES}/ailet-report-with-task.json" >"${SCRATCH}/url"
    (($(wc --bytes <"${SCRATCH}/url") > 101000))
    landfall decode --json - <"${SCRATCH}/url"
    [[ "${status}" == 0 ]]
    jq --exit-status '.result.report.custom | length == 8000' <<<"${output}"
}

@test "decode --vendor asks that vendor's contract only" {
    landfall decode --json --vendor ailet "${GOOD}"
    [[ "${status}" == 1 ]]
    jq --exit-status '.contract == "ailet-deeplink" and .verdict == "undecodable"' <<<"${output}"
}

@test "decode takes parameters alone and JSON bodies, and goes by a contract" {
    landfall decode --json 'status=cancelled&order=5'
    [[ "${status}" == 0 ]]
    jq --exit-status '.vendor == "dimmy" and .contract == "flux" and .outcome == "cancelled"' <<<"${output}"
    landfall decode --json - <<<'{"status":"IR_RESULT_OK",
        "photosCounter":1}'
    [[ "${status}" == 0 ]]
    jq --exit-status '.contract == "ailet-deeplink" and .result.photosCounter == 1' <<<"${output}"
    landfall decode --json --contract flux '{"dimensioning":[]}'
    jq --exit-status '.contract == "flux"' <<<"${output}"
    landfall decode --vendor ailet --contract flux '{}'
    [[ "${status}" == 2 && "${stderr}" == *"flux is not a contract of ailet"* ]]
    landfall decode - <<<$'a:?stress=1\na:?stress=2'
    [[ "${status}" == 2 && "${stderr}" == *"Expected one line"* ]]
}

@test "decode says where the parameters are when they are in no query" {
    local url code
    while read -r url code; do
        landfall decode --json "${url}"
        [[ "${status}" == 1 ]]
        jq --exit-status --arg code "${code}" '.vendor == "welltory" and any(.diagnostics[]; .code == $code)' \
            <<<"${output}"
    done <<'URLS'
ddsdemo://M#stress=0.5 parameters_in_fragment
ddsdemo://M&stress=0.5 missing_question_mark
ddsdemo://M/stress=0.5 missing_question_mark
ddsdemo://M?stress%3D0.5 escaped_separators
URLS
    landfall decode --json 'https://example.com/?a=b'
    [[ "${status}" == 1 ]]
    jq --exit-status '.vendor == null and .diagnostics[0].code == "unknown_vendor"' <<<"${output}"
}

@test "decode reports broken JSON of no known vendor where it is broken" {
    landfall decode --json '{"stress":0.3,}'
    [[ "${status}" == 1 ]]
    jq --exit-status '.vendor == null and (.diagnostics | map(.code) == ["broken_json", "unknown_vendor"]
        and all(.part == "body") and .[0].offset == 13)' <<<"${output}"
}

@test "decode says that a list is decoded one element at a time" {
    landfall decode '[{"stress":0.3}]'
    [[ "${status}" == 1 && "${output}" == *'one element at a time'* ]]
    landfall decode --vendor welltory '[{"stress":0.3}]'
    [[ "${status}" == 1 && "${output}" == *'one element at a time'* ]]
}

@test "decode shows no control characters, and pointer as well as byte" {
    landfall decode "x:?stress=%1b%5b31mRED&"$'\e[2J'"foo=1"
    [[ "${output}" != *$'\e'* ]]
    landfall decode 'x:?result={"status":5}'
    [[ "${output}" == *"/status at byte"* ]]
}

@test "the API decodes URLs and bodies without storing them" {
    local before
    get /api/v1/stats
    before="$(jq .last_seq "${BODY}")"
    post_json /api/v1/decode '{"url":"https://www.yourapp.com/dds/?stress=0,32"}'
    expect_status 200
    expect_json '.vendor == "welltory" and .verdict == "undecodable" and .diagnostics[0].offset == 36'
    post_json /api/v1/decode '{"vendor":"dimmy","contract":"flux","body":"status=cancelled"}'
    expect_json '.contract == "flux" and .outcome == "cancelled" and .verdict == "decoded"'
    post_json /api/v1/decode '{"vendor":"ailet","body":"{\"status\":\"IR_RESULT_EMPTY\",\"password\":\"hush\"}"}'
    expect_json '.outcome == "empty" and .result.password == "[redacted]"'
    for body in '{"url":"x","vendr":1}' '{"url":"x","vendor":"acme"}' '{"url":5}' '[]'; do
        post_json /api/v1/decode "${body}"
        expect_problem 400
    done
    for body in '{}' '{"url":"a:?b=1\na:?c=1"}' '{"url":"x","vendor":"ailet","contract":"flux"}'; do
        post_json /api/v1/decode "${body}"
        expect_problem 422
    done
    get /api/v1/decode
    expect_problem 405
    get /api/v1/stats
    expect_json ".last_seq == ${before}"
}

@test "decode hides credentials" {
    landfall decode --json 'myapp:?login=s3cret-1&password=s3cret-2&result=%7B%22status%22%3A%22IR_RESULT_OK%22%7D'
    [[ "${status}" == 0 && "${output}" != *s3cret* ]]
}

# --- health -----------------------------------------------------------------------------------------

@test "a command that can't write its answer ends with 3" {
    local command
    for command in "decode ${GOOD}" "pattern match /a/* /a/b" "health --server ${LANDFALL_URL}"; do
        # shellcheck disable=SC2086 # the words of a command
        run timeout 20 bash -c '"$@" >/dev/full' - "${LANDFALL_BIN}" ${command}
        [[ "${status}" -eq 3 && "${output}" == *"can't be written to"* ]] || fail "${command}: ${status} ${output}"
        # A closed output doesn't count as one that takes everything.
        # shellcheck disable=SC2086 # the words of a command
        run timeout 20 bash -c '"$@" >&-' - "${LANDFALL_BIN}" ${command}
        [[ "${status}" -eq 3 && "${output}" == *"can't be written to"* ]] || fail "${command}: ${status} ${output}"
    done
}

@test "what a command refuses after its start is answered with its own usage" {
    landfall send welltory --scenario nonsense
    [[ "${status}" == 2 && "${stderr}" == *"Usage: landfall send <vendor>"* ]]
    landfall launch check 'https://a.example' --contract nonsense
    [[ "${status}" == 2 && "${stderr}" == *"Usage: landfall launch check <url>"* ]]
}

@test "with --json, arguments that can't be parsed are answered with a document too" {
    local command
    for command in 'results list --nope' 'results list --limit many' decode 'results get' 'doctor --nope' \
        'send welltory --scenario nonsense'; do
        # shellcheck disable=SC2086 # the words of a command
        landfall ${command} --json
        ((status == 2)) && [[ -n "${stderr}" ]] || fail "${command}: ${status} ${output}"
        jq --slurp --exit-status 'length == 1 and .[0].type == "urn:landfall:problem:usage" and .[0].detail != ""' \
            <<<"${output}" || fail "${command}: ${output}"
    done
}

@test "a --server that is no URL of a server is bad usage, whatever the command" {
    local command server id=019a8f6e-4b1c-7c3e-9d56-0242ac120002
    echo '{}' >"${SCRATCH}/file"
    while read -r command; do
        for server in nonsense ftp://localhost 'http://127.0.0.1:1/?a=b' 'http://127.0.0.1:1/#top'; do
            # shellcheck disable=SC2086 # the words of a command
            landfall ${command} --server "${server}"
            [[ "${status}" == 2 && -z "${output}" && "${stderr}" == *"--server: "* ]] \
                || fail "${command} --server ${server}: ${status} ${stderr}"
        done
    done <<COMMANDS
health
trip welltory
test ${SCRATCH}/file
launch flux flowName=a --flow
association diff ${SCRATCH}/file ${SCRATCH}/file
vendors drift
deliveries list
deliveries retry
results list
results get ${id}
results wait
results export
results import ${SCRATCH}/file
results adopt ${id} --vendor welltory
results erase ${id} --yes
results compact
results verify
results redecode
COMMANDS
}

@test "a LANDFALL_SERVER that is no URL of a server is a fault of the environment" {
    local command
    echo 'flows: [{launch: welltory}]' >"${SCRATCH}/flows.yaml"
    while read -r command; do
        # shellcheck disable=SC2086 # the words of a command
        LANDFALL_SERVER=nonsense landfall ${command}
        [[ "${status}" == 3 && -z "${output}" && "${stderr}" == *"LANDFALL_SERVER: "* ]] \
            || fail "${command}: ${status} ${stderr}"
    done <<COMMANDS
health
send welltory
trip welltory
test ${SCRATCH}/flows.yaml
results list
COMMANDS
}

@test "what a shell's <(command) hands over is read like a file" {
    local file=Config/sites/www.yourapp.com/apple-app-site-association
    landfall association lint <(cat "${REPOSITORY}/${file}")
    [[ "${status}" == 0 && -z "${stderr}" ]]
    landfall association explain --association <(cat "${REPOSITORY}/${file}") "${GOOD}"
    [[ "${status}" == 0 && -z "${stderr}" ]]
    landfall config check --config <(echo 'nonsense: 1')
    [[ "${status}" != 0 && "${stderr}${output}" == *nonsense* ]]
    landfall test <(echo 'flows: none')
    [[ "${status}" == 2 && "${stderr}" == *"expected flows: a list"* ]]
}

@test "standard input that can't be read is said in a sentence" {
    local command expected
    while read -r expected command; do
        # shellcheck disable=SC2086 # the words of a command
        landfall ${command} </
        [[ "${status}" == "${expected}" && -z "${output}" && "${#stderr_lines[@]}" == 1
            && "${stderr}" == *"standard input can't be read: is a directory." ]] \
            || fail "${command}: ${status} ${stderr}"
    done <<'COMMANDS'
3 decode -
3 launch check -
3 token inspect -
3 test -
2 association lint -
COMMANDS
    run --separate-stderr "${LANDFALL_BIN}" results import - --data "${SCRATCH}/imported" </
    [[ "${status}" == 3 && "${stderr}" == *"standard input can't be read: is a directory"* ]]
}

@test "a file of flows that is not there is said in a sentence" {
    landfall test "${SCRATCH}/nowhere.yaml"
    [[ "${status}" -eq 3 && "${stderr}" == *nowhere.yaml* && "${stderr}" != *NSCocoa* ]]
}

@test "with --json, a command that fails prints its reason as one document too" {
    local server flows command expected
    server="http://127.0.0.1:$(closed_port)"
    flows="${SCRATCH}/flows.yaml"
    echo 'flows: [{launch: welltory}]' >"${flows}"
    echo 'flows: none' >"${SCRATCH}/wrong.yaml"
    echo '{}' >"${SCRATCH}/file"
    while read -r expected command; do
        # shellcheck disable=SC2086 # the words of a command
        landfall ${command} --json
        [[ "${status}" -eq "${expected}" && -n "${stderr}" ]] || fail "${command}: ${status} ${stderr}"
        jq --exit-status --slurp 'length == 1 and (.[0].detail | type == "string")' <<<"${output}" \
            || fail "${command}: ${output}"
    done <<COMMANDS
3 trip welltory --server ${server}
3 test ${flows} --server ${server}
2 test ${SCRATCH}/wrong.yaml
3 test ${SCRATCH}/nowhere.yaml
3 send welltory --to ${server}
3 association diff ${SCRATCH}/file ${SCRATCH}/file --server ${server}
3 config show --config ${SCRATCH}/nowhere.yaml
3 certs init --folder /dev/null
3 pattern route ${GOOD} --config ${SCRATCH}/nowhere.yaml
3 launch check ${GOOD} --config ${SCRATCH}/nowhere.yaml
COMMANDS
}

@test "trip --scenarios --json prints one document" {
    landfall trip welltory --scenarios --json
    [[ "${status}" -eq 0 ]]
    jq --exit-status '[.scenarios[].scenario] | index("completed") != null' <<<"${output}"
}

@test "health ends with 0 when the server is well" {
    landfall health --server "${LANDFALL_URL}"
    [[ "${status}" == 0 && -z "${stderr}" ]]
}

@test "health ends with 1 and a sentence when there is none" {
    landfall health --server "http://127.0.0.1:$(closed_port)"
    [[ "${status}" == 1 && -z "${output}" && "${#stderr_lines[@]}" == 1 ]]
}
