// The plain C client that our figures stand beside: it sends numbered commands with the time in their id, or receives
// them and says how old they were when its callback had them. Nothing is done with them.
//
//   mqtt-floor send PORT TOPIC COUNT PER_SECOND      0 a second is as fast as it goes
//   mqtt-floor receive PORT TOPIC COUNT
#include <mosquitto.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int64_t *ages;
static int64_t first_at, last_at;
static int count, seen, unacknowledged;

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

static void message_came(struct mosquitto *client, void *argument, const struct mosquitto_message *message) {
  int64_t at = now();
  const char *mark = strstr(message->payload, "\"id\":\"");
  if (!mark || seen >= count) return;
  ages[seen++] = at - strtoll(mark + 6, NULL, 10);
  if (seen == 1) first_at = at;
  last_at = at;
  if (seen == count) mosquitto_disconnect(client);
}

static void subscribed(struct mosquitto *client, void *argument, int id, int filters, const int *granted) {
  puts("ready");
  fflush(stdout);
}

static void acknowledged(struct mosquitto *client, void *argument, int id) { unacknowledged--; }

static int compare(const void *one, const void *other) {
  int64_t a = *(const int64_t *)one, b = *(const int64_t *)other;
  return (a > b) - (a < b);
}

static int receive(struct mosquitto *client, const char *topic) {
  ages = calloc(count, sizeof *ages);
  mosquitto_message_callback_set(client, message_came);
  mosquitto_subscribe_callback_set(client, subscribed);
  mosquitto_subscribe(client, NULL, topic, 1);
  while (seen < count && mosquitto_loop(client, 1000, 1) == MOSQ_ERR_SUCCESS) {
  }
  if (seen < count) return 1;
  qsort(ages, count, sizeof *ages, compare);
  printf("%lld %lld %lld %lld\n", (long long)ages[count / 2], (long long)ages[count * 9 / 10],
         (long long)ages[count * 99 / 100], (long long)(last_at - first_at));
  return 0;
}

static int send_all(struct mosquitto *client, const char *topic, int per_second) {
  mosquitto_publish_callback_set(client, acknowledged);
  int64_t start = now();
  for (int number = 0; number < count; number++) {
    int64_t due = per_second ? start + number * (INT64_C(1000000000) / per_second) : 0;
    do {
      int64_t wait = due - now();
      int milliseconds = wait > 1000000 ? (int)(wait / 1000000) : 0;
      if (mosquitto_loop(client, milliseconds, 1) != MOSQ_ERR_SUCCESS) return 1;
    } while (now() < due || unacknowledged >= 200);
    char text[96];
    int length = snprintf(text, sizeof text, "{\"id\":\"%lld-%d\",\"team\":\"home\",\"points\":1}", (long long)now(), number);
    if (mosquitto_publish(client, NULL, topic, length, text, 1, false) != MOSQ_ERR_SUCCESS) return 1;
    unacknowledged++;
  }
  while (unacknowledged > 0 && mosquitto_loop(client, 1000, 1) == MOSQ_ERR_SUCCESS) {
  }
  return unacknowledged > 0;
}

int main(int words, char **word) {
  bool sends = words == 6 && !strcmp(word[1], "send");
  if (!sends && !(words == 5 && !strcmp(word[1], "receive"))) {
    fputs("mqtt-floor send PORT TOPIC COUNT PER_SECOND | receive PORT TOPIC COUNT\n", stderr);
    return 2;
  }
  count = atoi(word[4]);
  mosquitto_lib_init();
  struct mosquitto *client = mosquitto_new(NULL, true, NULL);
  mosquitto_int_option(client, MOSQ_OPT_TCP_NODELAY, 1);
  if (count < 1 || mosquitto_connect(client, "127.0.0.1", atoi(word[2]), 60) != MOSQ_ERR_SUCCESS) return 1;
  return sends ? send_all(client, word[3], atoi(word[5])) : receive(client, word[3]);
}
