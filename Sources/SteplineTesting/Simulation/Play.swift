import Dispatch
import SteplineSupport
import Synchronization

/// The stage of one simulation: all that could go on, and the thread that does one thing after the other.
// What isn't locked or atomic is touched by the thread that plays, alone.
final class Play: Stage, TaskExecutor, @unchecked Sendable {
    private enum Work {
        case closure(@Sendable () -> Void)
        case job(UnownedJob)
    }

    private enum Kind {
        /// A body that a worker has taken.
        case body
        /// Something that waits for a worker.
        case forWorker
        case other
    }

    private struct Item {
        let kind: Kind
        let work: Work
        /// What it is done for, if all that wait for it are alike.
        var job: ObjectIdentifier?
    }

    private struct Message {
        let what: String
        let body: @Sendable () -> Void
    }

    private struct FromOutside {
        var items: [Item] = []
        var isClosed = false
    }

    /// How much is played before it counts as endless.
    private static let mostTurns = 20_000_000
    /// How long something outside may take that the play waits for.
    var patience = DispatchTimeInterval.seconds(2)

    private let time = SimulationClock()
    private let width: Int
    private let isTold: Bool
    private let told = Locked<[(time: Duration, text: String)]>([])
    private let strangers = Locked<[String]>([])
    private let outside = Locked(FromOutside())
    private let wakeup = DispatchSemaphore(value: 0)

    /// What goes wrong on purpose.
    let plan = Locked(FaultPlan([]))

    private var ready: [Item] = []
    /// How many more there are of a ready item that others are like: which of them comes first makes no difference.
    private var more: [ObjectIdentifier: Int] = [:]
    private var messages: [Message] = []
    private var bodies = 0
    private var isOver = false
    private(set) var choices: Choices

    /// What was expected, and doesn't hold.
    let broken = Locked<[UnmetExpectation]>([])
    /// How much has been played: who looks on sees by it whether the play goes on.
    let turns = Atomic(0)
    /// Whether it waits for something outside.
    let waits = Atomic(false)

    init(_ choices: Choices, width: Int, isTold: Bool) {
        self.choices = choices
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
    func take(_ job: UnownedJob) { add(Item(kind: .other, work: .job(job))) }

    func note(_ text: @autoclosure () -> String) {
        guard isTold else { return }
        let line = (time.uptime, text())
        told.withLock { $0.append(line) }
    }

    func noteForeign(_ what: @autoclosure () -> String) {
        let what = what()
        strangers.withLock { if !$0.contains(what) { $0.append(what) } }
    }

    func random() -> UInt64 { choices.number() }

    private var isPlaying: Bool { Stages.current === self }

    private func add(_ item: Item) {
        if isPlaying {
            return append(item)
        }
        noteForeign("something was taken up again from outside the simulation")
        let isLate = outside.withLock { outside in
            if !outside.isClosed { outside.items.append(item) }
            return outside.isClosed
        }
        if isLate {
            DispatchQueue.global().async { self.perform(item) }
        } else {
            wakeup.signal()
        }
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
            messages.append(Message(what: what, body: body))
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
            if strangers.withLock({ !$0.isEmpty }) { takeFromOutside() }
            if playOne() || (!isOver && passTime()) { continue }
            if isOver { return .over }
            guard waitForOutside() else { return .stuck(stuckError) }
        }
        return .stuck(SimulationError(.endless, "the play goes on and on: \(Self.mostTurns) turns\n\(story)"))
    }

    /// Does one of all that can go on; false if there is nothing.
    private func playOne() -> Bool {
        let candidates = bodies < width ? nil : ready.indices.filter { ready[$0].kind != .forWorker }
        let count = candidates?.count ?? ready.count
        guard count > 0 else { return false }
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
        case .job(let job): job.runSynchronously(on: asUnownedTaskExecutor())
        }
    }

    // MARK: The world outside

    private func takeFromOutside() {
        for item in outside.withLock({ outside in
            defer { outside.items = [] }
            return outside.items
        }) {
            append(item)
        }
    }

    /// Whether something came from outside within the time that it has.
    private func waitForOutside() -> Bool {
        waits.store(true, ordering: .relaxed)
        defer { waits.store(false, ordering: .relaxed) }
        repeat {
            if outside.withLock({ !$0.items.isEmpty }) { return true }
        } while wakeup.wait(timeout: .now() + patience) == .success
        return false
    }

    /// From here on whatever comes goes to the system's threads.
    private func close() {
        takeFromOutside()
        let left = outside.withLock { outside in
            outside.isClosed = true
            return outside.items
        }
        for item in ready + left {
            for _ in 0...(item.job.flatMap { more[$0] } ?? 0) {
                DispatchQueue.global().async { self.perform(item) }
            }
        }
        ready = []
        more = [:]
    }

    private var stuckError: SimulationError {
        var text = "nothing can go on, and the scenario hasn't ended: it waits for something that nobody does"
        if !foreign.isEmpty { text += ", or for what isn't ruled: \(foreign.joined(separator: "; "))" }
        return SimulationError(.stuck, "\(text)\n\(story)")
    }

    // MARK: What is told

    var story: String {
        told.withLock { $0 }.map { "+\($0.time.inSeconds) s  \($0.text)" }.joined(separator: "\n")
    }

    var foreign: [String] { strangers.withLock { $0 } }
}
