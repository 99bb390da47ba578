#ifndef CTASKHOOK_H
#define CTASKHOOK_H

#include <stdbool.h>

/// Has `take` be asked first, from now on, whenever Swift would give a job to its shared threads; who says true has it.
///
/// To be called once in a process.
void ctaskhook_install(bool (*take)(void *job));

#endif
