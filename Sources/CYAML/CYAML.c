#include "CYAML.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

// Where the header is installed, the declarations below are compared with it.
#if __has_include(<yaml.h>)
#include <yaml.h>
#define HAS_HEADER 1
#endif

// The types of events, errors and styles that are used, by their numbers in libyaml 0.2.
enum {
    event_stream_start = 1, event_stream_end = 2, event_document_start = 3, event_document_end = 4, event_alias = 5,
    event_scalar = 6, event_list_start = 7, event_list_end = 8, event_object_start = 9, event_object_end = 10,
};
enum { error_memory = 1 };
enum { style_single_quoted = 2, style_double_quoted = 3, style_literal = 4, style_folded = 5 };
enum { encoding_utf8 = 1 };

struct mark {
    size_t index, line, column;
};

struct event {
    int type;
    union {
        struct {
            struct {
                int major, minor;
            } *version;
            void *first_tag, *last_tag;
            int implicit;
        } document;
        struct {
            char *anchor;
        } alias;
        struct {
            char *anchor, *tag, *value;
            size_t length;
            int plain_implicit, quoted_implicit, style;
        } scalar;
        // A list or an object.
        struct {
            char *anchor, *tag;
            int implicit, style;
        } collection;
    } data;
    struct mark start, end;
};

// The first fields of libyaml's parser; the rest is private. The space is twice the size of version 0.2.5.
struct parser {
    int error;
    const char *problem;
    size_t problem_offset;
    int problem_value;
    struct mark problem_mark;
    const char *context;
    struct mark context_mark;
    char rest[1024];
};

#ifdef HAS_HEADER
#define SAME(ours, theirs, field, other) (offsetof(ours, field) == offsetof(theirs, other))
_Static_assert(sizeof(struct event) == sizeof(yaml_event_t), "");
_Static_assert(SAME(struct event, yaml_event_t, data.document.version, data.document_start.version_directive), "");
_Static_assert(SAME(struct event, yaml_event_t, data.alias.anchor, data.alias.anchor), "");
_Static_assert(SAME(struct event, yaml_event_t, data.scalar.anchor, data.scalar.anchor), "");
_Static_assert(SAME(struct event, yaml_event_t, data.scalar.tag, data.scalar.tag), "");
_Static_assert(SAME(struct event, yaml_event_t, data.scalar.value, data.scalar.value), "");
_Static_assert(SAME(struct event, yaml_event_t, data.scalar.length, data.scalar.length), "");
_Static_assert(SAME(struct event, yaml_event_t, data.scalar.style, data.scalar.style), "");
_Static_assert(SAME(struct event, yaml_event_t, data.collection.tag, data.sequence_start.tag), "");
_Static_assert(SAME(struct event, yaml_event_t, data.collection.tag, data.mapping_start.tag), "");
_Static_assert(SAME(struct event, yaml_event_t, start, start_mark) && SAME(struct event, yaml_event_t, end, end_mark), "");
_Static_assert(sizeof(struct parser) >= sizeof(yaml_parser_t), "");
_Static_assert(SAME(struct parser, yaml_parser_t, problem, problem), "");
_Static_assert(SAME(struct parser, yaml_parser_t, problem_offset, problem_offset), "");
_Static_assert(SAME(struct parser, yaml_parser_t, problem_mark, problem_mark), "");
_Static_assert(SAME(struct parser, yaml_parser_t, context, context), "");
_Static_assert(SAME(struct parser, yaml_parser_t, context_mark, context_mark), "");
_Static_assert(event_stream_start == (int)YAML_STREAM_START_EVENT && event_alias == (int)YAML_ALIAS_EVENT, "");
_Static_assert(event_scalar == (int)YAML_SCALAR_EVENT && event_object_end == (int)YAML_MAPPING_END_EVENT, "");
_Static_assert(error_memory == (int)YAML_MEMORY_ERROR, "");
_Static_assert(style_single_quoted == (int)YAML_SINGLE_QUOTED_SCALAR_STYLE, "");
_Static_assert(style_literal == (int)YAML_LITERAL_SCALAR_STYLE && style_folded == (int)YAML_FOLDED_SCALAR_STYLE, "");
_Static_assert(encoding_utf8 == (int)YAML_UTF8_ENCODING, "");
#endif

static struct {
    void (*version)(int *, int *, int *);
    int (*initialize)(struct parser *);
    void (*delete)(struct parser *);
    void (*set_input)(struct parser *, const unsigned char *, size_t);
    void (*set_encoding)(struct parser *, int);
    int (*parse)(struct parser *, struct event *);
    void (*delete_event)(struct event *);
} yaml;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool is_there;

