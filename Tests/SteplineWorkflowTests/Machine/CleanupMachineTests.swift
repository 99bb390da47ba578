import SteplineSupport
import Testing

@testable import SteplineEngine
@testable import SteplineWorkflow

@Suite(.timeLimit(.minutes(5)))
struct CleanupMachineTests {
    @Test("WF-58: a place in line from before lets nothing begin beside the cleanup that guards it")
    func oldPlace() throws {
        var machine = WorkflowMachine(name: "", options: WorkflowOptions(), calendar: 0)
        var turn = WorkflowTurn()
        func add(_ traits: TaskNode.Traits, after places: [Int32]) {
            places.withUnsafeBufferPointer { places in
                _ = machine.add(
                    .closure { () }, "", TaskOptions(), traits, after: places, allowing: [], &turn)
            }
        }
        add([], after: [])
        add([.cleanup, .isExternal], after: [0])
        machine.start(0, &turn)
        var next = machine.nextJob(&turn)
        let first = try #require(next)
        let failure = TaskFailure(CancellationError())
        machine.bodyEnded(first, .over(.failed(failure, retryAfter: .seconds(1))), &turn)
        machine.timerFired(TaskTimer(number: 0, kind: .backOff), &turn)
        // The task is queued now; the queue isn't read before the next messages.
        machine.cancel([0], .requested, &turn)
        let external = machine.external.takeFresh()
        next = machine.beginExternal(try #require(external?.first), &turn)
        let cleanup = try #require(next)
        machine.retry([0], &turn)
        next = machine.nextJob(&turn)
        #expect(next == nil)
        machine.bodyEnded(cleanup, .over(.finished(nil)), &turn)
        next = machine.nextJob(&turn)
        #expect(next?.number == 0)
    }
}
