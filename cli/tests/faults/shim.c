/* Counts the calls of a process, and of those that it starts, to the file system below a folder, and fails one of them.
 *
 * Preloaded by cli/tests/faults.rs. Environment:
 *   TAUT_FAULT_FOLDER   paths that begin with this count
 *   TAUT_FAULT_COUNTER  a file of 8 bytes outside of it: the calls so far, of all processes
 *   TAUT_FAULT_LOG      a file outside of it: a line per call, `NUMBER FUNCTION PATH`
 *   TAUT_FAULT_AT       number of the call that fails, from 0
 *   TAUT_FAULT_ERROR    its error number
 *   TAUT_FAULT_LASTS    1: all calls from then on fail
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

static unsigned long *counter;
static int log_file = -1;
static const char *folder;
static size_t folder_length;
static unsigned long fail_at = ~0ul;
static int fail_error = EIO;
static int fail_lasts;

static void begin(void) __attribute__((constructor));
static void begin(void) {
    const char *name = getenv("TAUT_FAULT_FOLDER");
    const char *counted = getenv("TAUT_FAULT_COUNTER");
    if (!name || !counted) return;
    int file = syscall(SYS_openat, AT_FDCWD, counted, O_RDWR | O_CLOEXEC, 0);
    if (file < 0) return;
    void *(*map)(void *, size_t, int, int, int, off_t) = dlsym(RTLD_NEXT, "mmap");
    void *page = map(0, 8, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    syscall(SYS_close, file);
    if (page == MAP_FAILED) return;
    const char *log = getenv("TAUT_FAULT_LOG");
    if (log) log_file = syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_APPEND | O_CLOEXEC, 0);
    const char *at = getenv("TAUT_FAULT_AT"), *error = getenv("TAUT_FAULT_ERROR"), *lasts = getenv("TAUT_FAULT_LASTS");
    if (at) fail_at = strtoul(at, 0, 10);
    if (error) fail_error = atoi(error);
    fail_lasts = lasts && *lasts == '1';
    folder_length = strlen(name);
    folder = name;
    counter = page;
}

/* Whether a path is the folder or below it. */
static int is_below(const char *path) {
    return !strncmp(path, folder, folder_length) && (path[folder_length] == '/' || path[folder_length] == 0 || path[folder_length] == ' ');
}

/* The path of an open file. */
static int path_of(int file, char *path, size_t size) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = syscall(SYS_readlinkat, AT_FDCWD, link, path, size - 1);
    if (length <= 0) return 0;
    path[length] = 0;
    return 1;
}

/* Whether this call fails, which is to be counted if it is about the folder. */
static int counted(const char *function, const char *path) {
    if (!is_below(path)) return 0;
    int saved = errno;
    unsigned long number = __atomic_fetch_add(counter, 1, __ATOMIC_RELAXED);
    if (log_file >= 0) {
        char line[5000];
        int length = snprintf(line, sizeof line, "%lu %s %s\n", number, function, path);
        syscall(SYS_write, log_file, line, length < (int)sizeof line ? length : (int)sizeof line);
    }
    errno = saved;
    if (number == fail_at || (fail_lasts && number > fail_at)) {
        errno = fail_error;
        return 1;
    }
    return 0;
}

static int fails_file(const char *function, int file) {
    char path[4400];
    return counter && file >= 0 && path_of(file, path, sizeof path) && counted(function, path);
}

static int fails_path(const char *function, int at, const char *name) {
    char path[8800];
    if (!counter || !name) return 0;
    if (*name == '/') return counted(function, name);
    size_t length = 0;
    if (at == AT_FDCWD) {
        if (syscall(SYS_getcwd, path, 4400) <= 0) return 0;
    } else if (!path_of(at, path, 4400)) return 0;
    length = strlen(path);
    snprintf(path + length, sizeof path - length, "/%s", name);
    return counted(function, path);
}

#define REAL(type, name, ...) \
    static type (*real)(__VA_ARGS__); \
    if (!real) real = (type (*)(__VA_ARGS__))dlsym(RTLD_NEXT, name)

