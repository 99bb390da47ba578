public import Dispatch
import SteplineEngine
public import SteplineSupport

/// Watches any number of pipelines, and tells of the end of each, once.
///
/// It holds what it watches until that has ended, is no longer watched, or the observer itself is released.
public final class PipelineObserver: Sendable {
    /// What registrations hold, so that they don't hold the observer.
    final class Core: Sendable {
        struct Watched {
            let pipeline: AnyPipeline
            let number: Int
            var subscription: Subscription?
        }

        struct State {
            var watched: [ObjectIdentifier: Watched] = [:]
            var lastNumber = 0
        }

        let state = Locked(State())
        let place: CallbackPlace
        let didEnd: @Sendable (AnyPipeline, Outcome<Content>) -> Void

        init(_ place: CallbackPlace, _ didEnd: @escaping @Sendable (AnyPipeline, Outcome<Content>) -> Void) {
            self.place = place
            self.didEnd = didEnd
        }
    }

    private let core: Core

    /// Makes an observer that calls `didEnd` on a queue, or without one where each pipeline ends.
    ///
    /// It is called ahead of the pipeline's own success and failure callbacks there; the pipeline is still
    /// listed in ``pipelines`` during the call.
    public init(
        on queue: DispatchQueue? = nil, _ didEnd: @escaping @Sendable (AnyPipeline, Outcome<Content>) -> Void
    ) {
        core = Core(CallbackPlace(queue), didEnd)
    }

    deinit {
        core.stopAll()
    }

    /// Begins to watch a pipeline; twice is once.
    ///
    /// One that has ended is told about at once.
    public func observe(_ pipeline: AnyPipeline) { core.observe(pipeline) }

    /// Stops watching; does nothing for one that isn't watched.
    public func stopObserving(_ pipeline: AnyPipeline) { core.stop(pipeline) }

    /// What is watched now, in the order of ``observe(_:)``.
    public var pipelines: [AnyPipeline] { core.pipelines }
}

extension PipelineObserver.Core {
    func observe(_ pipeline: AnyPipeline) {
        let id = ObjectIdentifier(pipeline)
        let isNew = state.withLock { state in
            guard state.watched[id] == nil else { return false }
            state.lastNumber += 1
            state.watched[id] = Watched(pipeline: pipeline, number: state.lastNumber)
            return true
        }
        guard isNew else { return }
        let subscription = pipeline.register(
            Callbacks.Registration(.end, place: place, observer: self) { [weak self] in self?.tell(id, $0) }
        )
        // Stopped, or told of the end, before the subscription was known: then there is nothing to keep.
        let isWatched = state.withLock { state in
            state.watched[id]?.subscription = subscription
            return state.watched[id] != nil
        }
        if !isWatched { subscription.cancel() }
    }

    func stop(_ pipeline: AnyPipeline) {
        forget(pipeline)?.subscription?.cancel()
    }

    func stopAll() {
        let all = state.withLock { state in
            defer { state.watched = [:] }
            return state.watched
        }
        for entry in all.values { entry.subscription?.cancel() }
    }

    var pipelines: [AnyPipeline] {
        state.withLock { $0.watched.values.sorted { $0.number < $1.number } }.map(\.pipeline)
    }

    private func tell(_ id: ObjectIdentifier, _ outcome: Outcome<Content>) {
        guard let pipeline = state.withLock({ $0.watched[id]?.pipeline }) else { return }
        didEnd(pipeline, outcome)
        _ = forget(pipeline)
    }

    private func forget(_ pipeline: AnyPipeline) -> Watched? {
        state.withLock { $0.watched.removeValue(forKey: ObjectIdentifier(pipeline)) }
    }
}
