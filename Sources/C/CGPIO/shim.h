#pragma once
#include <errno.h>
#include <fcntl.h>
#include <gpiod.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// libgpiod 1.x and 2.x share a header's name and nothing else, and neither has a version macro. This file alone knows
// that; Swift sees one chip, one line, one event. One request holds one line, so that a busy line keeps no other back.
#ifdef GPIOD_LINE_BULK_MAX_LINES
#define CGPIO_VERSION_1 1
#else
#define CGPIO_VERSION_1 0
#endif

// How many events one read can bring; with version 1 that is also all that the kernel keeps of a line.
#define CGPIO_EVENTS 64

enum cgpio_bias { CGPIO_AS_IS = 0, CGPIO_PULL_UP, CGPIO_PULL_DOWN, CGPIO_NO_PULL };

struct cgpio_event {
  int64_t nanoseconds;
  // The kernel's count of this line's events, from 1; version 1 has none and says 0.
  uint32_t sequence;
  int32_t is_active;
};

struct cgpio_line_info {
  char name[32];
  char consumer[32];
  int32_t is_used;
};

struct cgpio_line {
  int descriptor;
#if CGPIO_VERSION_1
  struct gpiod_chip *chip;
  struct gpiod_line *line;
#else
  unsigned offset;
  struct gpiod_line_request *request;
  struct gpiod_edge_event_buffer *events;
#endif
};

static inline int cgpio_is_version_1(void) { return CGPIO_VERSION_1; }

static inline void cgpio_copy(char *to, const char *from) {
  memset(to, 0, 32);
  if (from) strncpy(to, from, 31);
}

// The chip's label and its number of lines; -1 for what is no chip, with errno.
static inline int cgpio_chip_info(struct gpiod_chip *chip, char *label) {
#if CGPIO_VERSION_1
  cgpio_copy(label, gpiod_chip_label(chip));
  return (int)gpiod_chip_num_lines(chip);
#else
  struct gpiod_chip_info *info = gpiod_chip_get_info(chip);
  if (!info) return -1;
  cgpio_copy(label, gpiod_chip_info_get_label(info));
  int lines = (int)gpiod_chip_info_get_num_lines(info);
  gpiod_chip_info_free(info);
  return lines;
#endif
}

static inline int cgpio_read_line_info(struct gpiod_chip *chip, unsigned offset, struct cgpio_line_info *info) {
#if CGPIO_VERSION_1
  struct gpiod_line *line = gpiod_chip_get_line(chip, offset);
  if (!line) return -1;
  cgpio_copy(info->name, gpiod_line_name(line));
  cgpio_copy(info->consumer, gpiod_line_consumer(line));
  info->is_used = gpiod_line_is_used(line);
#else
  struct gpiod_line_info *line = gpiod_chip_get_line_info(chip, offset);
  if (!line) return -1;
  cgpio_copy(info->name, gpiod_line_info_get_name(line));
  cgpio_copy(info->consumer, gpiod_line_info_get_consumer(line));
  info->is_used = gpiod_line_info_is_used(line);
  gpiod_line_info_free(line);
#endif
  return 0;
}

#if CGPIO_VERSION_1
static inline int cgpio_request(
    struct cgpio_line *line, const char *consumer, int is_output, int is_active_low, int bias) {
  int flags = is_active_low ? GPIOD_LINE_REQUEST_FLAG_ACTIVE_LOW : 0;
  if (bias == CGPIO_PULL_UP) flags |= GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_UP;
  if (bias == CGPIO_PULL_DOWN) flags |= GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_DOWN;
  if (bias == CGPIO_NO_PULL) flags |= GPIOD_LINE_REQUEST_FLAG_BIAS_DISABLE;
  if (is_output) return gpiod_line_request_output_flags(line->line, consumer, flags, 0);
  if (gpiod_line_request_both_edges_events_flags(line->line, consumer, flags) == -1) return -1;
  line->descriptor = gpiod_line_event_get_fd(line->line);
  return line->descriptor == -1 ? -1 : 0;
}
#else
static inline int cgpio_configure(
    struct gpiod_line_settings *settings, int is_output, int is_active_low, int bias) {
  gpiod_line_settings_set_active_low(settings, is_active_low != 0);
  if (is_output) {
    gpiod_line_settings_set_output_value(settings, GPIOD_LINE_VALUE_INACTIVE);
    return gpiod_line_settings_set_direction(settings, GPIOD_LINE_DIRECTION_OUTPUT);
  }
  enum gpiod_line_bias pull = GPIOD_LINE_BIAS_AS_IS;
  if (bias == CGPIO_PULL_UP) pull = GPIOD_LINE_BIAS_PULL_UP;
  if (bias == CGPIO_PULL_DOWN) pull = GPIOD_LINE_BIAS_PULL_DOWN;
  if (bias == CGPIO_NO_PULL) pull = GPIOD_LINE_BIAS_DISABLED;
  if (gpiod_line_settings_set_bias(settings, pull) == -1) return -1;
  if (gpiod_line_settings_set_direction(settings, GPIOD_LINE_DIRECTION_INPUT) == -1) return -1;
  return gpiod_line_settings_set_edge_detection(settings, GPIOD_LINE_EDGE_BOTH);
}

