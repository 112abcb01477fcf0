#!/usr/bin/env bats
# Content in other forms: compressed answers, ranges of files, compressed bodies of callbacks.
# Invariant: whatever form is sent, it is the same content; a form has its own tag; what a body inflates to is
# what is stored, and what can't be inflated is not.
# Left out: the grammar of the fields, which the unit tests have.

# shellcheck disable=SC2016,SC2153,SC2154 # programs of jq have variables of their own; STATUS is the answer's
load setup

setup_file() {
    mkdir --parents "${BATS_FILE_TMPDIR}/sites/large.example" "${BATS_FILE_TMPDIR}/public"
    cp "${REPOSITORY}"/public/* "${BATS_FILE_TMPDIR}/public"
    jq --null-input '{applinks: {details: [range(200) | {appIDs: ["A1B2C3D4E5.app\(.)"], components: [{"/": "/\(.)/*"}]}]}}' \
        >"${BATS_FILE_TMPDIR}/sites/large.example/apple-app-site-association"
    printf '[]' >"${BATS_FILE_TMPDIR}/sites/large.example/assetlinks.json"
    head --bytes 5000 /dev/urandom >"${BATS_FILE_TMPDIR}/public/noise.png"
    head --bytes 1000000 /dev/urandom >"${BATS_FILE_TMPDIR}/public/large.png"
    touch --date '2026-01-02 03:04:05 UTC' "${BATS_FILE_TMPDIR}"/public/* "${BATS_FILE_TMPDIR}"/sites/*/*
    cat >"${BATS_FILE_TMPDIR}/landfall.yaml" <<CONFIGURATION
public: public
sites: {folder: sites, default: large.example}
limits: {callback_body_bytes: 200000}
CONFIGURATION
    start_landfall "${BATS_FILE_TMPDIR}/server" --config "${BATS_FILE_TMPDIR}/landfall.yaml"
}

teardown_file() {
    stop_landfall
}

PUBLIC="${BATS_FILE_TMPDIR}/public"
ASSOCIATION="${BATS_FILE_TMPDIR}/sites/large.example/apple-app-site-association"
GZIP=(--header 'Accept-Encoding: gzip')
MODIFIED='Fri, 02 Jan 2026 03:04:05 GMT'

# expect_gzip FILE: the last answer is this file, compressed.
expect_gzip() {
    expect_status 200
    expect_field Content-Encoding gzip
    expect_field Content-Length "$(stat --format %s "${BODY}")"
    gzip --decompress --stdout <"${BODY}" | cmp - "$1"
}

# expect_plain FILE: the last answer is this file as it is.
expect_plain() {
    expect_status 200
    [[ -z "$(field Content-Encoding)" && -z "$(field Content-Range)" ]]
    expect_field Content-Length "$(stat --format %s "$1")"
    cmp "$1" "${BODY}"
}

# same_fields: the last answer's status and fields, without those that differ each time.
same_fields() {
    grep --invert-match --ignore-case --extended-regexp '^(Date|X-Request-Id):' "${HEAD}"
}

