#ifndef CPROCESSOR_H
#define CPROCESSOR_H

#include <stdint.h>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

/// Asks the processor to load the cache line at an address, without waiting for it. Any address is allowed.
static inline void cprocessor_prefetch(const void *address) { __builtin_prefetch(address); }

/// The processor's cycle counter; 0 where there is none that is cheaper to read than the clock.
static inline uint64_t cprocessor_cycles(void) {
#if defined(__x86_64__)
    return __rdtsc();
#else
    return 0;
#endif
}

#endif
