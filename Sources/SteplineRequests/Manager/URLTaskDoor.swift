import Foundation
import SteplineEngine
import SteplineManager
import SteplineSupport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Makes the tasks of a manager, without keeping it.
final class URLTaskDoor: Sendable {
    private struct Owner: @unchecked Sendable {  // weak references are thread-safe; never reassigned
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
        URLTask(
            request: request, load: load ?? options.load, loading: loading ?? .memory, transport: transport,
            clock: options.tasks.clock, redaction: redaction, story: URLTaskStory(options.monitors))
    }

    /// Adds a task of the session's; nil if the manager is gone.
    func add(
        _ request: URLRequest, _ onEnd: @escaping @Sendable (Outcome<URLReply>) -> Void
    ) -> TaskHandle<URLReply>? {
        var task = task(for: request)
        // Whether a status is a success is for the handler of a session's task to say.
        task.load.status = .any
        return owner.tasks?.add(task, onEnd: onEnd).telling(task.story)
    }
}

extension TaskHandle<URLReply> {
    /// Has the end told to monitors, if there are any.
    func telling(_ story: URLTaskStory) -> Self {
        if story.isTold {
            let handle = erased
            onEnd { story.finished($0, handle) }
        }
        return self
    }
}

/// A transport for what can't be sent, such as requests of a background configuration.
struct NoTransport: Transport {
    func send(
        _ request: URLRequest, body: TransportBody, _ receive: @escaping @Sendable (TransportEvent) -> Void
    ) -> Subscription {
        Workers.shared.perform { _ in
            receive(.ended(TaskManagerError.unsupported("a background session can't be used")))
        }
        return Subscription {}
    }
}
