// See CLinux.h. One system call a function, so that each can be checked against its man page.
#define _GNU_SOURCE
#include "CLinux.h"

#include <dirent.h>
#include <arpa/inet.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <limits.h>
#include <link.h>
#include <malloc.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

#define RESTART(call)                                 \
    ({                                                \
        __typeof__(call) result_;                     \
        do {                                          \
            result_ = (call);                         \
        } while (result_ == -1 && errno == EINTR);    \
        result_ == -1 ? -errno : result_;             \
    })

// ---- epoll -------------------------------------------------------------------------------

int clinux_epoll_create(void) { return RESTART(epoll_create1(EPOLL_CLOEXEC)); }

int clinux_epoll_add(int epoll, int fd, uint64_t id) {
    struct epoll_event event = {
        .events = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET,
        .data.u64 = id,
    };
    return RESTART(epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event));
}

int clinux_epoll_wait(int epoll, clinux_event *events, int capacity, int timeout_ms) {
    struct epoll_event raw[256];
    if (capacity > 256) capacity = 256;
    int count = epoll_wait(epoll, raw, capacity, timeout_ms);
    if (count < 0) return errno == EINTR ? 0 : -errno;
    for (int i = 0; i < count; i++) {
        uint32_t flags = raw[i].events, ready = 0;
        if (flags & EPOLLIN) ready |= clinux_readable;
        if (flags & EPOLLOUT) ready |= clinux_writable;
        if (flags & (EPOLLHUP | EPOLLERR | EPOLLRDHUP)) ready |= clinux_hangup | clinux_readable;
        if (flags & (EPOLLHUP | EPOLLERR)) ready |= clinux_writable;
        events[i] = (clinux_event){.id = raw[i].data.u64, .ready = ready};
    }
    return count;
}

int clinux_eventfd(void) { return RESTART(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)); }

int clinux_eventfd_signal(int fd) {
    uint64_t one = 1;
    ssize_t result = RESTART(write(fd, &one, sizeof one));
    return result < 0 ? (int)result : 0;
}

int clinux_eventfd_clear(int fd) {
    uint64_t count;
    ssize_t result = RESTART(read(fd, &count, sizeof count));
    return result < 0 ? (int)result : 0;
}

// ---- sockets -----------------------------------------------------------------------------

static int resolve(const char *host, uint16_t port, struct sockaddr_storage *out, socklen_t *size) {
    struct sockaddr_in v4 = {.sin_family = AF_INET, .sin_port = htons(port)};
    struct sockaddr_in6 v6 = {.sin6_family = AF_INET6, .sin6_port = htons(port)};
    if (strcmp(host, "localhost") == 0) host = "127.0.0.1";
    if (inet_pton(AF_INET, host, &v4.sin_addr) == 1) {
        memcpy(out, &v4, sizeof v4);
        *size = sizeof v4;
        return 0;
    }
    if (inet_pton(AF_INET6, host, &v6.sin6_addr) == 1) {
        memcpy(out, &v6, sizeof v6);
        *size = sizeof v6;
        return 0;
    }
    return -EINVAL;
}

static int bind_tcp(const char *host, uint16_t port, int shared) {
    struct sockaddr_storage address;
    socklen_t size;
    int result = resolve(host, port, &address, &size);
    if (result < 0) return result;
    int fd = RESTART(socket(address.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
    if (fd < 0) return fd;
    int on = 1;
    result = RESTART(setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on));
    if (result >= 0 && shared) {
        result = RESTART(setsockopt(fd, SOL_SOCKET, SO_REUSEPORT, &on, sizeof on));
    }
    if (result >= 0) result = RESTART(bind(fd, (struct sockaddr *)&address, size));
    if (result >= 0) return fd;
    close(fd);
    return result;
}

int clinux_listen(const char *host, uint16_t port, int shared, int backlog) {
    int fd = bind_tcp(host, port, shared);
    if (fd < 0) return fd;
    int result = RESTART(listen(fd, backlog));
    if (result >= 0) return fd;
    close(fd);
    return result;
}

int clinux_probe_bind(const char *host, uint16_t port) {
    int fd = bind_tcp(host, port, 0);
    if (fd < 0) return fd;
    close(fd);
    return 0;
}

static int unix_address(const char *path, struct sockaddr_un *out) {
    *out = (struct sockaddr_un){.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof out->sun_path) return -ENAMETOOLONG;
    strcpy(out->sun_path, path);
    return 0;
}

static int unix_socket(int flags) {
    return RESTART(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | flags, 0));
}

