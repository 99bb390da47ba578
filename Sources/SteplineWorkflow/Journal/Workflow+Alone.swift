import Foundation
import SteplineEngine
package import SteplineSupport

/// A worker's side of a durable run: another process, the owner, decides which attempt runs, and records its end.
extension Workflow {
    /// Sets the journal, and lets no task begin but by `runAlone`.
    package func beginAlone(_ journal: any TaskJournal) -> Bool {
        begin(journal) { machine, turn in
            machine.restore([], isCareful: false, isRelaxed: false, isElsewhere: false, &turn)
            machine.holdAll()
        }
    }

    /// Runs one attempt of a task, after setting the states of its prerequisites.
    ///
    /// The end is one awaited journal entry, also if another attempt follows. ``putBack(_:)`` must follow the end.
    ///
    /// - Returns: False if the task's last body is live, or `putBack` has not followed its end.
    package func runAlone(_ number: Int, attempt: Int, failures: Int, after given: [RestoredTask]) -> Bool {
        core.change {
            $0.runAlone(Int32(number), attempt: attempt, failures: failures, after: given, &$1)
        }
    }

    /// Stops the body of an attempt that `runAlone` began.
    package func stopAlone(_ number: Int, _ reason: CancellationReason) {
        core.change { $0.cancelOne(Int32(number), reason, &$1) }
    }

    /// Whether the task has a live body.
    package func hasBody(_ number: Int) -> Bool { core.look { $0.tasks[Int32(number)].attempt.hasBody } }

    /// Whether the task is cancelled, and its last attempt with it.
    package func isCancelled(_ number: Int) -> Bool {
        core.look { $0.tasks[Int32(number)].state == .cancelled }
    }

    /// Takes tasks that were run alone back to before their begin, recorded or not.
    package func putBack(_ numbers: some Sequence<Int>) {
        core.change { machine, turn in
            for number in numbers { machine.putBack(Int32(number), &turn) }
        }
    }

    /// Sets the states of tasks whose results other bodies read.
    package func place(_ tasks: [RestoredTask]) { core.change { $0.place(tasks, &$1) } }

    /// Makes the tasks of a map's elements; its list must be placed before.
    package func fillMap(_ number: Int) throws {
        guard let map = core.look({ $0.object(Int32(number)) }) as? SubworkflowTask else { return }
        // Otherwise `refusal` would reject the elements.
        map.subworkflow.core.look { $0.journaling?.isAlone = false }
        // The new elements must not begin by themselves either.
        defer { map.subworkflow.core.look { $0.holdAll() } }
        // Nil: the generation has changed since it was read.
        while try map.fillInside(in: map.subworkflow.core.look { $0.generation }) == nil {}
    }

    /// Adds the task of a growing map's element, or gives its task this element.
    ///
    /// - Returns: The task's number inside the map; nil if the task isn't such a map, or one of other elements.
    package func addElement(_ element: any Sendable, depth: Int, toMap number: Int) -> Int? {
        let map = core.look { $0.object(Int32(number)) } as? SubworkflowTask
        return map?.addAlone(element, depth: depth).map(Int.init)
    }
}

extension WorkflowMachine {
    /// Has each task wait for a prerequisite that it doesn't have, so none begins by itself.
    fileprivate mutating func holdAll() {
        journaling?.isAlone = true
        for number in tasks.all { hold(number) }
    }

    /// Adds a task although tasks run alone; it doesn't begin by itself either.
    mutating func adding(_ add: (inout WorkflowMachine) -> Int32?) -> Int32? {
        journaling?.isAlone = false
        defer { journaling?.isAlone = true }
        guard let number = add(&self) else { return nil }
        hold(number)
        return number
    }

    private mutating func hold(_ number: Int32) {
        tasks.setState(.pending, number)
        // Far from both ends of the range: ends and resets of prerequisites still count.
        tasks.setMissing(.max / 2, number)
    }

    fileprivate mutating func runAlone(
        _ number: Int32, attempt: Int, failures: Int, after given: [RestoredTask],
        _ turn: inout WorkflowTurn
    ) -> Bool {
        // A commit is the recorded end of an attempt that `putBack` hasn't followed yet.
        guard !tasks[number].attempt.hasBody, journaling?.commits[number] == nil else { return false }
        // The owner decides the attempt numbers.
        journaling?.skipped[number] = nil
        place(given, &turn)
        // The task may be placed, as a prerequisite of another one.
        journaling?.placed.remove(number)
        turn.releaseAfterUnlock(tasks.clear(number))
        tasks.restore(
            // One less, since the attempt that begins next takes the following number.
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
            // A running attempt is newer than the state given; one that has reported its end may go on.
            guard !attempt.isRunning(attempt.number) else { continue }
            turn.releaseAfterUnlock(tasks.clear(number))
            tasks.restore(task, endedAt: eventLog.instant(task.ended.timeIntervalSinceReferenceDate))
            journaling?.placed.insert(number)
        }
    }

    fileprivate mutating func putBack(_ number: Int32, _ turn: inout WorkflowTurn) {
        let commit = journaling?.commits.removeValue(forKey: number)
        // This may be the last reference to a user's value.
        turn.releaseAfterUnlock(commit)
        // A body that has ended by itself isn't stopped.
        if commit?.source == .body, let handlers = rare.stopHandlers.removeValue(forKey: number) {
            turn.releaseAfterUnlock(handlers)
        }
        let isPlaced = journaling?.placed.contains(number) == true
        if !isPlaced, tasks[number].state != .pending { clear(number, .reset, &turn) }
        if let commit {
            if commit.isReported { bodyReported(number, commit.attempt, &turn) }
            if commit.isOver {
                afterBody(number, tasks.bodyReturned(number, commit.attempt, isOver: true), &turn)
            }
        }
        // Other bodies read the state that was placed.
        if !isPlaced { hold(number) }
    }
}
