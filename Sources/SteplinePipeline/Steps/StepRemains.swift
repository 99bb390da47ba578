/// What a step held and holds no more: users' objects, which must not be freed before the lock is released.
struct StepRemains {
    var content: Content?
    /// What a body had ended with that then ended otherwise.
    var end: AttemptEnd?
    var driver: (any StepDriver)?
    /// Read from a weak reference, and so perhaps the last one.
    var owner: (any StepDriver)?
    var stopHandlers: [@Sendable () -> Void] = []
    /// Handlers that are to be called.
    var due: [@Sendable () -> Void] = []
}
