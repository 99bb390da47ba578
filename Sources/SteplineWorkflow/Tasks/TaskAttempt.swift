import SteplineEngine
import SteplineSupport
import Synchronization

/// One run of a task's body, through which that body ends, and no other.
///
/// An end takes effect only while this attempt is the one Executing; a late one changes nothing.
public final class TaskAttempt: Sendable {
    /// The attempt whose body the caller runs in.
    @TaskLocal static var running: TaskAttempt?

    /// The task.
    public let task: WorkflowTask
    /// The number of the attempt, from 1 in the life of the task; 0 if there is none.
    public let number: Int

    let core: WorkflowCore?
    let place: Int32
    private let marks: Atomic<UInt8>

    /// What is known of it: bits of `marks`.
    private enum Mark {
        static let ended: UInt8 = 1
        /// It is to be run by `run()`.
        static let runs: UInt8 = 2
        /// Its end is told by others, who know it by its number.
        static let borrowed: UInt8 = 4
    }

    init(
        of task: WorkflowTask, in core: WorkflowCore?, _ place: Int32, _ number: UInt32,
        isBorrowed: Bool = false
    ) {
        self.task = task
        self.core = core
        self.place = place
        self.number = Int(number)
        marks = Atomic(isBorrowed ? Mark.borrowed : 0)
    }

    deinit {
        guard marks.load(ordering: .acquiring) == 0, let core else { return }
        core.change { $0.letGo(place, attempt, &$1) }
    }

    private var attempt: UInt32 { UInt32(truncatingIfNeeded: number) }

    /// Finishes the task with this result; false if the attempt isn't the one Executing.
    @discardableResult
    public func finish(with result: (any Sendable)? = nil) -> Bool { end(.finished(result)) }

    /// Fails the attempt; false if it isn't the one Executing.
    ///
    /// The task's retry policy decides whether another follows.
    @discardableResult
    public func fail(with error: (any Error)? = nil) -> Bool {
        guard let core else { return false }
        return end(core.failure(of: place, error))
    }

    /// Whether it was stopped: by a cancel, a reset or a time-out.
    public var isCancelled: Bool {
        guard let core, marks.load(ordering: .acquiring) & Mark.ended == 0 else { return false }
        return core.look { !$0.tasks[place].attempt.isRunning(attempt) }
    }

    /// Calls `handler` once when the attempt is stopped, at once if it was.
    public func onCancel(_ handler: @escaping @Sendable () -> Void) {
        guard let core, marks.load(ordering: .acquiring) & Mark.ended == 0 else { return }
        core.onStop(place, attempt, handler)
    }

    /// Tells how far the body is, from 0 to 1; ignored once the attempt is over.
    public func report(progress fraction: Double, _ text: String? = nil) {
        let fraction = fraction.isNaN ? 0 : min(max(fraction, 0), 1)
        core?.change { $0.report(fraction, text, place, attempt, &$1) }
    }

    /// Tells that a part of the body has ended, such as a step of a pipeline.
    package func report(step name: String) {
        core?.change { machine, turn in
            if machine.tasks[place].attempt.isRunning(attempt) { machine.count(.step(name), place, turn) }
        }
    }

    private func end(_ end: AttemptEnd) -> Bool {
        guard let core else { return false }
        marks.bitwiseOr(Mark.ended, ordering: .acquiringAndReleasing)
        return core.change { $0.end(place, attempt, end, &$1) }
    }

    /// Whoever ends it does so without this object.
    func isEndedByNumber() { marks.bitwiseOr(Mark.borrowed, ordering: .acquiringAndReleasing) }

    func wantsRun() { marks.bitwiseOr(Mark.runs, ordering: .acquiringAndReleasing) }

    var isToRun: Bool { marks.load(ordering: .acquiring) & Mark.runs != 0 }
}

extension WorkflowMachine {
    /// A body has told how far it is, by which the watchdog starts again.
    fileprivate mutating func report(
        _ fraction: Double, _ text: String?, _ number: Int32, _ attempt: UInt32, _ turn: inout WorkflowTurn
    ) {
        guard tasks[number].attempt.isRunning(attempt) else { return }
        terms.progress[number] = TaskTerms.Progress(attempt: attempt, fraction: fraction)
        count(.progress(fraction, text), number, turn)
        watchAnew(number, &turn)
    }
}
