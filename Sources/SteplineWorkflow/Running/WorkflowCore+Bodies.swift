import SteplineEngine
import SteplineSupport

/// How a call of a body has ended on the thread that began it.
enum BodyEnd {
    /// The body is over, and the attempt with it.
    case over(AttemptResult)
    /// The call has returned; the end was reported, or will be.
    case returned
    /// The body goes on without this thread.
    case continues
}

extension BodyEnd {
    /// The text for a simulation's log; nil if the log gets the end later.
    var inLog: String? {
        switch self {
        case .over(.finished): "ends"
        case .over(.failed(let failure, _)):
            "fails: \(failure.error.map(ErrorText.line) ?? "without an error")"
        case .returned, .continues: nil
        }
    }
}

extension WorkflowCore {
    /// Adds a line about a task to a simulation's log.
    func note(_ job: TaskJob, _ text: String, on stage: any Stage) {
        stage.note("‘\(look { $0.name(job.number) })’ \(text)")
    }
}

extension WorkflowCore {
    /// Runs the body of an attempt, until it returns to this thread.
    @inline(__always)
    func run(_ job: TaskJob) -> BodyEnd {
        PropagatedValues.call(with: propagatedValues) { runWithoutValues(job) }
    }

    @inline(__always)
    private func runWithoutValues(_ job: TaskJob) -> BodyEnd {
        if let fault = fault(of: job) { return run(job, fault) }
        return runAsItIs(job)
    }

    /// The same without faults.
    @inline(__always)
    func runAsItIs(_ job: TaskJob) -> BodyEnd {
        guard job.traits.contains(.durable) else { return runBody(job) }
        if job.traits.contains(.cached), let taken = takeOver(job) { return end(of: job, taken) }
        if handElsewhere(job) { return .continues }
        return KeptBody.$current.withValue(KeptBody(core: self, number: job.number)) { runBody(job) }
    }

    private func end(of job: TaskJob, _ taken: TakenResult) -> BodyEnd {
        do {
            return .over(.finished(try taken.value.map { try prepared($0, of: job.number) }))
        } catch {
            return .over(failure(of: job.number, error))
        }
    }

    @inline(__always)
    private func runBody(_ job: TaskJob) -> BodyEnd {
        switch job.work {
        case .nothing: return .over(.finished(nil))
        case .closure(let body):
            do {
                return .over(.finished(try body()))
            } catch {
                return .over(failure(of: job.number, error))
            }
        case .async(let body): return runAsync(job, body)
        case .object(let task): return run(job, task)
        }
    }

    private func runAsync(_ job: TaskJob, _ body: any AsyncBody) -> BodyEnd {
        let running = Stages.task { [self] in
            let end: AttemptResult = await withKeptBody(job) {
                do {
                    // Cancelled before it has begun, it never does.
                    try Task.checkCancellation()
                    return .finished(try prepared(try await body.run(job.number), of: job.number))
                } catch {
                    return failure(of: job.number, error)
                }
            }
            if let stage = Stages.current, let text = BodyEnd.over(end).inLog { note(job, text, on: stage) }
            // On one of Swift's threads, which are few: a worker performs what may block.
            change(tellsElsewhere: true) { $0.bodyEnded(job, .over(end), &$1) }
        }
        return continues(job, running)
    }

    private func run(_ job: TaskJob, _ task: WorkflowTask) -> BodyEnd {
        guard task.hasBody else { return .over(.finished(nil)) }
        let attempt = TaskAttempt(of: task, in: self, job.number, job.attempt)
        guard task.begin(attempt) else { return .returned }
        // The body is `run()`: its return ends the attempt.
        let running = Stages.task { [self] in
            await TaskAttempt.$running.withValue(attempt) {
                await withKeptBody(job) {
                    do {
                        try Task.checkCancellation()
                        attempt.end(.finished(try await task.run()), tellsElsewhere: true)
                    } catch {
                        attempt.end(failure(of: job.number, error), tellsElsewhere: true)
                    }
                }
            }
            // Also if the attempt was ended through its object before: the return is the end of the body.
            change(tellsElsewhere: true) { $0.bodyReturned(job, isOver: true, &$1) }
        }
        return continues(job, running)
    }

