/// Where a step is to be put.
enum StepPlace {
    case last
    case first
    case after(StepOperation)
    case before(StepOperation)
}

extension PipelineState {
    /// The index that a place means now; throws the code of what is wrong with it.
    func index(of place: StepPlace) throws(EditRefusal) -> Int {
        // One that is being cancelled hands no more steps over.
        if isEnded || cancelReason != nil { throw EditRefusal(code: .ended) }
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
}

/// Why an edit was refused.
struct EditRefusal: Error {
    let code: PipelineError.Code
}
