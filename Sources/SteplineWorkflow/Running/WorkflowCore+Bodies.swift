import SteplineEngine
import SteplineSupport

/// How far a body has got on the thread that began it.
enum BodyEnd {
    /// It is over, and the attempt with it.
    case over(AttemptEnd)
    /// It has returned; its end was told, or will be.
    case returned
    /// It goes on without this thread.
    case goesOn
}

extension BodyEnd {
    /// How a story tells of it; nil of what is told when it has come to its end.
    var inStory: String? {
        switch self {
        case .over(.finished): "ends"
        case .over(.failed(let failure, _)):
            "fails: \(failure.error.map(ErrorText.line) ?? "without an error")"
        case .returned, .goesOn: nil
        }
    }
}

extension WorkflowCore {
    /// Has a story tell of a task.
    func note(_ job: TaskJob, _ text: String, on stage: any Stage) {
        stage.note("‘\(look { $0.name(job.number) })’ \(text)")
    }
}

extension WorkflowMachine {
    @inline(__always)
    mutating func bodyEnded(_ job: TaskJob, _ how: BodyEnd, _ turn: inout WorkflowTurn) {
        switch how {
        case .over(let ending):
            end(job.number, job.attempt, ending, &turn)
            bodyReturned(job, isOver: true, &turn)
        case .returned: bodyReturned(job, isOver: false, &turn)
        case .goesOn: break
        }
    }

    /// A closure has returned its result: the way that nearly every task goes, without a detour by an ``AttemptEnd``.
    @inline(__always)
    mutating func closureFinished(
        _ job: TaskJob, _ value: consuming any Sendable, _ turn: inout WorkflowTurn
    ) {
        guard tasks[job.number].attempt.isRunning(job.attempt), job.traits.isEmpty,
            terms.stopHandlers.isEmpty || terms.stopHandlers[job.number] == nil
        else {
            return bodyEnded(job, .over(.finished(value)), &turn)
        }
        finishPlain(job.number, job.attempt, value, &turn)
        bodyReturned(job, isOver: true, &turn)
    }

    /// Somebody wants to know when an attempt is stopped; false if it isn't the one that executes.
    mutating func addStopHandler(
        _ number: Int32, _ attempt: UInt32, running: Task<Void, Never>? = nil,
        call: (@Sendable () -> Void)? = nil
    ) -> Bool {
        guard tasks[number].attempt.isRunning(attempt) else { return false }
        var handlers = terms.stopHandlers[number] ?? TaskTerms.StopHandlers(attempt: attempt)
        if let running { handlers.running = running }
        if let call { handlers.calls.append(call) }
        terms.stopHandlers[number] = handlers
        return true
    }
}

extension WorkflowCore {
    /// Runs the body of an attempt, as far as it runs on this thread.
    @inline(__always)
    func run(_ job: TaskJob) -> BodyEnd {
        if let fault = fault(of: job) { return run(job, fault) }
        return runAsItIs(job)
    }

