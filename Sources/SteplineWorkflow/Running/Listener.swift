import SteplineEngine
import SteplineSupport
import Synchronization

/// A callback of a task, or of the ends of a workflow's runs.
///
/// Registered until its subscription is cancelled or its owner's callbacks are removed. Neither waits for a call that
/// has begun.
final class Listener<News: Sendable>: Sendable {
    let place: CallbackPlace
    let owner: OwnerToken
    let kind: ListenerKind
    /// The number of the last event before its registration; it isn't notified of that event.
    let since: Int
    private let call: @Sendable (News) -> Void
    private let isOver = Atomic(false)

    init(
        _ kind: ListenerKind = .end, since: Int = 0, owner: AnyObject?, place: CallbackPlace,
        call: @escaping @Sendable (News) -> Void
    ) {
        self.kind = kind
        self.since = since
        self.owner = OwnerToken(owner)
        self.place = place
        self.call = call
    }

    func end() { isOver.store(true, ordering: .releasing) }

    func notify(_ news: News) {
        // Read here, when the callback begins, which on a queue is later than the event.
        if !isOver.load(ordering: .acquiring) { call(news) }
    }
}

/// Which changes a listener is notified of.
enum ListenerKind: Sendable {
    /// Each change of the task's state.
    case change
    case end, success, failure

    /// Whether a change to that state is one of them.
    func includes(_ state: WorkflowTask.State) -> Bool {
        switch self {
        case .change: true
        case .end: [.finished, .failed, .cancelled].contains(state)
        case .success: state == .finished
        case .failure: state == .failed
        }
    }
}

extension Array {
    /// Removes listeners, and returns them: the caller ends and releases them after unlock.
    mutating func take<News>(where isMeant: (Element) -> Bool) -> [Element] where Element == Listener<News> {
        defer { removeAll(where: isMeant) }
        return filter(isMeant)
    }
}
