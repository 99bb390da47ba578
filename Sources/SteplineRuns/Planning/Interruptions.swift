import SteplineWorkflow

/// How often steps have ended with their process.
///
/// Of all that ran when a process ended nobody knows which has ended it. Once one of them has its last chance they run one
/// at a time: alone, only the one that does it is blamed.
struct Interruptions: Sendable {
    /// How often a step may.
    static let most = 3

    private let counts: [String: Int]
    private let alone: ConcurrencyPool?

    init(_ counts: [String: Int]) {
        self.counts = counts
        let hasLastChance = counts.values.contains { $0 + 1 >= Self.most }
        alone = hasLastChance ? ConcurrencyPool("interrupted before", capacity: 1) : nil
    }

    /// How often that step has.
    subscript(_ step: String) -> Int { counts[step] ?? 0 }

    /// The pool whose one place a step's attempts need; nil for a step that may run beside others.
    func pool(of step: String) -> ConcurrencyPool? { counts[step] == nil ? nil : alone }
}
