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
        let worker: String?
        let began: Date?
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