#define OPEN(name) \
    int name(const char *path, int flags, ...) { \
        mode_t mode = 0; \
        if (flags & (O_CREAT | __O_TMPFILE)) { va_list rest; va_start(rest, flags); mode = va_arg(rest, mode_t); va_end(rest); } \
        REAL(int, #name, const char *, int, ...); \
        if ((flags & (O_CREAT | __O_TMPFILE)) && fails_path("create", AT_FDCWD, path)) return -1; \
        return real(path, flags, mode); \
    }
OPEN(open)
OPEN(open64)

#define OPENAT(name) \
    int name(int at, const char *path, int flags, ...) { \
        mode_t mode = 0; \
        if (flags & (O_CREAT | __O_TMPFILE)) { va_list rest; va_start(rest, flags); mode = va_arg(rest, mode_t); va_end(rest); } \
        REAL(int, #name, int, const char *, int, ...); \
        if ((flags & (O_CREAT | __O_TMPFILE)) && fails_path("create", at, path)) return -1; \
        return real(at, path, flags, mode); \
    }
OPENAT(openat)
OPENAT(openat64)

/* Functions of an open file that return a number. */
#define OF_FILE(type, name, call, parameters, arguments) \
    type name parameters { \
        static type (*real) parameters; \
        if (!real) real = (type (*) parameters)dlsym(RTLD_NEXT, #name); \
        return fails_file(call, file) ? -1 : real arguments; \
    }
OF_FILE(ssize_t, write, "write", (int file, const void *bytes, size_t size), (file, bytes, size))
OF_FILE(ssize_t, pwrite, "write", (int file, const void *bytes, size_t size, off_t at), (file, bytes, size, at))
OF_FILE(ssize_t, pwrite64, "write", (int file, const void *bytes, size_t size, off64_t at), (file, bytes, size, at))
OF_FILE(ssize_t, writev, "write", (int file, const struct iovec *parts, int count), (file, parts, count))
OF_FILE(ssize_t, pwritev, "write", (int file, const struct iovec *parts, int count, off_t at), (file, parts, count, at))
OF_FILE(int, fsync, "fsync", (int file), (file))
OF_FILE(int, fdatasync, "fsync", (int file), (file))
OF_FILE(int, ftruncate, "truncate", (int file, off_t size), (file, size))
OF_FILE(int, ftruncate64, "truncate", (int file, off64_t size), (file, size))
OF_FILE(int, fallocate, "allocate", (int file, int mode, off_t at, off_t size), (file, mode, at, size))
OF_FILE(int, fallocate64, "allocate", (int file, int mode, off64_t at, off64_t size), (file, mode, at, size))

/* Copies: between files of which one is in the folder. */
ssize_t copy_file_range(int in, off64_t *in_at, int out, off64_t *out_at, size_t size, unsigned flags) {
    REAL(ssize_t, "copy_file_range", int, off64_t *, int, off64_t *, size_t, unsigned);
    return fails_file("write", out) ? -1 : real(in, in_at, out, out_at, size, flags);
}

/* posix_fallocate returns its error. */
int posix_fallocate(int file, off_t at, off_t size) {
    REAL(int, "posix_fallocate", int, off_t, off_t);
    return fails_file("allocate", file) ? errno : real(file, at, size);
}
int posix_fallocate64(int file, off64_t at, off64_t size) {
    REAL(int, "posix_fallocate64", int, off64_t, off64_t);
    return fails_file("allocate", file) ? errno : real(file, at, size);
}

#define MMAP(name, offset) \
    void *name(void *address, size_t size, int protection, int flags, int file, offset at) { \
        REAL(void *, #name, void *, size_t, int, int, int, offset); \
        if (file >= 0 && !(flags & MAP_ANONYMOUS) && fails_file("mmap", file)) return MAP_FAILED; \
        return real(address, size, protection, flags, file, at); \
    }
MMAP(mmap, off_t)
MMAP(mmap64, off64_t)


int rename(const char *from, const char *to) {
    REAL(int, "rename", const char *, const char *);
    return fails_path("rename", AT_FDCWD, from) ? -1 : real(from, to);
}
int renameat(int from_at, const char *from, int to_at, const char *to) {
    REAL(int, "renameat", int, const char *, int, const char *);
    return fails_path("rename", from_at, from) ? -1 : real(from_at, from, to_at, to);
}
int renameat2(int from_at, const char *from, int to_at, const char *to, unsigned flags) {
    REAL(int, "renameat2", int, const char *, int, const char *, unsigned);
    return fails_path("rename", from_at, from) ? -1 : real(from_at, from, to_at, to, flags);
}
int link(const char *from, const char *to) {
    REAL(int, "link", const char *, const char *);
    return fails_path("link", AT_FDCWD, to) ? -1 : real(from, to);
}
int linkat(int from_at, const char *from, int to_at, const char *to, int flags) {
    REAL(int, "linkat", int, const char *, int, const char *, int);
    return fails_path("link", to_at, to) ? -1 : real(from_at, from, to_at, to, flags);
}
int unlink(const char *path) {
    REAL(int, "unlink", const char *);
    return fails_path("unlink", AT_FDCWD, path) ? -1 : real(path);
}
int unlinkat(int at, const char *path, int flags) {
    REAL(int, "unlinkat", int, const char *, int);
    return fails_path("unlink", at, path) ? -1 : real(at, path, flags);
}
int rmdir(const char *path) {
    REAL(int, "rmdir", const char *);
    return fails_path("unlink", AT_FDCWD, path) ? -1 : real(path);
}
int mkdir(const char *path, mode_t mode) {
    REAL(int, "mkdir", const char *, mode_t);
    return fails_path("create", AT_FDCWD, path) ? -1 : real(path, mode);
}
int chmod(const char *path, mode_t mode) {
    REAL(int, "chmod", const char *, mode_t);
    return fails_path("chmod", AT_FDCWD, path) ? -1 : real(path, mode);
}
int fchmod(int file, mode_t mode) {
    REAL(int, "fchmod", int, mode_t);
    return fails_file("chmod", file) ? -1 : real(file, mode);
}
DIR *opendir(const char *path) {
    REAL(DIR *, "opendir", const char *);
    return fails_path("readdir", AT_FDCWD, path) ? NULL : real(path);
}
struct dirent *readdir(DIR *entries) {
    REAL(struct dirent *, "readdir", DIR *);
    return fails_file("readdir", dirfd(entries)) ? NULL : real(entries);
}
struct dirent64 *readdir64(DIR *entries) {
    REAL(struct dirent64 *, "readdir64", DIR *);
    return fails_file("readdir", dirfd(entries)) ? NULL : real(entries);
}
