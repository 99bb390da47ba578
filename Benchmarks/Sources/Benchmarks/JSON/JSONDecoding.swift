import Foundation
import Stepline

/// The same orders, decoded as the same types.
enum JSONDecoding: Benchmark {
    static let name = "json-decode"
    static let summary = "decode orders of 1 KB, 1 MB and 30 MB"

    static func run() throws -> [Finding] {
        let theirs = JSONDecoder()
        let step = JSONDecodeStep<[Order]>()
        return [1_000, 1_000_000, 30_000_000].flatMap { size in
            let data = Orders.data(bytes: size)
            let repeats = max(1, 1_000_000 / data.count)
            let duel = Duel(
                rounds: size > 5_000_000 ? 3 : 9, units: [data.count * repeats, data.count * repeats],
                [
                    {
                        for _ in 0..<repeats { check(orFail { try theirs.decode([Order].self, from: data) }) }
                    },
                    { for _ in 0..<repeats { check(orFail { try step.process(data) }) } },
                ])
            return JSONSize(size).findings("decode", duel, bound: size < 10_000 ? 1 : 0.25)
        }
    }

    private static func check(_ orders: [Order]) {
        if orders.isEmpty { fatalError("there are orders") }
    }
}
