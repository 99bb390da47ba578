import Dispatch
import SteplineSupport
import Synchronization

/// The stage of one simulation: all that could go on, and the thread that does one thing after the other.
// What isn't locked or atomic is touched by the thread that plays, alone.
final class Play: Stage, TaskExecutor, @unchecked Sendable {
    private typealias Item = PlayItem

    /// How much is played before it counts as endless.
    private static let mostTurns = 5_000_000
    /// How much is done at one instant before time goes on all the same: who looks again and again doesn't hold it up.
    private static let mostAtOnce = 200_000
    /// How long something outside may take that the play waits for.
    var patience = Duration.seconds(2) { didSet { budget = patience } }
    /// How much of that is left before time goes on without what is outside.
    private var budget = Duration.seconds(2)

    private let time: SimulationClock
    private let width: Int
    private let isTold: Bool
    private let told = Locked<[(time: Duration, text: String)]>([])
    private let strangers = Locked<[String]>([])
    let outside = PlayOutside()

    /// What goes wrong on purpose.
    let plan: Locked<FaultPlan>

    private var ready: [Item] = []
    /// How many more there are of a ready item that others are like: which of them comes first makes no difference.
    private var more: [ObjectIdentifier: Int] = [:]
    private var messages: [PlayMessage] = []
    private var bodies = 0
    private var isOver = false
    private var doneAtOnce = 0
    /// The Swift task that is played.
    private var sleeper: (job: UInt, trail: SleepTrail)?
    private(set) var choices: Choices
    /// Apart from the choices: a play that is played again by those has the same numbers.
    private var numbers: StableRandom
    /// What the process has one of, by its type.
    private var belongings: [ObjectIdentifier: any Sendable] = [:]

    /// What was expected, and doesn't hold.
    let broken = Locked<[UnmetExpectation]>([])
    /// How much has been played: who looks on sees by it whether the play goes on.
    let turns = Atomic(0)

    init(_ choices: Choices, seed: UInt64, width: Int, isTold: Bool) {
        self.choices = choices
        numbers = StableRandom(seed: ~seed)
        plan = Locked(FaultPlan([]))
        time = SimulationClock(plan)
        self.width = width
        self.isTold = isTold
    }

    // MARK: The stage

    var clock: any StepClock { time }

    var executor: any TaskExecutor { self }

    var faults: FaultPlan { plan.withLock { $0 } }

    func enqueue(isBody: Bool, _ work: @escaping @Sendable () -> Void) {
        add(Item(kind: isBody ? .body : .forWorker, work: .closure(work)))
    }

    func enqueue(_ job: any AnyObject & Sendable, _ work: @escaping @Sendable () -> Void) {
        // The work holds the job, whose identity is nobody else's until it is done.
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
        guard isTold else { return }
        let line = (time.uptime, text())
        told.withLock { $0.append(line) }
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
        noteForeign("something was taken up again from \(SharedThreads.nameOfThis)")
        // What comes too late is done where it would have been without a play.
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

    /// Takes an item out; it stays if there are more like it.
    private func take(_ index: Int) -> Item {
        let item = ready[index]
        if let job = item.job, let count = more[job] {
            more[job] = count > 0 ? count - 1 : nil
            if count > 0 { return item }
        }
        ready.remove(at: index)
        return item
    }

    /// Something to be done at a moment that chance decides.
    func addMessage(_ what: String, _ body: @escaping @Sendable () -> Void) {
        if isPlaying {
            messages.append(PlayMessage(what: what, body: body))
        } else {
            add(Item(kind: .other, work: .closure(body)))
        }
    }

    // MARK: Playing

    /// Plays on this thread, until the scenario has ended and nothing more can go on.
    func perform(_ scenario: @escaping @Sendable () async -> Void) -> PlayEnd {
        SharedThreads.areRuled
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

    /// Does one of all that can go on; false if there is nothing.
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

    /// Lets what is due next come, or a message before it; false if there is neither.
    private func passTime() -> Bool {
        doneAtOnce = 0
        // What is done elsewhere takes a time of its own: it isn't to be overtaken by every time-out.
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

    /// How long this thread has been at the Swift task that it plays.
    var elapsed: (worked: Duration, passed: Duration) { sleeper?.trail.elapsed() ?? (.zero, .zero) }

    /// Plays a part of a Swift task when some time has passed.
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

    /// From here on whatever comes goes to the system's threads.
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
        let last = told.withLock { $0.suffix(20) }.map(Self.line).joined(separator: "\n")
        let text = "the play goes on and on: \(Self.mostTurns) turns, \(time.uptime) of its own time"
        return SimulationError(.endless, last.isEmpty ? text : "\(text); the last of it:\n\(last)")
    }

    private var stuckError: SimulationError {
        var text = "nothing can go on, and the scenario hasn't ended: it waits for something that nobody does"
        if !foreign.isEmpty { text += ", or for what isn't ruled: \(foreign.joined(separator: "; "))" }
        return SimulationError(.stuck, "\(text)\n\(story)")
    }

    // MARK: What is told

    var story: String {
        told.withLock { $0 }.map(Self.line).joined(separator: "\n")
    }

    private static func line(_ told: (time: Duration, text: String)) -> String {
        "+\(told.time.inSeconds) s  \(told.text)"
    }

    var foreign: [String] { strangers.withLock { $0 } }
}
