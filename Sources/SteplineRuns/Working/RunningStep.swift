import Foundation
import SteplineWorkflow

extension WorkerDesk {
    /// A body has ended.
    struct BodyEnd: Sendable {
        let run: WorkedRun
        let place: WorkedRun.Place
        let entry: JournalEntry
        let date: Date
    }

    /// A step that a worker runs.
    struct Running {
        let claim: ClaimedStep
        let run: WorkedRun
        let place: WorkedRun.Place
        var began = Date()
        var isToldToStop = false
        /// How the attempt has ended, where the next mustn't begin before the body is over.
        var end: WorkedStep?

        var key: Key { Key(run: ObjectIdentifier(run), place: place) }
        /// Whether only the end of its body is waited for.
        var isStopping: Bool { isToldToStop || end != nil }
        var isBodyLeft: Bool { run.part(place).workflow.hasBody(place.number) }

        /// How it has ended, without a result.
        func worked(_ outcome: StepOutcome, ended: Date) -> WorkedStep {
            WorkedStep(claim: claim, outcome: outcome, result: nil, began: began, ended: ended)
        }
    }

    /// Which task of which of the runs that it has built.
    struct Key: Hashable {
        let run: ObjectIdentifier
        let place: WorkedRun.Place
    }
}
