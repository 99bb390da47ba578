import Dispatch

extension CallbackPlace {
    private static let key = DispatchSpecificKey<ObjectIdentifier>()

    /// Stores this place's identity on its queue for ``isHere``; call this when a callback is registered.
    ///
    /// Global queues aren't marked. Other queues target them, inherit their specifics, and would be mistaken for them.
    package func mark() {
        guard case .object(let id)? = identity else { return }
        let queue: DispatchQueue? =
            if case .queue(let queue) = self { queue } else { id == Self.main ? .main : nil }
        queue?.setSpecific(key: Self.key, value: id)
    }

    /// Whether the current code runs on this queue or actor, which must have been marked.
    ///
    /// Works for the main actor and for queues that aren't global. The thread is no indication: on Linux any thread can
    /// serve the main queue.
    package var isHere: Bool {
        guard case .object(let id)? = identity else { return false }
        // Dispatch searches the target queues, too: a queue that targets this one and isn't marked counts as here.
        return DispatchQueue.getSpecific(key: Self.key) == id
    }
}
