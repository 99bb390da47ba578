import SteplineSupport
import SteplineTesting
import TestSupport

@testable import SteplineManager

/// A record whose task and results are watched: like ``Job``, without its types.
final class LadenRecord: TaskRecord, @unchecked Sendable {  // used by one thread
    private let watch: LockWatch
    private var original: LockWatch.Thing?
    private var current: LockWatch.Thing?
    private var kept: LockWatch.Thing?
    private var out: [TaskUse: LockWatch.Thing] = [:]

    init(_ terms: TaskTerms, _ watch: LockWatch) {
        self.watch = watch
        original = watch.thing()
        current = original
        super.init(terms)
    }

    override func checkOut(for use: TaskUse) { out[use] = current }

    override func checkIn() { current = watch.thing() }

    /// The body takes its copy, on its own thread.
    func execute() { out[.body] = nil }

    override func takeBack(from use: TaskUse) -> TaskLeftovers {
        var leftovers = TaskLeftovers()
        leftovers.current = out.removeValue(forKey: use)
        return leftovers
    }

    override func restoreTask() -> (any AnyObject & Sendable)? {
        defer { current = original }
        return current
    }

    override func keep(_ end: BodyEnd) -> (any AnyObject & Sendable)? {
        defer { kept = end.result as? LockWatch.Thing }
        hasSucceeded = end.hasSucceeded
        return kept
    }

    override func conclude(with ending: TaskEnding) -> TaskLeftovers {
        var leftovers = super.conclude(with: ending)
        leftovers.original = original
        leftovers.current = current
        (original, current) = (nil, nil)
        guard case .result = ending else {
            leftovers.result = kept
            kept = nil
            return leftovers
        }
        return leftovers
    }
}

extension TaskRecord {
    /// A record that shows the same end as another.
    convenience init(endedLike other: TaskRecord) {
        self.init(other.terms)
        identifier = other.identifier
        attempt = other.attempt
        stage = other.stage
    }
}
