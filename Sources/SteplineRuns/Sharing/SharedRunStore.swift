package import Foundation
package import SteplineSupport

/// A store by which several processes work on one run: its owner offers steps, and workers run them.
///
/// All methods block, and throw as those of ``RunStore`` do. What is asked for again, since its answer was lost, comes to the
/// same.
package protocol SharedRunStore: RunStore {
    /// Makes somebody known as a worker, until its lease is over.
    func join(_ profile: WorkerProfile) throws -> any WorkerSeat

    /// The workers that are alive, of one workflow if it is named.
    func workers(of workflow: String?) throws -> [WorkerRecord]

    /// The offers of a run as they stand, by name.
    func offers(of id: RunID) throws -> [OfferRecord]

    /// Runs that are left to workers, and that nobody owns.
    func ownerless(of workflow: String) throws -> [RunRecord]

    /// The number of a step's latest attempt; 0 if there was none.
    func attempt(of step: String, in id: RunID) throws -> Int

    /// Some steps of a run, each with its result; those that aren't kept are left out.
    func steps(_ names: [String], of id: RunID) throws -> [(step: StepRecord, result: Data?)]
}

/// A run whose owner has others run its steps.
package protocol SharedRun: OpenRun {
    /// Says whether workers go on with the run when its owner is gone.
    func leave(toWorkers isLeft: Bool) throws

    /// What was offered when the run was opened: by an owner that is gone.
    func offers() throws -> [OfferRecord]

    /// Takes offers away, whoever has them: workers hear of it as of what they have lost. All of them, if none are named.
    func takeAway(_ steps: [String]?) throws

    /// Offers steps, each in place of an earlier offer of the same step.
    func offer(_ offers: [StepOffer]) throws

    /// Takes offers back: those that nobody has taken up end at once, and the workers of the others are told to stop.
    func withdraw(_ steps: [(step: String, attempt: Int)]) throws

    /// The ends that haven't been acknowledged.
    func ends(acknowledging heard: [HeardEnd]) throws -> [StepEnd]

    /// Offers again what was in the hands of workers that are gone.
    func sweep() throws

    /// Calls when there may be news, from any thread; some may come without a call.
    func onNews(_ call: @escaping @Sendable (RunNews) -> Void) -> Subscription
}

/// What the owner of a run may want to look at.
package enum RunNews: String, Sendable {
    case ends
    case signal
}

/// A worker's hold on a store.
package protocol WorkerSeat: AnyObject, Sendable {
    var number: Int { get }

    /// After what time without a beat all that it holds goes to others.
    var lease: Duration { get }

    /// Takes steps, the most urgent first; either one that must be run alone, or any number of others.
    func claim(_ count: Int, risky: Bool) throws -> [ClaimedStep]

    /// Keeps how steps have ended; the places of those that it didn't hold any more.
    func end(_ steps: [WorkedStep]) throws -> [Int]

    /// Gives steps back that were not run to their end.
    func handBack(_ claims: [Int]) throws

    /// Gives a step back that its program doesn't know, and takes no such step any more.
    func refuse(_ claim: ClaimedStep) throws

    /// Tells that it is alive, which is believed for so long; nil if it was taken for dead, and holds nothing any more.
    func beat(for lease: Duration) throws -> WorkerBeat?

    /// Calls when there may be something to do or to stop, from any thread; some may come without a call.
    func onNews(_ call: @escaping @Sendable () -> Void) -> Subscription

    /// Leaves; what it holds is given back.
    func leave()
}