static void load(void) {
    static const char *const places[] = {
        "libyaml-0.so.2", "libyaml-0.2.dylib", "/opt/homebrew/opt/libyaml/lib/libyaml-0.2.dylib",
        "/usr/local/opt/libyaml/lib/libyaml-0.2.dylib",
    };
    const char *named = getenv("STEPLINE_LIBYAML");
    void *library = named ? dlopen(named, RTLD_NOW | RTLD_LOCAL) : NULL;
    for (size_t place = 0; !named && !library && place < sizeof places / sizeof *places; place++)
        library = dlopen(places[place], RTLD_NOW | RTLD_LOCAL);
    if (!library) return;
    const struct {
        void *function;
        const char *name;
    } wanted[] = {
        {&yaml.version, "yaml_get_version"},
        {&yaml.initialize, "yaml_parser_initialize"},
        {&yaml.delete, "yaml_parser_delete"},
        {&yaml.set_input, "yaml_parser_set_input_string"},
        {&yaml.set_encoding, "yaml_parser_set_encoding"},
        {&yaml.parse, "yaml_parser_parse"},
        {&yaml.delete_event, "yaml_event_delete"},
    };
    for (size_t place = 0; place < sizeof wanted / sizeof *wanted; place++) {
        void *found = dlsym(library, wanted[place].name);
        if (!found) return;
        memcpy(wanted[place].function, &found, sizeof found);
    }
    int major = 0, minor = 0, patch = 0;
    yaml.version(&major, &minor, &patch);
    // The layouts above are those of 0.2.
    is_there = major == 0 && minor == 2;
}

bool cyaml_is_there(void) {
    pthread_once(&once, load);
    return is_there;
}

struct cyaml_parser {
    struct parser parser;
    struct event event;
    bool has_event, has_ended;
};

cyaml_parser *cyaml_open(const unsigned char *bytes, size_t count) {
    cyaml_parser *parser = calloc(1, sizeof *parser);
    if (!parser) return NULL;
    if (!yaml.initialize(&parser->parser)) {
        free(parser);
        return NULL;
    }
    yaml.set_encoding(&parser->parser, encoding_utf8);
    yaml.set_input(&parser->parser, bytes, count);
    return parser;
}

static void release_event(cyaml_parser *parser) {
    if (parser->has_event) yaml.delete_event(&parser->event);
    parser->has_event = false;
}

void cyaml_close(cyaml_parser *parser) {
    release_event(parser);
    yaml.delete(&parser->parser);
    free(parser);
}

cyaml_event cyaml_next(cyaml_parser *parser) {
    cyaml_event result = {.kind = CYAML_STREAM_END};
    release_event(parser);
    if (parser->has_ended) return result;
    memset(&parser->event, 0, sizeof parser->event);
    if (!yaml.parse(&parser->parser, &parser->event)) {
        result.kind = CYAML_MISTAKE;
        return result;
    }
    parser->has_event = true;
    const struct event *event = &parser->event;
    result.start = event->start.index;
    result.end = event->end.index;
    switch (event->type) {
    case event_stream_start: result.kind = CYAML_STREAM_START; break;
    case event_document_start:
        result.kind = CYAML_DOCUMENT_START;
        if (event->data.document.version)
            result.version = event->data.document.version->major * 100 + event->data.document.version->minor;
        break;
    case event_document_end: result.kind = CYAML_DOCUMENT_END; break;
    case event_alias:
        result.kind = CYAML_ALIAS;
        result.anchor = event->data.alias.anchor;
        break;
    case event_scalar:
        result.kind = CYAML_SCALAR;
        result.anchor = event->data.scalar.anchor;
        result.tag = event->data.scalar.tag;
        result.value = event->data.scalar.value;
        result.length = event->data.scalar.length;
        switch (event->data.scalar.style) {
        case style_single_quoted: result.style = CYAML_SINGLE_QUOTED; break;
        case style_double_quoted: result.style = CYAML_DOUBLE_QUOTED; break;
        case style_literal:
        case style_folded: result.style = CYAML_BLOCK; break;
        default: result.style = CYAML_PLAIN;
        }
        break;
    case event_list_start:
    case event_object_start:
        result.kind = event->type == event_list_start ? CYAML_LIST_START : CYAML_OBJECT_START;
        result.anchor = event->data.collection.anchor;
        result.tag = event->data.collection.tag;
        break;
    case event_list_end: result.kind = CYAML_LIST_END; break;
    case event_object_end: result.kind = CYAML_OBJECT_END; break;
    default: parser->has_ended = true;
    }
    return result;
}

cyaml_mistake cyaml_problem(const cyaml_parser *parser) {
    const struct parser *inner = &parser->parser;
    // Only malformed characters leave the position at 0.
    cyaml_mistake result = {
        .text = inner->problem ? inner->problem : inner->error == error_memory ? "out of memory" : "malformed",
        .position = inner->problem_mark.index,
        .context = inner->context,
        .context_position = inner->context_mark.index,
    };
    return result;
}
