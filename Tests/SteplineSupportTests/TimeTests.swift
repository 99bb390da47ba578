import SteplineSupport
import SteplineTesting
import Testing

@Suite("Timers and clocks", .timeLimit(.minutes(5)))
struct TimeTests {
    @Test(
        "Values come out by deadline, equal ones in order, against a plain model",
        arguments: [3, 11] as [UInt64])
    func heap(seed: UInt64) {
        var bits = seed
        func random(_ bound: UInt64) -> UInt64 {
            bits = bits &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return (bits >> 33) % bound
        }
        var heap = TimerHeap<Int>()
        var model: [(deadline: Int, value: Int, id: UInt64)] = []
        for value in 0..<3000 {
            let deadline = Int(random(100))
            let (id, isFirst) = heap.insert(value, deadline: .seconds(deadline))
            #expect(isFirst == model.allSatisfy { deadline < $0.deadline })
            model.append((deadline, value, id))
            if random(3) == 0 {
                let victim = model.remove(at: Int(random(UInt64(model.count))))
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

    @Test("PL-56: the system's clock calls in order of deadline, and not what was withdrawn")
    func systemClock() async {
        let told = Recorder<Int>()
        let before = SystemClock.shared.uptime
        let withdrawn = SystemClock.shared.schedule(after: .seconds(3600)) { told.record(0) }
        // Far enough from each other that a thread held up doesn't find both due at once.
        SystemClock.shared.schedule(after: .seconds(2)) { told.record(2) }
        SystemClock.shared.schedule(after: .zero) { told.record(1) }
        withdrawn.cancel()
        await told.waitForCount(2)
        #expect(told.values == [1, 2])
        #expect(SystemClock.shared.uptime - before >= .seconds(2))
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
