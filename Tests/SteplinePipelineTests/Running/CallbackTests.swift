import Foundation
import SteplinePipeline
import SteplineSupport
import SteplineTesting
import TestSupport
import Testing

@Suite("Callbacks", .timeLimit(.minutes(5)))
struct CallbackTests {
    private final class Owner: Sendable {}

    @Test("PL-57: an owner isn't retained, its death changes nothing, and a new object is never taken for it")
    func owners() async throws {
        let reported = Recorder<Int>()
        let gate = Gate()
        let pipeline = try makePipeline([held(at: gate)])
        var owner: Owner? = Owner()
        weak let weakOwner = owner
        pipeline.onSuccess(for: owner) { _ in reported.record(1) }
        pipeline.onSuccess(for: owner) { _ in reported.record(2) }
        owner = nil
        #expect(weakOwner == nil)
        try pipeline.start()
        for _ in 0..<1000 { pipeline.removeSuccessCallbacks(of: Owner()) }
        gate.open()
        #expect(await pipeline.outcome().word == "succeeded")
        #expect(reported.values == [1, 2])
    }

    @Test("PL-58: callbacks of one queue come one by one in order of registration, on that queue")
    func queues() async throws {
        let key = DispatchSpecificKey<String>()
        let queue = DispatchQueue(label: "stepline.test.callbacks")
        queue.setSpecific(key: key, value: "own")
        let reported = Recorder<String>()
        let pipeline = try makePipeline([plain()])
        for number in 0..<20 {
            pipeline.onSuccess(on: queue) { _ in
                reported.record("\(number) \(DispatchQueue.getSpecific(key: key) ?? "other")")
            }
        }
        try pipeline.start()
        await reported.waitForCount(20)
        #expect(reported.values == (0..<20).map { "\($0) own" })
    }

    @Test(
        "PL-58, 61: on concurrent queues they come one by one, late ones behind the others, and block no end",
        arguments: [true, false])
    func oneByOne(isGlobal: Bool) async throws {
        let own = DispatchQueue(label: "stepline.test.late", attributes: .concurrent)
        // On Linux a global queue is an object of its own each time it is asked for.
        func queue() -> DispatchQueue { isGlobal ? .global() : own }
        let gate = Gate()
        let reported = Recorder<Int>()
        let pipeline = try makePipeline([plain()])
        pipeline.onSuccess(on: queue()) { _ in
            gate.block()
            reported.record(1)
        }
        pipeline.onSuccess(on: queue()) { _ in reported.record(2) }
        try await pipeline.run()
        await gate.waitForArrivals()
        for number in 3...4 { pipeline.onSuccess(on: queue()) { _ in reported.record(number) } }
        // Whatever the queue was given before has begun when this does.
        await withCheckedContinuation { (waiter: CheckedContinuation<Void, Never>) in
            queue().async { waiter.resume() }
        }
        #expect(reported.values == [])
        gate.open()
        await reported.waitForCount(4)
        #expect(reported.values == [1, 2, 3, 4])
    }

    @Test("PL-58: they are released, with all they captured, after delivery or when dropped")
    func released() async throws {
        let pipeline = try makePipeline([plain()])
        var owners: [Owner] = [Owner(), Owner()]
        weak let delivered = owners[0]
        weak let dropped = owners[1]
        pipeline.onSuccess { [owner = owners[0]] _ in withExtendedLifetime(owner) {} }
        pipeline.onFailure { [owner = owners[1]] _ in withExtendedLifetime(owner) {} }
        owners = []
        #expect(delivered != nil && dropped != nil)
        let isOver = Gate()
        pipeline.onSuccess { _ in isOver.open() }
        try await pipeline.run()
        await isOver.wait()
        await eventually { delivered == nil && dropped == nil }
    }

    @Test("PL-61: added after the end, a callback is told at once; after a cancellation only end callbacks")
    func late() async throws {
        let reported = Recorder<String>()
        let done = try makePipeline([plain()])
        try await done.run()
        done.onSuccess { _ in reported.record("success") }
        done.onFailure { _ in reported.record("failure") }
        done.onEnd { reported.record($0.word) }
        #expect(reported.values == ["success", "succeeded"])
        let cancelled = try makePipeline([plain()])
        cancelled.cancel()
        cancelled.onSuccess { _ in reported.record("success") }
        cancelled.onFailure { _ in reported.record("failure") }
        cancelled.onEnd { reported.record($0.word) }
        #expect(reported.values == ["success", "succeeded", "cancelled"])
    }

    @Test("PL-58, 61: one that comes late gets its own outcome, and takes no other's turn")
    func lateTakesNoTurn() async throws {
        let gate = Gate()
        let reported = Recorder<String>()
        let pipeline = try makePipeline([plain()])
        pipeline.onSuccess { _ in
            gate.block()
            reported.record("first")
        }
        pipeline.onSuccess { _ in reported.record("second") }
        try pipeline.start()
        await gate.waitForArrivals()
        pipeline.onSuccess { _ in reported.record("late") }
        #expect(reported.values == ["late"])
        gate.open()
        await reported.waitForCount(3)
        #expect(reported.values == ["late", "first", "second"])
    }

    @Test("PL-62: a callback removed inside another one isn't called, and all others are")
    func insideCallbacks() async throws {
        let reported = Recorder<String>()
        let removed = Owner()
        let pipeline = try makePipeline([plain()])
        pipeline.onSuccess { [unowned pipeline] _ in
            reported.record("1")
            pipeline.removeSuccessCallbacks(of: removed)
            pipeline.onSuccess { _ in reported.record("added") }
        }
        pipeline.onSuccess(for: removed) { _ in reported.record("removed") }
        pipeline.onSuccess { _ in reported.record("3") }
        try await pipeline.run()
        await reported.waitForCount(3)
        #expect(reported.values.sorted() == ["1", "3", "added"])
        #expect(pipeline.stateWord == "succeeded")
    }

    @Test(arguments: [true, false])
    func `callbacks after an async step don't run on Swift's own threads`(succeeds: Bool) async throws {
        let isInTask = Recorder<Bool>()
        let step = BlockStep<Void, Void>(to: .nothing) { () async throws in
            if !succeeds { throw Broken() }
        }
        let pipeline = try makePipeline([step])
        pipeline.onSuccess { _ in isInTask.record(withUnsafeCurrentTask { $0 != nil }) }
        pipeline.onFailure { _ in isInTask.record(withUnsafeCurrentTask { $0 != nil }) }
        try pipeline.start()
        await isInTask.waitForCount(1)
        #expect(isInTask.values == [false])
    }
}
