import Dispatch
import SteplineSupport
import SteplineTesting
import TestSupport
import Testing

@Suite("Timers and clocks", .timeLimit(.minutes(5)))
struct TimeTests {
    @Test func `the system clock's uptime lies between two readings of Dispatch`() {
        let before = DispatchTime.now().uptimeNanoseconds
        let uptime = SystemClock.shared.uptime
        let after = DispatchTime.now().uptimeNanoseconds
        #expect(Duration.nanoseconds(Int64(before)) <= uptime)
        #expect(uptime <= Duration.nanoseconds(Int64(after)))
    }

    @Test(
        "Values come out by deadline, equal ones in order, against a plain model",
        arguments: [0, 1] as [UInt64])
    func heap(round: UInt64) {
        var generator = StableRandom(seed: Chance.seed &+ round)
        func random(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &generator) }
        var heap = TimerHeap<Int>()
        var model: [(deadline: Int, value: Int, id: UInt64)] = []
        /// When a timer goes off that is set for each value that is told to be the first.
        var alarm = Int.max
        for value in 0..<3000 {
            let deadline = random(100)
            let (id, isFirst) = heap.insert(value, deadline: .seconds(deadline))
            if isFirst {
                #expect(model.allSatisfy { deadline < $0.deadline })
                alarm = deadline
            }
            #expect(alarm <= deadline)
            model.append((deadline, value, id))
            if random(3) == 0 {
                let victim = model.remove(at: random(model.count))
                #expect(heap.remove(victim.id) == victim.value)
                #expect(heap.remove(victim.id) == nil)
            }
        }
        model.sort { ($0.deadline, $0.id) < ($1.deadline, $1.id) }
        #expect(heap.firstDeadline == .seconds(model[0].deadline))
        #expect(heap.popFirst(dueBy: .seconds(-1)) == nil)
        var popped: [Int] = []
        while let value = heap.popFirst(dueBy: .seconds(100)) { popped.append(value) }
        #expect(popped == model.map(\.value))
        #expect(heap.isEmpty)
    }

    @Test(
        "PL-56: the system's clock calls no earlier than the delay, past later calls, and nothing withdrawn")
    func systemClock() async {
        let clock = SystemClock.shared, reported = Recorder<Int>()
        let before = clock.uptime
        // The timer is set for this call first, and then for each earlier one.
        let withdrawn = clock.schedule(after: .seconds(3600)) { reported.record(0) }
        clock.schedule(after: .milliseconds(50)) { reported.record(1) }
        await reported.waitForCount(1)
        #expect(clock.uptime - before >= .milliseconds(50))
        clock.schedule(after: .zero) { reported.record(2) }
        await reported.waitForCount(2)
        withdrawn.cancel()
        #expect(reported.values == [1, 2])
    }

    @Test("A subscription ends once, whoever ends it")
    func subscription() async {
        let ends = Recorder<Void>()
        let subscription = Subscription { ends.record(()) }
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<50 { group.addTask { subscription.cancel() } }
        }
        #expect(ends.count == 1)
    }
}
