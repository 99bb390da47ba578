import SteplineSupport
import SteplineTesting
import TestSupport
import Testing

@testable import SteplineEngine
@testable import SteplineManager

/// A machine and its model, told the same.
struct Duet {
    static let grace = 4_000_000_007
    static let answerTime = 5_000_000_053
    static let configurations: [(ReactorConfiguration, ManagerModel.Terms)] = [
        (
            ReactorConfiguration(
                timeout: .nanoseconds(1_500_000_011), requeuesTask: true, suspendsTaskQueue: true,
                maximumRequeues: 2),
            ManagerModel.Terms(timeout: 1_500_000_011, requeues: true, suspends: true, most: 2)
        ),
        (
            ReactorConfiguration(
                requeuesTask: true, reinterceptsOnRequeue: true, maximumRequeues: 3,
                backoff: .exponential(base: .nanoseconds(1_000_000_021), factor: 1, jitter: .none)),
            ManagerModel.Terms(requeues: true, reintercepts: true, most: 3, backoff: 1_000_000_021)
        ),
        (ReactorConfiguration(delaysCompletion: true), ManagerModel.Terms(delays: true)),
    ]

    var random: StableRandom
    let reactors: [(ReactorConfiguration, ManagerModel.Terms)]
    /// Whether the reactors of this round say yes to nearly everything, and their runs take long.
    private let isBusy: Bool
    let face: MachineFace
    var model: ManagerModel
    var records: [TaskRecord] = []
    /// Whose end was told, as often as it was.
    var reported: [ManagedTaskID] = []
    /// The work that runners have taken and not done.
    var works: [Work] = []
    /// Bodies of reactors' runs that are live, also those that nobody waits for.
    var runs: [ReactorRuns.Order] = []
    /// The number of the body begun last, of each reactor.
    var lastRuns: [UInt32] = [0, 0]

    init(seed: UInt64) {
        random = StableRandom(seed: seed)
        var configurations = Self.configurations
        configurations.shuffle(using: &random)
        reactors = Array(configurations.prefix(2))
        isBusy = random.chance(1, in: 2)
        let most = random.chance(1, in: 3) ? Int.random(in: 2...12, using: &random) : nil
        let chosen = [Self.someLimits(&random), Self.someLimits(&random)]
        face = MachineFace(
            ManagerRules(
                interceptors: ["one", "two"], reactors: ["one", "two"],
                answerTimeout: .nanoseconds(Self.answerTime), grace: .nanoseconds(Self.grace),
                maximumWaiting: most), maximumConcurrency: 2)
        model = ManagerModel(
            reactors.map(\.1), holding: chosen, grace: Self.grace, answerTime: Self.answerTime, waiting: most)
    }

    private static func someLimits(_ random: inout StableRandom) -> ManagerModel.HoldTerms {
        ManagerModel.HoldTerms(
            count: random.chance(1, in: 2) ? Int.random(in: 1...3, using: &random) : nil,
            age: random.chance(1, in: 2) ? Int.random(in: 1...3_000_000_000, using: &random) : nil,
            fails: random.chance(1, in: 2))
    }

    /// A number up to this, never one that is likely to come twice.
    private mutating func time(_ most: Int) -> Int { Int.random(in: 1...most, using: &random) }

    mutating func step() {
        drop()
        switch Int.random(in: 0..<20, using: &random) {
        case 0...3: if !model.isReleased { add() }
        case 4:
            if let task = randomTask() {
                face.update { $0.start(records[task], byHand: true, &$1) }
                model.start(task)
            }
        case 5: if let task = randomTask() { cancel(task) }
        case 6: for _ in 0..<2 { control() }
        case 7...11: takeWork()
        case 12...16: finishWork()
        case 17: if !isBusy || random.chance(1, in: 4) { endRun() }
        // Now and then for longer than anybody has time to answer.
        default: pass(time(random.chance(1, in: 4) ? 6_000_000_000 : 2_000_000_000))
        }
    }

    private mutating func randomTask() -> Int? { records.indices.randomElement(using: &random) }

