// See CSQLite.h. A page that is written to the database file passes through here, from the log (by
// a checkpoint) or directly. The file has no checksums, and SQLite never reads the zeroed bytes.
#include "CSQLite.h"

#include <pthread.h>
#include <sqlite3.h>
#include <string.h>

enum { largest_page = 65536, file_header = 100 };

// The methods of all database files: those of SQLite's own file system, with another `xWrite`.
static const sqlite3_io_methods *original;
static sqlite3_io_methods clearing;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int number(const unsigned char *bytes) { return bytes[0] << 8 | bytes[1]; }

// The unallocated space of a page, between its cell pointers and its cells (SQLite's file format
// §1.6); `*end` is 0 if a page has no free space, or isn't a b-tree page. Every other page begins
// with a page number whose highest byte is less than 2.
static int free_space(const unsigned char *page, int size, sqlite3_int64 offset, int *end) {
    *end = 0;
    if (size < 512 || size > largest_page || offset % size != 0) { return 0; }
    int header = offset == 0 ? file_header : 0;
    int kind = page[header];
    int is_leaf = kind == 10 || kind == 13;
    if (!is_leaf && kind != 2 && kind != 5) { return 0; }
    int cells = number(page + header + 5);
    if (cells == 0) { cells = largest_page; }
    int start = header + (is_leaf ? 8 : 12) + 2 * number(page + header + 3);
    if (start < cells && cells <= size) { *end = cells; }
    return start;
}

static int write_cleared(sqlite3_file *file, const void *bytes, int size, sqlite3_int64 offset) {
    int end;
    int start = free_space(bytes, size, offset, &end);
    if (end == 0) { return original->xWrite(file, bytes, size, offset); }
    unsigned char page[largest_page];
    memcpy(page, bytes, size);
    memset(page + start, 0, end - start);
    return original->xWrite(file, page, size, offset);
}

int csqlite_clear_free_space(struct sqlite3 *connection) {
    sqlite3_file *file = NULL;
    int result = sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, &file);
    if (result != SQLITE_OK) { return result; }
    if (file == NULL || file->pMethods == NULL) { return SQLITE_MISUSE; }
    if (file->pMethods == &clearing) { return SQLITE_OK; }
    pthread_mutex_lock(&lock);
    if (original == NULL) {
        clearing = *file->pMethods;
        clearing.xWrite = write_cleared;
        original = file->pMethods;
    }
    pthread_mutex_unlock(&lock);
    if (file->pMethods != original) { return SQLITE_MISUSE; }
    file->pMethods = &clearing;
    return SQLITE_OK;
}

int csqlite_has_moved(struct sqlite3 *connection) {
    int has_moved = 0;
    // A database that is closed has no connection; its next statement fails.
    if (connection == NULL) { return 0; }
    sqlite3_file_control(connection, "main", SQLITE_FCNTL_HAS_MOVED, &has_moved);
    return has_moved;
}

// SQLite calls a handler whenever a statement's steps since it was prepared pass a multiple of this
// number. The statements that full-text search keeps have made some before the limit was set, so
// one call says little, and many say how many steps there were.
enum { steps_per_call = 1000 };

static _Thread_local int calls_left;

static int stop_after_last_call(void *unused) {
    (void)unused;
    if (calls_left > 0) { calls_left--; }
    return calls_left == 0;
}

void csqlite_limit_steps(struct sqlite3 *connection, int steps) {
    calls_left = steps / steps_per_call;
    sqlite3_progress_handler(
        connection, steps_per_call, steps > 0 ? stop_after_last_call : NULL, NULL);
}

void csqlite_interrupt(struct sqlite3 *connection) { sqlite3_interrupt(connection); }

int csqlite_bind_integer(struct sqlite3_stmt *statement, int index, int64_t value) {
    return sqlite3_bind_int64(statement, index, value);
}

int csqlite_bind_real(struct sqlite3_stmt *statement, int index, double value) {
    return sqlite3_bind_double(statement, index, value);
}

int csqlite_bind_text(struct sqlite3_stmt *statement, int index, const void *text, int size) {
    // A null pointer would bind NULL instead of an empty text.
    return sqlite3_bind_text(statement, index, size > 0 ? text : "", size, SQLITE_TRANSIENT);
}

int csqlite_insert(struct sqlite3_stmt *statement) {
    int result = sqlite3_step(statement);
    int failure = sqlite3_reset(statement);
    sqlite3_clear_bindings(statement);
    return result == SQLITE_DONE ? SQLITE_OK : failure != SQLITE_OK ? failure : SQLITE_MISUSE;
}

void csqlite_count_no_memory(void) { sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }
