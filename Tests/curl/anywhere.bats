#!/usr/bin/env bats
# Landfall without a configuration: it serves in any folder, commands find the server that runs there, and
# `landfall config` says what is in force.
# Invariant: every test has a folder of its own, in which the program is started.
# Left out: what a configuration file may say (configuration.bats).

# shellcheck disable=SC2016,SC2154 # programs of jq have variables of their own, and bats sets stderr
load setup

setup() {
    HERE="${BATS_TEST_TMPDIR}/here"
    mkdir "${HERE}"
}

# landfall ARGUMENT...: runs the program in ${HERE}; see ${status}, ${output} and ${stderr}.
landfall() {
    run --separate-stderr timeout 60 env --chdir="${HERE}" "${LANDFALL_BIN}" "$@" </dev/null
    echo "landfall $*: exit code ${status}, output '${output}', error output '${stderr}'"
}

# serve_here [OPTION]...: serves in ${HERE} on a free port.
serve_here() {
    export SERVER_DATA="${HERE}/landfall-data" SERVER_LOG="${HERE}/log" SERVER_OUT="${HERE}/out"
    : >"${SERVER_LOG}"
    (cd "${HERE}" && exec "${LANDFALL_BIN}" serve --port 0 "$@") >"${SERVER_OUT}" 2>"${SERVER_LOG}" 3>&- &
    export SERVER_PID=$!
    SERVER_PIDS+=("${SERVER_PID}")
    wait_for_landfall
}

# --- Serving ----------------------------------------------------------------------------------------

@test "serve runs in an empty folder, with the page, and keeps its data in landfall-data" {
    serve_here
    get '/callbacks/welltory?stress=0.32'
    expect_stored decoded '.result.stress == 0.32'
    get /
    expect_status 200
    grep --quiet 'only this machine\|Only this machine' "${SERVER_OUT}"
    [[ "$(ls "${HERE}")" == $'landfall-data\nlog\nout' ]]
    stop_landfall
    landfall results list --json
    [[ "${status}" == 0 ]]
    jq --exit-status '.results[0].result.stress == 0.32' <<<"${output}"
}

@test "the data folder's name may begin like a URI of a file" {
    serve_here --data file:x
    get '/callbacks/welltory?stress=0.32'
    expect_stored decoded '.result.stress == 0.32'
    get /api/v1/results
    expect_json '.results | length == 1'
    landfall results verify --data file:x
    [[ "${status}" == 0 ]]
    stop_landfall
    [[ -s "${HERE}/file:x/index.sqlite" ]]
}

@test "serve takes landfall.yaml of its folder, and LANDFALL_CONFIG before it" {
    printf 'data: kept\n' >"${HERE}/landfall.yaml"
    printf 'data: other\n' >"${HERE}/other.yaml"
    serve_here
    stop_landfall
    [[ -d "${HERE}/kept/results" && ! -e "${HERE}/landfall-data" ]]
    LANDFALL_CONFIG=other.yaml serve_here
    stop_landfall
    [[ -d "${HERE}/other/results" ]]
}

@test "on every address, the greeting and the API name those that other devices reach" {
    LANDFALL_TOKEN=a-token-of-16-characters LANDFALL_PUBLIC_URL=https://landfall.example serve_here --host 0.0.0.0
    grep --quiet 'Other devices reach it at https://landfall.example/' "${SERVER_OUT}"
    get /api/v1/addresses
    expect_problem 401
    get /api/v1/addresses --header 'Authorization: Bearer a-token-of-16-characters'
    expect_status 200
    expect_json '.addresses | (.[0] == {"url": "https://landfall.example", "kind": "configured"})
        and (.[-1] == {"url": $url, "kind": "loopback"})' --arg url "${LANDFALL_URL}"
    get '/api/v1/addresses?x=1' --header 'Authorization: Bearer a-token-of-16-characters'
    expect_problem 400
    stop_landfall
}

# --- Commands find the server -----------------------------------------------------------------------

@test "commands find the server of their folder by themselves" {
    serve_here
    landfall send welltory
    [[ "${status}" == 0 ]]
    landfall results list --json
    [[ "${status}" == 0 ]]
    jq --exit-status '.results | length == 1' <<<"${output}"
    landfall results wait vendor:welltory
    [[ "${status}" == 0 ]]
    landfall health
    [[ "${status}" == 0 && "${output}" == ok ]]
    landfall vendors drift --json
    [[ "${status}" == 0 ]]
    # After the server has ended, the folder is read, and no server is asked.
    stop_landfall
    [[ "$(<"${SERVER_DATA}/LOCK")" == "${SERVER_PID}" ]]
    landfall results list --json
    [[ "${status}" == 0 ]]
}

