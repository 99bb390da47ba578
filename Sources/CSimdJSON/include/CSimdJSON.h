#ifndef STEPLINE_CSIMDJSON_H
#define STEPLINE_CSIMDJSON_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Parses a JSON text by simdjson into words as `Word` in SteplineJSON describes them.
///
/// The text is followed by 64 bytes that may be read. Returns the number of words, which `free` frees; or -1 for
/// whatever simdjson or this door to it doesn't take, without saying why: duplicate keys are not looked for.
long csimdjson_parse(const uint8_t *text, size_t count, size_t maximum_depth, uint64_t **words);

#ifdef __cplusplus
}
#endif

#endif
