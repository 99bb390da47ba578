#include "CTaskHook.h"

#include <stdatomic.h>
#include <stddef.h>

// The runtime's own door for those who want other threads to run its jobs: a variable that it looks at each time.
typedef __attribute__((swiftcall)) void (*Original)(void *job);
typedef __attribute__((swiftcall)) void (*Hook)(void *job, Original original);

extern Hook swift_task_enqueueGlobal_hook;

// Set behind `earlier`, as other threads may look at once.
static _Atomic(bool (*)(void *)) asked;
static Hook earlier;

static __attribute__((swiftcall)) void enqueue(void *job, Original original) {
    if (atomic_load_explicit(&asked, memory_order_acquire)(job)) {
        return;
    }
    if (earlier != NULL) {
        earlier(job, original);
    } else {
        original(job);
    }
}

void ctaskhook_install(bool (*take)(void *job)) {
    earlier = swift_task_enqueueGlobal_hook;
    atomic_store_explicit(&asked, take, memory_order_release);
    __atomic_store_n(&swift_task_enqueueGlobal_hook, enqueue, __ATOMIC_RELEASE);
}

// Dispatch's own; without a queue it tells the label of the one that this thread is at.
extern const char *dispatch_queue_get_label(void *queue);

const char *ctaskhook_queue_label(void) { return dispatch_queue_get_label(NULL); }
