// See CCurl.h.
#include "CCurl.h"

#include <curl/curl.h>
#include <dlfcn.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

// ---- loading -----------------------------------------------------------------------------

// The functions in use, looked up once.
static struct {
    __typeof__(&curl_global_init) global_init;
    __typeof__(&curl_easy_init) easy_init;
    __typeof__(&curl_easy_cleanup) easy_cleanup;
    __typeof__(&curl_easy_pause) easy_pause;
    CURLcode (*easy_setopt)(CURL *handle, CURLoption option, ...);
    CURLcode (*easy_getinfo)(CURL *handle, CURLINFO info, ...);
    __typeof__(&curl_slist_append) slist_append;
    __typeof__(&curl_slist_free_all) slist_free_all;
    __typeof__(&curl_multi_init) multi_init;
    __typeof__(&curl_multi_add_handle) multi_add_handle;
    __typeof__(&curl_multi_remove_handle) multi_remove_handle;
    __typeof__(&curl_multi_info_read) multi_info_read;
    __typeof__(&curl_multi_perform) multi_perform;
    __typeof__(&curl_multi_poll) multi_poll;
    __typeof__(&curl_multi_wakeup) multi_wakeup;
} lib;

static pthread_once_t loading = PTHREAD_ONCE_INIT;
static char load_error[256];

static void *find(void *library, const char *name) {
    void *function = dlsym(library, name);
    if (function == NULL && load_error[0] == 0) {
        strcpy(load_error, "it has no ");
        strncat(load_error, name, sizeof load_error - strlen(load_error) - 1);
    }
    return function;
}

static void load(void) {
    void *library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        const char *reason = dlerror();
        strncat(load_error, reason ? reason : "it is missing", sizeof load_error - 1);
        return;
    }
    lib.global_init = find(library, "curl_global_init");
    lib.easy_init = find(library, "curl_easy_init");
    lib.easy_cleanup = find(library, "curl_easy_cleanup");
    lib.easy_pause = find(library, "curl_easy_pause");
    lib.easy_setopt = find(library, "curl_easy_setopt");
    lib.easy_getinfo = find(library, "curl_easy_getinfo");
    lib.slist_append = find(library, "curl_slist_append");
    lib.slist_free_all = find(library, "curl_slist_free_all");
    lib.multi_init = find(library, "curl_multi_init");
    lib.multi_add_handle = find(library, "curl_multi_add_handle");
    lib.multi_remove_handle = find(library, "curl_multi_remove_handle");
    lib.multi_info_read = find(library, "curl_multi_info_read");
    lib.multi_perform = find(library, "curl_multi_perform");
    lib.multi_poll = find(library, "curl_multi_poll");
    lib.multi_wakeup = find(library, "curl_multi_wakeup");
    if (load_error[0] == 0 && lib.global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) {
        strcpy(load_error, "it can't be initialised");
    }
}

const char *ccurl_load(void) {
    pthread_once(&loading, load);
    return load_error[0] ? load_error : NULL;
}

// ---- clients -----------------------------------------------------------------------------

struct ccurl_client {
    CURLM *multi;
};

struct ccurl_transfer {
    CURL *easy;
    CURLM *multi;  // NULL before it was started
    struct curl_slist *fields;
    ccurl_callbacks callbacks;
    void *context;
    char reason[CURL_ERROR_SIZE];
};

ccurl_client *ccurl_client_new(void) {
    ccurl_client *client = calloc(1, sizeof *client);
    if (client == NULL) return NULL;
    client->multi = lib.multi_init();
    if (client->multi != NULL) return client;
    free(client);
    return NULL;
}

void ccurl_client_run(ccurl_client *client, int timeout_ms) {
    lib.multi_poll(client->multi, NULL, 0, timeout_ms, NULL);
    int running = 0;
    lib.multi_perform(client->multi, &running);
}

void ccurl_client_wake(ccurl_client *client) { lib.multi_wakeup(client->multi); }

static ccurl_outcome outcome_of(CURLcode code) {
    switch (code) {
        case CURLE_OK: return ccurl_done;
        case CURLE_COULDNT_RESOLVE_HOST: return ccurl_name_unknown;
        case CURLE_COULDNT_CONNECT: return ccurl_unreachable;
        case CURLE_OPERATION_TIMEDOUT: return ccurl_timed_out;
        case CURLE_SSL_CONNECT_ERROR:
        case CURLE_PEER_FAILED_VERIFICATION:
        case CURLE_SSL_CERTPROBLEM:
        case CURLE_SSL_CIPHER:
        case CURLE_SSL_CACERT_BADFILE:
        case CURLE_SSL_ISSUER_ERROR: return ccurl_tls_failed;
        case CURLE_GOT_NOTHING: return ccurl_no_response;
        case CURLE_PARTIAL_FILE:
        case CURLE_SEND_ERROR:
        case CURLE_RECV_ERROR: return ccurl_broken_off;
        case CURLE_UNSUPPORTED_PROTOCOL:
        case CURLE_WEIRD_SERVER_REPLY: return ccurl_malformed;
        case CURLE_WRITE_ERROR:
        case CURLE_READ_ERROR:
        case CURLE_ABORTED_BY_CALLBACK: return ccurl_stopped;
        default: return ccurl_failed;
    }
}

