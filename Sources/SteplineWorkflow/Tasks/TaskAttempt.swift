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

    let home: WorkflowHome?
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
        of task: WorkflowTask, in home: WorkflowHome?, _ place: Int32, _ number: UInt32,
        isBorrowed: Bool = false
    ) {
        self.task = task
        self.home = home
        self.place = place
        self.number = Int(number)
        marks = Atomic(isBorrowed ? Mark.borrowed : 0)
    }

    deinit {
        guard marks.load(ordering: .acquiring) == 0 else { return }
        home?.attemptIsGone(place, attempt)
    }

    var attempt: UInt32 { UInt32(truncatingIfNeeded: number) }

    /// Whether it was ended by this object.
    var isEnded: Bool { marks.load(ordering: .acquiring) & Mark.ended != 0 }

    func isEndedHere() { marks.bitwiseOr(Mark.ended, ordering: .acquiringAndReleasing) }

    /// Whoever ends it does so without this object.
    func isEndedByNumber() { marks.bitwiseOr(Mark.borrowed, ordering: .acquiringAndReleasing) }

    func wantsRun() { marks.bitwiseOr(Mark.runs, ordering: .acquiringAndReleasing) }

    var isToRun: Bool { marks.load(ordering: .acquiring) & Mark.runs != 0 }
}
