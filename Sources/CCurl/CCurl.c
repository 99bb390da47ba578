// dlsym's RTLD_DEFAULT is an extension.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "CCurl.h"

#include <arpa/inet.h>
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

// What libcurl's manual calls CURL_GLOBAL_ALL, CURLVERSION_NOW of version 7.10, CURLMSG_DONE,
// CURLUPART_URL, CURLUPART_HOST, CURLMOPT_MAXCONNECTS and CURLMOPT_MAX_CONCURRENT_STREAMS.
enum { global_all = 3, version_first = 0, message_done = 1 };
enum { part_url = 0, part_host = 5 };
enum { multi_max_connects = 6, multi_streams = 16 };
enum { oldest = CCURL_OLDEST };

struct version {
    int age;
    const char *text;
    unsigned int number;
    const char *host;
    int features;
};

struct message {
    int kind;
    void *easy;
    union {
        void *whatever;
        int code;
    } data;
};

static struct {
    int (*global_init)(long);
    struct version *(*version_info)(int);
    void *(*easy_init)(void);
    void (*easy_cleanup)(void *);
    int (*easy_setopt)(void *, int, ...);
    int (*easy_getinfo)(void *, int, ...);
    int (*easy_pause)(void *, int);
    const char *(*easy_strerror)(int);
    void *(*slist_append)(void *, const char *);
    void (*slist_free_all)(void *);
    void *(*url)(void);
    void (*url_cleanup)(void *);
    int (*url_set)(void *, int, const char *, unsigned int);
    int (*url_get)(void *, int, char **, unsigned int);
    void (*free)(void *);
    void *(*multi_init)(void);
    int (*multi_cleanup)(void *);
    int (*multi_setopt)(void *, int, ...);
    int (*multi_add_handle)(void *, void *);
    int (*multi_remove_handle)(void *, void *);
    int (*multi_perform)(void *, int *);
    int (*multi_poll)(void *, void *, unsigned int, int, int *);
    int (*multi_wakeup)(void *);
    struct message *(*multi_info_read)(void *, int *);
} curl;

static struct version *version;
static const char *missing;
static const char *place = "";

// The process's own libcurl if it has one, which Foundation brings along; else the system's. Only one is ever looked
// into: functions of two would not know each other's handles.
static void *open_library(const char *named) {
    if (named) return dlopen(named, RTLD_NOW | RTLD_LOCAL);
    if (dlsym(RTLD_DEFAULT, "curl_version_info")) return RTLD_DEFAULT;
    void *found = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
    return found ? found : dlopen("libcurl-gnutls.so.4", RTLD_NOW | RTLD_LOCAL);
}

