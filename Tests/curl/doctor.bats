#!/usr/bin/env bats
# landfall doctor: every problem at once, each with what to do; nothing is changed.
# Invariant: no request leaves this machine; sites are names of loopback or not asked.

# shellcheck disable=SC2016 # programs of jq have variables of their own
load setup
load tls

setup_file() {
    make_certificates "${BATS_FILE_TMPDIR}/tls"
}

setup() {
    FOLDER="${BATS_TEST_TMPDIR}/server" FILE="${BATS_TEST_TMPDIR}/landfall.yaml"
    mkdir -p "${FOLDER}" "${BATS_TEST_TMPDIR}/sites/www.example.com"
    printf '{"applinks":{"details":[{"appIDs":["Q7WERTY123.shop.example.app"],"components":[{"/":"/dds/*"}]}]}}' \
        >"${BATS_TEST_TMPDIR}/sites/www.example.com/apple-app-site-association"
    configure </dev/null
}

# configure: writes the file from standard input, with a data folder of this test's before it.
configure() {
    {
        echo "public: ${REPOSITORY}/public"
        echo "data: ${FOLDER}/data"
        cat
    } >"${FILE}"
}

# examine [OPTION]...: the report as JSON is the body.
examine() {
    STATUS=0
    "${LANDFALL_BIN}" doctor --config "${FILE}" --json "$@" >"${BODY}" 2>"${HEAD}" || STATUS=$?
}

# expect_check STATUS CHECK PATTERN: there is such a line, with advice unless it is ok.
expect_check() {
    expect_json 'any(.checks[]; .status == $status and .check == $check and (.text | test($pattern))
        and ((.advice != null) == ($status != "ok")))' --arg status "$1" --arg check "$2" --arg pattern "$3"
}

@test "a sound set-up has no problem, and is left as it was" {
    configure <<<'listen: {port: 0}'
    examine --offline
    expect_status 0
    expect_json '.ok and ([.checks[] | select(.status != "ok")] | length == 0)'
    expect_check ok configuration 'is valid'
    expect_check ok data 'will be made at the first start'
    expect_check ok 'link files' 'www.example.com/apple-app-site-association is right'
    [[ ! -e "${FOLDER}/data" ]]
    mkdir --mode 0750 "${FOLDER}/data"
    examine --offline
    expect_status 0
    expect_check ok data 'can be written and synced'
    expect_check ok space 'MiB are free'
    [[ -z "$(ls -A "${FOLDER}/data")" ]]
}

@test "the configuration is named that was found, if any" {
    cd "${BATS_TEST_TMPDIR}"
    run "${LANDFALL_BIN}" doctor --offline
    [[ "${lines[0]}" == "ok       configuration landfall.yaml is valid" ]]
    mkdir nothing
    cd nothing
    run "${LANDFALL_BIN}" doctor --offline
    [[ "${lines[0]}" == "ok       configuration there is no file, so the defaults apply" ]]
}

@test "people get a line for each check and a summary" {
    configure <<<'listen: {port: 0}'
    run -0 "${LANDFALL_BIN}" doctor --config "${FILE}" --offline
    [[ "${lines[0]}" == "ok       configuration ${FILE} is valid" ]]
    [[ "${lines[-1]}" == '0 problems, '*' warning'* ]]
}

@test "an invalid configuration is a problem, and so is a missing one" {
    configure <<<'unknown: 1'
    examine --offline
    expect_status 1
    expect_check problem configuration 'the key "unknown" is unknown'
    rm "${FILE}"
    examine --offline
    expect_status 1
    expect_json '.ok == false and (.checks | length) == 1'
}

@test "a page and rules of forwarding that a server can't start with are problems, and the rest is checked too" {
    printf '%s\n' 'public: nowhere' "data: ${FOLDER}/data" 'listen: {port: 0}' \
        'forward: [{name: a, q: "foo:bar", targets: [{url: "http://a/"}]}]' >"${FILE}"
    examine --offline
    expect_status 1
    expect_check problem configuration '/nowhere can.t be read: there is no file or folder of this name$'
    expect_check problem configuration 'forward\[0\]\.q must be a query'
    expect_json 'all(.checks[]; .check != "configuration" or .status == "problem")'
    expect_check ok port 'chooses a free port'
    expect_check ok 'link files' 'www.example.com/apple-app-site-association is right'
}

