#pragma once

#include <stddef.h>
#include <stdint.h>

// libFuzzer has no header of its own for starting from a main that is not its own, which SwiftPM always makes.
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*callback)(const uint8_t *data, size_t size));
