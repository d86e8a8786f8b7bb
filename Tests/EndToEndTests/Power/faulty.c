// A disk that goes bad under a process that has its files open: while the file FAULTY_WHEN exists, nothing below
// FAULTY_LIVE can be written or synced, and the answer is the number FAULTY_ERRNO. With EROFS nothing can be opened for
// writing either, as on a file system that the kernel has made read-only after an error. With 0 there is no answer at all
// while the file is there.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int isBad(const char *path) {
  const char *live = getenv("FAULTY_LIVE"), *when = getenv("FAULTY_WHEN");
  return live && when && strncmp(path, live, strlen(live)) == 0 && access(when, F_OK) == 0;
}

static int code(void) { return atoi(getenv("FAULTY_ERRNO")); }

static int fails(int fd) {
  char link[64], path[PATH_MAX];
  struct stat info;
  if (!getenv("FAULTY_LIVE") || fstat(fd, &info) != 0 || !S_ISREG(info.st_mode)) return 0;
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length <= 0) return 0;
  path[length] = 0;
  return isBad(path);
}

#define REAL(result, name, ...) \
  static result (*real)(__VA_ARGS__); \
  if (!real) real = dlsym(RTLD_NEXT, name)
#define UNLESS_BAD(call) \
  while (fails(fd)) { \
    if (code() != 0) return errno = code(), -1; \
    usleep(20000); \
  } \
  return call

ssize_t write(int fd, const void *bytes, size_t count) {
  REAL(ssize_t, "write", int, const void *, size_t);
  UNLESS_BAD(real(fd, bytes, count));
}

ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t from) {
  REAL(ssize_t, "pwrite64", int, const void *, size_t, off64_t);
  UNLESS_BAD(real(fd, bytes, count, from));
}

ssize_t pwrite(int fd, const void *bytes, size_t count, off_t from) { return pwrite64(fd, bytes, count, from); }

int fsync(int fd) {
  REAL(int, "fsync", int);
  UNLESS_BAD(real(fd));
}

int fdatasync(int fd) {
  REAL(int, "fdatasync", int);
  UNLESS_BAD(real(fd));
}

int open64(const char *path, int flags, ...) {
  REAL(int, "open64", const char *, int, ...);
  va_list rest;
  va_start(rest, flags);
  mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  if (flags & (O_WRONLY | O_RDWR | O_CREAT) && isBad(path) && code() == EROFS) return errno = EROFS, -1;
  return real(path, flags, mode);
}

int open(const char *path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  return open64(path, flags, mode);
}
