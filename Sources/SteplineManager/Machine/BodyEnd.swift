/// The end of a body.
struct BodyEnd: Sendable {
    /// A `ResultBox`; nil if the body wasn't run.
    let result: (any AnyObject & Sendable)?
    let hasSucceeded: Bool
    /// The error of a body whose work was cancelled from outside.
    var outside: OutsideCancellation?
}
