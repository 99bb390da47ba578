// What Swift can't see of <spawn.h>: the functions that POSIX doesn't have yet.
#define _GNU_SOURCE
#include "CSpawn.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <unistd.h>

#if defined(__APPLE__)
#include <TargetConditionals.h>
#endif

int stepline_pipe(int ends[2]) {
#if defined(__linux__)
    return pipe2(ends, O_CLOEXEC);
#else
    // Not at one stroke; programs are started there without what isn't given to them.
    if (pipe(ends) != 0) return -1;
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    return 0;
#endif
}

#if defined(__APPLE__) && !TARGET_OS_OSX

// Those systems run no programs of others.
int stepline_spawn(
    pid_t *pid, const char *path, char *const arguments[], char *const environment[], const char *folder,
    int input, int output, int errors) {
    (void)pid, (void)path, (void)arguments, (void)environment, (void)folder;
    (void)input, (void)output, (void)errors;
    return ENOTSUP;
}

#else

static int prepare_files(
    posix_spawn_file_actions_t *files, const char *folder, int input, int output, int errors) {
    int error = posix_spawn_file_actions_addchdir_np(files, folder);
    if (!error) error = posix_spawn_file_actions_adddup2(files, input, STDIN_FILENO);
    if (!error) error = posix_spawn_file_actions_adddup2(files, output, STDOUT_FILENO);
    if (!error) error = posix_spawn_file_actions_adddup2(files, errors, STDERR_FILENO);
#if defined(__GLIBC__) && defined(__GLIBC_PREREQ)
#if __GLIBC_PREREQ(2, 34)
    if (!error) error = posix_spawn_file_actions_addclosefrom_np(files, STDERR_FILENO + 1);
#endif
#endif
    return error;
}

static int prepare_signals(posix_spawnattr_t *attributes) {
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    // Neither can be set, and one system refuses to try.
    sigdelset(&all, SIGKILL);
    sigdelset(&all, SIGSTOP);
    short flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK;
#ifdef POSIX_SPAWN_CLOEXEC_DEFAULT
    flags |= POSIX_SPAWN_CLOEXEC_DEFAULT;
#endif
    int error = posix_spawnattr_setpgroup(attributes, 0);
    if (!error) error = posix_spawnattr_setsigmask(attributes, &none);
    if (!error) error = posix_spawnattr_setsigdefault(attributes, &all);
    if (!error) error = posix_spawnattr_setflags(attributes, flags);
    return error;
}

int stepline_spawn(
    pid_t *pid, const char *path, char *const arguments[], char *const environment[], const char *folder,
    int input, int output, int errors) {
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    int error = posix_spawn_file_actions_init(&files);
    if (error) return error;
    error = posix_spawnattr_init(&attributes);
    if (!error) {
        error = prepare_files(&files, folder, input, output, errors);
        if (!error) error = prepare_signals(&attributes);
        if (!error) error = posix_spawn(pid, path, &files, &attributes, arguments, environment);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&files);
    return error;
}

#endif
