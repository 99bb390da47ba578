#ifndef CTASKHOOK_H
#define CTASKHOOK_H

#include <stdbool.h>

/// Has `take` be asked first, from now on, whenever Swift would give a job to its shared threads; who says true has it.
///
/// To be called once in a process.
void ctaskhook_install(bool (*take)(void *job));

/// The label of the queue of Dispatch's that this thread is at; empty or NULL if it is at none.
const char *ctaskhook_queue_label(void);

#endif