@test "a key of pseudonyms that can't be used is a problem, and one that is yet to be made is not" {
    configure <<<$'listen: {port: 0}\nprivacy: mask'
    examine --offline
    expect_status 0
    mkdir --mode 0750 "${FOLDER}/data"
    echo short >"${FOLDER}/data/privacy.key"
    examine --offline
    expect_status 1
    expect_check problem configuration 'data/privacy.key: the key must be at least 16 characters'
    run -1 "${LANDFALL_BIN}" config check --config "${FILE}"
    [[ "${output}" == *'privacy.key: the key must be at least 16 characters'* ]]
    configure <<<'listen: {port: 0}'
    examine --offline
    expect_status 0
}

@test "a port that another program uses is a problem; that of the data folder's server is not" {
    start_configured "${FOLDER}" </dev/null
    configure <<<"listen: {port: ${SERVER_PORT}}"
    examine --offline
    expect_status 0
    expect_check ok port 'is served by a running Landfall'
    kill -STOP "${SERVER_PID}"
    examine --offline
    kill -CONT "${SERVER_PID}"
    expect_status 1
    expect_check problem port 'is in use'
}

@test "doctor takes the flags of serve, and warns of a server that has other addresses than its configuration" {
    local other='^the server of this folder runs at http://127.0.0.1:[0-9]+, which this configuration doesn.t say$'
    start_configured "${FOLDER}" </dev/null
    configure <<<"listen: {port: 1}"
    examine --offline
    expect_check warning port "${other}"
    examine --offline --host localhost --port "${SERVER_PORT}"
    expect_status 0
    expect_check ok access 'only this machine reaches the server'
    expect_json 'all(.checks[]; .text | test($pattern) | not)' --arg pattern "${other}"
    examine --offline --host 0.0.0.0 --port 0 --tls-port 0 --tls-folder "${BATS_FILE_TMPDIR}/tls"
    expect_check warning access 'others reach the server, and no token is set here$'
    expect_check warning certificates '^localhost for .* trusted here'
    expect_json 'all(.checks[]; .text | test($pattern) | not)' --arg pattern "${other}"
    kill -STOP "${SERVER_PID}"
    examine --offline
    kill -CONT "${SERVER_PID}"
    expect_json 'all(.checks[]; .text | test($pattern) | not)' --arg pattern "${other}"
}

@test "a port that a Landfall of another data folder serves is a problem" {
    local unprivileged=()
    start_configured "${FOLDER}/other" </dev/null
    configure <<<"listen: {port: ${SERVER_PORT}}"
    examine --offline
    expect_status 1
    expect_check problem port 'is served by a Landfall of another data folder$'
    mkdir --mode 0750 "${FOLDER}/data"
    : >"${FOLDER}/data/LOCK"
    chmod 0000 "${FOLDER}/data/LOCK"
    # Root may read every file.
    if ((EUID == 0)); then unprivileged=(setpriv --bounding-set=-all --inh-caps=-all); fi
    "${unprivileged[@]}" "${LANDFALL_BIN}" doctor --config "${FILE}" --json --offline >"${BODY}" || true
    expect_check warning port 'is served by a Landfall, perhaps of another data folder$'
}

@test "a Unix-domain socket that can't be made is a problem; a running Landfall's is not" {
    local socket="${BATS_TEST_TMPDIR}/s"
    configure <<<"listen: {port: 0, unix: '${BATS_TEST_TMPDIR}/nowhere/s'}"
    examine --offline
    expect_status 1
    expect_check problem socket "nowhere/s can't be listened on: listen: No such file or directory"
    run -1 "${LANDFALL_BIN}" config check --config "${FILE}"
    [[ "${output}" == *"nowhere/s can't be listened on: listen: No such file or directory." ]]
    start_configured "${FOLDER}" <<<"listen: {unix: '${socket}'}"
    configure <<<"listen: {port: 0, unix: '${socket}'}"
    examine --offline
    expect_status 0
    expect_check ok socket 'is served by a running Landfall'
    run -0 "${LANDFALL_BIN}" config check --config "${FILE}"
    kill -STOP "${SERVER_PID}"
    examine --offline
    kill -CONT "${SERVER_PID}"
    expect_status 1
    expect_check problem socket 'is in use'
    stop_landfall
    examine --offline
    expect_status 0
    expect_check ok socket 'is free'
    [[ ! -e "${socket}" ]]
}

