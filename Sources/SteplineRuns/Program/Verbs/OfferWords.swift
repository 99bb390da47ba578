/// The offered steps of a run in words, with the worker or the reason to wait.
struct OfferWords {
    private let offers: [OfferRecord]
    private let workers: [WorkerRecord]

    /// Reads the offers of a run; none if the store isn't shared.
    init(of id: RunID, in store: any RunStore) throws {
        guard let shared = store as? any SharedRunStore else {
            (offers, workers) = ([], [])
            return
        }
        offers = try shared.offers(of: id).filter { !$0.hasEnded }
        // Workers only explain why an offer waits: without offers, save the query.
        workers = offers.isEmpty ? [] : try shared.workers(of: id.workflow)
    }

    /// The offered steps as records, each with its description.
    var steps: [(step: StepRecord, words: StepWords)] {
        offers.map { record in
            var step = StepRecord(name: record.offer.step)
            step.attempt = record.offer.attempt
            step.version = record.offer.version
            step.failures = record.offer.failures
            step.interruptions = record.offer.interruptions
            step.began = record.began
            step.worker = record.worker
            guard let worker = record.worker else {
                return (step, StepWords(state: "ready", note: reason(for: record.offer)))
            }
            step.state = .running
            let note = "by \(worker) since \(RunsText.date(record.began))"
            return (step, StepWords(state: "running", note: note))
        }
    }

    /// Returns the reason why no worker runs a step.
    private func reason(for offer: StepOffer) -> String {
        if workers.isEmpty { return "no worker is alive" }
        let kind = "\(offer.task) version \(offer.version)"
        if workers.allSatisfy({ $0.unknown.contains(kind) }) { return "no live worker can run task \(kind)" }
        return "waits for a free worker"
    }
}
