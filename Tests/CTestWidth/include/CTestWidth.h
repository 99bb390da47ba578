#pragma once

#include <stddef.h>

// The bytes that malloc has handed out and that aren't freed; 0 where the system doesn't tell.
size_t test_bytes_in_use(void);
