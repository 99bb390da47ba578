/// The later attempts of steps, each held back until the end of the attempt before is stored.
///
/// Two threads report in either order: the workflow adds attempt 2, and the journal reports that the writer has
/// received the end of attempt 1. A worker must not write attempt 2 before the owner's write of attempt 1, since the
/// store would refuse the older attempt. This type is a value inside the lock of `RunOffers`.
///
/// | state of an attempt | stored in |
/// |---|---|
/// | added, the end of the attempt before isn't reported yet | `waiting`, `awaited` |
/// | the end of the attempt before was reported, its failure isn't stored yet | `waiting`, `unkept` |
/// | free to be offered | neither; `take` removes it from `waiting` |
struct LaterAttempts: Sendable {
    /// The next action for an attempt.
    enum Turn {
        /// Offer the attempt now.
        case offer
        /// Offer the attempt after the writer has stored everything that it has received so far.
        case afterWriter
        /// Keep the attempt until the end of the one before is reported and stored.
        case waits
    }

    private var waiting: [String: StepOffer] = [:]  // the attempts to offer, by step
    /// The latest added attempts whose ends weren't reported yet.
    private var open: [String: Int] = [:]
    /// Attempts whose ends were reported before they were added: they were stopped on the way.
    private var early: [String: Int] = [:]
    /// The attempts whose ends must be reported before the waiting attempts may be offered.
    private var awaited: [String: Int] = [:]
    /// Failures reported by workers that only the offer records so far, not the step.
    private var unkept: [String: AcknowledgedEnd] = [:]

    /// Adds an attempt to offer and returns the next action for it.
    mutating func add(_ offer: StepOffer) -> Turn {
        let before = open[offer.step]
        opens(offer.step, offer.attempt)
        // A first attempt has no predecessor in the store.
        guard offer.attempt > 1 else { return .offer }
        waiting[offer.step] = offer
        if let before, before < offer.attempt { awaited[offer.step] = before }
        return turn(of: offer.step)
    }

    /// Adds an attempt that an earlier owner has already offered.
    mutating func addAdopted(_ step: String, attempt: Int) { opens(step, attempt) }

    private mutating func opens(_ step: String, _ attempt: Int) {
        let notified = early.removeValue(forKey: step) ?? 0
        // If the end came first, the attempt isn't open any more.
        if notified < attempt { open[step] = attempt }
    }

    /// Records that the writer received an attempt's end.
    ///
    /// - Parameters:
    ///   - step: The step.
    ///   - attempt: The attempt that ended.
    ///   - mayComeYet: Whether the attempt may still be added after its end.
    /// - Returns: The next action for the step's waiting attempt.
    mutating func wasNotified(_ step: String, attempt: Int, mayComeYet: Bool) -> Turn {
        if let latest = open[step] {
            if latest <= attempt { open[step] = nil }
        } else if mayComeYet {
            early[step] = attempt
        }
        // The waiting attempt may depend on a later end than this one.
        guard let before = awaited[step], before <= attempt else { return .waits }
        awaited[step] = nil
        return waiting[step] == nil ? .waits : turn(of: step)
    }

    /// Removes and returns the attempt of a step that may be offered now.
    mutating func take(_ step: String) -> StepOffer? {
        // An attempt added meanwhile may await another end.
        awaited[step] == nil ? waiting.removeValue(forKey: step) : nil
    }

    /// Withdraws an attempt that was never offered; returns false if none waits.
    mutating func withdraw(_ step: String) -> Bool { waiting.removeValue(forKey: step) != nil }

    // MARK: Failures

    /// Records a failure that the store knows from the offer alone.
    mutating func addUnkept(_ failure: AcknowledgedEnd, of step: String) { unkept[step] = failure }

    /// Returns whether this failure was reported before and isn't stored yet.
    func isUnkept(_ failure: AcknowledgedEnd, of step: String) -> Bool { unkept[step] == failure }

    mutating func wasKept(_ failure: AcknowledgedEnd, of step: String) {
        if unkept[step] == failure { unkept[step] = nil }
    }

    private func turn(of step: String) -> Turn {
        awaited[step] == nil && unkept[step] == nil ? .afterWriter : .waits
    }
}
