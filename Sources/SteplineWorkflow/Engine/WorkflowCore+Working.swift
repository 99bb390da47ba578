import Foundation
import SteplineSupport

extension WorkflowCore {
    /// What a worker does next.
    private enum Next {
        case run(TaskJob)
        /// First what is due, such as to tell that the task has begun.
        case carryOn(TaskJob?)
        case wait
        case leave
    }

    /// Runs bodies on this thread, one after the other, until there is nothing to do.
    ///
    /// A loop and not a recursion, so that a chain of any length takes the same stack.
    func work() {
        guard var job = lookOut() else { return }
        var pace = Pace()
        while true {
            let (end, isOver) = run(job)
            var next = conclude(job, end, isOver: isOver, &pace)
            if case .carryOn = next { next = settleAndGoOn(next) }
            switch next {
            case .run(let following): job = following
            default:
                guard let following = lookOut() else { return }
                job = following
            }
        }
    }

    /// Ends one body and begins the next, under one lock.
    @inline(__always)
    private func conclude(_ job: TaskJob, _ end: (any Sendable)??, isOver: Bool, _ pace: inout Pace) -> Next {
        let time = clock.uptime
        let isTooFast = pace.isTooFast(at: time)
        let (next, needsWorker) = machine.withLock { machine -> (Next, Bool) in
            if let value = end {
                machine.bodyFinished(job.index, attempt: job.attempt, value, at: time)
            } else if isOver {
                machine.bodyReturned(job.index, attempt: job.attempt)
            }
            guard machine.due.isEmpty else { return (.carryOn(nil), false) }
            if isTooFast, machine.workers - machine.lookouts > 1 { return (.leave, false) }
            let following = machine.take()
            let needsWorker = machine.claimWorker()
            guard machine.due.isEmpty else { return (.carryOn(following), needsWorker) }
            return (following.map(Next.run) ?? .leave, needsWorker)
        }
        if needsWorker { startWorker() }
        return next
    }

    /// Does what is due before the next body begins, which may be called off by that.
    private func settleAndGoOn(_ first: Next) -> Next {
        var next = first
        while case .carryOn(let job) = next {
            carryOn()
            next = machine.withLock { machine in
                if let job {
                    if machine.mayBegin(job) { return .run(job) }
                    machine.bodyReturned(job.index, attempt: job.attempt)
                    return .carryOn(nil)
                }
                guard machine.due.isEmpty else { return .carryOn(nil) }
                guard let following = machine.take() else { return .leave }
                return machine.due.isEmpty ? .run(following) : .carryOn(following)
            }
        }
        return next
    }

    /// Waits for some microseconds whether there is something to do for this thread; nil if it may go.
    ///
    /// While another thread gets through short bodies quickly, a helper would only be in its way.
    private func lookOut() -> TaskJob? {
        var patience = Patience()
        while true {
            let next: Next = machine.withLock { machine in
                machine.lookouts += patience.enters()
                if patience.shouldTake(&machine) {
                    if let job = machine.take() {
                        machine.lookouts -= 1
                        return machine.due.isEmpty ? .run(job) : .carryOn(job)
                    }
                }
                guard patience.isOver else { return .wait }
                machine.lookouts -= 1
                machine.workers -= 1
                return .leave
            }
            switch next {
            case .run(let job): return job
            case .carryOn:
                if case .run(let job) = settleAndGoOn(next) { return job }
                patience = Patience()
            case .wait: patience.pause()
            case .leave: return nil
            }
        }
    }

    /// Runs the body of an attempt, as far as it runs on this thread.
    ///
    /// Returns the result of a body that has finished, and whether the body is over for this thread.
    func run(_ job: TaskJob) -> (end: (any Sendable)??, isOver: Bool) {
        switch job.work {
        case .nothing: return (.some(nil), true)
        case .body(let body) where body.isAsync:
            runAsync(job, body)
            return (nil, false)
        case .body(let body):
            do {
                return (.some(try body.run()), true)
            } catch {
                fail(job, error)
                return (nil, true)
            }
        case .object(let task):
            return runObject(job, task)
        }
    }