last_seq() {
    cat "${SERVER_DATA}"/results/*.jsonl 2>/dev/null | wc --lines
}

# --- Compressed answers -----------------------------------------------------------------------------

@test "files of text are compressed for who accepts it, and are the same content" {
    local path
    for path in page.css index.html results.js; do
        get "/${path}" "${GZIP[@]}"
        expect_gzip "${PUBLIC}/${path}"
        expect_field Vary Accept-Encoding
        get "/${path}"
        expect_plain "${PUBLIC}/${path}"
        expect_field Vary Accept-Encoding
    done
    get /apple-app-site-association "${GZIP[@]}"
    expect_gzip "${ASSOCIATION}"
    expect_field Content-Type application/json
    get /page.css --compressed
    cmp "${PUBLIC}/page.css" "${BODY}"
}

@test "what does not become smaller is sent as it is, and does not vary" {
    get /noise.png "${GZIP[@]}"
    expect_plain "${PUBLIC}/noise.png"
    [[ -z "$(field Vary)" ]]
    get /.well-known/assetlinks.json "${GZIP[@]}"
    expect_status 200
    [[ -z "$(field Content-Encoding)" && "$(<"${BODY}")" == '[]' ]]
}

@test "weights are heeded, codings are whole tokens in any case" {
    local value
    for value in GZip 'br;q=1, gzip;q=0.5' 'gzip, identity;q=0' '*' 'identity;q=0.5, gzip;q=0.6'; do
        get /page.css --header "Accept-Encoding: ${value}"
        expect_gzip "${PUBLIC}/page.css"
    done
    for value in br gzipped 'gzip;q=0' 'gzip;q=0.000, *' 'identity, gzip;q=0.5'; do
        get /page.css --header "Accept-Encoding: ${value}"
        expect_plain "${PUBLIC}/page.css"
    done
    get /page.css --header 'Accept-Encoding;'
    expect_plain "${PUBLIC}/page.css"
}

@test "who accepts nothing gets 406" {
    get /page.css --header 'Accept-Encoding: identity;q=0, gzip;q=0'
    expect_problem 406
    get /page.css --header 'Accept-Encoding: *;q=0'
    expect_problem 406
}

@test "each form has a strong tag of its own, and is validated by it" {
    local plain coded
    get /page.css
    plain="$(field ETag)"
    get /page.css "${GZIP[@]}"
    coded="$(field ETag)"
    [[ "${plain}" == '"'*'"' && "${coded}" == '"'*'"' && "${plain}" != "${coded}" ]]
    get /page.css "${GZIP[@]}" --header "If-None-Match: ${coded}"
    expect_status 304
    expect_field ETag "${coded}"
    expect_field Vary Accept-Encoding
    get /page.css --header "If-None-Match: ${plain}"
    expect_status 304
    expect_field ETag "${plain}"
    get /page.css "${GZIP[@]}" --header "If-None-Match: ${plain}"
    expect_gzip "${PUBLIC}/page.css"
    get /page.css --header "If-Match: ${coded}"
    expect_problem 412
}

@test "HEAD has the fields of GET, in each form, and no content" {
    local path option
    get '/callbacks/raw?[1-4]' --no-globoff --header 'X-Long: 0123456789012345678901234567890123456789'
    for path in /page.css /noise.png '/api/v1/results?limit=4'; do
        for option in identity gzip; do
            get "${path}" --header "Accept-Encoding: ${option}"
            expect_status 200
            same_fields >"${SCRATCH}/of-get"
            get "${path}" --header "Accept-Encoding: ${option}" --head
            same_fields | diff "${SCRATCH}/of-get" -
        done
    done
    printf 'HEAD /page.css HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\nConnection: close\r\n\r\n' \
        >"${SCRATCH}/request"
    raw "${SCRATCH}/request"
    [[ "${STATUS}" == 200 && "$(tail --bytes 4 "${BODY}" | od --address-radix=n --format=x1)" == ' 0d 0a 0d 0a' ]]
}

@test "answers of the API are compressed from 1 KiB on" {
    get '/callbacks/raw/compressed?[1-9]' --no-globoff
    get '/api/v1/results?inbox=compressed'
    expect_status 200
    grep --quiet --ignore-case '^vary: accept-encoding' "${HEAD}"
    [[ -z "$(field Content-Encoding)" ]]
    (($(field Content-Length) > 1024))
    cp "${BODY}" "${SCRATCH}/plain"
    get '/api/v1/results?inbox=compressed' "${GZIP[@]}"
    expect_gzip "${SCRATCH}/plain"
    grep --quiet --ignore-case '^vary: accept-encoding' "${HEAD}"
    (($(field Content-Length) < $(stat --format %s "${SCRATCH}/plain") / 2))
    get '/api/v1/results?inbox=compressed' --header "If-None-Match: $(field ETag)"
    expect_status 304
    grep --quiet --ignore-case '^vary: accept-encoding' "${HEAD}"
    get '/api/v1/results?inbox=nothing' "${GZIP[@]}"
    expect_status 200
    [[ -z "$(field Content-Encoding)" && "$(field Vary)" == Accept ]]
    expect_json '.results == []'
}

# --- Ranges -----------------------------------------------------------------------------------------

# expect_part FILE FIRST LAST: the last answer is this part of the file, by the positions of its ends.
expect_part() {
    expect_status 206
    expect_field Content-Range "bytes $2-$3/$(stat --format %s "$1")"
    expect_field Content-Length $(($3 - $2 + 1))
    tail --bytes +$(($2 + 1)) "$1" | head --bytes $(($3 - $2 + 1)) | cmp - "${BODY}"
}

@test "one range is 206 with that part of the file" {
    local size
    size="$(stat --format %s "${PUBLIC}/page.css")"
    get /page.css
    expect_field Accept-Ranges bytes
    get /page.css --header 'Range: bytes=0-9'
    expect_part "${PUBLIC}/page.css" 0 9
    expect_field Content-Type 'text/css; charset=utf-8'
    get /page.css --header 'Range: bytes=100-'
    expect_part "${PUBLIC}/page.css" 100 $((size - 1))
    get /page.css --header 'Range: bytes=-10'
    expect_part "${PUBLIC}/page.css" $((size - 10)) $((size - 1))
    get /page.css --header 'Range: BYTES=0-0, 99999999999999999999999-'
    expect_part "${PUBLIC}/page.css" 0 0
    get /page.css --header 'Range: bytes=5-99999999999999999999999'
    expect_part "${PUBLIC}/page.css" 5 $((size - 1))
    get /page.css --header 'Range: bytes=-99999999999999999999999'
    expect_part "${PUBLIC}/page.css" 0 $((size - 1))
}

@test "a range of the compressed form is a part of that form" {
    get /page.css "${GZIP[@]}"
    cp "${BODY}" "${SCRATCH}/page.css.gz"
    local tag
    tag="$(field ETag)"
    get /page.css "${GZIP[@]}" --header 'Range: bytes=10-19'
    expect_part "${SCRATCH}/page.css.gz" 10 19
    expect_field Content-Encoding gzip
    expect_field ETag "${tag}"
}

@test "several ranges are 206 in parts" {
    get /page.css --header 'Range: bytes=0-4, 10-19,-3'
    expect_status 206
    [[ -z "$(field Content-Range)" && "$(field Content-Type)" == 'multipart/byteranges; boundary='* ]]
    python3 - "${HEAD}" "${BODY}" "${PUBLIC}/page.css" <<'PARTS'
import email.policy, re, sys

head, body, file = (open(path, "rb").read() for path in sys.argv[1:])
kind = re.search(rb"(?im)^Content-Type: .*$", head)[0].strip()
message = email.message_from_bytes(kind + b"\r\n\r\n" + body, policy=email.policy.HTTP)
size = len(file)
expected = [(0, 4), (10, 19), (size - 3, size - 1)]
parts = list(message.iter_parts())
assert len(parts) == len(expected), parts
for part, (first, last) in zip(parts, expected):
    assert part["Content-Range"] == f"bytes {first}-{last}/{size}", part
    assert part.get_content_type() == "text/css" and part.get_param("charset") == "utf-8", part
    assert part.get_payload(decode=True) == file[first:last + 1], part
PARTS
    expect_field Content-Length "$(stat --format %s "${BODY}")"
}

@test "a range behind the end is 416, and says where the end is" {
    local size value
    size="$(stat --format %s "${PUBLIC}/page.css")"
    for value in "bytes=${size}-" bytes=99999999999999999999999- bytes=-0 "bytes=${size}-,-0"; do
        get /page.css --header "Range: ${value}"
        expect_problem 416
        expect_field Content-Range "bytes */${size}"
    done
}

