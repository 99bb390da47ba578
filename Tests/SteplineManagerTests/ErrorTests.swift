import Foundation
import SteplineManager
import SteplineSupport
import SteplineTesting
import Testing

@Suite("TaskManagerError", .timeLimit(.minutes(5)))
struct ErrorTests {
    let bodies = Recorder<Int>()

    private func error(_ handle: TaskHandle<Int>) async throws -> TaskManagerError {
        guard case .failure(let error as TaskManagerError) = await handle.outcome() else {
            throw Broken()
        }
        return error
    }

    @Test("MG-84: a time-out says whose, which attempt, which limit, how long; and reads as one line")
    func timeout() async throws {
        let clock = ManualClock(), gate = Gate()
        let manager = TaskManager(options: .init(clock: clock))
        let handle = manager.add(
            Count(gate: gate, bodies: bodies), options: .init(timeout: .seconds(30), deadline: .seconds(90)))
        await gate.waitForArrivals()
        await clock.waitForScheduled(after: .seconds(30))
        clock.advance(by: .seconds(30))
        let error = try await error(handle)
        #expect(error.code == .timedOut && error.handle == handle.identifier && error.subject == "count")
        #expect(error.place == "\(handle), attempt 1")
        #expect(error.attempt == 1 && error.limit == .attempt && error.duration == .seconds(30))
        #expect("\(error)" == "count (\(handle), attempt 1) timed out after 30 s")
        #expect(error.localizedDescription == "\(error)" && error.errorDescription == "\(error)")
        let late = manager.add(
            Count(bodies: bodies), options: .init(after: .seconds(99), deadline: .seconds(1)))
        clock.advance(by: .seconds(1))
        let total = try await self.error(late)
        #expect(total.limit == .total && total.attempt == 0)
        #expect("\(total)" == "count (\(late)) timed out after 1 s")
        gate.open()
    }

    @Test("MG-84: actor and cause; equal in all but the cause; caught by code")
    func parts() async throws {
        let failing = { (number: Int) in
            TaskManager(reactors: [
                Reacting(
                    name: "login", configuration: .init(requeuesTask: true),
                    runs: { _ in throw Broken(number: number) })
            ])
        }
        let handle = failing(1).add(Count(fails: true, bodies: bodies))
        let one = try await error(handle)
        #expect(one.actor == "login" && (one.underlying as? Broken)?.number == 1)
        #expect("\(one)".contains("(login): Broken(number: 1)"))
        #expect(one.underlying(as: Broken.self) == Broken(number: 1))
        let other = try await error(failing(2).add(Count(fails: true, bodies: bodies)))
        // Of another handle.
        #expect(one != other && one == one)
        let discarded = TaskManager(interceptors: [Asking(name: "door") { _ in .discard }]).add(
            Count(bodies: bodies))
        do {
            _ = try await discarded.value
            Issue.record("a discarded task has a value")
        } catch TaskManagerError.Code.discarded {
            let error = try await error(discarded)
            #expect(error.actor == "door" && error.place == "\(discarded)")
        }
    }
}
