import Dispatch
import SteplineSupport
import Synchronization

import class Foundation.Thread

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A job for ``Workers``; engines conform themselves, so enqueueing allocates nothing.
package protocol WorkerJob: AnyObject, Sendable {
    /// Runs the waiting work on the worker's thread, until ``Worker/isAwaited`` asks for the thread.
    func run(on worker: Worker)
}

/// The interface of a worker to its pool.
protocol WorkerPool: AnyObject, Sendable {
    /// Whether jobs wait for a worker: a hint that takes no lock.
    var hasWaitingJobs: Bool { get }
    /// Marks the worker as idle until `stepBack`, so another worker can use its core.
    func stepAside(_ worker: Worker)
    func stepBack(_ worker: Worker)
}

/// A thread of the pool, which runs synchronous bodies.
///
/// The thread itself calls ``beginBody()``, ``pause(_:)`` and `park`. The watch reads `reading` from its own thread;
/// the pool calls `wake` from any thread.
@usableFromInline
package final class Worker: Sendable {
    /// The worker of all simulated work; other simulated work always waits for its thread.
    package static let staged = Worker(of: nil)

    /// The pool of the worker; nil in a simulation.
    private let pool: (any WorkerPool)?
    private let wakeup = DispatchSemaphore(value: 0)
    private let bodies = Atomic<UInt64>(0)
    /// The path of the thread's status file on Linux; the thread sets it before its first job.
    private let place = Locked<String?>(nil)

    init(of pool: (any WorkerPool)?) { self.pool = pool }

    /// Counts a body that begins on this thread; a job calls this once per body, so the watch detects a body that
    /// blocks.
    @inline(__always)
    @usableFromInline
    // Relaxed: the count publishes no other memory. The watch only compares it with an earlier value.
    package func beginBody() { bodies.wrappingAdd(1, ordering: .relaxed) }

    /// Whether other jobs wait for a thread; a long job then enqueues itself again at the end.
    package var isAwaited: Bool { pool?.hasWaitingJobs ?? true }

    /// Returns whether other jobs come first after `bodies` bodies.
    ///
    /// - Parameters:
    ///   - bodies: The number of bodies that the job has run.
    ///   - share: The number of bodies that is a fair share.
    /// - Returns: True if the share is used up and jobs wait; always true in a simulation.
    @usableFromInline
    package func mayChange(after bodies: Int, of share: Int) -> Bool {
        pool.map { bodies >= share && $0.hasWaitingJobs } ?? true
    }

    /// Sleeps for some microseconds while another worker may use this worker's core; returns at once in a simulation.
    package func pause(_ microseconds: UInt32) {
        guard let pool else { return }
        pool.stepAside(self)
        usleep(microseconds)
        pool.stepBack(self)
    }

    // MARK: For the pool

    /// Names the thread and finds its status file; called once, on the thread itself.
    func settleIn() {
        Thread.current.name = "stepline.worker"
        #if os(Linux)
            var name = [CChar](repeating: 0, count: 64)
            // The link contains the numbers of process and thread, by which other threads can read the file.
            let length = readlink("/proc/thread-self", &name, name.count - 1)
            guard length > 0 else { return }
            let path = String(decoding: name[..<length].lazy.map(UInt8.init(bitPattern:)), as: UTF8.self)
            place.withLock { $0 = "/proc/\(path)/stat" }
        #endif
    }

    /// The observable state of the thread; valid only while the worker belongs to the pool.
    var reading: WorkerReading {
        WorkerReading(bodies: bodies.load(ordering: .relaxed), isAsleep: isAsleep)
    }

    /// Whether the thread sleeps; nil where the system doesn't report this.
    private var isAsleep: Bool? {
        // Linux only: elsewhere the path is never set, and a blocked worker counts as computing.
        guard let path = place.withLock({ $0 }) else { return nil }
        let file = open(path, O_RDONLY)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var text = [UInt8](repeating: 0, count: 256)
        let count = read(file, &text, text.count)
        // The state follows the name in brackets. The name may contain brackets, so search from the end.
        guard count > 0, let end = text[..<count].lastIndex(of: UInt8(ascii: ")")), end + 2 < count else {
            return nil
        }
        // One letter follows the bracket and a space: R is a thread that runs or waits for a core.
        return text[end + 2] != UInt8(ascii: "R")
    }

    func wake() { wakeup.signal() }

    /// Waits to be woken; returns false after the time limit.
    func park(atMost limit: DispatchTimeInterval) -> Bool {
        wakeup.wait(timeout: .now() + limit) == .success
    }

    /// Waits for a wake-up that is certain to come.
    func awaitWaking() { wakeup.wait() }
}

/// The observable state of a worker.
struct WorkerReading {
    /// The number of bodies that the worker has begun.
    var bodies: UInt64
    /// Whether the thread sleeps, as in a lock or a read; nil where this is unknown.
    ///
    /// A thread that only waits for a core doesn't sleep.
    var isAsleep: Bool?
}
