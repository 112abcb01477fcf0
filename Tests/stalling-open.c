// Loaded before the C library (LD_PRELOAD): opening a file whose path ends with LANDFALL_STALL_OPEN for writing
// fails with EIO, or, where LANDFALL_STALL_REACHED names a file, makes that file and waits for ever.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef int (*opening)(const char *, int, ...);

static int stalls(const char *path, int flags) {
    const char *end = getenv("LANDFALL_STALL_OPEN");
    size_t size = strlen(path);
    if (!end || (flags & O_ACCMODE) == O_RDONLY || size < strlen(end) || strcmp(path + size - strlen(end), end) != 0) return 0;
    const char *reached = getenv("LANDFALL_STALL_REACHED");
    if (reached) {
        creat(reached, 0600);
        for (;;) pause();
    }
    errno = EIO;
    return 1;
}

static int forward(const char *name, const char *path, int flags, va_list rest) {
    int mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, int) : 0;
    return stalls(path, flags) ? -1 : ((opening)dlsym(RTLD_NEXT, name))(path, flags, mode);
}

int open(const char *path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    int result = forward("open", path, flags, rest);
    va_end(rest);
    return result;
}

int open64(const char *path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    int result = forward("open64", path, flags, rest);
    va_end(rest);
    return result;
}
