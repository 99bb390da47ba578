#ifndef STEPLINE_CPREFETCH_H
#define STEPLINE_CPREFETCH_H

/// Has memory brought near that is about to be read, and doesn't wait for it.
///
/// A hint, which no address can make fail; Swift has no other way to say it.
static inline void stepline_prefetch(const void *address) { __builtin_prefetch(address); }

#endif
