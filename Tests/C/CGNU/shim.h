#pragma once
// GNU's own calls, which Glibc's Swift module leaves out. Declared here one by one: to define _GNU_SOURCE would change
// types that Foundation has seen already.
#include <fcntl.h>
#include <stddef.h>
#include <sys/socket.h>
#include <unistd.h>

extern int accept4(int, struct sockaddr *, socklen_t *, int);
extern int pipe2(int *, int);
extern int posix_openpt(int);
extern int grantpt(int);
extern int unlockpt(int);
extern int ptsname_r(int, char *, size_t);

// Without the flags a child spawned at the wrong moment would inherit the descriptor.
static inline int standin_accept(int listener) {
  return accept4(listener, (struct sockaddr *)0, (socklen_t *)0, SOCK_CLOEXEC | SOCK_NONBLOCK);
}

static inline int standin_pipe(int *ends) { return pipe2(ends, O_CLOEXEC); }

static inline int standin_open_terminal(char *path, size_t room) {
  int fd = posix_openpt(O_RDWR | O_NOCTTY);
  if (fd < 0) return -1;
  if (grantpt(fd) == 0 && unlockpt(fd) == 0 && ptsname_r(fd, path, room) == 0) return fd;
  close(fd);
  return -1;
}
