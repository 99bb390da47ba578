#include "CTestWidth.h"

#include <pthread.h>
#include <stdlib.h>

// How many tests run at once. Without a bound all begin together, and on a small machine each takes so long that
// unrelated time limits end it. It is set here and not in the Makefile, so that `swift test` and an IDE keep to it too.
// A width in the environment has precedence.
__attribute__((constructor)) static void bound_width(void) {
    setenv("SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH", "6", 0);
}

#ifdef __linux__

// Runs the jobs of Swift's shared executor on eight threads of the tests' own, in order.
//
// Swift's own pool has one thread a core. A synchronous test body holds one of them, so on two cores two such tests
// stop every other one. The runtime calls the hook on any thread, each time a job becomes ready. Jobs with a delay,
// the main actor's and those of other executors don't come here. The threads are started with the first job and live
// as long as the process.

enum { thread_count = 8 };

typedef __attribute__((swiftcall)) void (*Original)(void *job);
typedef __attribute__((swiftcall)) void (*Hook)(void *job, Original original);

extern Hook swift_task_enqueueGlobal_hook;
extern __attribute__((swiftcall)) void swift_job_run(void *job, void *executor, void *implementation);

typedef struct Entry {
    void *job;
    struct Entry *next;
} Entry;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t is_filled = PTHREAD_COND_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static Entry *first;
static Entry **last = &first;

static void *work(void *unused) {
    for (;;) {
        pthread_mutex_lock(&lock);
        while (first == NULL) {
            pthread_cond_wait(&is_filled, &lock);
        }
        Entry *entry = first;
        first = entry->next;
        if (first == NULL) {
            last = &first;
        }
        pthread_mutex_unlock(&lock);
        void *job = entry->job;
        free(entry);
        // Without an executor: the shared one.
        swift_job_run(job, NULL, NULL);
    }
    return unused;
}

static void start(void) {
    for (int number = 0; number < thread_count; number++) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, work, NULL) == 0) {
            pthread_detach(thread);
        }
    }
}

static __attribute__((swiftcall)) void enqueue(void *job, Original original) {
    pthread_once(&once, start);
    Entry *entry = malloc(sizeof *entry);
    if (entry == NULL) {
        original(job);
        return;
    }
    entry->job = job;
    entry->next = NULL;
    pthread_mutex_lock(&lock);
    *last = entry;
    last = &entry->next;
    pthread_cond_signal(&is_filled);
    pthread_mutex_unlock(&lock);
}

__attribute__((constructor)) static void widen(void) { swift_task_enqueueGlobal_hook = enqueue; }

#endif
