// What Swift can't import from Linux: macros, variadics, epoll's packed events, thread-locals.
//
// Every call returns a value >= 0, or -errno; Swift never reads errno. Calls that a signal may
// interrupt are restarted here. Nothing allocates for the caller and nothing knows a protocol.
#ifndef CLINUX_H
#define CLINUX_H

#include <errno.h>
#include <stdint.h>
#include <stddef.h>
#include <sys/types.h>

// ---- epoll -------------------------------------------------------------------------------

enum {
    clinux_readable = 1,
    clinux_writable = 2,
    clinux_hangup = 4,
};

typedef struct {
    uint64_t id;
    uint32_t ready;  // of the constants above
} clinux_event;

int clinux_epoll_create(void);

// Registers `fd` once for reading and writing, edge-triggered. `id` comes back with its events.
int clinux_epoll_add(int epoll, int fd, uint64_t id);

// Waits up to `timeout_ms` (-1: for ever); writes at most `capacity` (<= 256) events.
int clinux_epoll_wait(int epoll, clinux_event *events, int capacity, int timeout_ms);

// A counter that wakes an epoll wait from another thread.
int clinux_eventfd(void);
int clinux_eventfd_signal(int fd);
int clinux_eventfd_clear(int fd);

// ---- sockets -----------------------------------------------------------------------------

typedef struct {
    uint8_t bytes[16];  // network order; an IPv4 address takes the first four
    uint16_t port;      // host order
    uint8_t family;     // 4, 6, or 0 for a Unix-domain socket
} clinux_address;

// A listening TCP socket on a numeric address or "localhost", not blocking. `shared` sets
// SO_REUSEPORT. -EINVAL when `host` is neither an IPv4 nor an IPv6 address.
int clinux_listen(const char *host, uint16_t port, int shared, int backlog);

// A listening Unix-domain socket, which only its owner and his group can open (mode 0660). What
// stands at `path` is replaced when it is a socket that nobody listens on; else -EADDRINUSE.
int clinux_listen_unix(const char *path, int backlog);

// Removes the socket or file at `path`; 0 also when there is none.
int clinux_unlink(const char *path);

// Makes an inherited descriptor ours: not blocking, closed on exec. -ENOTSOCK or -EINVAL when it
// is no listening stream socket.
int clinux_adopt_listener(int fd);

// A second descriptor for the same socket.
int clinux_duplicate(int fd);

// 0 when a TCP address could be bound by a socket that shares it with nobody, else -errno.
int clinux_probe_bind(const char *host, uint16_t port);

int clinux_local_address(int fd, clinux_address *address);

// Accepts without blocking, with TCP_NODELAY on; fills in the peer's address.
int clinux_accept(int fd, clinux_address *peer);

// Resolves `host` and connects within `timeout_ms`, blocking meanwhile; the socket doesn't block
// afterwards. -EHOSTUNREACH for unknown names.
int clinux_connect(const char *host, uint16_t port, int timeout_ms);

// Connects to a Unix-domain socket; the socket blocks.
int clinux_connect_unix(const char *path);

ssize_t clinux_recv(int fd, void *buffer, size_t count);

// Receives what is there, without waiting; -EAGAIN when nothing is.
ssize_t clinux_recv_now(int fd, void *buffer, size_t count);

// Receives without consuming.
ssize_t clinux_peek(int fd, void *buffer, size_t count);

// `more`: more will follow at once (MSG_MORE). A closed peer is -EPIPE, never a signal.
ssize_t clinux_send(int fd, const void *buffer, size_t count, int more);

// Sends from a file, without its bytes passing through the process.
ssize_t clinux_send_file(int fd, int file, int64_t offset, size_t count);
int clinux_shutdown_write(int fd);
int clinux_close(int fd);

// ---- descriptors -------------------------------------------------------------------------

enum { clinux_most_passed_descriptors = 64 };

// Sends open descriptors over a Unix-domain socket (SCM_RIGHTS), 64 at the most.
int clinux_send_descriptors(int fd, const int *descriptors, int count);

// Receives them, blocking; they are closed on exec. Returns how many came.
int clinux_receive_descriptors(int fd, int *descriptors, int capacity);

// 0 when the process at the other end of a Unix-domain socket has our user; else -EPERM.
int clinux_check_same_user(int fd);

// Lets the process open as many descriptors as it may, and returns how many these are.
int64_t clinux_raise_descriptor_limit(void);

// How many descriptors below `limit` are open.
int clinux_open_descriptors(int limit);

// ---- standard streams --------------------------------------------------------------------

// Opens /dev/null for standard streams that are closed: else the next file or socket would get their
// number, and what is meant for a person would be written into it.
int clinux_open_missing_streams(void);

// Makes writing to a pipe without a reader an error (-EPIPE) for the whole process, never a signal.
void clinux_ignore_broken_pipes(void);

// Writes to a pipe, terminal, socket or file, for `timeout_ms` at the longest (-1: for ever). Returns
// how many bytes were written: fewer than `count` when the time is over or writing fails.
size_t clinux_write_within(int fd, const void *buffer, size_t count, int timeout_ms);

// ---- files -------------------------------------------------------------------------------

// Opens for reading and appending, creating the file (mode 0640) when `create` is not 0.
int clinux_open(const char *path, int create);

// Opens for reading only; a folder is opened to be synced.
int clinux_open_readonly(const char *path);

// Takes an exclusive lock that ends with the descriptor; -EWOULDBLOCK when another holds it.
int clinux_lock(int fd);

// Writes everything or returns -errno; a short write is continued.
int clinux_write_all(int fd, const void *buffer, size_t count);

// Reads up to `count` bytes at `offset`; 0 only at the end of the file.
ssize_t clinux_read_at(int fd, void *buffer, size_t count, int64_t offset);

// An anonymous file in memory that holds these bytes, and that nobody can change any more.
int clinux_memory_file(const void *bytes, size_t count);

int64_t clinux_file_size(int fd);

// 1 when `path` leads to the open file and that has `size` bytes (any with < 0), 0 when not.
int clinux_is_named(int fd, const char *path, int64_t size);

int clinux_truncate(int fd, int64_t size);
int clinux_fdatasync(int fd);
int clinux_fsync(int fd);
// Renames a file, replacing what has the new name.
int clinux_rename(const char *path, const char *new_path);

// ---- memory ------------------------------------------------------------------------------

// Unmaps the pages of program text that were touched so far: what only starting needed stays away,
// the rest comes back from the page cache with its next use.
void clinux_release_program_text(void);

// Bounds the number of malloc's heaps, and gives the memory of large blocks back as they are freed.
void clinux_bound_heap(void);

// ---- threads and clocks ------------------------------------------------------------------

// Starts a named thread (15 characters are kept), which gets no SIGPIPE; *thread is joined with
// clinux_join.
int clinux_start_thread(
    uint64_t *thread, const char *name, void (*body)(void *context), void *context);
int clinux_join(uint64_t thread);

// Names the calling thread; 15 characters are kept.
void clinux_name_thread(const char *name);

extern __thread void *clinux_thread_owner;

// One pointer per thread: the event loop that owns the thread, or NULL.
static inline void *clinux_owner(void) { return clinux_thread_owner; }
static inline void clinux_set_owner(void *owner) { clinux_thread_owner = owner; }

uint64_t clinux_monotonic_milliseconds(void);
uint64_t clinux_monotonic_microseconds(void);

// Goes on while the machine sleeps.
uint64_t clinux_boot_milliseconds(void);
int64_t clinux_realtime_milliseconds(void);

// The error's English text.
const char *clinux_error_text(int error);

int clinux_core_count(void);

#endif
