#ifndef STEPLINE_SIMDJSON_PEER_H
#define STEPLINE_SIMDJSON_PEER_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Parses by simdjson's own document model, as its users do; the number of the top array's elements, -1 if it fails.
long peer_simdjson_count(const char *text, size_t count);

/// Parses any document; 1, or -1 if it fails.
long peer_simdjson_parse(const char *text, size_t count);

/// Parses, and adds up all numbers and the lengths of all strings and keys; -1 if it fails.
double peer_simdjson_walk(const char *text, size_t count);

#ifdef __cplusplus
}
#endif

#endif