int clinux_connect_unix(const char *path) {
    struct sockaddr_un address;
    int result = unix_address(path, &address);
    if (result < 0) return result;
    int fd = unix_socket(0);
    if (fd < 0) return fd;
    result = RESTART(connect(fd, (struct sockaddr *)&address, sizeof address));
    if (result >= 0) return fd;
    close(fd);
    return result;
}

// 1 for a socket without a listener, 0 if nothing has this name. A socket's file remains when its
// process ends: if the connection is refused, no process listens. Otherwise it gets the preface.
static int find_stale_socket(const char *path, const char *preface) {
    struct stat status;
    if (lstat(path, &status) == -1) return errno == ENOENT ? 0 : -errno;
    if (!S_ISSOCK(status.st_mode)) return -ENOTSOCK;
    int fd = clinux_connect_unix(path);
    if (fd >= 0) {
        clinux_send(fd, preface, strlen(preface), 0);
        close(fd);
    }
    return fd == -ECONNREFUSED ? 1 : -EADDRINUSE;
}

int clinux_listen_unix(const char *path, int backlog) {
    struct sockaddr_un address;
    int result = unix_address(path, &address);
    if (result >= 0) result = find_stale_socket(path, "");
    if (result > 0) result = clinux_unlink(path);
    if (result < 0) return result;
    int fd = unix_socket(SOCK_NONBLOCK);
    if (fd < 0) return fd;
    result = RESTART(bind(fd, (struct sockaddr *)&address, sizeof address));
    if (result >= 0) result = RESTART(chmod(path, 0660));
    if (result >= 0) result = RESTART(listen(fd, backlog));
    if (result >= 0) return fd;
    close(fd);
    return result;
}

int clinux_probe_listen_unix(const char *path, const char *preface) {
    struct sockaddr_un address;
    int result = unix_address(path, &address);
    if (result >= 0) result = find_stale_socket(path, preface);
    if (result < 0) return result;
    char *folder = address.sun_path, *slash = strrchr(folder, '/');
    if (slash == NULL) {
        folder = ".";
    } else if (slash == folder) {
        folder = "/";
    } else {
        *slash = 0;
    }
    return RESTART(faccessat(AT_FDCWD, folder, W_OK | X_OK, AT_EACCESS));
}

int clinux_unlink(const char *path) {
    int result = RESTART(unlink(path));
    return result == -ENOENT ? 0 : result;
}

int clinux_adopt_listener(int fd) {
    int value = 0;
    socklen_t size = sizeof value;
    int result = RESTART(getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &value, &size));
    if (result < 0) return result;
    if (!value) return -EINVAL;
    int flags = RESTART(fcntl(fd, F_GETFL));
    if (flags < 0) return flags;
    result = RESTART(fcntl(fd, F_SETFL, flags | O_NONBLOCK));
    return result < 0 ? result : RESTART(fcntl(fd, F_SETFD, FD_CLOEXEC));
}

int clinux_duplicate(int fd) { return RESTART(fcntl(fd, F_DUPFD_CLOEXEC, 0)); }

static void convert_address(const struct sockaddr_storage *address, clinux_address *out) {
    *out = (clinux_address){0};
    if (address->ss_family == AF_INET) {
        const struct sockaddr_in *v4 = (const struct sockaddr_in *)address;
        memcpy(out->bytes, &v4->sin_addr, 4);
        out->port = ntohs(v4->sin_port);
        out->family = 4;
    } else if (address->ss_family == AF_INET6) {
        const struct sockaddr_in6 *v6 = (const struct sockaddr_in6 *)address;
        memcpy(out->bytes, &v6->sin6_addr, 16);
        out->port = ntohs(v6->sin6_port);
        out->family = 6;
    }
}

int clinux_local_address(int fd, clinux_address *out) {
    struct sockaddr_storage address;
    socklen_t size = sizeof address;
    int result = RESTART(getsockname(fd, (struct sockaddr *)&address, &size));
    if (result >= 0) convert_address(&address, out);
    return result;
}

int clinux_local_path(int fd, char path[108]) {
    struct sockaddr_un address = {0};
    // One byte less, so that the path always ends.
    socklen_t size = sizeof address - 1;
    int result = RESTART(getsockname(fd, (struct sockaddr *)&address, &size));
    if (result < 0) return result;
    if (address.sun_family != AF_UNIX || address.sun_path[0] == 0) return -ENOENT;
    strcpy(path, address.sun_path);
    return 0;
}

