import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// How many times as long this thread computes where there is eight times as much to do: 8 if time grows with it, 64 if
/// with its square.
///
/// By the thread's own time, since others have the cores as well; the quickest of some rounds counts.
func growth(from count: Int, _ work: (Int) throws -> Void) rethrows -> Double {
    func time(_ count: Int) throws -> Double {
        var (begin, end) = (timespec(), timespec())
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin)
        try work(count)
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end)
        return Double(end.tv_sec - begin.tv_sec) + Double(end.tv_nsec - begin.tv_nsec) / 1e9
    }
    func quickest(_ rounds: Int, _ count: Int) throws -> Double {
        var best = Double.infinity
        for _ in 0..<rounds { best = min(best, try time(count)) }
        return best
    }
    return try quickest(2, 8 * count) / max(try quickest(4, count), 1e-9)
}
