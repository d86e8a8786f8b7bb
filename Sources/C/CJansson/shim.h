#pragma once
#include <jansson.h>

// `json_error_code` is inline in the library's header under a name that Swift takes for the enum of the same name.
static inline int cjansson_error_code(const json_error_t *error) { return (int)json_error_code(error); }

// The reference count is compared and stepped by compiler builtins inside a macro.
static inline void cjansson_release(json_t *value) { json_decref(value); }
