import Foundation
import SteplineWorkflow

extension WorkerSession {
    /// The end of a body, reported by the workflow.
    struct BodyEnd: Sendable {
        let run: WorkedRun
        let place: WorkedRun.Place
        let entry: JournalEntry
        let date: Date
        /// The outcome of the attempt, and the encoded result.
        let outcome: StepOutcome
        let result: Data?

        var key: Key { Key(run: ObjectIdentifier(run), place: place) }

        /// The failure of an attempt without a result.
        var failure: StepFailure {
            let name = run.facts(place).name
            // A cancellation has a reason instead of an error.
            guard case .cancelled(let reason, _) = entry.kind else {
                return StepFailure(entry.error, subject: name)
            }
            return StepFailure(code: reason.code.description, subject: name, message: reason.description)
        }

        /// Resets the task to its state before the attempt.
        func putBack() { run.part(place).workflow.putBack([place.number]) }
    }

    /// A step that the worker executes.
    struct Running {
        let claim: ClaimedStep
        let run: WorkedRun
        let place: WorkedRun.Place
        let began: Date
        var isStopRequested = false
        /// The end of the attempt, held back while its body still runs: the next attempt must not start before.
        var end: WorkedStep?

        var key: Key { Key(run: ObjectIdentifier(run), place: place) }
        /// Whether only the return of the body is awaited.
        var isStopping: Bool { isStopRequested || end != nil }
        var isBodyLeft: Bool { run.part(place).workflow.hasBody(place.number) }

        /// Resets the task of a stopped step and returns its end.
        func putBack(at now: Date) -> WorkedStep {
            run.part(place).workflow.putBack([place.number])
            // Without `end`, the store or a lost lease has requested the stop.
            return end ?? worked(.stopped, ended: now)
        }

        /// Creates the report of this step's end.
        func worked(_ outcome: StepOutcome, _ result: Data? = nil, ended: Date) -> WorkedStep {
            WorkedStep(claim: claim, outcome: outcome, result: result, began: began, ended: ended)
        }
    }

    /// The identity of a task in one of the built runs.
    struct Key: Hashable {
        // By identity: after a change of a map's list, the same run is built a second time.
        let run: ObjectIdentifier
        let place: WorkedRun.Place
    }
}
