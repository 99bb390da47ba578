#ifndef STEPLINE_CINFLATE_H
#define STEPLINE_CINFLATE_H

#include <stddef.h>

/// The part of zlib's stable binary interface that unpacks, found at run time: libcurl brings zlib along.

/// The forms of packed bytes.
typedef enum { CINFLATE_GZIP = 31, CINFLATE_ZLIB = 15, CINFLATE_RAW = -15 } cinflate_form;

/// What a call has come to.
typedef enum { CINFLATE_GOES_ON, CINFLATE_ENDED, CINFLATE_BROKEN } cinflate_state;

/// Whether zlib is there.
int cinflate_is_there(void);

/// Makes what unpacks bytes of a form; NULL if there is no memory.
void *cinflate_make(cinflate_form form);
void cinflate_free(void *inflater);

/// Begins anew, for other bytes of the same form.
void cinflate_reset(void *inflater);

/// Unpacks as much as there is room for; says how much was read and written.
cinflate_state cinflate_run(
    void *inflater, const void *in, size_t in_count, void *out, size_t out_count, size_t *read, size_t *written);

#endif
