/// How a body has ended.
struct BodyEnd: Sendable {
    /// A `ResultBox`; nil if the body was not run.
    let result: (any AnyObject & Sendable)?
    let hasSucceeded: Bool
    /// Its work was cancelled from outside.
    var outside: OutsideCancellation?
}
