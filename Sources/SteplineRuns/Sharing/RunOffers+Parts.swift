import Foundation
import SteplineWorkflow

extension RunOffers {
    /// An attempt that is offered.
    struct Standing: Sendable {
        let body: BodyElsewhere
        let part: RunPart
        let offer: StepOffer
        /// Whether it was taken back here; else it is offered again where others have stopped it.
        var isWithdrawn = false
    }

    /// Who has run an attempt, and since when.
    struct Origin: Sendable {
        let attempt: Int
        let worker: String?
        let began: Date?

        init(_ end: StepEnd) { (attempt, worker, began) = (end.attempt, end.worker, end.began) }
    }

    /// What is said to the store at once.
    struct Round {
        var offers: [StepOffer] = []
        var withdrawn: [(step: String, attempt: Int)] = []
        var acknowledged: [HeardEnd] = []
        var looks = false
        var sweeps = false
    }
}

extension [StepOffer] {
    /// Takes an attempt out of the line; false if it isn't there.
    mutating func remove(_ step: String, _ attempt: Int) -> Bool {
        guard let place = lastIndex(where: { $0.step == step && $0.attempt == attempt }) else { return false }
        remove(at: place)
        return true
    }
}
