// Tells the thread sanitizer about `Synchronization.Mutex`, which on Linux is a futex: the part that
// programs inline is instrumented with them, the part for contended locks is in Swift's library and
// is not. Without this each contended lock is reported as a race of what it protects.
//
// `make test-tsan` preloads it. Nothing is suppressed: a lock's order becomes known, so that a race
// beside it is still found. Left out: `withLockIfAvailable`, which nothing here uses.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))

// Synchronization._MutexHandle._lockSlow(_: UInt32) and ._unlockSlow()
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

// Missing in programs without the sanitizer, such as `swift test` itself.
void __tsan_acquire(void *address) __attribute__((weak));
void __tsan_release(void *address) __attribute__((weak));

SWIFT void lock(uint32_t thread, SELF void *handle) __asm__(LOCK);
SWIFT void unlock(SELF void *handle) __asm__(UNLOCK);

static SWIFT void (*library_lock)(uint32_t thread, SELF void *handle);
static SWIFT void (*library_unlock)(SELF void *handle);

__attribute__((constructor)) static void find(void) {
    *(void **)&library_lock = dlsym(RTLD_NEXT, LOCK);
    *(void **)&library_unlock = dlsym(RTLD_NEXT, UNLOCK);
}

SWIFT void lock(uint32_t thread, SELF void *handle) {
    library_lock(thread, handle);
    if (__tsan_acquire) __tsan_acquire(handle);
}

SWIFT void unlock(SELF void *handle) {
    if (__tsan_release) __tsan_release(handle);
    library_unlock(handle);
}
