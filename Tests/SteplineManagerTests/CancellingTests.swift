import Dispatch
import SteplineManager
import SteplineSupport
import SteplineTesting
import Testing

@Suite("Cancelling is decided at one instant", .timeLimit(.minutes(5)))
struct CancellingTests {
    let bodies = Recorder<Int>()

    @Test func `a cancel that comes first is reported alone`() async {
        let manager = TaskManager(), gate = Gate(), reported = Recorder<String>()
        let handle = manager.add(Count(gate: gate, bodies: bodies))
        handle.onSuccess { _ in reported.record("success") }
        handle.onFailure { _ in reported.record("failure") }
        handle.onEnd { reported.record("\($0)") }
        await gate.waitForArrivals()
        #expect(handle.cancel("enough"))
        gate.open()
        #expect(reported.values == ["cancelled: enough"])
    }

    @Test func `a cancel that comes too late says so, and leaves the outcome and its callbacks elsewhere`()
        async throws
    {
        let manager = TaskManager(), reported = Recorder<String>(), queue = DispatchQueue(label: "callbacks")
        let handle = manager.add(Count(number: 1, bodies: bodies))
        _ = try await handle.value
        queue.suspend()
        handle.onSuccess(on: queue) { reported.record("success \($0)") }
        #expect(!handle.cancel())
        queue.resume()
        await reported.waitForCount(1)
        #expect(handle.currentOutcome?.value == 1 && reported.values == ["success 1"])
    }

    @Test func `on the queue that callbacks were asked for none begins after a cancel there`() async throws {
        for _ in 0..<200 {
            let manager = TaskManager(), reported = Recorder<String>(),
                queue = DispatchQueue(label: "callbacks")
            let gate = Gate()
            let handle = manager.add(Count(number: 1, gate: gate, bodies: bodies))
            handle.onSuccess(on: queue) { _ in reported.record("success") }
            handle.onSuccess { _ in reported.record("elsewhere") }
            handle.onEnd(on: queue) { reported.record("end \($0)") }
            let isFirst: Bool = await withCheckedContinuation { continuation in
                queue.async {
                    gate.open()
                    // On this queue the callbacks come behind this block, whenever the task ends.
                    while !handle.state.isFinished {}
                    let isFirst = handle.cancel()
                    reported.record("returned")
                    continuation.resume(returning: isFirst)
                }
            }
            #expect(!isFirst)
            await reported.waitForCount(3)
            #expect(Set(reported.values) == ["elsewhere", "returned", "end succeeded"])
        }
    }

    @Test func `on the main queue none begins after a cancel on the main thread`() async throws {
        let manager = TaskManager(), reported = Recorder<String>()
        let handle = manager.add(Count(number: 1, bodies: bodies))
        _ = try await handle.value
        await MainActor.run {
            handle.onSuccess(on: .main) { _ in reported.record("success") }
            handle.cancel()
        }
        await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } }
        #expect(reported.count == 0)
    }

    @Test func `a callback may await another task that is cancelled with its own`() async throws {
        let manager = TaskManager(), gate = Gate(), reported = Recorder<Bool>()
        let handles = (0..<2).map { _ in manager.add(Count(gate: gate, bodies: bodies)) }
        await gate.waitForArrivals(2)
        for (handle, other) in zip(handles, handles.reversed()) {
            handle.onEnd { _ in
                let end = DispatchSemaphore(value: 0)
                Task.detached {
                    _ = await other.outcome()
                    end.signal()
                }
                reported.record(end.wait(timeout: .now() + 60) == .success)
            }
        }
        // On a thread of its own: the callbacks block it.
        #expect(await returns { manager.cancelAll() })
        #expect(reported.values == [true, true])
        gate.open()
    }

    @Test func `a requeued attempt waits until the code of the one before has returned`() async throws {
        let manager = TaskManager(reactors: [
            Reacting(configuration: .init(requeuesTask: true, maximumRequeues: 3)) { failed, _ in failed }
        ])
        let tasks = (0..<100).map { number in
            let live = Locked(0), overlaps = Recorder<Int>()
            let handle = manager.add(
                AnyManagedTask<Int>(completing: { done in
                    if live.withLock({
                        $0 += 1; return $0
                    }) > 1 {
                        overlaps.record(number)
                    }
                    // Reports its end before its code has returned.
                    done(throwing: Broken(number: number))
                    live.withLock { $0 -= 1 }
                }))
            return (handle, overlaps)
        }
        for (handle, overlaps) in tasks {
            #expect(await handle.outcome().error is Broken)
            #expect(handle.attempt == 4 && overlaps.count == 0)
        }
    }
}
