import Foundation

/// One figure of a benchmark, with what it is held against.
///
/// Only ratios have bounds, as the nanoseconds of a shared machine say more about the machine.
struct Finding: Codable {
    let name: String
    let value: Double
    let unit: String
    /// The most the value may be; nil if it is only told.
    let bound: Double?
    let holds: Bool
    let rival: String?
    let rivalValue: Double?

    /// The units of amounts, which aren't ratios; less is better.
    static let amounts: Set = ["ns", "µs", "ms", "s", "seconds", "bytes", "MB", "threads"]

    init(
        _ name: String, _ value: Double, _ unit: String, bound: Double? = nil, rival: String? = nil,
        rivalValue: Double? = nil
    ) {
        if bound != nil, Self.amounts.contains(unit) { fatalError("\(name): only ratios have bounds") }
        self.name = name
        self.value = value
        self.unit = unit
        self.bound = bound
        holds = bound.map { value <= $0 } ?? true
        self.rival = rivalValue == nil ? nil : rival
        self.rivalValue = rivalValue
    }

    /// A ratio that is held to a bound; nil where the rival isn't to be had.
    init?(_ name: String, ratio: Double?, atMost bound: Double) {
        guard let ratio else { return nil }
        self.init(name, ratio, "times", bound: bound)
    }
}

extension Finding {
    var limit: String { bound.map { "at most \(short($0))" } ?? "" }

    var besideIt: String { rival.map { "\($0): \(rivalValue.map(short) ?? "")" } ?? "" }
}

/// A figure with as many digits as mean something.
func short(_ value: Double) -> String {
    value >= 100 ? String(format: "%.0f", value) : String(format: "%.3g", value)
}

/// A problem to be measured; its name is what `ONLY=` takes.
protocol Benchmark {
    static var name: String { get }
    static var summary: String { get }
    static func run() throws -> [Finding]
}
