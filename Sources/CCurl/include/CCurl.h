// What Swift can't import from libcurl: variadic functions, callbacks, and the loading itself.
//
// libcurl brings thirty libraries and 6 MB with it, so it is loaded when the first request is made,
// and a program that sends none pays nothing. Functions that make something return NULL when that
// fails, the others 0 or a value of `ccurl_outcome`. What is passed in is lent for the call, and
// nothing is allocated for the caller. A client and its transfers belong to one thread;
// ccurl_client_wake alone may be called on any.
#ifndef CCURL_H
#define CCURL_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// How a transfer ended.
typedef enum {
    ccurl_done = 0,
    ccurl_name_unknown = 1,
    // No connection; the errno says why.
    ccurl_unreachable = 2,
    ccurl_timed_out = 3,
    ccurl_tls_failed = 4,
    // The connection ended before a response began.
    ccurl_no_response = 5,
    // The connection ended in the middle of the response, or of the request.
    ccurl_broken_off = 6,
    // What came is no HTTP/1 response.
    ccurl_malformed = 7,
    // A callback ended it.
    ccurl_stopped = 8,
    ccurl_failed = 9,
} ccurl_outcome;

// What callbacks return in place of a count.
enum {
    // Nothing for now: ccurl_transfer_resume goes on.
    ccurl_pause = -1,
    // The transfer ends with ccurl_stopped.
    ccurl_stop = -2,
};

// What happens to a transfer, told on its client's thread with the transfer's context.
typedef struct {
    // The connection is there, and the request is about to be sent.
    void (*connected)(void *context);
    // May this address be connected to? 4 or 16 octets; 0 for no.
    int (*may_connect)(void *context, const uint8_t *address, int count);
    // A line of a head, interim ones and trailers included, with its end; 0 or ccurl_stop.
    int (*line)(void *context, const uint8_t *octets, size_t count);
    // Content of the response; 0 when it was taken, ccurl_pause or ccurl_stop.
    int (*content)(void *context, const uint8_t *octets, size_t count);
    // Fills in the request's next content: how many octets, 0 at the end, ccurl_pause or ccurl_stop.
    ssize_t (*body)(void *context, uint8_t *octets, size_t capacity);
} ccurl_callbacks;

typedef struct {
    const char *method;
    // Scheme and authority, and what is asked for there, which is sent as it is.
    const char *origin;
    const char *target;
    // Content that is there already; NULL where the callback gives it, or without content.
    const uint8_t *body;
    size_t body_count;
    int has_body_callback;
    // Certificates (PEM) that are trusted in place of the system's, or NULL.
    const uint8_t *authorities;
    size_t authorities_count;
    int64_t connect_ms;
    // For everything together; 0 for no such limit.
    int64_t total_ms;
} ccurl_request;

// Why libcurl can't be loaded; NULL when it is there. May be called on any thread.
const char *ccurl_load(void);

// ---- clients -----------------------------------------------------------------------------

typedef struct ccurl_client ccurl_client;

// After ccurl_load. A client is never freed: it is the program's.
ccurl_client *ccurl_client_new(void);

// Waits for something to do, up to `timeout_ms`, or until the client is woken; then does it.
void ccurl_client_run(ccurl_client *client, int timeout_ms);
void ccurl_client_wake(ccurl_client *client);

typedef struct ccurl_transfer ccurl_transfer;

// The context of a transfer that has ended, or NULL; told once for each.
void *ccurl_client_take_ended(ccurl_client *client, ccurl_outcome *outcome, int *error);

// ---- transfers ---------------------------------------------------------------------------

// `context` and the callbacks must live until the transfer is freed.
ccurl_transfer *ccurl_transfer_new(
    const ccurl_request *request, const ccurl_callbacks *callbacks, void *context);

// `Name: value`, or `Name;` for an empty value, or `Name:` for a field that is not to be sent.
int ccurl_transfer_add_field(ccurl_transfer *transfer, const char *line);
int ccurl_transfer_start(ccurl_transfer *transfer, ccurl_client *client);

// Goes on after ccurl_pause, both ways.
void ccurl_transfer_resume(ccurl_transfer *transfer);

// libcurl's sentence about a failure; may be empty.
const char *ccurl_transfer_reason(const ccurl_transfer *transfer);

// Ends the transfer where it is, closes its connection and frees it.
void ccurl_transfer_free(ccurl_transfer *transfer);

#endif
