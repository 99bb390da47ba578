#include "CPostgreSQL.h"

#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// Where the header is there, it is held against what is said of it below.
#if __has_include(<postgresql/libpq-fe.h>)
#include <postgresql/libpq-fe.h>
#define HAS_HEADER 1
#elif __has_include(<libpq-fe.h>)
#include <libpq-fe.h>
#define HAS_HEADER 1
#endif

// What libpq's manual calls CONNECTION_OK, PGRES_POLLING_FAILED and its neighbours, PGRES_EMPTY_QUERY and its neighbours,
// PQERRORS_DEFAULT and PQERRORS_VERBOSE, PQTRANS_IDLE, PG_DIAG_SQLSTATE and PG_DIAG_MESSAGE_PRIMARY.
enum { status_ok = 0 };
enum { polling_failed = 0, polling_reading = 1, polling_writing = 2, polling_ok = 3 };
enum { answer_empty = 0, answer_command = 1, answer_rows = 2, answer_copy_first = 3, answer_copy_last = 4, answer_copy_both = 8 };
enum { errors_default = 1, errors_verbose = 2 };
enum { transaction_idle = 0 };
enum { field_code = 'C', field_message = 'M' };

#ifdef HAS_HEADER
_Static_assert(status_ok == (int)CONNECTION_OK, "");
_Static_assert(polling_failed == (int)PGRES_POLLING_FAILED && polling_ok == (int)PGRES_POLLING_OK, "");
_Static_assert(polling_reading == (int)PGRES_POLLING_READING && polling_writing == (int)PGRES_POLLING_WRITING, "");
_Static_assert(answer_empty == (int)PGRES_EMPTY_QUERY && answer_command == (int)PGRES_COMMAND_OK, "");
_Static_assert(answer_rows == (int)PGRES_TUPLES_OK && answer_copy_first == (int)PGRES_COPY_OUT, "");
_Static_assert(answer_copy_last == (int)PGRES_COPY_IN && answer_copy_both == (int)PGRES_COPY_BOTH, "");
_Static_assert(errors_default == (int)PQERRORS_DEFAULT && errors_verbose == (int)PQERRORS_VERBOSE, "");
_Static_assert(transaction_idle == (int)PQTRANS_IDLE, "");
_Static_assert(field_code == PG_DIAG_SQLSTATE && field_message == PG_DIAG_MESSAGE_PRIMARY, "");
#endif

struct option {
    char *keyword, *environment, *compiled, *value, *label, *character;
    int size;
};

// What libpq's manual calls PGnotify.
struct notice {
    char *channel;
    int process;
    char *payload;
};

static struct {
    void *(*connect_start)(const char *const *, const char *const *, int);
    int (*connect_poll)(void *);
    int (*set_verbosity)(void *, int);
    int (*set_nonblocking)(void *, int);
    void *(*set_notices)(void *, void (*)(void *, const char *), void *);
    int (*status)(const void *);
    int (*transaction_status)(const void *);
    char *(*error_message)(const void *);
    int (*server_version)(const void *);
    int (*socket)(const void *);
    void (*finish)(void *);
    int (*send)(void *, const char *);
    int (*send_prepare)(void *, const char *, const char *, int, const unsigned int *);
    int (*send_prepared)(void *, const char *, int, const char *const *, const int *, const int *, int);
    int (*flush)(void *);
    int (*consume)(void *);
    int (*is_busy)(void *);
    void *(*get_result)(void *);
    void (*free)(void *);
    struct notice *(*notices)(void *);
    int (*result_status)(const void *);
    char *(*result_field)(const void *, int);
    char *(*result_message)(const void *);
    int (*count)(const void *);
    int (*is_null)(const void *, int, int);
    int (*length)(const void *, int, int);
    char *(*value)(const void *, int, int);
    char *(*changes)(void *);
    void (*clear)(void *);
    struct option *(*parse)(const char *, char **);
    void (*free_options)(struct option *);
} pq;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool is_there;