    /// Calls a body in a Swift task, which doesn't inherit the mark of a durable body.
    private func withKeptBody<Value>(_ job: TaskJob, _ body: () async -> Value) async -> Value {
        guard job.traits.contains(.durable) else { return await body() }
        return await KeptBody.$current.withValue(KeptBody(core: self, number: job.number), operation: body)
    }

    func continues(_ job: TaskJob, _ running: Task<Void, Never>) -> BodyEnd {
        // The Swift task runs already, and the attempt may have been stopped or have ended before this line.
        if !look({ $0.addStopHandler(job.number, job.attempt, running: running) }) { running.cancel() }
        return .continues
    }

    /// Calls a handler when the attempt is stopped, at once if it is over.
    func onStop(_ number: Int32, _ attempt: UInt32, _ handler: @escaping @Sendable () -> Void) {
        if !look({ $0.addStopHandler(number, attempt, call: handler) }) { handler() }
    }

    /// Has another thread begin a body whose listeners were notified.
    func runElsewhere(_ job: TaskJob) {
        if job.traits.contains(.isExternal) {
            change { $0.handAgain(job, &$1) }
        } else {
            Workers.shared.enqueue(BodyJob(self, job))
        }
    }

    // MARK: Operation queues and executors

    /// Submits ready tasks to their operation queues, and the others to the executor as one batch.
    func hand(_ tasks: [ExternalTask]) {
        let workflowQueue = surroundings.withLock { $0.queue }
        var batch: [ReadyWork] = []
        for task in tasks {
            let (object, name, priority) = look {
                ($0.object(task.number), $0.taskName(task.number), $0.tasks[task.number].priority)
            }
            let work = ReadyWork(task: name, priority: priority, home: self, external: task)
            // The task's own queue comes first. Both are read for each attempt, as the user may change them.
            let queue = object?.queue ?? workflowQueue
            Stages.current?.noteForeign(
                "‘\(name)’ runs in \(queue == nil ? "an executor" : "an operation queue")")
            if let queue {
                TaskQueue.add(work, to: queue)
            } else {
                batch.append(work)
            }
        }
        guard !batch.isEmpty else { return }
        // A stable sort: tasks of one priority keep their order.
        if batch.contains(where: { $0.priority != batch[0].priority }) {
            batch = Priority.allCases.reversed().flatMap { priority in
                batch.filter { $0.priority == priority }
            }
        }
        if let executor = options.executor { return executor.run(batch) }
        // Without an executor: the queue was removed meanwhile. This may be the main thread, so workers run the bodies.
        for work in batch { Workers.shared.perform { _ in work() } }
    }

    /// Runs a task on this thread, which a queue or the executor has chosen.
    func run(_ external: ExternalTask) { ExternalThread(self, external).work() }

    /// A queue has dropped a task, which will never run there.
    func wasDropped(_ external: ExternalTask) { change { $0.wasDropped(external, &$1) } }
}

/// A thread of an operation queue or executor while it runs one body.
// The variables are used by the one thread alone.
private final class ExternalThread: EngineFace, @unchecked Sendable {
    private let core: WorkflowCore
    private let external: ExternalTask
    private let thread = currentThread()
    private var isBeginning = true
    private var notified: TaskJob?

    init(_ core: WorkflowCore, _ external: ExternalTask) {
        self.core = core
        self.external = external
    }

    var engine: Engine<WorkflowMachine> { core.engine }
    var engineClock: EngineClock { core.engineClock }

    func setTimer(_ order: Turn<WorkflowEffect, TaskTimer>.TimerOrder) { core.setTimer(order) }

    /// The body whose listeners are notified here also begins here.
    func perform(_ effect: WorkflowEffect) {
        // A worker performs the rest of the notifications through this object. By then the task may have begun another
        // attempt, which isn't for this thread.
        if case .run(let job) = effect, currentThread() == thread, isBeginning,
            job.number == external.number, notified == nil
        {
            notified = job
        } else {
            core.perform(effect)
        }
    }

    func work() {
        var job = change { $0.beginExternal(external, &$1) }
        isBeginning = false
        // Listeners of the begin were called by the line above, and may have stopped the attempt.
        if let notified { job = change { $0.stillBegins(notified, &$1) } }
        guard let job else { return }
        let end = core.run(job)
        // Through the core: this thread has run its one body, so bodies that begin now are for others.
        core.change { $0.bodyEnded(job, end, &$1) }
    }
}
