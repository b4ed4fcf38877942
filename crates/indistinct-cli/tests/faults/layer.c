/* A layer between the program and the system that goes wrong when it is told to. Loaded with LD_PRELOAD.
 *
 * Everything that changes a file system (making, writing, syncing, cutting, renaming, removing) is a step. Steps are counted
 * over all threads, and at step FAULT_AT the program is killed or the step fails, as FAULT_KIND says:
 *
 *   kill    the process is killed before the step
 *   torn    half of what is to be written is written, then the process is killed (at other steps: kill)
 *   eio     the step fails with an input/output error
 *   enospc  the step fails because the disk is full
 *   full    so do it and all later steps that need room
 *
 * With FAULT_LOG every step's name is appended to that file, which is how the moments are found that can be chosen.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum kind { NONE, KILL, TORN, EIO_ONCE, ENOSPC_ONCE, FULL };

static atomic_long steps;
static long at;
static enum kind kind;
static int record = -1;

__attribute__((constructor)) static void begin(void) {
    const char *text = getenv("FAULT_AT"), *name = getenv("FAULT_KIND"), *path = getenv("FAULT_LOG");
    at = text ? atol(text) : 0;
    if (name) {
        if (!strcmp(name, "kill")) kind = KILL;
        if (!strcmp(name, "torn")) kind = TORN;
        if (!strcmp(name, "eio")) kind = EIO_ONCE;
        if (!strcmp(name, "enospc")) kind = ENOSPC_ONCE;
        if (!strcmp(name, "full")) kind = FULL;
    }
    if (path) record = (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
}

static void die(void) { syscall(SYS_kill, getpid(), SIGKILL); }

/* Counts a step. 0: go on; 1: write half, then die; otherwise the error that the step must fail with, below zero. */
static int step(const char *name, int needs_room) {
    long now = atomic_fetch_add(&steps, 1) + 1;
    if (record >= 0) {
        syscall(SYS_write, record, name, strlen(name));
        syscall(SYS_write, record, "\n", 1);
    }
    if (kind == FULL && at && now >= at && needs_room) return -ENOSPC;
    if (kind == NONE || now != at) return 0;
    switch (kind) {
    case KILL: die(); return 0;
    case TORN:
        if (needs_room) return 1;
        die();
        return 0;
    case EIO_ONCE: return -EIO;
    case ENOSPC_ONCE: return -ENOSPC;
    default: return 0;
    }
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
/* A step without content: it cannot be torn. */
#define PLAIN(name, needs_room)                \
    int fault = step(name, needs_room);        \
    if (fault == 1) die();                     \
    if (fault < 0) {                           \
        errno = -fault;                        \
        return -1;                             \
    }

ssize_t write(int fd, const void *bytes, size_t count) {
    if (fd > 2) {
        int fault = step("write", 1);
        if (fault == 1) {
            syscall(SYS_write, fd, bytes, count / 2);
            die();
        }
        if (fault < 0) {
            errno = -fault;
            return -1;
        }
    }
    return syscall(SYS_write, fd, bytes, count);
}

ssize_t writev(int fd, const struct iovec *parts, int count) {
    if (fd > 2) { PLAIN("writev", 1) }
    return syscall(SYS_writev, fd, parts, count);
}

int fsync(int fd) { PLAIN("fsync", 0) return REAL(fsync)(fd); }
int fdatasync(int fd) { PLAIN("fdatasync", 0) return REAL(fdatasync)(fd); }
int ftruncate(int fd, off_t length) { PLAIN("ftruncate", 0) return REAL(ftruncate)(fd, length); }
int ftruncate64(int fd, off64_t length) { PLAIN("ftruncate", 0) return REAL(ftruncate64)(fd, length); }
int rename(const char *from, const char *to) { PLAIN("rename", 0) return REAL(rename)(from, to); }
int renameat2(int a, const char *from, int b, const char *to, unsigned flags) {
    PLAIN("renameat2", 0)
    return REAL(renameat2)(a, from, b, to, flags);
}
int link(const char *from, const char *to) { PLAIN("link", 0) return REAL(link)(from, to); }
int unlink(const char *path) { PLAIN("unlink", 0) return REAL(unlink)(path); }
int unlinkat(int fd, const char *path, int flags) { PLAIN("unlinkat", 0) return REAL(unlinkat)(fd, path, flags); }
int rmdir(const char *path) { PLAIN("rmdir", 0) return REAL(rmdir)(path); }
int mkdir(const char *path, mode_t mode) { PLAIN("mkdir", 1) return REAL(mkdir)(path, mode); }

int open64(const char *path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    if (flags & O_CREAT) { PLAIN("create", 1) }
    return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}
