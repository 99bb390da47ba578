/// What is let go once the lock is released, as it may be the last to keep what is a user's.
///
/// Two places of its own: hardly any change lets go of more, and an array would have to be made each time.
struct Released {
    typealias Object = any AnyObject & Sendable

    private var first: Object?
    private var second: Object?
    private var others: [Object] = []

    mutating func add(_ object: Object?) {
        guard let object else { return }
        if first == nil {
            first = object
        } else if second == nil {
            second = object
        } else {
            others.append(object)
        }
    }

    mutating func add(_ more: Released) {
        add(more.first)
        add(more.second)
        for object in more.others { add(object) }
    }

    mutating func take() -> Released {
        guard first != nil else { return Released() }
        defer { self = Released() }
        return self
    }
}