    /// The same without faults.
    @inline(__always)
    func runAsItIs(_ job: TaskJob) -> BodyEnd {
        guard job.traits.contains(.durable) else { return runBody(job) }
        if job.traits.contains(.cached), let taken = takeOver(job) { return .over(.finished(taken.value)) }
        if handElsewhere(job) { return .goesOn }
        return KeptBody.$current.withValue(KeptBody(core: self, number: job.number)) { runBody(job) }
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

    private func runAsync(_ job: TaskJob, _ body: AsyncBody) -> BodyEnd {
        let running = Stages.task { [self] in
            let end: AttemptEnd
            do {
                // Cancelled before it has begun, it never does.
                try Task.checkCancellation()
                end = .finished(try await body.run())
            } catch {
                end = failure(of: job.number, error)
            }
            if let stage = Stages.current, let text = BodyEnd.over(end).inStory { note(job, text, on: stage) }
            change(tellsElsewhere: true) { $0.bodyEnded(job, .over(end), &$1) }
        }
        return goesOn(job, running)
    }

    private func run(_ job: TaskJob, _ task: WorkflowTask) -> BodyEnd {
        guard task.hasBody else { return .over(.finished(nil)) }
        let attempt = TaskAttempt(of: task, in: self, job.number, job.attempt)
        guard task.begin(attempt) else { return .returned }
        // The body is an async method, whose return ends the attempt.
        let running = Stages.task { [self] in
            await TaskAttempt.$running.withValue(attempt) {
                do {
                    try Task.checkCancellation()
                    attempt.end(.finished(try await task.run()), tellsElsewhere: true)
                } catch {
                    attempt.end(failure(of: job.number, error), tellsElsewhere: true)
                }
            }
            change(tellsElsewhere: true) { $0.bodyReturned(job, isOver: true, &$1) }
        }
        return goesOn(job, running)
    }

    func goesOn(_ job: TaskJob, _ running: Task<Void, Never>) -> BodyEnd {
        if !look({ $0.addStopHandler(job.number, job.attempt, running: running) }) { running.cancel() }
        return .goesOn
    }

    /// Calls a handler when the attempt is stopped, at once if it is over.
    func onStop(_ number: Int32, _ attempt: UInt32, _ handler: @escaping @Sendable () -> Void) {
        if !look({ $0.addStopHandler(number, attempt, call: handler) }) { handler() }
    }

    /// A body that may begin, now that its begin was told, begins on another thread.
    func runElsewhere(_ job: TaskJob) {
        if job.traits.contains(.isHanded) {
            change { $0.handAgain(job, &$1) }
        } else {
            Workers.shared.enqueue(BodyJob(self, job))
        }
    }

    // MARK: Operation queues and executors

    /// Gives ready tasks to their operation queues, and the others to the executor as one batch.
    func hand(_ tasks: [HandedTask]) {
        let workflowQueue = surroundings.withLock { $0.queue }
        var batch: [ReadyWork] = []
        for task in tasks {
            let (object, name, priority) = look {
                ($0.object(task.number), $0.taskName(task.number), $0.tasks[task.number].priority)
            }
            let work = ReadyWork(task: name, priority: priority, home: self, handed: task)
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
        // Stable, as those of one priority keep their order.
        if batch.contains(where: { $0.priority != batch[0].priority }) {
            batch = Priority.allCases.reversed().flatMap { priority in
                batch.filter { $0.priority == priority }
            }
        }
        // Without either the queue was taken away meanwhile.
        if let executor = options.executor { executor.run(batch) } else { for work in batch { work() } }
    }

    /// Runs on this thread what was handed to a queue or the executor.
    func run(_ handed: HandedTask) { HandedThread(self, handed).work() }

    /// What was handed to a queue will never run.
    func wasDropped(_ handed: HandedTask) { change { $0.wasDropped(handed, &$1) } }
}

/// A thread of somebody else's while it runs one body.
// The variable is touched by the one thread alone.
private final class HandedThread: EngineFace, @unchecked Sendable {
    private let core: WorkflowCore
    private let handed: HandedTask
    private var told: TaskJob?

    init(_ core: WorkflowCore, _ handed: HandedTask) {
        self.core = core
        self.handed = handed
    }

    var engine: Engine<WorkflowMachine> { core.engine }
    var engineClock: EngineClock { core.engineClock }

    func setTimer(_ order: Turn<WorkflowEffect, TaskTimer>.TimerOrder) { core.setTimer(order) }

    /// The body whose begin is told here also begins here.
    func perform(_ effect: WorkflowEffect) {
        if case .run(let job) = effect, job.number == handed.number, told == nil {
            told = job
        } else {
            core.perform(effect)
        }
    }

    func work() {
        var job = change { $0.beginHanded(handed, &$1) }
        if let told { job = change { $0.stillBegins(told, &$1) } }
        guard let job else { return }
        let end = core.run(job)
        core.change { $0.bodyEnded(job, end, &$1) }
    }
}
