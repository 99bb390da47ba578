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

/// What ``Workers`` run: an engine conforms itself, so that handing it over allocates nothing.
package protocol WorkerJob: AnyObject, Sendable {
    /// Does the work that waits, on the worker's thread, for as long as is fair to others (see ``Worker/isAwaited``).
    func run(on worker: Worker)
}

/// What a worker asks of the pool that it belongs to.
protocol WorkerPool: AnyObject, Sendable {
    /// Whether jobs wait for a worker: a hint that takes no lock.
    var hasWaitingJobs: Bool { get }
    /// A worker only looks on until `stepBack`: its core is for others.
    func stepAside(_ worker: Worker)
    func stepBack(_ worker: Worker)
}

/// One thread that runs synchronous bodies.
package final class Worker: Sendable {
    /// The worker of all that is played on a stage; others always wait for its thread.
    package static let staged = Worker(of: nil)

    /// Nil on a stage.
    private let pool: (any WorkerPool)?
    private let wakeup = DispatchSemaphore(value: 0)
    private let bodies = Atomic<UInt64>(0)
    /// Where the system tells of the thread; set by the thread itself, before it runs anything.
    private let place = Locked<String?>(nil)

    init(of pool: (any WorkerPool)?) { self.pool = pool }

    /// A body begins on this thread; every job that runs several says so for each, so that one that blocks is found.
    @inline(__always)
    package func beginBody() { bodies.wrappingAdd(1, ordering: .relaxed) }

    /// Whether other work waits for a thread: a job that could go on for long lines up again behind it.
    package var isAwaited: Bool { pool?.hasWaitingJobs ?? true }

    /// Whether others come first after so many bodies, as that is one's fair share; on a stage after each.
    package func mayChange(after bodies: Int, of share: Int) -> Bool {
        pool.map { bodies >= share && $0.hasWaitingJobs } ?? true
    }

    /// Waits so many microseconds, while another worker may take this one's place; on a stage that is no time.
    package func pause(_ microseconds: UInt32) {
        guard let pool else { return }
        pool.stepAside(self)
        usleep(microseconds)
        pool.stepBack(self)
    }

    // MARK: For the pool

    /// Called on the thread itself, once.
    func settleIn() {
        Thread.current.name = "stepline.worker"
        #if os(Linux)
            var name = [CChar](repeating: 0, count: 64)
            let length = readlink("/proc/thread-self", &name, name.count - 1)
            guard length > 0 else { return }
            let path = String(decoding: name[..<length].lazy.map(UInt8.init(bitPattern:)), as: UTF8.self)
            place.withLock { $0 = "/proc/\(path)/stat" }
        #endif
    }

    /// What can be seen of the thread from outside; only while it is among the pool's.
    var reading: WorkerReading {
        WorkerReading(bodies: bodies.load(ordering: .relaxed), isAsleep: isAsleep)
    }

    /// Whether the thread sleeps; nil where the system doesn't tell.
    private var isAsleep: Bool? {
        guard let path = place.withLock({ $0 }) else { return nil }
        let file = open(path, O_RDONLY)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var text = [UInt8](repeating: 0, count: 256)
        let count = read(file, &text, text.count)
        // The state stands behind the name, which is in brackets.
        guard count > 0, let end = text[..<count].lastIndex(of: UInt8(ascii: ")")), end + 2 < count else {
            return nil
        }
        return text[end + 2] != UInt8(ascii: "R")
    }

    func wake() { wakeup.signal() }

    /// Waits to be woken; false if nobody did in that time.
    func park(atMost limit: DispatchTimeInterval) -> Bool {
        wakeup.wait(timeout: .now() + limit) == .success
    }

    /// Waits to be woken by somebody who is on the way.
    func awaitWaking() { wakeup.wait() }
}

/// What can be seen of a worker from outside.
struct WorkerReading {
    /// How many bodies it has begun.
    var bodies: UInt64
    /// Whether it sleeps, as in a lock or a read; nil where that can't be known.
    ///
    /// One that only waits for a core doesn't.
    var isAsleep: Bool?
}
