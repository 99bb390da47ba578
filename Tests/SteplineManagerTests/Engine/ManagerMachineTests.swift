import SteplineSupport
import SteplineTesting
import TestSupport
import Testing

@testable import SteplineManager

@Suite("The manager's machine", .timeLimit(.minutes(5)))
struct ManagerMachineTests {
    @Test func `random messages in every order lead where the model says`() {
        let seed = Chance.seed
        for round in 0..<min(Chance.rounds(20), 1_000) {
            var duet = Duet(seed: seed &+ UInt64(round))
            for number in 0..<150 {
                duet.step()
                guard duet.agree() else { return print("round \(round), step \(number)") }
            }
            duet.drain()
            guard duet.agree() else { return print("round \(round), at the end") }
            // Each has ended once and is told once.
            #expect(
                duet.reported.count == duet.records.count && Set(duet.reported).count == duet.reported.count)
            #expect(duet.model.tasks.allSatisfy { if case .ended = $0.stage { true } else { false } })
        }
    }

    @Test func `the settlement of a hold is void after a question that timed out`() throws {
        let face = MachineFace(
            ManagerRules(
                interceptors: ["login", "slow"], reactors: [], answerTimeout: .seconds(1),
                grace: .seconds(1), maximumWaiting: nil), maximumConcurrency: 4)
        let runner = Runner()
        func ask() throws -> (record: TaskRecord, round: Int) {
            let record = TaskRecord(
                TaskTerms(name: "task", tags: [], delay: .zero, deadline: nil, reactor: nil))
            face.update { $0.add(record, starts: true, &$1) }
            let work = face.update { $0.arrive(runner, &$1) }
            guard case .interception(let asked, _, _, let round, _)? = work, asked === record else {
                throw Broken()
            }
            return (record, round)
        }
        func hold(_ asked: (record: TaskRecord, round: Int)) {
            let answers = [InterceptAnswer(command: .hold, limits: HoldLimits())]
            face.update { _ = $0.intercepted(asked.record, .each(answers), round: asked.round, &$1) }
        }
        let first = try ask()
        hold(first)
        let second = try ask()
        face.update { $0.settleHeld(by: 0, .failed(Broken()), &$1) }
        face.clock.advance(by: .seconds(1))
        #expect(first.record.stage.end == .failed && second.record.stage.end == .failed)
        let third = try ask()
        hold(third)
        #expect(third.record.stage.isHeld(by: 0))
    }

    @Test func `a task that waits for a lane begins though the one before it is cancelled in the queue`() {
        let face = MachineFace(
            ManagerRules(
                interceptors: [], reactors: [], answerTimeout: .seconds(1), grace: .seconds(1),
                maximumWaiting: nil), maximumConcurrency: 4)
        let records = (0..<3).map { _ in
            TaskRecord(TaskTerms(name: "task", tags: [], delay: .zero, deadline: nil, reactor: nil))
        }
        for record in records {
            record.stand.lane = TaskLane("one at a time", limit: 1)
            face.update { $0.add(record, starts: true, &$1) }
        }
        face.update { $0.pause(&$1) }
        // The lane is free for the second now, which goes before it can begin.
        face.update { $0.bodyEnded(records[0], attempt: 1, nil, &$1) }
        face.update { _ = $0.cancel(records[1], .requested, &$1) }
        face.update { $0.resume(&$1) }
        #expect(records.map(\.attemptNumber) == [1, 0, 1])
    }

    @Test(arguments: [4, 0])
    func `a deferred task ends though its manager was paused or full, and is released`(room: Int) {
        let face = MachineFace(
            ManagerRules(
                interceptors: [], reactors: [], answerTimeout: .seconds(1), grace: .seconds(1),
                maximumWaiting: nil), maximumConcurrency: room)
        let record = TaskRecord(
            TaskTerms(name: "task", tags: [], delay: .seconds(1), deadline: nil, reactor: nil))
        face.update { $0.pause(&$1) }
        face.update { $0.add(record, starts: true, &$1) }
        face.update { $0.ownerIsGone(&$1) }
        face.clock.advance(by: .seconds(1))
        #expect(record.attemptNumber == (room > 0 ? 1 : 0))
        #expect((record.stage.end == .cancelled) == (room == 0))
    }
}