int clinux_accept(int fd, clinux_address *peer) {
    struct sockaddr_storage address;
    socklen_t size = sizeof address;
    int client =
        RESTART(accept4(fd, (struct sockaddr *)&address, &size, SOCK_NONBLOCK | SOCK_CLOEXEC));
    if (client < 0) return client;
    convert_address(&address, peer);
    int on = 1;
    if (peer->family) setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    return client;
}

int clinux_send_datagram(const char *path, const void *content, size_t count) {
    struct sockaddr_un address;
    int result = unix_address(path, &address);
    if (result < 0) return result;
    socklen_t size = offsetof(struct sockaddr_un, sun_path) + strlen(path);
    if (path[0] == '@') {
        address.sun_path[0] = 0;
    } else {
        size++;
    }
    int fd = RESTART(socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
    if (fd < 0) return fd;
    ssize_t sent = RESTART(
        sendto(fd, content, count, MSG_NOSIGNAL | MSG_DONTWAIT, (struct sockaddr *)&address, size));
    close(fd);
    return sent < 0 ? (int)sent : 0;
}

int clinux_terminal_columns(int fd) {
    struct winsize size = {0};
    int result = RESTART(ioctl(fd, TIOCGWINSZ, &size));
    return result < 0 ? result : size.ws_col;
}

// Bridges and pairs of containers and virtual machines: other machines can't reach them.
static int is_local_interface(const struct ifaddrs *each) {
    static const char *const prefixes[] = {"docker", "br-", "veth", "virbr", "cni", "podman"};
    if (each->ifa_flags & IFF_LOOPBACK || !(each->ifa_flags & IFF_UP)) return 1;
    for (size_t index = 0; index < sizeof prefixes / sizeof *prefixes; index++) {
        if (strncmp(each->ifa_name, prefixes[index], strlen(prefixes[index])) == 0) return 1;
    }
    return 0;
}

static int is_link_local(const clinux_address *address) {
    return address->family == 4 ? address->bytes[0] == 169 && address->bytes[1] == 254
                                : address->bytes[0] == 0xFE && (address->bytes[1] & 0xC0) == 0x80;
}

int clinux_interface_addresses(clinux_address *addresses, int capacity) {
    struct ifaddrs *all = NULL;
    int result = RESTART(getifaddrs(&all));
    if (result < 0) return result;
    int count = 0;
    for (struct ifaddrs *each = all; each && count < capacity; each = each->ifa_next) {
        if (!each->ifa_addr || is_local_interface(each)) continue;
        int family = each->ifa_addr->sa_family;
        if (family != AF_INET && family != AF_INET6) continue;
        struct sockaddr_storage address = {0};
        memcpy(
            &address, each->ifa_addr,
            family == AF_INET ? sizeof(struct sockaddr_in) : sizeof(struct sockaddr_in6));
        convert_address(&address, &addresses[count]);
        if (!is_link_local(&addresses[count])) count++;
    }
    freeifaddrs(all);
    return count;
}

ssize_t clinux_recv(int fd, void *buffer, size_t count) {
    return RESTART(recv(fd, buffer, count, 0));
}

ssize_t clinux_recv_now(int fd, void *buffer, size_t count) {
    return RESTART(recv(fd, buffer, count, MSG_DONTWAIT));
}

ssize_t clinux_peek(int fd, void *buffer, size_t count) {
    return RESTART(recv(fd, buffer, count, MSG_PEEK));
}

ssize_t clinux_send(int fd, const void *buffer, size_t count, int more) {
    return RESTART(send(fd, buffer, count, MSG_NOSIGNAL | (more ? MSG_MORE : 0)));
}

ssize_t clinux_send_file(int fd, int file, int64_t offset, size_t count) {
    off_t from = offset;
    return RESTART(sendfile(fd, file, &from, count));
}

int clinux_shutdown_write(int fd) { return RESTART(shutdown(fd, SHUT_WR)); }

// Not restarted: after EINTR, Linux has closed the descriptor, and its number may be in use again.
int clinux_close(int fd) { return close(fd) == -1 && errno != EINTR ? -errno : 0; }

// ---- descriptors -------------------------------------------------------------------------

typedef union {
    char bytes[CMSG_SPACE(clinux_most_passed_descriptors * sizeof(int))];
    struct cmsghdr alignment;
} descriptor_message;

int clinux_send_descriptors(int fd, const int *descriptors, int count, unsigned char byte) {
    if (count < 1 || count > clinux_most_passed_descriptors) return -EINVAL;
    size_t size = (size_t)count * sizeof(int);
    descriptor_message control = {{0}};
    struct iovec data = {&byte, 1};
    struct msghdr message = {
        .msg_iov = &data,
        .msg_iovlen = 1,
        .msg_control = control.bytes,
        .msg_controllen = CMSG_SPACE(size),
    };
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(size);
    memcpy(CMSG_DATA(header), descriptors, size);
    ssize_t result = RESTART(sendmsg(fd, &message, MSG_NOSIGNAL));
    return result < 0 ? (int)result : 0;
}

int clinux_receive_descriptors(
    int fd, int *descriptors, int capacity, unsigned char *byte, int timeout_ms) {
    struct pollfd waited = {.fd = fd, .events = POLLIN};
    int ready = RESTART(poll(&waited, 1, timeout_ms));
    if (ready <= 0) return ready == 0 ? -ETIME : ready;
    descriptor_message control;
    struct iovec data = {byte, 1};
    struct msghdr message = {
        .msg_iov = &data,
        .msg_iovlen = 1,
        .msg_control = control.bytes,
        .msg_controllen = sizeof control.bytes,
    };
    ssize_t result = RESTART(recvmsg(fd, &message, MSG_CMSG_CLOEXEC));
    if (result < 0) return (int)result;
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    if (result == 0 || !header || header->cmsg_type != SCM_RIGHTS) return -ECONNRESET;
    int count = (int)((header->cmsg_len - CMSG_LEN(0)) / sizeof(int));
    int kept = count < capacity ? count : capacity;
    const int *received = (const int *)CMSG_DATA(header);
    memcpy(descriptors, received, (size_t)kept * sizeof(int));
    for (int i = kept; i < count; i++) close(received[i]);
    return kept;
}

int clinux_check_same_user(int fd) {
    struct ucred peer;
    socklen_t size = sizeof peer;
    int result = RESTART(getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size));
    if (result < 0) return result;
    return peer.uid == geteuid() ? 0 : -EPERM;
}

