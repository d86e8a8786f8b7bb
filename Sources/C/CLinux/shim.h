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

// The C function takes a variable list; every request of ours passes one pointer.
static inline int clx_ioctl(int descriptor, unsigned long request, void *argument) {
  return ioctl(descriptor, request, argument);
}

// What the kernel calls termios2: the only way to ask a port for a speed that is not in a list. Its header cannot stand
// beside the C library's own termios.h, so the structure and the requests are spelled out here; they are the same on x86,
// ARM and RISC-V.
struct clx_termios2 {
  uint32_t c_iflag;
  uint32_t c_oflag;
  uint32_t c_cflag;
  uint32_t c_lflag;
  uint8_t c_line;
  uint8_t c_cc[19];
  uint32_t c_ispeed;
  uint32_t c_ospeed;
};

static const unsigned long CLX_TCGETS2 = _IOR('T', 0x2A, struct clx_termios2);
static const unsigned long CLX_TCSETS2 = _IOW('T', 0x2B, struct clx_termios2);
static const uint32_t CLX_BOTHER = 0010000;
static const uint32_t CLX_CMSPAR = 010000000000;

// Request macros with a cast or a structure in them are not imported; these constants are.
static const unsigned long CLX_TIOCEXCL = TIOCEXCL;
static const unsigned long CLX_TIOCNXCL = TIOCNXCL;
static const unsigned long CLX_TIOCMBIC = TIOCMBIC;

// Asks the driver to hand over each byte at once instead of gathering for up to 16 ms. The structure's header and its
// field names are the kernel's; drivers without the setting refuse, and that is no harm.
#include <linux/serial.h>
static inline int clx_ask_for_low_latency(int descriptor) {
  struct serial_struct settings;
  if (ioctl(descriptor, TIOCGSERIAL, &settings) == -1) return -1;
  settings.flags |= ASYNC_LOW_LATENCY;
  return ioctl(descriptor, TIOCSSERIAL, &settings);
}

// Link and address changes. The macros that walk such messages (NLMSG_NEXT and friends) are not imported; Swift reads the
// bytes by itself and needs only the structures and numbers.
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <net/if.h>

// GRND_NONBLOCK is left out: very early in boot it is right to wait for the first randomness.
static inline long clx_random(void *buffer, size_t count) { return (long)getrandom(buffer, count, 0); }

// The two families join a group through two different structures, and the one for IPv4 stays hidden without _GNU_SOURCE in
// some of the C library's headers; the kernel's protocol-independent request serves both.
#include <netinet/in.h>
#include <string.h>
static inline int clx_join_group(int descriptor, int family, const void *group, unsigned interface) {
  struct group_req request;
  memset(&request, 0, sizeof request);
  request.gr_interface = interface;
  if (family == AF_INET6) {
    struct sockaddr_in6 *address = (struct sockaddr_in6 *)&request.gr_group;
    address->sin6_family = AF_INET6;
    memcpy(&address->sin6_addr, group, 16);
    return setsockopt(descriptor, IPPROTO_IPV6, MCAST_JOIN_GROUP, &request, sizeof request);
  }
  struct sockaddr_in *address = (struct sockaddr_in *)&request.gr_group;
  address->sin_family = AF_INET;
  memcpy(&address->sin_addr, group, 4);
  return setsockopt(descriptor, IPPROTO_IP, MCAST_JOIN_GROUP, &request, sizeof request);
}

// The kinds of socket are an enumeration in the C library, which Swift 6.0 sees from some files and not from others.
#include <sys/socket.h>
static const int32_t CLX_SOCK_STREAM = SOCK_STREAM;
static const int32_t CLX_SOCK_DGRAM = SOCK_DGRAM;
static const int32_t CLX_SOCK_RAW = SOCK_RAW;
static const int32_t CLX_SOCK_CLOEXEC = SOCK_CLOEXEC;
static const int32_t CLX_SOCK_NONBLOCK = SOCK_NONBLOCK;
