public import SteplineSupport

/// A named set of tasks of one workflow, to await, cancel, reset, retry and inspect together.
///
///     let photos = workflow.group("photos")
///     for photo in album { try photos.add(Upload(photo), prerequisites: [project]) }
///     try workflow.add(submit, prerequisites: photos.tasks)
///
/// Pictures draw a frame around the group. A task belongs to at most one group. A group doesn't retain its workflow.
public struct WorkflowGroup: Sendable, Hashable, CustomStringConvertible {
    let core: WorkflowCore
    /// The name, which identifies the group in its workflow.
    public let name: String

    /// The name.
    public var description: String { name }

    /// The tasks, in the order in which they joined the group.
    public var tasks: [WorkflowTask] { core.tasks { $0.groups[name] } }

    /// Cancels the group's tasks and everything downstream, each once.
    ///
    /// - Parameter reason: The reason, which the outcomes carry.
    /// - Returns: Whether a task of the group was cancelled.
    @discardableResult
    public func cancel(_ reason: CancellationReason = .requested) -> Bool {
        let (isFirst, reached) = core.change { $0.cancel($0.groups[name], reason, &$1) }
        // Only callbacks of the reached tasks are withdrawn from this queue.
        core.deliveries.withdrawHere(reached)
        return isFirst
    }

    /// Returns the group's tasks and everything downstream to their initial states; starts nothing.
    public func reset() { core.change { $0.reset($0.groups[name], &$1) } }

    /// Runs the group's Failed and Cancelled tasks again, and everything downstream, each once.
    public func retry() { core.change { $0.retry($0.groups[name], &$1) } }

    /// The progress of the group's tasks, from one moment.
    public var progress: WorkflowProgress {
        core.look { $0.progress(of: $0.groups[name]) }
    }

    /// Returns whether both are the same group of the same workflow.
    public static func == (left: WorkflowGroup, right: WorkflowGroup) -> Bool {
        left.core === right.core && left.name == right.name
    }

    /// Hashes the workflow and the name.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(core))
        hasher.combine(name)
    }
}

extension Workflow {
    /// Returns the group with a name, created at the first use.
    public func group(_ name: String) -> WorkflowGroup {
        // An existing group keeps its tasks.
        core.look { $0.groups.make(name) }
        return WorkflowGroup(core: core, name: name)
    }

    /// All groups, in order of creation.
    public var groups: [WorkflowGroup] {
        core.look { $0.groups.names }.map { WorkflowGroup(core: core, name: $0) }
    }
}