@test "the https port of a running Landfall is no problem, whatever its certificate and those it requires" {
    local settings form
    for form in none required; do
        settings="tls: {port: 0, folder: '${BATS_FILE_TMPDIR}/tls', client_certificates: ${form},
            client_authorities: '${BATS_FILE_TMPDIR}/tls/authority/ca.pem'}"
        # The data folder is that of the file, where the server names its ports.
        start_configured "${FOLDER}" <<<"${settings}"
        configure <<<"
listen: {port: ${SERVER_PORT}}
${settings/port: 0/port: ${SERVER_TLS_PORT}}"
        examine --offline
        expect_status 0
        expect_check ok port "port ${SERVER_PORT} .http. on .* is served by a running Landfall"
        expect_check ok port "port ${SERVER_TLS_PORT} .https. on .* is served by a running Landfall"
        [[ "${form}" == required ]] || stop_landfall
    done
    kill -STOP "${SERVER_PID}"
    examine --offline
    kill -CONT "${SERVER_PID}"
    expect_status 1
    expect_check problem port "port ${SERVER_TLS_PORT} .https. on .* is in use"
    stop_landfall
}

@test "what a server can't start with is a problem: one port for both protocols, a host that is no address" {
    configure <<<$'listen: {port: 8443}\ntls: {folder: tls}'
    examine --offline
    expect_status 1
    expect_check problem configuration ':3: listen.port must be another port than tls.port, which is 8443 too$'
    configure <<<$'listen: {host: foo}'
    examine --offline
    expect_status 1
    expect_check problem configuration ':3: listen.host must be an IPv4 or IPv6 address .*, not foo$'
}

@test "a data folder that is a file, or in one, is a problem" {
    : >"${FOLDER}/data"
    configure <<<'listen: {port: 0}'
    examine --offline
    expect_status 1
    expect_check problem data 'server/data can.t be read: it is not a folder$'
    FOLDER="${FOLDER}/data"
    configure <<<'listen: {port: 0}'
    examine --offline
    expect_status 1
    expect_check problem data 'server/data can.t be read: it is not a folder$'
    rm "${FOLDER}"
    ln --symbolic "${BATS_TEST_TMPDIR}/unmounted" "${FOLDER}"
    examine --offline
    expect_status 1
    expect_check problem data 'server/data can.t be read: it is a symbolic link to nothing$'
}

@test "files of a data folder that the service's user can't use are a problem" {
    ((EUID == 0)) || skip "only root can give files to another user"
    local segment="${FOLDER}/data/results/2025-11-21.jsonl" file
    configure <<<'listen: {port: 0}'
    mkdir -p "${FOLDER}/data/results"
    touch "${FOLDER}/data/LOCK" "${segment}" "${FOLDER}/data/results/2025-11-22.jsonl" "${FOLDER}/data/privacy.key"
    chmod 0400 "${FOLDER}/data/privacy.key"
    chmod 0750 "${FOLDER}/data"
    chown -R 12345:12345 "${FOLDER}/data"
    examine --offline
    expect_status 0
    expect_check ok data 'can be written and synced'
    for file in "${segment}" "${FOLDER}/data/LOCK" "${FOLDER}/data/results" "${FOLDER}/data/privacy.key"; do
        chown root: "${file}"
        examine --offline
        expect_status 1
        expect_check problem data "^${file} can't be read or written by the server's user$"
        expect_json 'any(.checks[]; .advice // "" | startswith("Run chown -R --reference="))'
        chown 12345:12345 "${file}"
    done
    examine --offline
    expect_status 0
}

@test "an address that isn't this machine's is a problem" {
    configure <<<'listen: {host: 192.0.2.1, port: 8080}'
    examine --offline
    expect_status 1
    expect_check problem port "can't be used"
    # The package's service gets its token from systemd, which this command can't know.
    expect_check warning access 'no token is set here$'
    expect_json 'any(.checks[]; .advice // "" | test("LANDFALL_TOKEN_FILE=/etc/landfall/token"))'
    openssl rand -hex 16 >"${SCRATCH}/token"
    LANDFALL_TOKEN_FILE="${SCRATCH}/token" examine --offline
    expect_check ok access 'a token protects results'
}

