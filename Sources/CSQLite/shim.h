#ifndef STEPLINE_CSQLITE_SHIM_H
#define STEPLINE_CSQLITE_SHIM_H

#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <unistd.h>

#ifdef __APPLE__
#include <sys/mount.h>
#include <sys/param.h>
#else
#include <sys/vfs.h>
#endif

// Locks that belong to an open file, not to a process; Glibc names them for GNU sources alone.
#if !defined(F_OFD_SETLK) && defined(__linux__)
#define F_OFD_GETLK 36
#define F_OFD_SETLK 37
#endif

// SQLite copies the bytes; the constant that says so is a cast that Swift can't see.
static inline int stepline_sqlite_bind_text(
    sqlite3_stmt *statement, int place, const char *bytes, int count) {
    return sqlite3_bind_text(statement, place, bytes, count, SQLITE_TRANSIENT);
}

static inline int stepline_sqlite_bind_blob(
    sqlite3_stmt *statement, int place, const void *bytes, int count) {
    return sqlite3_bind_blob(statement, place, bytes, count, SQLITE_TRANSIENT);
}

// Reads the first bytes of a database's file by SQLite's own descriptor: closing another descriptor of the
// same file would drop the locks that this process holds on it.
static inline int stepline_sqlite_read_start(sqlite3 *database, void *bytes, int count) {
    sqlite3_file *file = 0;
    int code = sqlite3_file_control(database, "main", SQLITE_FCNTL_FILE_POINTER, &file);
    if (code != SQLITE_OK) return code;
    if (!file || !file->pMethods) return SQLITE_CANTOPEN;
    return file->pMethods->xRead(file, bytes, count, 0);
}

// Whether the file of an open database is no longer the one at its path.
static inline int stepline_sqlite_has_moved(sqlite3 *database) {
    int moved = 0;
    return sqlite3_file_control(database, "main", SQLITE_FCNTL_HAS_MOVED, &moved) == SQLITE_OK && moved;
}

// Claims a byte of an open file (F_WRLCK) or gives it up (F_UNLCK); 0 or the error's number.
static inline int stepline_set_claim(int file, long long byte, int type) {
    struct flock claim = {0};
    claim.l_type = (short)type;
    claim.l_whence = SEEK_SET;
    claim.l_start = byte;
    claim.l_len = 1;
    return fcntl(file, F_OFD_SETLK, &claim) == 0 ? 0 : errno;
}

// Finds bytes from `first` up to `end` that another open file has claimed: 1 and the range, 0 if there are
// none, or a negative error. An end of 0 is that of all files.
static inline int stepline_find_claim(int file, long long *first, long long *end) {
    struct flock claim = {0};
    claim.l_type = F_WRLCK;
    claim.l_whence = SEEK_SET;
    claim.l_start = *first;
    claim.l_len = *end == 0 ? 0 : *end - *first;
    if (fcntl(file, F_OFD_GETLK, &claim) != 0) return -errno;
    if (claim.l_type == F_UNLCK) return 0;
    *first = claim.l_start;
    *end = claim.l_len == 0 ? 0 : claim.l_start + claim.l_len;
    return 1;
}

// The kind of file system that a path is on, as statfs numbers it; -1 for one that isn't local, where that is
// what the system tells; 0 if it tells nothing.
static inline long long stepline_file_system(const char *path) {
    struct statfs information;
    if (statfs(path, &information) != 0) return 0;
#ifdef __APPLE__
    return (information.f_flags & MNT_LOCAL) ? 0 : -1;
#else
    return (long long)(unsigned int)information.f_type;
#endif
}

#endif