ccurl_state ccurl_load(const char *named) {
    Dl_info info;
    void *library = open_library(named);
    // RTLD_DEFAULT is a null pointer.
    if (!library && (named || !dlsym(RTLD_DEFAULT, "curl_version_info"))) return CCURL_ABSENT;
    curl.version_info = (struct version * (*)(int)) dlsym(library, "curl_version_info");
    if (!curl.version_info) return CCURL_ABSENT;
    if (dladdr((void *)curl.version_info, &info) && info.dli_fname) place = info.dli_fname;
    version = curl.version_info(version_first);
    if (!version || version->number < oldest) return CCURL_TOO_OLD;
#define FIND(member) \
    if (!(*(void **)&curl.member = dlsym(library, "curl_" #member))) missing = "curl_" #member
    FIND(global_init);
    FIND(easy_init);
    FIND(easy_cleanup);
    FIND(easy_setopt);
    FIND(easy_getinfo);
    FIND(easy_pause);
    FIND(easy_strerror);
    FIND(slist_append);
    FIND(slist_free_all);
    FIND(url);
    FIND(url_cleanup);
    FIND(url_set);
    FIND(url_get);
    FIND(free);
    FIND(multi_init);
    FIND(multi_cleanup);
    FIND(multi_setopt);
    FIND(multi_add_handle);
    FIND(multi_remove_handle);
    FIND(multi_perform);
    FIND(multi_poll);
    FIND(multi_wakeup);
    FIND(multi_info_read);
#undef FIND
    return missing ? CCURL_INCOMPLETE : CCURL_FOUND;
}

const char *ccurl_place(void) { return place; }
const char *ccurl_missing(void) { return missing ? missing : ""; }

int ccurl_set_up(void) { return curl.global_init(global_all) == 0; }

const char *ccurl_version(void) { return version ? version->text : ""; }

void *ccurl_easy_make(void) { return curl.easy_init(); }
void ccurl_easy_free(void *easy) { curl.easy_cleanup(easy); }

int ccurl_set_long(void *easy, ccurl_option option, long value) { return curl.easy_setopt(easy, option, value); }

int ccurl_set_pointer(void *easy, ccurl_option option, const void *value) {
    return curl.easy_setopt(easy, option, value);
}

int ccurl_set_offset(void *easy, ccurl_option option, int64_t value) {
    return curl.easy_setopt(easy, option, value);
}

int ccurl_set_bytes_callback(void *easy, ccurl_option option, ccurl_bytes_callback callback) {
    return curl.easy_setopt(easy, option, callback);
}

int ccurl_set_seek_callback(void *easy, ccurl_seek_callback callback) {
    return curl.easy_setopt(easy, CCURL_SEEKFUNCTION, callback);
}

int ccurl_set_begin_callback(void *easy, ccurl_begin_callback callback) {
    return curl.easy_setopt(easy, CCURL_PREREQFUNCTION, callback);
}

long ccurl_verify_result(void *easy) {
    long result = 0;
    return curl.easy_getinfo(easy, CCURL_INFO_SSL_VERIFYRESULT, &result) == 0 ? result : 0;
}

int ccurl_go_on(void *easy) { return curl.easy_pause(easy, 0); }
const char *ccurl_text(int code) { return curl.easy_strerror(code); }

void *ccurl_list_add(void *list, const char *line) { return curl.slist_append(list, line); }
void ccurl_list_free(void *list) { curl.slist_free_all(list); }

// Whether two hosts are the same number, however it is spelled.
static int is_same_address(const char *one, const char *other) {
    struct in6_addr long_one, long_other;
    struct in_addr short_one, short_other;
    if (inet_pton(AF_INET6, one, &long_one) == 1 && inet_pton(AF_INET6, other, &long_other) == 1)
        return memcmp(&long_one, &long_other, sizeof long_one) == 0;
    // Unlike inet_pton it knows all the spellings that browsers and resolvers know.
    return inet_aton(one, &short_one) && inet_aton(other, &short_other) && short_one.s_addr == short_other.s_addr;
}

int ccurl_agrees_on_host(const char *url, const char *host) {
    void *parts = curl.url();
    char *found = NULL, *own = strdup(host);
    int agrees = 0;
    if (parts && own && curl.url_set(parts, part_url, url, 0) == 0 && curl.url_get(parts, part_host, &found, 0) == 0
        && found) {
        size_t length = strlen(found);
        char *bare = found, *zone;
        if (length > 1 && found[0] == '[' && found[length - 1] == ']') {
            bare = found + 1;
            found[length - 1] = 0;
            // libcurl keeps the zone of an address elsewhere.
            if ((zone = strchr(own, '%'))) *zone = 0;
        }
        agrees = strcasecmp(bare, own) == 0 || is_same_address(bare, own);
    }
    curl.free(found);
    if (parts) curl.url_cleanup(parts);
    free(own);
    return agrees;
}

void *ccurl_multi_make(void) {
    void *multi = curl.multi_init();
    // The default is 100 streams of a connection; servers set limits of their own.
    if (multi) curl.multi_setopt(multi, multi_streams, 1000L);
    return multi;
}
int ccurl_multi_keep(void *multi, long connections) {
    return curl.multi_setopt(multi, multi_max_connects, connections);
}
void ccurl_multi_free(void *multi) { curl.multi_cleanup(multi); }

int ccurl_multi_add(void *multi, void *easy) { return curl.multi_add_handle(multi, easy); }
int ccurl_multi_remove(void *multi, void *easy) { return curl.multi_remove_handle(multi, easy); }

int ccurl_multi_perform(void *multi) {
    int running = 0;
    return curl.multi_perform(multi, &running);
}

int ccurl_multi_wait(void *multi, int milliseconds) {
    return curl.multi_poll(multi, NULL, 0, milliseconds, NULL);
}

int ccurl_multi_wake_up(void *multi) { return curl.multi_wakeup(multi); }

void *ccurl_multi_ended(void *multi, int *code) {
    int left = 0;
    struct message *message;
    while ((message = curl.multi_info_read(multi, &left))) {
        if (message->kind == message_done) {
            *code = message->data.code;
            return message->easy;
        }
    }
    return NULL;
}
