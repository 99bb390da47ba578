/// What comes next, of what may: as a seed says, or as it was before.
struct Choices {
    private var state: UInt64
    private let followed: [Int]?
    /// What was chosen, each among more than one.
    private(set) var made: [Int] = []
    /// Among how many it was chosen.
    private(set) var options: [Int] = []

    init(seed: UInt64, following choices: [Int]?) {
        state = seed
        followed = choices
    }

    /// The next number of the seed.
    mutating func number() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }

    /// One of so many; what is followed ends with the first of all that is left.
    mutating func one(of count: Int) -> Int {
        guard count > 1 else { return 0 }
        let choice: Int
        if let followed {
            choice = made.count < followed.count ? min(followed[made.count], count - 1) : 0
        } else {
            choice = Int(number() % UInt64(count))
        }
        made.append(choice)
        options.append(count)
        return choice
    }
}
