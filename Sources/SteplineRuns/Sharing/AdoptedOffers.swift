/// The attempts that an earlier owner of a run has offered, until the workflow asks for them.
///
/// This type is a value inside the lock of `RunOffers`.
struct AdoptedOffers: Sendable {
    private struct Offer {
        let attempt: Int
        let task: String
    }

    private var offers: [String: Offer] = [:]
    /// Those to take away in the next round.
    private var unwanted: [String] = []
    /// The attempts of those that were taken away, which may have ended before: the step's next attempt follows them.
    private var past: [String: Int] = [:]

    mutating func adopt(_ offer: StepOffer) {
        offers[offer.step] = Offer(attempt: offer.attempt, task: offer.task)
    }

    func attempt(of step: String) -> Int? { offers[step]?.attempt }

    /// Returns how many attempts precede the next one of each step, as far as offers tell.
    func precedingAttempts(of steps: [String]) -> [String: Int] {
        guard !offers.isEmpty || !past.isEmpty else { return [:] }
        return steps.reduce(into: [:]) { $0[$1] = offers[$1].map { $0.attempt - 1 } ?? past[$1] }
    }

    /// Removes the attempt of a step that the workflow asks for; returns whether it is the offered one.
    mutating func take(_ step: String, attempt: Int) -> Bool {
        offers.removeValue(forKey: step)?.attempt == attempt
    }

    /// Removes the offers for elements of a growing map that aren't in its list; returns whether there are any.
    mutating func removeStrangers(of map: String, _ isElement: (String) -> Bool) -> Bool {
        let strangers = offers.filter { $0.value.task == map && !isElement($0.key) }.keys
        for step in strangers { past[step] = offers.removeValue(forKey: step)?.attempt }
        unwanted += strangers
        return !strangers.isEmpty
    }

    /// Removes and returns the steps whose offers must be taken away.
    mutating func takeUnwanted() -> [String] {
        defer { unwanted = [] }
        return unwanted
    }
}
