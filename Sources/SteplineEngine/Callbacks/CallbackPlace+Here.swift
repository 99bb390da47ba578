import Dispatch

extension CallbackPlace {
    private static let key = DispatchSpecificKey<ObjectIdentifier>()

    /// Notes on the queue which one it is, so that ``isHere`` can tell; to be called when a callback is registered.
    ///
    /// The global queues aren't marked: others' queues run on top of them, and would be taken for them.
    package func mark() {
        guard case .object(let id)? = identity else { return }
        let queue: DispatchQueue? =
            if case .queue(let queue) = self { queue } else { id == Self.main ? .main : nil }
        queue?.setSpecific(key: Self.key, value: id)
    }

    /// Whether this thread does what it does on behalf of that queue or actor, which must have been marked.
    ///
    /// Of actors only the main one can be told, and of global queues none. The thread alone says nothing: on Linux any
    /// may serve the main queue.
    package var isHere: Bool {
        guard case .object(let id)? = identity else { return false }
        return DispatchQueue.getSpecific(key: Self.key) == id
    }
}
