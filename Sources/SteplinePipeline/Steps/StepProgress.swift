/// What a body tells of its progress.
struct StepProgress: Sendable {
    /// From 0 to 1; nil if unknown.
    let fraction: Double?
    let completed: Int64?
    let total: Int64?

    /// Takes a fraction that is no number as unknown, and one out of bounds as the bound.
    init(fraction: Double?, completed: Int64?, total: Int64?) {
        self.fraction = fraction.flatMap { $0.isFinite ? min(max($0, 0), 1) : nil }
        self.completed = completed
        self.total = total
    }
}
