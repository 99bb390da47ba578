#ifndef STEPLINE_CCURL_H
#define STEPLINE_CCURL_H

#include <stddef.h>
#include <stdint.h>

#include "CInflate.h"

/// The part of libcurl's stable binary interface that Stepline uses, found at run time.
///
/// Foundation's URLSession on Linux brings libcurl into the process, so nothing has to be installed or linked for it.
/// Handles are what libcurl's functions return; results of type int are its codes, 0 for success.

/// The oldest version that can be used: 7.68, the first with curl_multi_wakeup.
#define CCURL_OLDEST 0x074400

/// What looking for libcurl has come to.
typedef enum { CCURL_FOUND, CCURL_ABSENT, CCURL_TOO_OLD, CCURL_INCOMPLETE } ccurl_state;

/// Finds libcurl: at a path if one is named, else in the process or the system. To be called once, before anything else.
ccurl_state ccurl_load(const char *named);

/// The path of what was found, such as "/usr/lib/libcurl.so.4".
const char *ccurl_place(void);

/// The name of a function that what was found doesn't have.
const char *ccurl_missing(void);

/// Sets it up, after it was found; 0 if that fails. To be called once, before all that follows.
int ccurl_set_up(void);

/// Its version, such as "7.88.1".
const char *ccurl_version(void);

/// What an option is called by: the numbers never change.
typedef enum {
    CCURL_SSLVERSION = 32,
    CCURL_SSLCERT = 10025,
    CCURL_KEYPASSWD = 10026,
    CCURL_SSLCERTTYPE = 10086,
    CCURL_SSLKEY = 10087,
    CCURL_CAPATH = 10097,
    CCURL_PREREQFUNCTION = 20312,
    CCURL_PREREQDATA = 10313,
    CCURL_WRITEDATA = 10001,
    CCURL_URL = 10002,
    CCURL_READDATA = 10009,
    CCURL_ERRORBUFFER = 10010,
    CCURL_READFUNCTION = 20012,
    CCURL_WRITEFUNCTION = 20011,
    CCURL_HTTPHEADER = 10023,
    CCURL_HEADERDATA = 10029,
    CCURL_CUSTOMREQUEST = 10036,
    CCURL_NOPROGRESS = 43,
    CCURL_NOBODY = 44,
    CCURL_UPLOAD = 46,
    CCURL_CAINFO = 10065,
    CCURL_FRESH_CONNECT = 74,
    CCURL_HEADERFUNCTION = 20079,
    CCURL_BUFFERSIZE = 98,
    CCURL_NOSIGNAL = 99,
    CCURL_INFILESIZE_LARGE = 30115,
    CCURL_CONNECTTIMEOUT_MS = 156,
    CCURL_PIPEWAIT = 237,
    CCURL_SEEKFUNCTION = 20167,
    CCURL_SEEKDATA = 10168,
    CCURL_PROTOCOLS = 181,
    CCURL_REDIR_PROTOCOLS = 182,
    CCURL_SUPPRESS_CONNECT_HEADERS = 265,
    CCURL_DISALLOW_USERNAME_IN_URL = 278,
    CCURL_UPLOAD_BUFFERSIZE = 280,
    CCURL_HTTP09_ALLOWED = 285,
    CCURL_QUICK_EXIT = 322,
} ccurl_option;

// Values of options, and what callbacks return.
enum {
    CCURL_HTTP_AND_HTTPS = 3,
    CCURL_ERROR_SIZE = 256,
    CCURL_READ_ABORT = 0x10000000,
    CCURL_WRITE_PAUSE = 0x10000001,
    CCURL_SEEK_FAIL = 1,
    CCURL_SSLVERSION_TLS12 = 6,
    CCURL_SSLVERSION_TLS13 = 7,
    CCURL_INFO_SSL_VERIFYRESULT = 0x20000D,
};

/// Takes or gives bytes: `size` is 1, `count` their number.
typedef size_t (*ccurl_bytes_callback)(char *bytes, size_t size, size_t count, void *context);
typedef int (*ccurl_seek_callback)(void *context, int64_t offset, int origin);
/// Called when a request is about to be sent on its connection; 0 lets it be.
typedef int (*ccurl_begin_callback)(void *context, char *remote, char *local, int remotePort, int localPort);

// One transfer.
void *ccurl_easy_make(void);
void ccurl_easy_free(void *easy);
int ccurl_set_long(void *easy, ccurl_option option, long value);
int ccurl_set_pointer(void *easy, ccurl_option option, const void *value);
int ccurl_set_offset(void *easy, ccurl_option option, int64_t value);
int ccurl_set_bytes_callback(void *easy, ccurl_option option, ccurl_bytes_callback callback);
int ccurl_set_seek_callback(void *easy, ccurl_seek_callback callback);
int ccurl_set_begin_callback(void *easy, ccurl_begin_callback callback);
/// What was found wrong with the peer's certificate, in OpenSSL's numbers; 0 for nothing.
long ccurl_verify_result(void *easy);
/// Lets a paused transfer go on; its callbacks may be called at once.
int ccurl_go_on(void *easy);
const char *ccurl_text(int code);

/// Adds a line to a list, NULL being the empty one; NULL if there is no memory.
void *ccurl_list_add(void *list, const char *line);
void ccurl_list_free(void *list);

/// Whether libcurl reads the same host out of a URL.
int ccurl_agrees_on_host(const char *url, const char *host);

// Many transfers at once. All but `wake_up` belong to one thread.
void *ccurl_multi_make(void);
// Sets how many connections, busy and idle, are kept.
int ccurl_multi_keep(void *multi, long connections);
void ccurl_multi_free(void *multi);
int ccurl_multi_add(void *multi, void *easy);
int ccurl_multi_remove(void *multi, void *easy);
/// Does what can be done without waiting.
int ccurl_multi_perform(void *multi);
/// Waits until there is something to do.
int ccurl_multi_wait(void *multi, int milliseconds);
int ccurl_multi_wake_up(void *multi);
/// The next transfer that has ended, and how; NULL if there is none.
void *ccurl_multi_ended(void *multi, int *code);

#endif
