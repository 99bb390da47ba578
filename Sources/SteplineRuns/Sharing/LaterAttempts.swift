/// The attempts that aren't the first of their step: each is offered when the end of the one before is known to be kept.
///
/// Word of an end and the begin of the next attempt may come from two threads, in any order.
struct LaterAttempts: Sendable {
    /// What is to be done with an attempt that has come.
    enum Turn {
        /// It is offered at once.
        case offer
        /// It is offered once all is kept that the writer was given.
        case afterWriter
        /// It stays until somebody tells of the one before.
        case waits
    }

    private var waiting: [String: StepOffer] = [:]
    /// The latest attempts that have come and of whose ends the writer wasn't told.
    private var open: [String: Int] = [:]
    /// Attempts that the writer was told the ends of before they came: they were stopped on their way.
    private var early: [String: Int] = [:]
    /// Of which attempts the writer must be told before those that wait.
    private var awaited: [String: Int] = [:]
    /// Failures that were heard of, and of which the steps themselves don't tell yet, by those.
    private var unkept: [String: HeardEnd] = [:]

    /// An attempt comes that is to be offered.
    mutating func add(_ offer: StepOffer) -> Turn {
        let before = open[offer.step]
        opens(offer.step, offer.attempt)
        guard offer.attempt > 1 else { return .offer }
        waiting[offer.step] = offer
        if let before, before < offer.attempt { awaited[offer.step] = before }
        return turn(of: offer.step)
    }

    /// An attempt comes that an earlier owner has offered.
    mutating func addAdopted(_ step: String, attempt: Int) { opens(step, attempt) }

    private mutating func opens(_ step: String, _ attempt: Int) {
        let told = early.removeValue(forKey: step) ?? 0
        if told < attempt { open[step] = attempt }
    }

    /// The writer was told of an attempt's end; returns what becomes of the attempt that waits for that.
    mutating func wasTold(_ step: String, attempt: Int, mayComeYet: Bool) -> Turn {
        if let latest = open[step] {
            if latest <= attempt { open[step] = nil }
        } else if mayComeYet {
            early[step] = attempt
        }
        guard let before = awaited[step], before <= attempt else { return .waits }
        awaited[step] = nil
        return waiting[step] == nil ? .waits : turn(of: step)
    }

    /// The attempt that has waited for its turn.
    mutating func take(_ step: String) -> StepOffer? {
        awaited[step] == nil ? waiting.removeValue(forKey: step) : nil
    }

    /// Takes back an attempt that was never offered; false if none waits.
    mutating func withdraw(_ step: String) -> Bool { waiting.removeValue(forKey: step) != nil }

    // MARK: Failures

    /// Of a failure the store knows by the offer alone.
    mutating func heard(_ failure: HeardEnd, of step: String) { unkept[step] = failure }

    /// Whether a failure was heard of before, and is still to be kept.
    func isUnkept(_ failure: HeardEnd, of step: String) -> Bool { unkept[step] == failure }

    mutating func wasKept(_ failure: HeardEnd, of step: String) {
        if unkept[step] == failure { unkept[step] = nil }
    }

    private func turn(of step: String) -> Turn {
        awaited[step] == nil && unkept[step] == nil ? .afterWriter : .waits
    }
}
