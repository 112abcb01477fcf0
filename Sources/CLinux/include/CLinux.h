// The parts of Linux that Swift can't import: macros, variadics, epoll's packed events,
// thread-locals.
//
// Every call returns a value >= 0, or -errno; Swift never reads errno. Calls that a signal can
// interrupt are restarted here. Nothing allocates for the caller or knows a protocol.
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

// Waits up to `timeout_ms` (-1: no limit); writes up to `capacity` (<= 256) events.
int clinux_epoll_wait(int epoll, clinux_event *events, int capacity, int timeout_ms);

// A counter that wakes an epoll wait from another thread.
int clinux_eventfd(void);
int clinux_eventfd_signal(int fd);
int clinux_eventfd_clear(int fd);

// ---- sockets -----------------------------------------------------------------------------

typedef struct {
    uint8_t bytes[16];  // network order; an IPv4 address uses the first four
    uint16_t port;      // host order
    uint8_t family;     // 4, 6, or 0 for a Unix-domain socket
} clinux_address;

// A non-blocking TCP listening socket on a numeric address or "localhost". `shared` sets
// SO_REUSEPORT. -EINVAL if `host` is neither an IPv4 nor an IPv6 address.
int clinux_listen(const char *host, uint16_t port, int shared, int backlog);

// A Unix-domain listening socket that only its owner and the owner's group can open (mode 0660).
// Replaces a socket without a listener at `path`; any other file is -EADDRINUSE.
int clinux_listen_unix(const char *path, int backlog);

// 0 if clinux_listen_unix could listen at `path`, else -errno; changes nothing. A process that
// listens there gets a connection with `preface` and nothing else.
int clinux_probe_listen_unix(const char *path, const char *preface);

// Removes the socket or file at `path`; returns 0 even if there is none.
int clinux_unlink(const char *path);

// Prepares an inherited descriptor: non-blocking, closed on exec. -ENOTSOCK or -EINVAL if it isn't
// a listening stream socket.
int clinux_adopt_listener(int fd);

// A second descriptor for the same socket.
int clinux_duplicate(int fd);

// 0 if an exclusive socket could bind to the TCP address, else -errno.
int clinux_probe_bind(const char *host, uint16_t port);

int clinux_local_address(int fd, clinux_address *address);

// Writes the path that a Unix-domain socket was bound to, with its end; -ENOENT if it has none.
int clinux_local_path(int fd, char path[108]);

// Accepts without blocking, with TCP_NODELAY on; fills in the peer's address.
int clinux_accept(int fd, clinux_address *peer);

// Connects to a Unix-domain socket; the socket is blocking.
int clinux_connect_unix(const char *path);

// Sends one datagram to a Unix-domain socket; a path that begins with "@" is in the abstract
// namespace (unix(7)).
int clinux_send_datagram(const char *path, const void *content, size_t count);

// The columns of a terminal; -ENOTTY for other files.
int clinux_terminal_columns(int fd);

// Writes up to `capacity` addresses of this machine's interfaces that are up, without the loopback
// interface, container bridges and link-local addresses; returns their number.
int clinux_interface_addresses(clinux_address *addresses, int capacity);

ssize_t clinux_recv(int fd, void *buffer, size_t count);

// Receives available data without waiting; -EAGAIN if there is none.
ssize_t clinux_recv_now(int fd, void *buffer, size_t count);

// Receives without consuming.
ssize_t clinux_peek(int fd, void *buffer, size_t count);

// `more`: more data follows at once (MSG_MORE). A closed peer is -EPIPE, never a signal.
ssize_t clinux_send(int fd, const void *buffer, size_t count, int more);

// Sends from a file, without copying its bytes through the process.
ssize_t clinux_send_file(int fd, int file, int64_t offset, size_t count);
int clinux_shutdown_write(int fd);
int clinux_close(int fd);

// ---- descriptors -------------------------------------------------------------------------

// The kernel allows as many in one message.
enum { clinux_most_passed_descriptors = 253 };

// Sends open descriptors over a Unix-domain socket (SCM_RIGHTS), up to 253, with one byte.
int clinux_send_descriptors(int fd, const int *descriptors, int count, unsigned char byte);

// Receives them and the byte; they are closed on exec. Returns their number; -ETIME if none came in
// time.
int clinux_receive_descriptors(
    int fd, int *descriptors, int capacity, unsigned char *byte, int timeout_ms);

// 0 if the process at the other end of a Unix-domain socket has the same user; else -EPERM.
int clinux_check_same_user(int fd);

// Raises the limit of open descriptors as far as allowed; returns it.
int64_t clinux_raise_descriptor_limit(void);

// Number of open descriptors below `limit`.
int clinux_open_descriptors(int limit);

// The limit of open descriptors.
int64_t clinux_descriptor_limit(void);

// Number of all open descriptors, as /proc lists them.
int clinux_count_descriptors(void);

// ---- file systems ------------------------------------------------------------------------

// The type of the file system that holds `path`, as statfs(2) lists them.
int64_t clinux_file_system(const char *path);

// The status of a file or folder, as in stat(2).
typedef struct {
    int64_t size;
    int64_t modified_seconds;
    int64_t modified_nanoseconds;
    // When its content, name or permissions last changed; nobody can set it.
    int64_t changed_seconds;
    int64_t changed_nanoseconds;
    // Which file it is, on which file system.
    uint64_t inode;
    uint64_t device;
    uint32_t permissions;
    uint32_t owner;
    int is_folder;
    // Neither a folder nor a pipe, device or socket.
    int is_file;
} clinux_status;

