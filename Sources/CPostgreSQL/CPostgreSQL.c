// See CPostgreSQL.h.
#define _GNU_SOURCE
#include "CPostgreSQL.h"

#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <postgresql/libpq-fe.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// ---- loading -----------------------------------------------------------------------------

// The functions in use, looked up once.
static struct {
    __typeof__(&PQconnectdbParams) connect;
    __typeof__(&PQpingParams) ping;
    __typeof__(&PQfinish) finish;
    __typeof__(&PQgetCancel) get_cancel;
    __typeof__(&PQcancel) cancel;
    __typeof__(&PQfreeCancel) free_cancel;
    __typeof__(&PQstatus) status;
    __typeof__(&PQerrorMessage) error;
    __typeof__(&PQbackendPID) backend;
    __typeof__(&PQserverVersion) version;
    __typeof__(&PQparameterStatus) parameter;
    __typeof__(&PQsocket) socket;
    __typeof__(&PQsetnonblocking) set_nonblocking;
    __typeof__(&PQenterPipelineMode) enter_pipeline;
    __typeof__(&PQpipelineSync) sync;
    __typeof__(&PQsendPrepare) prepare;
    __typeof__(&PQsendQueryPrepared) send_prepared;
    __typeof__(&PQsendQueryParams) send;
    __typeof__(&PQflush) flush;
    __typeof__(&PQconsumeInput) consume;
    __typeof__(&PQisBusy) is_busy;
    __typeof__(&PQgetResult) result;
    __typeof__(&PQresultStatus) result_status;
    __typeof__(&PQresultErrorField) error_field;
    __typeof__(&PQresultErrorMessage) result_error;
    __typeof__(&PQntuples) rows;
    __typeof__(&PQnfields) columns;
    __typeof__(&PQgetvalue) value;
    __typeof__(&PQgetlength) length;
    __typeof__(&PQgetisnull) is_null;
    __typeof__(&PQcmdTuples) changed;
    __typeof__(&PQclear) clear;
    __typeof__(&PQnotifies) notifies;
    __typeof__(&PQfreemem) free;
    __typeof__(&PQsetNoticeReceiver) set_notice_receiver;
    __typeof__(&PQconninfoParse) parse;
    __typeof__(&PQconninfoFree) free_options;
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
    void *library = dlopen("libpq.so.5", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        const char *reason = dlerror();
        strncat(load_error, reason ? reason : "it is missing", sizeof load_error - 1);
        return;
    }
    lib.connect = find(library, "PQconnectdbParams");
    lib.ping = find(library, "PQpingParams");
    lib.finish = find(library, "PQfinish");
    lib.get_cancel = find(library, "PQgetCancel");
    lib.cancel = find(library, "PQcancel");
    lib.free_cancel = find(library, "PQfreeCancel");
    lib.status = find(library, "PQstatus");
    lib.error = find(library, "PQerrorMessage");
    lib.backend = find(library, "PQbackendPID");
    lib.version = find(library, "PQserverVersion");
    lib.parameter = find(library, "PQparameterStatus");
    lib.socket = find(library, "PQsocket");
    lib.set_nonblocking = find(library, "PQsetnonblocking");
    lib.enter_pipeline = find(library, "PQenterPipelineMode");
    lib.sync = find(library, "PQpipelineSync");
    lib.prepare = find(library, "PQsendPrepare");
    lib.send_prepared = find(library, "PQsendQueryPrepared");
    lib.send = find(library, "PQsendQueryParams");
    lib.flush = find(library, "PQflush");
    lib.consume = find(library, "PQconsumeInput");
    lib.is_busy = find(library, "PQisBusy");
    lib.result = find(library, "PQgetResult");
    lib.result_status = find(library, "PQresultStatus");
    lib.error_field = find(library, "PQresultErrorField");
    lib.result_error = find(library, "PQresultErrorMessage");
    lib.rows = find(library, "PQntuples");
    lib.columns = find(library, "PQnfields");
    lib.value = find(library, "PQgetvalue");
    lib.length = find(library, "PQgetlength");
    lib.is_null = find(library, "PQgetisnull");
    lib.changed = find(library, "PQcmdTuples");
    lib.clear = find(library, "PQclear");
    lib.notifies = find(library, "PQnotifies");
    lib.free = find(library, "PQfreemem");
    lib.set_notice_receiver = find(library, "PQsetNoticeReceiver");
    lib.parse = find(library, "PQconninfoParse");
    lib.free_options = find(library, "PQconninfoFree");
}

const char *cpq_load(void) {
    pthread_once(&loading, load);
    return load_error[0] ? load_error : NULL;
}

// ---- connections -------------------------------------------------------------------------

struct cpq_connection {
    PGconn *libpq;
};

// Notices go nowhere: libpq would write them to standard error.
static void ignore(void *argument, const PGresult *notice) { (void)argument, (void)notice; }

