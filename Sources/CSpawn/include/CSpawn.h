#ifndef STEPLINE_CSPAWN_H
#define STEPLINE_CSPAWN_H

#include <sys/types.h>

/// Starts a program in a process group of its own, with these three descriptors and no others, in a folder.
///
/// Signals are as by default and none is blocked. Returns 0 or the error's number.
int stepline_spawn(
    pid_t *pid, const char *path, char *const arguments[], char *const environment[], const char *folder,
    int input, int output, int errors);

/// Makes a pipe that no program inherits, whoever starts one meanwhile: it ends with those that it was given to.
///
/// Returns 0, or -1 with `errno` set.
int stepline_pipe(int ends[2]);

#endif