@test "what is no range of bytes, or no range for GET, is not heeded" {
    local value
    for value in lines=0-4 bytes=4-0 bytes=a-b 'bytes = 0-4' bytes=0-4x 'bytes= 0-4' 'bytes=0-4,5' \
        "bytes=$(printf '%s-%s,' {0..39})" bytes=0-9,1-9,2-9,3-9; do
        get /page.css --header "Range: ${value}"
        expect_plain "${PUBLIC}/page.css"
    done
    get /page.css --header 'Range: bytes=0-4' --header 'Range: bytes=5-9'
    expect_plain "${PUBLIC}/page.css"
    get /page.css --head --header 'Range: bytes=0-4'
    expect_status 200
    get /api/v1/inboxes --header 'Range: bytes=0-4'
    expect_status 200
    [[ -z "$(field Accept-Ranges)" ]]
}

@test "If-Range lets a range count only while the file is the same" {
    local tag
    get /page.css
    tag="$(field ETag)"
    expect_field Last-Modified "${MODIFIED}"
    get /page.css --header 'Range: bytes=0-4' --header "If-Range: ${tag}"
    expect_part "${PUBLIC}/page.css" 0 4
    get /page.css --header 'Range: bytes=0-4' --header "If-Range: ${MODIFIED}"
    expect_part "${PUBLIC}/page.css" 0 4
    local value
    for value in "W/${tag}" '"other"' 'Fri, 02 Jan 2026 03:04:06 GMT' 'Thu, 01 Jan 2026 03:04:05 GMT' never; do
        get /page.css --header 'Range: bytes=0-4' --header "If-Range: ${value}"
        expect_plain "${PUBLIC}/page.css"
    done
    # The tag of another form does not let parts of this one through.
    get /page.css "${GZIP[@]}" --header 'Range: bytes=0-4' --header "If-Range: ${tag}"
    expect_gzip "${PUBLIC}/page.css"
}

