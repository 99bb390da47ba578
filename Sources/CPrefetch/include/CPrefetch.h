#ifndef CPREFETCH_H
#define CPREFETCH_H

/// Asks the processor to load the cache line at an address, without waiting for it. Any address is allowed.
static inline void cprefetch(const void *address) { __builtin_prefetch(address); }

#endif
