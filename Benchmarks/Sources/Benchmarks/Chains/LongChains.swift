enum LongChains: Benchmark {
    static let name = "long-chains"
    static let summary = "one chain at a time, of 10 to 8,000 steps"

    static func run() -> [Finding] {
        [10, 100, 1000, 8000].map { length in
            let count = max(1, 8000 / length)
            let duel = Duel(
                rounds: 5, units: [count * length, count * length],
                [
                    { runPipelines(count, steps: length, batch: 1) },
                    { runOperationQueue(count, steps: length, batch: 1) },
                ])
            return Finding(
                "a step of \(length)", duel.medians[0], "ns", rival: "OperationQueue, ns",
                rivalValue: duel.medians[1]
            )
        }
    }
}
