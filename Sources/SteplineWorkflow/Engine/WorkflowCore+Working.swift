import Foundation
import SteplineSupport

extension WorkflowCore {
    /// What a worker does next.
    private enum Next {
        /// It runs the job.
        case run
        /// First it does what is due, such as to tell that the task has begun.
        case carryOnAndRun
        /// It does what is due, and then looks for a job.
        case carryOn
        case lookOut
        case wait
        case leave
    }

    /// Runs bodies on this thread, one after the other, until there is nothing to do.
    ///
    /// A loop and not a recursion, so that a chain of any length takes the same stack.
    func work() {
        var job = TaskJob.none
        var pace = Pace()
        var next = lookOut(&job)
        while true {
            switch next {
            case .run:
                if case .closure(let body) = job.work {
                    next = runClosure(body, &job, &pace)
                } else {
                    let end = run(job)
                    next = conclude(&job, &pace) { machine, job, time in machine.take(end, of: job, at: time)
                    }
                }
            case .carryOnAndRun, .carryOn: next = carryOnAndGo(next, &job)
            case .lookOut, .wait: next = lookOut(&job)
            case .leave: return
            }
        }
    }

    @inline(__always)
    private func runClosure(
        _ body: @Sendable () throws -> any Sendable, _ job: inout TaskJob, _ pace: inout Pace
    ) -> Next {
        do {
            let value = try body()
            return conclude(&job, &pace) { machine, job, time in
                machine.bodyFinished(job.index, attempt: job.attempt, value, at: time)
            }
        } catch {
            fail(job, error)
            return conclude(&job, &pace) { machine, job, _ in
                machine.bodyReturned(job.index, attempt: job.attempt)
            }
        }
    }

    /// Ends one body and begins the next, under one lock.
    @inline(__always)
    private func conclude(
        _ job: inout TaskJob, _ pace: inout Pace, _ end: (inout WorkflowState, TaskJob, Int64) -> Void
    ) -> Next {
        let time = time()
        var needsWorker = false
        let next = machine.withLock { machine -> Next in
            machine.beginMoment()
            end(&machine, job, time)
            let leaves = pace.isTooFast(at: time, machine) && machine.workers - machine.lookouts > 1
            let runs = machine.due.isEmpty && !leaves && machine.take(into: &job)
            needsWorker = runs && machine.claimWorker()
            machine.endMoment()
            if machine.due.isEmpty { return runs ? .run : .lookOut }
            return runs ? .carryOnAndRun : .carryOn
        }
        if needsWorker { startWorker() }
        return next
    }

    /// Does what is due before the next body begins, which may be called off by that.
    private func carryOnAndGo(_ first: Next, _ job: inout TaskJob) -> Next {
        carryOn()
        return machine.withLock { machine in
            if first == .carryOnAndRun {
                if machine.mayBegin(job) { return .run }
                machine.bodyReturned(job.index, attempt: job.attempt)
            }
            guard machine.due.isEmpty else { return .carryOn }
            guard machine.take(into: &job) else { return .lookOut }
            return machine.due.isEmpty ? .run : .carryOnAndRun
        }
    }

    /// Waits for some microseconds whether there is something to do for this thread.
    ///
    /// While another thread gets through short bodies quickly, a helper would only be in its way.
    private func lookOut(_ job: inout TaskJob) -> Next {
        var patience = Patience()
        job = .none
        while true {
            let next: Next = machine.withLock { machine in
                machine.lookouts += patience.enters()
                if patience.shouldTake(&machine), machine.take(into: &job) {
                    machine.lookouts -= 1
                    return machine.due.isEmpty ? .run : .carryOnAndRun
                }
                guard patience.isOver else { return .wait }
                machine.lookouts -= 1
                machine.workers -= 1
                return .leave
            }
            guard next == .wait else { return next }
            patience.pause()
        }
    }

    /// Runs the body of an attempt, as far as it runs on this thread.
    func run(_ job: TaskJob) -> BodyEnd {
        switch job.work {
        case .nothing: return .finished(nil)
        case .async(let body):
            runAsync(job, body)
            return .goesOn
        case .closure(let body):
            do {
                return .finished(try body())
            } catch {
                fail(job, error)
                return .returned
            }
        case .object(let task):
            return runObject(job, task)
        }
    }

    private func runAsync(_ job: TaskJob, _ body: AsyncBody) {
        let running = Task {
            do {
                let value = try await body.run()
                end(job.index, attempt: job.attempt, .finished(value))
            } catch {
                fail(job, error)
            }
            drive { $0.bodyReturned(job.index, attempt: job.attempt) }
        }
        onStop(job.index, attempt: job.attempt) { running.cancel() }
    }

    private func runObject(_ job: TaskJob, _ task: WorkflowTask) -> BodyEnd {
        guard task.hasBody else { return .finished(nil) }
        if job.flags.contains(.condition) { return runCondition(job) }
        let attempt = TaskAttempt(of: task, in: self, index: job.index, number: job.attempt)
        guard task.begin(attempt) else { return .returned }
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
        return .goesOn
    }

    private func runCondition(_ job: TaskJob) -> BodyEnd {
        switch machine.withLock({ $0.runCondition(job) }) {
        case .fulfilled(let value): return .finished(value)
        case .waits: return .returned
        case .fails(let name):
            fail(job, WorkflowError(.conditionNotFulfilled, name, "the condition is not fulfilled"))
            return .returned
        }
    }

    func fail(_ job: TaskJob, _ error: any Error) {
        end(
            job.index, attempt: job.attempt,
            .failed(TaskFailure(error), retryAfter: retryDelay(of: job.index, error))
        )
    }

    /// Takes the end of an attempt from whoever tells it; false if it isn't the one Executing.
    @discardableResult
    func end(_ number: Int32, attempt: UInt32, _ end: AttemptEnd) -> Bool {
        let time = time()
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

    // MARK: Operation queues and executors

    func runHanded(_ job: TaskJob?) {
        guard let job else { return }
        carryOn()
        guard machine.withLock({ $0.mayBegin(job) }) else {
            drive { $0.bodyReturned(job.index, attempt: job.attempt) }
            return
        }
        let end = run(job)
        let time = time()
        drive { $0.take(end, of: job, at: time) }
    }
}

/// How far a body has got on the thread that began it.
enum BodyEnd {
    case finished((any Sendable)?)
    /// It has returned; its end was told, or will be.
    case returned
    /// It goes on without this thread.
    case goesOn
}

extension WorkflowState {
    fileprivate mutating func take(_ end: BodyEnd, of job: TaskJob, at time: Int64) {
        switch end {
        case .finished(let value):
            attemptEnded(job.index, attempt: job.attempt, .finished(value), at: time)
            bodyReturned(job.index, attempt: job.attempt)
        case .returned: bodyReturned(job.index, attempt: job.attempt)
        case .goesOn: break
        }
    }
}
