/// What is so or not so of a step, in one byte: very many steps may be in memory at once.
struct StepFlags: OptionSet {
    var rawValue: UInt8 = 0

    /// The attempt's body hasn't come to its end.
    static let live = StepFlags(rawValue: 1)
    /// `main()` is on a thread's stack, so that an end has to wait for it to return.
    static let onStack = StepFlags(rawValue: 2)
    /// The step has its end, though a body of it still runs.
    static let settledEarly = StepFlags(rawValue: 4)
    /// Somebody else's queue started the step while it belongs to a pipeline, and waits for its end.
    static let startedInVain = StepFlags(rawValue: 8)
    static let cancelled = StepFlags(rawValue: 16)

    subscript(flag: StepFlags) -> Bool {
        get { contains(flag) }
        set { if newValue { insert(flag) } else { remove(flag) } }
    }
}
