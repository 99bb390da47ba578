import Dispatch
import SteplineSupport
import Synchronization

/// The scheduler of one simulation: all possible next events, and the thread that performs them one at a time.
///
/// | Event | Kind | Condition |
/// | --- | --- | --- |
/// | a body that a worker has taken | `body` | always possible |
/// | a job that waits for a worker | `forWorker` | possible while fewer than `width` bodies are taken |
/// | a part of a Swift task, a fired timer, a message | `other`, `messages` | always possible |
///
/// `playOne` performs an event that `choices` selects. Without events `passTime` jumps to the next timer. Without
/// timers the run waits for outside events, up to `patience`.
///
/// A run is one performance of a simulation from its first event to its end. `turns` counts the events of a run. The
/// `Turn` of an engine is something else: a transaction.
final class Play: Stage, TaskExecutor, @unchecked Sendable {
    // State without a lock or atomic belongs to the simulating thread.
    private typealias Item = PlayItem

    /// The number of events after which a run counts as endless.
    private static let mostTurns = 5_000_000
    /// The number of events at one moment after which time passes anyway, so that polling doesn't stop time.
    private static let mostAtOnce = 200_000
    /// The real time that the run waits for outside work; `PlaySettings.patience` bounds a blocked body instead.
    var patience = Duration.seconds(2) { didSet { budget = patience } }
    /// The rest of this time, before simulated time passes without the outside work.
    private var budget = Duration.seconds(2)

    private let time: SimulationClock
    private let width: Int
    private let isLogged: Bool
    private let entries = Locked<[(time: Duration, text: String)]>([])
    private let strangers = Locked<[String]>([])
    let outside = PlayOutside()

    /// The faults to inject.
    let plan: Locked<FaultPlan>

    private var ready: [Item] = []
    /// The number of further entries of a waiting job; equivalent entries count as one event.
    private var more: [ObjectIdentifier: Int] = [:]
    private var messages: [PlayMessage] = []
    private var bodies = 0
    private var isOver = false
    private var doneAtOnce = 0
    /// The Swift task that is being performed.
    private var sleeper: (job: UInt, trail: SleepTrail)?
    private(set) var choices: Choices
    /// Separate from the choices: a repeated run with the same choices has the same numbers.
    private var numbers: StableRandom
    /// The simulation's own instances of process-wide objects, by type.
    private var belongings: [ObjectIdentifier: any Sendable] = [:]

    /// The expectations that weren't met.
    let broken = Locked<[UnmetExpectation]>([])
    /// The number of events so far, by which the watch sees progress.
    let turns = Atomic(0)

    init(_ choices: Choices, seed: UInt64, width: Int, isLogged: Bool) {
        self.choices = choices
        numbers = StableRandom(seed: ~seed)
        plan = Locked(FaultPlan([]))
        time = SimulationClock(plan)
        self.width = width
        self.isLogged = isLogged
    }

    // MARK: The stage

    var clock: any StepClock { time }

    var executor: any TaskExecutor { self }

    var faults: FaultPlan { plan.withLock { $0 } }

    func enqueue(isBody: Bool, _ work: @escaping @Sendable () -> Void) {
        add(Item(kind: isBody ? .body : .forWorker, work: .closure(work)))
    }

    func enqueue(_ job: any AnyObject & Sendable, _ work: @escaping @Sendable () -> Void) {
        // The closure retains the job, so its identifier is unique until the job is done.
        add(Item(kind: .forWorker, work: .closure(work), job: ObjectIdentifier(job)))
    }

    func enqueue(_ job: consuming ExecutorJob) { take(UnownedJob(job)) }

    /// Adds a part of a Swift task.
    func take(_ job: UnownedJob) {
        var item = Item(kind: .other, work: .job(job))
        if isPlaying, let sleeper, sleeper.job == unsafeBitCast(job, to: UInt.self) {
            item.trail = sleeper.trail
        }
        add(item)
    }

    func note(_ text: @autoclosure () -> String) {
        guard isLogged else { return }
        let line = (time.uptime, text())
        entries.withLock { $0.append(line) }
    }

    func noteForeign(_ what: @autoclosure () -> String) {
        let what = what()
        if isPlaying { budget = patience }
        strangers.withLock { if !$0.contains(what) { $0.append(what) } }
    }

    func random() -> UInt64 { numbers.next() }

    func own<Thing: AnyObject & Sendable>(_ make: () -> Thing) -> Thing {
        let kind = ObjectIdentifier(Thing.self)
        if let thing = belongings[kind] as? Thing { return thing }
        let thing = make()
        belongings[kind] = thing
        return thing
    }

    private var isPlaying: Bool { Stages.current === self }

    private func add(_ item: Item) {
        if isPlaying {
            return append(item)
        }
        noteForeign("something was taken up again from \(ForeignThreads.nameOfThis)")
        // After the end of the run, late work goes to the system's threads.
        if !outside.add(item) { DispatchQueue.global().async { self.perform(item) } }
    }

    private func append(_ item: Item) {
        if item.kind == .body { bodies += 1 }
        if let job = item.job {
            if let count = more[job] {
                more[job] = count + 1
                return
            }
            more[job] = 0
        }
        ready.append(item)
    }

