import SteplineSupport

/// One step or many: adding a single one, which is what most callers do, makes no array.
typealias StepCollection = Collection<any Step>

/// Where a step is to be put.
enum StepPlace {
    case last
    case first
    case after(StepOperation)
    case before(StepOperation)
}

/// Why an edit was refused.
struct EditRefusal: Error {
    let code: PipelineError.Code
}

/// The steps of a pipeline in order, and how far along them it has come.
struct StepLine {
    private(set) var steps: [any Step] = []
    /// What a builder could not add; keeps the pipeline from being started.
    private(set) var refused: [CheckIssue] = []
    /// Counts the changes of the line, so that what was computed from it can be seen to be out of date.
    private(set) var version: UInt32 = 0
    private var handedOverCount: UInt32 = 0
    /// What a check of further steps goes on from.
    private var scan: LineScan?

    // MARK: Asking

    /// How many steps have been handed over; the current one is the last of these.
    private(set) var handedOver: Int {
        get { Int(handedOverCount) }
        set { handedOverCount = UInt32(clamping: newValue) }
    }

    /// The step that was handed over last, with its place.
    var current: (step: any Step, index: Int)? {
        handedOver > 0 ? (steps[handedOver - 1], handedOver - 1) : nil
    }

    /// Whether all steps have been handed over.
    var isAtEnd: Bool { handedOver == steps.count }

    func isCurrent(_ step: StepOperation) -> Bool { current?.step === step }

    var currentPosition: StepPosition? { handedOver > 0 ? position(of: handedOver - 1) : nil }

    func position(of index: Int) -> StepPosition {
        StepPosition(of: steps[index], index: index, count: steps.count)
    }

    /// The steps that have not been handed over, with the current one if that is wanted.
    func remaining(includingCurrent: Bool) -> ArraySlice<any Step> {
        steps[(includingCurrent ? max(handedOver - 1, 0) : handedOver)...]
    }

    // MARK: Coming along

    /// Hands the next step over; false if that was all.
    mutating func advance() -> Bool {
        guard handedOver < steps.count else { return false }
        handedOver += 1
        return true
    }

    // MARK: Editing

    /// The index that a place means now; throws the code of what is wrong with it.
    func index(of place: StepPlace) throws(EditRefusal) -> Int {
        let index: Int
        switch place {
        case .last: index = steps.count
        case .first: index = 0
        case .after(let other): index = try self.index(of: other) + 1
        case .before(let other): index = try self.index(of: other)
        }
        guard index >= handedOver else { throw EditRefusal(code: .positionPassed) }
        return index
    }

    /// The place of a step; from the end, since that is where most editing happens.
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

    /// Takes out a step that has not been handed over, and with `andLater` all behind it.
    mutating func remove(_ step: StepOperation, andLater: Bool) throws(EditRefusal) -> [any Step] {
        let index = try index(of: step)
        guard index >= handedOver else { throw EditRefusal(code: .positionPassed) }
        let range = index..<(andLater ? steps.count : index + 1)
        let removed = Array(steps[range])
        steps.removeSubrange(range)
        version &+= 1
        return removed
    }

    /// Notes what a builder could not add.
    mutating func refuse(_ issue: CheckIssue) { refused.append(issue) }

    /// What is known of the line apart from its steps has changed.
    mutating func touch() { version &+= 1 }

    // MARK: Checking

    /// Hands out the scan that has come to the end of the line as it is, if there is one.
    mutating func takeScan() -> LineScan? {
        defer { scan = nil }
        return scan?.version == version ? scan : nil
    }

    /// Keeps a scan that has come to the end of the line as it is.
    mutating func keep(_ scan: LineScan?) {
        scan?.version = version
        self.scan = scan
    }
}
