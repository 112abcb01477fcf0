#!/usr/bin/env bats
# Results in a PostgreSQL: everything that is asked of them, two servers on one database, addresses that can't be used,
# and a database that stops while servers run.
# Invariant: an address that can't be used is refused at the start with one sentence and exit code 3; while the
# database is away, callbacks are kept and queries learn when to come again.
# Left out: load, kills and a promoted standby (Tests/scale).

# shellcheck disable=SC2016 # programs of jq have variables of their own
# shellcheck disable=SC2154 # bats sets stderr
load setup

setup_file() {
    # PostgreSQL's own user has to reach it, which the folders of bats don't let in.
    DATABASE="$(mktemp --dry-run --tmpdir landfall-database-XXXXXX)"
    export DATABASE
    "${REPOSITORY}/Tests/postgresql/start" "${DATABASE}" "$$" fsync=off 3>&-
}

setup() {
    control status || control start
    FOLDER="${BATS_TEST_TMPDIR}/server"
    # A database of the test's own.
    NAME="test${BATS_TEST_NUMBER}"
    sql postgres "CREATE DATABASE ${NAME}"
    STORE="$(store "${NAME}")"
}

teardown() {
    if ((${#SERVER_PIDS[@]} > 0)); then kill -KILL "${SERVER_PIDS[@]}" 2>/dev/null || true; fi
    umount --lazy "${FOLDER}-one/data/spool" 2>/dev/null || true
}

# --- The database -----------------------------------------------------------------------------------

# sql NAME TEXT
sql() {
    psql --no-psqlrc --quiet --tuples-only --no-align --host "${DATABASE}" --username postgres --dbname "$1" \
        --command "$2"
}

# store NAME: the address of a database.
store() {
    printf 'postgres:///%s?host=%s&user=postgres' "$1" "${DATABASE}"
}

# control ACTION...
control() {
    "${REPOSITORY}/Tests/postgresql/control" "${DATABASE}" "$@"
}

# end_connections NAME: refuses new connections, and ends those that there are.
end_connections() {
    sql postgres "ALTER DATABASE $1 ALLOW_CONNECTIONS false"
    sql postgres "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = '$1'" >/dev/null
}

# make_standby: a copy of the test's database that gets nothing from now on.
make_standby() {
    end_connections "${NAME}"
    sql postgres "CREATE DATABASE ${NAME}_standby TEMPLATE ${NAME}"
    sql postgres "ALTER DATABASE ${NAME} ALLOW_CONNECTIONS true"
}

# promote_standby: puts it in the place of the test's database.
promote_standby() {
    end_connections "${NAME}"
    end_connections "${NAME}_standby"
    sql postgres "ALTER DATABASE ${NAME} RENAME TO ${NAME}_lost"
    sql postgres "ALTER DATABASE ${NAME}_standby RENAME TO ${NAME}"
    sql postgres "ALTER DATABASE ${NAME} ALLOW_CONNECTIONS true"
}

# --- The server -------------------------------------------------------------------------------------

# start_shared NAME [OPTION]...: a server of its own folder and name on the test's database.
start_shared() {
    local name="$1"
    shift
    LANDFALL_STORE="${STORE}" start_landfall "${FOLDER}-${name}" "$@"
}

# post INBOX: its id is printed.
post() {
    post_form "/callbacks/raw/$1" "number=$1"
    expect_status 201
    jq --raw-output .id "${BODY}"
}

# refused PART...: a server with ${STORE} ends with 3 and one line that has all parts, and no password.
refused() {
    local part
    run --separate-stderr env LANDFALL_STORE="${STORE}" timeout 30 "${LANDFALL_BIN}" serve \
        --config "${REPOSITORY}/Config/landfall.yaml" --host 127.0.0.1 --port 0 --data "${FOLDER}/data"
    echo "exit code ${status}, output '${output}', error output '${stderr}'"
    [[ "${status}" == 3 ]]
    [[ -z "${output}" && "${stderr}" != *listening* && "${stderr}" != *very-secret* ]]
    [[ "${#stderr_lines[@]}" == 1 ]]
    for part in "$@"; do
        [[ "${stderr}" == *"${part}"* ]] || { echo "'${part}' is missing"; return 1; }
    done
}

# expect_soon PATH STATUS [PROGRAM]: asks until the answer is so.
expect_soon() {
    local attempt
    for ((attempt = 0; attempt < 300; attempt++)); do
        get "$1"
        if [[ "${STATUS}" == "$2" ]] && jq --exit-status "${3:-true}" "${BODY}" >/dev/null 2>&1; then return; fi
        sleep 0.1
    done
    fail "$1 did not become $2 with ${3:-any content} within 30 s"
}

# expect_drained FOLDER: waits until nothing is in this spool any more.
expect_drained() {
    local attempt
    for ((attempt = 0; attempt < 300; attempt++)); do
        if [[ "$(ls "$1")" == reached ]]; then return; fi
        sleep 0.1
    done
    echo "in $1 there is still: $(ls -R "$1")"
    return 1
}

# metric SERIES: its value in the last scrape.
metric() {
    awk -v series="$1" 'substr($0, 1, length(series) + 1) == series " " { print $NF }' "${BODY}"
}

# --- Round trip -------------------------------------------------------------------------------------

@test "a result in the database is found, listed, waited for, counted and exported, and survives a restart" {
    local id
    start_shared one
    # The data folder says where the server is.
    LANDFALL_DATA="${FOLDER}-one/data" "${LANDFALL_BIN}" health
    LANDFALL_STORE="${STORE}" LANDFALL_DATA="${FOLDER}-one/data" "${LANDFALL_BIN}" results wait inbox:here --none \
        --within 10ms
    "${LANDFALL_BIN}" deliveries list --data "${FOLDER}-one/data"
    post_form /callbacks/welltory/here "stress=0.32&energy=0.75"
    expect_stored decoded '.inbox == "here" and .result.stress == 0.32'
    id="$(jq --raw-output .id "${BODY}")"
    post there >/dev/null
    get '/api/v1/results?inbox=here'
    expect_json '.total.count == 1 and (.results | length) == 1 and .results[0].id == $id' --arg id "${id}"
    get '/api/v1/results?result.stress=gte:0.3'
    expect_json '[.results[].id] == [$id]' --arg id "${id}"
    get '/api/v1/results/wait?inbox=here&within=10s'
    expect_status 200
    expect_json '.results[0].id == $id' --arg id "${id}"
    get /api/v1/stats
    expect_status 200
    expect_json '[.. | .count? // empty] | length > 0'
    get '/api/v1/inboxes'
    expect_json '[.inboxes[].name] == ["here", "there"]'
    get '/api/v1/export?format=ndjson'
    expect_status 200
    [[ "$(jq --raw-output .id "${BODY}" | wc --lines)" == 2 ]]
    stop_landfall
    start_shared one
    get "/api/v1/results/${id}"
    expect_status 200
    stop_landfall
    run -3 "${LANDFALL_BIN}" deliveries list --data "${FOLDER}-one/data"
    [[ "${output}" == *"No server runs on ${FOLDER}-one/data"* ]]
    # What is in the database is not in the folder too.
    [[ -z "$(find "${FOLDER}-one/data" -name '*.jsonl' -size +0)" ]]
}

@test "an erased result is gone, and so is an erased inbox" {
    local id
    start_shared one
    id="$(post kept)"
    post kept
    post other
    get "/api/v1/results/${id}" --request DELETE
    expect_status 204
    get "/api/v1/results/${id}"
    expect_status 404
    get /api/v1/inboxes/other --request DELETE
    expect_status 200
    get /api/v1/results
    expect_json '.total.count == 1'
    [[ "$(sql "${NAME}" 'SELECT count(*) FROM landfall.results')" == 1 ]]
    stop_landfall
}

@test "an export of a database goes into files, and back into another database, with its ids" {
    start_shared one
    post first
    post second
    get '/api/v1/export?format=ndjson'
    cp "${BODY}" "${SCRATCH}/exported"
    stop_landfall
    start_landfall "${FOLDER}-files"
    get /api/v1/import --request POST --header 'Content-Type: application/x-ndjson' \
        --data-binary "@${SCRATCH}/exported"
    expect_json '.imported == 2'
    stop_landfall
    sql postgres "CREATE DATABASE ${NAME}b"
    STORE="$(store "${NAME}b")" start_shared two
    get /api/v1/import --request POST --header 'Content-Type: application/x-ndjson' \
        --data-binary "@${SCRATCH}/exported"
    expect_json '.imported == 2'
    get '/api/v1/results?fields=id&sort=seq' --header 'Accept: application/x-ndjson'
    cmp <(jq --raw-output .id "${BODY}") <(jq --raw-output .id "${SCRATCH}/exported")
    stop_landfall
}

@test "the store is verified and compacted, and the metrics and the readiness know it" {
    start_shared one
    post one
    get /api/v1/store/verify --request POST
    expect_status 200
    expect_json '.sound'
    get /api/v1/store/compact --request POST
    expect_status 200
    expect_json '(.failures | length) == 0'
    get /readyz
    expect_status 200
    expect_json '.status == "ready" and any(.checks[]; .name == "database" and .status == "pass")'
    get /metrics
    expect_status 200
    [[ -n "$(grep --count '^landfall_' "${BODY}")" ]]
    promtool check metrics <"${BODY}"
    stop_landfall
}

@test "metrics don't wait for a database that hangs or is away, and leave out what is in it" {
    local holder attempt
    start_shared one
    post one
    sql "${NAME}" 'BEGIN; LOCK TABLE landfall.facets; SELECT pg_sleep(300)' >/dev/null 2>&1 3>&- &
    holder=$!
    for ((attempt = 0; attempt < 1000; attempt++)); do
        [[ "$(sql "${NAME}" "SELECT count(*) FROM pg_locks WHERE relation = 'landfall.facets'::regclass AND granted
            AND mode = 'AccessExclusiveLock'")" == 1 ]] && break
        sleep 0.02
    done
    # A query may take 30 s.
    get /metrics --max-time 25
    expect_status 200
    [[ "$(metric landfall_store_database_down)" == 0 && -n "$(metric process_open_fds)" ]]
    [[ -z "$(metric 'landfall_store_records{kind="callback"}')" ]]
    sql postgres "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
        WHERE query LIKE '%pg_sleep(300)%' AND pid <> pg_backend_pid()"
    wait "${holder}" || true
    for ((attempt = 0; attempt < 1000; attempt++)); do
        get /metrics
        [[ "$(metric 'landfall_store_records{kind="callback"}')" == 1 ]] && break
        sleep 0.1
    done
    [[ "$(metric 'landfall_store_records{kind="callback"}')" == 1 && -n "$(metric landfall_store_segment_bytes)" ]]
    control stop --mode=immediate
    expect_soon /readyz 503
    get /metrics
    expect_status 200
    [[ "$(metric landfall_store_database_down)" == 1 && -z "$(metric landfall_store_segment_bytes)" ]]
}

# --- Two servers ------------------------------------------------------------------------------------

@test "what one server stores the other one has at once, and a wait and a stream of it wake" {
    local first id waiter reader attempt
    start_shared one
    first="${LANDFALL_URL}"
    start_shared two
    id="$(LANDFALL_URL="${first}" post here)"
    get "/api/v1/results/${id}"
    expect_status 200
    # The second server's.
    "${CURL[@]}" --output "${SCRATCH}/waited" "${LANDFALL_URL}/api/v1/results/wait?inbox=later&within=50s" 3>&- &
    waiter=$!
    : >"${SCRATCH}/events"
    curl --silent --no-buffer --max-time 60 --output "${SCRATCH}/events" \
        "${LANDFALL_URL}/api/v1/results/stream?inbox=later" 3>&- &
    reader=$!
    for ((attempt = 0; attempt < 3000; attempt++)); do
        [[ -s "${SCRATCH}/events" ]] && break
        sleep 0.02
    done
    id="$(LANDFALL_URL="${first}" post later)"
    wait "${waiter}"
    [[ "$(jq --raw-output '.results[0].id' "${SCRATCH}/waited")" == "${id}" ]]
    for ((attempt = 0; attempt < 3000; attempt++)); do
        grep --quiet --fixed-strings "${id}" "${SCRATCH}/events" && break
        sleep 0.02
    done
    kill -KILL "${reader}"
    [[ "$(grep --count --fixed-strings "\"id\":\"${id}\"" "${SCRATCH}/events")" == 1 ]]
    # Erased by one, gone at the other.
    LANDFALL_URL="${first}" get "/api/v1/results/${id}" --request DELETE
    expect_status 204
    get "/api/v1/results/${id}"
    expect_status 404
}

@test "a repeated request with its key is one result, whichever server it comes to" {
    local first id
    start_shared one
    first="${LANDFALL_URL}"
    start_shared two
    LANDFALL_URL="${first}" post_form /callbacks/raw/keyed same --header 'Idempotency-Key: k-1'
    expect_status 201
    id="$(jq --raw-output .id "${BODY}")"
    post_form /callbacks/raw/keyed same --header 'Idempotency-Key: k-1'
    expect_json '.id == $id' --arg id "${id}"
    get '/api/v1/results?inbox=keyed'
    expect_json '.total.count == 1'
}

# Starts two servers, the second one as LANDFALL_URL. Launches a flow at the first one and ends it at the second;
# sets `first` and `flow`.
end_flow_at_the_other() {
    start_shared one
    first="${LANDFALL_URL}"
    start_shared two
    LANDFALL_URL="${first}" post_json /api/v1/launches \
        '{"vendor":"flux","inbox":"trip","parameters":{"flowName":"Box","code":42}}'
    expect_status 201
    flow="$(jq --raw-output .flow "${BODY}")"
    post_form "/callbacks/flux/trip/${flow}" status=cancelled
}

@test "a launch at one server is answered by a callback at the other" {
    local first flow
    end_flow_at_the_other
    expect_status 201
    for url in "${first}" "${LANDFALL_URL}"; do
        LANDFALL_URL="${url}" expect_soon "/api/v1/flows/${flow}" 200 '.state == "returned" and .outcome == "cancelled"'
    done
}

@test "a flow whose end one server erases can end again at the other" {
    local first flow id
    end_flow_at_the_other
    expect_json '.flow == $flow' --arg flow "${flow}"
    id="$(jq --raw-output .id "${BODY}")"
    LANDFALL_URL="${first}" get "/api/v1/results/${id}" --request DELETE
    expect_status 204
    post_form "/callbacks/flux/trip/${flow}" 'status=cancelled&again=1'
    expect_json '.flow == $flow' --arg flow "${flow}"
}

@test "a launch with a number that a promoted standby gave again is answered" {
    local one flow number
    launch() {
        post_json /api/v1/launches '{"vendor":"ailet","inbox":"in","parameters":{"method":"visit","login":"u",
            "password":"p","store_id":"1","visit_id":"'"$1"'","user_id":"9"}}'
        expect_status 201
        flow="$(jq --raw-output .flow "${BODY}")"
    }
    answer() {
        post_json /callbacks/ailet/in '{"status":"success","visit_id":"'"$1"'","result":{"visit_id":"'"$1"'"}}'
        expect_json '.flow == $flow' --arg flow "${flow}"
    }
    start_shared one
    one="${LANDFALL_URL}"
    make_standby
    expect_soon /readyz 200 'all(.checks[]; .status == "pass")'
    # It reads up to a number that the standby doesn't reach.
    for number in 1 2 3; do launch "lost-${number}"; done
    answer lost-3
    LANDFALL_STORE="$(store "${NAME}_standby")" start_landfall "${FOLDER}-two"
    launch kept
    stop_landfall
    promote_standby
    LANDFALL_URL="${one}"
    expect_soon /readyz 200 'all(.checks[]; .status == "pass")'
    answer kept
}

# --- Addresses that can't be used -------------------------------------------------------------------

@test "a password in the address is refused, with what to do instead, and not repeated" {
    STORE="postgres://landfall:very-secret@db.example/landfall"
    refused LANDFALL_STORE password PGPASSFILE
    STORE="host=/tmp user=landfall password=very-secret"
    refused LANDFALL_STORE password PGPASSFILE
    STORE="host=/tmp user=landfall password=a very-secret=b"
    refused LANDFALL_STORE libpq
    STORE="host=/tmp dbname=landfall very-secret"
    refused LANDFALL_STORE 'missing = after …'
    STORE="dbname=postgres://landfall:very-secret@db.example/landfall"
    refused LANDFALL_STORE PGPASSFILE
    # With a slash, libpq takes its parts for a port and for the name of the database.
    for STORE in postgres://landfall:hunter/very-secret@127.0.0.1/landfall \
        postgres://landfall:1234/very-secret@127.0.0.1/landfall postgres://land/fall:very-secret@127.0.0.1/landfall \
        postgres://127.0.0.1:very-secret/landfall 'host=/tmp port=very-secret'; do
        refused LANDFALL_STORE %2F PGPASSFILE
        run env LANDFALL_STORE="${STORE}" "${LANDFALL_BIN}" config show --config "${REPOSITORY}/Config/landfall.yaml"
        [[ "${status}" == 3 && "${output}" != *very-secret* ]]
    done
    # No password.
    for STORE in 'postgres://127.0.0.1:1,[::1]:1/land%40fall?user=a@b' 'host=127.0.0.1 port=1 dbname=a@b'; do
        LANDFALL_STORE="${STORE}" "${LANDFALL_BIN}" config check --config "${REPOSITORY}/Config/landfall.yaml"
    done
}

@test "a copy takes every form of an address, and repeats no password" {
    start_landfall "${FOLDER}"
    post copied
    stop_landfall
    run --separate-stderr "${LANDFALL_BIN}" store copy "${FOLDER}/data" postgres://u:very-secret@db.example/landfall
    [[ "${status}" == 2 && "${stderr}" == *PGPASSFILE* && "${stderr}" != *very-secret* ]]
    run --separate-stderr "${LANDFALL_BIN}" store copy "${FOLDER}/data" "host=db.example dbname=landfall very-secret"
    [[ "${status}" == 2 && "${stderr}" == *'missing = after …'* && "${stderr}" != *very-secret* ]]
    cd "${BATS_TEST_TMPDIR}"
    run --separate-stderr "${LANDFALL_BIN}" store copy "${FOLDER}/data" "host=${BATS_TEST_TMPDIR} dbname=${NAME}"
    [[ "${status}" == 3 && "${stderr}" == *"can't be opened: the database"* && ! -e "host=${BATS_TEST_TMPDIR}" ]]
    run --separate-stderr "${LANDFALL_BIN}" store copy "${FOLDER}/data" \
        "host=${DATABASE} user=postgres dbname=${NAME}"
    [[ "${status}" == 0 && "${output}" == 'Copied 1 record.' ]]
    run --separate-stderr "${LANDFALL_BIN}" store copy "${STORE}" ./a=b
    [[ "${status}" == 0 && "${output}" == 'Copied 1 record.' && -d a=b/results ]]
}

@test "records of a database that can't be read are left out by name, and a copy of it ends with 1" {
    local id
    start_shared one
    post kept >/dev/null
    get '/callbacks/welltory/newer?stress=0.1&energy=0.2'
    expect_status 201
    id="$(post damaged)"
    post also-kept >/dev/null
    sql "${NAME}" "UPDATE landfall.facets SET kind = 99 WHERE vendor = 'welltory'"
    sql "${NAME}" "UPDATE landfall.results SET tail = 'garbage' WHERE seq = 3"
    get /api/v1/results
    expect_status 200
    expect_json '[.results[].inbox] == ["also-kept", "kept"]'
    get /api/v1/export
    [[ "$(wc --lines <"${BODY}")" == 2 ]]
    get "/api/v1/results/${id}"
    expect_problem 500 '.type == "urn:landfall:problem:damaged-record" and (.detail | contains("seq 3"))'
    get /api/v1/store/redecode --request POST
    expect_json '.checked == 4 and .unreadable == 2'
    stop_landfall
    grep --quiet "a stored record is damaged .*the record with seq 3 can't be read" "${SERVER_LOG}"
    run --separate-stderr "${LANDFALL_BIN}" store copy "${STORE}" "${SCRATCH}/copy" --json
    [[ "${status}" == 1 ]]
    [[ "${stderr}" == *"Left out: the record with seq 2 "*"Left out: the record with seq 3 "* ]]
    jq --exit-status '. == {"copied": 2, "left_out": 2, "only_in_target": [], "damaged_files": []}' <<<"${output}"
    run --separate-stderr "${LANDFALL_BIN}" store copy "${STORE}" "${SCRATCH}/copy"
    [[ "${status}" == 1 && "${output}" == 'Copied 0 records.' ]]
    [[ "${stderr}" == *"Left out: the record with seq 2, "*"Left out: the record with seq 3, "* ]]
}

@test "something that is no address is refused" {
    STORE="mysql://db.example/landfall"
    refused LANDFALL_STORE postgres://
    STORE="postgres://db.example/landfall?colour=red"
    refused LANDFALL_STORE colour
}

@test "a database that isn't there is named" {
    STORE="postgres:///${NAME}?host=${BATS_TEST_TMPDIR}&user=postgres"
    refused "${BATS_TEST_TMPDIR}"
    STORE="$(store no_such_database)"
    refused no_such_database
    STORE="postgres://postgres@127.0.0.1:1/landfall"
    refused 127.0.0.1 1
}

@test "a wrong password is refused" {
    sql postgres "CREATE ROLE visitor LOGIN PASSWORD 'right'"
    sed --in-place '1i local all visitor scram-sha-256' "${DATABASE}/data/pg_hba.conf"
    control reload
    STORE="postgres:///${NAME}?host=${DATABASE}&user=visitor"
    PGPASSWORD=very-secret refused visitor password
    # Without any.
    refused password
}

@test "a role that may not make the tables is told so" {
    sql postgres 'CREATE ROLE reader LOGIN'
    STORE="postgres:///${NAME}?host=${DATABASE}&user=reader"
    refused permission
}

@test "a pool in front of the database is refused" {
    local socket="${BATS_TEST_TMPDIR}" ready
    coproc POOL { exec "${BATS_TEST_DIRNAME}/pool.py" "${socket}" "${DATABASE}" 3>&-; }
    read -r ready <&"${POOL[0]}"
    [[ "${ready}" == listening ]]
    STORE="postgres:///${NAME}?host=${socket}&user=postgres"
    refused 'a pool such as PgBouncer is between' 'name the PostgreSQL server itself'
}

@test "a certificate for another name is refused" {
    local folder port
    folder="$(mktemp --dry-run --tmpdir landfall-database-XXXXXX)"
    port="$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')"
    mkdir "${folder}"
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=db.example \
        -addext subjectAltName=DNS:db.example -keyout "${folder}/key" -out "${folder}/certificate" 2>/dev/null
    cp "${folder}/certificate" "${BATS_TEST_TMPDIR}/authority"
    chmod 600 "${folder}/key"
    if ((EUID == 0)); then chown postgres: "${folder}"/*; fi
    "${REPOSITORY}/Tests/postgresql/start" "${folder}" "$$" "listen_addresses = '127.0.0.1'" "port = ${port}" \
        'ssl = on' "ssl_cert_file = '${folder}/certificate'" "ssl_key_file = '${folder}/key'" 3>&-
    STORE="postgres://postgres@localhost:${port}/postgres?sslmode=verify-full&sslrootcert=${BATS_TEST_TMPDIR}/authority"
    refused db.example localhost
    # The right one.
    STORE="${STORE/localhost/db.example}&hostaddr=127.0.0.1"
    start_shared one
    post here
    stop_landfall
}

@test "tables of a newer program are left alone" {
    start_shared one
    stop_landfall
    sql "${NAME}" 'INSERT INTO landfall.versions (version) VALUES (1000)'
    refused 1000 newer
}

@test "callbacks wait while the table head has no row, and the doctor says what to do" {
    start_shared one
    post before
    sql "${NAME}" 'TRUNCATE landfall.head'
    post_form /callbacks/raw/away waits
    expect_status 202
    expect_soon /readyz 503
    run env LANDFALL_STORE="${STORE}" "${LANDFALL_BIN}" doctor --offline --config "${REPOSITORY}/Config/landfall.yaml"
    [[ "${output}" == *"its table head has lost its row: insert one "* ]]
    # As Documentation/SeveralMachines.md says.
    sql "${NAME}" 'INSERT INTO landfall.head (seq) SELECT coalesce(max(seq), 0)
        FROM (SELECT seq FROM landfall.results UNION ALL SELECT seq FROM landfall.erasures) AS numbers'
    expect_soon "/api/v1/results?inbox=away" 200 '.total.count == 1'
    expect_soon /readyz 200
    stop_landfall
}

# --- The database goes and comes --------------------------------------------------------------------

@test "while the database is away callbacks are kept and queries get 503, and then all is stored" {
    local id number
    start_shared one
    post before
    control stop --mode=immediate
    for number in {1..5}; do
        post_form /callbacks/welltory/away "stress=0.${number}"
        expect_status 202
        expect_json '(.id | length) == 36 and .seq == null'
    done
    id="$(jq --raw-output .id "${BODY}")"
    get /readyz
    expect_status 503
    expect_json 'any(.checks[]; .name == "database" and .status == "fail")'
    get /healthz
    expect_status 200
    for path in "/api/v1/results" "/api/v1/results/${id}" '/api/v1/results/wait?inbox=away&within=1s' /api/v1/stats \
        /api/v1/inboxes '/api/v1/export?format=ndjson'; do
        get "${path}" || fail "${path} is cut off"
        expect_problem 503
        [[ "$(field Retry-After)" =~ ^[0-9]+$ ]] || fail "${path} has no Retry-After"
    done
    run ! grep --fixed-strings 'stress=' "${SERVER_LOG}"
    control start
    expect_soon "/api/v1/results?inbox=away" 200 '.total.count == 5'
    get '/api/v1/results?inbox=away&sort=seq'
    expect_json '[.results[].result.stress] == [0.1, 0.2, 0.3, 0.4, 0.5]'
    get "/api/v1/results/${id}"
    expect_status 200
    expect_soon /readyz 200
    post after
    stop_landfall
}

@test "streams of clients that keep up have all that waited for the database, at each server" {
    local name attempt readers=()
    for name in one two; do
        start_shared "${name}"
        : >"${SCRATCH}/events-${name}"
        curl --silent --no-buffer --max-time 60 --output "${SCRATCH}/events-${name}" \
            "${LANDFALL_URL}/api/v1/results/stream?inbox=away&fields=id,seq" 3>&- &
        readers+=($!)
        for ((attempt = 0; attempt < 3000; attempt++)); do
            [[ -s "${SCRATCH}/events-${name}" ]] && break
            sleep 0.02
        done
    done
    control stop --mode=immediate
    for attempt in {1..1500}; do
        printf 'url = "%s/callbacks/raw/away?n=%s"\noutput = "/dev/null"\n' "${LANDFALL_URL}" "${attempt}"
    done | curl --silent --fail --parallel --parallel-max 8 --max-time 60 --config -
    control start
    for name in one two; do
        for ((attempt = 0; attempt < 600; attempt++)); do
            (($(grep --count '^id: ' "${SCRATCH}/events-${name}") == 1500)) && break
            sleep 0.1
        done
        run ! grep 'event: gap' "${SCRATCH}/events-${name}"
        sed -n 's/^id: //p' "${SCRATCH}/events-${name}" >"${SCRATCH}/numbers"
        [[ "$(wc --lines <"${SCRATCH}/numbers")" == 1500 ]]
        sort --numeric-sort --unique --check "${SCRATCH}/numbers"
    done
    kill -KILL "${readers[@]}"
}

@test "what waits for the database survives a restart of the server" {
    local id
    start_shared one
    control stop --mode=immediate
    post_form /callbacks/raw/away waits
    expect_status 202
    id="$(jq --raw-output .id "${BODY}")"
    kill -KILL "${SERVER_PID}"
    wait_until_gone
    control start
    start_shared one
    expect_soon "/api/v1/results/${id}" 200
    stop_landfall
}

@test "what waits for the database is stored with on_outage: refuse, and named while results are in files" {
    local id folder="${FOLDER}/data/spool/1"
    start_landfall "${FOLDER}"
    stop_landfall
    LANDFALL_STORE="${STORE}" start_landfall "${FOLDER}"
    control stop --mode=immediate
    post_form /callbacks/raw/away waits
    expect_status 202
    id="$(jq --raw-output .id "${BODY}")"
    stop_landfall
    start_landfall "${FOLDER}"
    grep --quiet "warning .*none is configured: name it in results.store.* folder=${folder}" "${SERVER_LOG}"
    stop_landfall
    echo "data: ${FOLDER}/data" >"${SCRATCH}/landfall.yaml"
    run "${LANDFALL_BIN}" doctor --offline --config "${SCRATCH}/landfall.yaml"
    [[ "${output}" == *"warning  spool "*"callbacks in ${folder} wait"*"results import"* ]]
    # As it says.
    run "${LANDFALL_BIN}" results import --data "${BATS_TEST_TMPDIR}/files" "${folder}"/results/*.jsonl
    [[ "${status}" == 0 ]]
    control start
    start_configured "${FOLDER}" <<END
results: {store: "${STORE}", on_outage: refuse}
END
    expect_soon "/api/v1/results/${id}" 200
    expect_soon /readyz 200
    expect_drained "${FOLDER}/data/spool"
    stop_landfall
    start_landfall "${FOLDER}"
    run ! grep --quiet 'none is configured' "${SERVER_LOG}"
    stop_landfall
}

@test "a server starts while the database that it knows is away, and keeps callbacks for it" {
    local id
    start_shared one
    id="$(post before)"
    stop_landfall
    control stop --mode=immediate
    # One that has never reached it: the address may be wrong.
    refused "${DATABASE}" 'start the database'
    start_shared one
    [[ "$(cat "${SERVER_LOG}")" == *database* ]]
    get /readyz
    expect_status 503
    expect_json 'any(.checks[]; .name == "database" and .status == "fail")'
    post_form /callbacks/raw/away waits
    expect_status 202
    get /api/v1/results
    expect_problem 503
    control start
    expect_soon "/api/v1/results?inbox=away" 200 '.total.count == 1'
    get "/api/v1/results/${id}"
    expect_status 200
    expect_soon /readyz 200
    post after
    stop_landfall
}

@test "with on_outage: refuse, callbacks get 503 and are not stored" {
    start_configured "${FOLDER}" <<END
results: {store: "${STORE}", on_outage: refuse}
END
    control stop --mode=immediate
    post_form /callbacks/raw/away refused
    expect_problem 503
    [[ "$(field Retry-After)" =~ ^[0-9]+$ ]] || fail "no Retry-After"
    get /readyz
    expect_status 503
    control start
    # A balancer that goes by it sends no callback before.
    expect_soon /readyz 200
    expect_soon /api/v1/results 200 '.total.count == 0'
    post away
    stop_landfall
}

@test "a spool that has filled its disk is stored when the database is back, also after a restart" {
    local restarts url kept
    head --bytes 20000 /dev/urandom | base64 --wrap 0 | head --bytes 20000 >"${SCRATCH}/large"
    for restarts in false true; do
        mkdir -p "${FOLDER}-one/data/spool"
        mount -t tmpfs -o size=40m landfall "${FOLDER}-one/data/spool" 2>/dev/null \
            || skip "mounting is not permitted here"
        start_shared one
        post before >/dev/null
        control stop --mode=immediate
        url="${LANDFALL_URL}/callbacks/raw/full-${restarts}?[1-2500]"
        "${CURL[@]}" --no-globoff --output /dev/null --write-out '%{http_code}\n' \
            --data-binary "@${SCRATCH}/large" "${url}" >"${SCRATCH}/codes"
        [[ "$(sort --unique "${SCRATCH}/codes")" == $'202\n507' ]]
        kept="$(grep --count 202 "${SCRATCH}/codes")"
        if "${restarts}"; then
            kill -KILL "${SERVER_PID}"
            wait_until_gone
        fi
        control start
        if "${restarts}"; then start_shared one; fi
        expect_soon "/api/v1/results?inbox=full-${restarts}&limit=1" 200 ".total.count == ${kept}"
        expect_soon /readyz 200
        post after >/dev/null
        expect_drained "${FOLDER}-one/data/spool"
        stop_landfall
        umount "${FOLDER}-one/data/spool"
    done
}

@test "a new target of forwarding gets what waits for the database" {
    local got="${BATS_TEST_TMPDIR}/got" port marks=0 attempt
    : >"${got}"
    coproc BACKEND { exec "${BATS_TEST_DIRNAME}/backend.py" 0 "${got}" 3>&-; }
    read -r port <&"${BACKEND[0]}"
    start_shared one
    post before
    stop_landfall
    control stop --mode=immediate
    start_configured "${FOLDER}-one" <<END
results: {store: "${STORE}"}
forward: [{name: partner, targets: [{url: "http://127.0.0.1:${port}/ok"}]}]
END
    curl --silent --fail --output /dev/null --data x "${LANDFALL_URL}/callbacks/raw/away?mark=[1-300]"
    control start
    for ((attempt = 0; attempt < 300; attempt++)); do
        marks="$(jq --raw-output '.path' "${got}" | sort --unique | wc --lines)"
        if ((marks == 300)); then break; fi
        sleep 0.1
    done
    ((marks == 300)) || { echo "${marks} of 300 were forwarded"; return 1; }
    stop_landfall
}

@test "forwarding sends what has the numbers that a promoted standby lacked" {
    local got="${BATS_TEST_TMPDIR}/got" port attempt marks=""
    : >"${got}"
    coproc BACKEND { exec "${BATS_TEST_DIRNAME}/backend.py" 0 "${got}" 3>&-; }
    read -r port <&"${BACKEND[0]}"
    start_configured "${FOLDER}-one" <<END
results: {store: "${STORE}"}
forward: [{name: partner, targets: [{url: "http://127.0.0.1:${port}/ok"}]}]
END
    local one="${LANDFALL_URL}" number
    mark() { curl --silent --fail --output /dev/null --data x "$1/callbacks/raw/in?mark=$2"; }
    # sent COUNT: waits until the target has got so many.
    sent() {
        for ((attempt = 0; attempt < 300; attempt++)); do
            marks="$(jq --raw-output '.path | capture("mark=(?<mark>[0-9]+)").mark' "${got}" | sort -n | uniq)"
            if (($(wc --words <<<"${marks}") == $1)); then return; fi
            sleep 0.1
        done
        echo "sent: ${marks}" >&2
        return 1
    }
    for number in 1 2 3; do mark "${one}" "${number}"; done
    sent 3
    # A standby that lags from here on.
    make_standby
    expect_soon /readyz 200 'all(.checks[]; .status == "pass")'
    for number in 4 5 6 7; do mark "${one}" "${number}"; done
    sent 7
    # Another server stores in it before this one finds it.
    LANDFALL_STORE="$(store "${NAME}_standby")" start_landfall "${FOLDER}-two"
    for number in 11 12; do mark "${LANDFALL_URL}" "${number}"; done
    stop_landfall
    promote_standby
    LANDFALL_URL="${one}"
    expect_soon /readyz 200 'all(.checks[]; .status == "pass")'
    mark "${one}" 21
    sent 10
    [[ "${marks//$'\n'/ }" == "1 2 3 4 5 6 7 11 12 21" ]]
}
