#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The sanitizers that a test may run under.
package enum Sanitizers {
    /// Whether one is at work, whose own memory and time count then.
    package static let areAtWork = ["__tsan_init", "__asan_init"].contains { name in
        name.withCString { dlsym(nil, $0) != nil }
    }
}
