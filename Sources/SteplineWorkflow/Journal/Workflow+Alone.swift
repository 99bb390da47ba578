import Foundation
import SteplineEngine
package import SteplineSupport

/// Bodies that are run one by one, for a run whose order another process decides.
extension Workflow {
    /// Gives all that becomes of the tasks to a journal, and lets none begin that isn't asked for by ``runAlone``.
    package func beginAlone(_ journal: any TaskJournal) -> Bool {
        begin(journal) { machine, turn in
            machine.restore([], isCareful: false, isRelaxed: false, isElsewhere: false, &turn)
            machine.holdAll()
        }
    }

    /// Runs one attempt of a task, whose prerequisites stand as it is told; false if its last body isn't over, or the end of
    /// that isn't cleared up after.
    ///
    /// Its end is one awaited entry for the journal, also if another attempt is to follow; ``putBack(_:)`` clears up after it.
    package func runAlone(_ number: Int, attempt: Int, failures: Int, behind given: [RestoredTask]) -> Bool {
        core.change {
            $0.runAlone(Int32(number), attempt: attempt, failures: failures, behind: given, &$1)
        }
    }

    /// Tells the body of an attempt that was begun alone to stop.
    package func stopAlone(_ number: Int, _ reason: CancellationReason) {
        core.change { $0.cancelOne(Int32(number), reason, &$1) }
    }

    /// Whether a body of the task isn't over.
    package func hasBody(_ number: Int) -> Bool { core.look { $0.tasks[Int32(number)].attempt.hasBody } }

    /// Whether the task is cancelled, and its last attempt with it.
    package func isCancelled(_ number: Int) -> Bool {
        core.look { $0.tasks[Int32(number)].state == .cancelled }
    }

    /// Takes a task that was run alone back to where it hasn't begun, whatever became of its end.
    package func putBack(_ numbers: some Sequence<Int>) {
        core.change { machine, turn in
            for number in numbers { machine.putBack(Int32(number), &turn) }
        }
    }

    /// Tells how tasks stand that others look at, such as those inside a task that is given.
    package func place(_ tasks: [RestoredTask]) { core.change { $0.place(tasks, &$1) } }

    /// Makes the tasks of a map's elements, whose list is placed.
    package func fillMap(_ number: Int) throws {
        guard let map = core.look({ $0.object(Int32(number)) }) as? SubworkflowTask else { return }
        map.subworkflow.core.look { $0.journaling?.isAlone = false }
        defer { map.subworkflow.core.look { $0.holdAll() } }
        while try map.fillInside(in: map.subworkflow.core.look { $0.generation }) == nil {}
    }
}

extension WorkflowMachine {
    /// Has each task wait for something that never comes, so that none begins by itself.
    fileprivate mutating func holdAll() {
        journaling?.isAlone = true
        for number in tasks.all { hold(number) }
    }

    private mutating func hold(_ number: Int32) {
        tasks.setState(.pending, number)
        tasks.setMissing(.max / 2, number)
    }

    fileprivate mutating func runAlone(
        _ number: Int32, attempt: Int, failures: Int, behind given: [RestoredTask],
        _ turn: inout WorkflowTurn
    ) -> Bool {
        guard !tasks[number].attempt.hasBody, journaling?.commits[number] == nil else { return false }
        // Its numbers are the caller's.
        journaling?.skipped[number] = nil
        place(given, &turn)
        // It may have been placed itself, as what another task comes behind.
        journaling?.placed.remove(number)
        turn.letGo(of: tasks.clear(number))
        tasks.restore(
            RestoredTask(Int(number), .open, attempt: attempt - 1, failures: failures, ended: .distantPast),
            endedAt: .zero)
        tasks.insert(.durable, number)
        tasks.setMissing(.max / 2, number)
        tasks.setState(.ready, number)
        start(number, &turn)
        return true
    }

    fileprivate mutating func place(_ given: [RestoredTask], _ turn: inout WorkflowTurn) {
        for task in given {
            let number = Int32(task.number)
            let attempt = tasks[number].attempt
            // One that runs here is newer than what is told; one that has told its end may go on.
            guard !attempt.isRunning(attempt.number) else { continue }
            turn.letGo(of: tasks.clear(number))
            tasks.restore(task, endedAt: eventLog.instant(task.ended.timeIntervalSinceReferenceDate))
            journaling?.placed.insert(number)
        }
    }

    fileprivate mutating func putBack(_ number: Int32, _ turn: inout WorkflowTurn) {
        let commit = journaling?.commits.removeValue(forKey: number)
        // What comes of it may be nothing, and then this was the last of it.
        turn.letGo(of: commit)
        // A body that has ended by itself isn't told to stop.
        if commit?.source == .body, let handlers = rare.stopHandlers.removeValue(forKey: number) {
            turn.letGo(of: handlers)
        }
        let isPlaced = journaling?.placed.contains(number) == true
        if !isPlaced, tasks[number].state != .pending { clear(number, .reset, &turn) }
        if let commit {
            if commit.isReported { bodyReported(number, commit.attempt, &turn) }
            if commit.isOver {
                afterBody(number, tasks.bodyReturned(number, commit.attempt, isOver: true), &turn)
            }
        }
        // Others look at it as it was placed.
        if !isPlaced { hold(number) }
    }
}
