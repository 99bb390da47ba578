import SteplineEngine
import SteplineSupport
import Synchronization

/// An attempt of a task, through which its body ends exactly this attempt.
///
/// An end takes effect only while the attempt is Executing; a later one is ignored.
public final class TaskAttempt: Sendable {
    /// The attempt whose body calls.
    @TaskLocal static var running: TaskAttempt?

    /// The task.
    public let task: WorkflowTask
    /// The number of the attempt, from 1; 0 if there is none.
    public let number: Int

    let home: WorkflowHome?
    let place: Int32
    private let marks: Atomic<UInt8>

    /// The bits of `marks`.
    private enum Mark {
        static let ended: UInt8 = 1
        /// The body runs through `run()`.
        static let runs: UInt8 = 2
        /// The attempt is ended by its number, without this object.
        static let borrowed: UInt8 = 4
    }

    init(
        of task: WorkflowTask, in home: WorkflowHome?, _ place: Int32, _ number: UInt32,
        isBorrowed: Bool = false
    ) {
        self.task = task
        self.home = home
        self.place = place
        self.number = Int(number)
        // Borrowed objects are created on demand, and don't own the attempt.
        marks = Atomic(isBorrowed ? Mark.borrowed : 0)
    }

    deinit {
        // An object that neither ended nor lent its attempt was the only way to end it.
        guard marks.load(ordering: .acquiring) == 0 else { return }
        home?.attemptIsGone(place, attempt)
    }

    var attempt: UInt32 { UInt32(truncatingIfNeeded: number) }

    /// Whether this object has ended the attempt.
    var isEnded: Bool { marks.load(ordering: .acquiring) & Mark.ended != 0 }

    func isEndedHere() { marks.bitwiseOr(Mark.ended, ordering: .acquiringAndReleasing) }

    /// Records that the attempt is ended without this object.
    func isEndedByNumber() { marks.bitwiseOr(Mark.borrowed, ordering: .acquiringAndReleasing) }

    func wantsRun() { marks.bitwiseOr(Mark.runs, ordering: .acquiringAndReleasing) }

    var isToRun: Bool { marks.load(ordering: .acquiring) & Mark.runs != 0 }
}
