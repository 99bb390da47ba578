/// The settings of a simulation; with the same faults, equal settings lead to the same run.
struct PlaySettings: Sendable {
    /// The real time for which one event may block the run; `Play.patience` bounds the wait for outside work instead.
    static let patience = Duration.seconds(10)

    /// The seed of the order, unless `order` is set, and of all random numbers.
    let seed: UInt64
    /// A seed for the order alone.
    let order: UInt64?
    /// The number of simulated threads for bodies.
    let width: Int
    /// The choices of a recorded run.
    let choices: [Int]?
    let patience: Duration

    init(
        seed: UInt64, order: UInt64? = nil, width: Int, choices: [Int]? = nil, patience: Duration = patience
    ) {
        self.seed = seed
        self.order = order
        self.width = max(1, width)
        self.choices = choices
        self.patience = patience
    }
}
