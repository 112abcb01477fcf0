// Loaded before the C library (LD_PRELOAD): lets chosen calls on files fail. Everything else is the library's own.
//
// FAILING_CALLS names a file of rules, which is read again when it changes. Without it no call fails. A line is
//
//     CALL PART ACTION [SKIP [COUNT]]
//
// - CALL: open-read, open-write, read, write, mmap, ftruncate, fdatasync, fsync, rename, link, unlink or mkdir.
// - PART: a part of the path, of a renamed file's new one; a folder that is synced ends with "/".
// - ACTION: the number of an error; short, which writes or reads half; stall, which waits for ever; note, which only
//   logs.
// - SKIP: how many matching calls are let through before, by default none.
// - COUNT: how many are concerned then, by default all.
//
// FAILING_CALLS_LOG names a file that gets a line for each call that a rule concerns: CALL PATH ACTION.
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct rule {
    char call[16], part[256], action[16];
    long skip, count;
};

static struct rule rules[16];
static int rule_count;
static struct stat read_rules;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
// What the shim itself calls is let through.
static __thread int is_inside;

static void read_again(void) {
    const char *name = getenv("FAILING_CALLS");
    struct stat status = {0};
    if (!name || stat(name, &status) != 0) status.st_ino = 0;
    if (status.st_ino == read_rules.st_ino && status.st_mtim.tv_sec == read_rules.st_mtim.tv_sec &&
        status.st_mtim.tv_nsec == read_rules.st_mtim.tv_nsec) return;
    read_rules = status;
    rule_count = 0;
    FILE *file = status.st_ino ? fopen(name, "re") : NULL;
    if (!file) return;
    char line[512];
    while (rule_count < 16 && fgets(line, sizeof line, file)) {
        struct rule rule = {.count = -1};
        if (sscanf(line, "%15s %255s %15s %ld %ld", rule.call, rule.part, rule.action, &rule.skip, &rule.count) >= 3) {
            rules[rule_count++] = rule;
        }
    }
    fclose(file);
}

// Every rule counts every call that it matches; the first one that concerns it decides.
static void decide(const char *call, const char *path, char *action) {
    read_again();
    for (int index = 0; index < rule_count; index++) {
        struct rule *rule = &rules[index];
        if (strcmp(rule->call, call) != 0 || !strstr(path, rule->part)) continue;
        if (rule->skip > 0) {
            rule->skip--;
        } else if (rule->count != 0) {
            if (rule->count > 0) rule->count--;
            if (!*action) strcpy(action, rule->action);
        }
    }
    const char *name = getenv("FAILING_CALLS_LOG");
    int log = *action && name ? open(name, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600) : -1;
    if (log < 0) return;
    dprintf(log, "%s %s %s\n", call, path, action);
    close(log);
}

enum { goes_on = 0, is_short = -1 };

// The error with which a call fails, or one of the constants above.
static int outcome(const char *call, const char *path) {
    if (is_inside) return goes_on;
    is_inside = 1;
    char action[16] = "";
    pthread_mutex_lock(&lock);
    decide(call, path, action);
    pthread_mutex_unlock(&lock);
    is_inside = 0;
    if (strcmp(action, "stall") == 0) for (;;) pause();
    return strcmp(action, "short") == 0 ? is_short : atoi(action);
}

static int outcome_at(const char *call, int descriptor) {
    char link[64], path[4096];
    struct stat status;
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t size = readlink(link, path, sizeof path - 2);
    if (size <= 0 || *path != '/') return goes_on;
    strcpy(path + size, fstat(descriptor, &status) == 0 && S_ISDIR(status.st_mode) ? "/" : "");
    return outcome(call, path);
}

// A function of the library: fails, or is called with `arguments`.
#define CALL(type, failed, name, parameters, arguments, judged)        \
    type name parameters {                                             \
        static type(*next) parameters;                                 \
        if (!next) next = (type(*) parameters)dlsym(RTLD_NEXT, #name); \
        int result = judged;                                           \
        if (result > 0) {                                              \
            errno = result;                                            \
            return failed;                                             \
        }                                                              \
        return next arguments;                                         \
    }

#define COUNT (result == is_short && count > 1 ? count / 2 : count)
#define AT(call, name, pointer, offset_type)                                                                     \
    CALL(ssize_t, -1, name, (int fd, pointer buffer, size_t count, offset_type offset), (fd, buffer, COUNT, offset), \
         outcome_at(call, fd))
#define MMAP(name, offset_type)                                                                    \
    CALL(void *, MAP_FAILED, name, (void *at, size_t size, int rights, int flags, int fd, offset_type offset), \
         (at, size, rights, flags, fd, offset), fd < 0 ? goes_on : outcome_at("mmap", fd))

CALL(ssize_t, -1, read, (int fd, void *buffer, size_t count), (fd, buffer, COUNT), outcome_at("read", fd))
CALL(ssize_t, -1, write, (int fd, const void *buffer, size_t count), (fd, buffer, COUNT), outcome_at("write", fd))
AT("read", pread, void *, off_t)
AT("read", pread64, void *, off64_t)
AT("write", pwrite, const void *, off_t)
AT("write", pwrite64, const void *, off64_t)
MMAP(mmap, off_t)
MMAP(mmap64, off64_t)
CALL(int, -1, ftruncate, (int fd, off_t size), (fd, size), outcome_at("ftruncate", fd))
CALL(int, -1, ftruncate64, (int fd, off64_t size), (fd, size), outcome_at("ftruncate", fd))
CALL(int, -1, fdatasync, (int fd), (fd), outcome_at("fdatasync", fd))
CALL(int, -1, fsync, (int fd), (fd), outcome_at("fsync", fd))
CALL(int, -1, rename, (const char *path, const char *new), (path, new), outcome("rename", new))
CALL(int, -1, link, (const char *path, const char *new), (path, new), outcome("link", new))
CALL(int, -1, unlink, (const char *path), (path), outcome("unlink", path))
CALL(int, -1, mkdir, (const char *path, mode_t mode), (path, mode), outcome("mkdir", path))
CALL(DIR *, NULL, opendir, (const char *path), (path), outcome("open-read", path))

#define OPEN(name)                                                                                   \
    int name(const char *path, int flags, ...) {                                                     \
        static int (*next)(const char *, int, ...);                                                  \
        if (!next) next = (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, #name);                  \
        va_list rest;                                                                                \
        va_start(rest, flags);                                                                       \
        int mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, int) : 0;                            \
        va_end(rest);                                                                                \
        int result = outcome((flags & O_ACCMODE) == O_RDONLY ? "open-read" : "open-write", path);    \
        if (result <= 0) return next(path, flags, mode);                                             \
        errno = result;                                                                              \
        return -1;                                                                                   \
    }

OPEN(open)
OPEN(open64)