@test "a data folder in memory, open to all, or newer than the clock" {
    configure <<<'listen: {port: 0}'
    mkdir -p --mode 0755 "${FOLDER}/data/results"
    chmod 0755 "${FOLDER}/data"
    touch "${FOLDER}/data/results/$(date --utc --date '2 days' +%F).jsonl"
    examine --offline
    expect_status 1
    expect_check warning data 'every user of this machine has access'
    expect_check problem clock 'but there are records of'
    rm -r "${FOLDER}/data"
    mkdir "${FOLDER}/data"
    mount -t tmpfs -o size=8m,mode=0750 landfall "${FOLDER}/data" 2>/dev/null || skip "mounting is not permitted here"
    examine --offline
    umount "${FOLDER}/data"
    expect_status 1
    expect_check warning 'file system' 'is in memory'
    expect_check problem space '[0-9]+ MiB are free'
}

@test "certificates: expired, about to expire, exposed, untrusted and missing ones" {
    local tls="${FOLDER}/tls"
    mkdir "${tls}"
    cp "${BATS_FILE_TMPDIR}/tls/localhost".{pem,key} "${tls}/"
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 3 -subj /CN=soon.example \
        -addext subjectAltName=DNS:soon.example -keyout "${tls}/soon.key" -out "${tls}/soon.pem" 2>/dev/null
    chmod 0644 "${tls}/soon.key"
    configure <<<"
listen: {port: 0}
tls: {port: 0, folder: '${tls}'}"
    examine --offline
    expect_status 0
    expect_check warning certificates '^localhost for .* trusted here'
    expect_check warning certificates '^soon for soon.example expires on'
    expect_check warning certificates 'every user of this machine can read .*/soon.key'
    expect_check warning certificates 'no certificate covers www.example.com'
    examine --offline --ca "${BATS_FILE_TMPDIR}/tls/authority/ca.pem"
    expect_check ok certificates '^localhost for .* is valid until'
    rm "${tls}/soon.key"
    examine --offline
    expect_status 1
    expect_check problem certificates "soon.key can't be read"
}

# sign NAME ISSUER FROM UNTIL EXTENSION...: a certificate in ${SCRATCH}/NAME.pem, valid between two times, in days
# from now.
sign() {
    local base="${SCRATCH}/$1" issuer="${SCRATCH}/$2" from="$3" until="$4"
    : >"${SCRATCH}/database"
    printf '%s\n' '[ca]' 'default_ca = d' '[d]' "database = ${SCRATCH}/database" "new_certs_dir = ${SCRATCH}" \
        "serial = ${SCRATCH}/serial" 'default_md = sha256' 'policy = p' '[p]' 'commonName = supplied' \
        '[x]' "${@:5}" >"${SCRATCH}/ca.cnf"
    openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj "/CN=$1.example" \
        -keyout "${base}.key" -out "${base}.csr" 2>/dev/null
    openssl ca -batch -config "${SCRATCH}/ca.cnf" -create_serial -notext -extensions x -in "${base}.csr" \
        -cert "${issuer}.pem" -keyfile "${issuer}.key" -out "${base}.pem" \
        -startdate "$(date --utc --date "${from} days" +%Y%m%d%H%M%SZ)" \
        -enddate "$(date --utc --date "${until} days" +%Y%m%d%H%M%SZ)" 2>/dev/null
}