int64_t clinux_raise_descriptor_limit(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) == -1) return -errno;
    struct rlimit raised = {.rlim_cur = limit.rlim_max, .rlim_max = limit.rlim_max};
    if (setrlimit(RLIMIT_NOFILE, &raised) == 0) limit = raised;
    return limit.rlim_cur > INT32_MAX ? INT32_MAX : (int64_t)limit.rlim_cur;
}

int clinux_open_descriptors(int limit) {
    int count = 0;
    for (int fd = 0; fd < limit; fd++) count += fcntl(fd, F_GETFD) != -1;
    return count;
}

int64_t clinux_descriptor_limit(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) == -1) return -errno;
    return limit.rlim_cur > INT32_MAX ? INT32_MAX : (int64_t)limit.rlim_cur;
}

int clinux_count_descriptors(void) {
    DIR *folder = opendir("/proc/self/fd");
    if (folder == NULL) return -errno;
    // Without ".", ".." and the folder itself.
    int count = -3;
    while (readdir(folder) != NULL) count++;
    closedir(folder);
    return count;
}

// ---- file systems ------------------------------------------------------------------------

int64_t clinux_file_system(const char *path) {
    struct statfs status;
    int result = RESTART(statfs(path, &status));
    return result < 0 ? result : (int64_t)((uint64_t)status.f_type & UINT32_MAX);
}

// ---- standard streams --------------------------------------------------------------------

int clinux_open_missing_streams(void) {
    for (int fd = 0; fd <= STDERR_FILENO; fd++) {
        if (fcntl(fd, F_GETFD) != -1) continue;
        // The lowest free number is this one. Writing to a closed output fails, as it would without
        // this.
        int result = RESTART(open("/dev/null", fd == STDOUT_FILENO ? O_RDONLY : O_RDWR));
        if (result < 0) return result;
    }
    return 0;
}

void clinux_ignore_broken_pipes(void) { signal(SIGPIPE, SIG_IGN); }

