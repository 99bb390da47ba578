import Dispatch
import Foundation
import SteplineSupport

/// What drives the machine of a workflow: it asks under the lock, and does what was decided after.
///
/// Tasks and references to tasks keep it alive, but not the workflow, whose end empties it.
@usableFromInline
final class WorkflowCore: Sendable {
    let options: WorkflowOptions
    let clock: any StepClock
    let machine: Locked<WorkflowState>
    let surroundings = Locked(WorkflowSurroundings())
    /// What threads are called that run bodies of this workflow.
    let threadName: String
    private let isOnSystemClock: Bool

    init(name: String, options: WorkflowOptions) {
        self.options = options
        clock = options.clock
        isOnSystemClock = clock is SystemClock
        let calendar = clock.now.timeIntervalSinceReferenceDate - clock.uptime.inSeconds
        machine = Locked(
            WorkflowState(
                name: name, options: options,
                width: max(1, ProcessInfo.processInfo.activeProcessorCount), calendar: calendar
            )
        )
        #if canImport(Darwin)
            threadName = "stepline.workflow.\(name)"
        #else
            // Linux refuses names past 15 bytes.
            threadName = String(
                "stepline.\(name)".unicodeScalars.filter(\.isASCII).prefix(15).map(Character.init))
        #endif
        machine.withLock { $0.tables.core = self }
    }

    /// A reading of the clock's uptime, in nanoseconds.
    @inline(__always)
    func time() -> Int64 {
        if isOnSystemClock { return Int64(clamping: DispatchTime.now().uptimeNanoseconds) }
        let (seconds, attoseconds) = clock.uptime.components
        return seconds &* 1_000_000_000 &+ attoseconds / 1_000_000_000
    }

    /// Does everything that is due, and sees that there are threads for what may begin.
    ///
    /// Others who call this at the same time take their share; what is due begins in order, each once.
    func carryOn() { carryOn(.ofWorkers) }

    private func carryOn(_ courtesy: Courtesy) {
        var courtesy = courtesy
        while true {
            let (next, needsWorker, givesWay) = machine.withLock { machine -> (Due?, Bool, Bool) in
                if machine.tables.senders > 0, !machine.due.isEmpty, !courtesy.isOver {
                    return (nil, false, true)
                }
                let next = machine.nextDue(for: ObjectIdentifier(Thread.current))
                return (next, next == nil && machine.claimWorker(), false)
            }
            if let next {
                perform(next)
            } else if givesWay {
                courtesy.giveWay()
            } else {
                if needsWorker { startWorker() }
                return
            }
        }
    }

    /// Changes the machine, and does what follows from that.
    @discardableResult
    func drive<Answer>(_ change: (inout WorkflowState) -> Answer) -> Answer {
        let answer = machine.withLock(change)
        carryOn()
        return answer
    }

    /// Changes the machine by a message of the user's, and does what follows from that before it returns.
    @discardableResult
    func send<Answer>(_ change: (inout WorkflowState) -> Answer) -> Answer {
        let (answer, hasDue) = machine.withLock { machine in
            let answer = change(&machine)
            let hasDue = !machine.due.isEmpty
            if hasDue { machine.tables.senders += 1 }
            return (answer, hasDue)
        }
        carryOn(.none)
        if hasDue { machine.withLock { $0.tables.senders -= 1 } }
        return answer
    }

    private func perform(_ due: Due) {
        switch due {
        case .step(let step): step.call()
        case .tell(let number, let change):
            let steps = steps(of: change, number)
            machine.withLock { $0.begin(steps, of: number) }
            while let step = machine.withLock({ $0.nextStep(of: number) }) { step.call() }
            machine.withLock { $0.hasTold(number) }
        case .tellComplete:
            tellComplete()
            surroundings.withLock { $0.enclosingTask }?.hear(.finished)
            machine.withLock { $0.hasToldCompletion() }
        case .hand: handOn()
        case .arm(let timer, let id, let delay): arm(timer, id: id, after: delay)
        case .call(let work): work()
        case .tellOutside(let news): surroundings.withLock { $0.enclosingTask }?.hear(news)
        case .settled(let report, let runners, let alive):
            if let report { for runner in runners { runner.fulfill(report) } }
            withExtendedLifetime(alive) {}
        case .release, .ready, .complete, .settle: break
        }
    }

    private func arm(_ timer: TaskTimer, id: UInt64, after delay: Duration) {
        let subscription = clock.schedule(after: delay) { [weak self] in self?.timerFired(timer, id: id) }
        if !machine.withLock({ $0.hasArmed(timer, id: id, subscription) }) { subscription.end() }
    }

    private func timerFired(_ timer: TaskTimer, id: UInt64) {
        let time = time()
        switch machine.withLock({ $0.timerFired(timer, id: id, at: time) }) {
        case .nothing: break
        case .timeOut(let number, let attempt):
            let (name, limit) = machine.withLock { machine in
                (machine.name(Int(number)), machine.tables.options[number]?.timeout ?? .zero)
            }
            let error = WorkflowError.timedOut(name, after: limit)
            let wait = retryDelay(of: number, error)
            machine.withLock { $0.timeOut(number, attempt: attempt, error, retryAfter: wait, at: time) }
        case .deadline(let number):
            let (name, limit) = machine.withLock { machine in
                (machine.name(Int(number)), machine.tables.options[number]?.deadline ?? .zero)
            }
            let error = WorkflowError.timedOut(name, after: limit)
            machine.withLock { $0.deadlinePassed(number, error, at: time) }
        }
        carryOn()
    }

    /// How long to wait before another attempt; asked outside the lock, as it asks the user's code.
    func retryDelay(of number: Int32, _ error: (any Error)?) -> Duration? {
        let (policy, tries) = machine.withLock { machine in
            (machine.tables.options[number]?.retry, machine.tables.tries[number] ?? 0)
        }
        guard let policy, policy.attempts > 1, let error else { return nil }
        if let own = error as? WorkflowError, WorkflowError.lasting.contains(own.code) { return nil }
        return policy.delay(afterAttempt: tries + 1, failedWith: error, now: clock.now)
    }

    /// Borrows a thread that runs bodies.
    func startWorker() {
        WorkerThreads.shared.run(self)
    }
}

extension WorkflowError {
    /// What another attempt can't mend.
    fileprivate static let lasting: Set<Code> = [
        .conditionNotFulfilled, .targetGone, .ambiguousEnd, .wrongType,
    ]
}

/// Who is told of a workflow, and where its bodies run.
struct WorkflowSurroundings {
    weak var delegate: (any WorkflowDelegate)?
    var operationQueue: OperationQueue?
    var notificationCenter: NotificationCenter?
    weak var enclosingTask: SubworkflowTask?
    /// The number of that task's attempt which runs this workflow.
    var enclosingAttempt = 0
}
