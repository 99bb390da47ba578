extension TaskManager {
    /// In a body: the handle that it runs for, with attempt and tags; nil elsewhere.
    public static var current: Current? {
        guard let place = ManagerPlace.current, place.kind == .body, let record = place.record else {
            return nil
        }
        return Current(handle: AnyTaskHandle(record, place.door), attempt: Int(place.attempt))
    }

    /// The attempt whose body asks.
    public struct Current: Sendable, Hashable {
        /// The handle.
        public let handle: AnyTaskHandle
        /// The attempt, counted from 1.
        public let attempt: Int
        /// The handle's tags.
        public var tags: Set<String> { handle.tags }
    }
}
