#include "CSimdJSON.h"

// The trait that switches simdjson on defines the first; without the library the door is there, but shut.
#if defined(STEPLINE_SIMDJSON) && __has_include(<simdjson.h>)

#include <simdjson.h>
#include <stdlib.h>
#include <string.h>

namespace {

enum Kind : uint64_t { null_value, no, yes, integer, real, text, escaped_text, array, object };

inline uint64_t word(Kind kind, uint64_t upper, uint64_t lower) { return uint64_t(kind) << 60 | upper << 30 | lower; }

inline bool is_digit(uint8_t byte) { return uint8_t(byte - '0') < 10; }

inline bool is_space(uint8_t byte) { return byte == ' ' || byte == '\n' || byte == '\r' || byte == '\t'; }

/// Walks the places at which simdjson's first stage has found tokens, and writes a word for each value and key.
///
/// The first stage has checked UTF-8, that texts are closed, and that no control character stands in one.
class Filler {
public:
    Filler(const uint8_t *source, const uint32_t *places, size_t count, size_t maximum_depth, uint64_t *words)
        : source(source), places(places), count(count), maximum_depth(maximum_depth), words(words) {}

    /// The number of words; -1 if the text is malformed or too deep.
    long run() {
        if (!value()) return -1;
        while (depth > 0) {
            if (next >= count) return -1;
            uint8_t byte = source[places[next++]];
            if (byte == ',') {
                if (!(in_object ? member() : value())) return -1;
            } else if (byte == (in_object ? '}' : ']')) {
                close();
            } else {
                return -1;
            }
        }
        return next == count ? long(used) : -1;
    }

private:
    const uint8_t *source;
    const uint32_t *places;
    size_t count, maximum_depth;
    uint64_t *words;
    size_t next = 0, used = 0, depth = 0;
    size_t open = 0;     // the header of the innermost open container: its kind, the header around it, its members
    size_t members = 0;  // of the innermost, so far
    bool in_object = false;

    /// Where the token that begins at a place ends, white space behind it left out.
    uint32_t end_of_token(size_t token) const {
        uint32_t end = places[token + 1];
        while (is_space(source[end - 1])) end--;
        return end;
    }

    /// Reads a value, and as far into it as its first scalar or empty container.
    bool value() {
        while (true) {
            if (next >= count) return false;
            uint32_t place = places[next];
            uint8_t byte = source[place];
            if (byte == '"') return read_text() && ended();
            if (byte == '{' || byte == '[') {
                bool is_object = byte == '{';
                if (depth == maximum_depth) return false;
                next++;
                if (next < count && source[places[next]] == (is_object ? '}' : ']')) {
                    next++;
                    words[used++] = word(is_object ? object : array, 1, 0);
                    return ended();
                }
                if (depth > 0) words[open] = word(in_object ? object : array, words[open] >> 30 & mask, members);
                words[used] = word(is_object ? object : array, open, 0);
                open = used++;
                depth++;
                members = 0;
                in_object = is_object;
                if (is_object && !key()) return false;
                continue;
            }
            return scalar(place, byte) && ended();
        }
    }

    static constexpr uint64_t mask = (1 << 30) - 1;

    bool ended() {
        members++;
        return true;
    }

    bool member() { return key() && value(); }

    bool key() {
        if (next + 1 >= count || source[places[next]] != '"' || source[places[next + 1]] != ':') return false;
        if (!read_text()) return false;
        next++;
        return true;
    }

    void close() {
        size_t outer = words[open] >> 30 & mask;
        words[open] = word(in_object ? object : array, used - open, members);
        depth--;
        open = outer;
        if (depth == 0) return;
        in_object = words[open] >> 60 == object;
        members = (words[open] & mask) + 1;
    }

    bool read_text() {
        uint32_t start = places[next] + 1, end = end_of_token(next);
        next++;
        if (end <= start || source[end - 1] != '"') return false;
        size_t length = end - 1 - start;
        const void *slash = memchr(source + start, '\\', length);
        if (slash && !escapes_are_valid(static_cast<const uint8_t *>(slash), source + start + length)) return false;
        words[used++] = word(slash ? escaped_text : text, length, start);
        return true;
    }

