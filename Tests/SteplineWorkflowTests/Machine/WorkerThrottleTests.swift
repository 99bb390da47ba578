import SteplineEngine
import Testing

@testable import SteplineWorkflow

/// The decisions of `WorkerThrottle` alone: the test plays the workers and the clock.
@Suite(.timeLimit(.minutes(5)))
struct WorkerThrottleTests {
    /// Two workers, and bodies that take so many nanoseconds from one to the next: by one worker and by two.
    private struct Crew {
        var throttle = WorkerThrottle()
        var now: Int64 = 0
        var begun = 0
        var working = 0
        var isObserving = false
        var lastLook: Int64 = 0
        /// The number of bodies run while two workers worked.
        var shared = 0

        var instant: Instant { Instant(nanoseconds: now) }

        mutating func take(_ part: WorkerThrottle.Part) {
            isObserving = part == .observe
            if part == .work { working += 1 }
        }

        /// Runs one body; then the observer looks.
        mutating func step(alone: Int64, shared: Int64) {
            while working + (isObserving ? 1 : 0) < 2, throttle.call() {
                take(throttle.arrive(at: instant, begun: begun))
            }
            now += working > 1 ? shared : alone
            begun += 1
            if working > 1 { self.shared += 1 }
            if throttle.proceed(at: instant) == .leave {
                throttle.leave(at: instant)
                working -= 1
            }
            guard isObserving, now - lastLook > 50_000 else { return }
            lastLook = now
            take(throttle.look(at: instant, begun: begun, hasWork: true))
        }
    }

    @Test("WF-84, WF-108: if two workers are slower than one, only one works")
    func alone() {
        var crew = Crew()
        for _ in 0..<200_000 { crew.step(alone: 200, shared: 500) }
        #expect(crew.working >= 1)
        #expect(crew.shared < 20_000)
        #expect(crew.now < 200_000 * 200 * 12 / 10)
    }

    @Test("WF-84: if two workers are faster than one, both work", arguments: [Int64(150), 5_000])
    func together(_ shared: Int64) {
        var crew = Crew()
        for _ in 0..<100_000 { crew.step(alone: 2 * shared, shared: shared) }
        #expect(crew.shared > 80_000)
    }

    @Test("WF-83: the observer joins when the other worker's body blocks")
    func blocked() {
        var crew = Crew()
        for _ in 0..<20_000 where !crew.isObserving { crew.step(alone: 200, shared: 500) }
        #expect(crew.isObserving && crew.working == 1)
        crew.now += 50_000
        #expect(crew.throttle.look(at: crew.instant, begun: crew.begun, hasWork: true) == .work)
    }

    @Test("WF-83: an observer without work leaves, and a worker is called when a task may begin")
    func leaves() {
        var crew = Crew()
        for _ in 0..<20_000 where !crew.isObserving { crew.step(alone: 200, shared: 500) }
        var looks = 0
        var part = WorkerThrottle.Part.observe
        while part == .observe, looks < 1_000 {
            crew.now += 50_000
            part = crew.throttle.look(at: crew.instant, begun: crew.begun, hasWork: false)
            looks += 1
        }
        #expect(part == .leave && looks < 1_000)
        #expect(crew.throttle.call() && !crew.throttle.call())
    }

    /// Has one of several workers yield at each begin, until it does; returns whether it did.
    private func yields(pace: Int64, workers: Int, to throttle: inout WorkerThrottle, _ now: inout Int64)
        -> Bool
    {
        for _ in 0..<workers { throttle.join(at: .zero, begun: 0) }
        for begun in 1...200 {
            now += pace
            if throttle.yield(at: Instant(nanoseconds: now), begun: begun) != nil { return true }
        }
        return false
    }

    @Test(
        "WF-84: while another worker notifies, a worker observes if bodies are short",
        arguments: [
            (Int64(1_000), 2, true), (20_000, 2, false), (1_000, 32, false), (1_000, 1, false), (0, 2, false),
        ])
    func yields(pace: Int64, workers: Int, observes: Bool) {
        var throttle = WorkerThrottle()
        var now: Int64 = 0
        #expect(yields(pace: pace, workers: workers, to: &throttle, &now) == observes)
    }

    @Test("WF-83: a worker that has yielded goes on if nothing begins, as that listener blocks")
    func listenerBlocks() {
        var throttle = WorkerThrottle()
        var now: Int64 = 0
        #expect(yields(pace: 1_000, workers: 2, to: &throttle, &now))
        var looks = 0
        var part = WorkerThrottle.Part.observe
        while part == .observe, looks < 1_000 {
            now += 1_000
            looks += 1
            guard throttle.look(at: Instant(nanoseconds: now), begun: 65, hasWork: true) == .work else {
                continue
            }
            part = throttle.yield(at: Instant(nanoseconds: now), begun: 65) ?? .work
        }
        #expect(part == .work && looks < 1_000)
    }
}
