import SteplineSupport

/// A collection of steps: a single step, the usual case, needs no array.
typealias StepCollection = Collection<any Step>

/// The place of an insertion.
enum StepPlace {
    case last
    case first
    case after(StepOperation)
    case before(StepOperation)
}

/// The code of a rejected edit; the caller builds the full error without the lock.
struct EditRefusal: Error {
    let code: PipelineError.Code
}

/// The steps of a pipeline in order, and the number of steps that were handed over.
///
/// A part of the machine. Steps before `dispatched` can't be moved or removed. Inserting at the end is amortized
/// constant time; all other edits are linear.
struct StepLine {
    private(set) var steps: [any Step] = []
    /// The steps that a builder could not add; a pipeline with such issues can't start.
    private(set) var refused: [CheckIssue] = []
    /// The number of changes, which detects results that were computed for an earlier line.
    private(set) var version: UInt32 = 0
    private var dispatchedCount: UInt32 = 0
    /// The scan that a check of appended steps continues from.
    private var scan: LineScan?

    // MARK: Asking

    /// The number of steps that were handed over; the last of them is the current step.
    private(set) var dispatched: Int {
        get { Int(dispatchedCount) }
        set { dispatchedCount = UInt32(clamping: newValue) }
    }

    /// The step that was handed over last, with its index.
    var current: (step: any Step, index: Int)? {
        dispatched > 0 ? (steps[dispatched - 1], dispatched - 1) : nil
    }

    /// Whether all steps were handed over.
    var isAtEnd: Bool { dispatched == steps.count }

    func isCurrent(_ step: StepOperation) -> Bool { current?.step === step }

    var currentPosition: StepPosition? { dispatched > 0 ? position(of: dispatched - 1) : nil }

    func position(of index: Int) -> StepPosition {
        StepPosition(of: steps[index], index: index, count: steps.count)
    }

    /// Returns the steps that weren't handed over, optionally with the current step.
    func remaining(includingCurrent: Bool) -> ArraySlice<any Step> {
        steps[(includingCurrent ? max(dispatched - 1, 0) : dispatched)...]
    }

    // MARK: Coming along

    /// Hands over the next step; returns false at the end of the line.
    mutating func advance() -> Bool {
        guard dispatched < steps.count else { return false }
        dispatched += 1
        return true
    }

    // MARK: Editing

    /// Returns the index of a place; throws the code of an invalid place.
    func index(of place: StepPlace) throws(EditRefusal) -> Int {
        let index: Int
        switch place {
        case .last: index = steps.count
        case .first: index = 0
        // After the current step the index equals `dispatched`: that place is still open.
        case .after(let other): index = try self.index(of: other) + 1
        case .before(let other): index = try self.index(of: other)
        }
        // The current step counts as passed.
        guard index >= dispatched else { throw EditRefusal(code: .positionPassed) }
        return index
    }

    /// Returns the index of a step, searching from the end, where most edits happen.
    func index(of step: StepOperation) throws(EditRefusal) -> Int {
        guard let index = steps.lastIndex(where: { $0 === step }) else {
            throw EditRefusal(code: .unknownStep)
        }
        return index
    }

    mutating func insert(_ newSteps: some StepCollection, at index: Int) {
        if index == steps.count {
            steps.append(contentsOf: newSteps)
        } else {
            steps.insert(contentsOf: newSteps, at: index)
        }
        version &+= 1
    }

    /// Removes a step that wasn't handed over; with `andLater`, also all later steps.
    mutating func remove(_ step: StepOperation, andLater: Bool) throws(EditRefusal) -> [any Step] {
        let index = try index(of: step)
        guard index >= dispatched else { throw EditRefusal(code: .positionPassed) }
        // Steps behind an open place weren't handed over either, so this range needs no further check.
        let range = index..<(andLater ? steps.count : index + 1)
        let removed = Array(steps[range])
        steps.removeSubrange(range)
        version &+= 1
        return removed
    }

    /// Records a step that a builder could not add.
    mutating func refuse(_ issue: CheckIssue) { refused.append(issue) }

    /// Invalidates checks after a change outside the steps.
    mutating func touch() { version &+= 1 }

    // MARK: Checking

    /// Returns and clears the scan that has reached the end of the current line, if there is one.
    mutating func takeScan() -> LineScan? {
        // The scan has one owner: the caller advances it outside the lock and gives it back with `keep`.
        defer { scan = nil }
        return scan?.version == version ? scan : nil
    }

    /// Stores a scan that has reached the end of the current line.
    mutating func keep(_ scan: LineScan?) {
        scan?.version = version
        self.scan = scan
    }
}
