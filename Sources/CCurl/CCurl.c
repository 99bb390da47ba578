// dlsym's RTLD_DEFAULT is an extension.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "CCurl.h"

#include <dlfcn.h>
#include <string.h>
#include <strings.h>

// What libcurl's manual calls CURL_GLOBAL_ALL, CURLVERSION_NOW of version 7.10, CURL_VERSION_THREADSAFE, CURLMSG_DONE,
// CURLUPART_URL and CURLUPART_HOST.
enum { global_all = 3, version_first = 0, feature_threadsafe = 1 << 30, message_done = 1 };
enum { part_url = 0, part_host = 5 };
enum { oldest = 0x074400 };  // 7.68, the first with curl_multi_wakeup

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

static void *find(void *library, const char *name) {
    void *found = dlsym(RTLD_DEFAULT, name);
    return found || !library ? found : dlsym(library, name);
}

int ccurl_load(void) {
    void *library = dlsym(RTLD_DEFAULT, "curl_multi_poll") ? NULL : dlopen("libcurl.so.4", RTLD_NOW);
    int found = 1;
#define FIND(member) \
    found = (*(void **)&curl.member = find(library, "curl_" #member)) != NULL && found
    FIND(global_init);
    FIND(version_info);
    FIND(easy_init);
    FIND(easy_cleanup);
    FIND(easy_setopt);
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
    if (!found) return 0;
    version = curl.version_info(version_first);
    return version && version->number >= oldest;
}

int ccurl_set_up(void) { return curl.global_init(global_all) == 0; }

const char *ccurl_version(void) { return version ? version->text : ""; }
int ccurl_is_threadsafe(void) { return version && (version->features & feature_threadsafe); }

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

int ccurl_go_on(void *easy) { return curl.easy_pause(easy, 0); }
const char *ccurl_text(int code) { return curl.easy_strerror(code); }

void *ccurl_list_add(void *list, const char *line) { return curl.slist_append(list, line); }
void ccurl_list_free(void *list) { curl.slist_free_all(list); }

int ccurl_agrees_on_host(const char *url, const char *host) {
    void *parts = curl.url();
    char *found = NULL;
    int agrees = 0;
    if (!parts) return 0;
    if (curl.url_set(parts, part_url, url, 0) == 0 && curl.url_get(parts, part_host, &found, 0) == 0 && found) {
        size_t length = strlen(found);
        int isBracketed = length > 1 && found[0] == '[' && found[length - 1] == ']';
        const char *bare = isBracketed ? found + 1 : found;
        if (isBracketed) length -= 2;
        agrees = strlen(host) == length && strncasecmp(bare, host, length) == 0;
    }
    curl.free(found);
    curl.url_cleanup(parts);
    return agrees;
}

void *ccurl_multi_make(void) { return curl.multi_init(); }
void ccurl_multi_free(void *multi) { curl.multi_cleanup(multi); }

int ccurl_multi_set_long(void *multi, ccurl_multi_option option, long value) {
    return curl.multi_setopt(multi, option, value);
}

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
