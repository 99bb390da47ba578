#ifndef STEPLINE_CYAML_H
#define STEPLINE_CYAML_H

#include <stdbool.h>
#include <stddef.h>

// The event parser of the system's own libyaml, found at run time: nothing is linked. A parser is used by one thread at
// a time. Positions count Unicode scalars from the beginning of the input.

typedef struct cyaml_parser cyaml_parser;

/// Whether libyaml 0.2 is there. The first call searches for it: the file that STEPLINE_LIBYAML names, else the system's.
/// Thread-safe.
bool cyaml_is_there(void);

typedef enum {
    CYAML_STREAM_START,
    CYAML_STREAM_END,
    CYAML_DOCUMENT_START,
    CYAML_DOCUMENT_END,
    CYAML_ALIAS,
    CYAML_SCALAR,
    CYAML_LIST_START,
    CYAML_LIST_END,
    CYAML_OBJECT_START,
    CYAML_OBJECT_END,
    /// The text isn't YAML; `cyaml_problem` describes the mistake. No event follows.
    CYAML_MISTAKE,
} cyaml_kind;

typedef enum { CYAML_PLAIN, CYAML_SINGLE_QUOTED, CYAML_DOUBLE_QUOTED, CYAML_BLOCK } cyaml_style;

/// An event; the texts belong to the parser, and are valid until the next event.
typedef struct {
    cyaml_kind kind;
    /// The positions of the first character, including the anchor and the tag, and behind the last one.
    size_t start, end;
    /// The name of an anchor or alias, and the resolved tag; null without one.
    const char *anchor, *tag;
    /// The text of a scalar in UTF-8; it may contain zero bytes.
    const char *value;
    size_t length;
    cyaml_style style;
    /// The version of a %YAML directive, such as 102 for 1.2; 0 without one.
    int version;
} cyaml_event;

/// A mistake in libyaml's words.
typedef struct {
    const char *text;
    size_t position;
    /// The construct that is incomplete, such as "while parsing a block mapping"; null without one.
    const char *context;
    size_t context_position;
} cyaml_mistake;

/// Opens a parser of UTF-8 text without control characters and byte order marks; null without memory. The bytes must
/// outlive the parser. Requires `cyaml_is_there`.
cyaml_parser *cyaml_open(const unsigned char *bytes, size_t count);
/// Parses the next event. After the end of the stream, that event is repeated.
cyaml_event cyaml_next(cyaml_parser *parser);
/// Describes a mistake; valid until the parser is closed.
cyaml_mistake cyaml_problem(const cyaml_parser *parser);
void cyaml_close(cyaml_parser *parser);

#endif
