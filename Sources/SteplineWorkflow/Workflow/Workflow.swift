public import Foundation
import SteplineSupport

/// Tasks with prerequisites, run as concurrently as the graph allows.
///
///     let workflow = Workflow("mirror")
///     let page  = try workflow.add("load") { try await client.get(url) }
///     let links = try workflow.add("links", after: page) { page in try extract(page) }
///     try workflow.add("save", after: page, links) { page, links in try save(page, links) }
///     try await workflow.run()
///
/// A task starts as soon as all its prerequisites are Finished. Everything may be called from any thread, also
/// from inside bodies and callbacks. A running workflow keeps itself alive until it has settled; a closure that
/// captures its own workflow keeps it for ever, while a `TaskRef` captured does not.
public final class Workflow: Sendable {
    let core: WorkflowCore

    @usableFromInline var home: WorkflowHome { core }

    /// How it runs its tasks.
    public var options: WorkflowOptions { core.options }

    /// Makes an empty workflow.
    ///
    /// With an operation queue all synchronous bodies run on that, else on the worker threads of the process.
    /// Notifications are posted to `notificationCenter` only if one is given, as each costs more than a task.
    public init(
        _ name: String = "Workflow", queue: OperationQueue? = nil,
        notificationCenter: NotificationCenter? = nil, options: WorkflowOptions = .init()
    ) {
        core = WorkflowCore(name, options)
        core.surroundings.withLock { surroundings in
            surroundings.queue = queue
            surroundings.notificationCenter = notificationCenter
        }
        core.look { machine in
            machine.workflow = self
            machine.notifiesAll = notificationCenter != nil
            machine.hasQueue = queue != nil || options.executor != nil
        }
    }

    deinit {
        core.leaveTasks()
    }
}

extension Workflow {
    /// The name for people.
    public var name: String { core.look { $0.names.workflow } }

    /// Gives the workflow another name; nil for `Workflow`.
    public func rename(_ name: String?) {
        core.look { $0.names.workflow = name ?? "Workflow" }
    }

    /// Who is told of ends and failures; weak.
    public var delegate: (any WorkflowDelegate)? {
        get { core.surroundings.withLock { $0.delegate } }
        set {
            core.surroundings.withLock { $0.delegate = newValue }
            core.updateListeners()
        }
    }

    /// Where synchronous bodies run that have no queue of their own; nil for the worker threads.
    ///
    /// If it drops bodies (`cancelAllOperations`, or the queue is gone), their tasks are cancelled.
    public var queue: OperationQueue? {
        get { core.surroundings.withLock { $0.queue } }
        set {
            let old = core.surroundings.withLock { surroundings in
                defer { surroundings.queue = newValue }
                return surroundings.queue
            }
            core.look { $0.updateQueue(newValue != nil) }
            // A user's queue, which may be freed by that: after the locks.
            withExtendedLifetime(old) {}
        }
    }

    /// Where notifications are posted; nil if none are.
    public var notificationCenter: NotificationCenter? {
        core.surroundings.withLock { $0.notificationCenter }
    }

    /// The task that this workflow runs in, if it is a subworkflow.
    public var enclosingTask: SubworkflowTask? { core.surroundings.withLock { $0.enclosingTask } }
}

extension Workflow: CustomStringConvertible {
    /// Address and name.
    public var description: String {
        "<Workflow \(Unmanaged.passUnretained(self).toOpaque()) name = \(name)>"
    }
}
