#ifndef STEPLINE_CLIBXML2_SHIM_H
#define STEPLINE_CLIBXML2_SHIM_H

// libxml2's headers pull in the system's ICU, which clashes with the one inside Foundation.
#include <libxml/xmlversion.h>
#undef LIBXML_ICU_ENABLED

#include <libxml/HTMLparser.h>
#include <libxml/SAX2.h>
#include <libxml/encoding.h>
#include <libxml/entities.h>
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/tree.h>
#include <libxml/xmlerror.h>
#include <libxml/xmlmemory.h>
#include <libxml/xpath.h>
#include <libxml/xpathInternals.h>

// The report that an error handler receives; const since libxml2 2.12.
#if LIBXML_VERSION >= 21200
typedef const xmlError *stepline_xml_report;
#else
typedef xmlError *stepline_xml_report;
#endif

// `xmlFree` is a mutable global function pointer, which Swift 6 refuses to read.
static inline void stepline_xml_free(void *pointer) { xmlFree(pointer); }

// A variadic callback can't be written in Swift.
static inline void stepline_xml_no_message(void *context, const char *format, ...) {
    (void)context;
    (void)format;
}

// The error hooks of the calling thread; libxml2 keeps them per thread.
typedef struct {
    xmlStructuredErrorFunc structured;
    void *structuredContext;
    xmlGenericErrorFunc generic;
    void *genericContext;
} stepline_xml_hooks;

static inline stepline_xml_hooks stepline_xml_silence(xmlStructuredErrorFunc handler, void *context) {
    stepline_xml_hooks old = {xmlStructuredError, xmlStructuredErrorContext, xmlGenericError,
                              xmlGenericErrorContext};
    xmlSetStructuredErrorFunc(context, handler);
    xmlSetGenericErrorFunc(0, stepline_xml_no_message);
    return old;
}

static inline void stepline_xml_restore(stepline_xml_hooks old) {
    xmlSetStructuredErrorFunc(old.structuredContext, old.structured);
    xmlSetGenericErrorFunc(old.genericContext, old.generic);
}

#endif