// Follows symbolic links. Fills `out` unless the result is negative.
int clinux_stat(const char *path, clinux_status *out);

// 1 if the path itself names a symbolic link, whether or not its target exists, 0 if something else.
int clinux_is_link(const char *path);

// ---- standard streams --------------------------------------------------------------------

// Opens /dev/null for standard streams that are closed, the output for reading alone. Otherwise the
// next file or socket would get their number, and messages for people would be written into it.
int clinux_open_missing_streams(void);

// Makes writing to a pipe without a reader an error (-EPIPE) for the whole process, never a signal.
void clinux_ignore_broken_pipes(void);

// Writes to a pipe, terminal, socket or file within `timeout_ms` (-1: no limit). Returns the number
// of bytes written: fewer than `count` if the time is over or writing fails.
size_t clinux_write_within(int fd, const void *buffer, size_t count, int timeout_ms);

// ---- files -------------------------------------------------------------------------------

// Opens a file for reading and appending; creates a missing one with this mode. Refuses a pipe, socket
// or device with -EOPNOTSUPP, without waiting for its other end. With `gives`, what root creates gets
// the owner and group of its folder, where root may give it: a service of another user can open it.
int clinux_open(const char *path, uint32_t mode, int gives);

// Gives a new folder to the owner and group of its parent, if root made it and may give it.
void clinux_give_folder(const char *path);

// Opens a file for reading only, or a folder for syncing; refuses others as `clinux_open` does.
int clinux_open_stored(const char *path);

// Opens anything for reading only, a pipe too.
int clinux_open_readonly(const char *path);

// Takes an exclusive lock that ends with the descriptor; -EWOULDBLOCK if another process holds it.
int clinux_lock(int fd);

// Writes everything or returns -errno; continues after a short write.
int clinux_write_all(int fd, const void *buffer, size_t count);

// Reads up to `count` bytes, waiting for them; 0 only at the end of the file or pipe.
ssize_t clinux_read(int fd, void *buffer, size_t count);

// Reads up to `count` bytes at `offset`; 0 only at the end of the file.
ssize_t clinux_read_at(int fd, void *buffer, size_t count, int64_t offset);

// Fills `buffer` with random bytes that are fit for secrets.
int clinux_random(void *buffer, size_t count);

// An anonymous file in memory with these bytes, sealed against changes.
int clinux_memory_file(const void *bytes, size_t count);

int64_t clinux_file_size(int fd);

// 1 if `path` leads to the open file and the file has `size` bytes (< 0: any size), 0 if not.
int clinux_is_named(int fd, const char *path, int64_t size);

int clinux_truncate(int fd, int64_t size);
int clinux_fdatasync(int fd);
int clinux_fsync(int fd);
// Renames a file, replacing an existing file of the new name.
int clinux_rename(const char *path, const char *new_path);

// ---- memory ------------------------------------------------------------------------------

// Unmaps the pages of code and constants, the program's and its libraries', that were used so far.
// Pages that only starting needed stay unmapped; the others come back from the page cache when
// they are used.
void clinux_release_program_text(void);

// Limits the number of malloc's heaps, and returns freed large blocks to the system.
void clinux_bound_heap(void);

// Returns the free pages of all heaps to the system; locks one heap after another.
void clinux_trim_heap(void);

// The process's memory in the machine's RAM, in bytes; −errno when /proc can't be read.
int64_t clinux_resident_bytes(void);

// ---- threads and clocks ------------------------------------------------------------------

// Starts a named thread (15 characters are kept) that gets no SIGPIPE; join *thread with
// clinux_join.
int clinux_start_thread(
    uint64_t *thread, const char *name, void (*body)(void *context), void *context);
int clinux_join(uint64_t thread);

// 0 if this process may have so many more threads (up to 256), of the usual stack, at the same time;
// else pthread_create's negative error.
int clinux_try_threads(int count);

// Names the calling thread; 15 characters are kept.
void clinux_name_thread(const char *name);

// Lets the calling thread run soon after it wakes, though others are busy: asks for the shortest
// slices of time, without a larger share (sched_setattr(2)). Threads that it creates aren't so.
// Kernels before 6.12 ignore it.
void clinux_be_quick(void);

// Makes the calling thread one for long work, which pauses for those that serve peers. (A higher
// nice value would stay with the threads that it creates.)
void clinux_be_patient(void);

// Sleeps 20 us if the calling thread is patient and hasn't done so for 0.5 ms. Otherwise it costs
// 40 ns on such a thread, and 2 ns on others. Without it, what wakes on the thread's processor, such
// as the kernel's work for fdatasync(2), may wait for the next tick: 4 ms at 250 Hz.
void clinux_give_way(void);

extern __thread void *clinux_thread_owner;

// One pointer for each thread: the event loop that owns it, or NULL.
static inline void *clinux_owner(void) { return clinux_thread_owner; }
static inline void clinux_set_owner(void *owner) { clinux_thread_owner = owner; }

uint64_t clinux_monotonic_milliseconds(void);
uint64_t clinux_monotonic_microseconds(void);

// Continues while the machine sleeps.
uint64_t clinux_boot_milliseconds(void);
int64_t clinux_realtime_milliseconds(void);

// The English text of an errno; never NULL, and never freed.
const char *clinux_error_text(int error);

int clinux_core_count(void);

#endif
