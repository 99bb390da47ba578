import Foundation

/// How large the problems are: as they are published, or divided, for a trial that they run at all.
enum Sizes {
    /// `STEPLINE_BENCH_DIVISOR`, by which all counts are divided; 1 where it isn't set.
    static let divisor: Int = {
        let text = ProcessInfo.processInfo.environment["STEPLINE_BENCH_DIVISOR"]
        return max(1, text.flatMap { Int($0) } ?? 1)
    }()

    /// Whether the figures mean nothing, as the problems are smaller than the page says.
    static var isTrial: Bool { divisor > 1 }

    /// The count divided by the divisor, but at least `least`.
    static func of(_ count: Int, atLeast least: Int = 1) -> Int { max(least, count / divisor) }

    /// The number of rounds; two in a trial.
    static func rounds(_ count: Int) -> Int { isTrial ? min(2, count) : count }
}
