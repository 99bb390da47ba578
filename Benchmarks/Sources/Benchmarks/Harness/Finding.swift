import Foundation

/// One figure of a benchmark, with what it is held against.
struct Finding: Codable {
    let name: String
    let value: Double
    let unit: String
    /// The most the value may be; nil if it is only told.
    let bound: Double?
    let holds: Bool
    let rival: String?
    let rivalValue: Double?

    init(
        _ name: String, _ value: Double, _ unit: String, bound: Double? = nil, rival: String? = nil,
        rivalValue: Double? = nil
    ) {
        self.name = name
        self.value = value
        self.unit = unit
        self.bound = bound
        holds = bound.map { value <= $0 } ?? true
        self.rival = rival
        self.rivalValue = rivalValue
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
