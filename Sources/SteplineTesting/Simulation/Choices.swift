import SteplineSupport

/// The choices between possible next events, from a seed or from a recorded run.
struct Choices {
    private var random: StableRandom
    private let followed: [Int]?
    /// The choices so far, each among several options.
    private(set) var made: [Int] = []
    /// The number of options of each choice.
    private(set) var options: [Int] = []

    init(seed: UInt64, following choices: [Int]?) {
        random = StableRandom(seed: seed)
        followed = choices
    }

    /// Returns an index below `count`; a recorded run continues with the first option after its end.
    mutating func one(of count: Int) -> Int {
        guard count > 1 else { return 0 }
        let choice: Int
        if let followed {
            choice = made.count < followed.count ? min(followed[made.count], count - 1) : 0
        } else {
            choice = Int(random.next() % UInt64(count))
        }
        made.append(choice)
        options.append(count)
        return choice
    }
}
