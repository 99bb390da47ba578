import SteplineEngine
import SteplineSupport
import Synchronization

extension ManagerCore {
    /// How often a runner out of work looks whether there is more, before it goes: to start one costs more.
    private static let looks = 16
    /// After how much work a runner lets others have its thread.
    private static let stint = 64

    /// Starts a runner.
    func startRunner() {
        let runner = Runner()
        runner.hold(spawn { await self.run(runner) })
    }

    private func run(_ runner: Runner) async {
        var next = update(on: .other) { $0.arrive(runner, &$1) }
        var count = 0
        while true {
            guard let work = next else {
                guard let more = await lookOut(runner) else { return }
                next = more
                continue
            }
            count += 1
            if count % Self.stint == 0 { await Task.yield() }
            let (isStopped, more) = await perform(work, runner)
            if isStopped { return }
            next = more
        }
    }

    /// Does one piece of work; whether the runner was stopped meanwhile, and what it does next.
    private func perform(_ work: Work, _ runner: Runner) async -> (isStopped: Bool, Work?) {
        switch work {
        case .body(let record, let attempt):
            let end = await execute(record, attempt)
            return update(on: .other) { machine, turn in
                let isWanted = record.attempt.isRunning(attempt)
                machine.bodyEnded(record, attempt: attempt, end, &turn)
                return isWanted ? (false, machine.nextWork(for: runner, &turn)) : (true, nil)
            }
        case .interception(let record, let attempt, let heldCounts, let round):
            let answers = await intercept(record, attempt, heldCounts)
            return update(on: .other) { machine, turn in
                guard machine.intercepted(record, answers, round: round, &turn) else { return (true, nil) }
                return (false, machine.nextWork(for: runner, &turn))
            }
        case .asking(let record, let attempt, let first, let requeues, let round):
            await ask(record, attempt, from: first, requeues, round: round)
            return update(on: .other) { machine, turn in
                guard machine.asked(record, round: round, &turn) else { return (true, nil) }
                return (false, machine.nextWork(for: runner, &turn))
            }
        }
    }

    /// Waits a moment for more work, lest the next task have to start a runner.
    private func lookOut(_ runner: Runner) async -> Work? {
        guard update(on: .other, { machine, _ in machine.standBy() }) else { return nil }
        // Once is as good as often in a play, and the orders of it are fewer.
        let most = Stages.current == nil ? Self.looks : 1
        var looks = 0
        while looks < most, !hasNews.load(ordering: .relaxed) {
            await Task.yield()
            looks += 1
        }
        return update(on: .other) { $0.arrive(runner, &$1) }
    }

    private func execute(_ record: TaskRecord, _ attempt: UInt32) async -> BodyEnd {
        if let limit = record.bodyLimit {
            update(on: .other) { $0.limit(record, attempt: attempt, to: limit, &$1) }
        }
        let place = ManagerPlace(
            door: self, kind: .body, record: record, attempt: attempt, reactor: record.terms.reactor)
        return await ManagerPlace.$current.withValue(place) {
            guard let stage = Stages.current else { return await record.execute() }
            return await execute(record, attempt, on: stage)
        }
    }

    // MARK: Asking

    private func intercept(
        _ record: TaskRecord, _ attempt: Int, _ heldCounts: [Int]
    ) async -> InterceptAnswers {
        await ManagerPlace.$current.withValue(ManagerPlace(door: self, kind: .interceptor)) {
            var answers: [InterceptAnswer] = []
            // Nothing is noted as long as all say the usual.
            var usual = 0
            for position in interceptors.indices {
                // One that was given up asks nobody else.
                if Task.isCancelled { return .each(answers) }
                if position > 0 { interceptionProgress.begin(at: engineClock.now(), position: position) }
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
                while answers.count < usual {
                    answers.append(InterceptAnswer(command: .execute, limits: HoldLimits()))
                }
                var limits = HoldLimits()
                if case .hold = command { limits = interceptors[position].holdLimits }
                answers.append(InterceptAnswer(command: command, limits: limits))
            }
            return usual == interceptors.count ? .allExecute : .each(answers)
        }
    }

    private func ask(
        _ record: TaskRecord, _ attempt: Int, from first: Int, _ requeues: [Int: Int], round: Int
    ) async {
        await ManagerPlace.$current.withValue(ManagerPlace(door: self, kind: .asking)) {
            for (index, reactor) in reactors.enumerated()
            where index >= first && index != record.terms.reactor {
                if Task.isCancelled { return }
                if index > 0 { askingProgress.begin(at: engineClock.now(), position: index) }
                let context = ReactionContext(
                    handle: AnyTaskHandle(record, self), attempt: attempt,
                    requeues: requeues[index] ?? 0)
                guard await record.ask(reactor, context) else { continue }
                let configuration = reactor.configuration
                var wait = Duration.zero
                if configuration.requeuesTask {
                    wait = configuration.backoff.delay(beforeRequeue: context.requeues + 1)
                }
                if let waiting = reactor as? any WaitingReactor {
                    wait = max(wait, record.wait(for: waiting, context) ?? .zero)
                }
                let answer = ReactorAnswer(reactor: index, configuration: configuration, wait: wait)
                update(on: .other) { machine, _ in machine.answered(record, answer, round: round) }
            }
        }
    }

    // MARK: Reactors' runs

    /// Begins the body of a reactor's run.
    func begin(_ order: ReactorRuns.Order) {
        let reactor = reactors[order.reactor]
        let place = ManagerPlace(door: self, kind: .run, reactor: order.reactor)
        let run = ReactorRun(number: order.number, order.members, self)
        order.runner.hold(
            spawn {
                let error: (any Error)? = await ManagerPlace.$current.withValue(place) {
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