@test "commands find a server that asks for a token by its configuration" {
    echo 'token: a-token-of-16-characters' >"${HERE}/landfall.yaml"
    serve_here
    landfall results list
    [[ "${status}" == 1 && "${stderr}" == *"No result matches"* ]]
    landfall results list --token another-token-of-16
    [[ "${status}" == 3 && "${stderr}" == *token* ]]
    stop_landfall
}

@test "LANDFALL_SERVER names another server, LANDFALL_TOKEN_FILE has its token, and options win" {
    export LANDFALL_TOKEN=a-token-of-16-characters
    serve_here --host 0.0.0.0
    unset LANDFALL_TOKEN
    mkdir "${HERE}/elsewhere"
    echo a-token-of-16-characters >"${HERE}/elsewhere/token"
    HERE="${HERE}/elsewhere"
    export LANDFALL_SERVER="${LANDFALL_URL}"
    landfall results list
    [[ "${status}" == 3 && "${stderr}" == *token* ]]
    LANDFALL_TOKEN_FILE=token landfall results list
    [[ "${status}" == 1 ]]
    LANDFALL_TOKEN_FILE=nowhere landfall results list
    [[ "${status}" == 3 && "${stderr}" == *nowhere* ]]
    landfall health
    [[ "${status}" == 0 ]]
    LANDFALL_TOKEN_FILE=token landfall trip welltory
    [[ "${status}" == 0 ]]
    # A folder that an option names is not the server's.
    LANDFALL_TOKEN_FILE=token landfall results list --data nothing-here
    [[ "${status}" == 3 && "${stderr}" == *nothing-here* ]]
    stop_landfall
}

@test "health and send turn to the configured port, and not away from a configuration that can't be read" {
    echo 'listen: {port: 1}' >"${HERE}/landfall.yaml"
    landfall health
    [[ "${status}" == 1 && -z "${output}" && "${stderr}" == *'127.0.0.1:1 can'* ]]
    landfall send welltory
    [[ "${status}" == 3 && -z "${output}" && "${stderr}" == *'127.0.0.1:1 can'* ]]
    echo 'listen: {prot: 1}' >"${HERE}/landfall.yaml"
    landfall health
    [[ "${status}" == 3 && -z "${output}" && "${stderr}" == *listen.prot* ]]
    landfall send welltory
    [[ "${status}" == 3 && -z "${output}" && "${stderr}" == *listen.prot* ]]
}

@test "a server that was killed leaves an address that nobody answers at, and its folder is read" {
    serve_here
    get '/callbacks/raw?x'
    kill -KILL "${SERVER_PID}"
    wait_until_gone
    [[ "$(tail -n 1 "${SERVER_DATA}/LOCK")" == "${LANDFALL_URL}" ]]
    landfall results list --json
    [[ "${status}" == 0 ]]
    landfall health
    [[ "${status}" == 1 && "${stderr}" == *127.0.0.1* ]]
}

# --- QR codes ---------------------------------------------------------------------------------------

@test "a QR code leads to the address that another device reaches" {
    export LANDFALL_TOKEN=a-token-of-16-characters
    LANDFALL_PUBLIC_URL=https://landfall.example serve_here --host 0.0.0.0
    landfall launch welltory source=tests --flow --server "${LANDFALL_URL}" --qr
    [[ "${status}" == 0 && -z "${stderr}" && "${lines[0]}" == *landfall.example* ]]
    landfall launch welltory source=tests --flow --server "${LANDFALL_URL}"
    [[ "${status}" == 0 && "${lines[0]}" != *landfall.example* ]]
    post_json /api/v1/launches '{"vendor":"welltory","parameters":{"source":"tests"},"address":"https://evil.example"}' \
        --header 'Authorization: Bearer a-token-of-16-characters'
    expect_problem 400 '.errors[0].name == "address" and (.errors[0].detail | contains("landfall.example"))'
    post_json /api/v1/launches '{"vendor":"welltory","parameters":{"source":"tests"},"address":"https://landfall.example"}' \
        --header 'Authorization: Bearer a-token-of-16-characters'
    expect_status 201
    expect_json '[.callback, .emulator_url] | all(startswith("https://landfall.example/"))'
    stop_landfall
}

@test "a QR code that would lead a phone to itself comes with a warning" {
    serve_here
    landfall launch welltory source=tests --flow --server "${LANDFALL_URL}" --qr
    [[ "${status}" == 0 && "${stderr}" == *"the phone itself"* && "${stderr}" == *"--host 0.0.0.0"* ]]
    landfall launch welltory source=tests --flow --server "${LANDFALL_URL}"
    [[ "${status}" == 0 && -z "${stderr}" ]]
    stop_landfall
}