    mutating func add() {
        let priority = Int.random(in: 0..<5, using: &random),
            starts = Int.random(in: 0..<5, using: &random) > 0
        let delay = Int.random(in: 0..<4, using: &random) == 0 ? time(3_000_000_000) : 0
        let deadline = Int.random(in: 0..<4, using: &random) == 0 ? time(20_000_000_000) : nil
        let served = random.chance(1, in: 6) ? Int.random(in: 0..<2, using: &random) : nil
        let lane = random.chance(1, in: 2) ? Int.random(in: 0..<2, using: &random) : nil
        let terms = TaskTerms(
            name: "task", tags: [], delay: .nanoseconds(delay),
            deadline: deadline.map { .nanoseconds($0) }, reactor: served)
        let record = LadenRecord(terms, face.watch), load = face.watch.thing()
        record.priority = Priority(rawValue: UInt8(priority)) ?? .normal
        record.stand.lane = lane.map { TaskLane("\($0)", limit: ManagerModel.laneLimits[$0]) }
        _ = record.callbacks.add(.init(.end) { _ in withExtendedLifetime(load) {} })
        records.append(record)
        face.update { $0.add(record, starts: starts, &$1) }
        model.add(
            priority: priority, delay: delay, deadline: deadline, serves: served != nil, lane: lane,
            starts: starts)
    }

    private mutating func cancelSome() {
        let meant = records.indices.filter { _ in Int.random(in: 0..<4, using: &random) == 0 }
        let chosen = Set(meant.map { ObjectIdentifier(records[$0]) })
        let count = face.update { machine, turn in
            machine.cancelAll(.requested, &turn) { chosen.contains(ObjectIdentifier($0)) }
        }
        #expect(model.cancelAll(meant) == count)
    }

    private mutating func cancel(_ task: Int) {
        let isFirst = face.update { $0.cancel(records[task], .requested, &$1) }
        #expect(model.cancel(task) == isFirst)
    }

    private mutating func control() {
        let message = Int.random(in: 0..<24, using: &random)
        // After the manager's release only a handle's messages remain.
        guard !model.isReleased else { return control(4 + message % 2) }
        switch message {
        case 20, 21: cancelSome()
        case 22:
            guard Int.random(in: 0..<8, using: &random) == 0 else { return }
            face.update { $0.beginShutdown(&$1) }
            model.shutDown()
        case 23:
            guard Int.random(in: 0..<4, using: &random) == 0 else { return }
            face.update { $0.ownerIsGone(&$1) }
            model.ownerIsGone()
        default: control(message % 6)
        }
    }

    private mutating func control(_ message: Int) {
        switch message {
        case 0:
            face.update { $0.pause(&$1) }
            model.isPaused = true
        case 1:
            face.update { $0.resume(&$1) }
            model.isPaused = false
            model.begin()
        case 2:
            let limit = Int.random(in: 0...3, using: &random)
            face.update { $0.setLimit(limit, &$1) }
            model.limit = limit
            model.begin()
        case 3:
            let position = Int.random(in: 0..<2, using: &random)
            face.update { $0.release(by: position, &$1) }
            model.release(by: position)
        case 4:
            guard let body = model.bodies.randomElement(using: &random) else { return }
            let isLending = body.lends == 0
            face.update { machine, turn in
                let record = records[body.task], attempt = UInt32(body.attempt)
                if isLending {
                    machine.lend(record, attempt: attempt, &turn)
                } else {
                    machine.takeBack(record, attempt: attempt)
                }
            }
            if isLending { model.lend(body) } else { model.takeBack(body) }
        default:
            guard let task = randomTask() else { return }
            let priority = Int.random(in: 0..<5, using: &random)
            face.update { $0.setPriority(records[task], Priority(rawValue: UInt8(priority)) ?? .normal, &$1) }
            if case .ended = model.tasks[task].stage { return }
            let hasChanged = model.tasks[task].priority != priority
            model.tasks[task].priority = priority
            if hasChanged, model.tasks[task].stage == .ready { model.begin() }
        }
    }

    // MARK: Runners

