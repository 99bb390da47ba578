import SteplineEngine
import SteplineSupport

/// A version of the line that steps were checked against, and the scan after steps at its end.
private struct CheckedLine {
    let version: UInt32
    let scan: LineScan?
}

extension AnyPipeline {
    /// Adds a step at the end of the line.
    ///
    /// A running pipeline checks the step at once and later runs it.
    ///
    /// - Parameter step: The step, which must not have run or belong to a pipeline.
    /// - Throws: A ``PipelineError`` `.stepInUse`, `.stepAlreadyRun`, `.ended` (also while the pipeline is being
    ///   cancelled), or for a running pipeline `.checkFailed`. The pipeline is then unchanged.
    public func addStep(_ step: any Step) throws {
        try insert(CollectionOfOne(step), at: .last)
    }

    /// Inserts a step after another one.
    ///
    /// - Parameters:
    ///   - step: The step, which must not have run or belong to a pipeline.
    ///   - other: The step before the new one; nil to insert at the beginning.
    /// - Throws: The errors of ``addStep(_:)``, and `.unknownStep` or `.positionPassed`.
    public func insert(_ step: any Step, after other: (any Step)?) throws {
        try insert(CollectionOfOne(step), at: other.map { .after($0) } ?? .first)
    }

    /// Inserts a step before another one.
    ///
    /// - Parameters:
    ///   - step: The step, which must not have run or belong to a pipeline.
    ///   - other: The step after the new one; nil to append.
    /// - Throws: The errors of ``addStep(_:)``, and `.unknownStep` or `.positionPassed`.
    public func insert(_ step: any Step, before other: (any Step)?) throws {
        try insert(CollectionOfOne(step), at: other.map { .before($0) } ?? .last)
    }

    /// Removes a step that wasn't handed over; another pipeline can use the step afterwards.
    ///
    /// - Parameter step: The step to remove.
    /// - Throws: A ``PipelineError`` `.unknownStep`, `.positionPassed`, or `.ended` (also while being cancelled).
    public func remove(_ step: any Step) throws {
        try remove(step, andLater: false)
    }

    /// Removes a step and all later steps, none of which may have been handed over.
    ///
    /// - Parameter step: The first step to remove.
    /// - Throws: A ``PipelineError`` `.unknownStep`, `.positionPassed`, or `.ended` (also while being cancelled).
    public func removeSteps(from step: any Step) throws {
        try remove(step, andLater: true)
    }

    private func remove(_ step: any Step, andLater: Bool) throws {
        let removed: [any Step]
        do {
            removed = try edit { line, _ throws(EditRefusal) in
                try line.remove(step, andLater: andLater)
            }
        } catch {
            throw refusal(error.code, step)
        }
        // After unlock: releasing a step can start it, if a foreign queue waits for it.
        for step in removed { step.leave(link) }
    }

    /// Inserts all steps or none.
    ///
    /// The check asks the new steps for their declarations, which is user code. The check therefore runs without the
    /// lock, and again if the line changes meanwhile.
    func insert(_ newSteps: some StepCollection, at place: StepPlace) throws {
        // Claim first: no other pipeline can take a step while the check runs.
        try claim(newSteps, at: place)
        do {
            var checked: CheckedLine?
            while try !commit(newSteps, at: place, &checked) {}
        } catch {
            // The steps become free for another pipeline.
            for step in newSteps { step.leave(link) }
            throw error
        }
    }

    /// Adds the steps of a new pipeline; a failure becomes an issue of the check, because a builder can't throw.
    func take(_ newSteps: [any Step]) {
        do {
            try insert(newSteps, at: .last)
        } catch {
            // The issue has the position of its own: the error's line would repeat it.
            let refusal = error as? PipelineError
            let issue = CheckIssue(.stepNotAdded, at: refusal?.step, refusal?.detail ?? ErrorText.line(error))
            send { machine, _ in machine.refuse(issue) }
        }
    }

    /// Inserts the steps if they were checked against the current line or need no check; otherwise checks them.
    private func commit(
        _ newSteps: some StepCollection, at place: StepPlace, _ checked: inout CheckedLine?
    ) throws -> Bool {
        let found = checked
        let unchecked: (steps: [any Step], index: Int, version: UInt32, scan: LineScan?)?
        do {
            unchecked = try edit { line, isRunning throws(EditRefusal) in
                let index = try line.index(of: place)
                // An unstarted pipeline checks all steps at its start, so an edit needs no check.
                // Equal versions: no edit came between the check and this transaction.
                guard isRunning, found?.version != line.version else {
                    line.insert(newSteps, at: index)
                    line.keep(found?.scan)
                    return nil
                }
                let scan = index == line.steps.count ? line.takeScan() : nil
                return (line.steps, index, line.version, scan)
            }
        } catch {
            throw refusal(error.code, newSteps.first, at: place, of: newSteps.count)
        }
        guard let unchecked else { return true }
        let scan = try check(newSteps, insertedIn: unchecked.steps, at: unchecked.index, from: unchecked.scan)
        checked = CheckedLine(version: unchecked.version, scan: scan)
        return false
    }

    private func edit<Result>(
        _ change: (inout StepLine, _ isRunning: Bool) throws(EditRefusal) -> Result
    ) throws(EditRefusal) -> Result {
        try send { machine, _ in
            Swift.Result { () throws(EditRefusal) in try machine.edit(change) }
        }.get()
    }

    private func claim(_ newSteps: some StepCollection, at place: StepPlace) throws {
        for (index, step) in newSteps.enumerated() {
            var remains = StepRemains()
            guard let code = step.state.withLock({ $0.claim(for: link, &remains) }) else { continue }
            // Release the steps that were claimed before the failure: all or none.
            for claimed in newSteps.prefix(index) { claimed.leave(link) }
            throw refusal(code, step, index, at: place, of: newSteps.count)
        }
    }

    /// Returns the error of an edit; a step outside the line has the position that the edit would give it.
    ///
    /// - Parameters:
    ///   - code: The code of the error.
    ///   - step: The step.
    ///   - offset: The index of the step among the steps of the edit.
    ///   - place: The place of the edit.
    ///   - count: The number of steps of the edit.
    /// - Returns: The error.
    private func refusal(
        _ code: PipelineError.Code, _ step: (any Step)?, _ offset: Int = 0, at place: StepPlace = .last,
        of count: Int = 1
    ) -> PipelineError {
        let line = engine.read { $0.line }
        let position = step.map { step in
            if let index = try? line.index(of: step) { return line.position(of: index) }
            let first = (try? line.index(of: place)) ?? line.steps.count
            return StepPosition(of: step, index: first + offset, count: line.steps.count + count)
        }
        return .refused(code, pipeline: name, step: position)
    }
}
