// Loaded before the C library (LD_PRELOAD): `fdatasync` fails with EIO as long as the file that
// LANDFALL_FAIL_SYNC names is there. Everything else is the library's own.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

int fdatasync(int descriptor) {
    const char *path = getenv("LANDFALL_FAIL_SYNC");
    if (path && access(path, F_OK) == 0) {
        errno = EIO;
        return -1;
    }
    int (*next)(int) = (int (*)(int))dlsym(RTLD_NEXT, "fdatasync");
    return next(descriptor);
}
