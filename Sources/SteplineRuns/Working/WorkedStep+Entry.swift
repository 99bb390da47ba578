import Foundation
import SteplineSupport
import SteplineWorkflow

extension WorkerSession.BodyEnd {
    /// Creates the report of an ended body and encodes its result.
    ///
    /// Called on the body's thread: encoding may take long, and the worker's thread must send heartbeats.
    init(run: WorkedRun, place: WorkedRun.Place, entry: JournalEntry, date: Date) {
        let facts = run.facts(place)
        var result: Data?
        var outcome = StepOutcome.stopped
        switch entry.kind {
        case .finished(let value):
            do {
                result = try facts.bytes(of: value)
                outcome = .finished
            } catch {
                // The body has returned, but its result can't be stored: the attempt fails.
                let error = DurableRunError(
                    .notStorable, facts.name, "its result can't be kept", underlying: error)
                outcome = .failed(StepFailure(error, subject: facts.name))
            }
        case .failed(let error): outcome = .failed(StepFailure(error, subject: facts.name))
        case .retries(let error, let wait):
            outcome = .retries(StepFailure(error, subject: facts.name), after: wait / .seconds(1))
        // A cancellation reads as stopped here. The session reports a failure if the program itself cancelled the task.
        case .began, .awaits, .cancelled, .cleared, .fulfilled: break
        }
        self.init(
            run: run, place: place, entry: entry, date: date, outcome: outcome, result: result)
    }
}

extension JournalEntry {
    /// The error of a failed attempt.
    var error: (any Error)? {
        switch kind {
        case .failed(let error), .retries(let error, _): error
        case .began, .awaits, .finished, .cancelled, .cleared, .fulfilled: nil
        }
    }

    var isCancellation: Bool { if case .cancelled = kind { true } else { false } }
}