    mutating func takeWork() {
        let work = face.update { $0.nextWork(for: Runner(), &$1) }
        // The same, by the model.
        if !model.isAsking {
            while let task = model.asking.first {
                model.asking.removeFirst()
                guard model.tasks[task].stage == .asked else { continue }
                model.beginAsking(task)
                guard case .asking(let record, _, _, let first, _, let round, _) = work,
                    record === records[task], first == model.tasks[task].firstToAsk,
                    round == model.askRound, let work
                else { return expectedOther("asking about \(task)", work) }
                return works.append(work)
            }
        }
        while let body = model.begun.first {
            model.begun.removeFirst()
            guard model.tasks[body.task].stage == .executing, model.tasks[body.task].attempt == body.attempt
            else {
                model.bodyEnded(body, false)
                continue
            }
            guard case .body(let record, let attempt) = work, record === records[body.task],
                attempt == body.attempt
            else { return expectedOther("the body of \(body.task)", work) }
            works.append(.body(record, attempt: attempt))
            (record as? LadenRecord)?.execute()
            guard Int.random(in: 0..<4, using: &random) == 0 else { return }
            let limit = time(3_000_000_000)
            face.update { $0.limit(record, attempt: attempt, to: .nanoseconds(limit), &$1) }
            return model.limitBody(body, to: limit)
        }
        if !model.isIntercepting {
            while let task = model.awaiting.first {
                model.awaiting.removeFirst()
                guard model.tasks[task].stage == .awaiting else { continue }
                model.beginIntercepting(task)
                guard case .interception(let record, _, let held, let round, _) = work,
                    record === records[task], round == model.interceptRound, let work
                else { return expectedOther("the interception of \(task)", work) }
                for position in 0..<2 {
                    #expect(held[position] == model.tasks.count { $0.stage == .held(position) })
                }
                return works.append(work)
            }
        }
        if work != nil { expectedOther("nothing", work) }
    }

    private func expectedOther(_ expected: String, _ work: Work?) {
        Issue.record("the model does \(expected), the machine \(work.map { "\($0)" } ?? "nothing")")
    }

    mutating func finishWork() {
        guard let index = works.indices.randomElement(using: &random) else { return }
        switch works.remove(at: index) {
        case .body(let record, let attempt):
            let hasSucceeded = Bool.random(using: &random)
            let end = BodyEnd(result: face.watch.thing(), hasSucceeded: hasSucceeded)
            face.update { $0.bodyEnded(record, attempt: attempt, end, &$1) }
            let body = ManagerModel.Body(task: record.identifier.number, attempt: Int(attempt))
            model.bodyEnded(body, hasSucceeded)
        case .interception(let record, _, _, let round, _):
            let commands = (0..<2).map { _ in randomCommand() }
            // Now and then an interceptor holds by other limits than before.
            let terms = (0..<2).map {
                random.chance(1, in: 3) ? Self.someLimits(&random) : model.holding[$0]
            }
            let answers = InterceptAnswers.each(
                zip(commands, terms).map { InterceptAnswer(command: $0, limits: HoldLimits($1)) })
            let isCurrent = round == model.interceptRound
            #expect(face.update { $0.intercepted(record, answers, round: round, &$1) } == isCurrent)
            if isCurrent { model.intercepted(record.identifier.number, commands, terms) }
        case .asking(let record, _, _, let first, _, let round, _):
            let yes = (first..<2).filter {
                $0 != record.terms.reactor && random.chance(isBusy ? 5 : 2, in: 6)
            }
            let isCurrent = round == model.askRound
            let isAnswered = face.update { machine, turn in
                for reactor in yes {
                    let configuration = reactors[reactor].0
                    let requeues = record.reaction?.counts[reactor] ?? 0
                    let wait = configuration.backoff.delay(beforeRequeue: requeues + 1)
                    let answer = ReactorAnswer(
                        reactor: reactor, configuration: configuration, wait: wait)
                    machine.answered(record, answer, round: round)
                }
                return machine.asked(record, round: round, &turn)
            }
            #expect(isAnswered == isCurrent)
            if isCurrent { model.asked(record.identifier.number, yes) }
        }
    }

    private mutating func randomCommand() -> InterceptCommand {
        switch isBusy ? 0 : Int.random(in: 0..<12, using: &random) {
        case 0...6: .execute
        case 7: .forceExecute
        case 8, 9: .hold
        case 10: .discard
        default: .delay(.nanoseconds(time(900_000_000)))
        }
    }

    mutating func endRun() {
        collect()
        guard let index = runs.indices.randomElement(using: &random) else { return }
        let order = runs.remove(at: index), hasFailed = Bool.random(using: &random)
        // Only the body begun last can be one that somebody waits for.
        let isLive = model.runBodies[order.reactor] != nil && order.attempt == lastRuns[order.reactor]
        face.update {
            $0.runEnded(order.reactor, attempt: order.attempt, hasFailed ? Broken() : nil, &$1)
        }
        if isLive { model.runBodyEnded(order.reactor, hasFailed: hasFailed) }
    }

