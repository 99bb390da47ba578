package import Dispatch
package import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// What takes the place of threads, time and chance for all that one thread begins: a simulation.
///
/// Whoever hands work to another thread, reads the system's clock or rolls dice asks ``Stages/current`` first.
package protocol Stage: AnyObject, Sendable {
    /// The time of the play.
    var clock: any StepClock { get }
    /// Where Swift tasks run that are begun on the stage.
    var executor: any TaskExecutor { get }

    /// What goes wrong on purpose.
    var faults: FaultPlan { get }

    /// Adds work that some thread would take up, sooner or later; `isBody` if it is one that a worker has taken.
    func enqueue(isBody: Bool, _ work: @escaping @Sendable () -> Void)

    /// Adds a job for a worker; two that wait are the same, whichever of them comes first.
    func enqueue(_ job: any AnyObject & Sendable, _ work: @escaping @Sendable () -> Void)

    /// Says what happens, in the words of whoever reads the story; costs nothing where nobody does.
    func note(_ text: @autoclosure () -> String)

    /// Says that something goes on which the stage doesn't rule.
    func noteForeign(_ what: @autoclosure () -> String)

    /// The next number of chance.
    func random() -> UInt64

    /// What the process has one of, and so has the stage: made the first time, of its own, so that nothing outside
    /// decides what comes next.
    func own<Thing: AnyObject & Sendable>(_ make: () -> Thing) -> Thing
}

/// The stage that a thread plays on.
package enum Stages {
    /// How many there are in the process: as long as there is none, asking costs one look.
    @usableFromInline static let count = Atomic<Int>(0)

    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key, nil)
        return key
    }()

    /// Whether some thread plays.
    @inlinable package static var areAny: Bool { count.load(ordering: .relaxed) > 0 }

    /// The stage of this thread; nil on nearly all of them.
    @inlinable package static var current: (any Stage)? { areAny ? ofThisThread : nil }

    @usableFromInline static var ofThisThread: (any Stage)? {
        guard let place = pthread_getspecific(key) else { return nil }
        return place.assumingMemoryBound(to: (any Stage).self).pointee
    }

    /// Plays on a stage for as long as `body` takes.
    package static func play<Result>(on stage: any Stage, _ body: () throws -> Result) rethrows -> Result {
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
    /// Does something soon on a queue of the library's own, or on the stage if this thread plays.
    package static func async(on queue: DispatchQueue, _ work: @escaping @Sendable () -> Void) {
        guard let stage = current else { return queue.async(execute: work) }
        stage.enqueue(isBody: false, work)
    }

    /// The same when some time has passed.
    package static func async(
        on queue: DispatchQueue, after milliseconds: Int, _ work: @escaping @Sendable () -> Void
    ) {
        guard let stage = current else {
            return queue.asyncAfter(deadline: .now() + .milliseconds(milliseconds), execute: work)
        }
        // Kept by the clock until then.
        _ = stage.clock.schedule(after: .milliseconds(milliseconds), work)
    }
}
