// A power line for tests. Writes below POWER_LIVE go where they always go, but only what fsync or fdatasync has made
// durable is copied below POWER_SHADOW, range by range. Whoever kills the process and puts the shadow in the place of
// the live folder has cut the power: what was not synced is gone, what was being synced is there in part. Names that
// were moved or removed become durable with the next sync of anything, as a journal does it.
// With POWER_OFF=1 a sync does nothing, as on a store that is told not to wait for the disk.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct range { char path[PATH_MAX]; off_t from, to; struct range *next; };
struct name { char from[PATH_MAX], to[PATH_MAX]; struct name *next; };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct range *dirty;
static struct name *names, **lastName = &names;

static const char *live(void) { return getenv("POWER_LIVE"); }

static int ours(const char *path) { return live() && strncmp(path, live(), strlen(live())) == 0; }

static int pathOf(int fd, char *path) {
  struct stat info;
  char link[64];
  if (!live() || fstat(fd, &info) != 0 || !(S_ISREG(info.st_mode) || S_ISDIR(info.st_mode))) return 0;
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, PATH_MAX - 1);
  if (length <= 0) return 0;
  path[length] = 0;
  return ours(path);
}

static void shadow(const char *path, char *result) {
  snprintf(result, PATH_MAX, "%s%s", getenv("POWER_SHADOW"), path + strlen(live()));
}

static void note(int fd, off_t from, ssize_t count) {
  char path[PATH_MAX];
  if (count <= 0 || !pathOf(fd, path)) return;
  struct range *range = malloc(sizeof *range);
  strcpy(range->path, path);
  range->from = from;
  range->to = from + count;
  pthread_mutex_lock(&lock);
  range->next = dirty;
  dirty = range;
  pthread_mutex_unlock(&lock);
}

#define REAL(result, name, ...) \
  static result (*real)(__VA_ARGS__); \
  if (!real) real = dlsym(RTLD_NEXT, name)

ssize_t write(int fd, const void *bytes, size_t count) {
  REAL(ssize_t, "write", int, const void *, size_t);
  off_t from = live() ? lseek(fd, 0, SEEK_CUR) : -1;
  ssize_t written = real(fd, bytes, count);
  if (from >= 0) note(fd, from, written);
  return written;
}

ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t from) {
  REAL(ssize_t, "pwrite64", int, const void *, size_t, off64_t);
  ssize_t written = real(fd, bytes, count, from);
  note(fd, from, written);
  return written;
}

ssize_t pwrite(int fd, const void *bytes, size_t count, off_t from) { return pwrite64(fd, bytes, count, from); }

int rename(const char *from, const char *to) {
  REAL(int, "rename", const char *, const char *);
  int result = real(from, to);
  if (result == 0 && ours(to)) {
    struct name *name = calloc(1, sizeof *name);
    strcpy(name->from, from);
    strcpy(name->to, to);
    pthread_mutex_lock(&lock);
    *lastName = name;
    lastName = &name->next;
    pthread_mutex_unlock(&lock);
  }
  return result;
}

int unlink(const char *path) {
  REAL(int, "unlink", const char *);
  int result = real(path);
  if (result == 0 && ours(path)) {
    struct name *name = calloc(1, sizeof *name);
    strcpy(name->from, path);
    pthread_mutex_lock(&lock);
    *lastName = name;
    lastName = &name->next;
    pthread_mutex_unlock(&lock);
  }
  return result;
}

// Called with the lock: names in the order in which they changed, before whatever was written under them since.
static void moveNames(void) {
  char copy[PATH_MAX], other[PATH_MAX];
  int (*move)(const char *, const char *) = dlsym(RTLD_NEXT, "rename");
  int (*removeName)(const char *) = dlsym(RTLD_NEXT, "unlink");
  while (names) {
    struct name *name = names;
    shadow(name->from, copy);
    if (name->to[0]) {
      shadow(name->to, other);
      move(copy, other);
    } else {
      removeName(copy);
    }
    names = name->next;
    if (!names) lastName = &names;
    free(name);
  }
}

static void makeDurable(int fd) {
  char path[PATH_MAX], copy[PATH_MAX];
  if (!pathOf(fd, path) || getenv("POWER_OFF")) return;
  ssize_t (*put)(int, const void *, size_t, off64_t) = dlsym(RTLD_NEXT, "pwrite64");
  pthread_mutex_lock(&lock);
  moveNames();
  struct stat info;
  if (fstat(fd, &info) == 0 && S_ISREG(info.st_mode)) {
    shadow(path, copy);
    int out = open(copy, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    int in = open(path, O_RDONLY | O_CLOEXEC);
    struct stat was;
    if (out >= 0 && fstat(out, &was) == 0 && was.st_size > info.st_size) (void)!ftruncate(out, info.st_size);
    struct range **place = &dirty;
    while (*place) {
      struct range *range = *place;
      if (strcmp(range->path, path) != 0) {
        place = &range->next;
        continue;
      }
      char bytes[65536];
      for (off_t at = range->from; at < range->to && in >= 0 && out >= 0;) {
        size_t want = range->to - at < (off_t)sizeof bytes ? (size_t)(range->to - at) : sizeof bytes;
        ssize_t got = pread(in, bytes, want, at);
        if (got <= 0) break;
        put(out, bytes, (size_t)got, at);
        at += got;
      }
      *place = range->next;
      free(range);
    }
    if (in >= 0) close(in);
    if (out >= 0) close(out);
  }
  pthread_mutex_unlock(&lock);
}

int fsync(int fd) {
  makeDurable(fd);
  return 0;
}

int fdatasync(int fd) {
  makeDurable(fd);
  return 0;
}
