#ifndef CPROCESSOR_H
#define CPROCESSOR_H

/// Asks the processor to load the cache line at an address, without waiting for it. Any address is allowed.
static inline void cprocessor_prefetch(const void *address) { __builtin_prefetch(address); }

#endif