@test "other conditions come before ranges" {
    local tag
    get /page.css
    tag="$(field ETag)"
    get /page.css --header 'Range: bytes=0-4' --header "If-None-Match: ${tag}"
    expect_status 304
    get /page.css --header 'Range: bytes=0-4' --header 'If-Match: "other"'
    expect_problem 412
    get /page.css --header 'Range: bytes=99999999-' --header "If-None-Match: ${tag}"
    expect_status 304
}

@test "curl resumes a download that broke off" {
    head --bytes 5000 "${PUBLIC}/page.css" >"${SCRATCH}/download"
    "${CURL[@]}" --continue-at - --output "${SCRATCH}/download" "${LANDFALL_URL}/page.css"
    cmp "${PUBLIC}/page.css" "${SCRATCH}/download"
}

# --- Compressed bodies of callbacks -----------------------------------------------------------------

CODED=(--header 'Content-Encoding: gzip')

# compressed TEXT: in ${SCRATCH}/coded.
compressed() {
    printf '%s' "$1" | gzip --no-name >"${SCRATCH}/coded"
}

# send_coded PATH [CURL OPTION]...: posts ${SCRATCH}/coded.
send_coded() {
    local path="$1"
    shift
    post_form "${path}" "@${SCRATCH}/coded" "${CODED[@]}" "$@"
}

# expect_nothing_stored SEQ
expect_nothing_stored() {
    [[ "$(last_seq)" == "$1" ]] || fail "something was stored"
}

@test "a compressed form is decoded, and stored inflated with its coding told" {
    compressed 'stress=0.32&energy=0.75'
    send_coded /callbacks/welltory
    expect_stored decoded '.request.body == {encoding: "utf8", data: "stress=0.32&energy=0.75", content_coding: "gzip"}
        and (.request.headers | any(.[]; . == ["Content-Encoding", "gzip"]))'
}

@test "a compressed body of JSON, of chunks, of octets and of several members is stored inflated" {
    compressed '{"status":"IR_RESULT_OK"}'
    send_coded /callbacks/ailet --header 'Content-Type: application/json'
    expect_stored decoded '.request.body.data == "{\"status\":\"IR_RESULT_OK\"}"
        and .request.body.content_coding == "gzip"'
    send_coded /callbacks/raw --header 'Transfer-Encoding: chunked'
    expect_stored unmatched '.request.body.data == "{\"status\":\"IR_RESULT_OK\"}"'
    printf '\0\377' | gzip >"${SCRATCH}/coded"
    send_coded /callbacks/raw
    expect_stored unmatched '.request.body == {encoding: "base64", data: "AP8=", content_coding: "gzip"}'
    { printf one | gzip; printf two | gzip; } >"${SCRATCH}/coded"
    send_coded /callbacks/raw
    expect_stored unmatched '.request.body.data == "onetwo"'
}

@test "x-gzip is gzip, identity is nothing, and case does not matter" {
    compressed inflated
    local value
    for value in x-gzip GZIP 'identity, gzip'; do
        post_form /callbacks/raw "@${SCRATCH}/coded" --header "Content-Encoding: ${value}"
        expect_stored unmatched '.request.body.data == "inflated" and .request.body.content_coding == "gzip"'
    done
    post_form /callbacks/raw plain --header 'Content-Encoding: identity'
    expect_stored unmatched '.request.body == {encoding: "utf8", data: "plain"}'
}

@test "the request of a compressed callback is a message of the inflated body, which can be sent again" {
    local text
    text="$(printf 'inflated body %.0s' {1..100})"
    compressed "${text}"
    send_coded /callbacks/raw --header 'Content-Type: text/plain' --header 'Connection: close'
    local place
    place="$(field Location)"
    get "${place}/request"
    expect_status 200
    expect_field Content-Type message/http
    expect_field Content-Disposition "attachment; filename=\"${place##*/}.http\""
    run ! grep --text --ignore-case '^Content-Encoding' "${BODY}"
    cp "${BODY}" "${SCRATCH}/message"
    tail --bytes "${#text}" "${SCRATCH}/message" | cmp - <(printf '%s' "${text}")
    raw "${SCRATCH}/message"
    [[ "${STATUS}" == 201 ]] || fail "sent again, it got ${STATUS}"
    sed '1,/^\r$/d' "${BODY}" >"${SCRATCH}/reply"
    get "$(jq --raw-output .links.self "${SCRATCH}/reply")"
    expect_json '.request.body.data == $text' --arg text "${text}"
}

