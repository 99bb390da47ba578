package import Foundation
package import SteplineSupport

/// A store through which several processes work on one run: the owner offers steps, and workers execute them.
///
/// 1. The owner opens the run and calls `SharedRun.offer` for ready steps.
/// 2. A worker joins, claims steps through its `WorkerMembership`, and sends heartbeats.
/// 3. The worker calls `WorkerMembership.end`. The store writes a finished result in the same transaction. A failure
///    stays in the offer.
/// 4. The owner reads `SharedRun.ends`, writes failures to the steps, and acknowledges the ends. An
///    acknowledged offer is removed.
///
/// | event | consequence |
/// |---|---|
/// | a worker's lease expires | the next `sweep` offers its steps again, and counts an interruption for each |
/// | the worker sends a heartbeat before that sweep | the lease is valid again, and the claims stay |
/// | the owner withdraws a free offer | the offer ends as stopped |
/// | the owner withdraws a claimed offer | the next heartbeat tells the worker to stop |
/// | the owner dies | a worker opens the run, see `ownerless(of:)`, and adopts the offers |
///
/// At most one attempt of a step counts: `StepChange` carries attempt and token, and stale writes are refused. A step
/// that is offered again after a sweep keeps attempt and token. The end of its former worker is refused because that
/// worker no longer holds the claim. A body can run twice at the same time if a worker continues after a sweep.
///
/// `withdraw` asks the worker of a claimed offer to stop. An end of its body still counts, unless the owner has stored
/// another end of that attempt. `takeAway` removes the offer with its claim, and the end is refused. A worker gives
/// steps back by `handBack` (some), `refuse` (a task that it can't run) or `leave` (all).
///
/// All methods block, and throw like those of ``RunStore``. All methods are idempotent: a caller may repeat a call
/// after its answer was lost. `OfferBoard` in the module `SteplineRunsTesting` has the same rules without a database.
package protocol SharedRunStore: RunStore {
    /// Registers a worker until it leaves, or a sweep finds its lease expired.
    func join(_ profile: WorkerProfile) throws -> any WorkerMembership

    /// Returns the workers with a valid lease, optionally of one workflow only.
    func workers(of workflow: String?) throws -> [WorkerRecord]

    /// Returns the current offers of a run, sorted by step name.
    func offers(of id: RunID) throws -> [OfferRecord]

    /// Returns the runs that are open to workers and have no living owner.
    func ownerless(of workflow: String) throws -> [RunRecord]

    /// Returns the number of a step's latest attempt; 0 if it had none.
    func attempt(of step: String, in id: RunID) throws -> Int

    /// Returns the stored steps among the given names, each with its result.
    func steps(_ names: [String], of id: RunID) throws -> [(step: StepRecord, result: Data?)]
}

/// A run whose owner lets workers execute the steps.
package protocol SharedRun: OpenRun {
    /// Sets whether workers may take the run over when its owner is gone.
    func leave(toWorkers isLeft: Bool) throws

    /// Returns the offers that an earlier owner has left.
    func offers() throws -> [OfferRecord]

    /// Removes offers even if workers hold them: the given steps, or all steps if nil.
    ///
    /// Workers detect the loss at their next heartbeat.
    func takeAway(_ steps: [String]?) throws

    /// Offers steps; each replaces an earlier offer of the same step.
    ///
    /// Removes the run's ending, so that ``SharedRunStore/ownerless(of:)`` returns the run if its owner dies.
    func offer(_ offers: [StepOffer]) throws

    /// Withdraws offers: free offers end at once, and workers are notified to stop claimed ones.
    func withdraw(_ steps: [(step: String, attempt: Int)]) throws

    /// Acknowledges ends, and returns those that aren't acknowledged yet.
    func ends(acknowledging acknowledged: [AcknowledgedEnd]) throws -> [StepEnd]

    /// Offers the claims of expired workers again.
    func sweep() throws

    /// Calls a closure on any thread when there may be news; notifications may be missing.
    func onNews(_ call: @escaping @Sendable (RunNews) -> Void) -> Subscription
}

/// The kind of a notification to a run's owner.
package enum RunNews: String, Sendable {
    case ends
    case signal
}

/// A worker's registration at a store.
package protocol WorkerMembership: AnyObject, Sendable {
    var number: Int { get }

    /// The time without a heartbeat after which the worker's claims go to other workers.
    var lease: Duration { get }

    /// Claims steps, the most urgent first.
    ///
    /// `risky` asks for one step that must run alone. Otherwise the call returns up to `count` other steps.
    func claim(_ count: Int, risky: Bool) throws -> [ClaimedStep]

    /// Writes the ends of steps and returns the indices of those that the worker no longer held.
    func end(_ steps: [WorkedStep]) throws -> [Int]

    /// Returns unfinished steps to the queue.
    func handBack(_ claims: [Int]) throws

    /// Returns a step that the worker can't run; the worker doesn't receive that kind until `accept`.
    func refuse(_ claim: ClaimedStep) throws

    /// Lets the worker receive steps of a refused kind again.
    func accept(_ claim: ClaimedStep) throws

    /// Renews the lease, also an expired one; returns nil if a sweep has removed the worker and freed its claims.
    func beat(for lease: Duration) throws -> WorkerBeat?

    /// Calls a closure on any thread when there may be steps to claim or to stop; notifications may be missing.
    func onNews(_ call: @escaping @Sendable () -> Void) -> Subscription

    /// Unregisters the worker and returns its claims to the queue.
    func leave()
}
