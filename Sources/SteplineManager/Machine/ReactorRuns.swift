import SteplineEngine
import SteplineSupport

/// The current runs of the reactors and the tasks that wait for them.
///
/// | Run | Body (`attempt`) | Meaning |
/// | --- | --- | --- |
/// | nil | waiting, ended | the reactor is idle |
/// | set | running | the run's body is live |
/// | set | stopping, then queued | the run waits for the body of the previous run |
/// | nil | stopping | the run has timed out, its body is still live |
///
/// Each reactor has at most one run and one live body. Tasks that trigger a reactor with a current run join this run. A
/// run suspends the manager if its configuration says so.
///
/// `rooms` has one entry per reactor. A moment is a sequence number of `ManagerMachine.nextMoment()`, not a time.
struct ReactorRuns {
    /// A run that has begun, or waits for the body of the previous run.
    struct Run {
        let number: Int
        let members: RunMembers
        let suspends: Bool
        let since: Instant
        let timeout: Duration?
        /// The tasks that triggered or joined the run.
        fileprivate(set) var joined: [TaskRecord]
    }

    /// The values that a run's body needs to begin.
    struct Order: Sendable {
        let reactor: Int
        let number: Int
        let attempt: UInt32
        let members: RunMembers
        let runner: Runner
    }

    /// The state of one reactor.
    private struct Room {
        var run: Run?
        /// The state of the reactor's bodies.
        var attempt = Attempt()
        var runner: Runner?
        /// The moment at which the last successful run ended.
        var lastSuccess = 0
    }

    private var rooms: [Room]
    private var lastRun = 0

    init(reactors: Int) { rooms = [Room](repeating: Room(), count: reactors) }

    /// Whether no run is active.
    var isIdle: Bool { rooms.allSatisfy { $0.run == nil } }

    func run(of reactor: Int) -> Run? { rooms[reactor].run }

    /// Whether a body is live that hasn't been given up.
    func hasBody(_ reactor: Int) -> Bool { rooms[reactor].attempt.hasBody }

    /// Returns whether the last successful run ended after a moment, and no run is active.
    func isRepaired(_ reactor: Int, since mark: Int) -> Bool {
        mark < rooms[reactor].lastSuccess && rooms[reactor].run == nil
    }

    /// Joins the current run and returns its number; nil if there is none.
    mutating func join(_ reactor: Int, _ record: TaskRecord) -> Int? {
        guard let run = rooms[reactor].run else { return nil }
        // Two lists: the run's body reads `members` on its thread, the machine reads `joined`.
        run.members.join(record)
        rooms[reactor].run?.joined.append(record)
        return run.number
    }

    /// Creates a run; the order is nil if the body of the previous run is still live.
    mutating func make(
        _ reactor: Int, _ record: TaskRecord, _ configuration: ReactorConfiguration, at now: Instant
    ) -> (number: Int, Order?) {
        lastRun += 1
        rooms[reactor].run = Run(
            number: lastRun, members: RunMembers(record), suspends: configuration.suspendsTaskQueue,
            since: now,
            timeout: configuration.timeout, joined: [record])
        return (lastRun, rooms[reactor].attempt.enqueue() ? begin(reactor) : nil)
    }

    private mutating func begin(_ reactor: Int) -> Order? {
        guard let run = rooms[reactor].run, let attempt = rooms[reactor].attempt.begin() else { return nil }
        let runner = Runner()
        rooms[reactor].runner = runner
        return Order(
            reactor: reactor, number: run.number, attempt: attempt, members: run.members, runner: runner)
    }

    /// Handles the end of a body; returns the run if its outcome was open, and the order of the next run.
    mutating func bodyEnded(
        _ reactor: Int, attempt: UInt32, hasFailed: Bool, at moment: Int
    ) -> (ended: Run?, Order?) {
        // False if the run has timed out: its tasks have failed already.
        let isOpen = rooms[reactor].attempt.isRunning(attempt)
        _ = rooms[reactor].attempt.end(attempt, hasFailed ? .failure : .success, by: .body)
        let next = follow(reactor, rooms[reactor].attempt.bodyReturned(attempt, isOver: true))
        // After a timeout the reactor may have a new run, which waited for this body: leave it in place.
        guard isOpen else { return (nil, next) }
        if !hasFailed { rooms[reactor].lastSuccess = moment }
        return (take(reactor), next)
    }

    /// Ends a run that exceeded its time limit; also returns the runner to stop if the body had begun.
    mutating func timedOut(_ reactor: Int) -> (ended: Run, stopped: (runner: Runner, attempt: UInt32)?)? {
        // The run ended between the timer and this transaction.
        guard rooms[reactor].run != nil else { return nil }
        var stopped: (Runner, UInt32)?
        if case .running(let attempt) = rooms[reactor].attempt.stop(), let runner = rooms[reactor].runner {
            stopped = (runner, attempt)
        }
        return take(reactor).map { ($0, stopped) }
    }

    /// Gives up the old body; returns the order of the next run.
    mutating func giveUpBody(of reactor: Int) -> Order? {
        follow(reactor, rooms[reactor].attempt.giveUpBody(rooms[reactor].attempt.number))
    }

    private mutating func follow(_ reactor: Int, _ step: Attempt.Step) -> Order? {
        step == .queue ? begin(reactor) : nil
    }

    private mutating func take(_ reactor: Int) -> Run? {
        defer {
            rooms[reactor].run = nil
            rooms[reactor].runner = nil
        }
        return rooms[reactor].run
    }
}

/// The tasks that have triggered or joined a run so far, in order.
///
/// The run's body reads the list on another thread, so the list has a lock of its own.
final class RunMembers: Sendable {
    private let state: Locked<[TaskRecord]>

    init(_ first: TaskRecord) { state = Locked([first]) }

    var list: [TaskRecord] { state.withLock { $0 } }

    func join(_ record: TaskRecord) { state.withLock { $0.append(record) } }
}
