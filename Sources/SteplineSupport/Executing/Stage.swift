package import Dispatch
package import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A simulation, which replaces threads, time and randomness for everything that one thread starts.
///
/// Code that passes work to another thread, reads the system clock or uses random numbers must check ``Stages/current``
/// first.
package protocol Stage: AnyObject, Sendable {
    /// The simulated clock.
    var clock: any StepClock { get }
    /// The executor of Swift tasks that are started in the simulation.
    var executor: any TaskExecutor { get }

    /// The faults to inject.
    var faults: FaultPlan { get }

    /// Enqueues work for an unspecified thread; `isBody` marks a body that a worker has taken.
    func enqueue(isBody: Bool, _ work: @escaping @Sendable () -> Void)

    /// Enqueues a job for a worker; two waiting entries of one job are equivalent, so their order is no separate
    /// schedule.
    func enqueue(_ job: any AnyObject & Sendable, _ work: @escaping @Sendable () -> Void)

    /// Records an event in the simulation's log; costs nothing without a reader.
    func note(_ text: @autoclosure () -> String)

    /// Records work that runs outside the simulation's control.
    func noteForeign(_ what: @autoclosure () -> String)

    /// Returns the next random number.
    func random() -> UInt64

    /// Returns the simulation's own instance of a process-wide object, created at the first call.
    ///
    /// A separate instance keeps outside state from influencing the simulation.
    func own<Thing: AnyObject & Sendable>(_ make: () -> Thing) -> Thing
}

/// The simulation of the current thread.
package enum Stages {
    /// The number of simulations in the process; while it is 0, a check costs one load.
    @usableFromInline static let count = Atomic<Int>(0)

    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key, nil)
        return key
    }()

    /// Whether a simulation exists in the process.
    @inlinable package static var areAny: Bool { count.load(ordering: .relaxed) > 0 }

    /// The simulation of this thread; nil on nearly all threads.
    @inlinable package static var current: (any Stage)? { areAny ? ofThisThread : nil }

    @usableFromInline static var ofThisThread: (any Stage)? {
        guard let place = pthread_getspecific(key) else { return nil }
        return place.assumingMemoryBound(to: (any Stage).self).pointee
    }

    /// Runs `body` in a simulation on this thread.
    package static func play<Result>(on stage: any Stage, _ body: () throws -> Result) rethrows -> Result {
        // Simulations can be nested: restore the outer one afterwards.
        let before = pthread_getspecific(key)
        count.add(1, ordering: .relaxed)
        defer {
            pthread_setspecific(key, before)
            count.subtract(1, ordering: .relaxed)
        }
        var stage = stage
        return try withUnsafeMutablePointer(to: &stage) { place in
            pthread_setspecific(key, place)
            return try body()
        }
    }
}

extension Stages {
    /// Runs work on a queue of the library, or in this thread's simulation.
    package static func async(on queue: DispatchQueue, _ work: @escaping @Sendable () -> Void) {
        guard let stage = current else { return queue.async(execute: work) }
        stage.enqueue(isBody: false, work)
    }

    /// Runs work after a delay on a queue of the library, or in this thread's simulation.
    package static func async(
        on queue: DispatchQueue, after milliseconds: Int, _ work: @escaping @Sendable () -> Void
    ) {
        guard let stage = current else {
            return queue.asyncAfter(deadline: .now() + .milliseconds(milliseconds), execute: work)
        }
        // The clock retains the call until it is due.
        _ = stage.clock.schedule(after: .milliseconds(milliseconds), work)
    }
}