@test "what is no gzip, or is cut off, or has a wrong checksum, is 400 and not stored" {
    local before
    before="$(last_seq)"
    printf 'no gzip at all' >"${SCRATCH}/coded"
    send_coded /callbacks/raw
    expect_problem 400
    expect_field Connection close
    compressed 'a body that is cut off'
    cp "${SCRATCH}/coded" "${SCRATCH}/whole"
    head --bytes 20 "${SCRATCH}/whole" >"${SCRATCH}/coded"
    send_coded /callbacks/raw
    expect_problem 400
    # The last eight octets are the checksum and the length.
    { head --bytes -8 "${SCRATCH}/whole"; printf 'abcd'; tail --bytes 4 "${SCRATCH}/whole"; } >"${SCRATCH}/coded"
    send_coded /callbacks/raw
    expect_problem 400
    { cat "${SCRATCH}/whole"; printf 'behind'; } >"${SCRATCH}/coded"
    send_coded /callbacks/raw
    expect_problem 400
    expect_nothing_stored "${before}"
}

@test "a body that inflates to far more than was sent is 413 and not stored" {
    local before
    before="$(last_seq)"
    head --bytes 8388608 /dev/zero | gzip -9 >"${SCRATCH}/coded"
    send_coded /callbacks/raw
    expect_problem 413
    expect_field Connection close
    # Within the limit of a body, and beyond what anybody writes all the same.
    head --bytes 150000 /dev/zero | gzip -9 >"${SCRATCH}/coded"
    send_coded /callbacks/raw
    expect_problem 413
    expect_nothing_stored "${before}"
    expect_well
}

@test "the limit of a body counts for what it inflates to, to the byte" {
    local before
    # Text that gzip makes about half of: sent, it is within the limit in either case.
    head --bytes 200000 /dev/urandom | od --address-radix=n --format=x1 | tr --delete ' \n' >"${SCRATCH}/noise"
    head --bytes 200000 "${SCRATCH}/noise" | gzip >"${SCRATCH}/coded"
    send_coded /callbacks/raw --header 'Content-Type: text/plain'
    expect_stored unmatched '.request.body.data | length == 200000'
    before="$(last_seq)"
    head --bytes 200001 "${SCRATCH}/noise" | gzip >"${SCRATCH}/coded"
    send_coded /callbacks/raw --header 'Content-Type: text/plain'
    expect_problem 413
    send_coded /callbacks/raw --header 'Content-Type: text/plain' --header 'Transfer-Encoding: chunked'
    expect_problem 413
    expect_nothing_stored "${before}"
}

@test "another coding, and more than one, is 415, says what is known, and is not stored" {
    local before value
    before="$(last_seq)"
    for value in br deflate 'gzip, gzip' 'gzip, br' unknown; do
        post_form /callbacks/raw x --header "Content-Encoding: ${value}"
        expect_problem 415
        expect_field Accept-Encoding gzip
    done
    expect_nothing_stored "${before}"
}

@test "a client that waits to be told is refused without sending its body" {
    compressed "$(head --bytes 3000 /dev/urandom | base64)"
    post_form /callbacks/raw "@${SCRATCH}/coded" --header 'Content-Encoding: br' --header 'Expect: 100-continue' \
        --write-out '%{size_upload}'
    grep --quiet '^HTTP/1.1 415' "${HEAD}"
    run ! grep '^HTTP/1.1 100' "${HEAD}"
    [[ "${STATUS}" == 0 ]]
    send_coded /callbacks/raw --header 'Expect: 100-continue' --expect100-timeout 10
    grep --quiet '^HTTP/1.1 100' "${HEAD}"
    expect_status 201
}

@test "lines on disk keep their form" {
    compressed last
    send_coded /callbacks/raw
    expect_status 201
    "${BATS_TEST_DIRNAME}/lines.py" "${SERVER_DATA}"/results/*.jsonl
}

# --- Large files ------------------------------------------------------------------------------------

@test "a large file arrives whole and in parts" {
    get /large.png
    expect_plain "${PUBLIC}/large.png"
    get /large.png --range 100-899999
    expect_status 206
    cmp <(tail --bytes +101 "${PUBLIC}/large.png" | head --bytes 899900) "${BODY}"
}

@test "peers that go away in the middle of a large file harm nobody" {
    # What they have not read makes the kernel reset the connection while the server is sending.
    python3 - "${SERVER_PORT}" <<'PYTHON'
import socket, sys
for _ in range(50):
    with socket.create_connection(("127.0.0.1", int(sys.argv[1])), timeout=60) as peer:
        peer.sendall(b"GET /large.png HTTP/1.1\r\nHost: localhost\r\n\r\n" * 20)
        peer.recv(1)
PYTHON
    get /large.png
    expect_plain "${PUBLIC}/large.png"
}
