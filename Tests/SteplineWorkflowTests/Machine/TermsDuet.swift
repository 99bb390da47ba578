import SteplineSupport
import SteplineTesting
import TestSupport

@testable import SteplineEngine
@testable import SteplineWorkflow

/// A machine on its own and its model, told the same: bodies, timers, queues and listeners go on as chance will have
/// it.
struct TermsDuet {
    private static let wait = Duration.seconds(1)

    var random: StableRandom
    var model: TermsModel
    var held: Watched<WorkflowMachine>
    let watch = LockWatch()
    var turn = WorkflowTurn()
    let pool: ConcurrencyPool
    /// Where grants would go; the machine beside it asks for itself.
    private let core: WorkflowCore
    /// Bodies that have begun and aren't over.
    var live: [TaskJob] = []
    /// Attempts that want to hear of their stop; a closure, for which there is the shorter door, can't.
    private var listening: Set<[Int32]> = []
    /// Bodies that have returned, or reported their end, and not both.
    var half: [(job: TaskJob, hasReturned: Bool)] = []
    /// The tasks that operation queues hold.
    var queued: [ExternalTask] = []
    /// The ends of times that are due and don't count yet.
    private(set) var late: [(number: Int32, attempt: UInt32, isDeadline: Bool)] = []
    private(set) var eventLog: [String] = []
    private(set) var settled = 0

    init(seed: UInt64) {
        random = StableRandom(seed: seed)
        let capacity = Int.random(in: 1...3, using: &random)
        pool = ConcurrencyPool("pool", capacity: capacity)
        var options = WorkflowOptions()
        if random.chance(1, in: 2) { options.maximumConcurrency = Int.random(in: 1...3, using: &random) }
        if random.chance(1, in: 4) { options.onFailure = .cancelOthers }
        let plans = TermsModel.Plan.some(
            capacity: capacity, failsConditions: options.onFailure != .cancelOthers, &random)
        model = TermsModel(
            plans, limit: options.maximumConcurrency ?? .max, capacity: capacity,
            cancelsOthers: options.onFailure == .cancelOthers)
        options.keptAttempts = Int.random(in: 0...2, using: &random)
        held = Watched(WorkflowMachine(name: "terms", options: options, calendar: 0), watch)
        core = WorkflowCore("nobody", WorkflowOptions())
        held.machine.core = core
        for plan in plans { add(plan) }
    }

    private mutating func add(_ plan: TermsModel.Plan) {
        var traits: TaskNode.Traits = []
        switch plan.kind {
        case .plain: break
        case .cleanup: traits.insert(.cleanup)
        case .condition(let fails):
            traits.insert(.condition)
            if fails { held.machine.rare.failingConditions.insert(held.machine.tasks.count) }
        }
        if plan.isWatched { traits.insert(.watched) }
        if plan.isExternal { traits.insert(.isExternal) }
        let options = TaskOptions(
            timeout: plan.hasTimeout ? Self.wait : nil, deadline: plan.hasDeadline ? Self.wait : nil,
            pools: plan.weight > 0 ? [pool: plan.weight] : [:],
            grace: Self.wait, watchdog: plan.hasWatchdog ? Self.wait : nil)
        let load = watch.thing()
        let body: TaskPart.Work = plan.isAsync ? .async(AsyncClosure { load }) : .closure { load }
        let allowing = Set(plan.edges.filter { $0.need == .anyEnd }.map { Int32($0.prerequisite) })
        plan.edges.map { Int32($0.prerequisite) }.withUnsafeBufferPointer { places in
            _ = held.machine.add(body, "", options, traits, after: places, allowing: allowing, &turn)
        }
    }

    // MARK: Messages

    mutating func step() {
        let task = Int.random(in: 0..<model.plans.count, using: &random), number = Int32(task)
        switch Int.random(in: 0..<30, using: &random) {
        case 0...3:
            note("start \(task)")
            held.machine.start(number, &turn)
            model.start(task)
        case 4: if random.chance(1, in: 2) { cancel(task) }
        case 5:
            note("reset \(task)")
            held.machine.reset([number], &turn)
            model.reset(task)
        case 6, 7:
            note("retry \(task)")
            held.machine.retry([number], &turn)
            model.retry(task)
        case 8, 9:
            guard model.isCondition(task) else { break }
            note("fulfil \(task)")
            let load = watch.thing(), isFirst = held.machine.fulfill(number, with: load, &turn)
            if isFirst != model.fulfill(task) { fault("fulfilled: \(isFirst)") }
        case 10:
            guard random.chance(1, in: 6) else { break }
            note("forget \(task)")
            let kept = held.machine.forget([number], &turn).kept.map { Int($0) }
            if kept != model.forget([task]) { fault("keeps \(kept)") }
        case 11...15: begin()
        case 16...20: endBody()
        case 21, 22: fire()
        case 23, 24: useQueue()
        case 25: endTime()
        default: tellNext()
        }
        carryOut()
    }

