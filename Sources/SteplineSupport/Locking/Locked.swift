#if canImport(Darwin)
    public import Darwin
#elseif canImport(Musl)
    public import Musl
#else
    public import Glibc
#endif

/// A value that is accessible only under its lock.
///
/// The value and a POSIX mutex share one allocation. ThreadSanitizer can't see the futex of `Synchronization.Mutex` on
/// Linux, but it understands this lock. The lock is also smaller and faster than `NSLock`.
///
/// The lock isn't recursive, so code under the lock must not call user code or other components. The state must have a
/// size: ThreadSanitizer takes an access to a state without a size for an access to the object's header, and reports
/// false races.
@usableFromInline
package struct Locked<State>: @unchecked Sendable {  // the mutex protects the state
    @usableFromInline package let storage: LockedStorage<State>

    /// Creates a lock around a value.
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

    /// Synchronizes with everything that was done under the lock before, by locking and unlocking.
    ///
    /// Use this for values that a continuation passes on. If the continuation is resumed before it is awaited,
    /// ThreadSanitizer doesn't see the order and reports false races.
    @inlinable
    package func synchronize() { withLock { _ in } }
}

/// An allocation with the state as its header and the mutex as its only element.
@usableFromInline
package final class LockedStorage<State>: ManagedBuffer<State, pthread_mutex_t> {
    @inlinable
    package static func make(_ state: State) -> LockedStorage {
        let buffer = create(minimumCapacity: 1) { _ in state }
        buffer.withUnsafeMutablePointerToElements { mutex in
            mutex.initialize(to: pthread_mutex_t())
            #if canImport(Glibc)
                // An adaptive mutex spins before it sleeps: critical sections are shorter than a sleep.
                var attributes = pthread_mutexattr_t()
                pthread_mutexattr_init(&attributes)
                pthread_mutexattr_settype(&attributes, Int32(PTHREAD_MUTEX_ADAPTIVE_NP))
                pthread_mutex_init(mutex, &attributes)
                pthread_mutexattr_destroy(&attributes)
            #else
                pthread_mutex_init(mutex, nil)
            #endif
        }
        // `create` is declared to return the base class, but returns an instance of the class that it is called on.
        return unsafeDowncast(buffer, to: LockedStorage.self)
    }

    @inlinable
    deinit {
        withUnsafeMutablePointerToElements { _ = pthread_mutex_destroy($0) }
    }
}
