public import Foundation
import SteplineSupport

/// A graph of tasks with prerequisites, which runs as concurrently as the graph allows.
///
///     let workflow = Workflow("mirror")
///     let page  = try workflow.add("load") { try await client.get(url) }
///     let links = try workflow.add("links", after: page) { page in try extract(page) }
///     try workflow.add("save", after: page, links) { page, links in try save(page, links) }
///     try await workflow.run()
///
/// A task starts as soon as all its prerequisites are Finished. All methods are callable from any thread, including
/// from bodies and callbacks.
///
/// A running workflow retains itself until it has settled. A closure that captures its own workflow retains it forever;
/// capture a `TaskRef` instead.
///
/// The object owns a `WorkflowCore`, which runs the decisions of a `WorkflowMachine`. Begin reading there.
public final class Workflow: Sendable {
    let core: WorkflowCore

    @usableFromInline var home: WorkflowHome { core }

    /// The options of the workflow.
    public var options: WorkflowOptions { core.options }

    /// Creates an empty workflow.
    ///
    /// - Parameters:
    ///   - name: The name in events, errors and reports.
    ///   - queue: The operation queue of synchronous bodies; nil for the process's worker threads.
    ///   - notificationCenter: The center of notifications; nil for none, because each costs more than a task.
    ///   - options: The options of the workflow.
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
        // The tasks' objects may outlive the workflow: they keep their last state.
        core.leaveTasks()
    }
}

extension Workflow {
    /// The name in events, errors and reports.
    public var name: String { core.look { $0.names.workflow } }

    /// Changes the name; nil for `Workflow`.
    public func rename(_ name: String?) {
        core.look { $0.names.workflow = name ?? "Workflow" }
    }

    /// The observer of ends and failures, referenced weakly.
    public var delegate: (any WorkflowDelegate)? {
        get { core.surroundings.withLock { $0.delegate } }
        set {
            core.surroundings.withLock { $0.delegate = newValue }
            core.updateListeners()
        }
    }

    /// The operation queue of synchronous bodies without their own queue; nil for the worker threads.
    ///
    /// If the queue drops bodies (`cancelAllOperations`, or the queue was freed), their tasks are cancelled.
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

    /// The center of notifications; nil for none.
    public var notificationCenter: NotificationCenter? {
        core.surroundings.withLock { $0.notificationCenter }
    }

    /// The task that runs this workflow, if it is a subworkflow.
    public var enclosingTask: SubworkflowTask? { core.surroundings.withLock { $0.enclosingTask } }
}

extension Workflow: CustomStringConvertible {
    /// The address and the name.
    public var description: String {
        "<Workflow \(Unmanaged.passUnretained(self).toOpaque()) name = \(name)>"
    }
}