    private mutating func cancel(_ task: Int) {
        if random.chance(1, in: 6) {
            note("cancel all")
            let isFirst = held.machine.cancelAll(.requested, includingCleanups: false, &turn)
            if isFirst != model.cancelAll() { fault("cancel all came first: \(isFirst)") }
        } else {
            note("cancel \(task)")
            let isFirst = held.machine.cancel([Int32(task)], .requested, &turn).isFirst
            if isFirst != model.cancel([task]) { fault("cancel came first: \(isFirst)") }
        }
    }

    /// A thread takes what is next.
    mutating func begin() {
        let job = held.machine.nextJob(&turn)
        guard let job else { return }
        note("a thread begins \(job.number)")
        live.append(job)
        guard random.chance(1, in: 3) else { return }
        let load = watch.thing()
        let call: @Sendable () -> Void = { withExtendedLifetime(load) {} }
        _ = held.machine.addStopHandler(job.number, job.attempt, call: call)
        listening.insert([job.number, Int32(job.attempt)])
    }

    mutating func endBody() {
        let end = TermsModel.End.allCases.randomElement(using: &random) ?? .finished
        let count = live.count + half.count
        guard count > 0 else { return }
        let index = Int.random(in: 0..<count, using: &random)
        let isHalf = index >= live.count
        let (job, hasReturned) =
            isHalf ? half.remove(at: index - live.count) : (live.remove(at: index), false)
        let (task, attempt) = (Int(job.number), Int(job.attempt)), made = self.end(end)
        switch isHalf ? (hasReturned ? 1 : 2) : Int.random(in: 0..<4, using: &random) {
        case 1:
            note("\(job.number).\(attempt) reports \(end)")
            held.machine.end(job.number, job.attempt, made, &turn)
            model.reported(task, attempt, end)
            if !isHalf { half.append((job, false)) }
        case 2:
            note("\(job.number).\(attempt) returns")
            held.machine.bodyReturned(job, isOver: false, &turn)
            model.returned(task, attempt)
            if !isHalf { half.append((job, true)) }
        default:
            note("\(job.number).\(attempt) is over, \(end)")
            // The transition of closures leads to the same.
            let isClosure =
                !model.plans[task].isAsync && !listening.contains([job.number, Int32(attempt)])
            if case .finished(var value) = made, isClosure, random.chance(1, in: 2) {
                held.machine.closureFinished(job.number, job.attempt, &value, &turn)
            } else {
                held.machine.bodyEnded(job, .over(made), &turn)
            }
            model.reported(task, attempt, end)
            model.returned(task, attempt, isOver: true)
        }
    }

    private func end(_ end: TermsModel.End) -> AttemptResult {
        switch end {
        case .finished: .finished(watch.thing())
        case .failed: .failed(TaskFailure(watch.thing()), retryAfter: nil)
        case .failedToRetry: .failed(TaskFailure(watch.thing()), retryAfter: Self.wait)
        }
    }

    /// A timer is due: which one comes first is left to chance.
    mutating func fire() {
        let set = turn.timers.keys.sorted { ($0.number, $0.kind.rawValue) < ($1.number, $1.kind.rawValue) }
        guard let timer = set.randomElement(using: &random) else { return }
        note("\(timer.kind) of \(timer.number) is due")
        turn.withdraw(timer)
        switch timer.kind {
        case .grace: model.graceIsOver(Int(timer.number))
        case .backOff: model.backOffIsOver(Int(timer.number))
        case .timeout: model.timeIsOver(Int(timer.number), isDeadline: false)
        case .deadline: model.timeIsOver(Int(timer.number), isDeadline: true)
        // The model has no delays.
        case .delay, .watchdog: break
        }
        held.machine.timerFired(timer, &turn)
    }

