// What SQLite can only be taught in C: to leave nothing in the free space of a page.
//
// `PRAGMA secure_delete` overwrites what is deleted, but not the copy that stays in a page when its
// cells move to another one, and that copy outlives the row. Returns SQLite's result codes.
#ifndef CSQLITE_H
#define CSQLITE_H

struct sqlite3;

// Has the main database file of an open connection written with zeros in the unallocated space of its
// b-tree pages. The log has them as they are until a checkpoint. The database may have no page whose
// number is 2^25 or more: see the .c file.
int csqlite_clear_free_space(struct sqlite3 *connection);

#endif