@test "certificates that clients refuse are problems, and each fault has its own advice" {
    local tls="${FOLDER}/tls" name authority=basicConstraints=critical,CA:TRUE
    mkdir "${tls}"
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 90 -subj /CN=root \
        -keyout "${SCRATCH}/root.key" -out "${SCRATCH}/root.pem" 2>/dev/null
    sign middle root -9 90 "${authority}"
    sign past root -90 -1 "${authority}"
    sign good middle -9 60 subjectAltName=DNS:good.example extendedKeyUsage=serverAuth
    sign client middle -9 60 subjectAltName=DNS:client.example extendedKeyUsage=clientAuth
    sign unnamed middle -9 60 basicConstraints=CA:FALSE
    sign future middle 9 60 subjectAltName=DNS:future.example
    sign former past -9 60 subjectAltName=DNS:former.example
    sign alone middle -9 3 subjectAltName=DNS:alone.example
    for name in good client unnamed future; do cat "${SCRATCH}/middle.pem" >>"${SCRATCH}/${name}.pem"; done
    cat "${SCRATCH}/past.pem" >>"${SCRATCH}/former.pem"
    for name in good client unnamed future former alone; do cp "${SCRATCH}/${name}".{pem,key} "${tls}/"; done
    mv "${BATS_TEST_TMPDIR}/sites/www.example.com" "${BATS_TEST_TMPDIR}/sites/unnamed.example"
    configure <<<"
listen: {port: 0}
tls: {port: 0, folder: '${tls}'}"
    examine --offline --ca "${SCRATCH}/root.pem"
    expect_status 1
    expect_check ok certificates '^good for good.example is valid until'
    expect_check problem certificates '^client for client.example is refused .*: unsuitable certificate purpose$'
    expect_check warning certificates '^unnamed names no host'
    expect_check warning certificates '^no certificate covers unnamed.example$'
    expect_check problem certificates '^future for future.example is refused .*: certificate is not yet valid$'
    expect_check problem certificates "^former for former.example is refused .*: an issuer's certificate has expired$"
    expect_check warning certificates '^alone for alone.example expires on'
    expect_check warning certificates "^alone for alone.example isn't trusted here: unable to get local issuer"
    expect_json '[.checks[] | select(.advice // "" | test("after its own")).text | split(" ")[0]] == ["alone"]'
    expect_json 'all(.checks[] | select(.text | test("^(future|former) ")); .advice | startswith("Renew it"))'
    openssl pkey -in "${SCRATCH}/good.key" -aes256 -passout pass:secret -out "${tls}/good.key"
    examine --offline
    expect_status 1
    expect_check problem certificates '^good: the private key is encrypted$'
    expect_json 'any(.checks[]; .advice // "" | test("without a passphrase"))'
}

@test "link files with errors are named, all of them" {
    mkdir "${BATS_TEST_TMPDIR}/sites/bad.example.com"
    echo '{' >"${BATS_TEST_TMPDIR}/sites/bad.example.com/apple-app-site-association"
    echo '{}' >"${BATS_TEST_TMPDIR}/sites/bad.example.com/assetlinks.json"
    configure <<<'listen: {port: 0}'
    examine --offline
    expect_status 1
    expect_check problem 'link files' 'bad.example.com/apple-app-site-association:'
    expect_check problem 'link files' 'bad.example.com/assetlinks.json:'
    expect_check ok 'link files' 'www.example.com/apple-app-site-association is right'
}

@test "folders of sites that no request reaches are named" {
    local name
    for name in bücher.example 'www.example ' one.example:8443 one..example Two.example two.example; do
        mkdir "${BATS_TEST_TMPDIR}/sites/${name}"
        cp "${BATS_TEST_TMPDIR}/sites/www.example.com/apple-app-site-association" "${BATS_TEST_TMPDIR}/sites/${name}"
    done
    mkdir "${BATS_TEST_TMPDIR}/sites/my notes"
    configure <<<'listen: {port: 0}'
    examine --offline
    expect_status 0
    for name in bücher.example 'www.example ' one.example:8443 one..example; do
        expect_check warning 'link files' "^${name} is never served: no host has this name"
    done
    expect_check warning 'link files' '^Two.example is never served: two.example is the same host'
    expect_json 'any(.checks[]; .advice // "" | test("Punycode")) and all(.checks[]; .text | test("notes") | not)'
    expect_json 'all(.checks[]; .text | test("8443/apple-app-site-association is right") | not)'
}

@test "a site that doesn't answer by https is a problem, unless nobody asks" {
    mv "${BATS_TEST_TMPDIR}/sites/www.example.com" "${BATS_TEST_TMPDIR}/sites/localhost"
    configure <<<'listen: {port: 0}'
    examine
    expect_status 1
    expect_check problem reachability 'https://localhost/.well-known/apple-app-site-association can.t be fetched'
    examine --offline
    expect_status 0
}

@test "proxies: everybody is too many, a socket's clients need one, and PROXY headers are one" {
    configure <<<"
listen: {port: 0, unix: '${FOLDER}/s'}
trusted_proxies: [0.0.0.0/0]"
    examine --offline
    expect_status 1
    expect_check problem proxies 'trusted_proxies has every address'
    configure <<<"listen: {port: 0, unix: '${FOLDER}/s'}"
    examine --offline
    expect_status 0
    expect_check warning proxies 'have no address of their own'
    configure <<<"listen: {port: 0, unix: '${FOLDER}/s', proxy_protocol: true}"
    examine --offline
    expect_status 0
    expect_check ok proxies '^PROXY headers are trusted; X-Forwarded-For .* ignored$'
}