    mutating func useQueue() {
        guard let index = queued.indices.randomElement(using: &random) else { return }
        let external = queued.remove(at: index), task = Int(external.number)
        if random.chance(1, in: 5) {
            note("a queue drops \(task)")
            let isGood = model.tasks[task].ticket == external.ticket
            model.tasks[task].ticket = isGood ? nil : model.tasks[task].ticket
            if isGood { _ = model.cancel([task]) }
            held.machine.wasDropped(external, &turn)
            if isGood, let job = external.job { model.returned(task, Int(job.attempt), isOver: true) }
        } else {
            note("a queue begins \(task)")
            let isGood = model.tasks[task].ticket == external.ticket
            if isGood { model.tasks[task].ticket = nil }
            if let job = held.machine.beginExternal(external, &turn) {
                live.append(job)
            } else if isGood, let job = external.job {
                model.returned(task, Int(job.attempt), isOver: true)
            }
        }
    }

    // MARK: Doing

    /// One thing that is told, by the one who tells.
    mutating func tellNext() {
        guard turn.isTelling, let news = turn.nextNews() else { return }
        switch news {
        case .notified(let number, let starts):
            note("\(number) is told")
            held.machine.listenersNotified(number, starts: starts, &turn)
            model.notified(Int(number))
        case .run(let job):
            note("the begin of \(job.number).\(job.attempt) is told")
            let isExternal = job.traits.contains(.isExternal),
                next = isExternal ? nil : held.machine.stillBegins(job, &turn)
            if isExternal { held.machine.handAgain(job, &turn) }
            if let next { live.append(next) }
            if !model.isRunning(Int(job.number), Int(job.attempt)) {
                model.returned(Int(job.number), Int(job.attempt), isOver: true)
            }
        case .settle: held.machine.settle(&turn)
        case .settled: settled += 1
        default: break
        }
    }

    mutating func carryOut() {
        var isMoving = true
        while isMoving {
            notice()
            held.machine.endTurn(&turn)
            let orders = turn.takeWork().orders
            for order in orders { perform(order) }
            for number in held.machine.tasks.all { takeGrant(number) }
            isMoving = !orders.isEmpty
        }
        compare()
    }

    private mutating func perform(_ order: WorkflowEffect) {
        switch order {
        case .hand(let fresh):
            for external in fresh where external.job != nil || model.mayBegin(Int(external.number)) {
                model.tasks[Int(external.number)].ticket = external.ticket
            }
            queued += fresh
        case .takePlaces(let request, _): _ = request.take()
        case .giveBack(let request):
            request.giveBack()
            held.machine.run.returns -= 1
        case .timeOver(let number, let attempt, let isDeadline):
            late.append((number, attempt, isDeadline))
            if random.chance(1, in: 2) { endTime() }
        default: break
        }
    }

    /// The end of a time counts: a policy was asked whether another attempt follows.
    mutating func endTime() {
        guard let index = late.indices.randomElement(using: &random) else { return }
        let (number, attempt, isDeadline) = late.remove(at: index), failure = TaskFailure(watch.thing())
        guard !isDeadline else {
            note("deadline over for \(number)")
            held.machine.deadlineOver(number, failure, &turn)
            return model.deadlineOver(Int(number))
        }
        let retries = random.chance(1, in: 2)
        note("time over for \(number).\(attempt), \(retries ? "again" : "for good")")
        held.machine.timeOver(number, attempt, failure, retryAfter: retries ? Self.wait : nil, &turn)
        model.timeOver(Int(number), Int(attempt), retries: retries)
    }

    /// A task whose request was granted meanwhile has its places.
    private mutating func takeGrant(_ number: Int32) {
        guard case .awaited(let request) = held.machine.rare[live: number].places, request.take() else {
            return
        }
        note("places for \(number)")
        model.granted(Int(number))
        held.machine.placesGranted(number, request, &turn)
        // The shorter door, for bodies that hold up nobody.
        let next = held.machine.nextAsyncJob(&turn)
        notice()
        guard let job = next else { return }
        note("a grant begins \(job.number)")
        if !model.plans[Int(job.number)].isAsync { fault("a grant begins a closure") }
        live.append(job)
    }

    /// Tells the model which attempts have begun; what comes first in the graph first, as others may follow from it.
    private mutating func notice() {
        for number in held.machine.tasks.all {
            let task = Int(number), attempt = Int(held.machine.tasks[number].attempt.number)
            if attempt > model.tasks[task].attempt { model.began(task) }
        }
    }

    private mutating func note(_ what: String) { eventLog.append(what) }
    mutating func fault(_ what: String) { faults.append(what) }
    private(set) var faults: [String] = []
}
