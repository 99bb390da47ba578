import SteplineSupport

/// What comes next, of what may: as a seed says, or as it was before.
struct Choices {
    private var random: StableRandom
    private let followed: [Int]?
    /// What was chosen, each among more than one.
    private(set) var made: [Int] = []
    /// Among how many it was chosen.
    private(set) var options: [Int] = []

    init(seed: UInt64, following choices: [Int]?) {
        random = StableRandom(seed: seed)
        followed = choices
    }

    /// One of so many; what is followed ends with the first of all that is left.
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
