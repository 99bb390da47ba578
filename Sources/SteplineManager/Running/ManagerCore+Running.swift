import SteplineEngine
import SteplineSupport
import Synchronization

extension ManagerCore {
    /// The number of times that a runner without work polls before it ends, because starting a runner costs more.
    private static let looks = 16
    /// The number of work items after which a runner yields its thread.
    private static let stint = 64

    /// Starts a runner.
    func startRunner() {
        let runner = Runner()
        runner.hold(spawn { await self.run(runner) })
    }

    private func run(_ runner: Runner) async {
        // Callbacks of a runner's transactions run on workers, so they never block a cooperative thread.
        var next = update(on: .other) { $0.arrive(runner, &$1) }
        var count = 0
        while true {
            guard let work = next else {
                guard let more = await lookOut(runner) else { return }
                next = more
                continue
            }
            count += 1
            // Cooperative threads are few: let other Swift tasks run as well.
            if count % Self.stint == 0 { await Task.yield() }
            let (isStopped, more) = await perform(work, runner)
            if isStopped { return }
            next = more
        }
    }

    /// Performs one work item; returns whether the runner was stopped meanwhile, and its next work.
    private func perform(_ work: Work, _ runner: Runner) async -> (isStopped: Bool, Work?) {
        switch work {
        case .body(let record, let attempt):
            let end = await execute(record, attempt)
            return update(on: .other) { machine, turn in
                // A stopped runner was cancelled as a Swift task, so it must not run other work.
                let isNeeded = record.attempt.isRunning(attempt)
                machine.bodyEnded(record, attempt: attempt, end, &turn)
                return isNeeded ? (false, machine.nextWork(for: runner, &turn)) : (true, nil)
            }
        case .interception(let record, let attempt, let heldCounts, let round, let progress):
            let answers = await intercept(record, attempt, heldCounts, progress)
            return update(on: .other) { machine, turn in
                guard machine.intercepted(record, answers, round: round, &turn) else { return (true, nil) }
                return (false, machine.nextWork(for: runner, &turn))
            }
        case .asking(let record, let copy, let attempt, let first, let requeues, let round, let progress):
            await ask(record, about: copy, attempt, from: first, requeues, round: round, progress)
            return update(on: .other) { machine, turn in
                guard machine.asked(record, round: round, &turn) else { return (true, nil) }
                return (false, machine.nextWork(for: runner, &turn))
            }
        }
    }

    /// Polls for work, so the next task doesn't have to start a runner.
    private func lookOut(_ runner: Runner) async -> Work? {
        guard update(on: .other, { machine, _ in machine.standBy() }) else { return nil }
        // A simulation polls once: more polls would only multiply its schedules.
        let most = Stages.current == nil ? Self.looks : 1
        var looks = 0
        while looks < most, !hasNews.load(ordering: .relaxed) {
            await Task.yield()
            looks += 1
        }
        // Also after the last poll: `arrive` clears the mark, and finds work that came meanwhile.
        return update(on: .other) { $0.arrive(runner, &$1) }
    }

    private func execute(_ record: TaskRecord, _ attempt: UInt32) async -> BodyEnd {
        if let limit = record.bodyLimit {
            update(on: .other) { $0.limit(record, attempt: attempt, to: limit, &$1) }
        }
        let place = ManagerPlace(
            control: self, kind: .body, record: record, attempt: attempt, reactor: record.terms.reactor)
        return await call(at: place, with: record.terms.values) {
            guard let stage = Stages.current else { return await record.execute() }
            return await execute(record, attempt, on: stage)
        }
    }

    /// Calls user code at a place, with the task-local values of a task's addition.
    private func call<Answer>(
        at place: ManagerPlace, with values: PropagatedValues?, _ body: () async -> Answer
    ) async -> Answer {
        await ManagerPlace.$current.withValue(place) {
            await PropagatedValues.call(with: values, body)
        }
    }

    // MARK: Asking

    private func intercept(
        _ record: TaskRecord, _ attempt: Int, _ heldCounts: [Int], _ progress: TurnProgress
    ) async -> InterceptAnswers {
        await call(at: ManagerPlace(control: self, kind: .interceptor), with: record.terms.values) {
            var answers: [InterceptAnswer] = []
            // No answers are stored as long as all interceptors answer `execute`.
            var usual = 0
            for position in interceptors.indices {
                // A given-up question asks no further interceptors.
                if Task.isCancelled { return .each(answers) }
                // The first interceptor's time was recorded when the runner took the question.
                if position > 0 { progress.begin(at: engineClock.now(), position: position) }
                let context = InterceptContext(
                    heldCount: heldCounts[position], handle: AnyTaskHandle(record, self),
                    attempt: attempt)
                let command: InterceptCommand
                do { command = try await record.intercept(with: interceptors[position], context) } catch {
                    command = .fail(error)
                }
                if case .execute = command, usual == position {
                    usual += 1
                    continue
                }
                // The first unusual answer: store the usual ones before it.
                while answers.count < usual {
                    answers.append(InterceptAnswer(command: .execute, limits: HoldLimits()))
                }
                var limits = HoldLimits()
                // The limits are user code: read them here, without the lock, at each hold.
                if case .hold = command { limits = interceptors[position].holdLimits }
                answers.append(InterceptAnswer(command: command, limits: limits))
            }
            return usual == interceptors.count ? .allExecute : .each(answers)
        }
    }

    private func ask(
        _ record: TaskRecord, about copy: ReactionCopy, _ attempt: Int, from first: Int,
        _ requeues: [Int: Int], round: Int, _ progress: TurnProgress
    ) async {
        await call(at: ManagerPlace(control: self, kind: .asking), with: record.terms.values) {
            for (index, reactor) in reactors.enumerated()
            // The record was added in this reactor's run: asking the reactor could start a run that waits for itself.
            where index >= first && index != record.terms.reactor {
                if Task.isCancelled { return }
                if index > 0 { progress.begin(at: engineClock.now(), position: index) }
                let context = ReactionContext(
                    handle: AnyTaskHandle(record, self), attempt: attempt,
                    requeues: requeues[index] ?? 0)
                guard await record.ask(reactor, about: copy, context) else { continue }
                // User code, which may return other values later: read once, without the lock.
                let configuration = reactor.configuration
                var wait = Duration.zero
                if configuration.requeuesTask {
                    wait = configuration.backoff.delay(beforeRequeue: context.requeues + 1)
                }
                if let waiting = reactor as? any WaitingReactor {
                    wait = max(wait, record.wait(for: waiting, about: copy, context) ?? .zero)
                }
                let answer = ReactorAnswer(reactor: index, configuration: configuration, wait: wait)
                // Stored one by one: if a later reactor doesn't answer, the earlier answers still count.
                update(on: .other) { machine, _ in machine.answered(record, answer, round: round) }
            }
        }
    }

    // MARK: Reactors' runs

    /// Starts the body of a reactor's run.
    func begin(_ order: ReactorRuns.Order) {
        let reactor = reactors[order.reactor]
        let place = ManagerPlace(control: self, kind: .run, reactor: order.reactor)
        let run = ReactorRun(number: order.number, order.members, self)
        // The run serves all its members, and began for the first.
        let values = order.members.list.first?.terms.values
        // Held before the task can end: a stop that came first cancels the task in `hold`.
        order.runner.hold(
            spawn {
                let error: (any Error)? = await self.call(at: place, with: values) {
                    do {
                        try await reactor.execute(run)
                        return nil
                    } catch {
                        return error
                    }
                }
                self.update(on: .other) { $0.runEnded(order.reactor, attempt: order.attempt, error, &$1) }
            })
    }
}