    private func runAsync(_ job: TaskJob, _ body: TaskBody) {
        let running = Task {
            do {
                let value = try await body.runAsync()
                end(job.index, attempt: job.attempt, .finished(value))
            } catch {
                fail(job, error)
            }
            drive { $0.bodyReturned(job.index, attempt: job.attempt) }
        }
        onStop(job.index, attempt: job.attempt) { running.cancel() }
    }

    private func runObject(_ job: TaskJob, _ task: WorkflowTask) -> (end: (any Sendable)??, isOver: Bool) {
        guard task.hasBody else { return (.some(nil), true) }
        if job.flags.contains(.condition) { return runCondition(job) }
        let attempt = TaskAttempt(of: task, in: self, index: job.index, number: job.attempt)
        guard task.begin(attempt) else { return (nil, true) }
        // The body is an async method, whose return ends the attempt.
        machine.withLock { $0.nodes[Int(job.index)].flags.remove(.endsByCall) }
        let running = Task {
            await TaskAttempt.$running.withValue(attempt) {
                do {
                    attempt.finish(with: try await task.run())
                } catch {
                    attempt.fail(with: error)
                }
            }
            drive { $0.bodyReturned(job.index, attempt: job.attempt) }
        }
        onStop(job.index, attempt: job.attempt) { running.cancel() }
        return (nil, false)
    }

    private func runCondition(_ job: TaskJob) -> (end: (any Sendable)??, isOver: Bool) {
        switch machine.withLock({ $0.runCondition(job) }) {
        case .fulfilled(let value): return (.some(value), true)
        case .waits: return (nil, true)
        case .fails(let name):
            fail(job, WorkflowError(.conditionNotFulfilled, name, "the condition is not fulfilled"))
            return (nil, true)
        }
    }

    func fail(_ job: TaskJob, _ error: any Error) {
        end(job.index, attempt: job.attempt, .failed(error, retryAfter: retryDelay(of: job.index, error)))
    }

    /// Takes the end of an attempt from whoever tells it; false if it isn't the one Executing.
    @discardableResult
    func end(_ number: Int32, attempt: UInt32, _ end: AttemptEnd) -> Bool {
        let time = clock.uptime
        return drive { $0.attemptEnded(number, attempt: attempt, end, at: time) }
    }

    /// Calls a handler when the attempt is stopped, at once if it is no longer Executing.
    func onStop(_ number: Int32, attempt: UInt32, _ handler: @escaping @Sendable () -> Void) {
        let isStopped = machine.withLock { machine -> Bool in
            let node = machine.nodes[Int(number)]
            guard node.state == .executing, node.attempt == attempt else { return true }
            machine.tables.stopHandlers[number, default: StopHandlers(attempt: attempt)].handlers
                .append(handler)
            return false
        }
        if isStopped { handler() }
    }

    // MARK: Operation queues

    func handToQueue(_ number: Int32, ticket: UInt32) {
        let task = machine.withLock { $0.object(number) }
        let queue = task?.operationQueue ?? surroundings.withLock { $0.operationQueue }
        guard let queue else {
            let job = machine.withLock { $0.takeHanded(number, ticket: ticket) }
            return runHanded(job)
        }
        TaskQueue.add(to: queue) { [self] in
            runHanded(machine.withLock { $0.takeHanded(number, ticket: ticket) })
        }
    }

    private func runHanded(_ job: TaskJob?) {
        guard let job else { return }
        carryOn()
        guard machine.withLock({ $0.mayBegin(job) }) else {
            drive { $0.bodyReturned(job.index, attempt: job.attempt) }
            return
        }
        let (end, isOver) = run(job)
        let time = clock.uptime
        drive { machine in
            if let value = end {
                machine.bodyFinished(job.index, attempt: job.attempt, value, at: time)
            } else if isOver {
                machine.bodyReturned(job.index, attempt: job.attempt)
            }
        }
    }
}
