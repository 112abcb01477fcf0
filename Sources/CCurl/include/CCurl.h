// The parts of libcurl that Swift can't import: variadic functions, callbacks, and loading it.
//
// libcurl depends on thirty libraries with 6 MB, so it is loaded for the first request, and a
// program that sends none pays nothing. Functions that create something return NULL on failure, the
// others 0 or a value of `ccurl_outcome`. Arguments are only used during the call, and nothing is
// allocated for the caller. A client and its transfers belong to one thread; only ccurl_client_wake
// can be called on any.
#ifndef CCURL_H
#define CCURL_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// How a transfer ended.
typedef enum {
    ccurl_done = 0,
    ccurl_name_unknown = 1,
    // Connecting failed; the errno says why.
    ccurl_unreachable = 2,
    ccurl_timed_out = 3,
    ccurl_tls_failed = 4,
    // The connection closed before a response began.
    ccurl_no_response = 5,
    // The connection closed within the response, or within the request.
    ccurl_broken_off = 6,
    // The received data is not an HTTP/1 response.
    ccurl_malformed = 7,
    // A callback ended it.
    ccurl_stopped = 8,
    ccurl_failed = 9,
} ccurl_outcome;

// What callbacks return instead of a count.
enum {
    // Pauses; ccurl_transfer_resume continues.
    ccurl_pause = -1,
    // The transfer ends with ccurl_stopped.
    ccurl_stop = -2,
};

// Callbacks of a transfer, called on its client's thread with the transfer's context.
typedef struct {
    // The connection is established, and the request is about to be sent.
    void (*connected)(void *context);
    // Whether this address may be connected to; 4 or 16 octets. Returns 0 for no.
    int (*may_connect)(void *context, const uint8_t *address, int count);
    // A line of a head with its line end, including interim heads and trailers; returns 0 or
    // ccurl_stop.
    int (*line)(void *context, const uint8_t *octets, size_t count);
    // Content of the response; returns 0 if it was taken, ccurl_pause or ccurl_stop.
    int (*content)(void *context, const uint8_t *octets, size_t count);
    // Fills in the request's next content; returns its size, 0 at the end, ccurl_pause or
    // ccurl_stop.
    ssize_t (*body)(void *context, uint8_t *octets, size_t capacity);
} ccurl_callbacks;

typedef struct {
    const char *method;
    // Scheme and authority, and the request target, which is sent unchanged.
    const char *origin;
    const char *target;
    // Content in memory; NULL if the callback supplies it, or without content.
    const uint8_t *body;
    size_t body_count;
    int has_body_callback;
    // Certificates (PEM) to trust instead of the system's, or NULL.
    const uint8_t *authorities;
    size_t authorities_count;
    // Accepts any certificate, for any host.
    int skips_verification;
    // Begins the connection with a PROXY header that names its own ends.
    int sends_proxy_header;
    int64_t connect_ms;
    // For the whole exchange; 0 for no limit.
    int64_t total_ms;
} ccurl_request;

// Why libcurl can't be loaded; NULL if it is loaded. Can be called on any thread.
const char *ccurl_load(void);

// ---- clients -----------------------------------------------------------------------------

typedef struct ccurl_client ccurl_client;

// Requires ccurl_load. A client is never freed, because the program has only one.
ccurl_client *ccurl_client_new(void);

// Waits up to `timeout_ms` for work, or until the client is woken; then does the work.
void ccurl_client_run(ccurl_client *client, int timeout_ms);
void ccurl_client_wake(ccurl_client *client);

typedef struct ccurl_transfer ccurl_transfer;

// The context of a transfer that has ended, or NULL; returned once for each.
void *ccurl_client_take_ended(ccurl_client *client, ccurl_outcome *outcome, int *error);

// ---- transfers ---------------------------------------------------------------------------

// `context` and the callbacks must exist until the transfer is freed.
ccurl_transfer *ccurl_transfer_new(
    const ccurl_request *request, const ccurl_callbacks *callbacks, void *context);

// `Name: value`, or `Name;` for an empty value, or `Name:` to omit a field.
int ccurl_transfer_add_field(ccurl_transfer *transfer, const char *line);
int ccurl_transfer_start(ccurl_transfer *transfer, ccurl_client *client);

// Continues after ccurl_pause, in both directions.
void ccurl_transfer_resume(ccurl_transfer *transfer);

// libcurl's message about a failure; may be empty.
const char *ccurl_transfer_reason(const ccurl_transfer *transfer);

// Ends the transfer at once, closes its connection and frees it.
void ccurl_transfer_free(ccurl_transfer *transfer);

#endif
