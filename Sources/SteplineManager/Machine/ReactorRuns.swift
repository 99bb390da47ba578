import SteplineEngine
import SteplineSupport

/// The reactors' runs under way, and who waits for them: one run of each reactor, one body at a time.
struct ReactorRuns {
    /// A run that has begun, or waits for the body of the one before.
    struct Run {
        let number: Int
        let members: RunMembers
        let suspends: Bool
        let since: Instant
        let timeout: Duration?
        /// Those that triggered or joined it.
        fileprivate(set) var joined: [TaskRecord]
    }

    /// What a body needs to begin.
    struct Order: Sendable {
        let reactor: Int
        let number: Int
        let attempt: UInt32
        let members: RunMembers
        let runner: Runner
    }

    private struct Room {
        var run: Run?
        /// The life of the reactor's bodies.
        var attempt = Attempt()
        var runner: Runner?
        /// When the last successful run ended, in the machine's count of moments.
        var lastSuccess = 0
    }

    private var rooms: [Room]
    private var lastRun = 0

    init(reactors: Int) { rooms = [Room](repeating: Room(), count: reactors) }

    /// Whether no run is under way.
    var isIdle: Bool { rooms.allSatisfy { $0.run == nil } }

    func run(of reactor: Int) -> Run? { rooms[reactor].run }

    /// Whether a body is live that somebody waits for.
    func hasBody(_ reactor: Int) -> Bool { rooms[reactor].attempt.hasBody }

    /// Whether the last successful run ended after that moment, and none is under way.
    func isRepaired(_ reactor: Int, since mark: Int) -> Bool {
        mark < rooms[reactor].lastSuccess && rooms[reactor].run == nil
    }

    /// Joins the run under way; its number, or nil if there is none.
    mutating func join(_ reactor: Int, _ record: TaskRecord) -> Int? {
        guard let run = rooms[reactor].run else { return nil }
        run.members.join(record)
        rooms[reactor].run?.joined.append(record)
        return run.number
    }

    /// Makes a run; what is to begin now, if no old body is in the way.
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

    /// A body has returned or thrown: the run that has ended by it, if its outcome was open; and what begins next.
    mutating func bodyEnded(
        _ reactor: Int, attempt: UInt32, hasFailed: Bool, at moment: Int
    ) -> (ended: Run?, Order?) {
        let isOpen = rooms[reactor].attempt.isRunning(attempt)
        _ = rooms[reactor].attempt.end(attempt, hasFailed ? .failure : .success, by: .body)
        let next = follow(reactor, rooms[reactor].attempt.bodyReturned(attempt, isOver: true))
        guard isOpen else { return (nil, next) }
        if !hasFailed { rooms[reactor].lastSuccess = moment }
        return (take(reactor), next)
    }

    /// The time of a run is over: the run, and who is to be stopped, if its body had begun.
    mutating func timedOut(_ reactor: Int) -> (ended: Run, stopped: (runner: Runner, attempt: UInt32)?)? {
        guard rooms[reactor].run != nil else { return nil }
        var stopped: (Runner, UInt32)?
        if case .running(let attempt) = rooms[reactor].attempt.stop(), let runner = rooms[reactor].runner {
            stopped = (runner, attempt)
        }
        return take(reactor).map { ($0, stopped) }
    }

    /// Nobody waits for the old body any more; what begins next.
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

/// Those that have triggered or joined a run so far, in order.
final class RunMembers: Sendable {
    private let state: Locked<[TaskRecord]>

    init(_ first: TaskRecord) { state = Locked([first]) }

    var list: [TaskRecord] { state.withLock { $0 } }

    func join(_ record: TaskRecord) { state.withLock { $0.append(record) } }
}
