import Foundation
import SteplineWorkflow

extension WorkerDesk {
    /// A body has ended.
    struct BodyEnd: Sendable {
        let run: WorkedRun
        let place: WorkedRun.Place
        let entry: JournalEntry
        let date: Date
        /// How the attempt has ended, and the bytes of its result.
        let outcome: StepOutcome
        let result: Data?

        var key: Key { Key(run: ObjectIdentifier(run), place: place) }

        /// Why it has no result.
        var failure: StepFailure {
            let name = run.facts(place).name
            guard case .cancelled(let reason, _) = entry.kind else {
                return StepFailure(entry.error, subject: name)
            }
            return StepFailure(code: reason.code.description, subject: name, message: reason.description)
        }

        /// Takes the task back to where it hasn't begun.
        func putBack() { run.part(place).workflow.putBack([place.number]) }
    }

    /// A step that a worker runs.
    struct Running {
        let claim: ClaimedStep
        let run: WorkedRun
        let place: WorkedRun.Place
        let began: Date
        var isToldToStop = false
        /// How the attempt has ended, where the next mustn't begin before the body is over.
        var end: WorkedStep?

        var key: Key { Key(run: ObjectIdentifier(run), place: place) }
        /// Whether only the end of its body is waited for.
        var isStopping: Bool { isToldToStop || end != nil }
        var isBodyLeft: Bool { run.part(place).workflow.hasBody(place.number) }

        /// Takes the task of one that was told to stop back to where it hasn't begun; how it has ended.
        func putBack(at now: Date) -> WorkedStep {
            run.part(place).workflow.putBack([place.number])
            return end ?? worked(.stopped, ended: now)
        }

        /// How it has ended.
        func worked(_ outcome: StepOutcome, _ result: Data? = nil, ended: Date) -> WorkedStep {
            WorkedStep(claim: claim, outcome: outcome, result: result, began: began, ended: ended)
        }
    }

    /// Which task of which of the runs that it has built.
    struct Key: Hashable {
        let run: ObjectIdentifier
        let place: WorkedRun.Place
    }
}