    static int hex(const uint8_t *digits, const uint8_t *end) {
        int value = 0;
        for (int index = 0; index < 4; index++) {
            if (digits + index >= end) return -1;
            uint8_t byte = digits[index], lower = byte | 0x20;
            if (is_digit(byte)) value = value << 4 | (byte - '0');
            else if (lower >= 'a' && lower <= 'f') value = value << 4 | (lower - 'a' + 10);
            else return -1;
        }
        return value;
    }

    /// From the first backslash on: only escapes that JSON has, and surrogates in pairs.
    static bool escapes_are_valid(const uint8_t *at, const uint8_t *end) {
        while (at < end) {
            if (*at != '\\') { at++; continue; }
            if (at + 1 >= end) return false;
            if (at[1] != 'u') {
                if (!strchr("\"\\/bfnrt", at[1]) || at[1] == 0) return false;
                at += 2;
                continue;
            }
            int unit = hex(at + 2, end);
            if (unit < 0 || unit >> 10 == 0x37) return false;
            at += 6;
            if (unit >> 10 != 0x36) continue;
            if (end - at < 6 || at[0] != '\\' || at[1] != 'u' || hex(at + 2, end) >> 10 != 0x37) return false;
            at += 6;
        }
        return true;
    }

    bool scalar(uint32_t place, uint8_t byte) {
        uint32_t end = end_of_token(next);
        next++;
        const uint8_t *start = source + place;
        size_t length = end - place;
        if (byte == '-' || is_digit(byte)) return number(start, source + end, place);
        if (length == 4 && memcmp(start, "true", 4) == 0) words[used++] = word(yes, 0, place);
        else if (length == 4 && memcmp(start, "null", 4) == 0) words[used++] = word(null_value, 0, place);
        else if (length == 5 && memcmp(start, "false", 5) == 0) words[used++] = word(no, 0, place);
        else return false;
        return true;
    }

    bool number(const uint8_t *start, const uint8_t *end, uint32_t place) {
        const uint8_t *at = start + (*start == '-');
        if (at == end || !is_digit(*at)) return false;
        if (*at == '0') at++;
        else at = digits(at, end);
        bool is_integer = at == end;
        if (at < end && *at == '.') {
            const uint8_t *fraction = at + 1;
            at = digits(fraction, end);
            if (at == fraction) return false;
        }
        if (at < end && (*at | 0x20) == 'e') {
            at++;
            if (at < end && (*at == '+' || *at == '-')) at++;
            const uint8_t *exponent = at;
            at = digits(exponent, end);
            if (at == exponent) return false;
        }
        if (at != end) return false;
        words[used++] = word(is_integer ? integer : real, end - start, place);
        return true;
    }

    static const uint8_t *digits(const uint8_t *at, const uint8_t *end) {
        while (at < end && is_digit(*at)) at++;
        return at;
    }
};

/// Small documents share a parser on each thread, so that they don't pay for a new one.
constexpr size_t shared_capacity = 64 << 10;

long parse(simdjson::dom::parser &parser, const uint8_t *text, size_t count, size_t maximum_depth, uint64_t **words) {
    auto &stages = *parser.implementation;
    if (stages.stage1(text, count, simdjson::stage1_mode::regular) != simdjson::SUCCESS) return -1;
    size_t tokens = stages.n_structural_indexes;
    auto *block = static_cast<uint64_t *>(malloc((tokens + 1) * sizeof(uint64_t)));
    if (!block) return -1;
    long used = Filler(text, stages.structural_indexes.get(), tokens, maximum_depth, block).run();
    if (used < 1) {
        free(block);
        return -1;
    }
    void *cut = realloc(block, used * sizeof(uint64_t));
    *words = cut ? static_cast<uint64_t *>(cut) : block;
    return used;
}

}  // namespace

long csimdjson_parse(const uint8_t *text, size_t count, size_t maximum_depth, uint64_t **words) {
    if (count <= shared_capacity) {
        thread_local simdjson::dom::parser shared;
        if (shared.capacity() == 0 && shared.allocate(shared_capacity) != simdjson::SUCCESS) return -1;
        return parse(shared, text, count, maximum_depth, words);
    }
    simdjson::dom::parser own;
    if (own.allocate(count) != simdjson::SUCCESS) return -1;
    return parse(own, text, count, maximum_depth, words);
}

#else

long csimdjson_parse(const uint8_t *, size_t, size_t, uint64_t **) { return -1; }

#endif