static inline int cgpio_request(
    struct cgpio_line *line, struct gpiod_chip *chip, const char *consumer, int is_output, int is_active_low,
    int bias) {
  struct gpiod_line_settings *settings = gpiod_line_settings_new();
  struct gpiod_line_config *lines = gpiod_line_config_new();
  struct gpiod_request_config *request = gpiod_request_config_new();
  int code = ENOMEM;
  if (settings && lines && request) {
    gpiod_request_config_set_consumer(request, consumer);
    // Room for a loop that stands still for a while; the kernel takes 16 unless asked.
    gpiod_request_config_set_event_buffer_size(request, 256);
    if (cgpio_configure(settings, is_output, is_active_low, bias) == 0 &&
        gpiod_line_config_add_line_settings(lines, &line->offset, 1, settings) == 0)
      line->request = gpiod_chip_request_lines(chip, request, lines);
    code = line->request ? 0 : errno;
  }
  if (settings) gpiod_line_settings_free(settings);
  if (lines) gpiod_line_config_free(lines);
  if (request) gpiod_request_config_free(request);
  errno = code;
  if (code != 0) return -1;
  if (is_output) return 0;
  line->descriptor = gpiod_line_request_get_fd(line->request);
  line->events = gpiod_edge_event_buffer_new(CGPIO_EVENTS);
  return line->events ? 0 : -1;
}
#endif

static inline void cgpio_close(struct cgpio_line *line) {
#if CGPIO_VERSION_1
  if (line->chip) gpiod_chip_close(line->chip);
#else
  if (line->events) gpiod_edge_event_buffer_free(line->events);
  if (line->request) gpiod_line_request_release(line->request);
#endif
  free(line);
}

// Requests one line: an input with events of both edges, or an output that is off. NULL with errno when that fails.
static inline struct cgpio_line *cgpio_open(
    const char *path, unsigned offset, const char *consumer, int is_output, int is_active_low, int bias) {
  struct cgpio_line *line = calloc(1, sizeof *line);
  if (!line) return NULL;
  line->descriptor = -1;
  struct gpiod_chip *chip = gpiod_chip_open(path);
  int result = -1;
#if CGPIO_VERSION_1
  line->chip = chip;
  if (chip) line->line = gpiod_chip_get_line(chip, offset);
  if (line->line) result = cgpio_request(line, consumer, is_output, is_active_low, bias);
#else
  line->offset = offset;
  if (chip) result = cgpio_request(line, chip, consumer, is_output, is_active_low, bias);
#endif
  int code = errno;
#if !CGPIO_VERSION_1
  // A request outlives its chip's handle; in version 1 the handle owns the line.
  if (chip) gpiod_chip_close(chip);
#endif
  if (result == 0 && line->descriptor >= 0)
    result = fcntl(line->descriptor, F_SETFL, fcntl(line->descriptor, F_GETFL) | O_NONBLOCK);
  if (result == 0) return line;
  cgpio_close(line);
  errno = code;
  return NULL;
}

static inline int cgpio_descriptor(const struct cgpio_line *line) { return line->descriptor; }

// What waits, up to CGPIO_EVENTS: how many, 0 when nothing does, -1 with errno.
static inline int cgpio_read(struct cgpio_line *line, struct cgpio_event *events) {
#if CGPIO_VERSION_1
  struct gpiod_line_event read[16];
  int count = gpiod_line_event_read_multiple(line->line, read, 16);
  for (int index = 0; index < count; index++) {
    events[index].nanoseconds = (int64_t)read[index].ts.tv_sec * 1000000000 + read[index].ts.tv_nsec;
    events[index].sequence = 0;
    events[index].is_active = read[index].event_type == GPIOD_LINE_EVENT_RISING_EDGE;
  }
#else
  int count = gpiod_line_request_read_edge_events(line->request, line->events, CGPIO_EVENTS);
  for (int index = 0; index < count; index++) {
    struct gpiod_edge_event *event = gpiod_edge_event_buffer_get_event(line->events, (unsigned long)index);
    events[index].nanoseconds = (int64_t)gpiod_edge_event_get_timestamp_ns(event);
    events[index].sequence = (uint32_t)gpiod_edge_event_get_line_seqno(event);
    events[index].is_active = gpiod_edge_event_get_event_type(event) == GPIOD_EDGE_EVENT_RISING_EDGE;
  }
#endif
  return count < 0 && errno == EAGAIN ? 0 : count;
}

// With version 1 a full read may hide that the kernel dropped the newest events: nothing else tells.
static inline int cgpio_may_have_lost(int count) { return CGPIO_VERSION_1 && count >= 16; }

// 1 active, 0 inactive, -1 with errno.
static inline int cgpio_value(struct cgpio_line *line) {
#if CGPIO_VERSION_1
  return gpiod_line_get_value(line->line);
#else
  enum gpiod_line_value value = gpiod_line_request_get_value(line->request, line->offset);
  return value == GPIOD_LINE_VALUE_ERROR ? -1 : value == GPIOD_LINE_VALUE_ACTIVE;
#endif
}

static inline int cgpio_set_value(struct cgpio_line *line, int is_active) {
#if CGPIO_VERSION_1
  return gpiod_line_set_value(line->line, is_active);
#else
  return gpiod_line_request_set_value(
      line->request, line->offset, is_active ? GPIOD_LINE_VALUE_ACTIVE : GPIOD_LINE_VALUE_INACTIVE);
#endif
}
