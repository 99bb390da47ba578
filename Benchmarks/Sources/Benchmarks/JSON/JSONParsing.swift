import Foundation

/// Orders of a shop, parsed into whatever each parser makes of them.
enum JSONParsing: Benchmark {
    static let name = "json-parse"
    static let summary = "parse orders of 1 KB, 1 MB and 30 MB"

    static func run() throws -> [Finding] {
        let findings = [1_000, 1_000_000, 30_000_000].flatMap { size in
            let data = Orders.data(bytes: size)
            let repeats = max(1, 2_000_000 / data.count)
            let duel = Duel(
                rounds: size > 5_000_000 ? 3 : 9, units: [data.count * repeats, data.count * repeats],
                [
                    { for _ in 0..<repeats { parseByFoundation(data) } },
                    { for _ in 0..<repeats { parseByStepline(data) } },
                ])
            // A small document must pay no price for what pays in a large one.
            return JSONSize(size).findings("parse", duel, bound: size < 10_000 ? 1 : 0.1)
        }
        #if SIMDJSONRival
            return findings + duelWithSimdJSON()
        #else
            return findings
        #endif
    }
}

/// The names of sizes, and what is told of a duel with Foundation.
struct JSONSize {
    private let text: String

    init(_ bytes: Int) { text = bytes < 1_000_000 ? "\(bytes / 1_000) KB" : "\(bytes / 1_000_000) MB" }

    /// The first contender is Foundation; medians are nanoseconds a byte.
    func findings(_ verb: String, _ duel: Duel, bound: Double) -> [Finding] {
        [
            Finding(
                "\(verb) \(text)", 1_000 / duel.medians[1], "MB/s", rival: "Foundation, MB/s",
                rivalValue: 1_000 / duel.medians[0]),
            Finding("\(verb) \(text), of Foundation's time", 1 / duel.ratios[1], "times", bound: bound),
        ]
    }
}
