#include "CSimdJSONPeer.h"

#if defined(STEPLINE_SIMDJSON) && __has_include(<simdjson.h>)

#include <cmath>
#include <simdjson.h>
#include <string_view>

long peer_simdjson_count(const char *text, size_t count) {
    simdjson::dom::parser parser;
    simdjson::dom::array array;
    // The text is copied into padded memory, as ours is.
    if (parser.parse(text, count).get(array) != simdjson::SUCCESS) return -1;
    return long(array.size());
}

long peer_simdjson_parse(const char *text, size_t count) {
    simdjson::dom::parser parser;
    simdjson::dom::element top;
    return parser.parse(text, count).get(top) == simdjson::SUCCESS ? 1 : -1;
}

static double total(simdjson::dom::element value) {
    namespace dom = simdjson::dom;
    double sum = 0;
    switch (value.type()) {
    case dom::element_type::ARRAY:
        for (dom::element child : dom::array(value)) sum += total(child);
        return sum;
    case dom::element_type::OBJECT:
        for (dom::key_value_pair member : dom::object(value)) sum += double(member.key.size()) + total(member.value);
        return sum;
    case dom::element_type::STRING: return double(std::string_view(value).size());
    case dom::element_type::INT64: return std::abs(double(int64_t(value)));
    case dom::element_type::UINT64: return double(uint64_t(value));
    case dom::element_type::DOUBLE: return std::abs(double(value));
    case dom::element_type::BOOL: return bool(value) ? 1 : 0;
    default: return 0;
    }
}

double peer_simdjson_walk(const char *text, size_t count) {
    simdjson::dom::parser parser;
    simdjson::dom::element top;
    return parser.parse(text, count).get(top) == simdjson::SUCCESS ? total(top) : -1;
}

#else

long peer_simdjson_count(const char *, size_t) { return -1; }
long peer_simdjson_parse(const char *, size_t) { return -1; }
double peer_simdjson_walk(const char *, size_t) { return -1; }

#endif
