public import Dispatch
package import SteplineSupport

/// The place where a callback runs: on the ending thread, on a queue, or on an actor.
@usableFromInline
package enum CallbackPlace: Sendable, Hashable {
    /// On the thread that notifies.
    case anywhere
    case queue(DispatchQueue)
    case actor(any Actor)

    package init(_ queue: DispatchQueue?) { self = queue.map { .queue($0) } ?? .anywhere }

    package init(_ place: MainPlace) { self = .queue(.main) }

    /// Runs `work` at this place.
    ///
    /// `anywhere` calls `work` at once on this thread. All other places enqueue the work without waiting for it, with
    /// the current values of the registered task-local variables.
    package func perform(_ work: @escaping @Sendable () -> Void) {
        if case .anywhere = self { return work() }
        let work = PropagatedValues.bound(work)
        switch self {
        case .anywhere: work()
        case .queue(let queue): Self.run(work, on: queue)
        // The main queue serves the main actor, so using this queue keeps callbacks for both in one order.
        case .actor(let actor) where ObjectIdentifier(actor) == Self.main: Self.run(work, on: .main)
        case .actor(let actor): ActorLine.add(work, to: actor)
        }
    }

    /// Wraps a callback of the main actor for a call from the main queue.
    package static func isolated<News: Sendable>(
        _ call: @escaping @MainActor @Sendable (News) -> Void
    ) -> @Sendable (News) -> Void {
        // `perform` runs the callback on the main queue, which is the main actor's executor: no hop is needed.
        { news in MainActor.assumeIsolated { call(news) } }
    }

    /// Wraps a callback of an actor for a call from that actor.
    package static func isolated<Place: Actor, News: Sendable>(
        to actor: Place, _ call: @escaping @Sendable (isolated Place, News) -> Void
    ) -> @Sendable (News) -> Void {
        { news in actor.assumeIsolated { call($0, news) } }
    }

    private static func run(_ work: @escaping @Sendable () -> Void, on queue: DispatchQueue) {
        guard let stage = Stages.current else { return queue.async(execute: work) }
        // The simulation waits for the queue, so no other simulated work runs meanwhile.
        stage.enqueue(isBody: false) { queue.sync { Stages.play(on: stage, work) } }
    }

    /// The value that identifies a place.
    enum Identity: Sendable, Hashable {
        /// The queue or actor itself.
        case object(ObjectIdentifier)
        /// A global queue, by its label.
        case global(String)
    }

    /// The identity of both the main queue and the main actor.
    static let main = ObjectIdentifier(MainActor.shared)

    /// The value that identifies this place; nil for `anywhere`.
    var identity: Identity? {
        switch self {
        case .anywhere: nil
        case .queue(let queue): queue.identity
        case .actor(let actor): .object(ObjectIdentifier(actor))
        }
    }

    @usableFromInline
    package static func == (left: CallbackPlace, right: CallbackPlace) -> Bool {
        left.identity == right.identity
    }

    @usableFromInline
    package func hash(into hasher: inout Hasher) { hasher.combine(identity) }
}

extension DispatchQueue {
    /// The identity of the queue.
    ///
    /// On Linux each access to the main queue or a global queue returns another object, so their labels identify them.
    fileprivate var identity: CallbackPlace.Identity {
        let name = label
        if name == "com.apple.main-thread" { return .object(CallbackPlace.main) }
        return name.hasPrefix("com.apple.root.") ? .global(name) : .object(ObjectIdentifier(self))
    }
}
