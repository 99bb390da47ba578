package import Foundation

/// An attempt of a step that a worker may execute.
package struct StepOffer: Sendable, Hashable {
    /// The step's name.
    package var step: String
    /// The task that the worker's program must have: the step's name, or the map's name for an element.
    package var task: String
    package var version: Int
    package var attempt: Int
    /// A random number drawn for this attempt by the run's owner.
    ///
    /// The number guards against stale attempts. It stays the same if the step is offered again after an interruption;
    /// the claim's worker then guards against the former worker.
    package var token: UInt64
    package var links: UInt64
    /// The number of failed attempts before this one.
    package var failures: Int
    /// The number of attempts that ended with their process.
    package var interruptions: Int
    /// The priority; higher values are claimed first.
    package var priority: Int
    /// The cache key of the result; nil if other runs may not reuse it.
    package var cacheKey: String?
    /// The element that the step runs for, with its depth; nil for steps outside of growing maps.
    ///
    /// Nothing else that a worker knows contains it.
    package var element: Data?

    package init(
        step: String, task: String, version: Int, attempt: Int, token: UInt64, links: UInt64, failures: Int,
        interruptions: Int, priority: Int, cacheKey: String?, element: Data? = nil
    ) {
        self.step = step
        self.task = task
        self.version = version
        self.attempt = attempt
        self.token = token
        self.links = links
        self.failures = failures
        self.interruptions = interruptions
        self.priority = priority
        self.cacheKey = cacheKey
        self.element = element
    }

    /// The number of interruptions at which a step fails.
    package static let mostInterruptions = Interruptions.most

    /// Whether the step must run alone: one more interruption fails it, and it may be the cause of the crashes.
    ///
    /// The statements of `PostgreSQLMembership` have this rule as `interruptions > 1`.
    package var isRisky: Bool { interruptions + 1 >= Interruptions.most }
}

/// An offer that a worker has claimed.
package struct ClaimedStep: Sendable {
    /// The identifier of the claim in calls to the store.
    package let id: Int
    package let run: RunID
    /// A number that distinguishes the run from an earlier run of the same name.
    package let runNumber: Int
    package let offer: StepOffer

    package init(id: Int, run: RunID, runNumber: Int, offer: StepOffer) {
        self.id = id
        self.run = run
        self.runNumber = runNumber
        self.offer = offer
    }
}

/// The outcome of an offered attempt.
package enum StepOutcome: Sendable, Hashable {
    /// The attempt finished, and its result is stored.
    case finished
    case failed(StepFailure)
    /// The attempt failed, and the next one follows after a number of seconds.
    case retries(StepFailure, after: Double)
    /// The attempt was stopped, and its body has returned or was never started.
    case stopped
}

/// An end that the run's owner has received and acknowledges.
package struct AcknowledgedEnd: Sendable, Hashable {
    package let id: Int
    package let attempt: Int

    package init(id: Int, attempt: Int) {
        self.id = id
        self.attempt = attempt
    }
}

/// The end of an offered attempt, as the run's owner reads it.
package struct StepEnd: Sendable {
    package let id: Int
    package let step: String
    package let attempt: Int
    package let outcome: StepOutcome
    /// The worker that ran the attempt, and the begin.
    package let worker: String?
    package let began: Date?

    package init(
        id: Int, step: String, attempt: Int, outcome: StepOutcome, worker: String?, began: Date?
    ) {
        self.id = id
        self.step = step
        self.attempt = attempt
        self.outcome = outcome
        self.worker = worker
        self.began = began
    }
}

/// The end of an attempt, as a worker reports it.
package struct WorkedStep: Sendable {
    package let claim: ClaimedStep
    package let outcome: StepOutcome
    /// The encoded result, including references to files.
    package let result: Data?
    package let began: Date
    package let ended: Date

    package init(claim: ClaimedStep, outcome: StepOutcome, result: Data?, began: Date, ended: Date) {
        self.claim = claim
        self.outcome = outcome
        self.result = result
        self.began = began
        self.ended = ended
    }

    /// Returns the change to write for a finished attempt; nil for other outcomes, which the run's owner writes.
    package func change(by worker: String) -> StepChange? {
        guard case .finished = outcome else { return nil }
        let offer = claim.offer
        // The owner's attempt and token: the store refuses the change once the owner has begun a later attempt.
        var change = StepChange(
            .finished(result), of: offer.step, attempt: offer.attempt, token: offer.token, at: ended,
            began: began, version: offer.version, links: offer.links, failures: offer.failures,
            interruptions: offer.interruptions)
        change.cacheKey = offer.cacheKey
        change.worker = worker
        return change
    }
}

/// An offer in its current state, for reports.
package struct OfferRecord: Sendable {
    package let offer: StepOffer
    /// The worker and the begin; nil while the offer is free.
    package let worker: String?
    package let began: Date?
    /// Whether the attempt has ended, and the owner hasn't acknowledged the end yet.
    package let hasEnded: Bool

    package init(offer: StepOffer, worker: String?, began: Date?, hasEnded: Bool) {
        self.offer = offer
        self.worker = worker
        self.began = began
        self.hasEnded = hasEnded
    }
}
