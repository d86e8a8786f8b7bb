#pragma once
// Lines from consoles are 8-bit text. The width has to be chosen before the header.
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

// The mark of a group that took no part is the largest size_t, which is no number that Swift's Int can hold.
static inline int cpx_took_part(size_t offset) { return offset != PCRE2_UNSET; }