// What libpq wants: two arrays that end with NULL. Both are in one piece; free `names`.
typedef struct {
    const char **names;
    const char **values;
} keywords;

static keywords split(const char *const *texts, int count) {
    size_t size = (size_t)count + 1;
    const char **names = calloc(2 * size, sizeof *names);
    if (names == NULL) return (keywords){NULL, NULL};
    for (int i = 0; i < count; i++) {
        names[i] = texts[2 * i];
        names[size + (size_t)i] = texts[2 * i + 1];
    }
    return (keywords){names, names + size};
}

int cpq_is_answered(const char *const *texts, int count) {
    keywords keywords = split(texts, count);
    if (keywords.names == NULL) return 0;
    PGPing answer = lib.ping(keywords.names, keywords.values, 1);
    free(keywords.names);
    return answer == PQPING_OK;
}

cpq_connection *cpq_connect(const char *const *texts, int count) {
    cpq_connection *connection = calloc(1, sizeof *connection);
    keywords keywords = split(texts, count);
    if (connection != NULL && keywords.names != NULL) {
        connection->libpq = lib.connect(keywords.names, keywords.values, 1);
    }
    free(keywords.names);
    if (connection == NULL || connection->libpq == NULL) {
        free(connection);
        return NULL;
    }
    lib.set_notice_receiver(connection->libpq, ignore, NULL);
    if (lib.status(connection->libpq) == CONNECTION_OK) {
        lib.set_nonblocking(connection->libpq, 1);
        lib.enter_pipeline(connection->libpq);
    }
    return connection;
}

int cpq_is_connected(const cpq_connection *connection) {
    return lib.status(connection->libpq) == CONNECTION_OK;
}

const char *cpq_error(const cpq_connection *connection) { return lib.error(connection->libpq); }

int cpq_backend(const cpq_connection *connection) { return lib.backend(connection->libpq); }

int cpq_server_version(const cpq_connection *connection) {
    return lib.version(connection->libpq);
}

const char *cpq_parameter(const cpq_connection *connection, const char *name) {
    return lib.parameter(connection->libpq, name);
}

void cpq_close(cpq_connection *connection) {
    if (connection == NULL) return;
    lib.finish(connection->libpq);
    free(connection);
}

static void *request_cancel(void *cancel) {
    char reason[256];
    lib.cancel(cancel, reason, sizeof reason);
    lib.free_cancel(cancel);
    return NULL;
}

void cpq_cancel(cpq_connection *connection, int seconds) {
    PGcancel *cancel = lib.get_cancel(connection->libpq);
    if (cancel == NULL) return;
    // libpq waits for a server that hangs, without a limit.
    pthread_t thread;
    if (pthread_create(&thread, NULL, request_cancel, cancel) != 0) {
        lib.free_cancel(cancel);
        return;
    }
    struct timespec deadline;
    clock_gettime(CLOCK_REALTIME, &deadline);
    deadline.tv_sec += seconds;
    if (pthread_timedjoin_np(thread, NULL, &deadline) != 0) pthread_detach(thread);
}

int cpq_check(
    const char *text, int *password, int *bad_port, int *bad_name, char *reason,
    size_t capacity
) {
    char *error = NULL;
    PQconninfoOption *options = lib.parse(text, &error);
    if (options == NULL) {
        reason[0] = 0;
        strncat(reason, error ? error : "there is no memory", capacity - 1);
        if (error) lib.free(error);
        return -1;
    }
    *password = *bad_port = *bad_name = 0;
    for (PQconninfoOption *option = options; option->keyword != NULL; option++) {
        int is_secret = strcmp(option->keyword, "password") == 0
            || strcmp(option->keyword, "sslpassword") == 0;
        if (option->val == NULL || option->val[0] == 0) continue;
        if (is_secret) *password = 1;
        int is_port = strcmp(option->keyword, "port") == 0;
        if (is_port && option->val[strspn(option->val, "0123456789,")] != 0) *bad_port = 1;
        int is_name = strcmp(option->keyword, "dbname") == 0;
        int is_address = strstr(option->val, "://") != NULL || strchr(option->val, '=') != NULL;
        if (is_name && is_address) *bad_name = 1;
    }
    lib.free_options(options);
    return 0;
}

// ---- statements --------------------------------------------------------------------------

int cpq_queue_preparation(
    cpq_connection *connection, const char *name, const char *sql, int count,
    const uint32_t *types
) {
    return lib.prepare(connection->libpq, name, sql, count, types) == 1 ? 0 : -1;
}

int cpq_queue(
    cpq_connection *connection, const char *text, int is_name, int count, const uint32_t *types,
    const int32_t *sizes, const uint8_t *bytes
) {
    const char **values = calloc((size_t)count + 1, sizeof *values);
    int *formats = calloc((size_t)count + 1, sizeof *formats);
    int sent = 0;
    if (values != NULL && formats != NULL) {
        for (int i = 0; i < count; i++) {
            formats[i] = 1;
            if (sizes[i] < 0) continue;
            values[i] = (const char *)bytes;
            bytes += sizes[i];
        }
        PGconn *libpq = connection->libpq;
        sent = is_name
            ? lib.send_prepared(libpq, text, count, values, sizes, formats, 1)
            : lib.send(libpq, text, count, types, values, sizes, formats, 1);
    }
    free(values);
    free(formats);
    return sent == 1 ? 0 : -1;
}

