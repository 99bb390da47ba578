/// A body's progress report.
struct StepProgress: Sendable {
    /// The completed fraction from 0 to 1; nil if unknown.
    let fraction: Double?
    let completed: Int64?
    let total: Int64?

    /// Creates a report; a fraction that isn't finite becomes unknown, and others are clamped to 0...1.
    init(fraction: Double?, completed: Int64?, total: Int64?) {
        self.fraction = fraction.flatMap { $0.isFinite ? min(max($0, 0), 1) : nil }
        self.completed = completed
        self.total = total
    }
}