# --- config -----------------------------------------------------------------------------------------

@test "config show names the value in force and its origin" {
    printf 'listen:\n  port: 9001\n  host: 127.0.0.2\ntoken: a-secret-of-16-characters\n' >"${HERE}/landfall.yaml"
    LANDFALL_HOST=127.0.0.3 landfall config show --json --data elsewhere
    [[ "${status}" == 0 && -z "${stderr}" && "${output}" != *a-secret* ]]
    jq --exit-status '.file == "landfall.yaml" and (.settings | INDEX(.key)
        | .["listen.port"] == {"key": "listen.port", "value": 9001, "from": "file", "file": "landfall.yaml", "line": 2}
        and .["listen.host"] == {"key": "listen.host", "value": "127.0.0.3", "from": "environment", "name": "LANDFALL_HOST"}
        and .data == {"key": "data", "value": "elsewhere", "from": "flag", "name": "--data"}
        and .["log.level"] == {"key": "log.level", "value": "info", "from": "default"}
        and .token == {"key": "token", "hidden": true, "from": "file", "file": "landfall.yaml", "line": 4})' \
        <<<"${output}"
    landfall config show --changed
    [[ "${status}" == 0 && "${#lines[@]}" == 4 && "${output}" == *"9001"*"landfall.yaml:2"* ]]
    [[ "${output}" == *"(hidden)"* && "${output}" != *a-secret* ]]
}

@test "config show without a file lists the defaults" {
    landfall config show
    [[ "${status}" == 0 && "${lines[0]}" == "file: none" ]]
    [[ "${output}" == *'listen.port'*8080*default* && "${output}" == *'data'*landfall-data*default* ]]
}

@test "config init writes a file that check accepts, and never over another one" {
    landfall config init
    [[ "${status}" == 0 && -s "${HERE}/landfall.yaml" ]]
    cp "${HERE}/landfall.yaml" "${HERE}/former"
    landfall config check
    [[ "${status}" == 0 && "${output}" == *"landfall.yaml is valid"* ]]
    landfall config init
    [[ "${status}" == 3 && "${stderr}" == *"exists already"* ]]
    cmp "${HERE}/landfall.yaml" "${HERE}/former"
    landfall config init -
    [[ "${status}" == 0 && "${output}" == "$(<"${HERE}/former")" ]]
    landfall config init nowhere/landfall.yaml
    [[ "${status}" == 3 && "${stderr}" == *nowhere* ]]
}

@test "config init without a name doesn't replace Config/landfall.yaml, and says when its file isn't in force" {
    local path
    mkdir "${HERE}/Config"
    echo 'data: kept' >"${HERE}/Config/landfall.yaml"
    landfall config init
    [[ "${status}" == 3 && ! -e "${HERE}/landfall.yaml" ]]
    [[ "${stderr}" == *"Config/landfall.yaml is used here: change that one."* ]]
    [[ "${stderr}" == *" A landfall.yaml would take its place; "* ]]
    LANDFALL_CONFIG=landfall.yaml landfall config init
    [[ "${output}" == "landfall.yaml is written; landfall config show lists what is in force." ]]
    rm "${HERE}/landfall.yaml"
    LANDFALL_CONFIG=third.yaml landfall config init
    [[ "${output}" == "landfall.yaml is written; landfall serve --config landfall.yaml uses it." ]]
    rm "${HERE}/landfall.yaml"
    landfall config init other.yaml
    [[ "${status}" == 0 && "${output}" == "other.yaml is written; landfall serve --config other.yaml uses it." ]]
    landfall config init landfall.yaml
    [[ "${status}" == 0 && "${output}" == *"; it takes the place of Config/landfall.yaml: landfall config show "* ]]
    for path in ./landfall.yaml "${HERE}/landfall.yaml" Config/../landfall.yaml; do
        rm "${HERE}/landfall.yaml"
        landfall config init "${path}"
        [[ "${output}" == "${path} is written; it takes the place of Config/landfall.yaml: "* ]]
    done
    LANDFALL_CONFIG=./fifth.yaml landfall config init fifth.yaml
    [[ "${output}" == "fifth.yaml is written; landfall config show lists what is in force." ]]
    LANDFALL_CONFIG=third.yaml landfall config init fourth.yaml
    [[ "${output}" == *"landfall serve --config fourth.yaml uses it." ]]
    LANDFALL_CONFIG=third.yaml landfall config init third.yaml
    [[ "${output}" == "third.yaml is written; landfall config show lists what is in force." ]]
}

