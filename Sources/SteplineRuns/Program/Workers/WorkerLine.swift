import Foundation

/// An event of a worker, as a line of text for users or of JSON for supervisors.
struct WorkerLine: Encodable {
    let time: Date
    let event: String
    var worker: String?
    var run: String?
    var step: String?
    var attempt: Int?
    var outcome: String?
    var error: String?

    init(_ news: WorkerNews, at time: Date) {
        self.time = time
        switch news {
        case .joined(let name):
            event = "joined"
            worker = name
        case .began(let claim):
            event = "began"
            tell(claim)
        case .ended(let worked, let isRefused):
            event = "ended"
            tell(worked.claim)
            switch worked.outcome {
            case .finished: outcome = "finished"
            case .failed(let failure): (outcome, error) = ("failed", failure.message)
            case .retries(let failure, _): (outcome, error) = ("retries", failure.message)
            case .stopped: outcome = "stopped"
            }
            // The worker had lost the claim: the outcome doesn't count, whatever it was.
            if isRefused { outcome = "refused" }
        case .returned(let claim, let reason):
            event = "handedBack"
            tell(claim)
            error = reason
        case .unknown(let claim, let reason):
            event = "unknown"
            tell(claim)
            error = reason
        case .lost: event = "lost"
        case .owns(let id):
            event = "owns"
            run = id.description
        case .owned(let id):
            event = "owned"
            run = id.description
        case .cannotOwn(let id, let reason):
            event = "cannotOwn"
            run = id.description
            error = reason
        case .left: event = "left"
        }
    }

    private mutating func tell(_ claim: ClaimedStep) {
        run = claim.run.description
        step = claim.offer.step
        attempt = claim.offer.attempt
    }

    /// The line for users; nil for events that only supervisors need.
    var text: String? {
        switch event {
        case "joined": "worker \(worker ?? "") joined"
        // A retry counts as a failure here: the line has the number of the attempt.
        case "ended" where error != nil:
            "\(run ?? "") \(step ?? "") attempt \(attempt ?? 0) failed: \(error ?? "")"
        case "unknown": "\(run ?? "") \(step ?? "") is left to other workers: \(error ?? "")"
        case "lost": "lost its lease, and continues as a new worker"
        case "owns": "takes over \(run ?? ""), whose owner is gone"
        case "cannotOwn": "can't take over \(run ?? ""), whose owner is gone: \(error ?? "")"
        case "left": "worker stops"
        default: nil
        }
    }
}