    /// Takes over the runs that are to begin, and whom was told of.
    private mutating func collect() {
        for effect in face.takeEffects() {
            switch effect {
            case .beginRun(let order):
                runs.append(order)
                lastRuns[order.reactor] = order.attempt
            case .tell(let news):
                if !news.deliveries.isEmpty { reported.append(news.record.identifier) }
                face.update { machine, _ in for _ in 0..<news.count { machine.hasNotified() } }
            default: break
            }
        }
    }

    /// Drops the handles of some ended tasks; the machine may hold the last reference to them.
    mutating func drop() {
        for task in records.indices where records[task] is LadenRecord && random.chance(1, in: 2) {
            // A body that is still live knows its own.
            if model.bodies.contains(where: { $0.task == task }) { continue }
            if case .ended = model.tasks[task].stage { records[task] = TaskRecord(endedLike: records[task]) }
        }
    }

    mutating func pass(_ time: Int) {
        let end = model.now + time
        while model.passTimer(dueBy: end) {}
        model.now = end
        face.clock.advance(by: .nanoseconds(time))
    }

    // MARK: Comparing

    /// Whether both say the same of everything.
    mutating func agree() -> Bool {
        collect()
        let (states, live) = face.engine.read { machine in
            (records.map { machine.state(of: $0) }, machine.ready.live)
        }
        var isSame = live == model.bodies.count { $0.lends == 0 }
        for (task, entry) in model.tasks.enumerated() {
            if states[task] != state(entry) || records[task].attemptNumber != entry.attempt {
                Issue.record("task \(task): the model \(entry), the machine \(states[task])")
                isSame = false
            }
        }
        let timers = face.engine.state.withLock { $0.turn.timers.keys.map { "\($0)" } }
        if timers.count != model.timers.count {
            Issue.record("timers: the model \(model.timers), the machine \(timers)")
            isSame = false
        }
        let isIdle = face.engine.read { $0.register.isIdle }
        if isIdle != model.isIdle {
            Issue.record("the machine is \(isIdle ? "" : "not ")idle")
            isSame = false
        }
        if lastRuns.reduce(0, +) != model.lastRunBody {
            Issue.record("bodies of runs: the model \(model.lastRunBody), the machine \(lastRuns)")
            isSame = false
        }
        if face.watch.lost > 0 {
            Issue.record("\(face.watch.lost) things of a user's were freed under the lock")
            isSame = false
        }
        if !isSame { Issue.record("live: the model \(model.bodies), the machine \(live)") }
        return isSame
    }

    private func state(_ entry: ManagerModel.Entry) -> TaskState {
        let isSuspended = model.runs.contains { $0?.suspends == true }
        let wait: TaskState.Wait?
        switch entry.stage {
        case .notStarted: wait = .start
        case .delayed: wait = .delay
        case .awaiting, .intercepting: wait = .interception
        case .held: wait = .held
        case .ready:
            wait = entry.serves ? .slot : model.isPaused ? .pause : isSuspended ? .suspension : .slot
        case .executing: wait = nil
        case .asked, .reacting: wait = .reaction
        case .backoff: wait = .backoff
        case .ended(let end): return .finished(end)
        }
        return entry.attempt > 0 ? .executing(wait) : .pending(wait ?? .slot)
    }

    /// Lets everything come to its end.
    ///
    /// A manager that nobody holds comes to that by itself.
    mutating func drain() {
        if !model.isReleased {
            face.update {
                $0.beginShutdown(&$1)
                // The manager may have been paused after an earlier shutdown.
                $0.resume(&$1)
                $0.setLimit(3, &$1)
            }
            model.shutDown()
            model.isPaused = false
            model.limit = 3
            model.begin()
        }
        for _ in 0..<10_000
        where model.tasks.contains(where: { if case .ended = $0.stage { false } else { true } }) {
            takeWork()
            finishWork()
            endRun()
            pass(time(2_000_000_000))
        }
    }
}

extension HoldLimits {
    fileprivate init(_ terms: ManagerModel.HoldTerms) {
        self.init(
            count: terms.count, age: terms.age.map { .nanoseconds($0) }, then: terms.fails ? .fail : .release)
    }
}
