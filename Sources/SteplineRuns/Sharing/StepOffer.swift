package import Foundation

/// An attempt of a step that workers may run.
package struct StepOffer: Sendable, Hashable {
    /// The step's name.
    package var step: String
    /// What a worker's program must know to run it: the step's name, or that of the map that it is an element of.
    package var task: String
    package var version: Int
    package var attempt: Int
    /// Drawn for this attempt by the owner of the run.
    package var token: UInt64
    package var links: UInt64
    /// How many attempts have failed before.
    package var failures: Int
    /// How often the step has ended with its process.
    package var interruptions: Int
    /// More of it comes first.
    package var priority: Int
    /// What other runs find the result by, if they may take it over.
    package var cacheKey: String?

    package init(
        step: String, task: String, version: Int, attempt: Int, token: UInt64, links: UInt64, failures: Int,
        interruptions: Int, priority: Int, cacheKey: String?
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
    }

    /// How often a step may end with its process.
    package static let mostInterruptions = Interruptions.most

    /// Whether it is run alone, as it may be what has ended the processes that it was run in.
    package var isRisky: Bool { interruptions + 1 >= Interruptions.most }
}

/// An offer in the hands of a worker.
package struct ClaimedStep: Sendable {
    /// By what worker and store speak of it.
    package let id: Int
    package let run: RunID
    /// What tells the run from an earlier one of the same name.
    package let runNumber: Int
    package let offer: StepOffer

    package init(id: Int, run: RunID, runNumber: Int, offer: StepOffer) {
        self.id = id
        self.run = run
        self.runNumber = runNumber
        self.offer = offer
    }
}

/// How an attempt that was offered has ended.
package enum StepOutcome: Sendable, Hashable {
    /// Its result is kept.
    case finished
    case failed(StepFailure)
    /// It has failed, and another attempt is to follow after that many seconds.
    case retries(StepFailure, after: Double)
    /// It was stopped, and nothing of it goes on.
    case stopped
}

/// An end that the owner of the run has heard of.
package struct HeardEnd: Sendable, Hashable {
    package let id: Int
    package let attempt: Int

    package init(id: Int, attempt: Int) {
        self.id = id
        self.attempt = attempt
    }
}

/// The end of an attempt, for the owner of the run.
package struct StepEnd: Sendable {
    package let id: Int
    package let step: String
    package let attempt: Int
    package let outcome: StepOutcome
    /// Who has run it, and since when.
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

/// The end of an attempt, as its worker hands it in.
package struct WorkedStep: Sendable {
    package let claim: ClaimedStep
    package let outcome: StepOutcome
    /// Its result, and the files that belong to it, as they are kept.
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

    /// The change of the step that comes of it, if its worker keeps one.
    package func change(by worker: String) -> StepChange? {
        guard case .finished = outcome else { return nil }
        let offer = claim.offer
        var change = StepChange(
            .finished(result), of: offer.step, attempt: offer.attempt, token: offer.token, at: ended,
            began: began, version: offer.version, links: offer.links, failures: offer.failures,
            interruptions: offer.interruptions)
        change.cacheKey = offer.cacheKey
        change.worker = worker
        return change
    }
}

/// An offer as it stands, to be looked at.
package struct OfferRecord: Sendable {
    package let offer: StepOffer
    /// Who runs it, and since when; nil while nobody does.
    package let worker: String?
    package let began: Date?
    /// Whether it has ended, and the owner hasn't heard of that yet.
    package let hasEnded: Bool

    package init(offer: StepOffer, worker: String?, began: Date?, hasEnded: Bool) {
        self.offer = offer
        self.worker = worker
        self.began = began
        self.hasEnded = hasEnded
    }
}
