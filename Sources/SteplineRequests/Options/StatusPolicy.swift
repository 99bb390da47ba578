/// Which HTTP statuses are a success.
public struct StatusPolicy: Sendable {
    private final class Condition: Sendable {
        let accepts: @Sendable (Int) -> Bool
        init(_ accepts: @escaping @Sendable (Int) -> Bool) { self.accepts = accepts }
    }

    private enum Kind: Sendable {
        case range(Range<Int>)
        case condition(Condition)
    }

    /// What two policies must have in common to be taken for equal.
    enum Identity: Hashable, Sendable {
        case range(Range<Int>)
        case condition(ObjectIdentifier)
    }

    private let kind: Kind

    /// All below 400.
    public static let failing400AndUp = only(0..<400)

    /// All there are.
    public static let any = only(0..<Int.max)

    /// Those of a range, such as `.only(200..<300)`.
    public static func only(_ range: Range<Int>) -> StatusPolicy { StatusPolicy(kind: .range(range)) }

    /// Those for which `condition` says so.
    ///
    /// It is asked on a thread of the network's, and must return at once.
    public static func accepting(_ condition: @escaping @Sendable (Int) -> Bool) -> StatusPolicy {
        StatusPolicy(kind: .condition(Condition(condition)))
    }

    func isSuccess(_ status: Int) -> Bool {
        switch kind {
        case .range(let range): range.contains(status)
        case .condition(let condition): condition.accepts(status)
        }
    }

    /// Whether every status is a success, as ``any`` has it.
    var takesAll: Bool {
        if case .range(let range) = kind { range.contains(Int.max - 1) && range.contains(0) } else { false }
    }

    var identity: Identity {
        switch kind {
        case .range(let range): .range(range)
        case .condition(let condition): .condition(ObjectIdentifier(condition))
        }
    }
}
