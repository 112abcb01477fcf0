// The parts of libpq that Swift can't import: loading it, and queueing statements on a connection.
//
// libpq is loaded for the first connection, so a server that keeps its results in files needs
// neither the library nor its memory. A connection is in pipeline mode: statements are queued with
// cpq_queue, sent with cpq_send, and answered in order with one result each, then with cpq_synced.
// A connection belongs to one thread. Texts are valid until the next call with the connection;
// values of a result until it is freed.
#ifndef CPOSTGRESQL_H
#define CPOSTGRESQL_H

#include <stddef.h>
#include <stdint.h>

// Why libpq can't be loaded; NULL if it is loaded. Can be called on any thread.
const char *cpq_load(void);

// ---- connections -------------------------------------------------------------------------

typedef struct cpq_connection cpq_connection;

// Connects; blocks. The texts are `name`, `value`, `name`, `value`, …; `dbname` may hold a whole
// connection string. Requires cpq_load. NULL if there is no memory; see cpq_is_connected.
cpq_connection *cpq_connect(const char *const *texts, int count);

// Whether a server answers that takes connections, even if it refuses this one; blocks. The texts
// are as for cpq_connect. Requires cpq_load.
int cpq_is_answered(const char *const *texts, int count);

int cpq_is_connected(const cpq_connection *connection);

// What went wrong last; may be empty, or have several lines.
const char *cpq_error(const cpq_connection *connection);

// The process that serves the connection, and the server's version such as 150018.
int cpq_backend(const cpq_connection *connection);
int cpq_server_version(const cpq_connection *connection);

// A parameter that the server reports, such as `server_encoding`; NULL if it doesn't.
const char *cpq_parameter(const cpq_connection *connection, const char *name);

// Asks the server to cancel what it executes for the connection; returns when it has the request,
// or when the time is over. Whether it cancels anything is unknown.
void cpq_cancel(cpq_connection *connection, int seconds);

void cpq_close(cpq_connection *connection);

// Whether a connection string can be parsed: 0, or −1 with the reason in `reason`. `password` is 1
// if it holds a password, `bad_port` if a port is not a number, `bad_name` if the name of the
// database is itself a connection string.
int cpq_check(
    const char *text, int *password, int *bad_port, int *bad_name, char *reason,
    size_t capacity);

// ---- statements --------------------------------------------------------------------------

// Queues the preparation of a statement that `cpq_queue` then names. Returns 0, or −1.
int cpq_queue_preparation(
    cpq_connection *connection, const char *name, const char *sql, int count,
    const uint32_t *types);

// Queues a statement with parameters in binary form: `sizes` of the values in `bytes`, one after
// another, −1 for NULL. If `is_name`, `text` is the name of a prepared statement, otherwise SQL.
// Rows come in binary form. Returns 0, or −1.
int cpq_queue(
    cpq_connection *connection, const char *text, int is_name, int count, const uint32_t *types,
    const int32_t *sizes, const uint8_t *bytes);

// Ends the queue, and sends it. Returns 0, −1 for a lost connection, −2 when the time is over.
int cpq_send(cpq_connection *connection, int timeout_ms);

typedef struct cpq_result cpq_result;

typedef enum {
    cpq_lost = -1,
    cpq_timed_out = -2,
    cpq_synced = 0,
    cpq_done = 1,
    cpq_failed = 2,
    // It was not executed, because an earlier one failed.
    cpq_skipped = 3,
} cpq_outcome;

// Waits for the next result. `result` is set for cpq_done and cpq_failed; free it.
cpq_outcome cpq_next(cpq_connection *connection, int timeout_ms, cpq_result **result);

// ---- results -----------------------------------------------------------------------------

int cpq_rows(const cpq_result *result);
int cpq_columns(const cpq_result *result);

// A value and its size; NULL for NULL.
const uint8_t *cpq_value(const cpq_result *result, int row, int column, int *size);

// Number of rows that the statement changed.
int64_t cpq_changed(const cpq_result *result);

// The SQLSTATE of a failure, and its message; may be empty.
const char *cpq_state(const cpq_result *result);
const char *cpq_message(const cpq_result *result);

// The constraint that a statement violated; may be empty.
const char *cpq_constraint(const cpq_result *result);

void cpq_free(cpq_result *result);

// ---- notifications -----------------------------------------------------------------------

// Waits until something arrives. Returns 1 if something did, 0 when the time is over, −1 for a lost
// connection. Only between queues.
int cpq_wait(cpq_connection *connection, int timeout_ms);

// Copies the text of the next notification that has arrived to `text`, ended with NUL. Returns 1, or 0
// if all have been taken.
int cpq_notification(cpq_connection *connection, char *text, size_t capacity);

#endif
