// Moments and bodies of a given length, as the benchmarks in Swift have them.
#pragma once
#include <chrono>
#include <cstdint>

inline uint64_t now() {
    return (uint64_t)std::chrono::duration_cast<std::chrono::nanoseconds>(
               std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

inline void spin(uint64_t nanoseconds) {
    uint64_t end = now() + nanoseconds;
    while (now() < end) {}
}
