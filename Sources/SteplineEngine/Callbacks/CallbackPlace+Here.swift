import Dispatch

extension CallbackPlace {
    private static let key = DispatchSpecificKey<ObjectIdentifier>()

    /// Notes on the queue which one it is, so that ``isHere`` can tell; to be called when a callback is registered.
    package func mark() {
        guard let identity else { return }
        let queue: DispatchQueue? =
            if case .queue(let queue) = self { queue } else { identity == Self.main ? .main : nil }
        queue?.setSpecific(key: Self.key, value: identity)
    }

    /// Whether this thread does what it does on behalf of that queue or actor, which must have been marked.
    ///
    /// Of actors only the main one can be told. The thread alone says nothing: on Linux any may serve the main queue.
    package var isHere: Bool {
        guard let identity else { return false }
        return DispatchQueue.getSpecific(key: Self.key) == identity
    }
}
