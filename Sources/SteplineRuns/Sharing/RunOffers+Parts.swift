import Foundation
import SteplineWorkflow

extension RunOffers {
    /// An offered attempt that hasn't ended.
    struct Offered: Sendable {
        let body: BodyElsewhere
        let part: RunPart
        let offer: StepOffer
        /// Whether this owner has withdrawn the attempt; a stop without a withdrawal leads to a new offer.
        var isWithdrawn = false

        /// Whether the end of an attempt counts only with what an element of a growing map has found.
        func awaitsFindings(of end: StepEnd) -> Bool {
            end.outcome == .finished && end.attempt == body.attempt && offer.element != nil && !isWithdrawn
        }

        /// Returns the element whose findings must be read for an end; nil if there is none.
        func element(endedBy end: StepEnd) -> EndedElement? {
            guard awaitsFindings(of: end), let codec = part.facts(body.number).codec?.found else {
                return nil
            }
            return EndedElement(step: end.step, body: body, codec: codec)
        }
    }

    /// The worker of an attempt and the begin, kept until the owner writes the failure.
    struct Origin: Sendable {
        let attempt: Int
        let worker: String?
        let began: Date?

        init(_ end: StepEnd) { (attempt, worker, began) = (end.attempt, end.worker, end.began) }
    }

    /// The requests of one round trip to the store.
    struct Round {
        var offers: [StepOffer] = []
        var takenAway: [String] = []
        var withdrawn: [(step: String, attempt: Int)] = []
        var acknowledged: [AcknowledgedEnd] = []
        var looks = false
        var sweeps = false

        var isEmpty: Bool { offers.isEmpty && withdrawn.isEmpty && takenAway.isEmpty && !looks }
    }
}

extension [StepOffer] {
    /// Returns the first offers that fit into one statement, by number and size.
    func batch(_ most: Int) -> [StepOffer] {
        var bytes = 0
        return Array(
            prefix(most).prefix { offer in
                let size = offer.element?.count ?? 0
                bytes += size
                // A first element above the limit is offered alone.
                return bytes <= WaitingChanges.mostBytes || bytes == size
            })
    }

    /// Removes an attempt from the list; returns false if it isn't there.
    mutating func remove(_ step: String, _ attempt: Int) -> Bool {
        guard let place = lastIndex(where: { $0.step == step && $0.attempt == attempt }) else { return false }
        remove(at: place)
        return true
    }
}
