/// An error that was caused by another, which may be asked for advice in its place.
public protocol ErrorWithCause: Error {
    /// The error behind this one.
    var underlying: (any Error)? { get }
}

extension ErrorWithCause {
    /// The first error of type `E` among the causes, however deep.
    public func underlying<E: Error>(as type: E.Type) -> E? {
        var cause = underlying
        while let error = cause {
            if let found = error as? E { return found }
            cause = (error as? any ErrorWithCause)?.underlying
        }
        return nil
    }
}
