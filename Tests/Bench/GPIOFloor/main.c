// The floor below the daemon: presses a simulated line, reads the event that the kernel queued, and sends a request's
// worth of bytes, with nothing in between. The kernel's own structures, no library.
//
//   gpio-floor LINE PRESSES      LINE is an offset on the chip labelled "sim"
//
// One line per press, in ns: from the pull to the kernel's stamp, from the stamp to the read event, and from the stamp to
// the last byte at the other end of a connection over loopback.
#include <arpa/inet.h>
#include <err.h>
#include <fcntl.h>
#include <glob.h>
#include <linux/gpio.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { REQUEST = 900 };

static long long now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static int open_chip(void) {
  glob_t found;
  if (glob("/dev/gpiochip*", 0, NULL, &found) != 0) errx(1, "no GPIO chip");
  for (size_t place = 0; place < found.gl_pathc; place++) {
    int chip = open(found.gl_pathv[place], O_RDWR);
    struct gpiochip_info info;
    if (chip >= 0 && ioctl(chip, GPIO_GET_CHIPINFO_IOCTL, &info) == 0 && strcmp(info.label, "sim") == 0) return chip;
  }
  errx(1, "no chip labelled sim; run this with Tests/Hardware/run-in-vm");
}

static int open_pull(int line) {
  char pattern[96];
  snprintf(pattern, sizeof pattern, "/sys/devices/platform/gpio-sim.0/gpiochip*/sim_gpio%d/pull", line);
  glob_t found;
  if (glob(pattern, 0, NULL, &found) != 0) errx(1, "no simulated line %d", line);
  int pull = open(found.gl_pathv[0], O_WRONLY);
  if (pull < 0) err(1, "%s", found.gl_pathv[0]);
  return pull;
}

static void set_pull(int pull, const char *to) {
  if (pwrite(pull, to, strlen(to), 0) < 0) err(1, "pull");
}

static int theirs;
static long long arrived;
static pthread_barrier_t complete;

static void *receive(void *unused) {
  char bytes[REQUEST];
  for (;;) {
    if (recv(theirs, bytes, sizeof bytes, MSG_WAITALL) != REQUEST) return unused;
    arrived = now();
    pthread_barrier_wait(&complete);
  }
}

static int connection(void) {
  int listener = socket(AF_INET, SOCK_STREAM, 0), ours = socket(AF_INET, SOCK_STREAM, 0), yes = 1;
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t length = sizeof address;
  if (bind(listener, (struct sockaddr *)&address, length) || listen(listener, 1) ||
      getsockname(listener, (struct sockaddr *)&address, &length) ||
      connect(ours, (struct sockaddr *)&address, length))
    err(1, "loopback");
  theirs = accept(listener, NULL, NULL);
  setsockopt(ours, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  return ours;
}

int main(int count, char **words) {
  if (count != 3) errx(2, "usage: gpio-floor LINE PRESSES");
  int line = atoi(words[1]), presses = atoi(words[2]), pull = open_pull(line), out = connection();
  set_pull(pull, "pull-down");
  struct gpio_v2_line_request request = {.offsets = {(unsigned)line}, .num_lines = 1, .consumer = "gpio-floor"};
  request.config.flags = GPIO_V2_LINE_FLAG_INPUT | GPIO_V2_LINE_FLAG_EDGE_RISING;
  if (ioctl(open_chip(), GPIO_V2_GET_LINE_IOCTL, &request)) err(1, "line %d", line);
  pthread_barrier_init(&complete, NULL, 2);
  pthread_t reader;
  pthread_create(&reader, NULL, receive, NULL);
  char body[REQUEST] = {0};
  for (int press = 0; press < presses; press++) {
    usleep(5000);
    long long pulled = now();
    set_pull(pull, "pull-up");
    struct gpio_v2_line_event event;
    if (read(request.fd, &event, sizeof event) != sizeof event) err(1, "read");
    long long seen = now(), stamp = (long long)event.timestamp_ns;
    if (write(out, body, sizeof body) != sizeof body) err(1, "write");
    pthread_barrier_wait(&complete);
    printf("%lld %lld %lld\n", stamp - pulled, seen - stamp, arrived - stamp);
    set_pull(pull, "pull-down");
  }
  return 0;
}
