import SteplineEngine
import SteplineSupport

/// What a step waits for before each of its attempts: its turn by its rate, and places of pools.
struct FlowTurn: Sendable {
    let pace: FlowPace?
    let places: [Pool: Int]
    /// Which of those that wait for a pool go first.
    let priority: Priority

    /// Waits for the turn, and takes it.
    ///
    /// `watch` is told when a wait begins, and when it is over.
    func take(_ clock: any StepClock, _ watch: (@Sendable (Bool) -> Void)?) async throws -> FlowPass {
        // Before the places: of one step only one that waits for its time keeps places from others.
        let paced = try await pace?.line(watch)
        defer { paced?.giveBack() }
        let pass = try await FlowPass.take(places, priority, watch)
        do {
            try await pace?.wait(clock, watch)
        } catch {
            pass.giveBack()
            throw error
        }
        return pass
    }
}

/// How often a step begins, in all tasks and elements together.
final class FlowPace: Sendable {
    private let interval: Duration
    private let first = Pool(capacity: 1)
    /// When the next one may begin.
    private let next = Locked(Duration.zero)

    init(perSecond rate: Double) { interval = .seconds(1 / rate) }

    /// Waits until nobody else waits for the time of the next.
    fileprivate func line(_ watch: (@Sendable (Bool) -> Void)?) async throws -> FlowPass {
        try await FlowPass.take([first: 1], .normal, watch)
    }

    /// Waits for the time of the next, to be called by the first in line.
    fileprivate func wait(_ clock: any StepClock, _ watch: (@Sendable (Bool) -> Void)?) async throws {
        let left = next.withLock { $0 } - clock.uptime
        if left > .zero {
            watch?(true)
            defer { watch?(false) }
            try await clock.sleep(for: left)
        }
        let begin = clock.uptime
        next.withLock { $0 = begin + interval }
    }
}

/// Places that were taken of pools.
struct FlowPass: Sendable {
    private let request: PoolRequest

    /// Waits for all the places together.
    fileprivate static func take(
        _ places: [Pool: Int], _ priority: Priority, _ watch: (@Sendable (Bool) -> Void)?
    ) async throws -> FlowPass {
        let granted = OneShot<Void>()
        let request = PoolRequest(places, priority: priority) { _ in granted.fulfill(()) }
        if !request.take() {
            watch?(true)
            await withTaskCancellationHandler {
                await granted.value
            } onCancel: {
                granted.fulfill(())
            }
            watch?(false)
        }
        guard !Task.isCancelled else {
            request.giveBack()
            throw CancellationError()
        }
        return FlowPass(request: request)
    }

    func giveBack() { request.giveBack() }
}

/// The turns of a file's steps, for all that run it.
struct FlowTurns: Sendable {
    private let pools: [String: Pool]
    /// By the places of the steps in the file.
    private let paces: [Int: FlowPace]

    init(_ file: FlowFile) {
        var pools: [String: Pool] = [:]
        for pool in file.pools { pools[pool.name] = Pool(capacity: pool.capacity) }
        self.pools = pools
        var paces: [Int: FlowPace] = [:]
        for step in file.tasks.flatMap(\.steps) {
            if let rate = step.rate { paces[step.offset] = FlowPace(perSecond: rate) }
        }
        self.paces = paces
    }

    /// What a step waits for; nil for one that waits for nothing.
    ///
    /// `isPaced` is false where nothing is asked of others that could mind.
    func turn(of step: FlowStep, isPaced: Bool) -> FlowTurn? {
        guard step.hasTurn else { return nil }
        var places: [Pool: Int] = [:]
        for (pool, weight) in step.policies.pools {
            if let pool = pools[pool.name] { places[pool] = weight }
        }
        return FlowTurn(
            pace: isPaced ? paces[step.offset] : nil, places: places,
            priority: step.policies.priority ?? .normal)
    }
}