static void load(void) {
    static const char *const places[] = {
        "libpq.so.5", "libpq.5.dylib", "/opt/homebrew/opt/libpq/lib/libpq.5.dylib",
        "/usr/local/opt/libpq/lib/libpq.5.dylib",
    };
    void *library = NULL;
    for (size_t place = 0; !library && place < sizeof places / sizeof *places; place++)
        library = dlopen(places[place], RTLD_NOW | RTLD_LOCAL);
    if (!library) return;
    const struct {
        void *function;
        const char *name;
    } wanted[] = {
        {&pq.connect_start, "PQconnectStartParams"}, {&pq.connect_poll, "PQconnectPoll"},
        {&pq.set_verbosity, "PQsetErrorVerbosity"},  {&pq.set_nonblocking, "PQsetnonblocking"},
        {&pq.set_notices, "PQsetNoticeProcessor"},   {&pq.status, "PQstatus"},
        {&pq.transaction_status, "PQtransactionStatus"}, {&pq.error_message, "PQerrorMessage"},
        {&pq.server_version, "PQserverVersion"},     {&pq.socket, "PQsocket"},
        {&pq.finish, "PQfinish"},                    {&pq.send, "PQsendQuery"},
        {&pq.send_prepare, "PQsendPrepare"},         {&pq.send_prepared, "PQsendQueryPrepared"},
        {&pq.flush, "PQflush"},                      {&pq.consume, "PQconsumeInput"},
        {&pq.is_busy, "PQisBusy"},                   {&pq.get_result, "PQgetResult"},
        {&pq.free, "PQfreemem"},                     {&pq.notices, "PQnotifies"},
        {&pq.result_status, "PQresultStatus"},       {&pq.result_field, "PQresultErrorField"},
        {&pq.result_message, "PQresultErrorMessage"}, {&pq.count, "PQntuples"},
        {&pq.is_null, "PQgetisnull"},                {&pq.length, "PQgetlength"},
        {&pq.value, "PQgetvalue"},                   {&pq.changes, "PQcmdTuples"},
        {&pq.clear, "PQclear"},                      {&pq.parse, "PQconninfoParse"},
        {&pq.free_options, "PQconninfoFree"},
    };
    for (size_t place = 0; place < sizeof wanted / sizeof *wanted; place++) {
        void *found = dlsym(library, wanted[place].name);
        if (!found) return;
        memcpy(wanted[place].function, &found, sizeof found);
    }
    is_there = true;
}

bool cpg_is_there(void) {
    pthread_once(&once, load);
    return is_there;
}

// Waiting

static long long now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (long long)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

// Waits until the socket can be read, or written if that is wanted; false if the time is over first.
static bool wait_for_socket(void *connection, bool writes, long long end) {
    struct pollfd one = {pq.socket(connection), POLLIN, 0};
    if (one.fd < 0) return true;
    if (writes) one.events |= POLLOUT;
    while (true) {
        long long rest = end - now();
        if (rest < 0) rest = 0;
        if (rest > 1 << 30) rest = 1 << 30;
        int ready = poll(&one, 1, (int)rest);
        if (ready > 0) return true;
        if (ready < 0 && errno == EINTR) continue;
        return false;
    }
}

// What the server says beside its answers isn't for this process's output.
static void ignore_notice(void *nobody, const char *text) {
    (void)nobody;
    (void)text;
}

cpg_connection *cpg_connect(
    const char *const *names, const char *const *values, int milliseconds, cpg_end *end) {
    *end = CPG_LOST;
    void *connection = pq.connect_start(names, values, 1);
    if (!connection || pq.socket(connection) < 0) return connection;
    pq.set_notices(connection, ignore_notice, NULL);
    // So that a refusal comes with its code, which is the same in all languages.
    pq.set_verbosity(connection, errors_verbose);
    long long last = now() + milliseconds;
    int state = polling_writing;
    while (state == polling_reading || state == polling_writing) {
        struct pollfd one = {
            pq.socket(connection), state == polling_reading ? POLLIN : POLLOUT, 0};
        long long rest = last - now();
        int ready = rest <= 0 ? 0 : poll(&one, 1, (int)rest);
        if (ready < 0 && errno == EINTR) continue;
        if (ready <= 0) {
            *end = CPG_LATE;
            return connection;
        }
        state = pq.connect_poll(connection);
    }
    if (state != polling_ok || pq.status(connection) != status_ok) return connection;
    pq.set_verbosity(connection, errors_default);
    *end = pq.set_nonblocking(connection, 1) == 0 ? CPG_DONE : CPG_LOST;
    return connection;
}

void cpg_close(cpg_connection *connection) { pq.finish(connection); }

const char *cpg_complaint(const cpg_connection *connection) { return pq.error_message(connection); }

int cpg_server_version(const cpg_connection *connection) { return pq.server_version(connection); }

bool cpg_is_idle(const cpg_connection *connection) {
    return pq.status(connection) == status_ok && pq.transaction_status(connection) == transaction_idle;
}