size_t clinux_write_within(int fd, const void *buffer, size_t count, int timeout_ms) {
    const char *next = buffer;
    size_t left = count;
    uint64_t deadline = clinux_monotonic_milliseconds() + (timeout_ms < 0 ? 0 : (uint64_t)timeout_ms);
    while (left > 0) {
        uint64_t now = clinux_monotonic_milliseconds();
        int rest = timeout_ms < 0 ? -1 : now < deadline ? (int)(deadline - now) : 0;
        struct pollfd waited = {.fd = fd, .events = POLLOUT};
        if (RESTART(poll(&waited, 1, rest)) <= 0) break;
        // A pipe that is ready takes PIPE_BUF bytes without blocking.
        ssize_t written = RESTART(write(fd, next, left < PIPE_BUF ? left : PIPE_BUF));
        if (written <= 0) break;
        next += written;
        left -= (size_t)written;
    }
    return count - left;
}

// ---- files -------------------------------------------------------------------------------

static int only_stored(int fd) {
    struct stat status;
    if (fd < 0) return fd;
    int result = RESTART(fstat(fd, &status));
    if (result == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode)) result = -EOPNOTSUPP;
    if (result == 0) return fd;
    close(fd);
    return result;
}

// Gives a new file or folder to the owner and group of the folder that it is in, where root may:
// not in a container without that capability, nor on a file server that maps root to another user.
static void give(int fd, int folder) {
    struct stat given, owner;
    if (fstat(fd, &given) != 0 || fstat(folder, &owner) != 0) return;
    if (given.st_uid == owner.st_uid && given.st_gid == owner.st_gid) return;
    int result = fchown(fd, owner.st_uid, owner.st_gid);
    (void)result;
}

// The folder that a path is in. Sets `name` to the path's last part.
static int open_parent(const char *path, const char **name) {
    const char *slash = strrchr(path, '/');
    *name = slash == NULL ? path : slash + 1;
    char folder[PATH_MAX];
    int length = snprintf(folder, sizeof folder, "%.*s.", (int)(*name - path), path);
    if (length < 0 || (size_t)length >= sizeof folder) return -ENAMETOOLONG;
    return RESTART(open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
}

// -EEXIST for a file that exists.
static int create_and_give(const char *path, int flags, uint32_t mode) {
    const char *name;
    int folder = open_parent(path, &name);
    if (folder < 0) return folder;
    int fd = RESTART(openat(folder, name, flags | O_CREAT | O_EXCL, mode));
    if (fd >= 0) give(fd, folder);
    close(folder);
    return fd;
}

// Without O_NONBLOCK, opening a pipe waits for its other end.
int clinux_open(const char *path, uint32_t mode, int gives) {
    int flags = O_RDWR | O_APPEND | O_CLOEXEC | O_NONBLOCK;
    if (gives && geteuid() == 0) {
        int fd = RESTART(open(path, flags));
        if (fd == -ENOENT) fd = create_and_give(path, flags, mode);
        // Somebody else has made it meanwhile, or it is a symbolic link to nothing.
        if (fd != -EEXIST) return only_stored(fd);
    }
    return only_stored(RESTART(open(path, flags | O_CREAT, mode)));
}

void clinux_give_folder(const char *path) {
    if (geteuid() != 0) return;
    const char *name;
    int parent = open_parent(path, &name);
    if (parent < 0) return;
    int fd = RESTART(openat(parent, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW));
    if (fd >= 0) {
        give(fd, parent);
        close(fd);
    }
    close(parent);
}

int clinux_open_stored(const char *path) {
    return only_stored(RESTART(open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)));
}

int clinux_open_readonly(const char *path) { return RESTART(open(path, O_RDONLY | O_CLOEXEC)); }

int clinux_lock(int fd) { return RESTART(flock(fd, LOCK_EX | LOCK_NB)); }

int clinux_write_all(int fd, const void *buffer, size_t count) {
    const char *next = buffer;
    while (count > 0) {
        ssize_t written = RESTART(write(fd, next, count));
        if (written < 0) return (int)written;
        next += written;
        count -= (size_t)written;
    }
    return 0;
}

ssize_t clinux_read(int fd, void *buffer, size_t count) {
    return RESTART(read(fd, buffer, count));
}

ssize_t clinux_read_at(int fd, void *buffer, size_t count, int64_t offset) {
    return RESTART(pread(fd, buffer, count, offset));
}

