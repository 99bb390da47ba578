import Dispatch
import SteplineSupport
import SteplineTesting
import Testing

@testable import SteplineEngine

/// A closure for the pool.
private final class ClosureJob: WorkerJob {
    let body: @Sendable (Worker) -> Void
    init(_ body: @escaping @Sendable (Worker) -> Void) { self.body = body }
    func run(on worker: Worker) { body(worker) }
}

extension Workers {
    fileprivate func run(_ body: @escaping @Sendable () -> Void) { enqueue(ClosureJob { _ in body() }) }
}

/// The decisions of a pool, without threads: no worker begins a body or computes between two looks.
private struct Crew {
    let pool: Workers
    var roster: WorkerRoster
    var workers: [Worker] = []
    /// Called after a new worker has taken a job.
    var workerBegan: (inout Crew) -> Void = { _ in }

    init(width: Int, maximum: Int = 512) {
        pool = Workers(width: width)
        roster = WorkerRoster(width: width, maximum: { maximum })
    }

    mutating func append() { follow(roster.append(ClosureJob { _ in })) }

    private mutating func follow(_ call: WorkerRoster.Call) {
        guard case .start = call else { return }
        let worker = Worker(of: pool)
        roster.add(worker)
        workers.append(worker)
        guard case .job(_, let next) = roster.next(for: worker, wasLookout: false) else { return }
        follow(next)
        workerBegan(&self)
    }

    /// Looks once at workers that are all in their first bodies.
    mutating func look(areAsleep: Bool) {
        let reading = WorkerReading(bodies: 1, isAsleep: areAsleep)
        for call in roster.look((roster.watched() ?? []).map { ($0, reading) }) { follow(call) }
    }

    /// Looks until no job waits; returns the number of looks, at most 100.
    mutating func lookUntilAllRun() -> Int {
        var looks = 0
        while !roster.jobs.isEmpty, looks < 100 {
            looks += 1
            look(areAsleep: true)
        }
        return looks
    }
}

@Suite(.timeLimit(.minutes(5)))
struct WorkersTests {
    @Test(arguments: [1, 2, 4])
    func `work that waits for later work gets it, however many wait`(width: Int) async {
        // Each waits for the one behind it: nothing ends before all run at once.
        let workers = Workers(width: width, maximum: { 100 })
        let gates = (0..<60).map { _ in DispatchSemaphore(value: 0) }
        let done = DispatchGroup()
        for index in 0..<60 {
            done.enter()
            workers.run {
                if index < 59 { gates[index].wait() }
                if index > 0 { gates[index - 1].signal() }
                done.leave()
            }
        }
        await withCheckedContinuation { continuation in
            done.notify(queue: .global()) { continuation.resume() }
        }
    }

    @Test func `one job added while all workers block runs`() async {
        let workers = Workers(width: 2, maximum: { 8 })
        let gate = DispatchSemaphore(value: 0)
        // Again and again: the watch is over each time, and taken up anew.
        for _ in 0..<20 {
            for _ in 0..<2 { workers.run { gate.wait() } }
            await withCheckedContinuation { continuation in
                workers.run { continuation.resume() }
            }
            for _ in 0..<2 { gate.signal() }
        }
    }

    @Test func `a worker that steps aside lets another take its place`() {
        let pool = Workers(width: 1)
        var roster = WorkerRoster(width: 1, maximum: { 512 })
        let worker = Worker(of: pool)
        _ = roster.append(ClosureJob { _ in })
        roster.add(worker)
        _ = roster.next(for: worker, wasLookout: false)
        _ = roster.append(ClosureJob { _ in })
        guard case .start = roster.stepAside(worker) else {
            Issue.record("no worker is called for the waiting job")
            return
        }
    }

    @Test func `a parked worker that is being woken doesn't leave`() {
        let pool = Workers(width: 1)
        var roster = WorkerRoster(width: 1, maximum: { 512 })
        let worker = Worker(of: pool)
        _ = roster.append(ClosureJob { _ in })
        roster.add(worker)
        _ = roster.next(for: worker, wasLookout: false)
        _ = roster.next(for: worker, wasLookout: false)
        _ = roster.next(for: worker, wasLookout: true)
        guard case .wake = roster.append(ClosureJob { _ in }) else {
            Issue.record("the worker isn't parked")
            return
        }
        let leaves = roster.leave(worker)
        #expect(!leaves)
        guard case .job = roster.next(for: worker, wasLookout: false) else {
            Issue.record("the job is left")
            return
        }
    }