static int64_t now_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

// Waits until the socket can be read, or written if `writes`; 1, 0 when the time is over, −1.
static int wait_until(cpq_connection *connection, int writes, int64_t deadline) {
    struct pollfd descriptor = {
        .fd = lib.socket(connection->libpq), .events = POLLIN | (writes ? POLLOUT : 0),
    };
    if (descriptor.fd < 0) return -1;
    for (;;) {
        int64_t left = deadline - now_ms();
        int count = poll(&descriptor, 1, left < 0 ? 0 : (int)left);
        if (count > 0) return 1;
        if (count == 0) return 0;
        if (errno != EINTR) return -1;
    }
}

int cpq_send(cpq_connection *connection, int timeout_ms) {
    int64_t deadline = now_ms() + timeout_ms;
    if (lib.sync(connection->libpq) != 1) return cpq_lost;
    for (;;) {
        int left = lib.flush(connection->libpq);
        if (left == 0) return 0;
        if (left < 0) return cpq_lost;
        int ready = wait_until(connection, 1, deadline);
        if (ready <= 0) return ready == 0 ? cpq_timed_out : cpq_lost;
        // The server may wait until its own output is read.
        if (!lib.consume(connection->libpq)) return cpq_lost;
    }
}

struct cpq_result {
    PGresult *libpq;
};

cpq_outcome cpq_next(cpq_connection *connection, int timeout_ms, cpq_result **result) {
    int64_t deadline = now_ms() + timeout_ms;
    *result = NULL;
    for (;;) {
        while (lib.is_busy(connection->libpq)) {
            int ready = wait_until(connection, 0, deadline);
            if (ready <= 0) return ready == 0 ? cpq_timed_out : cpq_lost;
            if (!lib.consume(connection->libpq)) return cpq_lost;
        }
        PGresult *next = lib.result(connection->libpq);
        // It ends the results of one statement.
        if (next == NULL) {
            if (lib.status(connection->libpq) != CONNECTION_OK) return cpq_lost;
            continue;
        }
        switch (lib.result_status(next)) {
            case PGRES_PIPELINE_SYNC: lib.clear(next); return cpq_synced;
            case PGRES_PIPELINE_ABORTED: lib.clear(next); return cpq_skipped;
            default: break;
        }
        ExecStatusType status = lib.result_status(next);
        *result = calloc(1, sizeof **result);
        if (*result == NULL) {
            lib.clear(next);
            return cpq_lost;
        }
        (*result)->libpq = next;
        int done = status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK;
        return done ? cpq_done : cpq_failed;
    }
}

// ---- results -----------------------------------------------------------------------------

int cpq_rows(const cpq_result *result) { return lib.rows(result->libpq); }

int cpq_columns(const cpq_result *result) { return lib.columns(result->libpq); }

const uint8_t *cpq_value(const cpq_result *result, int row, int column, int *size) {
    if (lib.is_null(result->libpq, row, column)) return NULL;
    *size = lib.length(result->libpq, row, column);
    return (const uint8_t *)lib.value(result->libpq, row, column);
}

int64_t cpq_changed(const cpq_result *result) {
    return strtoll(lib.changed(result->libpq), NULL, 10);
}

const char *cpq_state(const cpq_result *result) {
    const char *state = lib.error_field(result->libpq, PG_DIAG_SQLSTATE);
    return state ? state : "";
}

const char *cpq_message(const cpq_result *result) {
    const char *message = lib.error_field(result->libpq, PG_DIAG_MESSAGE_PRIMARY);
    return message ? message : lib.result_error(result->libpq);
}

const char *cpq_constraint(const cpq_result *result) {
    const char *name = lib.error_field(result->libpq, PG_DIAG_CONSTRAINT_NAME);
    return name ? name : "";
}

void cpq_free(cpq_result *result) {
    if (result == NULL) return;
    lib.clear(result->libpq);
    free(result);
}

// ---- notifications -----------------------------------------------------------------------

int cpq_wait(cpq_connection *connection, int timeout_ms) {
    int ready = wait_until(connection, 0, now_ms() + timeout_ms);
    if (ready <= 0) return ready;
    return lib.consume(connection->libpq) ? 1 : -1;
}

int cpq_notification(cpq_connection *connection, char *text, size_t capacity) {
    PGnotify *notification = lib.notifies(connection->libpq);
    if (notification == NULL) return 0;
    text[0] = 0;
    strncat(text, notification->extra, capacity - 1);
    lib.free(notification);
    return 1;
}
