#ifndef STEPLINE_LIBXML2_PEER_H
#define STEPLINE_LIBXML2_PEER_H

#include <libxml/xmlversion.h>
#undef LIBXML_ICU_ENABLED
#include <libxml/HTMLparser.h>
#include <libxml/parser.h>
#include <malloc.h>
#include <string.h>
#include <sys/resource.h>

// The rivals, in C, as an experienced C programmer would call the library.

static inline void *peer_dom_parse(const char *bytes, int count) { return xmlReadMemory(bytes, count, 0, 0, 0); }

static inline void peer_dom_free(void *document) { xmlFreeDoc((xmlDocPtr)document); }

static inline void *peer_html_parse(const char *bytes, int count) {
    int options = HTML_PARSE_RECOVER | HTML_PARSE_NONET | HTML_PARSE_NOERROR | HTML_PARSE_NOWARNING;
    return htmlReadMemory(bytes, count, 0, 0, options);
}

static void peer_start(void *c, const xmlChar *l, const xmlChar *p, const xmlChar *u, int nn, const xmlChar **n,
                       int na, int nd, const xmlChar **a) {}
static void peer_end(void *c, const xmlChar *l, const xmlChar *p, const xmlChar *u) {}
static void peer_characters(void *c, const xmlChar *s, int n) {}

static inline int peer_push(const char *bytes, long count, int chunk) {
    xmlSAXHandler sax;
    memset(&sax, 0, sizeof sax);
    sax.initialized = XML_SAX2_MAGIC;
    sax.startElementNs = peer_start;
    sax.endElementNs = peer_end;
    sax.characters = peer_characters;
    sax.ignorableWhitespace = peer_characters;
    sax.cdataBlock = peer_characters;
    xmlParserCtxtPtr context = xmlCreatePushParserCtxt(&sax, 0, 0, 0, 0);
    int result = 0;
    for (long at = 0; at < count && result == 0; at += chunk) {
        result = xmlParseChunk(context, bytes + at, count - at < chunk ? (int)(count - at) : chunk, 0);
    }
    if (result == 0) result = xmlParseChunk(context, 0, 0, 1);
    xmlFreeParserCtxt(context);
    return result;
}

// The bytes that malloc has handed out, large blocks included.
static inline long peer_allocated(void) {
    struct mallinfo2 info = mallinfo2();
    return (long)(info.uordblks + info.hblkhd);
}

// The process's peak of resident memory, in KiB.
static inline long peer_resident_peak(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

#endif
