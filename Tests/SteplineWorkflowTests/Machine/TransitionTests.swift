import SteplineSupport
import Testing

@testable import SteplineEngine
@testable import SteplineWorkflow

/// The listeners of a change of state, and their order: a machine on its own, whose notifications the test performs.
@Suite("Transitions", .timeLimit(.minutes(5)))
struct TransitionTests {
    /// A machine with one task that has begun.
    private struct Bench {
        var machine = WorkflowMachine(name: "bench", options: WorkflowOptions(), calendar: 0)
        private var turn = WorkflowTurn()
        private var job: TaskJob?
        /// The notifications so far.
        private(set) var log: [String] = []

        init(_ traits: TaskNode.Traits, isEnclosed: Bool = false, notifiesAll: Bool = false) {
            machine.isEnclosed = isEnclosed
            machine.notifiesAll = notifiesAll
            let none = UnsafeBufferPointer<Int32>(start: nil, count: 0)
            _ = machine.add(.closure { 0 }, "", TaskOptions(), traits, after: none, &turn)
            machine.start(0, &turn)
            job = machine.nextJob(&turn)
            notify()
        }

        mutating func end(_ result: AttemptResult) {
            guard let job else { return }
            machine.bodyEnded(job, .over(result), &turn)
            notify()
        }

        mutating func cancel() {
            machine.cancel([0], .requested, &turn)
            notify()
        }

        mutating func reset() {
            machine.reset([0], &turn)
            notify()
        }

        private mutating func notify() {
            while let effect = turn.nextNews() {
                switch effect {
                case .notify(let transition):
                    log.append("\(transition.change.oldState) to \(transition.change.newState)")
                case .notifyEnclosing: log.append("task around")
                case .announce: log.append("workflow")
                case .run(let begun): job = begun
                case .notified(let number, let starts):
                    log.append("dependents")
                    machine.listenersNotified(number, starts: starts, &turn)
                default: break
                }
            }
        }
    }

    @Test func `a task without listeners is counted and notifies nothing`() {
        var bench = Bench([])
        bench.end(.finished(1))
        #expect(bench.log.isEmpty)
        // Added, started, finished, and the workflow's completion.
        #expect(bench.machine.eventLog.count == 4)
    }

    @Test func `dependents of an observed task proceed after its listeners`() {
        var bench = Bench(.watched)
        bench.end(.finished(1))
        #expect(bench.log == ["Ready to Executing", "Executing to Finished", "dependents"])
        #expect(bench.machine.eventLog.count == 4)
    }

    @Test func `hooks are notified of an end, and not of the begin`() {
        var bench = Bench(.hasHooks)
        bench.end(.finished(1))
        #expect(bench.log == ["Executing to Finished", "dependents"])
    }

    @Test func `the workflow's completion is announced between listeners and dependents`() {
        var bench = Bench([], notifiesAll: true)
        bench.end(.finished(1))
        #expect(bench.log == ["Ready to Executing", "Executing to Finished", "workflow", "dependents"])
    }

    @Test func `the task around is notified of a failure after the listeners`() {
        var bench = Bench(.watched, isEnclosed: true)
        bench.end(.failed(TaskFailure(nil), retryAfter: nil))
        #expect(bench.log == ["Ready to Executing", "Executing to Failed", "task around", "dependents"])
    }

    @Test func `cancel and reset notify once each, and the reset task becomes Ready after its listeners`() {
        var bench = Bench(.watched, isEnclosed: true)
        bench.cancel()
        bench.reset()
        #expect(
            bench.log == [
                "Ready to Executing", "Executing to Cancelled", "task around", "Cancelled to Pending",
                "dependents", "Pending to Ready",
            ])
    }

    @Test(
        "of several ready tasks with listeners one begins, also while another thread notifies",
        arguments: [false, true])
    func onlyOneBegins(isNotifyingElsewhere: Bool) throws {
        var machine = WorkflowMachine(name: "bench", options: WorkflowOptions(), calendar: 0)
        var turn = WorkflowTurn()
        machine.notifiesAll = true
        let none = UnsafeBufferPointer<Int32>(start: nil, count: 0)
        for _ in 0..<3 { _ = machine.add(.closure { 0 }, "", TaskOptions(), [], after: none, &turn) }
        for number: Int32 in 0..<3 { machine.start(number, &turn) }
        if isNotifyingElsewhere {
            turn.tell(.settle)
            #expect(turn.takeWork().tells)
            turn.telling(by: 0)
        }
        #expect(machine.nextJob(&turn) == nil)
        #expect(machine.tasks.counts[.executing] == 1)
        #expect(machine.tasks.counts[.ready] == 2)
    }

    @Test func `a task without listeners begins while another thread notifies those of the task before`() {
        var machine = WorkflowMachine(name: "bench", options: WorkflowOptions(), calendar: 0)
        var turn = WorkflowTurn()
        let none = UnsafeBufferPointer<Int32>(start: nil, count: 0)
        for traits: TaskNode.Traits in [.watched, []] {
            _ = machine.add(.closure { 0 }, "", TaskOptions(), traits, after: none, &turn)
        }
        for number: Int32 in 0..<2 { machine.start(number, &turn) }
        turn.tell(.settle)
        #expect(turn.takeWork().tells)
        turn.telling(by: 0)
        #expect(machine.nextJob(&turn)?.number == 1)
        #expect(machine.tasks.counts[.executing] == 2)
    }

    @Test func `a reset that a cancel overtakes does not make its task Ready, and the last one does`() {
        var machine = WorkflowMachine(name: "bench", options: WorkflowOptions(), calendar: 0)
        var turn = WorkflowTurn()
        let none = UnsafeBufferPointer<Int32>(start: nil, count: 0)
        _ = machine.add(.closure { 0 }, "", TaskOptions(), .watched, after: none, &turn)
        // Each cancel overtakes the effect of the reset before it.
        for _ in 0..<3 {
            machine.cancel([0], .requested, &turn)
            machine.reset([0], &turn)
        }
        var states: [WorkflowTask.State] = []
        while let effect = turn.nextNews() {
            guard case .notified(let number, let starts) = effect else { continue }
            machine.listenersNotified(number, starts: starts, &turn)
            states.append(machine.tasks[0].state)
        }
        #expect(states == [.pending, .pending, .ready])
        #expect(machine.rare.notifications == 0 && machine.rare.overtaken.isEmpty)
    }
}
