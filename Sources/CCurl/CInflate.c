// dlsym's RTLD_DEFAULT is an extension.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "CInflate.h"

#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>

// What zlib's manual calls z_stream, Z_OK, Z_STREAM_END, Z_BUF_ERROR and Z_NO_FLUSH.
struct stream {
    const unsigned char *next_in;
    unsigned int avail_in;
    unsigned long total_in;
    unsigned char *next_out;
    unsigned int avail_out;
    unsigned long total_out;
    const char *message;
    void *state;
    void *(*allocate)(void *, unsigned int, unsigned int);
    void (*release)(void *, void *);
    void *opaque;
    int data_type;
    unsigned long adler;
    unsigned long reserved;
};

enum { ok = 0, stream_end = 1, buffer_error = -5, no_flush = 0 };

static struct {
    int (*init)(struct stream *, int, const char *, int);
    int (*run)(struct stream *, int);
    int (*reset)(struct stream *);
    int (*end)(struct stream *);
} zlib;

static int is_there;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
    void *library = dlsym(RTLD_DEFAULT, "inflateInit2_") ? RTLD_DEFAULT : dlopen("libz.so.1", RTLD_NOW | RTLD_LOCAL);
    *(void **)&zlib.init = dlsym(library, "inflateInit2_");
    *(void **)&zlib.run = dlsym(library, "inflate");
    *(void **)&zlib.reset = dlsym(library, "inflateReset");
    *(void **)&zlib.end = dlsym(library, "inflateEnd");
    is_there = zlib.init && zlib.run && zlib.reset && zlib.end;
}

int cinflate_is_there(void) {
    pthread_once(&once, load);
    return is_there;
}

void *cinflate_make(cinflate_form form) {
    struct stream *stream = cinflate_is_there() ? calloc(1, sizeof *stream) : NULL;
    if (stream && zlib.init(stream, form, "1.2.0", sizeof *stream) != ok) {
        free(stream);
        return NULL;
    }
    return stream;
}

void cinflate_free(void *inflater) {
    if (!inflater) return;
    zlib.end(inflater);
    free(inflater);
}

void cinflate_reset(void *inflater) { zlib.reset(inflater); }

cinflate_state cinflate_run(
    void *inflater, const void *in, size_t in_count, void *out, size_t out_count, size_t *read, size_t *written) {
    struct stream *stream = inflater;
    unsigned int most_in = in_count > INT_MAX ? INT_MAX : (unsigned int)in_count;
    unsigned int most_out = out_count > INT_MAX ? INT_MAX : (unsigned int)out_count;
    stream->next_in = in;
    stream->avail_in = most_in;
    stream->next_out = out;
    stream->avail_out = most_out;
    int result = zlib.run(stream, no_flush);
    *read = most_in - stream->avail_in;
    *written = most_out - stream->avail_out;
    if (result == stream_end) return CINFLATE_ENDED;
    return result == ok || result == buffer_error ? CINFLATE_GOES_ON : CINFLATE_BROKEN;
}
