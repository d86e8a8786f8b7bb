#pragma once
// Glibc's Swift module leaves these headers out.
#define _GNU_SOURCE 1
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <sys/signalfd.h>
#include <sys/prctl.h>
#include <sys/timex.h>
#include <sys/file.h>
