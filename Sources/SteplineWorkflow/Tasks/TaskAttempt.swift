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

    private let core: WorkflowCore?
    private let index: Int32
    /// 1: ended; 2: to be run by `run()`; 4: not the one that the engine has handed out.
    private let flags: Atomic<UInt8>

    init(
        of task: WorkflowTask, in core: WorkflowCore?, index: Int32, number: UInt32, isBorrowed: Bool = false
    ) {
        self.task = task
        self.core = core
        self.index = index
        self.number = Int(number)
        flags = Atomic(isBorrowed ? 4 : 0)
    }

    deinit {
        guard flags.load(ordering: .acquiring) == 0, let core else { return }
        core.letGo(index, attempt: UInt32(truncatingIfNeeded: number))
    }

    /// Finishes the task with this result; false if the attempt isn't the one Executing.
    @discardableResult
    public func finish(with result: (any Sendable)? = nil) -> Bool {
        end(.finished(result))
    }

    /// Fails the attempt; false if it isn't the one Executing.
    ///
    /// The task's retry policy decides whether another follows.
    @discardableResult
    public func fail(with error: (any Error)? = nil) -> Bool {
        end(.failed(TaskFailure(error), retryAfter: core?.retryDelay(of: index, error)))
    }

    /// Whether it was stopped: by a cancel, a reset or a time-out.
    public var isCancelled: Bool {
        guard let core, flags.load(ordering: .acquiring) & 1 == 0 else { return false }
        return core.machine.withLock { machine in
            let node = machine.nodes[Int(index)]
            return node.state != .executing || Int(node.attempt) != number
        }
    }

    /// Calls `handler` once when the attempt is stopped, at once if it was.
    public func onCancel(_ handler: @escaping @Sendable () -> Void) {
        guard let core, flags.load(ordering: .acquiring) & 1 == 0 else { return }
        core.onStop(index, attempt: UInt32(truncatingIfNeeded: number), handler)
    }

    /// Tells how far the body is, from 0 to 1; ignored once the attempt is over.
    public func report(progress fraction: Double, _ text: String? = nil) {
        let bounded = min(max(fraction, 0), 1)
        core?.report(TaskProgress(attempt: number, fraction: bounded, text: text), index, attempt: number)
    }

    /// Tells that a part of the body has ended, such as a step of a pipeline.
    package func report(step name: String) {
        core?.drive { machine in
            guard machine.isExecuting(index, attempt: number) else { return }
            machine.count(.step(name), Int(index))
        }
    }

    private func end(_ end: AttemptEnd) -> Bool {
        guard let core else { return false }
        flags.bitwiseOr(1, ordering: .acquiringAndReleasing)
        let time = core.time()
        return core.send {
            $0.attemptEnded(index, attempt: UInt32(truncatingIfNeeded: number), end, at: time)
        }
    }

    /// Whoever ends it does so without this object.
    func isEndedByNumber() { flags.bitwiseOr(4, ordering: .acquiringAndReleasing) }

    func wantsRun() { flags.bitwiseOr(2, ordering: .acquiringAndReleasing) }

    var isToRun: Bool { flags.load(ordering: .acquiring) & 2 != 0 }
}

extension WorkflowCore {
    /// Nobody holds an attempt any more that has not ended.
    fileprivate func letGo(_ number: Int32, attempt: UInt32) {
        drive { machine in
            let index = Int(number)
            let node = machine.nodes[index]
            guard node.live == attempt else { return }
            if node.state == .executing, node.attempt == attempt {
                machine.nodes[index].flags.insert(.letGo)
                machine.count(.letGo, index)
            } else {
                machine.bodyIsDone(index)
            }
        }
    }

    fileprivate func report(_ progress: TaskProgress, _ number: Int32, attempt: Int) {
        drive { machine in
            guard machine.isExecuting(number, attempt: attempt) else { return }
            machine.tables.progress[number] = progress
            machine.count(.progress(progress.fraction, progress.text), Int(number))
        }
    }
}

extension WorkflowState {
    fileprivate func isExecuting(_ number: Int32, attempt: Int) -> Bool {
        let node = nodes[Int(number)]
        return node.state == .executing && Int(node.attempt) == attempt
    }
}