// Statements

static bool is_good(const void *answer) {
    int status = pq.result_status(answer);
    return status == answer_empty || status == answer_command || status == answer_rows;
}

// Sends what was begun, and takes all that comes of it.
static cpg_answer *finish(void *connection, bool was_sent, int milliseconds, cpg_end *end) {
    long long last = now() + milliseconds;
    void *answer = NULL;
    *end = CPG_LOST;
    if (!was_sent) return NULL;
    while (true) {
        int flushed = pq.flush(connection);
        if (flushed < 0) break;
        if (flushed == 0 && !pq.is_busy(connection)) {
            void *next = pq.get_result(connection);
            if (!next) {
                *end = pq.status(connection) == status_ok && answer ? CPG_DONE : CPG_LOST;
                break;
            }
            int status = pq.result_status(next);
            bool copies = (status >= answer_copy_first && status <= answer_copy_last) || status == answer_copy_both;
            if (answer && !is_good(answer)) {
                pq.clear(next);
            } else {
                if (answer) pq.clear(answer);
                answer = next;
            }
            if (copies) break;
            continue;
        }
        if (!wait_for_socket(connection, flushed > 0, last)) {
            *end = CPG_LATE;
            break;
        }
        if (!pq.consume(connection)) break;
    }
    if (*end == CPG_DONE) return answer;
    if (answer) pq.clear(answer);
    return NULL;
}

cpg_answer *cpg_run(cpg_connection *connection, const char *sql, int milliseconds, cpg_end *end) {
    return finish(connection, pq.send(connection, sql), milliseconds, end);
}

cpg_answer *cpg_prepare(
    cpg_connection *connection, const char *name, const char *sql, int milliseconds, cpg_end *end) {
    return finish(connection, pq.send_prepare(connection, name, sql, 0, NULL), milliseconds, end);
}

cpg_answer *cpg_execute(
    cpg_connection *connection, const char *name, int count, const char *const *values, const int *lengths,
    const int *formats, int milliseconds, cpg_end *end) {
    bool was_sent = pq.send_prepared(connection, name, count, values, lengths, formats, 1);
    return finish(connection, was_sent, milliseconds, end);
}

char *cpg_await_notice(cpg_connection *connection, int milliseconds, cpg_end *end) {
    long long last = now() + milliseconds;
    *end = CPG_LOST;
    while (true) {
        struct notice *notice = pq.notices(connection);
        if (notice) {
            char *payload = strdup(notice->payload ? notice->payload : "");
            pq.free(notice);
            *end = CPG_DONE;
            return payload;
        }
        if (!wait_for_socket(connection, false, last)) {
            *end = CPG_LATE;
            return NULL;
        }
        if (!pq.consume(connection) || pq.status(connection) != status_ok) return NULL;
    }
}

// Answers

bool cpg_is_done(const cpg_answer *answer) { return is_good(answer); }

const char *cpg_code(const cpg_answer *answer) {
    const char *code = pq.result_field(answer, field_code);
    return code ? code : "";
}

const char *cpg_message(const cpg_answer *answer) {
    const char *message = pq.result_field(answer, field_message);
    return message ? message : pq.result_message(answer);
}

int cpg_rows(const cpg_answer *answer) { return pq.count(answer); }

int cpg_changes(const cpg_answer *answer) { return atoi(pq.changes((void *)answer)); }

bool cpg_is_null(const cpg_answer *answer, int row, int column) { return pq.is_null(answer, row, column); }

int cpg_length(const cpg_answer *answer, int row, int column) { return pq.length(answer, row, column); }

const char *cpg_value(const cpg_answer *answer, int row, int column) { return pq.value(answer, row, column); }

void cpg_free(cpg_answer *answer) { pq.clear(answer); }

// Places

bool cpg_read_place(const char *text, char **host, char **port, char **database, char **password) {
    char *complaint = NULL;
    struct option *options = pq.parse(text, &complaint);
    if (complaint) pq.free(complaint);
    if (!options) return false;
    const struct {
        const char *keyword;
        char **value;
    } wanted[] = {{"host", host}, {"port", port}, {"dbname", database}, {"password", password}};
    for (struct option *option = options; option->keyword; option++)
        for (size_t place = 0; place < 4; place++)
            if (option->value && strcmp(option->keyword, wanted[place].keyword) == 0)
                *wanted[place].value = strdup(option->value);
    pq.free_options(options);
    return true;
}