    @Test(arguments: [false, true])
    func `64 jobs that block have 64 workers after at most 4 looks, also if each adds the next`(
        addsNext: Bool
    ) {
        var crew = Crew(width: 2)
        // A workflow adds the next: a worker that has come for one task calls a worker for the next.
        if addsNext { crew.workerBegan = { if $0.workers.count < 64 { $0.append() } } }
        for _ in 0..<(addsNext ? 1 : 64) { crew.append() }
        #expect(crew.workers.count == 2)
        #expect(crew.lookUntilAllRun() <= 4)
        #expect(crew.workers.count == 64)
    }

    @Test func `work that was left to somebody who parks instead is watched over`() {
        let pool = Workers(width: 1)
        var roster = WorkerRoster(width: 1, maximum: { 512 })
        let (first, second) = (Worker(of: pool), Worker(of: pool))
        func job() -> ClosureJob { ClosureJob { _ in } }
        // The first blocks; the second takes its place, and looks out for more.
        guard case .start = roster.append(job()) else {
            Issue.record("no worker is called")
            return
        }
        roster.add(first)
        guard case .job = roster.next(for: first, wasLookout: false) else {
            Issue.record("no job")
            return
        }
        guard case .watch = roster.append(job()) else {
            Issue.record("no watch starts")
            return
        }
        let blocked = WorkerReading(bodies: 1, isAsleep: true)
        for _ in 0..<2 where roster.count == 1 {
            for call in roster.look([(first, blocked)]) {
                if case .start = call { roster.add(second) }
            }
        }
        guard case .job = roster.next(for: second, wasLookout: false) else {
            Issue.record("no job")
            return
        }
        // Nothing waits, so the watch is over.
        guard roster.watched() == nil else {
            Issue.record("still watched")
            return
        }
        guard case .lookOut = roster.next(for: second, wasLookout: false) else {
            Issue.record("no look")
            return
        }
        // Work comes, and is left to the one who looks out; but then the first is at work again.
        guard case .nothing = roster.append(job()) else {
            Issue.record("another worker is called")
            return
        }
        guard case .park(let call) = roster.next(for: first, wasLookout: false) else {
            Issue.record("two are at work on one core")
            return
        }
        guard case .watch = call else {
            Issue.record("no worker handles the waiting job")
            return
        }
    }

    @Test func `bodies that compute get more workers than cores only after many looks`() {
        var crew = Crew(width: 2)
        for _ in 0..<10 { crew.append() }
        for _ in 1...5 { crew.look(areAsleep: false) }
        #expect(crew.workers.count == 2)
        for _ in 1...10 { crew.look(areAsleep: false) }
        #expect(crew.workers.count > 2)
    }

    @Test func `the number of threads never exceeds the limit`() async {
        let workers = Workers(width: 2, maximum: { 5 })
        let gate = DispatchSemaphore(value: 0)
        let done = DispatchGroup()
        let (live, most) = (Locked(0), Locked(0))
        for _ in 0..<20 {
            done.enter()
            workers.run {
                let now = live.withLock { live in
                    live += 1
                    return live
                }
                most.withLock { $0 = max($0, now) }
                gate.wait()
                live.withLock { $0 -= 1 }
                done.leave()
            }
        }
        for _ in 0..<20 { gate.signal() }
        await withCheckedContinuation { continuation in
            done.notify(queue: .global()) { continuation.resume() }
        }
        #expect(most.withLock { $0 } <= 5)
        #expect(workers.count <= 5)
    }

    @Test func `new jobs get no worker while the maximum number of workers block`() {
        var crew = Crew(width: 2, maximum: 5)
        for _ in 0..<10 { crew.append() }
        for _ in 0..<20 {
            crew.look(areAsleep: true)
            crew.append()
        }
        #expect(crew.workers.count == 5 && crew.roster.count == 5)
    }

    @Test func `every job runs once, from however many threads they come`() async {
        let workers = Workers(width: 3)
        let counts = Locked([Int](repeating: 0, count: 4000))
        let done = DispatchGroup()
        await withTaskGroup(of: Void.self) { group in
            for lane in 0..<4 {
                group.addTask {
                    for index in 0..<1000 {
                        done.enter()
                        workers.run {
                            counts.withLock { $0[lane * 1000 + index] += 1 }
                            done.leave()
                        }
                    }
                }
            }
        }
        await withCheckedContinuation { continuation in
            done.notify(queue: .global()) { continuation.resume() }
        }
        #expect(counts.withLock { $0.allSatisfy { $0 == 1 } })
    }

    @Test func `a job that goes on is reported that others wait`() async {
        let workers = Workers(width: 1, maximum: { 1 })
        let started = DispatchSemaphore(value: 0)
        await withCheckedContinuation { continuation in
            workers.enqueue(
                ClosureJob { worker in
                    started.wait()
                    // The job behind it was added before `started`.
                    #expect(worker.isAwaited)
                })
            workers.run { continuation.resume() }
            started.signal()
        }
    }
}
