// Loaded before the C library (LD_PRELOAD). Everything else is the library's own.
// - `fdatasync` fails with EIO as long as the file that LANDFALL_FAIL_SYNC names is there.
// - `pwrite` to a file of the index fails with EIO as long as the file that LANDFALL_FAIL_INDEX names is there.
// - The file that LANDFALL_SYNC_LOG names gets a line for each rename (its new path) and each sync of a folder.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int fails(const char *name) {
    const char *path = getenv(name);
    if (!path || access(path, F_OK) != 0) return 0;
    errno = EIO;
    return 1;
}

static const char *path_of(int descriptor, char *buffer, size_t size) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t count = readlink(link, buffer, size - 1);
    buffer[count < 0 ? 0 : count] = 0;
    return buffer;
}

static void note(const char *call, const char *path) {
    const char *log = getenv("LANDFALL_SYNC_LOG");
    if (!log) return;
    int file = open(log, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0) return;
    dprintf(file, "%s %s\n", call, path);
    close(file);
}

int fdatasync(int descriptor) {
    if (fails("LANDFALL_FAIL_SYNC")) return -1;
    int (*next)(int) = (int (*)(int))dlsym(RTLD_NEXT, "fdatasync");
    return next(descriptor);
}

int fsync(int descriptor) {
    char path[4096];
    struct stat status;
    if (fstat(descriptor, &status) == 0 && S_ISDIR(status.st_mode)) {
        note("sync", path_of(descriptor, path, sizeof path));
    }
    int (*next)(int) = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
    return next(descriptor);
}

int rename(const char *path, const char *new_path) {
    note("rename", new_path);
    int (*next)(const char *, const char *) = (int (*)(const char *, const char *))dlsym(RTLD_NEXT, "rename");
    return next(path, new_path);
}

static ssize_t write_at(const char *name, int descriptor, const void *bytes, size_t count, off_t offset) {
    char path[4096];
    if (strstr(path_of(descriptor, path, sizeof path), "/index.sqlite") && fails("LANDFALL_FAIL_INDEX")) return -1;
    ssize_t (*next)(int, const void *, size_t, off_t) =
        (ssize_t (*)(int, const void *, size_t, off_t))dlsym(RTLD_NEXT, name);
    return next(descriptor, bytes, count, offset);
}

ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t offset) {
    return write_at("pwrite", descriptor, bytes, count, offset);
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t count, off64_t offset) {
    return write_at("pwrite64", descriptor, bytes, count, offset);
}