int clinux_random(void *buffer, size_t count) {
    char *bytes = buffer;
    while (count > 0) {
        ssize_t filled = getrandom(bytes, count, 0);
        if (filled < 0 && errno != EINTR) { return -errno; }
        if (filled > 0) { bytes += filled; count -= filled; }
    }
    return 0;
}

int clinux_memory_file(const void *bytes, size_t count) {
    int fd = RESTART(memfd_create("landfall", MFD_CLOEXEC | MFD_ALLOW_SEALING));
    if (fd < 0) return fd;
    int result = clinux_write_all(fd, bytes, count);
    if (result >= 0) {
        int seals = F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE;
        result = RESTART(fcntl(fd, F_ADD_SEALS, seals));
    }
    if (result >= 0) return fd;
    close(fd);
    return result;
}

int64_t clinux_file_size(int fd) {
    struct stat status;
    int result = RESTART(fstat(fd, &status));
    return result < 0 ? result : status.st_size;
}

int clinux_stat(const char *path, clinux_status *out) {
    struct stat status;
    int result = RESTART(stat(path, &status));
    if (result < 0) return result;
    *out = (clinux_status){
        .size = status.st_size,
        .modified_seconds = status.st_mtim.tv_sec,
        .modified_nanoseconds = status.st_mtim.tv_nsec,
        .changed_seconds = status.st_ctim.tv_sec,
        .changed_nanoseconds = status.st_ctim.tv_nsec,
        .inode = status.st_ino,
        .device = status.st_dev,
        .permissions = status.st_mode & 07777,
        .owner = status.st_uid,
        .is_folder = S_ISDIR(status.st_mode),
        .is_file = S_ISREG(status.st_mode),
    };
    return 0;
}

int clinux_is_link(const char *path) {
    struct stat status;
    int result = RESTART(lstat(path, &status));
    return result < 0 ? result : S_ISLNK(status.st_mode);
}

int clinux_is_named(int fd, const char *path, int64_t size) {
    struct stat open, named;
    int result = RESTART(fstat(fd, &open));
    if (result < 0) return result;
    result = RESTART(stat(path, &named));
    if (result == -ENOENT) return 0;
    if (result < 0) return result;
    return open.st_dev == named.st_dev && open.st_ino == named.st_ino &&
           (size < 0 || open.st_size == size);
}

int clinux_truncate(int fd, int64_t size) { return RESTART(ftruncate(fd, size)); }
int clinux_fdatasync(int fd) { return RESTART(fdatasync(fd)); }
int clinux_fsync(int fd) { return RESTART(fsync(fd)); }

int clinux_rename(const char *path, const char *new_path) {
    return RESTART(rename(path, new_path));
}

// ---- memory ------------------------------------------------------------------------------

static int release_object(struct dl_phdr_info *object, size_t size, void *context) {
    (void)size, (void)context;
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
        // Code and constants are never written, so their pages are those of the file. What is
        // written once, such as addresses of other libraries, is in a writable segment. The
        // kernel's own object (vdso) has no file.
        int is_unwritten = segment->p_type == PT_LOAD && !(segment->p_flags & PF_W);
        if (!is_unwritten || strstr(object->dlpi_name, "vdso")) continue;
        uintptr_t start = (object->dlpi_addr + segment->p_vaddr + page - 1) & ~(page - 1);
        uintptr_t end = (object->dlpi_addr + segment->p_vaddr + segment->p_memsz) & ~(page - 1);
        if (end > start) madvise((void *)start, end - start, MADV_DONTNEED);
    }
    return 0;
}

void clinux_release_program_text(void) { dl_iterate_phdr(release_object, NULL); }

void clinux_bound_heap(void) {
    // Setting the threshold keeps it fixed. Otherwise glibc raises it to the size of the largest
    // freed block, and keeps blocks of that size in heaps that never shrink.
    mallopt(M_MMAP_THRESHOLD, 256 * 1024);
    mallopt(M_TRIM_THRESHOLD, 1024 * 1024);
    // Threads that share a heap wait for each other. There is a loop and a thread of Swift's pool
    // for each core, and a dozen others.
    mallopt(M_ARENA_MAX, 2 * clinux_core_count() + 12);
    // Each request has buffers of over 1 kB, and glibc empties its lists of small free blocks
    // whenever it allocates one.
    mallopt(M_MXFAST, 0);
}

void clinux_trim_heap(void) { malloc_trim(0); }

