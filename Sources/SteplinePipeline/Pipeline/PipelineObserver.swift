public import Dispatch
import SteplineEngine
public import SteplineSupport

/// Observes any number of pipelines and reports the end of each, once.
///
/// The observer retains an observed pipeline until that pipeline has ended, is no longer observed, or the observer is
/// freed.
public final class PipelineObserver: Sendable {
    /// The part that callbacks reference, so that they don't retain the observer.
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

    /// Creates an observer that calls `didEnd` at the end of each observed pipeline.
    ///
    /// The call precedes the pipeline's own success and failure callbacks on the same queue. During the call
    /// ``pipelines`` still contains the pipeline.
    ///
    /// - Parameters:
    ///   - queue: The queue of the calls; nil for the thread on which a pipeline ends.
    ///   - didEnd: The callback.
    public init(
        on queue: DispatchQueue? = nil, _ didEnd: @escaping @Sendable (AnyPipeline, Outcome<Content>) -> Void
    ) {
        core = Core(CallbackPlace(queue), didEnd)
    }

    deinit {
        core.stopAll()
    }

    /// Starts observing a pipeline; a second call for the same pipeline does nothing.
    ///
    /// An ended pipeline is reported at once.
    public func observe(_ pipeline: AnyPipeline) { core.observe(pipeline) }

    /// Stops observing a pipeline, if it is observed.
    public func stopObserving(_ pipeline: AnyPipeline) { core.stop(pipeline) }

    /// The observed pipelines, in the order of ``observe(_:)``.
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
        // Register without the lock: an ended pipeline calls back at once, on this thread.
        let subscription = pipeline.register(
            Callbacks.Registration(.end, place: place, observer: self) { [weak self] in self?.tell(id, $0) }
        )
        // The observation may have stopped, or the end may have been reported, before the subscription was stored.
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
        // After unlock: a cancellation sends an event to the pipeline. A callback on its way finds no entry.
        for entry in all.values { entry.subscription?.cancel() }
    }

    var pipelines: [AnyPipeline] {
        state.withLock { $0.watched.values.sorted { $0.number < $1.number } }.map(\.pipeline)
    }

    private func tell(_ id: ObjectIdentifier, _ outcome: Outcome<Content>) {
        // Observation stopped while the callback was on its way.
        guard let pipeline = state.withLock({ $0.watched[id]?.pipeline }) else { return }
        // Forget the pipeline after the call: `pipelines` contains it during the call.
        didEnd(pipeline, outcome)
        _ = forget(pipeline)
    }

    private func forget(_ pipeline: AnyPipeline) -> Watched? {
        state.withLock { $0.watched.removeValue(forKey: ObjectIdentifier(pipeline)) }
    }
}