void *ccurl_client_take_ended(ccurl_client *client, ccurl_outcome *outcome, int *error) {
    int left = 0;
    CURLMsg *message;
    while ((message = lib.multi_info_read(client->multi, &left)) != NULL) {
        if (message->msg != CURLMSG_DONE) continue;
        ccurl_transfer *transfer = NULL;
        long code = 0;
        lib.easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, (char **)&transfer);
        lib.easy_getinfo(message->easy_handle, CURLINFO_OS_ERRNO, &code);
        *outcome = outcome_of(message->data.result);
        *error = (int)code;
        return transfer->context;
    }
    return NULL;
}

// ---- callbacks ---------------------------------------------------------------------------

static curl_socket_t open_socket(
    void *argument, curlsocktype purpose, struct curl_sockaddr *address
) {
    ccurl_transfer *transfer = argument;
    const uint8_t *octets;
    int count;
    switch (address->family) {
        case AF_INET:
            octets = (const uint8_t *)&((struct sockaddr_in *)&address->addr)->sin_addr;
            count = 4;
            break;
        case AF_INET6:
            octets = (const uint8_t *)&((struct sockaddr_in6 *)&address->addr)->sin6_addr;
            count = 16;
            break;
        default: return CURL_SOCKET_BAD;
    }
    if (purpose != CURLSOCKTYPE_IPCXN
        || !transfer->callbacks.may_connect(transfer->context, octets, count))
    {
        return CURL_SOCKET_BAD;
    }
    return socket(
        address->family, address->socktype | SOCK_CLOEXEC | SOCK_NONBLOCK, address->protocol);
}

static int begin_request(
    void *argument, char *peer, char *own, int peer_port, int own_port
) {
    (void)peer, (void)own, (void)peer_port, (void)own_port;
    ccurl_transfer *transfer = argument;
    transfer->callbacks.connected(transfer->context);
    return CURL_PREREQFUNC_OK;
}

static size_t take_line(char *octets, size_t size, size_t count, void *argument) {
    ccurl_transfer *transfer = argument;
    int result =
        transfer->callbacks.line(transfer->context, (const uint8_t *)octets, size * count);
    return result == 0 ? size * count : 0;
}

static size_t take_content(char *octets, size_t size, size_t count, void *argument) {
    ccurl_transfer *transfer = argument;
    int result =
        transfer->callbacks.content(transfer->context, (const uint8_t *)octets, size * count);
    if (result == 0) return size * count;
    // Any result other than the number of octets ends the transfer.
    return result == ccurl_pause ? CURL_WRITEFUNC_PAUSE : size * count + 1;
}

static size_t give_body(char *octets, size_t size, size_t count, void *argument) {
    ccurl_transfer *transfer = argument;
    ssize_t result =
        transfer->callbacks.body(transfer->context, (uint8_t *)octets, size * count);
    if (result >= 0) return (size_t)result;
    return result == ccurl_pause ? CURL_READFUNC_PAUSE : CURL_READFUNC_ABORT;
}

// ---- transfers ---------------------------------------------------------------------------

// Settings of every request: only HTTP/1.1, no redirects, no proxy, no signals. Each request has
// its own connection, so that it can't use one to an address that was allowed for another.
static int set_rules(CURL *easy, ccurl_transfer *transfer) {
    int failed = 0;
    failed |= lib.easy_setopt(easy, CURLOPT_PRIVATE, transfer);
    failed |= lib.easy_setopt(easy, CURLOPT_ERRORBUFFER, transfer->reason);
    failed |= lib.easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
    failed |= lib.easy_setopt(easy, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
    failed |= lib.easy_setopt(easy, CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
    failed |= lib.easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L);
    failed |= lib.easy_setopt(easy, CURLOPT_PROXY, "");
    failed |= lib.easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    // Without it, cancelling a name lookup waits for the name server.
    failed |= lib.easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);
    failed |= lib.easy_setopt(easy, CURLOPT_FRESH_CONNECT, 1L);
    failed |= lib.easy_setopt(easy, CURLOPT_FORBID_REUSE, 1L);
    failed |= lib.easy_setopt(easy, CURLOPT_BUFFERSIZE, 64L * 1024);
    failed |= lib.easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, open_socket);
    failed |= lib.easy_setopt(easy, CURLOPT_OPENSOCKETDATA, transfer);
    failed |= lib.easy_setopt(easy, CURLOPT_PREREQFUNCTION, begin_request);
    failed |= lib.easy_setopt(easy, CURLOPT_PREREQDATA, transfer);
    failed |= lib.easy_setopt(easy, CURLOPT_HEADERFUNCTION, take_line);
    failed |= lib.easy_setopt(easy, CURLOPT_HEADERDATA, transfer);
    failed |= lib.easy_setopt(easy, CURLOPT_WRITEFUNCTION, take_content);
    failed |= lib.easy_setopt(easy, CURLOPT_WRITEDATA, transfer);
    return failed;
}

