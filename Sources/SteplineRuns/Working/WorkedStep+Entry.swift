import Foundation
import SteplineSupport
import SteplineWorkflow

extension WorkedStep {
    /// What a worker hands in of an attempt whose end its workflow has told.
    init(_ claim: ClaimedStep, _ entry: JournalEntry, _ facts: StepFacts, began: Date, ended: Date) {
        var result: Data?
        var outcome = StepOutcome.stopped
        switch entry.kind {
        case .finished(let value):
            do {
                result = try facts.bytes(of: value)
                outcome = .finished
            } catch {
                let error = DurableRunError(
                    .notStorable, facts.name, "its result can't be kept", underlying: error)
                outcome = .failed(StepFailure(error, subject: facts.name))
            }
        case .failed(let error): outcome = .failed(StepFailure(error, subject: facts.name))
        case .retries(let error, let wait):
            outcome = .retries(StepFailure(error, subject: facts.name), after: wait / .seconds(1))
        case .began, .cancelled, .cleared, .fulfilled: break
        }
        self.init(claim: claim, outcome: outcome, result: result, began: began, ended: ended)
    }
}

extension JournalEntry {
    /// What it tells that the attempt has failed with.
    var error: (any Error)? {
        switch kind {
        case .failed(let error), .retries(let error, _): error
        case .began, .finished, .cancelled, .cleared, .fulfilled: nil
        }
    }

    var isCancellation: Bool { if case .cancelled = kind { true } else { false } }
}
