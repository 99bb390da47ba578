#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The sanitizers under which a test may run.
package enum Sanitizers {
    /// Whether a sanitizer is active, which changes memory use and times.
    package static let areAtWork = ["__tsan_init", "__asan_init"].contains { name in
        name.withCString { dlsym(Self.everyImage, $0) != nil }
    }

    /// `RTLD_DEFAULT`, a cast that Swift can't see.
    private static var everyImage: UnsafeMutableRawPointer? {
        #if canImport(Darwin)
            UnsafeMutableRawPointer(bitPattern: -2)
        #else
            nil
        #endif
    }
}
