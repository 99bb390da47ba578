import SteplineEngine
import SteplineSupport

/// The line that steps were checked against, and for steps at its end the scan that has come behind them.
private struct CheckedLine {
    let version: UInt32
    let scan: LineScan?
}

extension AnyPipeline {
    /// Adds a step at the end of the line.
    ///
    /// A running pipeline checks the step at once and takes it up. Throws a ``PipelineError`` `.stepInUse`,
    /// `.stepAlreadyRun`, `.ended`, or for a running pipeline `.checkFailed`; nothing has changed then.
    public func addStep(_ step: any Step) throws {
        try insert(CollectionOfOne(step), at: .last)
    }

    /// Puts a step right behind another; nil means first.
    ///
    /// Throws as ``addStep(_:)`` does, and `.unknownStep` or `.positionPassed`.
    public func insert(_ step: any Step, after other: (any Step)?) throws {
        try insert(CollectionOfOne(step), at: other.map { .after($0) } ?? .first)
    }

    /// Puts a step right before another; nil means last.
    ///
    /// Throws as ``addStep(_:)`` does, and `.unknownStep` or `.positionPassed`.
    public func insert(_ step: any Step, before other: (any Step)?) throws {
        try insert(CollectionOfOne(step), at: other.map { .before($0) } ?? .last)
    }

    /// Takes out a step that has not been handed over; it is then free for another pipeline.
    ///
    /// Throws a ``PipelineError`` `.unknownStep` or `.positionPassed`.
    public func remove(_ step: any Step) throws {
        try remove(step, andLater: false)
    }

    /// Takes out a step and all behind it, none of which may have been handed over.
    ///
    /// Throws a ``PipelineError`` `.unknownStep` or `.positionPassed`.
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
        for step in removed { step.leave(link) }
    }

    /// Inserts steps, all or none.
    ///
    /// The check of a running pipeline asks the steps what they declare, which is users' code; so it is made
    /// outside the lock, and made again if the line has changed meanwhile.
    func insert(_ newSteps: some StepCollection, at place: StepPlace) throws {
        try claim(newSteps)
        do {
            var checked: CheckedLine?
            while try !commit(newSteps, at: place, &checked) {}
        } catch {
            for step in newSteps { step.leave(link) }
            throw error
        }
    }

    /// Takes the steps of a new pipeline, which can't throw: what is wrong with them is found by the check.
    func take(_ newSteps: [any Step]) {
        do {
            try insert(newSteps, at: .last)
        } catch {
            let position = (error as? PipelineError)?.step
            let issue = CheckIssue(.stepNotAdded, at: position, ErrorText.line(error))
            send { machine, _ in machine.refuse(issue) }
        }
    }

    /// Inserts the steps if they have been checked against the line as it is, or need no check; else checks.
    private func commit(
        _ newSteps: some StepCollection, at place: StepPlace, _ checked: inout CheckedLine?
    ) throws -> Bool {
        let found = checked
        let unchecked: (steps: [any Step], index: Int, version: UInt32, scan: LineScan?)?
        do {
            unchecked = try edit { line, isRunning throws(EditRefusal) in
                let index = try line.index(of: place)
                guard isRunning, found?.version != line.version else {
                    line.insert(newSteps, at: index)
                    line.keep(found?.scan)
                    return nil
                }
                let scan = index == line.steps.count ? line.takeScan() : nil
                return (line.steps, index, line.version, scan)
            }
        } catch {
            throw refusal(error.code, newSteps.first)
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

    private func claim(_ newSteps: some StepCollection) throws {
        for (index, step) in newSteps.enumerated() {
            var remains = StepRemains()
            guard let code = step.state.withLock({ $0.claim(for: link, &remains) }) else { continue }
            for claimed in newSteps.prefix(index) { claimed.leave(link) }
            throw refusal(code, step)
        }
    }

    private func refusal(_ code: PipelineError.Code, _ step: (any Step)?) -> PipelineError {
        let line = engine.read { $0.line }
        let (index, count) = (step.flatMap { try? line.index(of: $0) }, line.steps.count)
        let position = step.map { step in
            StepPosition(of: step, index: index ?? count, count: index == nil ? count + 1 : count)
        }
        return .refused(code, pipeline: name, step: position)
    }
}