int64_t clinux_resident_bytes(void) {
    int descriptor = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return -errno;
    char text[128];
    ssize_t count = read(descriptor, text, sizeof text - 1);
    int error = errno;
    close(descriptor);
    if (count < 0) return -error;
    text[count] = 0;
    long long pages;
    if (sscanf(text, "%*d %lld", &pages) != 1) return -EINVAL;
    return (int64_t)pages * sysconf(_SC_PAGESIZE);
}

// ---- threads and clocks ------------------------------------------------------------------

__thread void *clinux_thread_owner = NULL;

struct start {
    void (*body)(void *);
    void *context;
};

static void *run_thread(void *argument) {
    struct start start = *(struct start *)argument;
    free(argument);
    // sendfile has no flag for this: a closed peer must be an error, never a signal.
    sigset_t pipes;
    sigemptyset(&pipes);
    sigaddset(&pipes, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipes, NULL);
    start.body(start.context);
    return NULL;
}

static void set_name(pthread_t thread, const char *name) {
    char kept[16];  // the kernel rejects longer names
    snprintf(kept, sizeof kept, "%s", name);
    pthread_setname_np(thread, kept);
}

int clinux_start_thread(
    uint64_t *thread, const char *name, void (*body)(void *context), void *context) {
    struct start *start = malloc(sizeof *start);
    if (!start) return -ENOMEM;
    *start = (struct start){body, context};
    pthread_t handle;
    int error = pthread_create(&handle, NULL, run_thread, start);
    if (error) {
        free(start);
        return -error;
    }
    set_name(handle, name);
    *thread = (uint64_t)handle;
    return 0;
}

static void *wait_for(void *mutex) {
    pthread_mutex_lock(mutex);
    pthread_mutex_unlock(mutex);
    return NULL;
}

int clinux_try_threads(int count) {
    pthread_t threads[256];
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    int started = 0, error = 0;
    pthread_mutex_lock(&mutex);
    while (!error && started < count && started < 256) {
        error = pthread_create(&threads[started], NULL, wait_for, &mutex);
        if (!error) started++;
    }
    pthread_mutex_unlock(&mutex);
    while (started > 0) pthread_join(threads[--started], NULL);
    return -error;
}

void clinux_name_thread(const char *name) { set_name(pthread_self(), name); }

void clinux_be_quick(void) {
    // The C library has neither the structure nor the functions before glibc 2.41.
    struct {
        uint32_t size, policy;
        uint64_t flags;
        int32_t nice;
        uint32_t priority;
        uint64_t runtime, deadline, period;  // nanoseconds
        uint32_t least_utilisation, most_utilisation;
    } attributes = {.size = sizeof attributes};
    // What was set for the process stays: its nice value, and a policy that isn't the usual one.
    if (syscall(SYS_sched_getattr, 0, &attributes, sizeof attributes, 0) < 0) return;
    if (attributes.policy != SCHED_OTHER) return;
    attributes.runtime = 100 * 1000;
    attributes.flags |= 1;  // SCHED_FLAG_RESET_ON_FORK
    syscall(SYS_sched_setattr, 0, &attributes, 0);
}

static __thread struct {
    int is_patient;
    uint64_t paused_at;  // microseconds of the monotonic clock
} turn;

void clinux_be_patient(void) { turn.is_patient = 1; }

void clinux_give_way(void) {
    enum { between = 500, pause = 20 };  // microseconds
    if (!turn.is_patient || clinux_monotonic_microseconds() - turn.paused_at < between) return;
    // Linux lets a thread sleep 50 us longer than it asks for. 1 ns is the least; 0 is the default.
    prctl(PR_SET_TIMERSLACK, 1UL, 0, 0, 0);
    struct timespec time = {.tv_nsec = pause * 1000};
    clock_nanosleep(CLOCK_MONOTONIC, 0, &time, NULL);
    prctl(PR_SET_TIMERSLACK, 0UL, 0, 0, 0);
    turn.paused_at = clinux_monotonic_microseconds();
}

int clinux_join(uint64_t thread) { return -pthread_join((pthread_t)thread, NULL); }

uint64_t clinux_monotonic_milliseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

uint64_t clinux_boot_milliseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_BOOTTIME, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

uint64_t clinux_monotonic_microseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

int64_t clinux_realtime_milliseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

const char *clinux_error_text(int error) {
    const char *text = strerrordesc_np(error);
    return text == NULL ? "unknown error" : text;
}

int clinux_core_count(void) {
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count < 1 ? 1 : (int)count;
}
