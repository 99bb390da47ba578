/// The HTTP statuses that count as success.
public struct StatusPolicy: Sendable {
    private final class Condition: Sendable {
        let accepts: @Sendable (Int) -> Bool
        init(_ accepts: @escaping @Sendable (Int) -> Bool) { self.accepts = accepts }
    }

    private enum Kind: Sendable {
        case range(Range<Int>)
        case condition(Condition)
    }

    /// The identity of a policy: two policies with the same identity are equal.
    enum Identity: Hashable, Sendable {
        case range(Range<Int>)
        case condition(ObjectIdentifier)
    }

    private let kind: Kind

    /// Accepts all statuses below 400.
    public static let failing400AndUp = only(0..<400)

    /// Accepts all statuses.
    public static let any = only(0..<Int.max)

    /// Accepts the statuses of a range, such as `.only(200..<300)`.
    public static func only(_ range: Range<Int>) -> StatusPolicy { StatusPolicy(kind: .range(range)) }

    /// Accepts the statuses for which `condition` returns true.
    ///
    /// - Parameter condition: The condition, called on a thread of the transport; it must not block.
    /// - Returns: The policy.
    public static func accepting(_ condition: @escaping @Sendable (Int) -> Bool) -> StatusPolicy {
        StatusPolicy(kind: .condition(Condition(condition)))
    }

    func isSuccess(_ status: Int) -> Bool {
        switch kind {
        case .range(let range): range.contains(status)
        case .condition(let condition): condition.accepts(status)
        }
    }

    /// Whether every status counts as success, as with ``any``.
    var takesAll: Bool {
        // `any` is a range too, and a user may write an equal one.
        if case .range(let range) = kind { range.contains(Int.max - 1) && range.contains(0) } else { false }
    }

    var identity: Identity {
        switch kind {
        case .range(let range): .range(range)
        case .condition(let condition): .condition(ObjectIdentifier(condition))
        }
    }
}
