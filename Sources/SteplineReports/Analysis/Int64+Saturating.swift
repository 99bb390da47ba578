/// Saturating sums and differences of times, since long tasks in a row may overflow.
extension Int64 {
    func plus(_ other: Int64) -> Int64 {
        let (sum, isPast) = addingReportingOverflow(other)
        return isPast ? (other < 0 ? .min : .max) : sum
    }

    func minus(_ other: Int64) -> Int64 {
        let (difference, isPast) = subtractingReportingOverflow(other)
        return isPast ? (other < 0 ? .max : .min) : difference
    }
}
