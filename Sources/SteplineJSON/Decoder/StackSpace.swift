import Foundation

/// Checks how much stack the current thread has left.
///
/// Code that recurses on the depth of its input checks before each level.
enum StackSpace {
    /// The stack space that one level and its callees may use, in bytes; at most a third of a small stack.
    private static let reserve: UInt = 128 << 10

    /// The thread-local lowest address that recursion may reach; zero if not yet measured.
    private static let key: pthread_key_t? = {
        var key = pthread_key_t()
        return pthread_key_create(&key, nil) == 0 ? key : nil
    }()

    /// Whether the stack may not suffice for another level.
    @inline(never)
    static var isShort: Bool {
        guard let key else { return false }
        let lowest = UInt(bitPattern: pthread_getspecific(key))
        var here: UInt8 = 0
        let place = withUnsafePointer(to: &here) { UInt(bitPattern: $0) }
        return place < (lowest == 0 ? measured(key, from: place) : lowest)
    }

    private static func measured(_ key: pthread_key_t, from place: UInt) -> UInt {
        // The bounds are unknown, as in some statically linked programs: assume that `reserve` bytes remain.
        let lowest = bounds.map { $0.bottom + min(reserve, $0.size / 3) } ?? place - reserve
        pthread_setspecific(key, UnsafeRawPointer(bitPattern: lowest))
        return lowest
    }

    #if canImport(Darwin)
        private static var bounds: (bottom: UInt, size: UInt)? {
            let thread = pthread_self()
            let size = UInt(pthread_get_stacksize_np(thread))
            return (UInt(bitPattern: pthread_get_stackaddr_np(thread)) - size, size)
        }
    #else
        private typealias Describe =
            @convention(c) (pthread_t, UnsafeMutablePointer<pthread_attr_t>) -> Int32

        /// Looked up by name, since Swift's module of the C library omits the function.
        private static let describe: Describe? = dlsym(nil, "pthread_getattr_np").map {
            unsafeBitCast($0, to: Describe.self)
        }

        private static var bounds: (bottom: UInt, size: UInt)? {
            guard let describe else { return nil }
            return withUnsafeTemporaryAllocation(of: pthread_attr_t.self, capacity: 1) { buffer in
                guard let attributes = buffer.baseAddress, describe(pthread_self(), attributes) == 0 else {
                    return nil
                }
                defer { pthread_attr_destroy(attributes) }
                var bottom: UnsafeMutableRawPointer?
                var size = 0
                guard pthread_attr_getstack(attributes, &bottom, &size) == 0 else { return nil }
                return (UInt(bitPattern: bottom), UInt(size))
            }
        }
    #endif
}
