import Foundation
import SteplineManager
import SteplineSupport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Creates the tasks of a manager, without retaining the manager.
final class URLTaskFactory: Sendable {
    private struct Owner: @unchecked Sendable {  // weak references are thread-safe; never reassigned
        // A public session retains the factory, and must not keep the tasks alive.
        weak var tasks: TaskManager?
    }

    private let owner: Owner
    private let transport: any Transport
    private let options: URLTaskManager.Options
    private let redaction: Redaction

    init(_ tasks: TaskManager, _ transport: any Transport, _ options: URLTaskManager.Options) {
        owner = Owner(tasks: tasks)
        self.transport = transport
        self.options = options
        redaction = Redaction(adding: options.redacts)
    }

    func task(
        for request: URLRequest, load: LoadOptions? = nil, loading: URLTaskLoading? = nil
    ) -> URLTask {
        var load = load ?? options.load
        // Otherwise the transport would silently allow fewer requests than the manager.
        if load.perHost.connections == nil, let most = (transport as? any TunedTransport)?.connectionsPerHost
        {
            load.perHost.connections = options.connections(for: request, above: most)
        }
        return URLTask(
            request: request, load: load, loading: loading ?? .memory, transport: transport,
            clock: options.tasks.clock, redaction: redaction, reporter: URLTaskReporter(options.monitors))
    }

    /// Adds a task of the session; returns nil if the manager was released.
    func add(
        _ request: URLRequest, _ onEnd: @escaping @Sendable (Outcome<URLReply>) -> Void
    ) -> TaskHandle<URLReply>? {
        var task = task(for: request)
        // The session task's handler decides about the status.
        task.load.status = .any
        return owner.tasks?.add(task, onEnd: onEnd).telling(task.reporter)
    }
}

extension TaskHandle<URLReply> {
    /// Reports the end to the monitors, if there are any.
    func telling(_ reporter: URLTaskReporter) -> Self {
        // Without monitors the callback would only delay `waitUntilIdle`.
        if reporter.hasMonitors {
            let handle = erased
            onEnd { reporter.finished($0, handle) }
        }
        return self
    }
}
