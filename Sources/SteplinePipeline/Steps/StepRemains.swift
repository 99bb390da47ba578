/// The values that a step has discarded: user objects, which must be released after unlock.
struct StepRemains {
    var content: Content?
    /// The end that a body reported with `finish`, replaced by the end that it returned.
    var end: AttemptEnd?
    var driver: (any StepDriver)?
    /// A strong reference read from a weak one, which may be the last.
    var owner: (any StepDriver)?
    var stopHandlers: [@Sendable () -> Void] = []
    /// The handlers to call after unlock.
    var due: [@Sendable () -> Void] = []
}
