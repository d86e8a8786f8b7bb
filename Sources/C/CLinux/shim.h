#pragma once
// Glibc's Swift module leaves these headers out. _GNU_SOURCE must stay undefined here: it renames a field of fd_set, and
// Swift's own Glibc module, which is built without it, would no longer agree with this one.
#include <stddef.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <sys/timex.h>

// The handle in epoll_event is a union, which Swift can only reach by name and pointer juggling.
static inline struct epoll_event clx_epoll_event(uint32_t events, uint64_t token) {
  struct epoll_event event;
  event.events = events;
  event.data.u64 = token;
  return event;
}

static inline uint64_t clx_epoll_token(const struct epoll_event *event) { return event->data.u64; }

// ThreadSanitizer does not see the futex inside Synchronization.Mutex. These two tell it what the lock orders; they
// are weak, so that a build without the sanitizer links, and pays a null check.
extern void __tsan_acquire(void *address) __attribute__((weak));
extern void __tsan_release(void *address) __attribute__((weak));

static inline void clx_tsan_acquire(void *address) {
  if (__tsan_acquire) __tsan_acquire(address);
}

static inline void clx_tsan_release(void *address) {
  if (__tsan_release) __tsan_release(address);
}

// prctl is variadic. Names the calling thread; the kernel keeps 15 characters.
static inline void clx_name_this_thread(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }
