#include "CSimdJSONPeer.h"

#if defined(STEPLINE_SIMDJSON) && __has_include(<simdjson.h>)

#include <simdjson.h>

long peer_simdjson_count(const char *text, size_t count) {
    simdjson::dom::parser parser;
    simdjson::dom::array array;
    // The text is copied into padded memory, as ours is.
    if (parser.parse(text, count).get(array) != simdjson::SUCCESS) return -1;
    return long(array.size());
}

#else

long peer_simdjson_count(const char *, size_t) { return -1; }

#endif