@test "config check ends with 1 for what a server could not start with" {
    echo 'listen: {prot: 1}' >"${HERE}/landfall.yaml"
    landfall config check
    [[ "${status}" == 1 && -z "${output}" && "${stderr}" == *listen.prot* ]]
    echo 'public: nowhere' >"${HERE}/landfall.yaml"
    landfall config check
    [[ "${status}" == 1 && "${stderr}" == *nowhere* ]]
    mkdir -p "${HERE}/sites/a.example"
    echo '{"applinks":' >"${HERE}/sites/a.example/apple-app-site-association"
    rm "${HERE}/landfall.yaml"
    landfall config check
    [[ "${status}" == 1 && "${stderr}" == *a.example* ]]
    rm -r "${HERE}/sites"
    landfall config check --tls-port 0
    [[ "${status}" == 1 && "${stderr}" == *tls* ]]
    landfall config check
    [[ "${status}" == 0 && ! -e "${HERE}/landfall-data" ]]
}

# --- For people -------------------------------------------------------------------------------------

# on_terminal COLUMNS ARGUMENT...: runs the program in ${HERE} on a terminal of this width; its output is in
# ${BODY}, without carriage returns.
on_terminal() {
    local columns="$1"
    shift
    TERM=xterm python3 - "${columns}" "${HERE}" "${LANDFALL_BIN}" "$@" >"${BODY}" <<'TERMINAL'
import fcntl, os, pty, struct, sys, termios
columns, folder, *command = sys.argv[1:]
process, terminal = pty.fork()
if process == 0:
    fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("4H", 24, int(columns), 0, 0))
    os.chdir(folder)
    os.environ.pop("NO_COLOR", None)
    os.execv(command[0], command)
output = b""
while True:
    try:
        part = os.read(terminal, 65536)
    except OSError:
        break
    if not part:
        break
    output += part
os.waitpid(process, 0)
sys.stdout.write(output.decode().replace("\r", ""))
TERMINAL
}

@test "results list fits the terminal and is coloured there, and only there" {
    serve_here
    get '/callbacks/welltory/a-rather-long-name-of-an-inbox?stress=0.32&energy=0.75'
    get '/callbacks/welltory?stress=0,3'
    stop_landfall
    local columns
    for columns in 80 100 140; do
        on_terminal "${columns}" results list
        grep --quiet $'\033' "${BODY}"
        sed -E $'s/\033\\[[0-9;]*m//g' "${BODY}" >"${SCRATCH}/plain"
        (($(wc --lines <"${SCRATCH}/plain") == 3))
        python3 -c 'import sys; sys.exit(max(len(l.rstrip("\n")) for l in open(sys.argv[1])) > int(sys.argv[2]))' \
            "${SCRATCH}/plain" "${columns}"
        grep --quiet --extended-regexp '[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}' "${SCRATCH}/plain"
    done
    landfall results list
    [[ "${output}" != *$'\033'* && "${output}" == *a-rather-long-name-of-an-inbox*stress*0.32* ]]
    on_terminal 80 results get latest
    grep --quiet $'\033' "${BODY}"
    landfall results get latest
    [[ "${output}" != *$'\033'* && "${output}" == *"model at byte"*"use a point before the decimals, not a comma"* ]]
}

@test "send shows no control character of a response on the terminal, and every byte elsewhere" {
    serve_here
    get /api/v1/receivers/welltory/taken/answer --request PUT --data-binary '{"body":"red \u001b[31m"}'
    expect_status 200
    on_terminal 80 send welltory --to "${LANDFALL_URL}/callbacks/welltory/taken"
    [[ "$(<"${BODY}")" == 'red ?[31m' ]]
    landfall send welltory --to "${LANDFALL_URL}/callbacks/welltory/taken"
    [[ "${status}" == 0 && "${output}" == $'red \033[31m' ]]
    stop_landfall
}

@test "a misspelled command is answered with the likely one, and a wrong argument with its own usage" {
    landfall serv
    [[ "${status}" == 2 && "${stderr}" == *"Did you mean: landfall serve"* ]]
    landfall results lst
    [[ "${status}" == 2 && "${stderr}" == *"Did you mean: landfall results list"* ]]
    landfall trip nope
    [[ "${status}" == 2 && "${stderr}" == *"Usage: landfall trip"* && "${stderr}" == *welltory* ]]
    landfall send nope
    [[ "${status}" == 2 && "${stderr}" == *"Usage: landfall send"* && "${stderr}" == *welltory* ]]
}
