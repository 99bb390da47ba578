extension TaskManager {
    /// The handle and attempt of the current body; nil outside a body of a manager.
    public static var current: Current? {
        // A task-local value: Swift tasks started by the body inherit it.
        guard let place = ManagerPlace.current, place.kind == .body, let record = place.record else {
            return nil
        }
        return Current(handle: AnyTaskHandle(record, place.control), attempt: Int(place.attempt))
    }

    /// The attempt whose body is running.
    public struct Current: Sendable, Hashable {
        /// The handle.
        public let handle: AnyTaskHandle
        /// The attempt, from 1.
        public let attempt: Int
        /// The handle's tags.
        public var tags: Set<String> { handle.tags }
    }
}
