/// Which HTTP statuses are a success.
public struct StatusPolicy: Sendable {
    private let accepts: @Sendable (Int) -> Bool

    private init(accepts: @escaping @Sendable (Int) -> Bool) { self.accepts = accepts }

    /// All below 400.
    public static let failing400AndUp = StatusPolicy { $0 < 400 }

    /// All there are.
    public static let any = StatusPolicy { _ in true }

    /// Those of a range, such as `.only(200..<300)`.
    public static func only(_ range: Range<Int>) -> StatusPolicy { StatusPolicy { range.contains($0) } }

    /// Those for which `condition` says so.
    ///
    /// It is asked on a thread of the network's and must return at once.
    public static func accepting(_ condition: @escaping @Sendable (Int) -> Bool) -> StatusPolicy {
        StatusPolicy(accepts: condition)
    }

    func isSuccess(_ status: Int) -> Bool { accepts(status) }
}
