import SteplineSupport
import SteplineTesting
import TestSupport

@testable import SteplineEngine
@testable import SteplineWorkflow

/// Holding the machine to the model.
extension TermsDuet {
    mutating func compare() {
        for number in held.machine.tasks.all {
            let task = Int(number), entry = model.tasks[task], node = held.machine.tasks[number]
            if node.state != entry.state || Int(node.attempt.number) != entry.attempt {
                fault("\(task) is \(node.state) in \(node.attempt), not \(entry)")
            }
            for (kind, isSet) in timers(task) {
                guard turn.isSet(TaskTimer(number: number, kind: kind)) != isSet else { continue }
                fault("the timer \(kind) of \(task) is\(isSet ? "n't" : "") set: \(node.attempt), \(entry)")
            }
        }
        if held.machine.tasks.live != model.live {
            fault("\(held.machine.tasks.live) bodies, not \(model.live)")
        }
        let free = model.capacity - model.takenPlaces
        if pool.free != free { fault("\(pool.free) places are free, not \(free)") }
        for fault in model.faults { self.fault(fault) }
        if watch.lost > 0 { fault("\(watch.lost) things of a user's were freed under the lock") }
    }

    private func timers(_ task: Int) -> [(AttemptTimer, Bool)] {
        let entry = model.tasks[task], plan = model.plans[task]
        return [
            (.grace, entry.body?.isBounded == true), (.backOff, entry.backsOff),
            (.timeout, plan.hasTimeout && entry.state == .executing && !entry.hasTimedOut),
            (.deadline, entry.isTimed),
            (.watchdog, plan.hasWatchdog && entry.state == .executing && !model.isCondition(task)),
        ]
    }

    /// Everything goes on until nothing does by itself.
    mutating func drain() {
        for _ in 0..<600 {
            for task in model.plans.indices
            where model.isCondition(task) && model.tasks[task].state == .executing {
                _ = held.machine.fulfill(Int32(task), with: nil, &turn)
                _ = model.fulfill(task)
                carryOut()
            }
            switch Int.random(in: 0..<5, using: &random) {
            case 0: begin()
            case 1: endBody()
            case 2: useQueue()
            case 3: endTime()
            default: tellNext()
            }
            carryOut()
            if !faults.isEmpty { return }
            guard live.isEmpty, half.isEmpty, queued.isEmpty, late.isEmpty, !turn.isTelling else { continue }
            if held.machine.run.isSettled { break }
            // Only what waits for time is left.
            fire()
            carryOut()
        }
        for task in model.plans.indices where model.isBusy(task) {
            fault("\(task) is stuck: \(model.tasks[task])")
        }
        if !held.machine.run.isSettled { fault("it has not settled") }
        if !turn.timers.isEmpty { fault("timers are left: \(turn.timers.keys)") }
        // The workflow is gone, and lets go of everything.
        _ = held.machine.disband(&turn)
        _ = turn.takeWork()
        if watch.lost > 0 { fault("\(watch.lost) things of a user's were freed with the workflow") }
    }
}
