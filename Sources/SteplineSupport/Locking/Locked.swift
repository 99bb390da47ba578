#if canImport(Darwin)
    public import Darwin
#elseif canImport(Musl)
    public import Musl
#else
    public import Glibc
#endif

/// A value behind a lock: the only way to it is `withLock`.
///
/// The value and a POSIX mutex share one allocation. Unlike `Synchronization.Mutex`, whose futex
/// ThreadSanitizer can't see on Linux, this lock is understood by the sanitizer, and it is smaller and
/// faster than an `NSLock`. It is not recursive: what runs under it must not call out. The state must have a size: where
/// it has none, the sanitizer takes each access for one to the object's own header, and tells races that there aren't.
@usableFromInline
package struct Locked<State>: @unchecked Sendable {  // the mutex protects the state
    @usableFromInline package let storage: LockedStorage<State>

    /// Puts a value behind a lock of its own.
    @inlinable
    package init(_ state: sending State) {
        storage = LockedStorage.make(state)
    }

    /// Runs `body` with exclusive access to the value.
    @inlinable
    @inline(__always)
    @discardableResult
    package func withLock<Result, Failure: Error>(
        _ body: (inout State) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try storage.withUnsafeMutablePointers { state, mutex throws(Failure) in
            pthread_mutex_lock(mutex)
            defer { pthread_mutex_unlock(mutex) }
            return try body(&state.pointee)
        }
    }

    /// Comes behind all that was done under the lock before.
    ///
    /// For what a continuation hands over: where that is resumed before it is awaited, ThreadSanitizer doesn't see that
    /// one comes behind the other, and tells of races on the value.
    @inlinable
    package func comeBehind() { withLock { _ in } }
}

/// One allocation that holds the state (header) and its mutex (the only element).
@usableFromInline
package final class LockedStorage<State>: ManagedBuffer<State, pthread_mutex_t> {
    @inlinable
    package static func make(_ state: State) -> LockedStorage {
        let buffer = create(minimumCapacity: 1) { _ in state }
        buffer.withUnsafeMutablePointerToElements { mutex in
            mutex.initialize(to: pthread_mutex_t())
            #if canImport(Glibc)
                // One that looks again for a moment before it sleeps: what runs under a lock is shorter than that.
                var attributes = pthread_mutexattr_t()
                pthread_mutexattr_init(&attributes)
                pthread_mutexattr_settype(&attributes, Int32(PTHREAD_MUTEX_ADAPTIVE_NP))
                pthread_mutex_init(mutex, &attributes)
                pthread_mutexattr_destroy(&attributes)
            #else
                pthread_mutex_init(mutex, nil)
            #endif
        }
        // `create` is declared to give the base class, but makes an instance of the class it is called on.
        return unsafeDowncast(buffer, to: LockedStorage.self)
    }

    @inlinable
    deinit {
        withUnsafeMutablePointerToElements { _ = pthread_mutex_destroy($0) }
    }
}