    /// Removes an entry; the event stays if there are equivalent entries.
    private func take(_ index: Int) -> Item {
        let item = ready[index]
        if let job = item.job, let count = more[job] {
            more[job] = count > 0 ? count - 1 : nil
            if count > 0 { return item }
        }
        ready.remove(at: index)
        return item
    }

    /// Adds an event at a random moment.
    func addMessage(_ what: String, _ body: @escaping @Sendable () -> Void) {
        if isPlaying {
            messages.append(PlayMessage(what: what, body: body))
        } else {
            add(Item(kind: .other, work: .closure(body)))
        }
    }

    // MARK: Playing

    /// Performs the run on this thread, until the scenario has ended and no event is possible.
    func perform(_ scenario: @escaping @Sendable () async -> Void) -> PlayEnd {
        Self.takesSharedJobs
        return Stages.play(on: self) {
            Task(executorPreference: self) {
                await scenario()
                self.isOver = true
            }
            let end = playOn()
            close()
            return end
        }
    }

    private func playOn() -> PlayEnd {
        for turn in 0..<Self.mostTurns {
            turns.store(turn, ordering: .relaxed)
            if hasStrangers { takeFromOutside() }
            if doneAtOnce >= Self.mostAtOnce, !isOver { _ = passTime() }
            if playOne() || (!isOver && passTime()) { continue }
            if isOver { return .over }
            var whole = patience
            guard outside.wait(from: &whole) else { return .stuck(stuckError) }
        }
        return .stuck(endlessError)
    }

    /// Performs one possible event; returns false if there is none.
    private func playOne() -> Bool {
        let candidates = bodies < width ? nil : ready.indices.filter { ready[$0].kind != .forWorker }
        let count = candidates?.count ?? ready.count
        guard count > 0 else { return false }
        doneAtOnce += 1
        let choice = choices.one(of: count + messages.count)
        if choice >= count {
            send(choice - count)
        } else {
            let item = take(candidates?[choice] ?? choice)
            if item.kind == .body { bodies -= 1 }
            perform(item)
        }
        return true
    }

    /// Jumps to the next timer, or performs a message before it; returns false if there is neither.
    private func passTime() -> Bool {
        doneAtOnce = 0
        // Outside work takes real time: don't let every time-out overtake it.
        if hasStrangers, outside.wait(from: &budget) { return true }
        let hasTimers = time.hasTimers
        guard hasTimers || !messages.isEmpty else { return false }
        let choice = choices.one(of: messages.count + (hasTimers ? 1 : 0))
        if choice < messages.count {
            send(choice)
        } else {
            for body in time.jump() { ready.append(Item(kind: .other, work: .closure(body))) }
        }
        return true
    }

    private func send(_ index: Int) {
        let message = messages.remove(at: index)
        note(message.what)
        message.body()
    }

    private func perform(_ item: Item) {
        switch item.work {
        case .closure(let work): work()
        case .job(let job): perform(job, item.trail)
        }
    }

    private func perform(_ job: UnownedJob, _ trail: SleepTrail? = nil) {
        guard isPlaying else { return job.runSynchronously(on: asUnownedTaskExecutor()) }
        sleeper = (unsafeBitCast(job, to: UInt.self), trail?.goingOn() ?? SleepTrail())
        job.runSynchronously(on: asUnownedTaskExecutor())
        sleeper = nil
    }

    /// The time that this thread has spent on the current Swift task.
    var elapsed: (worked: Duration, passed: Duration) { sleeper?.trail.elapsed() ?? (.zero, .zero) }

    /// Performs a part of a Swift task after a delay.
    func wait(_ delay: Duration, for job: UnownedJob) {
        if isPlaying {
            _ = time.schedule(after: delay) { self.perform(job) }
        } else {
            DispatchQueue.global().asyncAfter(deadline: .now() + delay.inSeconds) { self.take(job) }
        }
    }

    // MARK: The world outside

    private var hasStrangers: Bool { strangers.withLock { !$0.isEmpty } }

    private func takeFromOutside() {
        let items = outside.take()
        if !items.isEmpty { budget = patience }
        for item in items { append(item) }
    }

    /// Ends the run: later work goes to the system's threads.
    private func close() {
        takeFromOutside()
        let left = outside.close()
        for item in ready + left {
            for _ in 0...(item.job.flatMap { more[$0] } ?? 0) {
                DispatchQueue.global().async { self.perform(item) }
            }
        }
        ready = []
        more = [:]
    }

    private var endlessError: SimulationError {
        let last = entries.withLock { $0.suffix(20) }.map(Self.line).joined(separator: "\n")
        let text = "the play doesn't end: \(Self.mostTurns) turns, \(time.uptime) of its own time"
        return SimulationError(.endless, last.isEmpty ? text : "\(text); the last of it:\n\(last)")
    }

    private var stuckError: SimulationError {
        var text = "nothing can go on, and the scenario hasn't ended: it waits for something that nobody does"
        if !foreign.isEmpty { text += ", or for what isn't ruled: \(foreign.joined(separator: "; "))" }
        return SimulationError(.stuck, "\(text)\n\(log)")
    }

    // MARK: What is told

    var log: String {
        entries.withLock { $0 }.map(Self.line).joined(separator: "\n")
    }

    private static func line(_ entry: (time: Duration, text: String)) -> String {
        "+\(entry.time.inSeconds) s  \(entry.text)"
    }

    var foreign: [String] { strangers.withLock { $0 } }
}
