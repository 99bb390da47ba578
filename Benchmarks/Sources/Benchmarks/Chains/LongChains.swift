enum LongChains: Benchmark {
    static let name = "long-chains"
    static let summary = "one chain at a time, of 10 to 8,000 steps"

    static func run() -> [Finding] {
        [10, 100, 1000, 8000].map { whole in
            let length = Sizes.of(whole, atLeast: 4)
            let count = Sizes.of(8000 / whole)
            let duel = Duel(
                rounds: 5, units: [count * length, count * length],
                [
                    { runPipelines(count, steps: length, batch: 1) },
                    { runOperationQueue(count, steps: length, batch: 1) },
                ])
            return Finding(
                "a step of \(whole)", duel.medians[0], "ns", rival: "OperationQueue, ns",
                rivalValue: duel.medians[1]
            )
        }
    }
}
