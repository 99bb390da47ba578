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
                case .notified(let number, let change, let starts):
                    log.append("dependents")
                    machine.listenersNotified(number, change: change, starts: starts, &turn)
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
}
