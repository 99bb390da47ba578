/// A worker: what its one thread has in hand.
struct SimulatedWorker {
    struct Body {
        let claim: Int
        let step: Int
        /// Which of the worker's bodies it is.
        let number: UInt32
    }

    let number: Int
    /// Its number at the store; 0 if it has none.
    var membership = 0
    /// Until when the store believes that it is alive, and what the store believes that it has; as the store's rules have it.
    var leaseEnd = 0.0
    var held = 0
    var isAsleep = false
    var hasNews = true
    var inbox: [EndedBody] = []
    var bodies: [Body] = []
    var lastBody: UInt32 = 0
    var nextLook = 0.0
    var isAlone = false
    var areRiskyWaiting = false
    /// The runs that it has built.
    var built: [Int] = []

    // Of the round that it is in.
    var taken: [EndedBody] = []
    var isDue = false
    var wasNotified = false

    /// How many runs a worker keeps built.
    static let mostBuilt = 64

    /// The claim that the worker sends next, if it has a free slot.
    func claim(of slots: Int) -> Call? {
        let free = isAlone ? 0 : slots - bodies.count
        guard free > 0 else { return nil }
        // One that may end the process is run when nothing else is.
        guard areRiskyWaiting, bodies.isEmpty else { return .claim(free, risky: false) }
        return .claim(1, risky: true)
    }
}