static int set_request(CURL *easy, ccurl_transfer *transfer, const ccurl_request *request) {
    int failed = 0;
    failed |= lib.easy_setopt(easy, CURLOPT_URL, request->origin);
    failed |= lib.easy_setopt(easy, CURLOPT_REQUEST_TARGET, request->target);
    failed |= lib.easy_setopt(
        easy, CURLOPT_HAPROXYPROTOCOL, request->sends_proxy_header ? 1L : 0L);
    failed |= lib.easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, (long)request->connect_ms);
    failed |= lib.easy_setopt(easy, CURLOPT_TIMEOUT_MS, (long)request->total_ms);
    if (request->has_body_callback) {
        failed |= lib.easy_setopt(easy, CURLOPT_POST, 1L);
        failed |= lib.easy_setopt(easy, CURLOPT_READFUNCTION, give_body);
        failed |= lib.easy_setopt(easy, CURLOPT_READDATA, transfer);
        // For servers that don't support Expect (RFC 9110 §10.1.1).
        failed |= lib.easy_setopt(easy, CURLOPT_EXPECT_100_TIMEOUT_MS, 2000L);
    } else if (request->body != NULL || strcmp(request->method, "GET") != 0) {
        curl_off_t count = (curl_off_t)request->body_count;
        failed |= lib.easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, count);
        failed |= lib.easy_setopt(
            easy, CURLOPT_COPYPOSTFIELDS, count > 0 ? (const char *)request->body : "");
    }
    failed |= lib.easy_setopt(easy, CURLOPT_CUSTOMREQUEST, request->method);
    if (request->authorities != NULL) {
        struct curl_blob blob = {
            .data = (void *)request->authorities, .len = request->authorities_count,
            .flags = CURL_BLOB_COPY,
        };
        failed |= lib.easy_setopt(easy, CURLOPT_CAINFO_BLOB, &blob);
        failed |= lib.easy_setopt(easy, CURLOPT_CAPATH, NULL);
    }
    if (request->skips_verification) {
        failed |= lib.easy_setopt(easy, CURLOPT_SSL_VERIFYPEER, 0L);
        failed |= lib.easy_setopt(easy, CURLOPT_SSL_VERIFYHOST, 0L);
    }
    return failed;
}

ccurl_transfer *ccurl_transfer_new(
    const ccurl_request *request, const ccurl_callbacks *callbacks, void *context
) {
    ccurl_transfer *transfer = calloc(1, sizeof *transfer);
    if (transfer == NULL) return NULL;
    transfer->callbacks = *callbacks;
    transfer->context = context;
    transfer->easy = lib.easy_init();
    if (transfer->easy != NULL && !set_rules(transfer->easy, transfer)
        && !set_request(transfer->easy, transfer, request))
    {
        return transfer;
    }
    ccurl_transfer_free(transfer);
    return NULL;
}

int ccurl_transfer_add_field(ccurl_transfer *transfer, const char *line) {
    struct curl_slist *fields = lib.slist_append(transfer->fields, line);
    if (fields == NULL) return ccurl_failed;
    transfer->fields = fields;
    return 0;
}

int ccurl_transfer_start(ccurl_transfer *transfer, ccurl_client *client) {
    if (lib.easy_setopt(transfer->easy, CURLOPT_HTTPHEADER, transfer->fields) != CURLE_OK
        || lib.multi_add_handle(client->multi, transfer->easy) != CURLM_OK)
    {
        return ccurl_failed;
    }
    transfer->multi = client->multi;
    return 0;
}

void ccurl_transfer_resume(ccurl_transfer *transfer) {
    lib.easy_pause(transfer->easy, CURLPAUSE_CONT);
}

const char *ccurl_transfer_reason(const ccurl_transfer *transfer) { return transfer->reason; }

void ccurl_transfer_free(ccurl_transfer *transfer) {
    if (transfer == NULL) return;
    if (transfer->multi != NULL) lib.multi_remove_handle(transfer->multi, transfer->easy);
    if (transfer->easy != NULL) lib.easy_cleanup(transfer->easy);
    lib.slist_free_all(transfer->fields);
    free(transfer);
}
