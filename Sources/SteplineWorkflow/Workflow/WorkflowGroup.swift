public import SteplineSupport

/// Some tasks of one workflow under a name: to be waited for, cancelled, reset, retried and looked at together.
///
///     let photos = workflow.group("photos")
///     for photo in album { try photos.add(Upload(photo), prerequisites: [project]) }
///     try workflow.add(submit, prerequisites: photos.tasks)
///
/// Pictures draw a frame around it. A task is in one group at most. A group doesn't keep its workflow alive.
public struct WorkflowGroup: Sendable, Hashable, CustomStringConvertible {
    let core: WorkflowCore
    /// The name, by which the workflow knows it.
    public let name: String

    /// The name.
    public var description: String { name }

    /// Its tasks, in the order in which they came to it.
    public var tasks: [WorkflowTask] { core.tasks { $0.groups[name] } }

    /// Cancels its tasks and everything downstream, each once; whether one of its tasks had not ended.
    @discardableResult
    public func cancel(_ reason: CancellationReason = .requested) -> Bool {
        let (isFirst, reached) = core.change { $0.cancel($0.groups[name], reason, &$1) }
        core.deliveries.withdrawHere(reached)
        return isFirst
    }

    /// Puts its tasks and everything downstream back to the beginning, each once; starts nothing.
    public func reset() { core.change { $0.reset($0.groups[name], &$1) } }

    /// Runs those of its tasks again that are Failed or Cancelled, and so everything downstream, each once.
    public func retry() { core.change { $0.retry($0.groups[name], &$1) } }

    /// How far its tasks are, as of one instant.
    public var progress: WorkflowProgress {
        core.look { $0.progress(of: $0.groups[name]) }
    }

    /// Whether they are the same group of the same workflow.
    public static func == (left: WorkflowGroup, right: WorkflowGroup) -> Bool {
        left.core === right.core && left.name == right.name
    }

    /// Hashes workflow and name.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(core))
        hasher.combine(name)
    }
}

extension Workflow {
    /// The group of that name; the same name gives the same group.
    public func group(_ name: String) -> WorkflowGroup {
        core.look { $0.groups.make(name) }
        return WorkflowGroup(core: core, name: name)
    }

    /// All groups, in the order in which they were made.
    public var groups: [WorkflowGroup] {
        core.look { $0.groups.names }.map { WorkflowGroup(core: core, name: $0) }
    }
}
