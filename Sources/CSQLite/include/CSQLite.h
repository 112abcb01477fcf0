// What GRDB doesn't offer: leaving no deleted data in the free space of SQLite's pages, noticing that
// a file was removed, bounding or ending the work of statements, and inserting rows without boxing
// their values.
//
// `PRAGMA secure_delete` overwrites deleted data, but not the copy that stays in a page when its
// cells move to another one, and that copy outlives the row. Returns SQLite's result codes.
#ifndef CSQLITE_H
#define CSQLITE_H

#include <stdint.h>

struct sqlite3;
struct sqlite3_stmt;

// Makes an open connection write zeros to the unallocated space of the main database file's b-tree
// pages. The log contains the unmodified pages until a checkpoint. The database must have no page
// with a number of 2^25 or more: see the .c file.
int csqlite_clear_free_space(struct sqlite3 *connection);

// 1 if the path that a connection opened no longer leads to the main database file, else 0; also 0
// for NULL.
int csqlite_has_moved(struct sqlite3 *connection);

// Interrupts the statements of a connection, with SQLITE_INTERRUPT, after about this many steps of
// SQLite's virtual machine from now on, all together; 0 removes the limit. The thread that sets the
// limit runs the statements, and has one limit at a time.
void csqlite_limit_steps(struct sqlite3 *connection, int steps);

// Ends the statements that a connection runs at this moment, with SQLITE_INTERRUPT. May be called on
// any thread while the connection is open.
void csqlite_interrupt(struct sqlite3 *connection);

// Bind a value to the parameter `index` (from 1) of a statement that has been reset. `text` is UTF-8
// of `size` bytes, and is copied.
int csqlite_bind_integer(struct sqlite3_stmt *statement, int index, int64_t value);
int csqlite_bind_real(struct sqlite3_stmt *statement, int index, double value);
int csqlite_bind_text(struct sqlite3_stmt *statement, int index, const void *text, int size);

// Runs a statement that returns no rows, then resets it and unbinds all its values.
int csqlite_insert(struct sqlite3_stmt *statement);

// Makes SQLite not count the memory that it uses: each count is kept under a lock of the whole
// process. Has an effect only before the first connection.
void csqlite_count_no_memory(void);

#endif
