#ifndef STEPLINE_CPOSTGRESQL_H
#define STEPLINE_CPOSTGRESQL_H

#include <stdbool.h>

// A connection to a server of PostgreSQL's, and what it has answered, on the system's own libpq, which is looked for at
// run time. Nothing here waits longer than it is told to: a network that swallows everything holds nobody up.

typedef struct cpg_connection cpg_connection;
typedef struct cpg_answer cpg_answer;

typedef enum {
    CPG_DONE,
    // The time was over; the connection is of no use any more.
    CPG_LATE,
    // The connection is lost, or couldn't be had.
    CPG_LOST,
} cpg_end;

/// Whether libpq is there; looks for it the first time.
bool cpg_is_there(void);

/// Connects by names and values that end with a null pointer each, as libpq has them. The connection is there in any case,
/// and is to be closed, unless there is no memory.
cpg_connection *cpg_connect(
    const char *const *names, const char *const *values, int milliseconds, cpg_end *end);
void cpg_close(cpg_connection *connection);

/// What the connection complains of; its own until the next call.
const char *cpg_complaint(const cpg_connection *connection);
int cpg_server_version(const cpg_connection *connection);
bool cpg_is_idle(const cpg_connection *connection);

/// Runs statements without values; the answer is that of the last one, or of the first that failed.
cpg_answer *cpg_run(cpg_connection *connection, const char *sql, int milliseconds, cpg_end *end);
/// Names a statement for later.
cpg_answer *cpg_prepare(
    cpg_connection *connection, const char *name, const char *sql, int milliseconds, cpg_end *end);
/// Runs a named statement with binary values, and asks for a binary answer.
cpg_answer *cpg_execute(
    cpg_connection *connection, const char *name, int count, const char *const *values, const int *lengths,
    const int *formats, int milliseconds, cpg_end *end);

/// Whether it was done; else the code of five letters says what was wrong, and the message says it in words.
bool cpg_is_done(const cpg_answer *answer);
const char *cpg_code(const cpg_answer *answer);
const char *cpg_message(const cpg_answer *answer);
int cpg_rows(const cpg_answer *answer);
/// How many rows were changed.
int cpg_changes(const cpg_answer *answer);
bool cpg_is_null(const cpg_answer *answer, int row, int column);
int cpg_length(const cpg_answer *answer, int row, int column);
const char *cpg_value(const cpg_answer *answer, int row, int column);
void cpg_free(cpg_answer *answer);

/// Waits until a notice has come for which the connection listens, and hands out its payload, to be freed; null if none
/// comes within that time, or the connection is lost.
char *cpg_await_notice(cpg_connection *connection, int milliseconds, cpg_end *end);

/// The host, port, database and password of a text or URL by which libpq connects, each to be freed; false if it isn't one.
bool cpg_read_place(const char *text, char **host, char **port, char **database, char **password);

#endif
