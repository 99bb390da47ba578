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
        var next = update(on: .shared) { $0.arrive(runner) }
        var count = 0
        while true {
            guard let work = next else {
                guard let more = await lookOut(runner) else { return }
                next = more
                continue
            }
            count += 1
            if count % Self.stint == 0 { await Task.yield() }
            switch work {
            case .body(let record, let attempt):
                let end = await execute(record, attempt)
                let (isStopped, more) = update(on: .shared) { machine in
                    machine.bodyEnded(record, attempt: attempt, end)
                    return record.bodyIsStopped ? (true, nil) : (false, machine.nextWork(for: runner))
                }
                if isStopped { return }
                next = more
            case .interception(let record, let heldCounts, let loop):
                let answers = await intercept(record, heldCounts)
                let (isStopped, more) = update(on: .shared) { machine in
                    guard machine.interception.isCurrent(record, in: loop) else {
                        machine.released.add(record.letGo(of: .interceptors))
                        return (true, Work?.none)
                    }
                    machine.intercepted(record, answers, loop: loop)
                    return (false, machine.nextWork(for: runner))
                }
                if isStopped { return }
                next = more
            case .asking(let record, let requeues, let loop):
                await ask(record, requeues, loop: loop)
                let (isStopped, more) = update(on: .shared) { machine in
                    guard machine.asking.isCurrent(record, in: loop) else { return (true, Work?.none) }
                    let answers = record.answers
                    record.answers = []
                    record.firstToAsk = 0
                    machine.released.add(record.letGo(of: .reactors))
                    machine.asked(record, answers, loop: loop)
                    return (false, machine.nextWork(for: runner))
                }
                if isStopped { return }
                next = more
            }
        }
    }

    /// Waits a moment for more work, lest the next task have to start a runner.
    private func lookOut(_ runner: Runner) async -> Work? {
        guard machine.withLock({ $0.standBy() }) else { return nil }
        var looks = 0
        while looks < Self.looks, !hasNews.load(ordering: .relaxed) {
            await Task.yield()
            looks += 1
        }
        return update(on: .shared) { $0.arrive(runner) }
    }

    private func execute(_ record: TaskRecord, _ attempt: Int) async -> BodyEnd {
        let place = ManagerPlace(
            core: self, kind: .body, record: record, attempt: attempt, reactor: record.exemptReactor)
        return await ManagerPlace.$current.withValue(place) { await record.execute(attempt: attempt) }
    }

    // MARK: Asking

    private func intercept(_ record: TaskRecord, _ heldCounts: [Int]) async -> [InterceptAnswer] {
        await ManagerPlace.$current.withValue(ManagerPlace(core: self, kind: .interceptor)) {
            var answers: [InterceptAnswer] = []
            answers.reserveCapacity(interceptors.count)
            for position in interceptors.indices {
                // One that was given up asks nobody else.
                if Task.isCancelled { break }
                if position > 0 {
                    interceptionProgress.begin(at: options.clock.uptime, position: position)
                }
                let context = InterceptContext(
                    heldCount: heldCounts[position], handle: AnyTaskHandle(record),
                    attempt: record.attempt + 1)
                let command: InterceptCommand
                do { command = try await record.intercept(with: interceptors[position], context) } catch {
                    command = .fail(error)
                }
                var limits = HoldLimits()
                if case .hold = command { limits = interceptors[position].holdLimits }
                answers.append(InterceptAnswer(command: command, limits: limits))
            }
            return answers
        }
    }

    private func ask(_ record: TaskRecord, _ requeues: [Int: Int], loop: Int) async {
        await ManagerPlace.$current.withValue(ManagerPlace(core: self, kind: .asking)) {
            for (index, reactor) in reactors.enumerated()
            where index >= record.firstToAsk && index != record.exemptReactor {
                if Task.isCancelled { return }
                if index > 0 { askingProgress.begin(at: options.clock.uptime, position: index) }
                let context = ReactionContext(
                    handle: AnyTaskHandle(record), attempt: record.attempt, requeues: requeues[index] ?? 0)
                guard await record.ask(reactor, context) else { continue }
                var configuration = reactor.configuration
                if let waiting = reactor as? any WaitingReactor {
                    configuration.least = record.wait(for: waiting, context)
                }
                let answered = configuration
                machine.withLock { machine in
                    guard machine.asking.isCurrent(record, in: loop) else { return }
                    record.answers.append(ReactorAnswer(reactor: index, configuration: answered))
                }
            }
        }
    }
}

extension ManagerState {
    /// A runner comes, or has waited a moment: what it is to do; nil if it may go.
    mutating func arrive(_ runner: Runner) -> Work? {
        isRunnerComing = false
        return nextWork(for: runner)
    }

    /// Whether a runner out of work is to wait a moment for more: one does.
    mutating func standBy() -> Bool {
        guard !isRunnerComing else { return false }
        isRunnerComing = true
        return true
    }

    /// Whether a runner is to be started for what there is to do.
    mutating func callRunner() -> Bool {
        guard !isRunnerComing else { return false }
        isRunnerComing = true
        return true
    }
}
