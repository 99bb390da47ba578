public import Dispatch
package import SteplineSupport

/// Where a callback wants to run: where the work ended, on a queue, or on an actor.
@usableFromInline
package enum CallbackPlace: Sendable, Hashable {
    /// On whatever thread tells of the end.
    case anywhere
    case queue(DispatchQueue)
    case actor(any Actor)

    package init(_ queue: DispatchQueue?) { self = queue.map { .queue($0) } ?? .anywhere }

    package init(_ place: MainPlace) { self = .queue(.main) }

    /// Runs `work` there: at once on this thread if it may be anywhere, else without waiting for it.
    package func perform(_ work: @escaping @Sendable () -> Void) {
        switch self {
        case .anywhere: work()
        case .queue(let queue): Self.run(work, on: queue)
        // The main queue is where the main actor runs, so one queue keeps the order of both.
        case .actor(let actor) where ObjectIdentifier(actor) == Self.main: Self.run(work, on: .main)
        case .actor(let actor): ActorLine.add(work, to: actor)
        }
    }

    /// A callback that the main actor's place calls, as one of that actor.
    package static func isolated<News: Sendable>(
        _ call: @escaping @MainActor @Sendable (News) -> Void
    ) -> @Sendable (News) -> Void {
        { news in MainActor.assumeIsolated { call(news) } }
    }

    /// A callback that an actor's place calls, as one of that actor.
    package static func isolated<Place: Actor, News: Sendable>(
        to actor: Place, _ call: @escaping @Sendable (isolated Place, News) -> Void
    ) -> @Sendable (News) -> Void {
        { news in actor.assumeIsolated { call($0, news) } }
    }

    private static func run(_ work: @escaping @Sendable () -> Void, on queue: DispatchQueue) {
        guard let stage = Stages.current else { return queue.async(execute: work) }
        // The play waits for the queue, so that nothing else goes on meanwhile.
        stage.enqueue(isBody: false) { queue.sync { Stages.play(on: stage, work) } }
    }

    /// What tells one place from another.
    enum Identity: Sendable, Hashable {
        /// The queue or actor itself.
        case object(ObjectIdentifier)
        /// One of the global queues, by its label.
        case global(String)
    }

    /// The main queue is where the main actor is.
    static let main = ObjectIdentifier(MainActor.shared)

    /// What tells this place from others; nil for anywhere.
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
    /// On Linux the main queue and the global ones are objects of their own each time they are asked for.
    fileprivate var identity: CallbackPlace.Identity {
        let name = label
        if name == "com.apple.main-thread" { return .object(CallbackPlace.main) }
        return name.hasPrefix("com.apple.root.") ? .global(name) : .object(ObjectIdentifier(self))
    }
}
